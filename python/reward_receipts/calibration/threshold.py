"""Choosing a checker's threshold without breaking the bound: Learn then Test, with fixed-sequence testing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..core.codes import CodedSentence, sentence
from ..core.findings import shown
from ..core.numbers import finite_double
from .bound import binomial_tail, require_probability
from .measurement import GroupBy, faulty_units, grouping_of
from .trials import Trials

_MOST_THRESHOLDS: Final = 10_000


class ThresholdTest(NamedTuple):
    """The test of one threshold: whether P(false accept) there is shown to be at most epsilon."""

    threshold: float
    false_accepts: int
    trials: int
    p_value: float
    """P(that few false accepts or fewer) if P(false accept) were epsilon."""
    passed: bool
    accepted_controls: int
    controls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdChoice:
    """The thresholds that were tested, in their order, up to the first that failed."""

    threshold: float | None
    """The last one that passed; None if the first one failed already."""
    epsilon: float
    """What P(false accept) is at most, at every threshold that passed; not the bound of its counts, which is lower."""
    delta: float
    """The probability, as it was asked for, that any of those that passed does not keep to epsilon."""
    tests: tuple[ThresholdTest, ...]

    @property
    def passed(self) -> tuple[float, ...]:
        """Every threshold that passed. A contract may name any of them."""
        return tuple(test.threshold for test in self.tests if test.passed)

    def to_dict(self) -> dict[str, Any]:
        """The choice as plain JSON."""
        return {
            "threshold": self.threshold,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "tests": [test._asdict() for test in self.tests],
        }


def choose_threshold(
    trials: Trials, thresholds: Sequence[float], *, epsilon: float, delta: float, group_by: GroupBy | None = None
) -> ThresholdChoice:
    """The last of some thresholds, tested in their order, at which P(false accept) <= epsilon at confidence 1 - delta.

    Whoever takes the best threshold by the trials and then computes its bound from the same trials has no bound. Here
    each threshold is a hypothesis, P(false accept) > epsilon. They are tested in the order given, each at level delta,
    up to the first that is not rejected: then the probability that any of those that passed is wrong is at most delta.
    The order, and the thresholds themselves, must not depend on the trials: give a grid, the strictest first.

    Source: Angelopoulos, Bates, Candes, Jordan, Lei, "Learn then Test: Calibrating Predictive Algorithms to Achieve
    Risk Control", 2021, arXiv:2110.01052: fixed-sequence testing, with the exact binomial p-value.

    Raises ValueError for trials without scores, for no thresholds, more than 10,000, or one that is there twice, and
    for an epsilon or delta that is not between 0 and 1; CalibrationRefused as ``measure`` does.

        choice = choose_threshold(trials, [0.99, 0.95, 0.9, 0.8], epsilon=0.05, delta=0.05)
    """
    limit, level = require_probability(epsilon, "epsilon"), require_probability(delta, "delta")
    if not trials.scored:
        raise ValueError("the trials have decisions; a threshold is chosen from scores")
    if not 0 < len(thresholds) <= _MOST_THRESHOLDS:
        raise ValueError(f"there are {len(thresholds)} thresholds; expected 1 to {_MOST_THRESHOLDS}")
    numbers = [finite_double(each, "a threshold") for each in thresholds]
    if len(set(numbers)) < len(numbers):
        repeated = next(each for each in numbers if numbers.count(each) > 1)
        raise ValueError(f"the threshold {shown(repeated)} is there twice")
    grouping_of(trials, group_by)
    highest = sorted(max(trial.score or 0.0 for trial in unit) for unit in faulty_units(trials, group_by))
    controls = sorted(trial.score or 0.0 for trial in trials if trial.should_accept)
    tests: list[ThresholdTest] = []
    for threshold in numbers:
        accepted = len(highest) - bisect_left(highest, threshold)
        p_value = binomial_tail(accepted, len(highest), limit)
        good = len(controls) - bisect_left(controls, threshold)
        tests.append(ThresholdTest(threshold, accepted, len(highest), p_value, p_value <= level, good, len(controls)))
        if p_value > level:
            break
    passed = [test.threshold for test in tests if test.passed]
    return ThresholdChoice(threshold=passed[-1] if passed else None, epsilon=limit, delta=level, tests=tuple(tests))


def none_passed(choice: ThresholdChoice) -> CodedSentence:
    """The refusal of a choice of which no threshold passed."""
    first = choice.tests[0]
    return sentence(
        "calibration.no-threshold-passed",
        epsilon=choice.epsilon,
        delta=choice.delta,
        threshold=first.threshold,
        p_value=f"{first.p_value:.6g}",
    )
