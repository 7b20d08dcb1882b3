//! What is wrong with a document, and where.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::core::canonical::{write_double, write_text};
use crate::core::codes::Code;
use crate::core::escaping::printable_line;
use crate::core::redaction::{could_be_key, redacted};
use crate::core::strict_json::places_of;
use crate::core::value::{Integer, Json, NOWHERE, Value};
use crate::generated::tables::MAX_SHOWN;

/// One thing that is wrong with one document.
///
/// ```
/// let refused = reward_receipts::read(b"[1,]").unwrap_err();
/// let finding = &refused.findings()[0];
/// assert_eq!(finding.code.id(), "json.syntax");
/// assert_eq!((finding.line, finding.column), (Some(1), Some(4)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule or code.
    pub code: Code,
    /// What is wrong, with the values.
    pub sentence: String,
    /// The place in the document as a JSON pointer (RFC 6901); the document itself is `""`. A name that could be a
    /// private key is not quoted.
    pub pointer: String,
    /// The line in the text, from 1; `None` where the document did not come from text.
    pub line: Option<u32>,
    /// The column in characters, from 1; `None` where the document did not come from text.
    pub column: Option<u32>,
    /// The offset in the text.
    pub(crate) at: u32,
}

/// A place in a JSON value, as a chain from the place inside to the whole.
#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Name(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl Path<'_> {
    pub(crate) fn pointer(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Name(above, name) => {
                above.write(out);
                write_step(out, name);
            }
            Self::Index(above, index) => {
                above.write(out);
                let _ = write!(out, "/{index}");
            }
        }
    }
}

/// A member name as a step of a pointer; one that could be a private key is not quoted.
pub(crate) fn write_step(out: &mut String, name: &str) {
    out.push('/');
    for character in redacted(name).chars() {
        match character {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            other => out.push(other),
        }
    }
}

impl Finding {
    pub(crate) fn new(code: Code, sentence: String, path: &Path<'_>, at: u32) -> Self {
        Self { code, sentence, pointer: path.pointer(), line: None, column: None, at }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        if let (Some(number), Some(column)) = (self.line, self.column) {
            let _ = write!(line, "{number}:{column} ");
        }
        let pointer = if self.pointer.is_empty() { "(document)" } else { &self.pointer };
        let _ = write!(line, "{pointer} {} {}", self.code, self.sentence);
        f.write_str(&printable_line(&line))
    }
}

/// A document, or the text of one, was refused; the findings say why.
///
/// ```
/// use reward_receipts::{Kind, read_document};
///
/// let refused = read_document(b"{}", Some(Kind::Contract)).unwrap_err();
/// assert_eq!(refused.findings().len(), 11);
/// assert_eq!(refused.findings()[0].code.id(), "schema.required");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidDocument {
    findings: Box<[Finding]>,
}

impl InvalidDocument {
    /// `findings` has at least one.
    pub(crate) fn new(findings: Vec<Finding>) -> Self {
        debug_assert!(!findings.is_empty());
        Self { findings: findings.into() }
    }

    /// What is wrong: at least one finding, in the order text, schema, rules, pointer.
    ///
    /// ```
    /// let refused = reward_receipts::read(b"\"").unwrap_err();
    /// assert_eq!(refused.findings()[0].to_string().split(' ').nth(2), Some("json.syntax"));
    /// ```
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The same, with line and column in the text that was read.
    pub(crate) fn placed(mut self, text: &str) -> Self {
        place(&mut self.findings, text);
        self
    }
}

fn place(findings: &mut [Finding], text: &str) {
    let mut places: Vec<usize> = (0..findings.len()).filter(|each| findings[*each].at != NOWHERE).collect();
    places.sort_unstable_by_key(|each| findings[*each].at);
    let offsets = places.iter().map(|each| findings[*each].at as usize);
    let found = places_of(text, offsets);
    for (each, (line, column)) in places.into_iter().zip(found) {
        findings[each].line = Some(line);
        findings[each].column = Some(column);
    }
}

