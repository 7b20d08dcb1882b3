"""Traces in files: rows as JSON Lines or Parquet, written as they come and read back strictly.

A row is checked before it is written. The suffix says the format: .jsonl and .ndjson, or .parquet.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import accumulate, chain
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Final, Protocol, Self

from ..catalogue import sentence
from ..findings import Finding, InvalidDocument, InvalidText, Path, shown
from ..sources import Text, Unread, texts
from ..text import read_json
from .rows import REQUIRED, SCALARS, SCHEMA_VERSION, Parts, Row, completed, required_parts, required_row, row_findings

LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
PARQUET_SUFFIX: Final = ".parquet"
_CHUNK: Final = 10_000
"""Rows that a writer holds at most before they go to the file; in Parquet, the rows of a row group."""
_VERSION_KEY: Final = b"reward-receipts.schema_version"
_MAPS: Final = ("reward_components", "reward_detail")
_DICTIONARIES: Final = [
    "regime",
    "spec_digest",
    "resolved_spec_digest",
    "reward_components.key_value.key",
    "reward_detail.key_value.key",
    "reward_detail.key_value.value.zero",
    "reward_detail.key_value.value.terms.key_value.key",
]
"""The columns in which few values come again and again."""


class TraceWriter(Protocol):
    """Takes the rows of a trace. A sink of one's own needs no more than these."""

    @property
    def path(self) -> FilePath | None:
        """The file; None where there is none, and no manifest is written beside it."""

    def write(self, row: Row) -> None:
        """Takes a row. Raises InvalidDocument where it does not hold."""

    def flush(self) -> None:
        """Hands over what is held."""

    def close(self) -> None:
        """Ends the trace. A second time does nothing."""


def open_trace(path: str | os.PathLike[str], *, overwrite: bool = False) -> JsonLinesTrace | ParquetTrace:
    """A writer of a new trace, JSON Lines or Parquet by the suffix.

    Raises ValueError for another suffix, FileExistsError where the file is there and ``overwrite`` is not given, and
    ModuleNotFoundError for Parquet without pyarrow.
    """
    path = FilePath(path)
    suffix = path.suffix.lower()
    if suffix in LINES_SUFFIXES:
        return JsonLinesTrace(path, overwrite=overwrite)
    if suffix == PARQUET_SUFFIX:
        return ParquetTrace(path, overwrite=overwrite)
    raise ValueError(_unknown(str(path)))


class _Writer(ABC):
    """What both writers share: they can be closed twice, and used as a context."""

    def __init__(self, path: FilePath) -> None:
        self._path = path
        self._closed = False

    @property
    def path(self) -> FilePath:
        """The file."""
        return self._path

    @property
    def closed(self) -> bool:
        """Whether the trace is ended."""
        return self._closed

    @abstractmethod
    def close(self) -> None:
        """Ends the trace. A second time does nothing."""

    def _require_open(self) -> None:
        if self._closed:
            raise ValueError(f"the trace {self._path.name} is closed; open_trace() begins another")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class JsonLinesTrace(_Writer):
    """Rows as JSON Lines. They go to the file in whole lines, so that a crash leaves whole lines."""

    def __init__(self, path: FilePath, *, overwrite: bool = False) -> None:
        super().__init__(path)
        self._file = open(path, "wb" if overwrite else "xb", buffering=0)  # noqa: SIM115 - close() closes it
        self._lines: list[str] = []

    def write(self, row: Row) -> None:
        """Takes a row. Raises InvalidDocument where it does not hold, ValueError where the trace is closed."""
        self._require_open()
        self._lines.append(json.dumps(required_row(row), allow_nan=False, separators=(",", ":")))
        if len(self._lines) >= _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Writes the lines that are held."""
        self._require_open()
        if self._lines:
            data = memoryview(("\n".join(self._lines) + "\n").encode())
            while data:
                data = data[self._file.write(data) :]
            self._lines.clear()

    def close(self) -> None:
        """Writes the lines that are held and closes the file. A second time does nothing."""
        if not self._closed:
            try:
                self.flush()
            finally:
                self._closed = True
                self._file.close()


class ParquetTrace(_Writer):
    """Rows as Parquet, in row groups, in a file that gets its name when it is whole.

    Until then it is called ``NAME.partial``. Terms are columns of type map, so that every trace has the same schema,
    whatever its spec, and keeps the order of the terms.
    """

    def __init__(self, path: FilePath, *, overwrite: bool = False) -> None:
        super().__init__(path)
        self._arrow, parquet = _pyarrow()
        self._partial = path.with_name(f"{path.name}.partial")
        self._overwrite = overwrite
        if not overwrite:
            _require_absent(path, "give another name, or overwrite=True")
            _require_absent(
                self._partial,
                "a run writes it, or was cut off; where none does, remove it, or give overwrite=True",
            )
        self._schema = _schema(self._arrow)
        self._writer: Any = parquet.ParquetWriter(str(self._partial), self._schema, use_dictionary=_DICTIONARIES)
        self._columns = _Columns()

    def write(self, row: Row) -> None:
        """Takes a row. Raises InvalidDocument where it does not hold, ValueError where the trace is closed."""
        self._require_open()
        columns = self._columns
        columns.append(required_parts(row))
        if columns.rows >= _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Writes the rows that are held, as a row group."""
        self._require_open()
        if self._columns.rows:
            columns, self._columns = self._columns, _Columns()
            self._writer.write_batch(columns.batch(self._arrow, self._schema))

    def close(self) -> None:
        """Writes the rows that are held, ends the file and gives it its name. A second time does nothing.

        Raises FileExistsError where another file has taken the name in between; the rows stay in ``NAME.partial``.
        """
        if self._closed:
            return
        try:
            self.flush()
        finally:
            self._closed = True
            self._writer.close()
        if not self._overwrite:
            _require_absent(self.path, f"the rows are in {self._partial.name}; rename it")
        os.replace(self._partial, self.path)


