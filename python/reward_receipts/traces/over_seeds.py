"""One number over seeds: the interquartile mean, and how sure it is.

The method is that of Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the Statistical Precipice" (the
library ``rliable``): the interquartile mean with percentile intervals of a stratified bootstrap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

METHOD: Final = "interquartile mean; 95 % percentile interval of a stratified bootstrap (Agarwal et al. 2021)"
DRAWS: Final = 2000
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class OverSeeds:
    """A number over seeds. ``low`` and ``high`` are None with fewer than two scores, and ``undefined`` says why."""

    value: float | None
    low: float | None
    high: float | None
    count: int
    """Scores that it is taken over."""
    left_out: int
    """Scores that are undefined, and in nothing here."""
    undefined: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "count": self.count,
            "left_out": self.left_out,
            "undefined": self.undefined,
        }


def interquartile_mean(scores: Sequence[float]) -> float:
    """The mean of the scores without the floor(n / 4) lowest and the floor(n / 4) highest of them.

    Equal to ``scipy.stats.trim_mean(scores, 0.25)``. Of fewer than four scores it is their mean. Raises ValueError
    without scores and for one that is not finite.

    >>> interquartile_mean([0.0, 1.0, 2.0, 100.0])
    1.5
    """
    if not scores or not all(map(isfinite, scores)):
        raise ValueError("an interquartile mean needs at least one score, and finite ones")
    cut = len(scores) // 4
    kept = sorted(scores)[cut : len(scores) - cut]
    return sum(kept) / len(kept)


def over_seeds(
    scores: Sequence[float | None] | Mapping[str, Sequence[float | None]],
    *,
    draws: int = DRAWS,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> OverSeeds:
    """The interquartile mean of the scores of seeds, with its interval; None is a score that is undefined.

    A mapping gives the scores of each stratum (a regime, say): each is drawn from by itself, with replacement, as many
    as it has, and the interquartile mean is taken over all that were drawn. The interval goes from the
    (1 - confidence) / 2 quantile of ``draws`` such means to the one as far from the other end. The same scores and
    ``seed`` give the same interval. Needs NumPy.

    >>> over_seeds([1.0, 2.0, 3.0]).value
    2.0
    """
    strata = list(scores.values()) if isinstance(scores, Mapping) else [scores]
    given = [[score for score in stratum if score is not None] for stratum in strata]
    left_out = sum(len(stratum) for stratum in strata) - sum(map(len, given))
    every = [score for stratum in given for score in stratum]
    if not every:
        return OverSeeds(None, None, None, 0, left_out, "no seed has a value")
    value = interquartile_mean(every)
    if len(every) < 2:
        return OverSeeds(value, None, None, 1, left_out, "one seed has no interval")
    low, high = _interval([stratum for stratum in given if stratum], draws, confidence, seed)
    return OverSeeds(value, low, high, len(every), left_out)


def _interval(strata: Sequence[Sequence[float]], draws: int, confidence: float, seed: int) -> tuple[float, float]:
    import numpy

    random = numpy.random.default_rng(seed)
    drawn = numpy.concatenate(
        [numpy.asarray(stratum)[random.integers(0, len(stratum), (draws, len(stratum)))] for stratum in strata], axis=1
    )
    drawn.sort(axis=1)
    cut = drawn.shape[1] // 4
    means = drawn[:, cut : drawn.shape[1] - cut].mean(axis=1)
    outside = (1 - confidence) / 2
    low, high = numpy.quantile(means, [outside, 1 - outside])
    return float(low), float(high)
