"""The two formats of trace files: their suffixes, names, and what the writer and the reader of Parquet share."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
PARQUET_SUFFIX: Final = ".parquet"
PARTIAL_SUFFIX: Final = ".partial"
"""The suffix of an unfinished Parquet trace, which is an Arrow stream."""
_UNFINISHED: Final = re.compile(r"(\.parquet)(\.[0-9a-f]{8})?\.partial", re.IGNORECASE)


def partial_path(path: Path) -> Path:
    """The file that holds the rows of a Parquet trace until it is closed."""
    return path.with_name(f"{path.name}{PARTIAL_SUFFIX}")


def trace_name(name: str) -> str:
    """The name that a trace has in its manifest: an unfinished one there has the name that it was to get."""
    return _UNFINISHED.sub(r"\1", name) if name.endswith(PARTIAL_SUFFIX) else name


def is_unfinished(name: str) -> bool:
    """Whether a file is an unfinished Parquet trace, by its name."""
    return _UNFINISHED.search(name) is not None


def unfinished(name: str) -> str | None:
    """The file that has the rows of a Parquet trace that was not closed; None if the trace itself is there."""
    if os.path.splitext(name)[1].lower() != PARQUET_SUFFIX or os.path.exists(name):
        return None
    partial = str(partial_path(Path(name)))
    return partial if os.path.exists(partial) else None


def load_pyarrow() -> tuple[Any, Any]:
    try:
        pyarrow = import_module("pyarrow")
        parquet = import_module("pyarrow.parquet")
    except ImportError as error:  # not there, or built for another NumPy
        why = "" if isinstance(error, ModuleNotFoundError) else f" ({error})"
        raise ModuleNotFoundError(
            f"a trace in Parquet needs pyarrow: pip install 'reward-receipts[envs]'{why}", name=error.name
        ) from None
    return pyarrow, parquet


def stream_batches(arrow: Any, partial: str | os.PathLike[str]) -> Iterator[Any]:
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


def unknown_suffix(name: str) -> str:
    return f"{name} is not a trace by its name: {', '.join(LINES_SUFFIXES)} is JSON Lines, {PARQUET_SUFFIX} is Parquet"
