"""A trace in the formats of other programs: CSV, and the event files of TensorBoard."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from .columns import COLUMNS
from .curves import read_curves
from .measures import measure
from .read import read_trace
from .row import Row


def write_csv(trace: str | os.PathLike[str], output: str | os.PathLike[str]) -> int:
    """Writes every row of a trace to a new CSV file. Returns how many.

    A component is two columns, ``contribution.NAME`` and ``raw.NAME``; a value that is not there is empty, never 0. The
    trace is read twice: first for the names of the components. Raises FileExistsError, and as ``read_trace``.
    """
    names: dict[str, None] = {}
    for row in read_trace(trace):
        names.update(dict.fromkeys((*row["reward_components"], *row["reward_detail"])))
    plain = [name for name, column in COLUMNS.items() if column.values is None]
    heads = [*plain, *(f"contribution.{name}" for name in names), *(f"raw.{name}" for name in names)]
    count = 0
    with open(output, "x", encoding="utf-8", newline="") as file:
        try:
            writer = csv.writer(file)
            writer.writerow(heads)
            for row in read_trace(trace):
                writer.writerow([*_cells(row, plain), *_components(row, names)])
                count += 1
        except BaseException:
            file.close()
            os.unlink(output)
            raise
    return count


def _cells(row: Row, plain: Sequence[str]) -> Iterator[str]:
    for name in plain:
        value = row[name]
        yield "" if value is None else str(value).lower() if isinstance(value, bool) else _text(value)


def _text(value: Any) -> str:
    """A number with all its digits; a text as it is, in a form that no spreadsheet takes for a formula."""
    if isinstance(value, str):
        return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
    return repr(value)


def _components(row: Row, names: Mapping[str, None]) -> Iterator[str]:
    for name in names:
        value = row["reward_components"].get(name)
        yield "" if value is None else repr(value)
    for name in names:
        raw = row["reward_detail"].get(name, {}).get("raw")
        yield "" if raw is None else repr(raw)


def scalars(traces: Sequence[str | os.PathLike[str]], *, window: int) -> Iterator[tuple[str, int, float]]:
    """The curves of a run as scalars: name, training step of one environment at the end of the window, and value.

    ``return`` and ``reward`` are means of windows, ``components/NAME`` means of contributions, ``regime/visit`` the
    number of the visit. A window without a value has no scalar.
    """
    curves = read_curves(traces, window=window)
    start = 0
    for visit, returns in zip(curves.visits, measure(curves), strict=True):
        each = {
            "return": list(returns.curve),
            "reward": visit.rewards.means(),
            **{f"components/{name}": windows.means() for name, windows in visit.components.items()},
        }
        for name, values in each.items():
            for place, value in enumerate(values):
                if value is not None:
                    yield name, start + min((place + 1) * window, visit.length), value
        yield "regime/visit", start + visit.length, float(returns.visit)
        start += visit.length


def write_tensorboard(traces: Sequence[str | os.PathLike[str]], folder: str | os.PathLike[str], *, window: int) -> int:
    """Writes the scalars of a run as an event file in a new folder. Returns how many. Needs tensorboard."""
    try:
        events = import_module("tensorboard.summary.writer.event_file_writer")
        event = import_module("tensorboard.compat.proto.event_pb2")
        summary = import_module("tensorboard.compat.proto.summary_pb2")
    except ImportError as error:
        raise ModuleNotFoundError(
            "an export to TensorBoard needs tensorboard: pip install tensorboard", name=error.name
        ) from None
    found = list(scalars(traces, window=window))
    Path(folder).mkdir()
    writer = events.EventFileWriter(str(folder))
    for name, step, value in found:
        said = summary.Summary(value=[summary.Summary.Value(tag=name, simple_value=value)])
        writer.add_event(event.Event(wall_time=0.0, step=step, summary=said))
    writer.close()
    return len(found)
