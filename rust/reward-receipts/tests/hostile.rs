//! Texts that are made to hurt: each gives a finding, in bounded time and memory, and never a panic.

use std::process::Command;

use reward_receipts::rewards::RewardSpec;
use reward_receipts::{Json, Keyring, Kind, SigningKey, canonical_bytes, read, read_document, samples};

const MIB: usize = 1 << 20;

/// The longest texts of one piece, by what they are made of.
fn texts() -> Vec<(&'static str, String)> {
    let fill = |piece: &str, around: [&str; 2]| {
        let count = (MIB - around[0].len() - around[1].len()) / piece.len();
        format!("{}{}{}", around[0], piece.repeat(count), around[1])
    };
    vec![
        ("open arrays", "[".repeat(MIB)),
        ("open objects", "{\"a\":".repeat(MIB / 5)),
        ("empty arrays", fill("[],", ["[", "0]"])),
        ("empty objects", fill("{},", ["[", "0]"])),
        ("small objects", fill("{\"a\":0},", ["[", "0]"])),
        ("digits", "9".repeat(MIB)),
        ("decimals", format!("0.{}", "1".repeat(MIB - 2))),
        ("zeros before an exponent", format!("1{}e-5", "0".repeat(200))),
        ("escapes", fill("\\u0041", ["\"", "\""])),
        ("pairs", fill("\\ud834\\udd1e", ["\"", "\""])),
        ("quotes", "\"".repeat(MIB)),
        ("backslashes", format!("\"{}", "\\".repeat(MIB - 1))),
        ("spaces", " ".repeat(MIB)),
        ("lines", "\n".repeat(MIB)),
        ("members", {
            let members: Vec<String> = (0..100_000).map(|number| format!("\"{number:06}\":1")).collect();
            format!("{{{}}}", &members.join(",")[..MIB - 100].rsplit_once(',').unwrap().0)
        }),
        ("members of components", {
            let members: Vec<String> = (0..60_000).map(|number| format!("\"{number:06}\":null")).collect();
            format!("{{\"reward_components\":{{{}}}}}", members.join(","))
        }),
        ("a long name over many members", {
            let members: Vec<String> = (0..60_000).map(|number| format!("\"{number:06}\":{{}}")).collect();
            format!("{{\"reward_components\":{{\"{}\":{{{}}}}}}}", "x".repeat(100_000), members.join(","))
        }),
        ("identity keys", fill("[[1.5,\"a\"]],", ["{\"oracle\":{\"identity_keys\":[", "0]}}"])),
        ("gates in a ring", {
            let gates: Vec<String> = (0..12_000)
                .map(|number| format!("{{\"component\":\"{number}\",\"requires\":\"{}\"}}", (number + 1) % 12_000))
                .collect();
            format!("{{\"name\":\"a\",\"components\":[{{\"type\":\"0\"}}],\"gates\":[{}]}}", gates.join(","))
        }),
    ]
}

fn ask(text: &[u8]) {
    if let Ok(value) = read(text) {
        let canonical = canonical_bytes(&value);
        assert_eq!(canonical_bytes(&read(&canonical).expect("canonical text is JSON")), canonical);
    }
    for kind in [None, Some(Kind::Contract), Some(Kind::Certificate), Some(Kind::Receipt)] {
        let Err(refused) = read_document(text, kind) else { continue };
        assert!(!refused.findings().is_empty());
        assert!(refused.findings().len() <= 3000);
        assert!(refused.to_string().len() < 4 << 20, "the message is bounded");
    }
    let _ = RewardSpec::read(text);
    let _ = Keyring::read(text);
    let _ = SigningKey::read(text);
}

#[test]
fn every_text_that_is_cut_off_or_broken_gives_a_finding() {
    let receipt = samples::receipt();
    let text = receipt.canonical_text().as_bytes();
    for end in 0..text.len() {
        assert!(read_document(&text[..end], Some(Kind::Receipt)).is_err());
    }
    for place in 0..text.len() {
        for byte in [0, b'"', b'\\', b'{', b'9', b' ', 0x7f, 0x80, 0xc3, 0xed, 0xff] {
            let mut broken = text.to_vec();
            broken[place] = byte;
            ask(&broken);
        }
    }
}

#[test]
fn values_are_bounded_too() {
    let mut value = Json::null();
    for _ in 0..64 {
        value = Json::array([value]).expect("64 arrays are let in");
    }
    assert!(Json::array([value.clone()]).is_err());
    assert!(Json::object([("a", value)]).is_err());
    assert!(Json::object([("a", Json::null()), ("a", Json::null())]).is_err());
}

/// The deepest values are checked on a small stack: nothing recurses further than a text may be nested.
#[test]
fn a_small_stack_is_enough() {
    let deepest = format!("{}{}", "[".repeat(64), "]".repeat(64));
    let mut nested = String::from("0");
    for _ in 0..63 {
        nested = format!("{{\"reward_components\":{nested}}}");
    }
    let ask_both = move || {
        ask(deepest.as_bytes());
        ask(nested.as_bytes());
        ask("[".repeat(MIB).as_bytes());
    };
    let stack = std::thread::Builder::new().stack_size(256 * 1024);
    stack.spawn(ask_both).expect("a thread").join().expect("no overflow");
}

/// Each of the longest texts is checked by a program of its own, which says what time and memory it took.
#[test]
#[cfg(target_os = "linux")]
fn the_longest_texts_take_linear_time_and_bounded_memory() {
    const ASKED: &str = "REWARD_RECEIPTS_HOSTILE";
    const TICKS_A_SECOND: u64 = 100;
    if let Ok(wanted) = std::env::var(ASKED) {
        let (_, text) = texts().into_iter().find(|(name, _)| *name == wanted).expect("a text of that name");
        ask(text.as_bytes());
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("and this line");
        let times = std::fs::read_to_string("/proc/self/stat").expect("and this");
        let ticks = times.rsplit(')').next().and_then(|fields| fields.split_whitespace().nth(11)).expect("user time");
        println!("took {ticks} ticks and {}", peak.trim());
        return;
    }
    for (name, _) in texts() {
        let test = "the_longest_texts_take_linear_time_and_bounded_memory";
        let program = std::env::current_exe().expect("this program");
        let done =
            Command::new(program).args([test, "--exact", "--nocapture"]).env(ASKED, name).output().expect("runs");
        let said = String::from_utf8_lossy(&done.stdout);
        let took = said.lines().find_map(|line| line.strip_prefix("took "));
        let numbers: Vec<u64> =
            took.into_iter().flat_map(|line| line.split(' ')).filter_map(|word| word.parse().ok()).collect();
        let [ticks, peak] = numbers[..] else { panic!("{name}: {said}{}", String::from_utf8_lossy(&done.stderr)) };
        assert!(ticks < 20 * TICKS_A_SECOND, "{name} takes {ticks} ticks");
        assert!(peak < 128 * 1024, "{name} takes {peak} KiB");
        println!("{name}: {ticks} ticks, {peak} KiB");
    }
}
