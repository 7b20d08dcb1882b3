"""How many trials a bound needs, before any of them is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .bound import clopper_pearson_upper, trials_needed


class PlannedTrials(NamedTuple):
    """The fewest trials that should be refused for a bound of epsilon, if that many of them are accepted."""

    false_accepts: int
    trials: int
    epsilon: float
    """The bound that these give: at most the epsilon that was asked for."""


def plan(epsilon: float, delta: float, false_accepts: Iterable[int] = range(6)) -> tuple[PlannedTrials, ...]:
    """The trials that are needed for P(false accept) <= epsilon at confidence 1 - delta, by the errors among them.

    The number of trials is fixed before the first is made: whoever goes on until the bound is met has no such bound.
    Raises ValueError for an epsilon or delta that is not between 0 and 1, and as ``trials_needed`` does.

        >>> plan(0.05, 0.05, [0])[0].trials
        59
    """
    rows = []
    for count in false_accepts:
        trials = trials_needed(epsilon, delta, count)
        rows.append(PlannedTrials(count, trials, clopper_pearson_upper(count, trials, delta)))
    return tuple(rows)
