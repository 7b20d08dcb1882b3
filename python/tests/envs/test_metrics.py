"""Running metrics."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from reward_receipts import InvalidDocument
from reward_receipts.envs import (
    ComposedReward,
    EpisodeMetrics,
    RegimeSchedule,
    TraceRecorder,
    read_trace,
    summarise,
)
from tier_two import REGISTRY, SPEC, Plain, Walk, played


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_the_metrics_of_a_run_are_the_summary_of_its_trace(tmp_path: Path, suffix: str) -> None:
    composed = ComposedReward(Walk(steps=4), SPEC, registry=REGISTRY)
    env = EpisodeMetrics(
        TraceRecorder(RegimeSchedule(composed, [(0, "calm"), (6, "storm")]), tmp_path / f"trace{suffix}")
    )
    played(env, 3)
    env.close()
    report = env.report()
    assert report == summarise(read_trace(tmp_path / f"trace{suffix}"), composed.resolved_spec)
    assert [regime.label for regime in report.regimes] == ["calm", "storm"]
    assert (report.overall.scored_steps, report.overall.episodes) == (12, 3)


def test_metrics_of_a_tier_1_environment_count_what_is_unscored_apart() -> None:
    env = EpisodeMetrics(Plain(1.0, None, -1.0, None))
    played(env)
    overall = env.report().overall
    assert (overall.scored_steps, overall.unscored_steps, overall.total, overall.mean) == (2, 2, 0.0, 0.0)
    assert overall.ceiling is None
    assert overall.components == ()


def test_before_the_first_step_there_is_nothing_to_say() -> None:
    report = EpisodeMetrics(Plain(1.0)).report()
    assert report.overall.total is None
    assert report.overall.mean is None
    assert report.regimes == ()


def test_a_component_that_is_no_number_is_refused() -> None:
    env = EpisodeMetrics(Plain(1.0, info={"reward_components": {"a": math.nan}}))
    env.reset()
    with pytest.raises(InvalidDocument):
        env.step(0)
