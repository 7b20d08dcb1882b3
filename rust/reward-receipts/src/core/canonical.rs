//! The canonical form of a JSON value: the bytes that every language must agree on.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::core::value::{Integer, Json, Member, Value};

/// The canonical bytes of a plain JSON value: integers are exact, any other number is a double.
///
/// ```
/// let value = reward_receipts::read(br#"{"b": 1, "a": 1.0}"#)?;
/// assert_eq!(reward_receipts::canonical_bytes(&value), br#"{"a":1.0,"b":1}"#);
/// # Ok::<(), reward_receipts::InvalidDocument>(())
/// ```
#[must_use]
pub fn canonical_bytes(value: &Json<'_>) -> Vec<u8> {
    let mut out = String::new();
    write_plain(&mut out, value);
    out.into_bytes()
}

/// `sha256:` and the lower-case hex of the SHA-256 of bytes.
///
/// ```
/// let digest = reward_receipts::sha256_digest(b"");
/// assert_eq!(digest, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// ```
#[must_use]
pub fn sha256_digest(data: &[u8]) -> String {
    hex_digest(&Sha256::digest(data).into())
}

/// A digest as text.
pub(crate) fn hex_digest(digest: &[u8; 32]) -> String {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(71);
    out.push_str("sha256:");
    for byte in digest {
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
    }
    out
}

/// The members of an object by their names, in the order of code points.
pub(crate) fn sorted<'a, 't>(members: &'a [Member<'t>]) -> Vec<&'a Member<'t>> {
    let mut sorted: Vec<&Member<'t>> = members.iter().collect();
    sorted.sort_unstable_by(|(one, _), (other, _)| one.cmp(other)); // the order of UTF-8 is that of code points
    sorted
}

fn write_plain(out: &mut String, value: &Json<'_>) {
    match &value.value {
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write_plain(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (place, (name, member)) in sorted(members).into_iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write_text(out, name);
                out.push(':');
                write_plain(out, member);
            }
            out.push('}');
        }
        Value::Null => out.push_str("null"),
        Value::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Integer(integer) => write_integer(out, integer),
        Value::Double(double) => write_double(out, *double),
        Value::Text(text) => write_text(out, text),
    }
}

pub(crate) fn write_integer(out: &mut String, integer: &Integer<'_>) {
    match integer {
        Integer::Small(number) => {
            let _ = write!(out, "{number}");
        }
        Integer::Large(digits) => out.push_str(digits),
    }
}

/// The canonical text of a string: JSON in ASCII.
pub(crate) fn write_text(out: &mut String, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    // Without a way out in between, several bytes are looked at in one instruction.
    if text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(character),
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    out.push_str("\\u");
                    for shift in [12, 8, 4, 0] {
                        out.push(char::from(HEX[usize::from(*unit >> shift & 15)]));
                    }
                }
            }
        }
    }
    out.push('"');
}

/// The canonical text of a finite double: the fewest digits that read back to it, the nearest of those, the even one of
/// two that are equally near.
pub(crate) fn write_double(out: &mut String, value: f64) {
    if value == 0.0 {
        out.push_str(if value.is_sign_negative() { "-0.0" } else { "0.0" });
        return;
    }
    if value < 0.0 {
        out.push('-');
    }
    let mut buffer = ryu::Buffer::new();
    // ryu has the digits right, and its own opinion on where the exponent starts: 1e-5, 1.5e16.
    let (digits, exponent) = digits_of(buffer.format_finite(value.abs()));
    let digits = digits.as_str();
    // The value is 0.DIGITS times ten to the power of the exponent.
    let size = value.abs();
    if (1e-4..1e16).contains(&size) {
        let point = usize::try_from(exponent).unwrap_or(0);
        if exponent <= 0 {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', exponent.unsigned_abs() as usize));
            out.push_str(digits);
        } else if digits.len() <= point {
            out.push_str(digits);
            out.extend(std::iter::repeat_n('0', point - digits.len()));
            out.push_str(".0");
        } else {
            out.push_str(&digits[..point]);
            out.push('.');
            out.push_str(&digits[point..]);
        }
        return;
    }
    out.push_str(&digits[..1]);
    if digits.len() > 1 {
        out.push('.');
        out.push_str(&digits[1..]);
    }
    let power = exponent - 1;
    let sign = if power < 0 { '-' } else { '+' };
    let _ = write!(out, "e{sign}{:02}", power.unsigned_abs());
}

/// Up to 17 digits, without a heap.
struct Digits {
    bytes: [u8; 24],
    length: usize,
}

impl Digits {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or("0")
    }
}

/// The digits of a positive number in ryu's form, without zeros around them, and the exponent: 0.DIGITS times ten to it.
fn digits_of(text: &str) -> (Digits, i32) {
    let (mantissa, power) = match text.split_once('e') {
        Some((mantissa, power)) => (mantissa, power.parse().unwrap_or(0)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = Digits { bytes: [0; 24], length: 0 };
    let mut leading = 0;
    for byte in whole.bytes().chain(fraction.bytes()) {
        if digits.length == 0 && byte == b'0' {
            leading += 1;
        } else {
            digits.bytes[digits.length] = byte;
            digits.length += 1;
        }
    }
    while digits.length > 1 && digits.bytes[digits.length - 1] == b'0' {
        digits.length -= 1;
    }
    let whole = i32::try_from(whole.len()).unwrap_or(0);
    (digits, whole - leading + power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64) -> String {
        let mut out = String::new();
        write_double(&mut out, value);
        out
    }

    #[test]
    fn doubles_have_the_shortest_digits() {
        for (value, expected) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.000_123, "0.000123"),
            (1e-5, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e16, "1e+16"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (2_f64.powi(50) + 0.25, "1125899906842624.2"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (123.456, "123.456"),
            (-1_000_000.0, "-1000000.0"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(text(value), expected);
            assert_eq!(text(value).parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
    }
}
