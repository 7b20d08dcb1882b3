"""Running metrics."""

from __future__ import annotations

import json
import math
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from reward_receipts import InvalidDocument
from reward_receipts.envs import (
    ComposedReward,
    EpisodeMetrics,
    RegimeSchedule,
    StepRefused,
    TensorBoardMetrics,
    TraceRecorder,
    VectorEpisodeMetrics,
    read_trace,
    summarise,
)
from tier_two import REGISTRY, SPEC, Plain, Walk, played

NO_EPISODES = {f"episode/{what}/{count}": 0.0 for what in ("return", "length") for count in ("count", "left_out")}


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


def test_a_component_that_is_not_a_number_is_refused() -> None:
    env = EpisodeMetrics(Plain(1.0, info={"reward_components": {"a": math.nan}}))
    env.reset()
    with pytest.raises(InvalidDocument):
        env.step(0)


def test_refused_steps_are_counted_as_the_summary_of_the_trace_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    recorder = TraceRecorder(Plain(1.0, math.nan, 3.0, math.nan), path)
    env = EpisodeMetrics(Plain(1.0, math.nan, 3.0, math.nan))
    for each in (recorder, env):
        for _ in range(2):
            each.reset()
            for step in range(4):
                with pytest.raises(StepRefused) if step % 2 else nullcontext():
                    each.step(0)
    recorder.close()
    manifest = json.loads((tmp_path / "trace.jsonl.manifest.json").read_text())
    assert env.report() == summarise(read_trace(path), manifest)
    assert env.report().overall.missing_steps == 4


def test_a_vector_environment_counts_the_steps_that_were_not_taken_after_a_refused_one() -> None:
    env = VectorEpisodeMetrics(SyncVectorEnv([lambda each=each: Plain(each, each) for each in (1.0, math.nan, 1.0)]))
    env.reset()
    with pytest.raises(StepRefused):
        env.step(np.zeros(3, dtype=np.int64))
    assert (env.report().overall.scored_steps, env.report().overall.missing_steps) == (1, 2)


def test_scalars_are_flat_and_leave_out_what_is_not_known() -> None:
    env = EpisodeMetrics(RegimeSchedule(ComposedReward(Walk(steps=2), SPEC, registry=REGISTRY), [(0, "a/b")]))
    assert env.scalars() == {"steps/scored": 0.0, "steps/unscored": 0.0, "steps/missing": 0.0, **NO_EPISODES}
    played(env, 2)
    scalars, report = env.scalars(), env.report()
    assert {type(value) for value in scalars.values()} == {float}
    upright = report.overall.components[0]
    assert scalars["reward/mean"] == report.overall.mean
    assert scalars["reward/upright/mean"] == upright.total / upright.due_steps
    assert scalars["reward/upright/due_steps"] == upright.due_steps
    assert scalars["episode/return/mean"] == report.overall.returns.mean
    assert scalars["episode/length/max"] == 2.0
    assert scalars["regime/a%2Fb/reward/upright/mean"] == scalars["reward/upright/mean"]
    assert not [name for name in scalars if name.startswith("evaluation/")]


def test_a_restart_begins_an_interval() -> None:
    env = EpisodeMetrics(Plain(1.0, 2.0))
    played(env)
    env.restart()
    env.reset()
    env.step(0)
    assert (env.scalars()["reward/mean"], env.scalars()["steps/scored"]) == (1.0, 1.0)


class Writer:
    def __init__(self) -> None:
        self.written: list[tuple[str, float, int]] = []

    def add_scalar(self, name: str, value: float, step: int) -> None:
        self.written.append((name, value, step))

    def flush(self) -> None:
        self.written.append(("flush", 0.0, 0))

    def close(self) -> None:
        raise AssertionError("it is somebody else's")


def test_the_tensorboard_writer_writes_each_interval() -> None:
    env, writer = EpisodeMetrics(Plain(1.0, 2.0)), Writer()
    with TensorBoardMetrics(env, writer) as board:
        played(env)
        board.write(2)
        env.reset()
        env.step(0)
        board.write(3)
    means = [each for each in writer.written if each[0] == "reward/mean"]
    assert means == [("reward/mean", 1.5, 2), ("reward/mean", 1.0, 3)]


def test_tensorboard_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch.utils.tensorboard", "tensorboardX"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match="pip install tensorboardX"):
        TensorBoardMetrics(EpisodeMetrics(Plain(1.0)), tmp_path)
