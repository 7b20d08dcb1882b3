//! The sentences of codes, with their values filled in.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

pub use crate::generated::codes::{Code, Layer};

use crate::core::canonical::write_double;
use crate::core::redaction::redacted_words;
use crate::generated::codes::{CODES, Entry};

/// A sentence that also carries its code: why a reward is not certified (synthetic), say.
///
/// ```
/// use reward_receipts::{CodedSentence, certificate_state};
///
/// fn shown(refusals: &[CodedSentence]) -> Vec<String> {
///     refusals.iter().map(|refusal| format!("{}: {refusal}", refusal.code)).collect()
/// }
/// assert!(shown(&[]).is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodedSentence {
    /// The code.
    pub code: Code,
    /// What it says, with the values.
    pub sentence: String,
}

impl fmt::Display for CodedSentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// A value that a sentence names.
#[derive(Clone, Copy)]
pub(crate) enum Given<'g> {
    Text(&'g str),
    Number(u64),
    Double(f64),
}

impl Code {
    fn entry(self) -> &'static Entry {
        &CODES[self as usize]
    }

    /// The id, which never changes.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Code::SchemaType.id(), "schema.type");
    /// ```
    #[must_use]
    pub fn id(self) -> &'static str {
        self.entry().id
    }

    /// The code with an id.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Code::from_id("no such id"), None);
    /// ```
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        CODES.iter().find(|entry| entry.id == id).map(|entry| entry.code)
    }

    /// Where it is decided.
    ///
    /// ```
    /// use reward_receipts::{Code, Layer};
    ///
    /// assert_eq!(Code::JsonBom.layer(), Layer::Text);
    /// ```
    #[must_use]
    pub fn layer(self) -> Layer {
        self.entry().layer
    }

    /// What it says; `{name}` stands for a value that a message names.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Code::CertificateAbsent.sentence(), "No certificate was presented.");
    /// ```
    #[must_use]
    pub fn sentence(self) -> &'static str {
        self.entry().sentence
    }

    /// What the reader of a message can do; empty where the sentence says it.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Code::JsonUtf8.fix(), "Save the text as UTF-8.");
    /// ```
    #[must_use]
    pub fn fix(self) -> &'static str {
        self.entry().fix
    }

    /// The member of the receipt that an audit's finding points to; empty where no audit has the code.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Code::SignatureInvalid.field(), "signature");
    /// ```
    #[must_use]
    pub fn field(self) -> &'static str {
        self.entry().field
    }

    /// The sentence with its values. A word of theirs that could be a private key is not quoted.
    pub(crate) fn sentence_with(self, values: &[(&str, Given<'_>)]) -> String {
        filled(self.sentence(), values, redacted_words)
    }

    /// What a message says of a document that breaks the rule: the rule's sentence, then what was found.
    pub(crate) fn broken(self, values: &[(&str, Given<'_>)]) -> String {
        format!("{} {}", self.sentence(), text_with(self.entry().found, values))
    }

    /// The same as `sentence_with`, with the code.
    pub(crate) fn with(self, values: &[(&str, Given<'_>)]) -> CodedSentence {
        CodedSentence { code: self, sentence: self.sentence_with(values) }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A template with its values, as they are.
pub(crate) fn text_with(template: &str, values: &[(&str, Given<'_>)]) -> String {
    filled(template, values, Cow::Borrowed)
}

fn filled<'v>(template: &str, values: &[(&str, Given<'v>)], quoted: impl Fn(&'v str) -> Cow<'v, str>) -> String {
    let mut out = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, following) = after.split_once('}').unwrap_or((after, ""));
        match values.iter().find(|(each, _)| *each == name).map(|(_, value)| *value) {
            Some(Given::Text(text)) => out.push_str(&quoted(text)),
            Some(Given::Number(number)) => {
                let _ = write!(out, "{number}");
            }
            Some(Given::Double(double)) => write_double(&mut out, double),
            None => debug_assert!(false, "no value was given for {name}"),
        }
        rest = following;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_the_place_of_its_code() {
        for entry in &CODES {
            assert_eq!(entry.code.id(), entry.id);
            assert_eq!(Code::from_id(entry.id), Some(entry.code));
        }
    }
}
