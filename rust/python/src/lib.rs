//! The Python extension `reward_receipts_core`: it decides quickly about good documents, and about nothing else. Whatever
//! it does not accept, the Python package judges again and gives the message.

use pyo3::prelude::*;
use reward_receipts::{Kind, read_document};

/// What is accepted: the kind, the canonical text and the digest.
type Accepted = (&'static str, String, String);

/// From this length on a text is read without the interpreter's lock.
const LONG: usize = 16 * 1024;

#[pymodule]
mod reward_receipts_core {
    #[pymodule_export]
    use super::accept;

    /// The version of the package that uses this extension.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

/// The kind, canonical text and digest of the document in a text; None for what is not accepted.
#[pyfunction]
#[pyo3(signature = (text, kind=None))]
fn accept(py: Python<'_>, text: &[u8], kind: Option<&str>) -> Option<Accepted> {
    let kind: Option<Kind> = match kind {
        Some(kind) => Some(kind.parse().ok()?),
        None => None,
    };
    if text.len() < LONG { accepted(text, kind) } else { py.detach(|| accepted(text, kind)) }
}

fn accepted(text: &[u8], kind: Option<Kind>) -> Option<Accepted> {
    let document = read_document(text, kind).ok()?;
    Some((document.kind().as_str(), document.canonical_text().to_owned(), document.digest().to_owned()))
}
