//! A driver for `reward-receipts conformance run`: it holds your implementation to the corpus.
//!
//!     rustc -O template.rs && reward-receipts conformance run -- ./template
//!
//! Fill in functions and claim their layers at LAYERS. A function returns the JSON text of the answer, or Skip with the
//! reason why it skips the case. Failed or a panic is reported as an error, which is neither right nor a refusal.
//! Print with eprintln!: standard output is for answers.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic::catch_unwind;

const ABOUT: &str = r#""protocol": 1, "name": "my-implementation", "version": "0.0.1", "language": "Rust""#;

/// What a case gives. What is not given is not in the maps. Arguments are JSON texts as they are in the case, for a
/// reader that tells 2 from 2.0.
#[allow(dead_code)]
pub struct Given {
    /// contract, certificate or receipt; None where the document has to say it
    kind: Option<String>,
    documents: HashMap<String, Vec<u8>>,
    arguments: HashMap<String, String>,
}

#[allow(dead_code)]
pub enum Reply {
    Answer(String),
    Skip(String),
    Failed(String),
}

#[allow(dead_code)]
fn nothing() -> Reply {
    Reply::Answer("null".to_string())
}

/// text. {"valid": true} or {"valid": false, "codes": ["json.duplicate"]}; codes may be left out.
fn read(_given: &Given) -> Reply { nothing() }

/// document, kind. The same.
fn validate(_given: &Given) -> Reply { nothing() }

/// text. {"canonical": base64 of the canonical bytes of any JSON value}
fn canonical(_given: &Given) -> Reply { nothing() }

/// document, kind. {"digest": "sha256:...", "canonical": base64 of the canonical bytes of the completed document}
fn digest(_given: &Given) -> Reply { nothing() }

/// document, kind, keyring. {"verdict": "valid", "invalid", "signer-unknown" or "error"}
fn verify(_given: &Given) -> Reply { nothing() }

/// contract, certificate, outcome, tier, policy_update.
/// {"scalar": "1.0" or null, "certified" (synthetic), "development_only", "refusals": codes} or {"error": "value"}
fn score(_given: &Given) -> Reply { nothing() }

/// certificate, policy_update. {"state": "current"} or {"error": "value"}
fn state(_given: &Given) -> Reply { nothing() }

/// certificate, contract. {"unmet": codes in order}
fn unmet(_given: &Given) -> Reply { nothing() }

/// receipt, contract, certificate. {"refusals": codes in order}
fn refusals(_given: &Given) -> Reply { nothing() }

/// receipt, contract, certificate, keyring, at_update.
/// {"verdict": "holds", "fails" or "undecided", "findings": codes, "unchecked": codes} or {"error": "value"}
fn audit(_given: &Given) -> Reply { nothing() }

/// spec, components, steps, episode_steps. As the README says, or {"valid": false, "codes": ["spec.clip-ordered"]}
fn compose(_given: &Given) -> Reply { nothing() }

/// What you claim: take away the mark of a layer once all its functions are filled in.
const LAYERS: &[(&str, &[&str])] = &[
    // ("json", &["read"]),
    // ("schema", &["validate"]),
    // ("rules", &["validate"]),
    // ("digest", &["canonical", "digest"]),
    // ("signature", &["verify"]),
    // ("score", &["score"]),
    // ("certificate", &["state", "unmet"]),
    // ("audit", &["refusals", "audit"]),
    // ("compose", &["compose"]),
];

fn ask(operation: &str, given: &Given) -> Reply {
    match operation {
        "read" => read(given),
        "validate" => validate(given),
        "canonical" => canonical(given),
        "digest" => digest(given),
        "verify" => verify(given),
        "score" => score(given),
        "state" => state(given),
        "unmet" => unmet(given),
        "refusals" => refusals(given),
        "audit" => audit(given),
        "compose" => compose(given),
        _ => Reply::Skip("unknown".to_string()),
    }
}

// What the runner writes is one object of ASCII JSON a line, without white space, so this is enough to take it apart.

/// The members of an object: each name, and its value as it is in the text.
fn members(object: &str) -> HashMap<String, String> {
    let (text, mut found) = (object.as_bytes(), HashMap::new());
    let mut at = 1;
    while at + 1 < text.len() {
        let colon = value_end(text, at);
        let end = value_end(text, colon + 1);
        found.insert(object[at + 1..colon - 1].to_string(), object[colon + 1..end].to_string());
        at = end + 1;
    }
    found
}

/// Where the value that starts at an offset ends.
fn value_end(text: &[u8], start: usize) -> usize {
    let (mut at, mut depth, mut inside) = (start, 0, false);
    while at < text.len() {
        match text[at] {
            b'\\' if inside => at += 1,
            b'"' => inside = !inside,
            b'[' | b'{' if !inside => depth += 1,
            b']' | b'}' if !inside && depth > 0 => depth -= 1,
            b',' | b':' | b']' | b'}' if !inside && depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

fn unquoted(value: &str) -> Option<String> {
    value.strip_prefix('"')?.strip_suffix('"').map(str::to_string)
}

fn from_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::with_capacity(text.len() / 4 * 3));
    for digit in text.bytes().filter_map(|c| ALPHABET.iter().position(|&a| a == c)) {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            ' '..='~' => written.push(c),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| written += &format!("\\u{unit:04x}")),
        }
    }
    written + "\""
}

fn reply_to(line: &str) -> String {
    let asked = members(line);
    let operation = unquoted(&asked["operation"]).unwrap_or_default();
    let documents = members(&asked["input"]).into_iter();
    let given = Given {
        kind: unquoted(&asked["kind"]),
        documents: documents.filter_map(|(name, data)| Some((name, from_base64(&unquoted(&data)?)))).collect(),
        arguments: members(&asked["arguments"]),
    };
    let reply = catch_unwind(std::panic::AssertUnwindSafe(|| ask(&operation, &given)));
    let (member, value) = match reply {
        Ok(Reply::Answer(text)) => ("answer", text),
        Ok(Reply::Skip(why)) => ("skip", quoted(&why)),
        Ok(Reply::Failed(what)) => ("error", quoted(&what)),
        Err(panic) => {
            let what = panic.downcast_ref::<&str>().map(|text| text.to_string());
            ("error", quoted(&what.or(panic.downcast_ref::<String>().cloned()).unwrap_or("a panic".to_string())))
        }
    };
    format!("{{\"id\": {}, \"{member}\": {value}}}", asked["id"])
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|_| out.flush()).expect("nobody reads the answers");
}

fn main() {
    let names: Vec<String> = LAYERS.iter().map(|(name, _)| quoted(name)).collect();
    let mut operations: Vec<String> = vec![];
    for operation in LAYERS.iter().flat_map(|(_, operations)| *operations).map(|each| quoted(each)) {
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    let claimed = format!(r#""layers": [{}], "operations": [{}]"#, names.join(", "), operations.join(", "));
    say(&format!(r#"{{"hello": {{{ABOUT}, {claimed}}}}}"#));
    for line in io::stdin().lock().lines() {
        say(&reply_to(&line.expect("a request is ASCII")));
    }
}
