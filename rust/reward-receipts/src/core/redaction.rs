//! Text of others that could be a private key, which no message may quote. The forms and bounds are those of the Python
//! package: both give the same sentences.

use std::borrow::Cow;

/// A key of 32 bytes has 43 characters of base64; one that lost a few on the way counts.
const SHORTEST: usize = 40;
/// Only so many characters of a text are looked at, so that a long one costs no more.
const LONGEST: usize = 1024;
/// Characters of base64 without padding: 32 bytes (a seed) and 64 (a seed with its public key).
const EXACT: [usize; 2] = [43, 86];
const WINDOW: usize = 43;

/// What begins PEM, a key file, a JWK, PKCS #8, OpenSSH; the text after it, if white space may come before.
const MARKS: [(&str, &str); 7] = [
    ("PRIVATE KEY", ""),
    ("private_key\"", ":"),
    ("private_key\\\"", ":"),
    ("\"kty\"", ":"),
    ("MC4CAQ", ""),
    ("MFMCAQ", ""),
    ("b3BlbnNzaC1rZXktdjE", ""),
];

type Alphabet = fn(char) -> bool;

const BASE64: [Alphabet; 2] = [
    |character| character.is_ascii_alphanumeric() || matches!(character, '+' | '/'),
    |character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'),
];

/// White space as Python's `\s` knows it.
fn is_space(character: char) -> bool {
    matches!(character, '\t'..='\r' | '\x1c'..='\x20' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Whether the whole of a text is a private key: in base64, base64url or hex, in PEM, in JSON. Padding, quotes and white
/// space make no difference.
fn is_key_spelling(text: &str) -> bool {
    if is_short(text) {
        return false;
    }
    let text = beginning(text, 4 * LONGEST);
    if MARKS.iter().any(|(mark, after)| has_mark(text, mark, after)) {
        return true;
    }
    let compact = without_breaks(text);
    let bare = compact.trim_matches(['"', '\'']).trim_end_matches('=');
    if EXACT.contains(&bare.len()) && BASE64.iter().any(|alphabet| bare.chars().all(alphabet)) {
        return true;
    }
    let digits = bare.strip_prefix("0x").unwrap_or(bare);
    let digits = digits.strip_prefix("0X").unwrap_or(digits);
    hex_end(digits.as_bytes(), 0).is_some() && has_hex(bare)
}

/// Whether a text is or contains what could be a private key: beside the spellings of a whole key that is a run of 40
/// characters of base64 or more that looks random.
pub(crate) fn could_be_key(text: &str) -> bool {
    if is_short(text) {
        return false;
    }
    let text = &*without_digests(beginning(text, LONGEST));
    if has_hex(text) || is_key_spelling(text) {
        return true;
    }
    let compact = without_breaks(text);
    has_key_piece(text) || (compact != text && has_key_piece(&compact))
}

fn has_key_piece(text: &str) -> bool {
    const BREAKS: [char; 18] =
        ['"', '\'', '`', ',', ';', ':', '(', ')', '{', '}', '[', ']', '<', '>', '|', '&', '?', '*'];
    text.split(|character| is_space(character) || BREAKS.contains(&character) || character == '\\')
        .any(|piece| !is_short(piece) && (is_key_spelling(piece) || looks_random(piece)))
}

/// The text; in place of one that could be a key, its length.
pub(crate) fn redacted(text: &str) -> Cow<'_, str> {
    if could_be_key(text) {
        return Cow::Owned(format!("({} characters that could be a key)", text.chars().count()));
    }
    Cow::Borrowed(text)
}

/// A message of several words, in which each that could be a key is redacted.
pub(crate) fn redacted_words(text: &str) -> Cow<'_, str> {
    if is_short(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(is_space).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // Punctuation after a word does not belong to it.
        let bare = word.trim_end_matches([':', ';', ',', '.', ')']);
        out.push_str(&redacted(bare));
        out.push_str(&word[bare.len()..]);
        let next = after.find(|character| !is_space(character)).unwrap_or(after.len());
        out.push_str(&after[..next]);
        rest = &after[next..];
    }
    Cow::Owned(out)
}

/// The `count` characters at an offset of a text, unless they are a part of what could be a key.
///
/// A few characters of a key do not look like one. So the word around the place decides, and if the text is short all of
/// it. In JSON Lines a key can be broken over lines; a word of 8 characters is quoted only if it is one of letters or a
/// number.
pub(crate) fn quoted_at(text: &str, start: usize, count: usize) -> Cow<'_, str> {
    const AROUND: usize = 200;
    const WORD_ENDS: [char; 5] = [' ', '\t', '\r', '\n', '"'];
    let quoted = beginning(&text[start..], count);
    let from = text[..start].char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let before = &text[from..start];
    let after = beginning(&text[start..], AROUND);
    let word_start = before.rfind(WORD_ENDS).map_or(0, |at| at + 1);
    // Of each of these characters the first one counts, and only if it is not the place itself.
    let word_end =
        WORD_ENDS.iter().filter_map(|end| after.find(*end)).filter(|at| *at > 0).min().unwrap_or(after.len());
    let word = format!("{}{}", &before[word_start..], &after[..word_end]);
    let is_part = could_be_key(&word)
        || (text.char_indices().nth(LONGEST).is_none() && is_key_spelling(text))
        || parts_of_key(quoted).any(|part| !is_plain_word(part));
    if is_part {
        return Cow::Owned(format!("({} characters of what could be a key)", quoted.chars().count()));
    }
    Cow::Borrowed(quoted)
}

