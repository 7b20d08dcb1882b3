//! Rules of contracts and certificates that JSON Schema cannot say. Each looks only where the shape is right: what is
//! not is another finding.

use crate::core::codes::{Code, Given};
use crate::core::findings::{Finding, Path, shown_text};
use crate::core::value::{Integer, Json, Value};
use crate::generated::tables::{MAX_FINDINGS, MAX_POLICY_UPDATE};
use crate::validation::check::repeated;

/// No component of a contract is named twice.
pub(crate) fn component_names_unique(contract: &Json<'_>, found: &mut Vec<Finding>) {
    let components = Path::Name(&Path::Root, "components");
    let items = contract.get("components").and_then(Json::items).unwrap_or_default();
    let names = items.iter().enumerate().filter_map(|(index, item)| {
        let name = item.get("name")?;
        name.as_str().map(|text| (index, text))
    });
    for (first, index, name) in repeated(names).take(MAX_FINDINGS) {
        let shown = shown_text(name);
        let at = items[index].get("name").map_or(0, |name| name.at);
        let item = Path::Index(&components, index);
        let code = Code::ContractComponentNamesUnique;
        let sentence = code.broken(&[("name", Given::Text(&shown)), ("first", Given::Number(first as u64))]);
        found.push(Finding::new(code, sentence, &Path::Name(&item, "name"), at));
    }
}

/// The update at which a certificate expires is one.
pub(crate) fn expiry_fits(certificate: &Json<'_>, found: &mut Vec<Finding>) {
    const MEMBER: &str = "expiry_policy_updates";
    let (Some(issued), Some(updates)) = (certificate.get("issued_at_policy_update"), certificate.get(MEMBER)) else {
        return;
    };
    let (Some(first), Some(second)) = (whole(issued), whole(updates)) else { return };
    let sum = sum(&first, &second);
    if is_above(&sum, MAX_POLICY_UPDATE) {
        let code = Code::CertificateExpiryFits;
        let values = [("issued", &first), ("updates", &second), ("sum", &sum)];
        let sentence = code.broken(&values.map(|(name, digits)| (name, Given::Text(digits))));
        found.push(Finding::new(code, sentence, &Path::Name(&Path::Root, MEMBER), updates.at));
    }
}

/// The digits of an integer; a whole double is one.
fn whole(value: &Json<'_>) -> Option<String> {
    match &value.value {
        Value::Integer(Integer::Small(number)) => Some(number.to_string()),
        Value::Integer(Integer::Large(digits)) => Some(digits.to_string()),
        Value::Double(double) if double.trunc() == *double => Some(format!("{:.0}", double + 0.0)),
        _ => None,
    }
}

/// The sum of two integers of any size, in digits: the shape may be wrong, and still the rule says what it says.
fn sum(one: &str, other: &str) -> String {
    match (one.strip_prefix('-'), other.strip_prefix('-')) {
        (None, None) => added(one, other),
        (Some(one), Some(other)) => format!("-{}", added(one, other)),
        (None, Some(negative)) => difference(one, negative),
        (Some(negative), None) => difference(other, negative),
    }
}

fn added(one: &str, other: &str) -> String {
    let mut digits = Vec::with_capacity(one.len().max(other.len()) + 1);
    let mut carried = 0;
    let (mut one, mut other) = (one.bytes().rev(), other.bytes().rev());
    loop {
        let pair = (one.next(), other.next());
        if pair == (None, None) {
            break;
        }
        let digit = |byte: Option<u8>| byte.map_or(0, |byte| byte - b'0');
        let sum = digit(pair.0) + digit(pair.1) + carried;
        digits.push(b'0' + sum % 10);
        carried = sum / 10;
    }
    if carried > 0 {
        digits.push(b'0' + carried);
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}

/// A minus B, both not negative.
fn difference(a: &str, b: &str) -> String {
    let is_negative = (a.len(), a) < (b.len(), b);
    let (large, small) = if is_negative { (b, a) } else { (a, b) };
    let mut digits = Vec::with_capacity(large.len());
    let mut borrowed = 0;
    let mut small = small.bytes().rev();
    for byte in large.bytes().rev() {
        let taken = small.next().map_or(0, |byte| byte - b'0') + borrowed;
        let digit = byte - b'0';
        borrowed = u8::from(digit < taken);
        digits.push(b'0' + digit + 10 * borrowed - taken);
    }
    let text: String = digits.iter().rev().map(|digit| char::from(*digit)).collect();
    let text = text.trim_start_matches('0');
    match (text.is_empty(), is_negative) {
        (true, _) => "0".to_owned(),
        (false, true) => format!("-{text}"),
        (false, false) => text.to_owned(),
    }
}

fn is_above(digits: &str, bound: u64) -> bool {
    match digits.parse::<u64>() {
        Ok(number) => number > bound,
        Err(_) => !digits.starts_with('-'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_digits() {
        for (one, other, expected) in [
            ("1", "999", "1000"),
            ("-1", "1", "0"),
            ("1000", "-1", "999"),
            ("-1000", "1", "-999"),
            ("-5", "-7", "-12"),
            ("100000000000000000000", "-99999999999999999999", "1"),
        ] {
            assert_eq!(sum(one, other), expected);
        }
    }
}
