//! Text of others as one line of output shows it: no character that a terminal acts on, no command for a CI runner.

use std::fmt::Write as _;

/// A text as one whole line of output.
pub(crate) fn printable_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_printable(character) {
            out.push(character);
        } else {
            match u32::from(character) {
                0x09 => out.push_str("\\t"),
                0x0a => out.push_str("\\n"),
                0x0d => out.push_str("\\r"),
                code @ ..0x100 => escape(&mut out, 'x', 2, code),
                code @ ..0x1_0000 => escape(&mut out, 'u', 4, code),
                code => escape(&mut out, 'U', 8, code),
            }
        }
    }
    let start = out.len() - out.trim_start().len();
    if out[start..].starts_with("::") {
        out.replace_range(start..=start, "\\x3a");
    }
    escape_groups(&out)
}

fn escape(out: &mut String, letter: char, width: usize, code: u32) {
    let _ = write!(out, "\\{letter}{code:0width$x}");
}

/// `##[command]` and `##vso[task]` are found anywhere in a line.
fn escape_groups(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("##") {
        let after = &rest[at + 2..];
        let word = after.trim_start_matches(|character: char| character.is_alphanumeric() || character == '_');
        out.push_str(&rest[..at]);
        out.push_str(if word.starts_with('[') { "\\x23#" } else { "#" });
        // Where it is not a command, the second # may begin one.
        rest = if word.starts_with('[') { after } else { &rest[at + 1..] };
    }
    out.push_str(rest);
    out
}

/// Rust escapes in debug output what has no picture of its own; quotes and marks that combine have one.
fn is_printable(character: char) -> bool {
    matches!(character, ' '..='~')
        || (!character.is_control() && !character.escape_debug().to_string().starts_with("\\u"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_line() {
        assert_eq!(printable_line("a\x1b[31m\n\u{202e}"), "a\\x1b[31m\\n\\u202e");
        assert_eq!(printable_line(" ::error::x"), " \\x3a:error::x");
        assert_eq!(printable_line("###[group]##vso[x]## é"), "#\\x23#[group]\\x23#vso[x]## é");
    }
}
