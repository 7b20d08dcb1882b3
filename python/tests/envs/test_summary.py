"""What a trace comes to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_receipts import InvalidDocument
from reward_receipts.envs import (
    ComposedReward,
    RegimeReport,
    SumOverflows,
    TraceRecorder,
    mean_of_scored,
    summarise,
)
from reward_receipts.rewards import RewardSpec
from reward_receipts.shape import check
from tier_two import REGISTRY, Rows, Walk, played

SPEC = RewardSpec.from_dict(
    {
        "name": "walk",
        "components": [
            {"type": "upright", "weight": 2.0},
            {"type": "steps", "clip": [-4.0, 5.0]},
            {"type": "verified", "weight": -1.0},
        ],
    }
)
RESOLVED = SPEC.resolve(REGISTRY)


def row(reward: float | None, regime: str | None = None, **members: Any) -> dict[str, Any]:
    """A row of SPEC; ``ends`` says that it ends its episode."""
    ends = members.pop("ends", False)
    return {
        "environment": 0,
        "episode": 0,
        "step": 0,
        "reward": reward,
        "reward_components": {},
        "terminated": ends,
        "truncated": False,
        "regime": regime,
        "regime_boundary": False,
        "spec_digest": RESOLVED.spec_digest,
        "resolved_spec_digest": RESOLVED.digest,
        **members,
    }


TRACE = [
    row(1.0, "calm", reward_components={"upright": 1.0, "verified": 0.0}, regime_boundary=True),
    row(None, "calm"),
    row(4.5, "storm", reward_components={"upright": 0.5, "steps": 4.0, "verified": -0.0}, ends=True),
    row(-1.0, "calm", reward_components={"upright": 0.0, "verified": -1.0}, regime_boundary=True),
    row(None, "calm", truncated=True),
]


def component(report: Any, name: str) -> Any:
    return next(each for each in report.components if each.type == name)


def test_counts_and_totals_are_over_all_rows_and_over_each_regime() -> None:
    report = summarise(TRACE, RESOLVED)
    overall, (calm, storm) = report.overall, report.regimes
    assert [regime.label for regime in (overall, calm, storm)] == [None, "calm", "storm"]
    assert [regime.boundaries for regime in (overall, calm, storm)] == [2, 2, 0]
    assert [regime.episodes for regime in (overall, calm, storm)] == [2, 1, 1]
    assert [regime.scored_steps for regime in (overall, calm, storm)] == [3, 2, 1]
    assert [regime.unscored_steps for regime in (overall, calm, storm)] == [2, 2, 0]
    assert [regime.total for regime in (overall, calm, storm)] == [4.5, 0.0, 4.5]
    assert [regime.mean for regime in (overall, calm, storm)] == [1.5, 0.0, 4.5]


def test_components_stand_in_the_specs_order_with_what_was_due_and_what_was_0() -> None:
    overall = summarise(TRACE, RESOLVED).overall
    found = [(each.type, each.due_steps, each.zero_steps, each.total) for each in overall.components]
    assert found == [("upright", 3, 1, 1.5), ("steps", 1, 0, 4.0), ("verified", 3, 2, -1.0)]


def test_the_ceiling_counts_step_terms_for_scored_steps_and_end_terms_for_scored_ends() -> None:
    overall, (calm, storm) = (report := summarise(TRACE, RESOLVED)).overall, report.regimes
    assert [component(regime, "upright").ceiling for regime in (overall, calm, storm)] == [6.0, 4.0, 2.0]
    assert [component(regime, "steps").ceiling for regime in (overall, calm, storm)] == [5.0, 0.0, 5.0]
    assert [component(regime, "verified").ceiling for regime in (overall, calm, storm)] == [0.0, 0.0, 0.0]
    assert [regime.ceiling for regime in (overall, calm, storm)] == [11.0, 4.0, 7.0]
    assert [regime.gap for regime in (overall, calm, storm)] == [6.5, 4.0, 2.5]
    assert [component(regime, "verified").gap for regime in (overall, calm, storm)] == [1.0, 1.0, 0.0]


def test_an_unbounded_term_makes_the_ceiling_null_and_leaves_that_of_the_others() -> None:
    spec = RewardSpec.from_dict({"name": "x", "components": [{"type": "upright", "clip": None}, {"type": "verified"}]})
    resolved = spec.resolve(REGISTRY)
    digests = {"spec_digest": resolved.spec_digest, "resolved_spec_digest": resolved.digest}
    overall = summarise([row(2.0, reward_components={"upright": 2.0, "verified": 0.0}, **digests)], resolved).overall
    assert (overall.ceiling, overall.gap) == (None, None)
    assert [(each.ceiling, each.gap) for each in overall.components] == [(None, None), (1.0, 1.0)]


def test_rows_without_a_spec_have_totals_and_no_ceiling() -> None:
    own = {"spec_digest": None, "resolved_spec_digest": None}
    report = summarise([row(1.0, **own), row(2.0, reward_components={"speed": 2.0}, **own)])
    assert (report.spec_digest, report.overall.total, report.overall.ceiling) == (None, 3.0, None)
    assert component(report.overall, "speed").total == 2.0
    assert [regime.label for regime in report.regimes] == [None]


def test_an_empty_trace_has_no_total_and_no_mean() -> None:
    overall = summarise([], RESOLVED).overall
    assert (overall.scored_steps, overall.total, overall.mean, overall.gap) == (0, None, None, None)


def test_the_spec_can_be_given_as_written_where_its_components_are_registered() -> None:
    with pytest.raises(InvalidDocument, match=r"compose\.component-unknown"):
        summarise(TRACE, SPEC)


@pytest.mark.parametrize("member", ["spec_digest", "resolved_spec_digest"])
def test_a_row_of_another_spec_is_refused(member: str) -> None:
    other = "sha256:" + "0" * 64
    for spec in (RESOLVED, None):  # without a spec, the first row says which it is
        with pytest.raises(InvalidDocument, match=rf"/{member} trace\.spec-differs .*{other}"):
            summarise([TRACE[0], {**TRACE[0], member: other}], spec)


def test_a_contribution_of_no_term_of_the_spec_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="trace.component-unknown.*luck.*upright"):
        summarise([row(1.0, reward_components={"luck": 1.0})], RESOLVED)


def test_a_sum_that_fits_no_double_is_an_error() -> None:
    own = {"spec_digest": None, "resolved_spec_digest": None}
    with pytest.raises(SumOverflows, match="the total of the trace"):
        summarise([row(1e308, **own), row(1e308, **own)])
    cancelling = [row(0.0, reward_components={"a": 1e308, "b": -1e308}, **own)] * 2
    with pytest.raises(SumOverflows, match='the total of "a"'):
        summarise(cancelling)
    with pytest.raises(SumOverflows, match="the sum"):
        mean_of_scored([1e308, 1e308])


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([1.0, None, -1.0, None], (0.0, 2, 2)),
        ([None], (None, 0, 1)),
        ([], (None, 0, 0)),
        ([0.0, 1.0], (0.5, 2, 0)),
    ],
)
def test_a_mean_is_over_what_is_scored(values: list[float | None], found: tuple[float | None, int, int]) -> None:
    assert mean_of_scored(values) == found


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.none() | st.floats(-9, 9), st.sampled_from(["a", "b", None]), st.booleans()), max_size=20))
def test_the_regimes_add_up_to_the_whole(steps: list[tuple[float | None, str | None, bool]]) -> None:
    trace = [
        row(reward, label, ends=ends, reward_components={} if reward is None else {"upright": reward})
        for reward, label, ends in steps
    ]
    report = summarise(trace, RESOLVED)
    assert check("regime-report", report.model_dump(mode="json")) == ()
    for count in ("boundaries", "episodes", "scored_steps", "unscored_steps"):
        assert getattr(report.overall, count) == sum(getattr(regime, count) for regime in report.regimes)
    assert report.overall.scored_steps + report.overall.unscored_steps == len(steps)
    totals = [regime.total for regime in report.regimes if regime.total is not None]
    assert (report.overall.total or 0.0) == pytest.approx(sum(totals))
    assert sum(regime.ceiling for regime in report.regimes) == pytest.approx(report.overall.ceiling or 0.0)


def test_no_reward_is_above_its_ceiling() -> None:
    sink = Rows()
    env = ComposedReward(Walk(steps=5), SPEC.model_copy(update={"components": SPEC.components[:2]}), registry=REGISTRY)
    played(TraceRecorder(env, sink), 3)
    report = summarise(sink.rows, env.resolved_spec)
    assert report.overall.gap is not None
    assert report.overall.gap >= 0.0
    assert all(each.gap is not None and each.gap >= 0.0 for each in report.overall.components)
    assert RegimeReport.model_validate_json(report.model_dump_json()) == report
