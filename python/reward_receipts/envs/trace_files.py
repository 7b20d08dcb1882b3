"""Traces in files: rows as JSON Lines or Parquet, written as they come and read back strictly.

A row is checked before it is written. The suffix says the format: .jsonl and .ndjson, or .parquet.
"""

from __future__ import annotations

import glob
import io
import json
import os
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Final, Protocol, Self

from ..catalogue import sentence
from ..findings import Finding, InvalidDocument, InvalidText, Path, shown
from ..sources import Text, Unread, texts
from ..text import read_json
from .row_parts import (
    REQUIRED,
    SCHEMA_VERSION,
    Parts,
    Row,
    completed,
    ends,
    parts_of,
    required_parts,
    row_findings,
    row_of,
)
from .trace_columns import DICTIONARIES, MAPS, Columns

LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
PARQUET_SUFFIX: Final = ".parquet"
_LINES: Final = 100
"""Lines that a writer holds at most before they go to the file."""
_SECONDS: Final = 1.0
"""How long a line is held at most, where another follows."""
_ROW_GROUP: Final = 10_000
"""Rows in a row group, and so the most that a writer of Parquet holds."""
_PARTIAL: Final = ".partial"
_VERSION_KEY: Final = b"reward-receipts.schema_version"


class TraceWriter(Protocol):
    """Takes the rows of a trace. A sink of one's own needs no more than these."""

    @property
    def path(self) -> FilePath | None:
        """The file; None where there is none, and no manifest is written beside it."""

    def write(self, row: Row) -> None:
        """Takes a row, as plain JSON. Raises InvalidDocument where it does not hold."""

    def flush(self) -> None:
        """Hands over what is held."""

    def close(self) -> None:
        """Ends the trace. A second time does nothing."""


def open_trace(path: str | os.PathLike[str], *, overwrite: bool = False) -> JsonLinesTrace | ParquetTrace:
    """A writer of a new trace, JSON Lines or Parquet by the suffix.

    Raises ValueError for another suffix, FileNotFoundError where its folder is not there, FileExistsError where the
    file is there and ``overwrite`` is not given, and ModuleNotFoundError for Parquet without pyarrow.
    """
    require_new(path, overwrite=overwrite)
    path = FilePath(path)
    writer = ParquetTrace if path.suffix.lower() == PARQUET_SUFFIX else JsonLinesTrace
    return writer(path, overwrite=overwrite)


