//! Buffers of JSON Lines.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyTuple};
use reward_receipts::bulk::{self, CheckedLine, CheckedLines};
use reward_receipts::direct::{Direct, Member, fields};
use reward_receipts::{Kind, sha256_digest};

use crate::kind_named;

/// A buffer that could change is copied in pieces of this length, so that it is read without the interpreter's lock.
const PIECE: usize = 1024 * 1024;

/// What was found in a buffer of JSON Lines: at most 64 bytes for each line that is not blank.
#[pyclass(frozen, module = "reward_receipts_core")]
pub(crate) struct Checked {
    lines: CheckedLines,
    data: Py<PyAny>,
    first_line: u64,
}

/// Finds each line of a buffer of JSON Lines that is a valid document.
#[pyfunction]
#[pyo3(signature = (data, kind=None, *, threads=1, first_line=1, r#final=true))]
pub(crate) fn check_lines(
    data: &Bound<'_, PyAny>,
    kind: Option<&str>,
    threads: usize,
    first_line: u64,
    r#final: bool,
) -> PyResult<Checked> {
    let kind = kind_named(kind).map_err(|()| PyValueError::new_err("an unknown kind of document"))?;
    checked(data, first_line, r#final, |buffer| bulk::check_lines(buffer, kind, threads))
}

/// The lines of a buffer, judged without the interpreter's lock.
pub(crate) fn checked(
    data: &Bound<'_, PyAny>,
    first_line: u64,
    is_final: bool,
    judge: impl Fn(&[u8]) -> CheckedLines + Sync,
) -> PyResult<Checked> {
    let py = data.py();
    let whole = |buffer: &[u8]| match memchr::memrchr(b'\n', buffer) {
        _ if is_final => buffer.len(),
        Some(end) => end + 1,
        None => 0,
    };
    let lines = if let Ok(bytes) = data.cast_exact::<PyBytes>() {
        let bytes = bytes.as_bytes();
        py.detach(|| judge(&bytes[..whole(bytes)]))
    } else {
        let view = bytes_of(data)?;
        let (mut lines, mut copy) = (CheckedLines::default(), Vec::new());
        let (mut at, end) = (0, view.len()?);
        while at < end {
            copy.extend_from_slice(piece(&view, at, end.min(at + PIECE))?.as_bytes());
            at = end.min(at + PIECE);
            let length = match memchr::memrchr(b'\n', &copy) {
                _ if at == end => whole(&copy),
                Some(end) => end + 1,
                None => continue, // a line that is longer than a piece
            };
            lines.append(py.detach(|| judge(&copy[..length])));
            copy.drain(..length);
        }
        lines
    };
    Ok(Checked { lines, data: data.clone().unbind(), first_line })
}

#[pymethods]
impl Checked {
    fn __len__(&self) -> usize {
        self.lines.len()
    }

    /// How many bytes of the buffer were judged.
    #[getter]
    fn consumed(&self) -> u64 {
        self.lines.consumed()
    }

    /// How many lines there are in these bytes, blank ones too.
    #[getter]
    fn lines(&self) -> u64 {
        self.lines.lines()
    }

    /// How many lines were accepted.
    #[getter]
    fn accepted(&self) -> usize {
        self.lines.accepted()
    }

    /// The indexes of the lines that the package has to judge.
    fn doubts(&self) -> Vec<usize> {
        let doubts = self.lines.iter().enumerate().filter(|(_, line)| line.kind().is_none());
        doubts.map(|(index, _)| index).collect()
    }

    /// The number of a line in the file.
    fn line(&self, index: usize) -> PyResult<u64> {
        Ok((self.get(index)?.number() - 1).saturating_add(self.first_line))
    }

    /// The bytes of a line in the buffer: start and end, without what ends it.
    fn span(&self, index: usize) -> PyResult<(usize, usize)> {
        let range = self.get(index)?.range();
        Ok((range.start, range.end))
    }

    fn is_accepted(&self, index: usize) -> PyResult<bool> {
        Ok(self.get(index)?.kind().is_some())
    }

    /// The kind of an accepted line; None for another.
    fn kind(&self, index: usize) -> PyResult<Option<&'static str>> {
        Ok(self.get(index)?.kind().map(Kind::as_str))
    }

    /// The digest of an accepted line. Raises `ValueError` for another.
    fn digest(&self, index: usize) -> PyResult<String> {
        self.get(index)?.digest().ok_or_else(not_accepted)
    }

    /// The digest of each line that is not blank; None where it was not accepted.
    fn digests(&self) -> Vec<Option<String>> {
        self.lines.iter().map(CheckedLine::digest).collect()
    }

    /// The 32 bytes of each digest, one after the other; zeros where a line was not accepted.
    fn packed_digests<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.lines.len() * 32, |packed| {
            for (room, line) in packed.chunks_exact_mut(32).zip(self.lines.iter()) {
                room.copy_from_slice(line.digest_bytes());
            }
            Ok(())
        })
    }

    /// Members of an accepted receipt, read again. Raises `ValueError` for another line, and if the buffer has changed.
    fn row<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyTuple>> {
        let line = self.get(index)?;
        if line.kind() != Some(Kind::Receipt) {
            return Err(PyValueError::new_err("the line is not an accepted receipt"));
        }
        let data = self.data.bind(py);
        if let Ok(bytes) = data.cast_exact::<PyBytes>() {
            return row(py, &bytes.as_bytes()[line.range()], None);
        }
        let range = line.range();
        row(py, piece(&bytes_of(data)?, range.start, range.end)?.as_bytes(), Some(line))
    }
}

