"""Learning curves of a trace: its training rows cut into visits of regimes, and each visit into windows of steps.

Works on columns, so that a Parquet trace of any length is read in bounded memory: what is kept grows with the number of
windows, not of rows. Needs NumPy; Parquet needs Arrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

from ..bulk.files import Unread
from ..core.findings import shown
from .columns import REQUIRED, SCHEMA_VERSION
from .formats import PARQUET_SUFFIX, is_unfinished, load_pyarrow, stream_batches, unfinished
from .read import read_trace
from .row import Row

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]
    Integers = NDArray[numpy.int64]
    Flags = NDArray[numpy.bool_]

DEFAULT_WINDOW: Final = 1000
"""The steps of a window if nothing else is asked for."""
_MOST_VISITS: Final = 100_000
_BATCH: Final = 65_536
_ROWS: Final = 4096
"""Rows of JSON Lines that are put into columns at once."""
COLUMNS: Final = (
    "environment",
    "episode",
    "step",
    "reward",
    "terminated",
    "truncated",
    "evaluation",
    "regime",
    "reward_components",
)
"""The columns of a trace that curves are made of; others are not read."""


class TraceOutOfOrder(ValueError):
    """A row does not come after the row before it in its environment."""


class TooManyVisits(ValueError):
    """The regime of a trace changes more often than can be kept."""


@dataclass
class Columns:
    """Some rows of a trace in order, one array for each column; all arrays have one entry for each row."""

    environment: Integers
    episode: Integers
    step: Integers
    reward: Floats
    """NaN for a step that is unscored."""
    ends: Flags
    evaluation: Flags
    regime: Integers
    """The place of the regime in ``labels``."""
    labels: Sequence[str | None]
    components: Mapping[str, tuple[Integers, Floats]]
    """For each component the rows at which it was due, and what it contributed there."""

    def __len__(self) -> int:
        return len(self.step)


class Windows:
    """Sums and counts of one number in consecutive windows."""

    def __init__(self) -> None:
        numpy = _numpy()
        self.sums: Floats = numpy.zeros(0)
        self.counts: Floats = numpy.zeros(0)

    def add(self, windows: Integers, values: Floats) -> None:
        """Adds values to the windows with these numbers; ``windows`` must not be negative."""
        if not len(windows):
            return
        numpy = _numpy()
        first = int(windows.min())
        size = int(windows.max()) + 1
        if size > len(self.sums):
            grown = max(size, len(self.sums) * 2) if size > 64 else size
            self.sums = numpy.concatenate([self.sums, numpy.zeros(grown - len(self.sums))])
            self.counts = numpy.concatenate([self.counts, numpy.zeros(grown - len(self.counts))])
        shifted = windows - first
        self.sums[first:size] += numpy.bincount(shifted, values, size - first)
        self.counts[first:size] += numpy.bincount(shifted, minlength=size - first)

    @property
    def total(self) -> float:
        """The sum of all values."""
        return float(self.sums.sum())

    @property
    def count(self) -> int:
        """How many values there are."""
        return int(self.counts.sum())

    def means(self) -> list[float | None]:
        """The mean of each window up to the last that has a value; None for one without."""
        used = _numpy().flatnonzero(self.counts)
        end = int(used[-1]) + 1 if len(used) else 0
        pairs = zip(self.sums[:end].tolist(), self.counts[:end].tolist(), strict=True)
        return [total / count if count else None for total, count in pairs]


@dataclass
class Visit:
    """The training rows between two changes of the regime."""

    label: str | None
    """The regime; None if the rows name none."""
    steps: int = 0
    """Rows of all environments."""
    length: int = 0
    """Steps of the environment with the most of them."""
    ended: int = 0
    """Episodes that ended in it."""
    rewards: Windows = field(default_factory=Windows)
    """The rewards of the scored steps."""
    returns: Windows = field(default_factory=Windows)
    """The returns of the episodes that were in it from their first step to their last, in the window of the last."""
    components: dict[str, Windows] = field(default_factory=dict)
    """The contributions of each component at the steps at which it was due."""


@dataclass
class EvaluationPoint:
    """The evaluation episodes in one regime between two training steps."""

    training_steps: int
    """Training rows before them in the file."""
    regime: str | None
    returns: list[float] = field(default_factory=list)


@dataclass
class _Place:
    """One environment, as of its last row."""

    last: tuple[int, int] = (-1, -1)
    label: Any = ...
    visit: int = -1
    in_visit: int = 0
    total: float = 0.0
    is_whole: bool = False
    is_open: bool = False
    opened: int = -1


class Curves:
    """Collects curves from columns, in the order of the rows of each environment.

    Rows of several environments may alternate or follow one after another; the nth visit of each counts into the nth
    visit of all, and windows count the steps of one environment. ``window`` is the number of steps in a window. Raises
    ValueError for a window below 1.
    """

    def __init__(self, window: int = DEFAULT_WINDOW) -> None:
        if type(window) is not int or window < 1:
            raise ValueError(f"a window is at least 1 step, not {window!r}")
        self.window = window
        self.visits: list[Visit] = []
        self.evaluations: list[EvaluationPoint] = []
        self.rows = 0
        self.unscored = 0
        self._places: dict[tuple[int, bool], _Place] = {}
        self._trained = 0

    def next_part(self) -> None:
        """Notes that what follows is another file, in which episodes may be counted anew."""
        for place in self._places.values():
            place.last = (-1, -1)
            place.is_open = False

    def add(self, columns: Columns) -> None:
        """Takes rows. Raises TraceOutOfOrder, TooManyVisits, and ValueError for a reward that is not finite."""
        numpy = _numpy()
        if numpy.isinf(columns.reward).any():
            raise ValueError("a reward in the trace is infinite")
        trained = numpy.cumsum(~columns.evaluation) + self._trained
        one = len(columns) > 0 and bool((columns.environment == columns.environment[0]).all())
        environments = columns.environment[:1] if one else numpy.unique(columns.environment)
        for evaluation in (False, True):
            kind = columns.evaluation if evaluation else ~columns.evaluation
            if not kind.any():
                continue
            for environment in environments.tolist():
                here = kind if one else kind & (columns.environment == environment)
                if here.all():
                    chosen: Any = slice(None)
                else:
                    chosen = numpy.flatnonzero(here)
                    if not len(chosen):
                        continue
                place = self._places.setdefault((environment, evaluation), _Place())
                if evaluation:
                    self._evaluate(place, environment, columns, chosen, trained)
                else:
                    self._train(place, environment, columns, chosen)
        if len(columns):
            self._trained = int(trained[-1])
        self.rows += len(columns)

    def _train(self, place: _Place, environment: int, columns: Columns, chosen: Any) -> None:
        numpy = _numpy()
        regime, reward = columns.regime[chosen], columns.reward[chosen]
        size = len(regime)
        changes = numpy.flatnonzero(regime[1:] != regime[:-1]) + 1
        starts = [0, *changes.tolist()]
        visits = numpy.empty(size, numpy.int64)
        windows = numpy.empty(size, numpy.int64)
        for start, end in pairwise([*starts, size]):
            label = columns.labels[int(regime[start])]
            if place.label is ... or label != place.label:
                place.label, place.visit, place.in_visit = label, place.visit + 1, 0
            visit = self._visit(place.visit, label)
            visits[start:end] = place.visit
            windows[start:end] = numpy.arange(place.in_visit, place.in_visit + end - start) // self.window
            place.in_visit += end - start
            visit.steps += end - start
            visit.length = max(visit.length, place.in_visit)
            scored = ~numpy.isnan(reward[start:end])
            visit.rewards.add(windows[start:end][scored], reward[start:end][scored])
            self.unscored += int((~scored).sum())
        ends = columns.ends[chosen]
        for last, total, is_whole in _episodes(place, environment, columns, chosen, visits):
            ended = last[ends[last]]
            counted, totals = last[ends[last] & is_whole], total[ends[last] & is_whole]
            for number, mine in _runs(visits[ended]):
                self.visits[number].ended += mine.stop - mine.start
            for number, mine in _runs(visits[counted]):
                self.visits[number].returns.add(windows[counted[mine]], totals[mine])
        self._components(columns, chosen, visits, windows)

    def _components(self, columns: Columns, chosen: Any, visits: Integers, windows: Integers) -> None:
        numpy = _numpy()
        if not columns.components:
            return
        position: Any = None
        if not isinstance(chosen, slice):
            position = numpy.full(len(columns), -1, numpy.int64)
            position[chosen] = numpy.arange(len(chosen))
        for name, (rows, values) in columns.components.items():
            places = rows if position is None else position[rows]
            if position is not None:
                mine = places >= 0
                places, values = places[mine], values[mine]
            for number, run in _runs(visits[places]):
                collected = self.visits[number].components.setdefault(name, Windows())
                collected.add(windows[places[run]], values[run])

    def _evaluate(self, place: _Place, environment: int, columns: Columns, chosen: Any, trained: Integers) -> None:
        regime, ends, before = columns.regime[chosen], columns.ends[chosen], trained[chosen]
        for last, total, is_whole in _episodes(place, environment, columns, chosen, regime):
            for row, value, whole in zip(last.tolist(), total.tolist(), is_whole.tolist(), strict=True):
                if not (ends[row] and whole):
                    continue
                key = (int(before[row]), columns.labels[int(regime[row])])
                point = self.evaluations[-1] if self.evaluations else None
                if point is None or (point.training_steps, point.regime) != key:
                    point = EvaluationPoint(*key)
                    self.evaluations.append(point)
                point.returns.append(value)

    def _visit(self, number: int, label: str | None) -> Visit:
        if number >= _MOST_VISITS:
            raise TooManyVisits(f"the regime of the trace changes more than {_MOST_VISITS:,} times")
        if number == len(self.visits):
            self.visits.append(Visit(label))
        visit = self.visits[number]
        if visit.label != label:
            raise TraceOutOfOrder(
                f"visit {number} of the environments is {_shown(visit.label)} in one and {_shown(label)} in another: "
                "they have different schedules; measure them apart"
            )
        return visit


def _runs(numbers: Integers) -> Iterator[tuple[int, slice]]:
    """Where each number is in an array in which equal numbers are side by side."""
    if not len(numbers):
        return
    edges = [0, *(_numpy().flatnonzero(numbers[1:] != numbers[:-1]) + 1).tolist(), len(numbers)]
    for start, end in pairwise(edges):
        yield int(numbers[start]), slice(start, end)


def _episodes(
    place: _Place, environment: int, columns: Columns, chosen: Any, group: Integers
) -> Iterator[tuple[Integers, Floats, Flags]]:
    """Of each episode in the rows: its last row here, the sum so far, and whether it is whole and in one group."""
    numpy = _numpy()
    episode, step, reward = columns.episode[chosen], columns.step[chosen], columns.reward[chosen]
    ends = columns.ends[chosen]
    _require_order(place, environment, episode, step)
    begins = numpy.empty(len(step), bool)
    begins[1:] = episode[1:] != episode[:-1]
    begins[0] = not (place.is_open and place.last[0] == int(episode[0]))
    continued = not begins[0]
    begins[0] = True
    firsts = numpy.flatnonzero(begins)
    lasts = numpy.append(firsts[1:], len(step)) - 1
    totals = numpy.add.reduceat(reward, firsts)
    whole = (step[lasts] - step[firsts] == lasts - firsts) & (group[lasts] == group[firsts])
    if continued:
        totals[0] += place.total
        whole[0] &= place.is_whole and int(step[0]) == place.last[1] + 1 and int(group[0]) == place.opened
        whole[1:] &= step[firsts[1:]] == 0
    else:
        whole &= step[firsts] == 0
    whole &= ~numpy.isnan(totals)
    place.last = (int(episode[-1]), int(step[-1]))
    place.is_open = not bool(ends[-1])
    place.total, place.is_whole, place.opened = float(totals[-1]), bool(whole[-1]), int(group[-1])
    yield lasts, totals, whole


def _require_order(place: _Place, environment: int, episode: Integers, step: Integers) -> None:
    numpy = _numpy()
    same = episode[1:] == episode[:-1]
    wrong = (episode[1:] < episode[:-1]) | (same & (step[1:] <= step[:-1]))
    if wrong.any():
        at = int(numpy.flatnonzero(wrong)[0])
        raise _out_of_order(environment, (int(episode[at]), int(step[at])), (int(episode[at + 1]), int(step[at + 1])))
    first = (int(episode[0]), int(step[0]))
    if first <= place.last:
        raise _out_of_order(environment, place.last, first)


def _out_of_order(environment: int, before: tuple[int, int], now: tuple[int, int]) -> TraceOutOfOrder:
    return TraceOutOfOrder(
        f"environment {environment}: episode {now[0]}, step {now[1]} follows episode {before[0]}, step {before[1]}; "
        "expected rows in the order in which they were taken, each once"
    )


def read_curves(traces: Sequence[str | os.PathLike[str]], *, window: int = DEFAULT_WINDOW) -> Curves:
    """The curves of one run, whose rows may be in several files: of its environments, or of its parts in order.

    JSON Lines and Parquet can be mixed. Raises Unread if a file cannot be read or is not a trace, InvalidDocument for a
    row in JSON Lines that is not valid, and as ``Curves.add``.
    """
    curves = Curves(window)
    for trace in traces:
        curves.next_part()
        for columns in trace_columns(trace):
            curves.add(columns)
    return curves


def trace_columns(trace: str | os.PathLike[str]) -> Iterator[Columns]:
    """The rows of a trace as columns, some at a time. Raises as ``read_curves``."""
    name = os.fspath(trace)
    if os.path.splitext(name)[1].lower() == PARQUET_SUFFIX or is_unfinished(name):
        yield from _arrow_columns(name)
        return
    rows = read_trace(name)
    while some := list(islice(rows, _ROWS)):
        yield columns_of(some)


def columns_of(rows: Sequence[Row]) -> Columns:
    """Rows as ``read_trace`` gives them, as columns."""
    numpy = _numpy()
    labels: dict[str | None, int] = {}
    components: dict[str, tuple[list[int], list[float]]] = {}
    for place, row in enumerate(rows):
        for name, value in row["reward_components"].items():
            places, values = components.setdefault(name, ([], []))
            places.append(place)
            values.append(value)
    nan = float("nan")
    return Columns(
        environment=numpy.array([row["environment"] for row in rows], numpy.int64),
        episode=numpy.array([row["episode"] for row in rows], numpy.int64),
        step=numpy.array([row["step"] for row in rows], numpy.int64),
        reward=numpy.array([nan if row["reward"] is None else row["reward"] for row in rows], float),
        ends=numpy.array([row["terminated"] or row["truncated"] for row in rows], bool),
        evaluation=numpy.array([row["evaluation"] for row in rows], bool),
        regime=numpy.array([labels.setdefault(row["regime"], len(labels)) for row in rows], numpy.int64),
        labels=list(labels),
        components={
            name: (numpy.array(places, numpy.int64), numpy.array(values, float))
            for name, (places, values) in components.items()
        },
    )


def _arrow_columns(name: str) -> Iterator[Columns]:
    arrow, parquet = load_pyarrow()
    partial = name if is_unfinished(name) else unfinished(name)
    try:
        if partial is not None:
            for batch in stream_batches(arrow, partial):
                yield _from_batch(arrow, name, batch)
            return
        with parquet.ParquetFile(name, read_dictionary=["regime"]) as file:
            names = file.schema_arrow.names
            missing = [column for column in REQUIRED if column not in names]
            if missing:
                raise Unread(name, f"{name} is not a trace: it lacks the column {', '.join(missing)}")
            version = (
                (file.schema_arrow.metadata or {})
                .get(b"reward-receipts.schema_version", b"")
                .decode("ascii", "replace")
            )
            if version not in ("", SCHEMA_VERSION):
                raise Unread(name, f"{name} is of version {shown(version)}; expected {SCHEMA_VERSION}")
            columns = [each for each in COLUMNS if each in names]
            for groups in _row_groups(file.metadata):
                # Less memory and less time than iter_batches, which reads ahead in threads.
                table = file.read_row_groups(groups, columns=columns, use_threads=False)
                for batch in table.to_batches(max_chunksize=_BATCH):
                    yield _from_batch(arrow, name, batch)
    except arrow.ArrowException as error:
        raise Unread(name, f"cannot read {name} as Parquet: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise Unread(name, f"cannot read {name}: {error.strerror or error}") from None


def _row_groups(metadata: Any) -> Iterator[list[int]]:
    """Row groups side by side with up to _BATCH rows together; a larger one is alone."""
    groups: list[int] = []
    rows = 0
    for place in range(metadata.num_row_groups):
        size = metadata.row_group(place).num_rows
        if groups and rows + size > _BATCH:
            yield groups
            groups, rows = [], 0
        groups.append(place)
        rows += size
    if groups:
        yield groups


def _from_batch(arrow: Any, name: str, batch: Any) -> Columns:
    numpy = _numpy()
    size = batch.num_rows

    def integers(column: str) -> Integers:
        _require_no_null(name, column, batch.column(column))
        found: Integers = batch.column(column).to_numpy()
        return found

    def flags(column: str) -> Flags:
        if column not in batch.schema.names:
            absent: Flags = numpy.zeros(size, bool)
            return absent
        _require_no_null(name, column, batch.column(column))
        found: Flags = batch.column(column).to_numpy(zero_copy_only=False)
        return found

    labels: list[str | None] = [None]
    regime = numpy.zeros(size, numpy.int64)
    if "regime" in batch.schema.names:
        coded = batch.column("regime")
        if not arrow.types.is_dictionary(coded.type):
            coded = coded.dictionary_encode()
        labels = [*coded.dictionary.to_pylist(), None]
        regime = coded.indices.fill_null(len(labels) - 1).to_numpy(zero_copy_only=False).astype(numpy.int64)
    reward = batch.column("reward")
    return Columns(
        environment=integers("environment"),
        episode=integers("episode"),
        step=integers("step"),
        reward=reward.to_numpy(zero_copy_only=False).astype(float, copy=False),
        ends=flags("terminated") | flags("truncated"),
        evaluation=flags("evaluation"),
        regime=regime,
        labels=labels,
        components=_component_columns(arrow, batch) if "reward_components" in batch.schema.names else {},
    )


def _component_columns(arrow: Any, batch: Any) -> dict[str, tuple[Integers, Floats]]:
    numpy = _numpy()
    column = batch.column("reward_components")
    offsets = column.offsets.to_numpy()
    start, end = int(offsets[0]), int(offsets[-1])
    if start == end:
        return {}
    keys = column.keys.slice(start, end - start)
    if not arrow.types.is_dictionary(keys.type):
        keys = keys.dictionary_encode()
    names = keys.dictionary.to_pylist()
    codes = keys.indices.to_numpy(zero_copy_only=False)
    values = column.items.slice(start, end - start).to_numpy(zero_copy_only=False)
    size = len(names)
    rows = len(offsets) - 1
    if size and len(codes) == rows * size and (codes.reshape(rows, size) == codes[:size]).all():
        table = values.reshape(rows, size)  # each term at each step, in one order, as most traces have them
        every = numpy.arange(rows)
        return {names[int(code)]: (every, table[:, place]) for place, code in enumerate(codes[:size])}
    of_row = numpy.repeat(numpy.arange(rows), numpy.diff(offsets))
    found: dict[str, tuple[Integers, Floats]] = {}
    for code, component in enumerate(names):
        mine = codes == code
        if mine.any():
            found[component] = (of_row[mine], values[mine])
    return found


def _require_no_null(name: str, column: str, values: Any) -> None:
    if values.null_count:
        raise Unread(name, f"{name} is not a valid trace: the column {column} has a null")


def _shown(label: str | None) -> str:
    return "none" if label is None else shown(label)


@cache
def _numpy() -> Any:
    try:
        return import_module("numpy")
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "curves and measures of a trace need NumPy: pip install 'reward-receipts[envs]'", name="numpy"
        ) from None
