//! A decoded document as the text of the completed one, in canonical form.

use crate::core::canonical::write_double;
use crate::documents::direct::decode::{Decoded, Slot};
use crate::documents::direct::plan::{Object, Plan};

impl Decoded<'_> {
    /// The canonical text of the completed document.
    pub(crate) fn canonical_text(&self) -> String {
        let mut out = String::with_capacity(2048);
        self.write_object(&mut out, self.object, 0);
        out
    }

    fn write_object(&self, out: &mut String, object: &Object, base: usize) {
        out.push('{');
        for (field, slot) in object.fields.iter().zip(&self.slots[base..]) {
            out.push_str(&field.key);
            match slot {
                Slot::Absent => out.push_str(&field.default),
                _ => self.write(out, &field.plan, *slot),
            }
        }
        out.push('}');
    }

    #[inline]
    fn write(&self, out: &mut String, plan: &Plan, slot: Slot<'_>) {
        let plan = if let Plan::Nullable(inner) = plan { inner } else { plan };
        match (slot, plan) {
            (Slot::Text(quoted), _) => out.push_str(quoted), // its form has no character that is escaped
            (Slot::Choice(place), Plan::Choice(choices)) => out.push_str(&choices[usize::from(place)].canonical),
            (Slot::Boolean(true), _) => out.push_str("true"),
            (Slot::Boolean(false), _) => out.push_str("false"),
            (Slot::Integer(_, token), _) => out.push_str(token),
            (Slot::Double(value, token), _) => write_number(out, value, token),
            (Slot::Object(base), Plan::Object(object)) => self.write_object(out, object, base as usize),
            (Slot::Map(place), _) => {
                let mut opening = "{\"";
                for (name, value) in &self.maps[place as usize] {
                    out.push_str(opening);
                    opening = ",\"";
                    out.push_str(name);
                    out.push_str("\":");
                    self.write(out, plan, *value);
                }
                out.push_str(if opening == "{\"" { "{}" } else { "}" });
            }
            (Slot::Array(place), Plan::Array { item, .. }) => {
                let mut opening = '[';
                for value in &self.arrays[place as usize] {
                    out.push(opening);
                    opening = ',';
                    self.write(out, item, *value);
                }
                out.push_str(if opening == '[' { "[]" } else { "]" });
            }
            (Slot::Null | Slot::Absent, _) => out.push_str("null"),
            (Slot::Choice(_) | Slot::Object(_) | Slot::Array(_), _) => {} // no plan has read one as another
        }
    }
}

/// A double in canonical form. A token that is in it already is taken over.
fn write_number(out: &mut String, value: f64, token: &str) {
    if is_canonical(token.as_bytes()) { out.push_str(token) } else { write_double(out, value) }
}

/// Whether the token of a number surely is the canonical text of its double: at most 15 digits, which any double gives
/// back, a point among them, and no zero that could be left out.
fn is_canonical(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    if digits.len() > 16 {
        return false;
    }
    let Some(point) = digits.iter().position(|byte| *byte == b'.') else { return false };
    let (whole, fraction) = (&digits[..point], &digits[point + 1..]);
    if !fraction.iter().all(u8::is_ascii_digit) {
        return false; // an exponent
    }
    match (fraction, whole) {
        // 0.0001 is the smallest that is written with a point; the sign of -0.0 is kept.
        ([b'0'], _) => true,
        ([.., b'0'] | [], _) => false,
        (_, [b'0']) => !fraction.starts_with(b"0000"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_is_taken_over_is_what_would_be_written() {
        let tokens =
            ["1.0", "0.5", "-0.0", "0.0001", "123.456", "0.00010", "0.00001", "1.50", "1e5", "12", "0.1234567890123"];
        for token in tokens {
            let value: f64 = token.parse().unwrap();
            let (mut taken, mut written) = (String::new(), String::new());
            write_number(&mut taken, value, token);
            write_double(&mut written, value);
            assert_eq!(taken, written, "{token}");
        }
        assert!(
            is_canonical(b"0.0001") && is_canonical(b"-250.75") && !is_canonical(b"0.00001") && !is_canonical(b"1.50")
        );
    }
}
