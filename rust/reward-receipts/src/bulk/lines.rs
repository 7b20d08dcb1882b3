//! The lines of a buffer, checked one by one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest as _, Sha256};

use crate::core::canonical::hex_digest;
use crate::documents::direct::decode::decode;
use crate::documents::kind::Kind;

/// A line that is not blank.
///
/// ```
/// use reward_receipts::{Kind, bulk, samples};
///
/// let text = samples::receipt().canonical_text().to_owned();
/// let lines = bulk::check_lines(text.as_bytes(), Some(Kind::Receipt), 1);
/// let line = lines.get(0).ok_or("a line")?;
/// assert_eq!((line.number(), line.kind()), (1, Some(Kind::Receipt)));
/// assert_eq!(line.digest(), Some(samples::receipt().digest().to_owned()));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedLine {
    start: u64,
    number: u64,
    length: u32,
    kind: Option<Kind>,
    digest: [u8; 32],
}

impl CheckedLine {
    /// The bytes of the line in the buffer, without what ends it.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"\n{}\n", None, 1).get(0).map(|line| line.range()), Some(1..3));
    /// ```
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // it is an offset into a buffer
    pub const fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.length as usize
    }

    /// The number of the line, from 1, blank ones counted.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"\n{}\n", None, 1).get(0).map(|line| line.number()), Some(2));
    /// ```
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The kind of the document, if the line was accepted.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"{}", None, 1).get(0).and_then(|line| line.kind()), None);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// The digest of the document, if the line was accepted.
    ///
    /// ```
    /// assert!(reward_receipts::bulk::check_lines(b"{}", None, 1).get(0).and_then(|line| line.digest()).is_none());
    /// ```
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        self.kind.map(|_| hex_digest(&self.digest))
    }

    /// The 32 bytes of the digest; zeros if the line was not accepted.
    ///
    /// ```
    /// let lines = reward_receipts::bulk::check_lines(b"{}", None, 1);
    /// assert_eq!(lines.get(0).map(|line| *line.digest_bytes()), Some([0; 32]));
    /// ```
    #[must_use]
    pub const fn digest_bytes(&self) -> &[u8; 32] {
        &self.digest
    }
}

/// The lines of a buffer that are not blank, in their order.
///
/// ```
/// let lines = reward_receipts::bulk::check_lines(b"{}\n\n{}\n", None, 1);
/// assert_eq!((lines.len(), lines.accepted(), lines.lines()), (2, 0, 3));
/// ```
#[derive(Debug, Clone, Default)]
pub struct CheckedLines {
    pieces: Vec<Piece>,
    length: usize,
    accepted: usize,
    lines: u64,
    consumed: u64,
}

#[derive(Debug, Clone, Default)]
struct Piece {
    /// The index of its first line.
    first: usize,
    lines: Vec<CheckedLine>,
    /// Lines that end in it, blank ones too.
    ends: u64,
}

impl CheckedLines {
    /// How many lines are not blank.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"{}\n \n", None, 1).len(), 1);
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether all lines are blank.
    ///
    /// ```
    /// assert!(reward_receipts::bulk::check_lines(b"\n", None, 1).is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many lines were accepted.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"{}", None, 1).accepted(), 0);
    /// ```
    #[must_use]
    pub const fn accepted(&self) -> usize {
        self.accepted
    }

    /// How many lines there are, blank ones too.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"\n\n{}", None, 1).lines(), 3);
    /// ```
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// How many bytes were checked.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"{}\n{", None, 1).consumed(), 4);
    /// ```
    #[must_use]
    pub const fn consumed(&self) -> u64 {
        self.consumed
    }

    /// A line that is not blank, by its index.
    ///
    /// ```
    /// assert!(reward_receipts::bulk::check_lines(b"{}", None, 1).get(1).is_none());
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&CheckedLine> {
        let piece = &self.pieces[self.pieces.partition_point(|piece| piece.first <= index).checked_sub(1)?];
        piece.lines.get(index - piece.first)
    }

    /// The lines that are not blank.
    ///
    /// ```
    /// assert_eq!(reward_receipts::bulk::check_lines(b"{}\n{}", None, 1).iter().count(), 2);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &CheckedLine> {
        self.pieces.iter().flat_map(|piece| &piece.lines)
    }

    /// Adds the lines of the buffer that follows.
    ///
    /// ```
    /// let mut lines = reward_receipts::bulk::check_lines(b"{}\n", None, 1);
    /// lines.append(reward_receipts::bulk::check_lines(b"{}", None, 1));
    /// assert_eq!(lines.get(1).map(|line| (line.number(), line.range())), Some((2, 3..5)));
    /// ```
    pub fn append(&mut self, other: Self) {
        for piece in other.pieces {
            self.push(piece, self.consumed, self.lines);
        }
        self.lines += other.lines;
        self.consumed += other.consumed;
    }

    fn push(&mut self, mut piece: Piece, start: u64, number: u64) {
        piece.first = self.length;
        for line in &mut piece.lines {
            line.start += start;
            line.number += number;
        }
        self.length += piece.lines.len();
        self.accepted += piece.lines.iter().filter(|line| line.kind.is_some()).count();
        if !piece.lines.is_empty() {
            self.pieces.push(piece);
        }
    }
}

/// What was found in a text: its kind and the digest.
pub(crate) type Accepted = (Kind, [u8; 32]);