def require_new(path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Raises as open_trace, and makes no file."""
    path = FilePath(path)
    suffix = path.suffix.lower()
    if suffix not in (*LINES_SUFFIXES, PARQUET_SUFFIX):
        raise ValueError(_unknown(str(path)))
    if suffix == PARQUET_SUFFIX:
        _pyarrow()
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} for {path.name}; make it first")
    if path.is_dir():
        raise FileExistsError(f"{path} is a folder; give the name of a file")
    if not overwrite:
        _require_absent(path, "give another name, or overwrite=True")


class FileWriter(ABC):
    """What both writers share. They can be closed twice, and used as a context.

    A trace belongs to the process that opened it: in a child that was forked, closing does nothing.
    """

    def __init__(self, path: FilePath) -> None:
        self._path = path
        self._closed = False
        self._process = os.getpid()
        # Environments in threads may share a trace, and a signal's handler may flush or close it in any line of this.
        self._lock = threading.RLock()
        self._ended: Callable[[], None] | None = None

    @property
    def path(self) -> FilePath:
        """The file."""
        return self._path

    @property
    def closed(self) -> bool:
        """Whether the trace is ended."""
        return self._closed

    def write(self, row: Mapping[str, Any]) -> None:
        """Takes a row. Raises InvalidDocument where it does not hold, ValueError where the trace is closed."""
        self.take(required_parts(row))

    @abstractmethod
    def take(self, parts: Parts) -> None:
        """Takes a row that was judged. Raises ValueError where the trace is closed."""

    def flush(self) -> None:
        """Writes what is held. Raises OSError as the file does, ValueError where the trace is closed."""
        self._require_open()
        with self._lock:
            self._flush()

    def close(self) -> None:
        """Writes what is held and ends the file. A second time does nothing. Raises OSError: it is not whole then."""
        if os.getpid() != self._process:  # the lock is as some thread of the parent left it
            self._closed = True
            self._close(mine=False)
            return
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._close(mine=True)
        if self._ended is not None:
            self._ended()

    def when_ended(self, do: Callable[[], None]) -> None:
        """What is done once the file is whole and closed."""
        self._ended = do

    @abstractmethod
    def _flush(self) -> None:
        """Writes what is held."""

    @abstractmethod
    def _close(self, mine: bool) -> None:
        """Ends the file; in another process than the trace's own, only lets go of it."""

    def _require_open(self) -> None:
        if self._closed:
            raise ValueError(f"the trace {self._path.name} is closed; open_trace() begins another")
        if os.getpid() != self._process:
            raise ValueError(f"the trace {self._path.name} is another process's; open one in each process")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class JsonLinesTrace(FileWriter):
    """Rows as JSON Lines: in the file at each episode's end, every 100 rows, and with the first row after a second.

    A process that is killed leaves what was written until then, in whole lines. What a full disk did not take is held
    and written with the next rows, from where it stopped.
    """

    def __init__(self, path: FilePath, *, overwrite: bool = False) -> None:
        super().__init__(path)
        if overwrite:
            path.unlink(missing_ok=True)  # a run that still writes the older file keeps it to itself
        self._file = open(path, "xb", buffering=0)  # noqa: SIM115 - close() closes it
        # Lines that are held, and where in the file they begin. They are let go of when all of them are there: so they
        # can be written again, to the same place, whatever came in between.
        self._held: tuple[int, list[str]] = (0, [])
        self._written = time.monotonic()

    def take(self, parts: Parts) -> None:
        if self._closed:
            self._require_open()
        line = json.dumps(row_of(parts), allow_nan=False, separators=(",", ":"))
        with self._lock:
            lines = self._held[1]
            lines.append(line)
            if ends(parts) or len(lines) >= _LINES or time.monotonic() - self._written >= _SECONDS:
                self._require_open()
                self._flush()

    def _flush(self) -> None:
        start, lines = self._held
        at, rest = start, "".join([f"{line}\n" for line in lines]).encode()
        while rest and self._held[0] == start:  # else a signal's handler has written them
            taken = _write_at(self._file, rest, at)
            at, rest = at + taken, rest[taken:]
        if self._held[0] == start:
            self._held = (at, [])
        self._written = time.monotonic()

    def _close(self, mine: bool) -> None:
        try:
            if mine:
                self._flush()
                if not _same_file(self._file, self.path):
                    raise FileExistsError(
                        f"{self.path.name} is another file now: it was removed or written over while this trace went on"
                    )
        finally:
            self._file.close()


class ParquetTrace(FileWriter):
    """Rows as Parquet, in row groups, in a file that gets its name when it is whole.

    Until then it is called ``NAME.*.partial``, and no reader of Parquet can read it. Where a run may be killed, JSON
    Lines leave more. Terms are columns of type map, so that every trace has the same schema, whatever its spec, and
    keeps the order of the terms.
    """

    def __init__(self, path: FilePath, *, overwrite: bool = False) -> None:
        super().__init__(path)
        self._arrow, parquet = _pyarrow()
        self._overwrite = overwrite
        if overwrite:
            path.unlink(missing_ok=True)  # or a crash would leave the older run's rows beside this one's manifest
        # A name of its own: neither a run that was cut off nor one that still goes on is in the way.
        self._partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}{_PARTIAL}")
        self._schema = _schema(self._arrow)
        self._file = _ProcessFile(self._partial)
        self._writer: Any = parquet.ParquetWriter(self._file, self._schema, use_dictionary=DICTIONARIES)
        self._columns = Columns()
        self._broken = False
        self._busy = False  # with a row, or a row group

    def take(self, parts: Parts) -> None:
        if self._closed:
            self._require_open()
        with self._lock:
            self._busy = True
            try:
                self._columns.append(parts)
            finally:
                self._busy = False
            if self._columns.rows >= _ROW_GROUP:
                self._require_open()
                self._flush()

    def _flush(self) -> None:
        if self._busy and not self._closed:  # a signal's handler, in the middle of this: what it finds held stays so
            return
        if self._broken:
            raise OSError(f"{self._partial.name} could not be written; the trace cannot go on")
        if self._columns.rows:
            self._busy = True
            try:
                batch = self._columns.batch(self._arrow, self._schema)
                self._broken = True  # half a row group cannot be taken back
                self._writer.write_batch(batch)
                self._columns = Columns()
                self._broken = False
            finally:
                self._busy = False

    def _close(self, mine: bool) -> None:
        try:
            if mine:
                self._flush()
                self._writer.close()
                self._file.sync()
        finally:
            self._file.close()
        if mine:
            if not self._overwrite:
                _require_absent(self.path, f"the rows are in {self._partial.name}; rename it")
            os.replace(self._partial, self.path)


