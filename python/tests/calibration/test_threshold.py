"""Thresholds chosen from trials, and simulations: the bound is kept as often as it says; the naive way breaks it."""

from __future__ import annotations

import numpy as np
import pytest
from calibration_corpora import scored
from checkout import script
from reward_receipts.calibration import (
    CalibrationRefused,
    Trials,
    binomial_tail,
    choose_threshold,
    clopper_pearson_upper,
)

coverage = script("bench/coverage")
CORPORA, DELTA, EPSILON, TRIALS, GRID = (
    coverage.CORPORA,
    coverage.DELTA,
    coverage.EPSILON,
    coverage.TRIALS,
    coverage.GRID,
)
LEAST = coverage.LEAST


def test_the_bound_is_kept_as_often_as_it_says_and_the_naive_choice_breaks_it() -> None:
    fixed, learned, loosest, best = coverage.coverage().values()
    assert fixed >= LEAST
    assert learned >= LEAST
    assert learned < 0.995, "it is not kept by being too strict"
    assert loosest < 0.6
    assert best < 0.6


def test_the_vectorised_choice_is_that_of_the_function() -> None:
    counts = coverage.false_accepts()[:20]
    scores = np.random.default_rng(2110).random((CORPORA, TRIALS), dtype=np.float32)[:20]
    for corpus in range(20):
        choice = choose_threshold(
            Trials(scored(*map(float, scores[corpus]))), GRID.tolist(), epsilon=EPSILON, delta=DELTA
        )
        assert [test.false_accepts for test in choice.tests] == counts[corpus][: len(choice.tests)].tolist()
        assert [test.passed for test in choice.tests] == [
            binomial_tail(int(count), TRIALS, EPSILON) <= DELTA for count in counts[corpus][: len(choice.tests)]
        ]
        assert all(test.passed for test in choice.tests[:-1])
        assert not choice.tests[-1].passed


def test_grouped_trials_keep_the_bound_over_groups_and_single_ones_break_it() -> None:
    """60 tasks of 5 trials each that are all accepted or all refused: the trials are 60, not 300."""
    wrong = np.random.default_rng(5).binomial(60, EPSILON, CORPORA)
    groups = np.array([clopper_pearson_upper(k, 60, DELTA) for k in range(61)])[wrong]
    singles = np.array([clopper_pearson_upper(5 * k, 300, DELTA) for k in range(61)])[wrong]
    assert coverage.kept(EPSILON, groups) >= LEAST
    assert coverage.kept(EPSILON, singles) < 0.9


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert lines[-1].startswith("10000 corpora of 300 trials")


def test_the_first_failure_ends_it() -> None:
    """0.7 would pass, but what comes before it does not."""
    trials = Trials(scored(*[0.85] * 100, *[0.1] * 100))
    choice = choose_threshold(trials, [0.9, 0.8, 0.95], epsilon=0.05, delta=0.05)
    assert [(test.threshold, test.passed) for test in choice.tests] == [(0.9, True), (0.8, False)]
    assert choice.threshold == 0.9
    assert choice.passed == (0.9,)
    assert choose_threshold(trials, [0.8, 0.9], epsilon=0.05, delta=0.05).threshold is None


def test_a_group_counts_by_its_highest_score() -> None:
    rows = [{**row, "group_id": f"g{index // 2}"} for index, row in enumerate(scored(*[0.1, 0.9] * 60))]
    choice = choose_threshold(Trials(rows), [0.95, 0.9], epsilon=0.05, delta=0.05)
    assert [(test.false_accepts, test.trials) for test in choice.tests] == [(0, 60), (60, 60)]


def test_negative_scores_are_scores() -> None:
    choice = choose_threshold(Trials(scored(*[-3.0] * 100)), [-1.0, -3.0], epsilon=0.05, delta=0.05)
    assert [test.false_accepts for test in choice.tests] == [0, 100]


@pytest.mark.parametrize(
    ("thresholds", "said"),
    [([], "there are 0 thresholds"), ([0.5, 0.5], "0.5 is there twice"), ([float("nan")], "a threshold is nan")],
)
def test_thresholds_that_cannot_be_tested(thresholds: list[float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        choose_threshold(Trials(scored(0.1)), thresholds, epsilon=0.05, delta=0.05)


def test_decisions_have_no_threshold() -> None:
    trials = Trials([{"trial_id": "a", "should_accept": False, "accepted": False, "fault_class": "x"}])
    with pytest.raises(ValueError, match="the trials have decisions"):
        choose_threshold(trials, [0.5], epsilon=0.05, delta=0.05)
    with pytest.raises(CalibrationRefused):
        choose_threshold(Trials(scored()), [0.5], epsilon=0.05, delta=0.05)
