"""The rows of a trace as Arrow columns: numbers in flat lists, names once for all rows that have the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

from .row import SCALARS, Layout, Parts

MAPS: Final = ("reward_components", "reward_detail")
DICTIONARIES: Final = [
    "regime",
    "spec_digest",
    "resolved_spec_digest",
    "reward_components.key_value.key",
    "reward_detail.key_value.key",
    "reward_detail.key_value.value.zero",
    "reward_detail.key_value.value.terms.key_value.key",
]
"""The columns in which few values come again and again."""


class Columns:
    """Rows taken apart: flat lists, and for each row its layout, by number. They are little for a collector."""

    def __init__(self) -> None:
        self._layouts: dict[Layout, int] = {}
        self._layout: Layout | None = None  # of the last row, and its number
        self._number = -1
        self._rows: list[int] = []  # the layout of each
        self._scalars: list[Any] = []  # row after row
        self._contributions: list[float] = []
        self._raws: list[float | None] = []
        self._zeros: list[str | None] = []
        self._values: list[float] = []  # of the sub-terms

    @property
    def rows(self) -> int:
        """How many rows are held."""
        return len(self._rows)

    def append(self, parts: Parts) -> None:
        scalars, layout, contributions, raws, zeros, values = parts
        try:
            if layout != self._layout:  # that of the row before, most often, and to compare is less than to hash
                self._layout, self._number = layout, self._layouts.setdefault(layout, len(self._layouts))
            self._scalars += scalars
            self._contributions += contributions
            self._raws += raws
            self._zeros += zeros
            self._values += values
            self._rows.append(self._number)
        except BaseException:  # an interrupt in the middle of a row must not set the columns apart
            self._cut()
            raise

    def _cut(self) -> None:
        """Drops what was taken of a row that was not taken whole."""
        sizes = [(len(names), len(types), sum(map(len, parts))) for names, types, parts in self._layouts]
        whole = [sizes[number] for number in self._rows]
        contributions, terms, values = map(sum, zip(*whole, strict=True)) if whole else (0, 0, 0)
        del self._scalars[len(self._rows) * len(SCALARS) :], self._contributions[contributions:]
        del self._raws[terms:], self._zeros[terms:], self._values[values:]

    def batch(self, arrow: Any, schema: Any) -> Any:
        """The rows as a RecordBatch."""
        import numpy as np

        self._cut()  # where a signal's handler ends the trace in the middle of a row
        double, text = arrow.float64(), arrow.string()
        rows = np.array(self._rows, dtype=np.intp)
        columns = {
            name: arrow.array(self._scalars[place :: len(SCALARS)], schema.field(name).type)
            for place, name in enumerate(SCALARS)
        }
        layouts = list(self._layouts)
        names = [names for names, _, _ in layouts]
        columns["reward_components"] = _map(
            arrow, _lengths(names)[rows], _texts(arrow, names, rows), arrow.array(self._contributions, double)
        )
        types = [types for _, types, _ in layouts]
        sub_lengths = [[*map(len, parts)] if parts else [0] * len(types) for _, types, parts in layouts]
        terms = _map(
            arrow,
            np.array([*chain.from_iterable(sub_lengths)], dtype=np.intp)[_places(sub_lengths, rows)],
            _texts(arrow, [tuple(chain.from_iterable(parts)) for _, _, parts in layouts], rows),
            arrow.array(self._values, double),
        )
        fields = list(schema.field("reward_detail").type.item_type)
        details = arrow.StructArray.from_arrays(
            [arrow.array(self._raws, double), arrow.array(self._zeros, text), terms], fields=fields
        )
        columns["reward_detail"] = _map(arrow, _lengths(types)[rows], _texts(arrow, types, rows), details)
        return arrow.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


def _lengths(each: Sequence[Sequence[Any]]) -> Any:
    import numpy as np

    return np.array([*map(len, each)], dtype=np.intp)


def _places(each: Sequence[Sequence[Any]], rows: Any) -> Any:
    """Where, in all that the layouts have one after another, that of each row stands, row after row."""
    import numpy as np

    lengths = _lengths(each)
    starts = np.cumsum(lengths) - lengths
    own = lengths[rows]  # of each row
    before = np.cumsum(own) - own
    return np.arange(own.sum()) + np.repeat(starts[rows] - before, own)


def _texts(arrow: Any, each: Sequence[Sequence[str]], rows: Any) -> Any:
    """The names of each row, row after row."""
    names = arrow.array([*chain.from_iterable(each)], arrow.string())
    return names.take(arrow.array(_places(each, rows)))


def _map(arrow: Any, lengths: Any, names: Any, values: Any) -> Any:
    import numpy as np

    ends = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=ends[1:])
    return arrow.MapArray.from_arrays(arrow.array(ends), names, values)
