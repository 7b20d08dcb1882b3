"""Summaries of traces."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_receipts import InvalidDocument
from reward_receipts.envs import (
    ComposedReward,
    RegimeReport,
    SumOverflows,
    TooManyRegimes,
    TraceRecorder,
    TraceSummary,
    mean_of_scored,
    summarise,
)
from reward_receipts.rewards import Cadence, Registry, RewardSpec
from reward_receipts.rewards.engines.plain import compose_raw
from reward_receipts.traces import summary
from reward_receipts.validation.check import check
from tier_two import REGISTRY, Rows, Verified, Walk, played

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
STEPS = itertools.count()


def row(reward: float | None, regime: str | None = None, **members: Any) -> dict[str, Any]:
    """A row of SPEC; ``ends`` says that it ends its episode."""
    ends = members.pop("ends", False)
    return {
        "environment": 0,
        "episode": 0,
        "step": next(STEPS),
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


def test_components_are_in_the_specs_order_with_what_was_due_and_what_was_0() -> None:
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
    trace = [row(2.0, reward_components={"upright": 2.0, "verified": 0.0}, **digests), row(None, "storm", **digests)]
    report = summarise(trace, resolved)
    assert [(each.ceiling, each.gap) for each in report.regimes[1].components] == [(None, None), (0.0, 0.0)]
    overall = report.overall
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
    cancelling = [row(0.0, reward_components={"a": 1e308, "b": -1e308}, **own) for _ in range(2)]
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


@settings(max_examples=40)
@given(st.lists(st.tuples(st.none() | st.floats(-9, 2), st.sampled_from(["a", "b", None]), st.booleans()), max_size=20))
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


bounds = st.tuples(st.floats(-3, 3), st.floats(-3, 3)).map(sorted)
weights = st.floats(-3, 3) | st.sampled_from([0.1, 0.2, 0.3, 0.7])
raw_values = st.lists(st.tuples(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.booleans()), max_size=30)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(weights, bounds, st.sampled_from(Cadence)), min_size=1, max_size=4),
    st.booleans(),
    raw_values,
)
def test_no_total_of_the_engine_is_above_its_ceiling_however_the_sums_round(
    terms: list[tuple[float, list[float], Cadence]], gated: bool, steps: list[tuple[list[float], bool]]
) -> None:
    components: dict[str, Any] = {}
    for place, (_, _, cadence) in enumerate(terms):
        components[f"c{place}"] = type("Given", (Verified,), {"name": f"c{place}", "cadence": cadence})
    gates = [{"component": "c0", "requires": "c1"}] if gated and len(terms) > 1 else []
    each = [{"type": f"c{place}", "weight": weight, "clip": clip} for place, (weight, clip, _) in enumerate(terms)]
    resolved = RewardSpec.from_dict({"name": "x", "components": each, "gates": gates}).resolve(Registry(components))
    digests = {"spec_digest": resolved.spec_digest, "resolved_spec_digest": resolved.digest}
    trace = []
    for shares, ends in steps:  # where in its range each raw value lies; a share of 1 is the bound
        values = [
            min(low + share * (high - low), high) if weight >= 0 else max(high - share * (high - low), low)
            for share, (weight, (low, high), _) in zip(shares, terms, strict=False)
        ]
        contributions, total = compose_raw(resolved, values, ends, 0)
        due = {name: value for name, value in zip(resolved.names, contributions, strict=True) if value is not None}
        trace.append(row(total, reward_components=due, ends=ends, **digests))
    overall = summarise(trace, resolved).overall
    assert all(each.gap is not None and each.gap >= 0.0 for each in overall.components)
    assert overall.gap is None or overall.gap >= 0.0
    assert (overall.gap is None) == (trace == [])


def test_a_policy_at_the_ceiling_has_a_gap_of_exactly_0() -> None:
    spec = RewardSpec.from_dict({"name": "x", "components": [{"type": "upright", "weight": 0.1}, {"type": "verified"}]})
    resolved = spec.resolve(REGISTRY)
    digests = {"spec_digest": resolved.spec_digest, "resolved_spec_digest": resolved.digest}
    trace = [row(0.1 + 1.0, reward_components={"upright": 0.1, "verified": 1.0}, **digests) for _ in range(1000)]
    overall = summarise(trace, resolved).overall
    assert [overall.gap, *(each.gap for each in overall.components)] == [0.0] * 3


def test_a_reward_that_its_contributions_do_not_add_up_to_is_refused() -> None:
    components = {"upright": 1.0, "verified": -0.5}
    for spec in (RESOLVED, None):
        with pytest.raises(InvalidDocument, match=r"/reward trace\.reward-differs The reward is 50\.0; .* 0\.5"):
            summarise([row(50.0, reward_components=components)], spec)
    with pytest.raises(InvalidDocument, match=r"trace\.reward-differs"):
        summarise([row(50.0)], RESOLVED)  # nor are they left out
    own = {"spec_digest": None, "resolved_spec_digest": None}
    assert summarise([row(50.0, reward_components=components, **own)]).overall.total == 50.0  # of no spec


def test_the_sum_is_in_the_specs_order() -> None:
    values = {"upright": 0.1, "steps": 0.2, "verified": -0.3}
    total = 0.1 + 0.2 + -0.3
    assert total != 0.2 + -0.3 + 0.1
    assert summarise([row(total, reward_components=values, ends=True)], RESOLVED).overall.total == total
    turned = {name: values[name] for name in ("steps", "verified", "upright")}
    assert summarise([row(total, reward_components=turned, ends=True)], RESOLVED).overall.total == total


def test_a_contribution_above_its_terms_bound_is_refused() -> None:
    with pytest.raises(InvalidDocument, match=r'exceeds-ceiling "upright" contributed 2\.5; .* 2\.0 at most'):
        summarise([row(2.5, reward_components={"upright": 2.5})], RESOLVED)


@pytest.mark.parametrize(
    ("places", "refused"),
    [
        ([(0, 0, 0), (0, 0, 1), (0, 0, 1)], True),
        ([(0, 0, 1), (0, 0, 0)], True),
        ([(0, 1, 0), (0, 0, 1)], True),
        ([(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 1, 0), (0, 2, 0)], False),
    ],
)
def test_a_row_that_was_there_or_comes_too_late_is_refused(places: list[tuple[int, ...]], refused: bool) -> None:
    trace = [
        row(0.0, environment=environment, episode=episode, step=step, reward_components={"upright": 0.0})
        for environment, episode, step in places
    ]
    if refused:
        with pytest.raises(InvalidDocument, match=r"/step trace\.row-repeated"):
            summarise(trace, RESOLVED)
    else:
        assert summarise(trace, RESOLVED).overall.scored_steps == len(trace)


def test_more_regimes_than_a_report_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "_MOST_REGIMES", 2)
    trace = [row(None, str(label)) for label in range(3)]
    with pytest.raises(TooManyRegimes, match="more than 2 regimes"):
        summarise(trace, RESOLVED)


def test_the_report_of_a_run_reads_back() -> None:
    sink = Rows()
    env = ComposedReward(Walk(steps=5), SPEC.model_copy(update={"components": SPEC.components[:2]}), registry=REGISTRY)
    played(TraceRecorder(env, sink), 3)
    report = summarise(sink.rows, env.resolved_spec)
    assert RegimeReport.model_validate_json(report.model_dump_json()) == report


def statistics(report: Any) -> list[tuple[Any, ...]]:
    """Count, left out, mean, min and max of returns and of lengths."""
    return [
        (each.count, each.left_out, each.mean, each.min, each.max)
        for summary in (report.overall, *report.regimes)
        for each in (summary.returns, summary.lengths)
    ]


def steps_of(episode: int, *rewards: float | None, ends: bool = True, **members: Any) -> list[dict[str, Any]]:
    own = {"spec_digest": None, "resolved_spec_digest": None, "episode": episode, **members}
    return [
        row(reward, **{"step": place, "ends": ends and place == len(rewards) - 1, **own})
        for place, reward in enumerate(rewards)
    ]


def test_returns_and_lengths_are_over_finished_episodes_alone() -> None:
    trace = [*steps_of(0, 0.5, 0.5), *steps_of(1, 1.0, 1.0, 1.0), *steps_of(2, 100.0, ends=False)]
    report = summarise(trace)
    assert statistics(report)[:2] == [(2, 0, 2.0, 1.0, 3.0), (2, 0, 2.5, 2.0, 3.0)]


def test_no_finished_episode_has_no_mean() -> None:
    assert statistics(summarise(steps_of(0, 1.0, ends=False)))[:2] == [(0, 0, None, None, None)] * 2


def test_an_episode_with_a_step_that_has_no_reward_or_no_row_has_no_return() -> None:
    gap = [each for each in steps_of(2, 1.0, 7.0, 1.0) if each["step"] != 1]
    first = [each for each in steps_of(3, 7.0, 1.0) if each["step"]]
    report = summarise([*steps_of(0, 1.0), *steps_of(1, 1.0, None, 1.0), *gap, *first])
    assert statistics(report)[:2] == [(1, 3, 1.0, 1.0, 1.0), (4, 0, 2.25, 1.0, 3.0)]
    assert (report.overall.unscored_steps, report.overall.missing_steps) == (1, 2)


def test_an_episode_across_regimes_counts_in_neither_and_the_one_it_ended_in_says_so() -> None:
    trace = [*steps_of(0, 1.0, regime="calm"), *steps_of(1, 1.0, 2.0, regime="calm"), *steps_of(2, 4.0, regime="storm")]
    trace[2]["regime"] = "storm"
    assert statistics(summarise(trace)) == [
        (3, 0, 8.0 / 3, 1.0, 4.0),
        (3, 0, 4.0 / 3, 1.0, 2.0),
        (1, 0, 1.0, 1.0, 1.0),
        (1, 0, 1.0, 1.0, 1.0),
        (1, 1, 4.0, 4.0, 4.0),
        (1, 1, 1.0, 1.0, 1.0),
    ]


def test_each_environment_has_its_own_episode() -> None:
    first, second = steps_of(0, 1.0, 1.0), steps_of(0, 5.0, 5.0, environment=1)
    trace = [each for pair in zip(first, second, strict=True) for each in pair]
    assert statistics(summarise(trace))[0] == (2, 0, 6.0, 2.0, 10.0)


def test_evaluation_rows_count_in_nothing_else() -> None:
    training, evaluation = steps_of(0, 1.0), steps_of(1, 9.0, regime="calm", evaluation=True)
    report = summarise([*training, *evaluation])
    assert report.evaluation is not None
    assert (report.overall.total, report.evaluation.overall.total) == (1.0, 9.0)
    assert [regime.label for regime in report.regimes] == [None]
    assert [regime.label for regime in report.evaluation.regimes] == ["calm"]
    assert summarise(training).evaluation is None


def test_rows_of_several_specs_have_a_summary_and_a_ceiling_each() -> None:
    other = RewardSpec.from_dict({"name": "walk", "components": [{"type": "upright", "weight": 4.0}]}).resolve(REGISTRY)
    digests = {"spec_digest": other.spec_digest, "resolved_spec_digest": other.digest}
    trace = [
        row(1.0, reward_components={"upright": 1.0, "verified": 0.0}),
        row(3.0, reward_components={"upright": 3.0}, episode=1, ends=True, **digests),
    ]
    report = summarise(trace, (RESOLVED, other))
    assert report.spec_digest is None
    assert [stage.spec_digest for stage in report.stages] == [RESOLVED.spec_digest, other.spec_digest]
    assert [(stage.summary.total, stage.summary.ceiling) for stage in report.stages] == [(1.0, 2.0), (3.0, 4.0)]
    assert (report.overall.total, report.overall.ceiling) == (4.0, 6.0)
    with pytest.raises(InvalidDocument, match="trace is read as one of"):
        summarise(trace, RESOLVED)


def test_a_restart_counts_anew_and_keeps_the_episode_that_goes_on() -> None:
    summary = TraceSummary()
    one, two = steps_of(0, 1.0, 2.0)
    summary.add(one)
    summary.restart()
    assert summary.report().overall.total is None
    assert summary.add(two) == ()
    assert summary.report().overall.total == 2.0
    assert statistics(summary.report())[0] == (1, 0, 3.0, 3.0, 3.0)
    assert summary.add(two) != ()
