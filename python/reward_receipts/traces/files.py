"""Traces in files: rows as JSON Lines or Parquet, written as they come and read back strictly.

A row is checked before it is written. The suffix says the format: .jsonl and .ndjson, or .parquet.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Final, Never, Protocol, Self

from ..bulk.files import Text, Unread, texts
from ..core.codes import sentence
from ..core.findings import Finding, InvalidDocument, InvalidText, Path, shown
from ..core.strict_json import read_json
from .columns import DICTIONARIES, MAPS, Columns
from .manifest import manifest_path
from .row import (
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

LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
PARQUET_SUFFIX: Final = ".parquet"
_LINES: Final = 100
"""The most lines that a JSON Lines writer holds in memory."""
_SECONDS: Final = 1.0
"""The longest time that a row is held in memory if another row follows it."""
_FIRST_PAUSE: Final = 0.05
"""The same for the first rows of a Parquet trace: how long it holds them grows with the age of the trace."""
_ROW_GROUP: Final = 10_000
"""Rows in a row group of Parquet, and the most rows that a Parquet writer holds in memory."""
_LONGEST_MANIFEST: Final = 2**23
"""The most bytes of a manifest that are read here."""
_PARTIAL: Final = ".partial"
"""The suffix of an unfinished Parquet trace."""
_UNFINISHED: Final = re.compile(r"(\.parquet)(\.[0-9a-f]{8})?\.partial", re.IGNORECASE)
_END_OF_STREAM: Final = b"\xff\xff\xff\xff\x00\x00\x00\x00"
"""The end of an Arrow stream."""
_VERSION_KEY: Final = b"reward-receipts.schema_version"


_REHEARSAL: Final[Parts] = (
    (0, 0, 0, 1.0, None, False, False, False, "", False, None, None),
    (("a",), ("a",), (("b",),)),
    (1.0,),
    (None,),
    (None,),
    (1.0,),
)
"""A row with a value of every type."""


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

    def __getstate__(self) -> Never:
        raise TypeError(
            f"the open trace {self._path.name} cannot be copied or pickled: its file has one writer; open "
            "another trace for the copy"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AppendedFile:
    """A new file of this process that grows at its end. Bytes that a full disk did not take are kept and tried again.

    A signal's handler may call ``write_held`` in the middle of another call of it: each byte is written once.
    """

    def __init__(self, path: FilePath) -> None:
        self._path = path
        self._file = open(path, "xb", buffering=0)  # noqa: SIM115 - close() closes it
        # Bytes that are held, and their place in the file. They are dropped when all of them are in the file, so they
        # can be written again, to the same place, whatever came in between.
        self._held: tuple[int, list[bytes]] = (0, [])

    def fileno(self) -> int:
        """The file's descriptor."""
        return self._file.fileno()

    @property
    def held(self) -> int:
        """How many pieces wait to be written."""
        return len(self._held[1])

    def hold(self, data: bytes) -> None:
        """Adds a piece to what ``write_held`` writes."""
        self._held[1].append(data)

    def write_held(self) -> None:
        """Writes all that is held. Raises OSError, with the file's name, if the disk does not take it."""
        start, pieces = self._held
        at, rest = start, b"".join(pieces)
        while rest and self._held[0] == start:  # otherwise a signal's handler has written them
            try:
                taken = _write_at(self._file, rest, at)
            except OSError as error:
                raise OSError(
                    error.errno,
                    f"cannot write the trace ({error.strerror}); its last rows are kept in memory",
                    str(self._path),
                ) from error
            at, rest = at + taken, rest[taken:]
        if self._held[0] == start:
            self._held = (at, [])

    def is_in_place(self) -> bool:
        """Whether the path still leads to this file: it was neither removed nor replaced."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Closes the file. What is held is not written."""
        self._file.close()