class _ProcessFile(io.RawIOBase):
    """A new file that only the process that opened it writes: Arrow's writer ends its file as it is let go of, also in
    a child that was forked.
    """

    def __init__(self, path: FilePath) -> None:
        super().__init__()
        self._file = open(path, "xb", buffering=0)  # noqa: SIM115 - close() closes it
        self._process = os.getpid()
        self._at = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        size = len(view)
        if os.getpid() == self._process and not self._file.closed:
            while view:
                view = view[self._file.write(view) :]
        self._at += size
        return size

    def sync(self) -> None:
        """Makes sure that the file is on the disk before it gets its name."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _write_at(file: Any, data: bytes, place: int) -> int:
    """Writes to a place in a file, as much as it takes; returns how much."""
    if hasattr(os, "pwrite"):  # in one call, which nothing comes in between of
        return os.pwrite(file.fileno(), data, place)
    file.seek(place)
    return int(file.write(data))


def _same_file(file: Any, path: FilePath) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _schema(arrow: Any) -> Any:
    text, double, count, flag = arrow.string(), arrow.float64(), arrow.int64(), arrow.bool_()
    fields = {
        "environment": count,
        "episode": count,
        "step": count,
        "reward": double,
        "environment_reward": double,
        "reward_components": arrow.map_(text, double),
        "reward_detail": arrow.map_(text, _detail_type(arrow)),
        "terminated": flag,
        "truncated": flag,
        "regime": text,
        "regime_boundary": flag,
        "spec_digest": text,
        "resolved_spec_digest": text,
    }
    return arrow.schema(list(fields.items()), metadata={_VERSION_KEY: SCHEMA_VERSION.encode()})


def _detail_type(arrow: Any) -> Any:
    terms = arrow.map_(arrow.string(), arrow.float64())
    return arrow.struct([("raw", arrow.float64()), ("zero", arrow.string()), ("terms", terms)])


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One row as it stands in a file, and everything that is wrong with it."""

    text: Text
    """The line in JSON Lines; in Parquet a text without data, whose line is the row's number, from 1."""
    row: Row | None
    """The row, completed; None where it does not hold."""
    findings: tuple[Finding, ...]
    """With the places in the file; () where the row holds."""

    @property
    def at(self) -> Path:
        """Where it stands in the text: at its root."""
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
        line, column = self.text.place(path) if self.text.data else (self.text.line, 1)
        return Finding(code, said, path, line, column)


def read_trace(path: str | os.PathLike[str]) -> Iterator[Row]:
    """The rows of a trace, completed, one in memory at a time (in Parquet, a batch of them).

    Raises InvalidDocument at the first row that does not hold, with line and column; Unread where the file cannot be
    read or is no trace, and ModuleNotFoundError for Parquet without pyarrow.
    """
    for entry in trace_entries(os.fspath(path)):
        if entry.row is None:
            raise InvalidDocument(entry.findings)
        yield entry.row