class _Columns:
    """Rows taken apart; for the maps, flat lists and how many entries each row has in them."""

    def __init__(self) -> None:
        self.rows = 0
        self._scalars: list[Any] = []  # row after row
        self._names: list[Collection[str]] = []
        self._contributions: list[float] = []
        self._detail_names: list[Collection[str]] = []
        self._raws: list[float | None] = []
        self._zeros: list[str | None] = []
        self._terms: list[tuple[int, list[tuple[str, float]]]] = []

    def append(self, parts: Parts) -> None:
        scalars, names, contributions, (detail_names, raws, zeros, terms) = parts
        try:
            if terms:
                before = len(self._raws)
                self._terms += [(before + place, list(each.items())) for place, each in terms]
            self._scalars += scalars
            self._names.append(names)
            self._contributions += contributions
            self._detail_names.append(detail_names)
            self._raws += raws
            self._zeros += zeros
            self.rows += 1
        except BaseException:  # an interrupt in the middle of a row must not set the columns apart
            self._cut()
            raise

    def _cut(self) -> None:
        """Drops what was taken of a row that was not taken whole."""
        del self._scalars[self.rows * len(SCALARS) :], self._names[self.rows :], self._detail_names[self.rows :]
        del self._contributions[sum(map(len, self._names)) :]
        entries = sum(map(len, self._detail_names))
        del self._raws[entries:], self._zeros[entries:]
        while self._terms and self._terms[-1][0] >= entries:
            self._terms.pop()

    def batch(self, arrow: Any, schema: Any) -> Any:
        """The rows as a RecordBatch."""
        text, double = arrow.string(), arrow.float64()

        def maps(lengths: list[int], names: Iterable[str], values: Any) -> Any:
            ends = arrow.array(list(accumulate(lengths, initial=0)), arrow.int32())
            return arrow.MapArray.from_arrays(ends, arrow.array(list(names), text), values)

        sub_terms = [entry for _, each in self._terms for entry in each]
        values = arrow.array([value for _, value in sub_terms], double)
        if sub_terms:
            lengths = [0] * len(self._raws)
            for place, each in self._terms:
                lengths[place] = len(each)
            terms = maps(lengths, [name for name, _ in sub_terms], values)
        else:
            ends = arrow.repeat(arrow.scalar(0, arrow.int32()), len(self._raws) + 1)
            terms = arrow.MapArray.from_arrays(ends, arrow.array([], text), values)
        details = arrow.StructArray.from_arrays(
            [arrow.array(self._raws, double), arrow.array(self._zeros, text), terms], fields=list(_detail_type(arrow))
        )
        detail_names, names = self._detail_names, self._names
        columns = {
            name: arrow.array(self._scalars[place :: len(SCALARS)], schema.field(name).type)
            for place, name in enumerate(SCALARS)
        }
        columns["reward_components"] = maps(
            list(map(len, names)), chain.from_iterable(names), arrow.array(self._contributions, double)
        )
        columns["reward_detail"] = maps(list(map(len, detail_names)), chain.from_iterable(detail_names), details)
        return arrow.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


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
        return f"{self.text.name}:{self.text.line}"

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
            missing = [column for column in REQUIRED if column not in file.schema_arrow.names]
            if missing:
                raise Unread(name, f"{name} is no trace: it lacks the column {', '.join(missing)}")
            number = 0
            for batch in file.iter_batches(batch_size=1000):
                for value in batch.to_pylist():
                    number += 1
                    text = Text(name, b"", number)
                    try:
                        yield _judged(text, plain_json(_unmapped(value), ()))
                    except InvalidDocument as error:
                        entry = TraceEntry(text, None, ())
                        faults = (entry.finding(each.code, each.sentence, each.path) for each in error.findings)
                        yield replace(entry, findings=tuple(faults))
    except arrow.ArrowException as error:
        raise Unread(name, f"cannot read {name} as Parquet: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise Unread(name, f"cannot read {name}: {error.strerror or error}") from None


def _unmapped(row: Row) -> Row:
    """A row of Arrow values as plain JSON: a map, which comes as a list of pairs, is an object."""
    for name in _MAPS:
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
    return f"{name} is no trace by its name: {', '.join(LINES_SUFFIXES)} is JSON Lines, {PARQUET_SUFFIX} is Parquet"
