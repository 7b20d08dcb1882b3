"""Writes traces: rows as JSON Lines or Parquet, by the suffix. A row is checked before it is written."""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Never, Protocol, Self

from .arrays import Arrays
from .columns import COLUMNS, Column, arrow_schema, text_columns
from .formats import (
    LINES_SUFFIXES,
    PARQUET_SUFFIX,
    PARTIAL_SUFFIX,
    load_pyarrow,
    partial_path,
    stream_batches,
    unknown_suffix,
)
from .manifest import manifest_path
from .row import Row, ends, valid_row

_LINES: Final = 100
"""The most lines that a JSON Lines writer holds in memory."""
_TO_JSON: Final = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=dict).encode
_ROW_GROUP: Final = 10_000
"""Rows in a row group of Parquet, and the most that its writer holds in memory."""
_SECONDS: Final = 1.0
"""The longest time that a row is held in memory if another row follows it."""
_FIRST_PAUSE: Final = 0.05
"""The same for the first rows of a Parquet trace: how long it holds them grows with the age of the trace."""
_END_OF_STREAM: Final = b"\xff\xff\xff\xff\x00\x00\x00\x00"
"""The end of an Arrow stream."""


class TraceWriter(Protocol):
    """Takes the rows of a trace. A sink of one's own needs no more than these."""

    @property
    def path(self) -> Path | None:
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
    path = Path(path)
    writer = ParquetTrace if path.suffix.lower() == PARQUET_SUFFIX else JsonLinesTrace
    return writer(path, overwrite=overwrite)