/// Decides about texts, several at once.
pub(crate) trait Judge: Sync {
    /// Adds what each text is: `None` where the general way has to look.
    fn judge(&self, texts: &[&[u8]], found: &mut Vec<Option<Accepted>>);
}

/// So many texts are checked at once.
const GROUP: usize = 32;

/// A thread takes about so many bytes at once.
const PIECE: usize = 256 * 1024;

/// Checks each line of a buffer of JSON Lines as a document, by text, schema and rules, on some threads.
///
/// Lines end at LF, and blank ones are skipped. Without a kind a document has to name it.
///
/// ```
/// use reward_receipts::{bulk, samples};
///
/// let text = format!("{}\n\n[]\n", samples::contract().canonical_text());
/// let lines = bulk::check_lines(text.as_bytes(), None, 2);
/// let kinds: Vec<_> = lines.iter().map(|line| line.kind().map(|kind| kind.as_str())).collect();
/// assert_eq!(kinds, [Some("contract"), None]);
/// ```
#[must_use]
pub fn check_lines(buffer: &[u8], kind: Option<Kind>, threads: usize) -> CheckedLines {
    judge_lines(buffer, threads, &Documents(kind))
}

struct Documents(Option<Kind>);

impl Judge for Documents {
    fn judge(&self, texts: &[&[u8]], found: &mut Vec<Option<Accepted>>) {
        found.extend(texts.iter().map(|text| {
            let decoded = decode(text, self.0)?;
            Some((decoded.kind, digest_of(&decoded.canonical_text())))
        }));
    }
}

pub(crate) fn digest_of(canonical: &str) -> [u8; 32] {
    Sha256::digest(canonical).into()
}

pub(crate) fn judge_lines(buffer: &[u8], threads: usize, judge: &dyn Judge) -> CheckedLines {
    let starts = piece_starts(buffer);
    let pieces: Mutex<Vec<Option<Piece>>> = Mutex::new(vec![None; starts.len() - 1]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(&[start, end]) = starts.get(place..place + 2) else { break };
            let piece = piece(&buffer[start..end], judge);
            if let Ok(mut pieces) = pieces.lock() {
                pieces[place] = Some(piece);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(starts.len() - 1) {
            scope.spawn(work);
        }
        work();
    });
    let mut found = CheckedLines::default();
    for (piece, start) in pieces.into_inner().unwrap_or_default().into_iter().zip(&starts) {
        let piece = piece.unwrap_or_default();
        let ends = piece.ends;
        found.push(piece, *start as u64, found.lines);
        found.lines += ends;
    }
    found.consumed = buffer.len() as u64;
    found
}

/// Where pieces start, each at a line, and the end of the last.
fn piece_starts(buffer: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut at = 0;
    while let Some(rest) = buffer.get(at + PIECE..)
        && let Some(end) = memchr::memchr(b'\n', rest)
    {
        at += PIECE + end + 1;
        starts.push(at);
    }
    if at < buffer.len() || at == 0 {
        starts.push(buffer.len());
    }
    starts
}

fn piece(buffer: &[u8], judge: &dyn Judge) -> Piece {
    let mut piece = Piece::default();
    let mut texts: Vec<&[u8]> = Vec::with_capacity(GROUP);
    let mut found = Vec::with_capacity(GROUP);
    let mut start = 0;
    while start < buffer.len() {
        let end = memchr::memchr(b'\n', &buffer[start..]).map_or(buffer.len(), |end| start + end);
        piece.ends += 1;
        let text = &buffer[start..end];
        if !text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            // A longer line is json.size, whatever it is.
            let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
            let line = CheckedLine { start: start as u64, number: piece.ends, length, kind: None, digest: [0; 32] };
            piece.lines.push(line);
            texts.push(text);
        }
        start = end + 1;
        if texts.len() == GROUP || start >= buffer.len() {
            judge.judge(&texts, &mut found);
            let group = piece.lines.len() - texts.len();
            for (line, accepted) in piece.lines[group..].iter_mut().zip(found.drain(..)) {
                if let Some((kind, digest)) = accepted {
                    (line.kind, line.digest) = (Some(kind), digest);
                }
            }
            texts.clear();
        }
    }
    piece.lines.shrink_to_fit();
    piece
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn lines_are_the_same_on_any_number_of_threads() {
        let receipt = samples::receipt().canonical_text().to_owned();
        let mut text = String::new();
        for number in 0..2000 {
            match number % 7 {
                0 => text.push('\n'),
                1 => text.push_str("{}\r\n"),
                _ => text.extend([receipt.as_str(), "\n"]),
            }
        }
        text.push_str(&receipt);
        let one = check_lines(text.as_bytes(), None, 1);
        let several = check_lines(text.as_bytes(), None, 3);
        assert!(one.iter().eq(several.iter()));
        let expected: Vec<(usize, &str)> =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
        assert_eq!(one.len(), expected.len());
        assert_eq!(one.lines(), 2001);
        for (index, (number, line)) in expected.iter().enumerate() {
            let found = one.get(index).unwrap();
            assert_eq!(found.number(), *number as u64 + 1);
            assert_eq!(text[found.range()].trim_end(), *line);
            assert_eq!(found.kind().is_some(), line.len() > 5);
        }
        assert!(size_of::<CheckedLine>() <= 64);
    }
}