fn parts_of_key(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| {
        !character.is_ascii_alphanumeric() && !matches!(character, '+' | '/' | '=' | '_' | '-')
    })
    .filter(|part| part.len() >= 8)
}

/// A word of letters, perhaps with a capital, words joined by underscores, capitals alone, or a number.
fn is_plain_word(word: &str) -> bool {
    let lower = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let capitalised = word.strip_prefix(|first: char| first.is_ascii_uppercase()).is_some_and(lower);
    let joined = word.strip_suffix('_').unwrap_or(word).split('_').all(lower);
    let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
    let number = unsigned.starts_with(|first: char| first.is_ascii_digit())
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E'));
    capitalised || joined || capitals || number
}

/// Whether 32 bytes in hex are in a text. Decimals alone are a long number.
fn has_hex(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match hex_end(bytes, at) {
            Some(end) if !bytes[at..end].iter().all(u8::is_ascii_digit) => return true,
            Some(end) => at = end,
            None => at += 1,
        }
    }
    false
}

/// Where 32 bytes in hex that start at an offset end; up to two separators may follow each byte.
fn hex_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    for _ in 0..32 {
        if !(bytes.get(at)?.is_ascii_hexdigit() && bytes.get(at + 1)?.is_ascii_hexdigit()) {
            return None;
        }
        at += 2;
        for _ in 0..2 {
            at += separator(&bytes[at..]);
        }
    }
    Some(at)
}

/// The length of the separator that bytes begin with; 0 for none.
fn separator(bytes: &[u8]) -> usize {
    match bytes {
        [b':' | b',' | b'-' | b'\t'..=b'\r' | 0x1c..=0x20, ..] => 1,
        [first @ 0xc2..=0xf4, ..] => {
            let length = if *first < 0xe0 {
                2
            } else if *first < 0xf0 {
                3
            } else {
                4
            };
            let character = bytes.get(..length).and_then(|each| std::str::from_utf8(each).ok());
            if character.and_then(|each| each.chars().next()).is_some_and(is_space) { length } else { 0 }
        }
        _ => 0,
    }
}

/// Whether a part of a text looks like base64 of random bytes, and not like words. Of 43 random characters of base64, 31
/// are distinct on average, and the class (capital, small letter, digit, sign) changes 27 times. Most names that are made
/// of words stay below both bounds; one random key in 100,000 does.
fn looks_random(text: &str) -> bool {
    BASE64.iter().any(|alphabet| {
        text.split(|character| !alphabet(character))
            .filter(|run| run.len() >= SHORTEST && !run.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .any(|run| {
                let run = run.as_bytes();
                let last = (run.len() + 1).saturating_sub(WINDOW).max(1);
                (0..last).step_by(8).any(|start| is_random(&run[start..(start + WINDOW).min(run.len())]))
            })
    })
}

fn is_random(window: &[u8]) -> bool {
    let class = |byte: u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let changes = window.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    let distinct = window.iter().fold(0_u128, |seen, byte| seen | 1 << (byte & 127)).count_ones();
    changes >= 17 || distinct >= 26
}

/// A text without white space and the escapes of line breaks and tabs.
fn without_breaks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\' && matches!(characters.peek(), Some('n' | 'r' | 't')) {
            characters.next();
        } else if !is_space(character) {
            out.push(character);
        }
    }
    out
}

/// A text with a space in place of each digest: these are quoted.
fn without_digests(text: &str) -> Cow<'_, str> {
    const MARK: &str = "sha256:";
    const DIGITS: usize = 64;
    let mut out = String::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest[from..].find(MARK).map(|at| from + at) {
        let digits = &rest.as_bytes()[at + MARK.len()..];
        let is_digest = digits.len() >= DIGITS
            && digits[..DIGITS].iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            && !digits.get(DIGITS).is_some_and(u8::is_ascii_alphanumeric);
        if is_digest {
            out.push_str(&rest[..at]);
            out.push(' ');
            rest = &rest[at + MARK.len() + DIGITS..];
            from = 0;
        } else {
            from = at + 1;
        }
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn has_mark(text: &str, mark: &str, after: &str) -> bool {
    text.match_indices(mark).any(|(at, _)| text[at + mark.len()..].trim_start_matches(is_space).starts_with(after))
}

fn is_short(text: &str) -> bool {
    text.len() < SHORTEST || text.char_indices().nth(SHORTEST - 1).is_none()
}

/// The first characters of a text.
fn beginning(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_and_names_are_not() {
        assert!(is_key_spelling("ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="));
        assert!(!could_be_key("receipts-of-the-second-run.json"));
        assert!(could_be_key("keys/ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9"));
        assert_eq!(
            redacted_words("cannot read ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=: No such file"),
            "cannot read (44 characters that could be a key): No such file"
        );
    }
}
