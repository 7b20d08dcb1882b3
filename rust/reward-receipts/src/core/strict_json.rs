//! Strict JSON text: what is refused before any schema.
//!
//! One reader makes the value and, at the first fault, stops with its place. It recurses at most as deep as a text may
//! be nested.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;

use crate::core::codes::{Code, Given};
use crate::core::findings::{Finding, InvalidDocument, shown_text, write_step};
use crate::core::redaction::quoted_at;
use crate::core::value::{Integer, Json, Member, NOWHERE, Value};
use crate::generated::tables::{MAX_TEXT_BYTES, MAX_TEXT_DEPTH};

/// The value of a strict JSON text of at most 1 MiB.
///
/// A number without `.`, `e` and `E` is an exact integer, any other its nearest double.
///
/// ```
/// use reward_receipts::{Code, read};
///
/// assert!(read(b"[1, 2.5, \"a\"]").is_ok());
///
/// let refused = read(br#"{"a": 1, "\u0061": 1}"#).unwrap_err();
/// assert_eq!(refused.findings()[0].code, Code::JsonDuplicate);
/// assert_eq!((refused.findings()[0].line, refused.findings()[0].column), (Some(1), Some(10)));
/// ```
///
/// # Errors
///
/// The first fault of the text, with its line and column: `json.size`, `json.utf8`, `json.bom`, `json.syntax`,
/// `json.trailing`, `json.duplicate`, `json.surrogate`, `json.number`, `json.depth`.
pub fn read(text: &[u8]) -> Result<Json<'_>, InvalidDocument> {
    read_within(text, MAX_TEXT_BYTES)
}

/// The same, of a text that may have another length: of a line that carries documents, say.
///
/// ```
/// assert!(reward_receipts::read_within(b"[1]", 2).is_err());
/// ```
///
/// # Errors
///
/// As [`read`].
pub fn read_within(text: &[u8], most_bytes: usize) -> Result<Json<'_>, InvalidDocument> {
    document(decode(text, most_bytes)?)
}

/// The characters of a text.
pub(crate) fn decode(data: &[u8], most_bytes: usize) -> Result<&str, InvalidDocument> {
    // An offset into the text has 32 bits.
    if data.len() > most_bytes.min(u32::MAX as usize - 1) {
        return Err(refused(Code::JsonSize, &[("limit", Given::Number(most_bytes as u64))], (1, 1)));
    }
    let text = match std::str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let before = std::str::from_utf8(&data[..at]).unwrap_or_default();
            let wide = data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff");
            let hint = if wide || data[..data.len().min(4)].contains(&0) { " (UTF-16 or UTF-32?)" } else { "" };
            let found = format!("byte 0x{:02x} at offset {at}{hint}", data[at]);
            return Err(refused(Code::JsonUtf8, &[("found", Given::Text(&found))], place_of(before, before.len())));
        }
    };
    if text.starts_with('\u{feff}') {
        return Err(refused(Code::JsonBom, &[], (1, 1)));
    }
    Ok(text)
}

fn refused(code: Code, values: &[(&str, Given<'_>)], place: (u32, u32)) -> InvalidDocument {
    at_place(code, code.sentence_with(values), String::new(), place)
}

fn at_place(code: Code, sentence: String, pointer: String, (line, column): (u32, u32)) -> InvalidDocument {
    Finding { code, sentence, pointer, line: Some(line), column: Some(column), at: NOWHERE }.into()
}

/// The value of a text that is UTF-8, short enough and without a byte order mark.
pub(crate) fn document(text: &str) -> Result<Json<'_>, InvalidDocument> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, open: 0, items: Vec::new(), members: Vec::new() };
    reader.document().map_err(|fault| {
        let mut pointer = String::new();
        for step in fault.path.iter().rev() {
            match step {
                Step::Name(name) => write_step(&mut pointer, name),
                Step::Index(index) => {
                    let _ = write!(pointer, "/{index}");
                }
            }
        }
        at_place(fault.code, fault.sentence, pointer, place_of(text, fault.at))
    })
}

/// Line and column of an offset into a text, both from 1. Lines end at LF; columns count characters.
pub(crate) fn place_of(text: &str, offset: usize) -> (u32, u32) {
    places_of(text, std::iter::once(offset)).pop().unwrap_or((1, 1))
}

/// The same of several offsets in their order, in one walk.
pub(crate) fn places_of(text: &str, offsets: impl Iterator<Item = usize>) -> Vec<(u32, u32)> {
    let bytes = text.as_bytes();
    let (mut line, mut column, mut counted) = (1_u32, 1_u32, 0);
    offsets
        .map(|offset| {
            let mut from = counted;
            while let Some(end) = memchr::memchr(b'\n', &bytes[from..offset]) {
                from += end + 1;
                line += 1;
                column = 1;
            }
            let characters = bytes[from..offset].iter().filter(|byte| **byte & 0xc0 != 0x80).count();
            column += u32::try_from(characters).unwrap_or(u32::MAX);
            counted = offset;
            (line, column)
        })
        .collect()
}

/// A fault of a text. The steps of its path are added on the way out, so that a good text pays for none.
struct Fault<'t> {
    code: Code,
    sentence: String,
    at: usize,
    path: Vec<Step<'t>>,
}