impl From<Finding> for InvalidDocument {
    fn from(finding: Finding) -> Self {
        Self { findings: Box::new([finding]) }
    }
}

impl fmt::Display for InvalidDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, finding) in self.findings.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidDocument {}

/// Characters after those that are shown that can belong to a key which begins in them.
const LONGEST_KEY: usize = 200;
/// So many decide whether something could be a key.
const LOOKED_AT: usize = MAX_SHOWN + LONGEST_KEY;

/// A value as a message quotes it: JSON on one line, in ASCII, cut to 80 characters. What could be a private key is not
/// quoted; its length is.
pub(crate) fn shown(value: &Json<'_>) -> String {
    if let Value::Text(text) = &value.value {
        return shown_text(text);
    }
    let mut out = String::new();
    write_beginning(&mut out, value);
    let length = out.len();
    cut(out, length)
}

/// A text as a message quotes it.
pub(crate) fn shown_text(text: &str) -> String {
    let (beginning, length) = match text.char_indices().nth(LOOKED_AT) {
        Some((end, _)) => (&text[..end], text.chars().count()),
        None => (text, text.chars().count()),
    };
    let mut out = String::with_capacity(beginning.len() + 2);
    write_text(&mut out, beginning);
    cut(out, length)
}

/// Spelt in ASCII, so that bytes are characters; `length` is that of what was spelt.
fn cut(mut spelt: String, length: usize) -> String {
    if could_be_key(&spelt[..spelt.len().min(LOOKED_AT)]) {
        return format!("({length} characters that could be a key)");
    }
    if spelt.len() > MAX_SHOWN {
        spelt.truncate(MAX_SHOWN - 3);
        spelt.push_str("...");
    }
    spelt
}

/// The JSON of a value, with spaces after commas and colons; of a long one the part that is looked at. It stops between
/// tokens, as Python's encoder gives them: the length of what could be a key is that of the part.
fn write_beginning(out: &mut String, value: &Json<'_>) -> bool {
    match &value.value {
        Value::Array(items) => {
            if items.is_empty() {
                out.push_str("[]");
                return out.len() <= LOOKED_AT;
            }
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place == 0 { "[" } else { ", " });
                let nested = matches!(item.value, Value::Array(_) | Value::Object(_));
                if (nested && out.len() > LOOKED_AT) || !write_beginning(out, item) {
                    return false;
                }
            }
            out.push(']');
        }
        Value::Object(members) => {
            if members.is_empty() {
                out.push_str("{}");
                return out.len() <= LOOKED_AT;
            }
            for (place, (name, member)) in members.iter().enumerate() {
                out.push_str(if place == 0 { "{" } else { ", " });
                if out.len() > LOOKED_AT {
                    return false;
                }
                write_text(out, name);
                if out.len() > LOOKED_AT {
                    return false;
                }
                out.push_str(": ");
                if out.len() > LOOKED_AT || !write_beginning(out, member) {
                    return false;
                }
            }
            out.push('}');
        }
        Value::Text(text) => write_text(out, text),
        Value::Null => out.push_str("null"),
        Value::Boolean(true) => out.push_str("true"),
        Value::Boolean(false) => out.push_str("false"),
        Value::Integer(Integer::Small(number)) => {
            let _ = write!(out, "{number}");
        }
        Value::Integer(Integer::Large(digits)) => out.push_str(digits),
        Value::Double(double) => write_double(out, *double),
    }
    out.len() <= LOOKED_AT
}

/// The first characters of a text.
pub(crate) fn first_characters(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// How a member, or the document, is named in a sentence.
pub(crate) fn name_of<'p>(path: &Path<'p>) -> Cow<'p, str> {
    match path {
        Path::Root => Cow::Borrowed("the document"),
        Path::Index(_, index) => Cow::Owned(index.to_string()),
        Path::Name(_, name) => {
            let name = redacted(name);
            if name.len() <= MAX_SHOWN || name.chars().count() <= MAX_SHOWN {
                return name;
            }
            Cow::Owned(format!("{}...", first_characters(&name, MAX_SHOWN - 3)))
        }
    }
}
