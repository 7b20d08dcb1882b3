//! The bodies of the fuzz targets, on texts that are mutated without coverage: shortly by default, and for as long as
//! `REWARD_RECEIPTS_FUZZ_SECONDS` says, each.

use std::time::{Duration, Instant};

use reward_receipts::{SigningKey, samples};

#[path = "../../fuzz/bodies.rs"]
mod bodies;

/// A small generator of numbers: a run says its seed, and gives the same texts for it.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or(0)
    }
}

const PIECES: [&[u8]; 24] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b"\\u0041",
    b"\\ud800",
    b"\\udc00",
    b"null",
    b"true",
    b"0",
    b"-0",
    b"1e400",
    b"1.0",
    b"9007199254740993",
    b"\n",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\xc3",
    b"2",
    b"\"a\":1,",
];

fn mutated(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut text = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 => text.truncate(at),
            1 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            2 => {
                let end = (at + random.below(60)).min(text.len());
                let copied = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, copied);
            }
            3 if at < text.len() => text[at] = random.next().to_le_bytes()[0],
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                let end = (at + random.below(2) * piece.len()).min(text.len());
                text.splice(at..end, piece.iter().copied());
            }
        }
    }
    text
}

fn run(name: &str, body: fn(&[u8]), seeds: &[Vec<u8>]) {
    let asked = std::env::var("REWARD_RECEIPTS_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (began, mut count) = (Instant::now(), 0_u64);
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ name.len() as u64);
    loop {
        let text = mutated(&mut random, seeds);
        let kept = std::panic::catch_unwind(|| body(&text)).is_ok();
        assert!(kept, "{name} breaks its promise for {:?}", String::from_utf8_lossy(&text));
        count += 1;
        let is_done = match asked {
            Some(seconds) => began.elapsed() >= Duration::from_secs(seconds),
            None => count == 5000,
        };
        if is_done {
            println!("{name}: {count} texts in {:?}, no panic", began.elapsed());
            return;
        }
    }
}

fn documents() -> Vec<Vec<u8>> {
    let (contract, certificate, receipt) = (samples::contract(), samples::certificate(), samples::receipt());
    [contract.canonical_text(), certificate.canonical_text(), receipt.canonical_text()]
        .map(|text| text.as_bytes().to_vec())
        .into()
}

#[test]
fn text() {
    let mut seeds = documents();
    seeds.push(b" [1, -2.5e3, \"\\u00e9 \xf0\x9d\x94\x9e\", {\"a\": [true, null]}]\r\n".to_vec());
    run("text", bodies::text, &seeds);
}

#[test]
fn document() {
    run("document", bodies::document, &documents());
}

#[test]
fn keyring() {
    let public = br#"{"issuer.key:1": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}"#.to_vec();
    let key = SigningKey::generate("issuer.key:1").expect("a key");
    let file = std::env::temp_dir().join(format!("reward-receipts-fuzz-{}.json", std::process::id()));
    key.write(&file).expect("a new file");
    let private = std::fs::read(&file).expect("it is there");
    std::fs::remove_file(&file).expect("and gone");
    run("keyring", bodies::keyring, &[public, private]);
}

#[test]
fn spec() {
    let spec =
        br#"{"name": "a", "components": [{"type": "a", "weight": 1, "clip": [0, null]}, {"type": "b", "clip": null}],
        "gates": [{"component": "b", "requires": "a"}]}"#;
    run("spec", bodies::spec, &[spec.to_vec()]);
}
