//! Buffers of JSON Lines.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

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

/// The lines of a buffer, checked without the interpreter's lock.
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

    /// How many bytes of the buffer were checked.
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

    /// The indexes of the lines that the package has to check.
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

    /// The accepted receipts in groups that have the members of [`SHAPE`] in common: for each group these members, and
    /// its receipts by their place among the accepted ones, 4 bytes each. Then of each accepted receipt, in order, 16
    /// bytes of the digest of its `receipt_id` and 16 of that of its `issuer_key_id` and nonce, both after `key`; and
    /// the number of its line, 8 bytes. Integers have the order of this machine.
    ///
    /// Only of bytes. Raises `ValueError` for another buffer.
    fn shapes<'py>(&self, py: Python<'py>, key: &[u8]) -> PyResult<Shapes<'py>> {
        let data = self.data.bind(py).cast_exact::<PyBytes>();
        let data = data.map_err(|_| PyValueError::new_err("shapes are made of bytes only"))?.as_bytes();
        let names: Vec<&str> = fields(Kind::Receipt).map(|field| field.name()).collect();
        let place = |name: &str| names.iter().position(|each| *each == name).ok_or_else(changed);
        let wanted = SHAPE.iter().map(|name| place(name)).collect::<PyResult<Vec<_>>>()?;
        let ids = [place("receipt_id")?, place("issuer_key_id")?, place("nonce")?];
        let mut groups: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut found: Vec<(usize, Vec<u8>)> = Vec::new();
        let mut digests = Vec::with_capacity(self.lines.accepted() * 32);
        let mut numbers = Vec::with_capacity(self.lines.accepted() * 8);
        let (mut shape, mut text) = (Vec::new(), Vec::new());
        for (index, line) in self.lines.iter().enumerate() {
            if line.kind() != Some(Kind::Receipt) {
                continue;
            }
            let receipt = Direct::decode(&data[line.range()], Some(Kind::Receipt)).ok_or_else(changed)?;
            let members: Vec<Member<'_>> = receipt.members().collect();
            shape.clear();
            for place in &wanted {
                push(&mut shape, &members[*place]);
            }
            text.clear();
            text.extend_from_slice(key);
            push_text(&mut text, &members[ids[0]]);
            push_digest(&mut digests, &text);
            text.truncate(key.len());
            push_text(&mut text, &members[ids[1]]);
            text.push(b' ');
            push_text(&mut text, &members[ids[2]]);
            push_digest(&mut digests, &text);
            let number = u32::try_from(numbers.len() / 8).map_err(|_| PyValueError::new_err("too many lines"))?;
            numbers.extend_from_slice(&self.line(index)?.to_ne_bytes());
            let group = match groups.entry(shape.clone()) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    found.push((index, Vec::new()));
                    *new.insert(found.len() - 1)
                }
            };
            found[group].1.extend_from_slice(&number.to_ne_bytes());
        }
        let shapes = found.iter().map(|(first, lines)| {
            let text = &data[self.get(*first)?.range()];
            Ok((members_of(py, text, None, &SHAPE)?, PyBytes::new(py, lines)))
        });
        let shapes = shapes.collect::<PyResult<Vec<_>>>()?;
        Ok((shapes, PyBytes::new(py, &digests), PyBytes::new(py, &numbers)))
    }
}

/// The groups, the keys and the lines of [`Checked::shapes`].
type Shapes<'py> = (Vec<(Bound<'py, PyTuple>, Bound<'py, PyBytes>)>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// The members that [`Checked::shapes`] groups by, in this order.
pub(crate) const SHAPE: [&str; 10] = [
    "reward_contract_digest",
    "certificate_digest",
    "policy_update",
    "oracle_tier",
    "certificate_state",
    "reward_outcome",
    "scalar_reward",
    "certified",
    "development_only",
    "issuer_key_id",
];

/// A member as bytes: two that differ give bytes that differ, whatever follows.
fn push(out: &mut Vec<u8>, member: &Member<'_>) {
    match member {
        Member::Text(text) => {
            out.extend_from_slice(&text.len().to_ne_bytes());
            out.extend_from_slice(text.as_bytes());
        }
        Member::Integer(value) => out.extend_from_slice(&value.to_ne_bytes()),
        Member::Double(value) => out.extend_from_slice(&value.to_bits().to_ne_bytes()),
        Member::Boolean(value) => out.push(u8::from(*value)),
        Member::Choice(place) => out.extend_from_slice(&place.to_ne_bytes()),
        _ => out.push(u8::MAX),
    }
}

fn push_text(out: &mut Vec<u8>, member: &Member<'_>) {
    if let Member::Text(text) = member {
        out.extend_from_slice(text.as_bytes());
    }
}

/// The first 16 bytes of the digest of some bytes.
fn push_digest(out: &mut Vec<u8>, text: &[u8]) {
    let digest = sha256_digest(text);
    let digits = &digest.as_bytes()["sha256:".len()..][..32];
    let value = |digit: u8| if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 };
    out.extend(digits.chunks_exact(2).map(|pair| value(pair[0]) << 4 | value(pair[1])));
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
    PyValueError::new_err("the buffer has changed since its lines were checked")
}

/// The members that [`row`] gives, in this order.
pub(crate) const ROW: [&str; 12] = [
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
    members_of(py, text, line, &ROW)
}

/// Members of a receipt, by their names.
fn members_of<'py>(
    py: Python<'py>,
    text: &[u8],
    line: Option<&CheckedLine>,
    names: &[&str],
) -> PyResult<Bound<'py, PyTuple>> {
    let found = Direct::decode(text, Some(Kind::Receipt)).ok_or_else(changed)?;
    if line.is_some_and(|line| line.digest() != Some(sha256_digest(found.canonical_text().as_bytes()))) {
        return Err(changed());
    }
    let members: Vec<(&str, Member<'_>, _)> =
        fields(Kind::Receipt).zip(found.members()).map(|(field, member)| (field.name(), member, field)).collect();
    let values = names.iter().map(|name| {
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