class JsonLinesTrace(FileWriter):
    """Rows as JSON Lines: in the file at each episode's end, every 100 rows, and with the first row after a second.

    A process that is killed leaves what was written until then, and at times a part of the line that it was writing,
    which readers leave out if the manifest says that the run was not finished. What a full disk did not take is held
    and written with the next rows, from where it stopped.
    """

    def __init__(self, path: FilePath, *, overwrite: bool = False) -> None:
        super().__init__(path)
        if overwrite:
            path.unlink(missing_ok=True)  # a run that still writes the older file keeps it to itself
        self._file = AppendedFile(path)
        self._written = time.monotonic()

    def take(self, parts: Parts) -> None:
        if self._closed:
            self._require_open()
        line = json.dumps(row_of(parts), allow_nan=False, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            self._file.hold(line)
            if ends(parts) or self._file.held >= _LINES or time.monotonic() - self._written >= _SECONDS:
                self._require_open()
                self._flush()

    def _flush(self) -> None:
        self._file.write_held()
        self._written = time.monotonic()

    def _close(self, mine: bool) -> None:
        try:
            if mine:
                self._flush()
                if not self._file.is_in_place():
                    raise FileExistsError(_replaced(self.path))
        finally:
            self._file.close()


class ParquetTrace(FileWriter):
    """Rows as Parquet, in a file that appears whole when the trace is closed.

    Until then the rows are in ``NAME.partial``, a stream of Arrow record batches that grows every 10,000 rows and at
    least once a second (more often in the first ten seconds). If the process is killed, the rows in it stay readable:
    ``read_trace(NAME)`` and ``trace summary NAME`` read it while there is no file NAME. A later trace of the same name
    moves it to ``NAME.<8 hexadecimal digits>.partial``, and its manifest with it; if its process still runs, the later
    one is refused. Closing takes about 3 seconds per million rows.

    Terms are columns of type map, so that every trace has the same schema, whatever its spec, and keeps the order of
    the terms.
    """

    def __init__(self, path: FilePath, *, overwrite: bool = False) -> None:
        super().__init__(path)
        self._arrow, self._parquet = _pyarrow()
        self._schema = _schema(self._arrow)
        self._rehearse()
        self._overwrite = overwrite
        self._partial = partial_path(path)
        if overwrite:
            path.unlink(missing_ok=True)  # or a crash would leave the older run's rows beside this one's manifest
            self._partial.unlink(missing_ok=True)
        elif os.path.lexists(self._partial):
            _move_aside(self._partial, path)
        try:
            self._file = AppendedFile(self._partial)
        except FileExistsError:
            raise FileExistsError(_still_written(self._partial)) from None
        _lock(self._file.fileno())
        self._columns = Columns()
        self._busy = False  # with a row, or with encoding
        self._opened = self._written = time.monotonic()
        self._pause = _FIRST_PAUSE
        self._head = len(self._encoded()) - len(_END_OF_STREAM)
        self._file.hold(self._encoded()[: self._head])
        try:
            self._file.write_held()
        except OSError:
            self._file.close()
            raise

    def take(self, parts: Parts) -> None:
        if self._closed:
            self._require_open()
        with self._lock:
            self._busy = True
            try:
                self._columns.append(parts)
            finally:
                self._busy = False
            if self._columns.rows >= _ROW_GROUP or time.monotonic() - self._written >= self._pause:
                self._require_open()
                self._flush()

    def _flush(self) -> None:
        if self._busy and not self._closed:  # in a signal's handler that came while this held the rows
            return
        columns, none = self._columns, Columns()
        if columns.rows:
            started = time.thread_time()
            self._busy = True
            try:
                data = self._encoded(columns)[self._head : -len(_END_OF_STREAM)]
            finally:
                self._busy = False
            if self._columns is columns:  # otherwise a signal's handler closed the trace, with these rows
                self._columns = none
                self._file.hold(data)
            cost = time.thread_time() - started
            # Of a short run that is killed, a tenth is lost at most; and small batches take at most 1/20 of the time.
            self._pause = max(min(_SECONDS, (time.monotonic() - self._opened) / 10), 20 * cost)
        self._file.write_held()
        self._written = time.monotonic()

    def _encoded(self, columns: Columns | None = None) -> bytes:
        """A whole stream: the schema, a batch if ``columns`` has rows, and the end."""
        arrow = self._arrow
        sink = arrow.BufferOutputStream()
        options = arrow.ipc.IpcWriteOptions(compression="lz4" if arrow.Codec.is_available("lz4") else None)
        with arrow.ipc.new_stream(sink, self._schema, options=options) as stream:
            if columns is not None:
                stream.write_batch(columns.batch(arrow, self._schema))
        return bytes(sink.getvalue())

    def _rehearse(self) -> None:
        """Does once, in memory, what closing does. Arrow imports some modules when it first needs them, and as the
        process ends it is too late to import those that use threads.
        """
        columns = Columns()
        columns.append(_REHEARSAL)
        sink = self._arrow.BufferOutputStream()
        self._encoded(columns)
        with self._parquet.ParquetWriter(sink, self._schema, use_dictionary=DICTIONARIES) as writer:
            writer.write_batch(columns.batch(self._arrow, self._schema))

    def _close(self, mine: bool) -> None:
        try:
            if mine:
                self._flush()
                if not self._file.is_in_place():
                    raise FileExistsError(_replaced(self._partial))
                self._finish()
        finally:
            self._file.close()

    def _finish(self) -> None:
        """Writes the Parquet file from the stream, gives it its name, and removes the stream."""
        beside = self.path.with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            with (
                open(beside, "xb") as file,
                self._parquet.ParquetWriter(file, self._schema, use_dictionary=DICTIONARIES) as writer,
            ):
                for table in _row_groups(self._arrow, self._partial):
                    writer.write_table(table, row_group_size=_ROW_GROUP)
                writer.close()
                file.flush()
                os.fsync(file.fileno())
            if not self._overwrite:
                _require_absent(self.path, f"the rows are in {self._partial.name}, which read_trace() reads")
            os.replace(beside, self.path)
        except OSError as error:
            if isinstance(error, FileExistsError):
                raise
            raise OSError(
                error.errno,
                f"cannot write the trace ({error.strerror or error}); its rows are in {self._partial.name}",
                str(self.path),
            ) from error
        finally:
            with suppress(FileNotFoundError):
                beside.unlink()
        self._partial.unlink(missing_ok=True)


def partial_path(path: FilePath) -> FilePath:
    """The file that holds the rows of a Parquet trace until it is closed."""
    return path.with_name(f"{path.name}{_PARTIAL}")


def trace_name(name: str) -> str:
    """The name that a trace has in its manifest: an unfinished one there has the name that it was to get."""
    return _UNFINISHED.sub(r"\1", name) if name.endswith(_PARTIAL) else name


def _move_aside(partial: FilePath, path: FilePath) -> None:
    """Renames what a killed run left, with its manifest. Raises FileExistsError if its process still runs."""
    with suppress(FileNotFoundError), open(partial, "rb") as left:
        if not _lock(left.fileno()):
            raise FileExistsError(_still_written(partial))
        kept = path.with_name(f"{path.name}.{secrets.token_hex(4)}{_PARTIAL}")
        with suppress(FileNotFoundError):
            os.replace(manifest_path(path), manifest_path(kept))
        try:
            os.rename(partial, kept)
        except PermissionError:  # Windows: another process has it open
            raise FileExistsError(_still_written(partial)) from None


def _lock(descriptor: int) -> bool:
    """Locks a file until it is closed or its process ends. False if another process has the lock."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows, which does not rename files that are open
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _row_groups(arrow: Any, partial: FilePath) -> Iterator[Any]:
    """The batches of a stream, put together to tables of at least a row group, except for the last."""
    batches: list[Any] = []
    rows = 0
    for batch in _batches(arrow, partial):
        batches.append(batch)
        rows += batch.num_rows
        if rows >= _ROW_GROUP:
            table = arrow.Table.from_batches(batches)
            whole = rows - rows % _ROW_GROUP
            yield table.slice(0, whole)
            batches = table.slice(whole).combine_chunks().to_batches()
            rows -= whole
    if rows:
        yield arrow.Table.from_batches(batches)


def _batches(arrow: Any, partial: str | os.PathLike[str]) -> Iterator[Any]:
    """The record batches of a stream, up to where it was cut off."""
    with arrow.OSFile(os.fspath(partial)) as file:
        try:
            schema = arrow.ipc.read_schema(file)
        except (EOFError, OSError, arrow.ArrowException):  # killed before the schema was written
            return
        while True:
            try:
                message = arrow.ipc.read_message(file)
            except (EOFError, OSError, arrow.ArrowException):
                return
            yield arrow.ipc.read_record_batch(message, schema)


def _replaced(path: FilePath) -> str:
    return f"{path.name} is another file now: it was removed or replaced while this trace was written"


def _still_written(partial: FilePath) -> str:
    return f"{partial.name} is being written by another run; give this one another name"


def _write_at(file: Any, data: bytes, place: int) -> int:
    """Writes to a place in a file, as much as it takes; returns how much."""
    if hasattr(os, "pwrite"):  # in one call, which nothing comes in between of
        return os.pwrite(file.fileno(), data, place)
    file.seek(place)
    return int(file.write(data))


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
        "evaluation": flag,
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
    """Every row of a trace, judged; ``-`` is standard input, in JSON Lines. Raises as read_trace does, but goes on."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix == PARQUET_SUFFIX:
        return _parquet_entries(name)
    if suffix in LINES_SUFFIXES or name == "-":
        return _line_entries(name)
    if _UNFINISHED.search(name):
        return _stream_entries(name)
    raise Unread(name, _unknown(name))


def unfinished(name: str) -> str | None:
    """The file that has the rows of a Parquet trace that was not closed; None if the trace itself is there."""
    if os.path.splitext(name)[1].lower() != PARQUET_SUFFIX or os.path.exists(name):
        return None
    partial = str(partial_path(FilePath(name)))
    return partial if os.path.exists(partial) else None


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
            return json.loads(file.read(_LONGEST_MANIFEST))["run"]["finished"] is False
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


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
        entry = replace(entry, findings=entry.placed(faults))
    return entry


def _parquet_entries(name: str) -> Iterator[TraceEntry]:
    arrow, parquet = _pyarrow()
    partial = unfinished(name)
    if partial is not None:
        yield from _stream_entries(partial)
        return
    with _reading(arrow, name), parquet.ParquetFile(name) as file:
        _require_columns(name, file.schema_arrow.names)
        yield from _column_entries(name, file.iter_batches(batch_size=1000))


def _stream_entries(name: str) -> Iterator[TraceEntry]:
    """The rows of an unfinished trace in Parquet."""
    arrow, _ = _pyarrow()
    with _reading(arrow, name):
        yield from _column_entries(name, _checked(name, _batches(arrow, name)))


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
    from ..documents.python_input import plain_json

    number = 0
    for batch in batches:
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


@contextmanager
def _reading(arrow: Any, name: str) -> Iterator[None]:
    """Raises Unread for what Arrow raises of a file that it cannot read."""
    try:
        yield
    except arrow.ArrowException as error:
        raise Unread(name, f"cannot read {name} as Parquet: {str(error).splitlines()[0]}") from None
    except UnicodeDecodeError:
        raise Unread(name, f"cannot read {name}: it has text that is no UTF-8") from None
    except OSError as error:
        raise Unread(name, f"cannot read {name}: {error.strerror or error}") from None


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
    except ImportError as error:  # not there, or built for another NumPy
        why = "" if isinstance(error, ModuleNotFoundError) else f" ({error})"
        raise ModuleNotFoundError(
            f"a trace in Parquet needs pyarrow: pip install 'reward-receipts[envs]'{why}", name=error.name
        ) from None
    return pyarrow, parquet


def _require_absent(path: FilePath, fix: str) -> None:
    if os.path.lexists(path):
        raise FileExistsError(f"{path.name} is there already: {fix}")


def _unknown(name: str) -> str:
    return f"{name} is no trace by its name: {', '.join(LINES_SUFFIXES)} is JSON Lines, {PARQUET_SUFFIX} is Parquet"