enum Step<'t> {
    Name(Cow<'t, str>),
    Index(usize),
}

type Read<'t, T> = Result<T, Box<Fault<'t>>>;

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    open: usize,
    /// Items and members of the containers that are open: each container is made in one piece when its size is known.
    items: Vec<Json<'t>>,
    members: Vec<Member<'t>>,
}

/// An object with more members is asked for a name by its hash.
const FEW: usize = 32;

/// What a byte inside a string is.
const PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let mut control = 0;
    while control < 0x20 {
        plain[control] = false;
        control += 1;
    }
    plain[b'"' as usize] = false;
    plain[b'\\' as usize] = false;
    plain
};

impl<'t> Reader<'t> {
    fn document(&mut self) -> Read<'t, Json<'t>> {
        self.skip_white();
        let value = self.value(self.at)?;
        self.skip_white();
        if self.at < self.bytes.len() {
            let found = shown_text(&quoted_at(self.text, self.at, 20));
            return Err(Self::fault(Code::JsonTrailing, self.at, &[("found", Given::Text(&found))]));
        }
        Ok(value)
    }

    #[allow(clippy::unnecessary_box_returns)] // a good text is not to carry the room for a fault around
    fn fault(code: Code, at: usize, values: &[(&str, Given<'_>)]) -> Box<Fault<'t>> {
        Box::new(Fault { code, sentence: code.sentence_with(values), at, path: Vec::new() })
    }

    #[cold]
    fn expected<T>(&self, expected: &str) -> Read<'t, T> {
        let found = if self.at < self.bytes.len() {
            shown_text(&quoted_at(self.text, self.at, 10))
        } else {
            "the end of the text".to_owned()
        };
        let values = [("found", Given::Text(&found)), ("expected", Given::Text(expected))];
        Err(Self::fault(Code::JsonSyntax, self.at, &values))
    }

    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn skip_white(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn value(&mut self, named_at: usize) -> Read<'t, Json<'t>> {
        let value = match self.peek() {
            b'{' => self.object()?,
            b'[' => self.array()?,
            b'"' => Value::Text(self.string()?),
            b't' if self.literal("true") => Value::Boolean(true),
            b'f' if self.literal("false") => Value::Boolean(false),
            b'n' if self.literal("null") => Value::Null,
            _ => self.number()?,
        };
        #[allow(clippy::cast_possible_truncation)] // decode() refuses what is longer
        Ok(Json { value, at: named_at as u32 })
    }

    fn literal(&mut self, word: &str) -> bool {
        let found = self.bytes[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn enter(&mut self) -> Read<'t, ()> {
        self.open += 1;
        if self.open > MAX_TEXT_DEPTH {
            let limit = Given::Number(MAX_TEXT_DEPTH as u64);
            return Err(Self::fault(Code::JsonDepth, self.at, &[("limit", limit)]));
        }
        self.at += 1;
        self.skip_white();
        Ok(())
    }

    fn leave(&mut self) {
        self.open -= 1;
        self.at += 1;
    }

    fn object(&mut self) -> Read<'t, Value<'t>> {
        self.enter()?;
        let start = self.members.len();
        let mut names = HashSet::new();
        while self.peek() != b'}' {
            if self.members.len() > start {
                self.comma(b'}')?;
            }
            let named_at = self.at;
            if self.peek() != b'"' {
                return self.expected("a member name");
            }
            let name = self.string()?;
            if self.is_repeated(start, &name, &mut names) {
                let shown = shown_text(&name);
                return Err(Self::fault(Code::JsonDuplicate, named_at, &[("name", Given::Text(&shown))]));
            }
            self.skip_white();
            if self.peek() != b':' {
                return self.expected("':'");
            }
            self.at += 1;
            self.skip_white();
            match self.value(named_at) {
                Ok(value) => self.members.push((name, value)),
                Err(mut fault) => {
                    fault.path.push(Step::Name(name));
                    return Err(fault);
                }
            }
            self.skip_white();
        }
        self.leave();
        Ok(Value::Object(self.members.drain(start..).collect()))
    }

    fn is_repeated(&self, start: usize, name: &str, names: &mut HashSet<Box<str>>) -> bool {
        let before = &self.members[start..];
        if before.len() < FEW {
            return before.iter().any(|(each, _)| each == name);
        }
        if before.len() == FEW {
            names.extend(before.iter().map(|(each, _)| Box::from(&**each)));
        }
        !names.insert(name.into())
    }

    fn array(&mut self) -> Read<'t, Value<'t>> {
        self.enter()?;
        let start = self.items.len();
        while self.peek() != b']' {
            let index = self.items.len() - start;
            if index > 0 {
                self.comma(b']')?;
            }
            match self.value(self.at) {
                Ok(value) => self.items.push(value),
                Err(mut fault) => {
                    fault.path.push(Step::Index(index));
                    return Err(fault);
                }
            }
            self.skip_white();
        }
        self.leave();
        Ok(Value::Array(self.items.drain(start..).collect()))
    }

    fn comma(&mut self, closing: u8) -> Read<'t, ()> {
        if self.peek() != b',' {
            return self.expected(if closing == b'}' { "',' or '}'" } else { "',' or ']'" });
        }
        self.at += 1;
        self.skip_white();
        if self.peek() == closing {
            return self.expected(if closing == b'}' { "a member name" } else { "a value" });
        }
        Ok(())
    }

    fn string(&mut self) -> Read<'t, Cow<'t, str>> {
        let start = self.at;
        self.at += 1;
        let mut from = self.at;
        let mut value = String::new();
        loop {
            while self.bytes.get(self.at).is_some_and(|byte| PLAIN[usize::from(*byte)]) {
                self.at += 1;
            }
            let plain = &self.text[from..self.at];
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    if value.is_empty() {
                        return Ok(Cow::Borrowed(plain));
                    }
                    value.push_str(plain);
                    return Ok(Cow::Owned(value));
                }
                Some(b'\\') => {
                    value.push_str(plain);
                    value.push(self.escape()?);
                    from = self.at;
                }
                Some(_) => return self.expected("an escaped control character"),
                None => {
                    let (_, column) = place_of(self.text, start); // no string goes on over the end of a line
                    return self.expected(&format!("the end of the string that starts at column {column}"));
                }
            }
        }
    }

    fn escape(&mut self) -> Read<'t, char> {
        let start = self.at;
        let short = match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return self.unicode_escape(start),
        };
        self.at += 2;
        Ok(short)
    }

    fn unicode_escape(&mut self, start: usize) -> Read<'t, char> {
        let unit = self.code_unit()?;
        let mut code = unit;
        if (0xd800..0xdc00).contains(&unit) && self.bytes[self.at..].starts_with(b"\\u") {
            let low_at = self.at;
            let low = self.code_unit()?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            } else {
                self.at = low_at;
            }
        }
        let found = Given::Text(&self.text[start..start + 6]);
        char::from_u32(code).ok_or_else(|| Self::fault(Code::JsonSurrogate, start, &[("found", found)]))
    }

    fn code_unit(&mut self) -> Read<'t, u32> {
        let digits = self.bytes.get(self.at + 2..self.at + 6);
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let (Some(b'u'), Some(digits)) = (self.bytes.get(self.at + 1), digits) else {
            return self.expected("an escape");
        };
        let unit = digits.iter().fold(0, |unit, digit| unit << 4 | char::from(*digit).to_digit(16).unwrap_or(0));
        self.at += 6;
        Ok(unit)
    }

    fn number(&mut self) -> Read<'t, Value<'t>> {
        let Some((end, is_integer)) = number_end(self.bytes, self.at) else {
            return self.expected("a value");
        };
        let token = &self.text[self.at..end];
        let value = match token.parse::<i64>() {
            Ok(small) if is_integer => Value::Integer(Integer::Small(small)),
            _ => {
                let double: f64 = token.parse().unwrap_or(f64::INFINITY);
                if !double.is_finite() {
                    let found = shown_text(token);
                    let found = found.trim_matches('"');
                    return Err(Self::fault(Code::JsonNumber, self.at, &[("found", Given::Text(found))]));
                }
                if is_integer { Value::Integer(Integer::Large(Cow::Borrowed(token))) } else { Value::Double(double) }
            }
        };
        self.at = end;
        Ok(value)
    }
}

/// Where the number at an offset ends, and whether it is an integer token; `None` if there is none.
fn number_end(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let digits =
        |from: usize| from + bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = if bytes.get(start) == Some(&b'-') { start + 1 } else { start };
    let mut end = match bytes.get(whole) {
        Some(b'0') => whole + 1,
        Some(b'1'..=b'9') => digits(whole),
        _ => return None,
    };
    let integer_end = end;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if fraction > end + 1 {
            end = fraction;
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    Some((end, end == integer_end))
}
