"""The exact upper confidence bound on a probability, from a count of errors in independent trials."""

from __future__ import annotations

import math
from typing import Final

from ..core.extras import extra_module
from ..core.findings import shown
from ..core.generated.tables import MAX_POLICY_UPDATE
from ..core.numbers import finite_double, plain_integer

_MOST: Final = MAX_POLICY_UPDATE
"""2**53 - 1: above it not every integer is a double."""


def clopper_pearson_upper(false_accepts: int, trials: int, delta: float) -> float:
    """The exact one-sided upper bound on P(false accept) at confidence 1 - delta.

    If each of ``trials`` independent trials should have been refused and ``false_accepts`` of them were accepted, then
    P(false accept) is at most this bound with probability 1 - delta or more, over the draw of the trials.

    Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    binomial", Biometrika 26 (1934), 404-413. With k false accepts in n trials it is the 1 - delta quantile of
    Beta(k + 1, n - k), which is ``scipy.special.betainccinv(k + 1, n - k, delta)``: SciPy's inverse of the complement,
    so that ``delta`` is used as given and 1 - delta is never computed. For k = 0 it is 1 - delta**(1 / n), which needs
    no SciPy. For k = n it is 1.0, which bounds nothing.

    Raises ValueError for counts that are not integers with 0 <= false_accepts <= trials and trials >= 1, and for a
    delta that is not between 0 and 1; ModuleNotFoundError where k > 0 and SciPy is not installed.

        >>> round(clopper_pearson_upper(0, 261, 0.05), 7)
        0.0114123
    """
    count, number = _counts(false_accepts, trials)
    level = require_probability(delta, "delta")
    if count == number:
        return 1.0
    if count == 0:
        return -math.expm1(math.log(level) / number)
    special = extra_module("scipy.special", "a bound with false accepts")
    return float(special.betainccinv(count + 1.0, float(number - count), level))


def binomial_tail(false_accepts: int, trials: int, probability: float) -> float:
    """P(X <= false_accepts) for X binomial over ``trials`` with ``probability`` of success.

    It is the p-value of the hypothesis that P(false accept) exceeds ``probability``. Computed as
    ``scipy.special.betainc(n - k, k + 1, 1 - p)`` by way of its complement ``betaincc(k + 1, n - k, p)``.

    Raises as ``clopper_pearson_upper`` does.
    """
    count, number = _counts(false_accepts, trials)
    chance = require_probability(probability, "probability")
    if count == number:
        return 1.0
    if count == 0:
        return math.exp(number * math.log1p(-chance))
    special = extra_module("scipy.special", "the p-value of a threshold")
    return float(special.betaincc(count + 1.0, float(number - count), chance))


def trials_needed(epsilon: float, delta: float, false_accepts: int = 0) -> int:
    """The fewest trials whose bound is at most ``epsilon`` at confidence 1 - delta, with that many false accepts.

    Raises ValueError for an epsilon or delta that is not between 0 and 1, a negative count, and where more than
    9007199254740991 trials would be needed.

        >>> trials_needed(0.05, 0.05)
        59
    """
    limit = require_probability(epsilon, "epsilon")
    count = plain_integer(false_accepts)
    if count is None or not 0 <= count < _MOST:
        raise ValueError(f"false_accepts is {shown(false_accepts)}; expected an integer from 0")
    low, high = count, count + 1
    while clopper_pearson_upper(count, high, delta) > limit:
        if high == _MOST:
            raise ValueError(f"epsilon {limit} needs more than {_MOST} trials")
        low, high = high, min(2 * high, _MOST)
    while high - low > 1:  # low does not do, high does
        middle = (low + high) // 2
        if clopper_pearson_upper(count, middle, delta) > limit:
            low = middle
        else:
            high = middle
    return high


def require_probability(value: float, name: str) -> float:
    """``value`` as a double between 0 and 1, both left out. Raises ValueError, which names it."""
    number = finite_double(value, name)
    if not 0.0 < number < 1.0:
        raise ValueError(f"{name} is {shown(value)}; expected a number above 0 and below 1")
    return number


def _counts(false_accepts: int, trials: int) -> tuple[int, int]:
    count, number = plain_integer(false_accepts), plain_integer(trials)
    if number is None or not 1 <= number <= _MOST:
        raise ValueError(f"trials is {shown(trials)}; expected an integer from 1 to {_MOST}")
    if count is None or not 0 <= count <= number:
        raise ValueError(f"false_accepts is {shown(false_accepts)}; expected an integer from 0 to {number}, the trials")
    return count, number
