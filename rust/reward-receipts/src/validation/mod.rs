//! Whether a value is a document: the schemas, and the rules that they cannot say.

pub(crate) mod check;
pub(crate) mod document_rules;
pub(crate) mod schemas;
pub(crate) mod sentences;
pub(crate) mod spec_rules;