/// A buffer as a memoryview of bytes.
fn bytes_of<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    PyMemoryView::from(data)?.call_method1("cast", ("B",))
}

/// A copy of a part of a memoryview.
fn piece<'py>(view: &Bound<'py, PyAny>, start: usize, end: usize) -> PyResult<Bound<'py, PyBytes>> {
    let slice = view.py().import("builtins")?.getattr("slice")?.call1((start, end))?;
    Ok(view.get_item(slice)?.call_method0("tobytes")?.cast_into::<PyBytes>()?)
}

impl Checked {
    fn get(&self, index: usize) -> PyResult<&CheckedLine> {
        self.lines.get(index).ok_or_else(|| PyIndexError::new_err("there is no such line"))
    }
}

fn not_accepted() -> PyErr {
    PyValueError::new_err("the line was not accepted")
}

fn changed() -> PyErr {
    PyValueError::new_err("the buffer has changed since its lines were judged")
}

/// The members that [`row`] gives, in this order.
const ROW: [&str; 12] = [
    "receipt_id",
    "issuer_key_id",
    "nonce",
    "policy_update",
    "reward_outcome",
    "scalar_reward",
    "certified",
    "development_only",
    "reward_contract_digest",
    "certificate_digest",
    "episode_id",
    "policy_checkpoint_id",
];

fn row<'py>(py: Python<'py>, text: &[u8], line: Option<&CheckedLine>) -> PyResult<Bound<'py, PyTuple>> {
    let found = Direct::decode(text, Some(Kind::Receipt)).ok_or_else(changed)?;
    if line.is_some_and(|line| line.digest() != Some(sha256_digest(found.canonical_text().as_bytes()))) {
        return Err(changed());
    }
    let members: Vec<(&str, Member<'_>, _)> =
        fields(Kind::Receipt).zip(found.members()).map(|(field, member)| (field.name(), member, field)).collect();
    let values = ROW.iter().map(|name| {
        let member = members.iter().find(|(each, ..)| each == name);
        Ok(match member {
            Some((_, Member::Text(text), _)) => text.into_pyobject(py)?.into_any(),
            Some((_, Member::Boolean(value), _)) => value.into_pyobject(py)?.to_owned().into_any(),
            Some((_, Member::Integer(value), _)) => value.into_pyobject(py)?.into_any(),
            Some((_, Member::Double(value), _)) => value.into_pyobject(py)?.into_any(),
            Some((_, Member::Choice(place), field)) => match field.choices().nth(*place) {
                Some(Ok(text)) => text.into_pyobject(py)?.into_any(),
                Some(Err(number)) => number.into_pyobject(py)?.into_any(),
                None => py.None().into_bound(py),
            },
            _ => py.None().into_bound(py),
        })
    });
    PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
}
