//! The Python extension `reward_receipts_core`: it decides quickly about good documents, and about nothing else.
//! Whatever it does not accept, the Python package checks again and gives the message.

mod audits;
mod lines;
mod models;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use reward_receipts::direct::Direct;
use reward_receipts::{Kind, sha256_digest};

/// From this length on a text is read without the interpreter's lock.
const LONG: usize = 16 * 1024;

#[pymodule]
mod reward_receipts_core {
    #[pymodule_export]
    use super::audits::{Auditor, VerifyingKey};
    #[pymodule_export]
    use super::lines::{Checked, check_lines};
    #[pymodule_export]
    use super::models::Models;
    #[pymodule_export]
    use super::{accept, kind_of};

    /// The version of the package that uses this extension.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The members that `Checked.row` gives; the package knows them too, and refuses an extension with others.
    #[pymodule_export]
    const ROW: [&str; 12] = super::lines::ROW;

    /// The members that `Checked.shapes` groups by; as `ROW`.
    #[pymodule_export]
    const SHAPE: [&str; 10] = super::lines::SHAPE;
}

/// The bytes of a text; `None` for what is neither bytes nor a str that UTF-8 has.
fn text_of<'a>(data: &'a Bound<'_, PyAny>) -> Option<&'a [u8]> {
    if let Ok(bytes) = data.cast_exact::<PyBytes>() {
        Some(bytes.as_bytes())
    } else {
        data.cast_exact::<PyString>().ok()?.to_str().ok().map(str::as_bytes)
    }
}

/// A kind by its name: `Err` for a name that is none.
fn kind_named(name: Option<&str>) -> Result<Option<Kind>, ()> {
    name.map(str::parse).transpose().map_err(|_| ())
}

/// What is made of a text; of a long one without the interpreter's lock.
fn read<T: Send>(py: Python<'_>, text: &[u8], make: impl FnOnce(&[u8]) -> T + Send) -> T {
    if text.len() < LONG { make(text) } else { py.detach(|| make(text)) }
}

/// The kind of the valid document in a text; None for what is not accepted.
#[pyfunction]
#[pyo3(signature = (text, kind=None))]
fn kind_of(text: &Bound<'_, PyAny>, kind: Option<&str>) -> Option<&'static str> {
    let kind = kind_named(kind).ok()?;
    read(text.py(), text_of(text)?, |text| Direct::decode(text, kind).map(|found| found.kind().as_str()))
}

/// The kind, canonical text and digest of the document in a text; None for what is not accepted.
#[pyfunction]
#[pyo3(signature = (text, kind=None))]
fn accept(text: &Bound<'_, PyAny>, kind: Option<&str>) -> Option<(&'static str, String, String)> {
    let kind = kind_named(kind).ok()?;
    read(text.py(), text_of(text)?, |text| {
        let found = Direct::decode(text, kind)?;
        let canonical = found.canonical_text();
        let digest = sha256_digest(canonical.as_bytes());
        Some((found.kind().as_str(), canonical, digest))
    })
}
