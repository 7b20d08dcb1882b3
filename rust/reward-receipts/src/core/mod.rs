//! Text, values, their canonical form, and the findings about them.

pub(crate) mod canonical;
pub(crate) mod codes;
pub(crate) mod escaping;
pub(crate) mod findings;
pub(crate) mod redaction;
pub(crate) mod strict_json;
pub(crate) mod value;