def require_new(path: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Raises as open_trace, and makes no file."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (*LINES_SUFFIXES, PARQUET_SUFFIX):
        raise ValueError(unknown_suffix(str(path)))
    if suffix == PARQUET_SUFFIX:
        load_pyarrow()
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

    def __init__(self, path: Path) -> None:
        self._path = path
        self._closed = False
        self._process = os.getpid()
        # Environments in threads may share a trace. A signal's handler that closes it must not wait for its own thread.
        self._lock = threading.RLock()
        self._ended: Callable[[], None] | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def closed(self) -> bool:
        """Whether the trace is ended."""
        return self._closed

    def write(self, row: Row) -> None:
        """Takes a row. Raises InvalidDocument where it does not hold, ValueError where the trace is closed."""
        self.take(valid_row(row))

    def take(self, row: Row) -> None:
        """Takes a row that was checked, and keeps nothing of it. Raises ValueError if the trace is closed."""
        self._require_open()  # before the lock, too: a fork copies it as some thread of the parent left it
        with self._lock:
            self._require_open()
            self._append(row)

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
    def _append(self, row: Row) -> None:
        """Holds a row, and writes what is held if it is time."""

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
    """A new file that grows at its end. Bytes that a full disk did not take are kept for the next try."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = open(path, "xb", buffering=0)  # noqa: SIM115 - close() closes it
        self._size = 0
        self._held: list[bytes] = []

    def fileno(self) -> int:
        """The file's descriptor."""
        return self._file.fileno()

    @property
    def held(self) -> int:
        """How many pieces wait to be written."""
        return len(self._held)

    def hold(self, data: bytes) -> None:
        """Adds a piece to what ``write_held`` writes."""
        self._held.append(data)

    def write_held(self) -> None:
        """Writes all that is held. Raises OSError, with the file's name, if the disk does not take it."""
        rest = b"".join(self._held)
        while rest:
            try:
                taken = _write_at(self._file, rest, self._size)
            except OSError as error:
                raise OSError(
                    error.errno,
                    f"cannot write the trace ({error.strerror}); its last rows are kept in memory",
                    str(self._path),
                ) from error
            self._size += taken
            rest = rest[taken:]
            self._held = [rest]
        self._held = []

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

    def __init__(self, path: Path, *, overwrite: bool = False) -> None:
        super().__init__(path)
        if overwrite:
            path.unlink(missing_ok=True)  # a run that still writes the older file keeps it to itself
        self._file = AppendedFile(path)
        self._written = time.monotonic()

    def _append(self, row: Row) -> None:
        self._file.hold(_TO_JSON(row).encode() + b"\n")
        if ends(row) or self._file.held >= _LINES or time.monotonic() - self._written >= _SECONDS:
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

    def __init__(self, path: Path, *, overwrite: bool = False) -> None:
        super().__init__(path)
        self._arrow, self._parquet = load_pyarrow()
        self._schema = arrow_schema(self._arrow)
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
        self._arrays = Arrays(self._arrow)
        self._opened = self._written = time.monotonic()
        self._pause = _FIRST_PAUSE
        self._head = len(self._encoded()) - len(_END_OF_STREAM)
        self._file.hold(self._encoded()[: self._head])
        try:
            self._file.write_held()
        except OSError:
            self._file.close()
            raise

    def _append(self, row: Row) -> None:
        self._arrays.append(row)
        if len(self._arrays) >= _ROW_GROUP or time.monotonic() - self._written >= self._pause:
            self._flush()

    def _flush(self) -> None:
        if len(self._arrays):
            started = time.thread_time()
            self._file.hold(self._encoded(self._arrays.take())[self._head : -len(_END_OF_STREAM)])
            cost = time.thread_time() - started
            # Of a short run that is killed, a tenth is lost at most; and small batches take at most 1/20 of the time.
            self._pause = max(min(_SECONDS, (time.monotonic() - self._opened) / 10), 20 * cost)
        self._file.write_held()
        self._written = time.monotonic()

    def _encoded(self, batch: Any = None) -> bytes:
        """A whole stream: the schema, the batch, and the end."""
        arrow = self._arrow
        sink = arrow.BufferOutputStream()
        options = arrow.ipc.IpcWriteOptions(compression="lz4" if arrow.Codec.is_available("lz4") else None)
        with arrow.ipc.new_stream(sink, self._schema, options=options) as stream:
            if batch is not None:
                stream.write_batch(batch)
        return bytes(sink.getvalue())

    def _rehearse(self) -> None:
        """Does once, in memory, what closing does. Arrow imports some modules when it first needs them, and as the
        process ends it is too late to import those that use threads.
        """
        arrays = Arrays(self._arrow)
        arrays.append({name: _example(column) for name, column in COLUMNS.items()})
        batch = arrays.take()
        self._encoded(batch)
        sink = self._arrow.BufferOutputStream()
        with self._parquet.ParquetWriter(sink, self._schema, use_dictionary=text_columns()) as writer:
            writer.write_batch(batch)

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
                self._parquet.ParquetWriter(file, self._schema, use_dictionary=text_columns()) as writer,
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


def _example(column: Column) -> Any:
    """A value of a column's type."""
    if column.values is not None:
        return {"a": _example(column.values)}
    if column.members is not None:
        return {name: _example(member) for name, member in column.members.items()}
    return {"integer": 0, "number": 1.0, "boolean": False, "string": "a"}[column.type]


def _move_aside(partial: Path, path: Path) -> None:
    """Renames what a killed run left, with its manifest. Raises FileExistsError if its process still runs."""
    with suppress(FileNotFoundError), open(partial, "rb") as left:
        if not _lock(left.fileno()):
            raise FileExistsError(_still_written(partial))
        kept = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PARTIAL_SUFFIX}")
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


def _row_groups(arrow: Any, partial: Path) -> Iterator[Any]:
    """The batches of a stream, put together to tables of at least a row group, except for the last."""
    batches: list[Any] = []
    rows = 0
    for batch in stream_batches(arrow, partial):
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


def _replaced(path: Path) -> str:
    return f"{path.name} is another file now: it was removed or replaced while this trace was written"


def _still_written(partial: Path) -> str:
    return f"{partial.name} is being written by another run; give this one another name"


def _write_at(file: Any, data: bytes, place: int) -> int:
    """Writes to a place in a file, as much as it takes; returns how much."""
    if hasattr(os, "pwrite"):  # in one call, which nothing comes in between of
        return os.pwrite(file.fileno(), data, place)
    file.seek(place)
    return int(file.write(data))


def _require_absent(path: Path, fix: str) -> None:
    if os.path.lexists(path):
        raise FileExistsError(f"{path.name} is there already: {fix}")
