"""Reads traces: rows of JSON Lines, Parquet, or the stream of an unfinished Parquet trace, each checked."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any, Final

from ..bulk.files import Text, Unread, texts
from ..core.findings import Finding, InvalidDocument, InvalidText, shown
from ..core.pointer import Path
from ..core.strict_json import read_json
from .columns import REQUIRED, row_from_arrow
from .formats import (
    LINES_SUFFIXES,
    PARQUET_SUFFIX,
    is_unfinished,
    load_pyarrow,
    stream_batches,
    unfinished,
    unknown_suffix,
)
from .manifest import manifest_path
from .row import Row, valid_row

_MAX_MANIFEST: Final = 2**23
"""The most bytes of a manifest that are read here."""


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One row as it is in a file, and everything that is wrong with it."""

    text: Text
    """The line in JSON Lines; in Parquet a text without data, whose line is the row's number, from 1."""
    row: Row | None
    """The row, completed; None where it does not hold."""
    findings: tuple[Finding, ...]
    """With the places in the file; () where the row holds."""

    @property
    def at(self) -> Path:
        """Where it is in the text: at its root."""
        return ()

    @property
    def label(self) -> str:
        """``file:line``."""
        return f"{self.text.label}:{self.text.line}"

    @property
    def line(self) -> int | None:
        """The line in the file; in Parquet the row, from 1."""
        return self.text.line

    def finding(self, code: str, said: str, path: Path = ()) -> Finding:
        """A finding about a member of the row, with its place in the file."""
        return self.placed((Finding(code, said, path),))[0]

    def placed(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Findings about members of the row, with their places in the file: one walk through the text."""
        if not self.text.data:
            return tuple(replace(finding, line=self.text.line, column=1) for finding in findings)
        places = self.text.places_of([finding.path for finding in findings])
        return tuple(
            replace(finding, line=line, column=column) for finding, (line, column) in zip(findings, places, strict=True)
        )


def read_trace(path: str | os.PathLike[str]) -> Iterator[Row]:
    """The rows of a trace, completed, one in memory at a time (in Parquet, a batch of them).

    Raises InvalidDocument at the first row that does not hold, with line and column; Unread where the file cannot be
    read or is not a trace, and ModuleNotFoundError for Parquet without pyarrow.
    """
    for entry in trace_entries(os.fspath(path)):
        if entry.row is None:
            raise InvalidDocument(entry.findings)
        yield entry.row


def trace_entries(name: str) -> Iterator[TraceEntry]:
    """Every row of a trace, checked; ``-`` is standard input, in JSON Lines. Raises as read_trace does, but goes on."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix == PARQUET_SUFFIX:
        return _parquet_entries(name)
    if suffix in LINES_SUFFIXES or name == "-":
        return _line_entries(name)
    if is_unfinished(name):
        return _stream_entries(name)
    raise Unread(name, unknown_suffix(name))


def _line_entries(name: str) -> Iterator[TraceEntry]:
    entries = map(_line_entry, texts(name, lines=True))
    before = next(entries, None)
    for entry in entries:
        assert before is not None
        yield before
        before = entry
    if before is not None and not (before.row is None and _was_cut_off(name)):
        yield before


def _was_cut_off(name: str) -> bool:
    """Whether the last line of a file has no end, and its manifest says that its run has none either.

    A process that is killed can leave a part of the line that it was writing. Without such a manifest, the line is a
    fault of the file.
    """
    manifest = manifest_path(FilePath(name))
    if not (os.path.isfile(name) and os.path.isfile(manifest)):  # a pipe would be opened a second time
        return False
    try:
        with open(name, "rb") as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) == b"\n":
                return False
        with open(manifest, "rb") as file:
            return json.loads(file.read(_MAX_MANIFEST))["run"]["finished"] is False
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


def _line_entry(text: Text) -> TraceEntry:
    try:
        value = read_json(text.data)
    except InvalidText as error:
        faults = tuple(replace(fault, line=text.file_line(fault.line or 1)) for fault in error.findings)
        return TraceEntry(text, None, faults)
    return _entry(text, value)


def _entry(text: Text, value: Any) -> TraceEntry:
    try:
        return TraceEntry(text, valid_row(value), ())
    except InvalidDocument as error:
        entry = TraceEntry(text, None, ())
        return replace(entry, findings=entry.placed(error.findings))


def _parquet_entries(name: str) -> Iterator[TraceEntry]:
    arrow, parquet = load_pyarrow()
    partial = unfinished(name)
    if partial is not None:
        yield from _stream_entries(partial)
        return
    with _reading(arrow, name), parquet.ParquetFile(name) as file:
        _require_columns(name, file.schema_arrow.names)
        yield from _column_entries(name, file.iter_batches(batch_size=1000))


def _stream_entries(name: str) -> Iterator[TraceEntry]:
    """The rows of an unfinished trace in Parquet."""
    arrow, _ = load_pyarrow()
    with _reading(arrow, name):
        yield from _column_entries(name, _checked(name, stream_batches(arrow, name)))


def _checked(name: str, batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        _require_columns(name, batch.schema.names)
        for start in range(0, batch.num_rows, 1000):
            yield batch.slice(start, 1000)


def _require_columns(name: str, columns: list[str]) -> None:
    missing = [column for column in REQUIRED if column not in columns]
    if missing:
        raise Unread(name, f"{name} is not a trace: it lacks the column {', '.join(missing)}")
    if len(set(columns)) != len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise Unread(name, f"{name} is not a trace: it has the column {shown(twice)} twice")


def _column_entries(name: str, batches: Iterator[Any]) -> Iterator[TraceEntry]:
    number = 0
    for batch in batches:
        for values in batch.to_pylist():
            number += 1
            text = Text(name, b"", number)
            try:
                row = row_from_arrow(values)
            except InvalidDocument as error:  # a map with a key twice
                entry = TraceEntry(text, None, ())
                yield replace(entry, findings=entry.placed(error.findings))
            else:
                yield _entry(text, row)


@contextmanager
def _reading(arrow: Any, name: str) -> Iterator[None]:
    """Raises Unread for what Arrow raises of a file that it cannot read."""
    try:
        yield
    except arrow.ArrowException as error:
        raise Unread(name, f"cannot read {name} as Parquet: {str(error).splitlines()[0]}") from None
    except UnicodeDecodeError:
        raise Unread(name, f"cannot read {name}: it has text that is not UTF-8") from None
    except OSError as error:
        raise Unread(name, f"cannot read {name}: {error.strerror or error}") from None
