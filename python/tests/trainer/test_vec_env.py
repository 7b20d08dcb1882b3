"""The wrappers for a VecEnv, and the order of wrappers, in Stable-Baselines3 itself."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from reward_receipts.envs import (
    OPERATIONS_SPEC,
    ComposedReward,
    MonitorInside,
    OperationsEnv,
    TraceRecorder,
    read_trace,
)
from reward_receipts.integrations.stable_baselines3 import VecComposedReward, VecEpisodeMetrics, VecTraceRecorder
from stable_baselines3 import A2C
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize


def desk() -> gymnasium.Env[Any, Any]:
    return OperationsEnv(horizon=8, surge_from=4)


def returns_of(path: Path) -> list[float]:
    """The return of each episode in a trace, in the order in which they ended."""
    sums: dict[int, float] = {}
    found = []
    for row in read_trace(path):
        place = row["environment"]
        sums[place] = sums.get(place, 0.0) + row["reward"]
        if row["terminated"] or row["truncated"]:
            found.append(sums.pop(place))
    return found


def learned(venv: Any) -> list[float]:
    model = A2C("MlpPolicy", venv, n_steps=8, device="cpu", seed=3).learn(96)
    return [episode["r"] for episode in model.ep_info_buffer]


@pytest.mark.parametrize("kind", [DummyVecEnv, SubprocVecEnv])
def test_anything_that_is_reported_is_what_is_trained_on_and_traced(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "trace.jsonl"
    inner = kind([desk] * 2)
    metrics = VecEpisodeMetrics(VecComposedReward(inner, OPERATIONS_SPEC))
    venv = VecNormalize(VecMonitor(VecTraceRecorder(metrics, path)))
    reported = learned(venv)
    overall = metrics.report().overall
    venv.close()
    assert reported == pytest.approx(returns_of(path)[: len(reported)], abs=1e-4)
    assert len(reported) == 12
    assert overall.scored_steps == len([*read_trace(path)]) == 96
    manifest = json.loads(Path(f"{path}.manifest.json").read_text())
    assert manifest["reward"]["spec_digest"] == OPERATIONS_SPEC.digest
    assert manifest["environment"]["describe"]["horizon"] == 8
    assert manifest["run"]["finished"] is True


def test_a_function_that_composes_is_monitored_outside_by_make_vec_env(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    with warnings.catch_warnings():
        warnings.simplefilter("error", MonitorInside)
        venv = make_vec_env(lambda: TraceRecorder(ComposedReward(desk(), OPERATIONS_SPEC), path), n_envs=1)
        reported = learned(venv)
    venv.close()
    assert reported == pytest.approx(returns_of(path)[: len(reported)], abs=1e-4)


def test_a_wrapper_class_of_make_vec_env_is_outside_of_its_monitor_and_warned_of(tmp_path: Path) -> None:
    with pytest.warns(MonitorInside, match="Monitor is inside the composed reward"):
        make_vec_env(desk, wrapper_class=lambda env: ComposedReward(env, OPERATIONS_SPEC))
    with pytest.warns(MonitorInside, match="VecMonitor"):
        VecComposedReward(make_vec_env(desk), OPERATIONS_SPEC)


def test_both_forms_give_the_same_rewards() -> None:
    outside = VecComposedReward(DummyVecEnv([desk] * 2), OPERATIONS_SPEC)
    inside = DummyVecEnv([lambda: ComposedReward(desk(), OPERATIONS_SPEC)] * 2)
    rewards = []
    for venv in (outside, inside):
        venv.seed(5)
        venv.reset()
        rewards.append(np.array([venv.step(np.array([0, 1]))[1] for _ in range(20)]))
    assert rewards[0].dtype == np.float64
    assert np.array_equal(rewards[0].astype(np.float32), rewards[1])
