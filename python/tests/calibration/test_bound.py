"""The bound of Clopper and Pearson, against known values, SciPy and two other formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from reward_receipts.calibration import binomial_tail, clopper_pearson_upper, plan, trials_needed, updates_until
from scipy import stats

KNOWN = {
    (0, 261): 0.0114123,
    (0, 15): 0.181036,
    (0, 18): 0.153318,
    (0, 300): 0.009936,
    (62, 300): 0.248885,
    (6, 48): 0.231882,
    (23, 36): 0.771452,
}
"""At delta 0.05; those of the specification, and others to six digits."""

PUBLISHED = {(682, 925): 0.7654066, (2, 100): 0.07038393, (4, 100): 0.09925716}
"""Upper ends of two-sided 95 % intervals, so at delta 0.025: the examples of R's binom.test and its package binom."""


@pytest.mark.parametrize("counts", KNOWN)
def test_known_values(counts: tuple[int, int]) -> None:
    assert clopper_pearson_upper(*counts, 0.05) == pytest.approx(KNOWN[counts], abs=1e-6)


@pytest.mark.parametrize("counts", PUBLISHED)
def test_published_values(counts: tuple[int, int]) -> None:
    assert clopper_pearson_upper(*counts, 0.025) == pytest.approx(PUBLISHED[counts], abs=5e-8)


def cases(count: int, most: int) -> list[tuple[int, int, float]]:
    random = np.random.default_rng(13)
    trials = np.exp(random.uniform(0, math.log(most), count)).astype(int)
    wrong = (random.random(count) ** 3 * trials).astype(int)
    deltas = np.exp(random.uniform(math.log(1e-6), math.log(0.5), count))
    return [(int(k), int(n), float(d)) for k, n, d in zip(wrong, trials, deltas, strict=True)]


def test_10000_random_cases_agree_with_two_other_formulas() -> None:
    """With the quantile of F, and with the binomial tail: at the bound, P(X <= k) is delta."""
    chosen = cases(10_000, 100_000)
    bounds = np.array([clopper_pearson_upper(*case) for case in chosen])
    wrong, trials, deltas = (np.array(column) for column in zip(*chosen, strict=True))
    assert np.count_nonzero(wrong) > 3000
    ratio = (wrong + 1) * stats.f.isf(deltas, 2 * (wrong + 1), 2 * (trials - wrong)) / (trials - wrong)
    np.testing.assert_allclose(bounds, ratio / (1 + ratio), rtol=1e-8)
    np.testing.assert_allclose(stats.binom.cdf(wrong, trials, bounds), deltas, rtol=1e-7)


@pytest.mark.slow
def test_10000_random_cases_agree_with_binomtest() -> None:
    for wrong, trials, delta in cases(10_000, 1000):
        interval = stats.binomtest(wrong, trials, alternative="less").proportion_ci(1 - delta, method="exact")
        assert clopper_pearson_upper(wrong, trials, delta) == pytest.approx(interval.high, rel=1e-6)


def test_exact_fractions_bracket_the_bound() -> None:
    for wrong, trials, delta in cases(200, 60):
        bound = Fraction(clopper_pearson_upper(wrong, trials, delta))
        below, above = bound * (1 - Fraction(1, 10**9)), bound * (1 + Fraction(1, 10**9))
        assert tail(wrong, trials, below) > Fraction(delta) > tail(wrong, trials, min(above, Fraction(1)))


def tail(wrong: int, trials: int, chance: Fraction) -> Fraction:
    return sum((math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(wrong + 1)), Fraction(0))


def test_the_tail_is_that_of_scipy() -> None:
    for wrong, trials, chance in cases(500, 10_000):
        expected = stats.binom.cdf(wrong, trials, chance)
        assert binomial_tail(wrong, trials, chance) == pytest.approx(expected, rel=1e-7, abs=1e-300)
    assert binomial_tail(5, 5, 0.1) == 1.0


def test_delta_is_used_as_given() -> None:
    """1 - (1 - delta) is 0 for a delta below 1e-16, and its bound would be 1."""
    tiny = clopper_pearson_upper(3, 10_000, 1e-20)
    assert stats.binom.cdf(3, 10_000, tiny) == pytest.approx(1e-20, rel=1e-6)
    assert clopper_pearson_upper(0, 10_000, 1e-20) == pytest.approx(-math.expm1(math.log(1e-20) / 10_000))


def test_nothing_is_bounded_if_everything_is_accepted() -> None:
    assert clopper_pearson_upper(7, 7, 0.05) == 1.0


def test_the_extremes() -> None:
    assert 0 < clopper_pearson_upper(0, 2**53 - 1, 0.05) < 1e-15
    assert 0.5 < clopper_pearson_upper(2**52, 2**53 - 1, 0.05) < 0.50001
    assert clopper_pearson_upper(np.int64(6), np.int32(48), np.float64(0.05)) == clopper_pearson_upper(6, 48, 0.05)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((-1, 10, 0.05), "false_accepts is -1"),
        ((11, 10, 0.05), "false_accepts is 11; expected an integer from 0 to 10"),
        ((True, 10, 0.05), "false_accepts is true"),
        ((1.0, 10, 0.05), "false_accepts is 1.0"),
        ((0, 0, 0.05), "trials is 0"),
        ((0, 2**53, 0.05), "trials is 9007199254740992"),
        ((0, 10, 0.0), "delta is 0.0"),
        ((0, 10, 1), "delta is 1"),
        ((0, 10, math.nan), "delta is nan"),
        ((0, 10, "0.05"), "delta is a str"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[Any, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        clopper_pearson_upper(*arguments)


def test_trials_needed_is_the_fewest() -> None:
    for wrong, _, delta in cases(200, 100):
        for epsilon in (0.5, 0.05, 0.003):
            needed = trials_needed(epsilon, delta, wrong)
            assert clopper_pearson_upper(wrong, needed, delta) <= epsilon
            assert needed == wrong + 1 or clopper_pearson_upper(wrong, needed - 1, delta) > epsilon


def test_a_plan_has_a_row_for_each_number_of_errors() -> None:
    assert [(row.false_accepts, row.trials) for row in plan(0.05, 0.05)] == [
        (0, 59), (1, 93), (2, 124), (3, 153), (4, 181), (5, 208)
    ]  # fmt: skip
    assert all(row.epsilon <= 0.05 for row in plan(0.05, 0.05))
    with pytest.raises(ValueError, match="needs more than"):
        trials_needed(1e-17, 0.05)


@pytest.mark.parametrize(
    "wrong", [lambda: plan(1.5, 0.05), lambda: plan(0.05, 0.0), lambda: trials_needed(0.1, 0.1, -1)]
)
def test_a_plan_of_nonsense_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        wrong()


def test_updates_until_a_drifting_policy_reaches_the_limit() -> None:
    assert updates_until(0.05, 0.0114123, 0.001) == 39  # 0.0114 + 38 * 0.001 is below, + 39 * 0.001 is above
    assert updates_until(0.05, 0.06, 0.001) == 0
    assert updates_until(0.05, 0.05, 0.001) == 1
    with pytest.raises(ValueError, match="drift is 0"):
        updates_until(0.05, 0.01, 0)