def trace_entries(name: str) -> Iterator[TraceEntry]:
    """Every row of a trace, judged; ``-`` is standard input, in JSON Lines. Raises as read_trace does, but goes on."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix == PARQUET_SUFFIX:
        return _parquet_entries(name)
    if suffix in LINES_SUFFIXES or name == "-":
        return map(_line_entry, texts(name, lines=True))
    raise Unread(name, _unknown(name))


def _line_entry(text: Text) -> TraceEntry:
    try:
        value = read_json(text.data)
    except InvalidText as error:
        faults = tuple(replace(fault, line=text.file_line(fault.line or 1)) for fault in error.findings)
        return TraceEntry(text, None, faults)
    return _judged(text, value)


def _judged(text: Text, value: Any) -> TraceEntry:
    if type(value) is dict and parts_of(value) is not None:  # complete as it is
        return TraceEntry(text, value, ())
    faults = row_findings(value)
    entry = TraceEntry(text, None if faults else completed(value), ())
    if faults:
        entry = replace(entry, findings=tuple(entry.finding(each.code, each.sentence, each.path) for each in faults))
    return entry


def _parquet_entries(name: str) -> Iterator[TraceEntry]:
    from ..documents.python_input import plain_json

    arrow, parquet = _pyarrow()
    try:
        with parquet.ParquetFile(name) as file:
            columns = file.schema_arrow.names
            missing = [column for column in REQUIRED if column not in columns]
            if missing:
                raise Unread(name, f"{name} is no trace: it lacks the column {', '.join(missing)}")
            if len(set(columns)) != len(columns):
                twice = next(column for column in columns if columns.count(column) > 1)
                raise Unread(name, f"{name} is no trace: it has the column {shown(twice)} twice")
            number = 0
            for batch in file.iter_batches(batch_size=1000):
                for value in batch.to_pylist():
                    number += 1
                    text = Text(name, b"", number)
                    try:
                        row = _unmapped({"schema_version": SCHEMA_VERSION, **value})
                        yield _judged(text, row if parts_of(row) is not None else plain_json(row, ()))
                    except InvalidDocument as error:
                        entry = TraceEntry(text, None, ())
                        faults = (entry.finding(each.code, each.sentence, each.path) for each in error.findings)
                        yield replace(entry, findings=tuple(faults))
    except arrow.ArrowException as error:
        raise Unread(name, f"cannot read {name} as Parquet: {str(error).splitlines()[0]}") from None
    except UnicodeDecodeError:
        raise Unread(name, f"cannot read {name}: it has text that is no UTF-8") from None
    except OSError as error:
        raise Unread(name, f"cannot read {name}: {error.strerror or error}{_left(name)}") from None


def _left(name: str) -> str:
    """What to do where a trace in Parquet is not there and what a run left of it is."""
    folder, base = os.path.split(name)
    left = sorted(glob.glob(glob.escape(base) + f".*{_PARTIAL}", root_dir=folder or None))
    if not left:
        return ""
    return (
        f"; {left[-1]} is of a run that still goes on, or was cut off and left no row that can be read: where a run "
        "may be killed, trace it in JSON Lines"
    )


def _unmapped(row: Row) -> Row:
    """A row of Arrow values as plain JSON: a map, which comes as a list of pairs, is an object."""
    for name in MAPS:
        if name in row:
            row[name] = _object(row[name], (name,))
    detail = row.get("reward_detail")
    if type(detail) is dict:
        for name, term in detail.items():
            if type(term) is dict and "terms" in term:
                term["terms"] = _object(term["terms"], ("reward_detail", name, "terms"))
    return row


def _object(pairs: Any, path: tuple[str, ...]) -> Any:
    if pairs is None:
        return {}
    if type(pairs) is not list or not all(type(pair) is tuple and len(pair) == 2 for pair in pairs):
        return pairs
    members: dict[Any, Any] = {}
    for name, value in pairs:
        if name in members:
            raise InvalidDocument((Finding("json.duplicate", sentence("json.duplicate", name=shown(name)), path),))
        members[name] = value
    return members


def _pyarrow() -> tuple[Any, Any]:
    try:
        pyarrow = import_module("pyarrow")
        parquet = import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "a trace in Parquet needs pyarrow: pip install 'reward-receipts[envs]'", name=error.name
        ) from None
    return pyarrow, parquet


def _require_absent(path: FilePath, fix: str) -> None:
    if os.path.lexists(path):
        raise FileExistsError(f"{path.name} is there already: {fix}")


def _unknown(name: str) -> str:
    if name.endswith(_PARTIAL):
        return f"{name} is a trace in Parquet that was not ended: it has no rows that can be read, and can be removed"
    return f"{name} is no trace by its name: {', '.join(LINES_SUFFIXES)} is JSON Lines, {PARQUET_SUFFIX} is Parquet"
