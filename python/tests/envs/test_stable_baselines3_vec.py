"""The wrappers for Stable-Baselines3's VecEnv, on one with its API; python/tests/trainer has the real one."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from reward_receipts.envs import (
    ComposedReward,
    MonitorInside,
    RegimeSchedule,
    TraceMissing,
    TraceRecorder,
    WrapperOrder,
    read_trace,
    summarise,
)
from reward_receipts.integrations import stable_baselines3
from reward_receipts.rewards import RewardSpecRequired
from tier_two import REGISTRY, SPEC, Plain, Rows, Walk, played

MODULE = "stable_baselines3.common.vec_env"
VEC = "reward_receipts.integrations.stable_baselines3_vec"


class VecEnv:
    __module__ = MODULE

    def __init__(self, num_envs: int) -> None:
        self.num_envs = num_envs
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]

    def step(self, actions: Any) -> Any:
        self.step_async(actions)
        return self.step_wait()

    @property
    def unwrapped(self) -> Any:
        return self.venv.unwrapped if isinstance(self, VecEnvWrapper) else self


class VecEnvWrapper(VecEnv):
    __module__ = MODULE

    def __init__(self, venv: Any) -> None:
        self.venv = venv
        super().__init__(venv.num_envs)

    def step_async(self, actions: Any) -> None:
        self.venv.step_async(actions)

    def seed(self, seed: int | None = None) -> Any:
        return self.venv.seed(seed)

    def close(self) -> None:
        self.venv.close()

    def get_attr(self, name: str) -> list[Any]:
        return self.venv.get_attr(name)  # type: ignore[no-any-return]

    def env_method(self, name: str, *arguments: Any) -> list[Any]:
        return self.venv.env_method(name, *arguments)  # type: ignore[no-any-return]


class DummyVecEnv(VecEnv):
    """Its environments one after another; rewards are float32, and infos are copies, as in the real one."""

    __module__ = MODULE

    def __init__(self, make: list[Any]) -> None:
        self.envs = [each() for each in make]
        super().__init__(len(self.envs))
        self._seed: int | None = None
        self.closed = False

    def seed(self, seed: int | None = None) -> list[int | None]:
        self._seed = seed
        return [seed]

    def reset(self) -> Any:
        for place, env in enumerate(self.envs):
            seed = None if self._seed is None else self._seed + place
            _, self.reset_infos[place] = env.reset(seed=seed)
        self._seed = None
        return np.zeros((self.num_envs, 1))

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> Any:
        rewards, dones, infos = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_), []
        for place, env in enumerate(self.envs):
            seen, rewards[place], terminated, truncated, info = env.step(self._actions[place])
            dones[place] = terminated or truncated
            info["TimeLimit.truncated"] = truncated and not terminated
            if dones[place]:
                info["terminal_observation"] = seen
                _, self.reset_infos[place] = env.reset()
            infos.append(copy.deepcopy(info))
        return np.zeros((self.num_envs, 1)), rewards, dones, infos

    def close(self) -> None:
        self.closed = True

    def get_attr(self, name: str) -> list[Any]:
        return [env.get_wrapper_attr(name) for env in self.envs]

    def env_method(self, name: str, *arguments: Any) -> list[Any]:
        return [env.get_wrapper_attr(name)(*arguments) for env in self.envs]


@pytest.fixture
def sb3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    module = ModuleType(MODULE)
    module.VecEnv, module.VecEnvWrapper = VecEnv, VecEnvWrapper  # type: ignore[attr-defined]
    for name in ("stable_baselines3", "stable_baselines3.common"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, MODULE, module)
    yield stable_baselines3
    sys.modules.pop(VEC, None)


LENGTHS = (2, 3)


def walks(wrap: Any = lambda env: env, **options: Any) -> DummyVecEnv:
    return DummyVecEnv([lambda steps=steps: wrap(Walk(steps, **options)) for steps in LENGTHS])


def calls(venv: Any, number: int = 6) -> list[Any]:
    venv.reset()
    return [venv.step(np.zeros(venv.num_envs, np.int64)) for _ in range(number)]


@pytest.mark.parametrize("truncated", [False, True])
def test_rewards_infos_and_rows_are_those_of_each_environment_by_itself(sb3: Any, truncated: bool) -> None:
    sink = Rows()
    composed = sb3.VecComposedReward(walks(truncated=truncated), SPEC, registry=REGISTRY)
    returned = calls(sb3.VecTraceRecorder(composed, sink))
    for place, steps in enumerate(LENGTHS):
        alone = Rows()
        walk = ComposedReward(Walk(steps, truncated=truncated), SPEC, registry=REGISTRY)
        expected = played(TraceRecorder(walk, alone), 3)[:6]
        assert [call[1][place] for call in returned] == [step[1] for step in expected]
        mine = [row for row in sink.rows if row["environment"] == place]
        assert mine == [{**row, "environment": place} for row in alone.rows[:6]]
        for call, step in zip(returned, expected, strict=True):
            for name in ("reward_components", "reward_detail", "environment_reward", "spec_digest"):
                assert call[3][place][name] == step[4][name]
                json.dumps(call[3][place][name])
    assert returned[0][1].dtype == np.float64
    assert {row["truncated"] for row in sink.rows if row["step"] == 1 and row["environment"] == 0} == {truncated}
    assert "terminal_observation" in returned[1][3][0]


def test_a_regime_that_a_reset_begins_begins_with_the_first_step_after_it(sb3: Any) -> None:
    sink = Rows()
    schedule = [(0, "calm"), (3, "storm")]
    calls(
        sb3.VecTraceRecorder(walks(lambda env: RegimeSchedule(env, schedule, unit="episodes"), regime=False), sink), 9
    )
    first = [(row["episode"], row["step"], row["regime"]) for row in sink.rows if row["regime_boundary"]]
    assert first == [(0, 0, "calm"), (0, 0, "calm"), (3, 0, "storm")]


def test_the_trace_has_a_manifest_that_names_spec_environment_and_seeds(sb3: Any, tmp_path: Path) -> None:
    venv = walks()
    composed = sb3.VecComposedReward(venv, SPEC, registry=REGISTRY)
    recorder = sb3.VecTraceRecorder(sb3.VecEpisodeMetrics(composed), tmp_path / "trace.jsonl")
    recorder.seed(7)
    calls(recorder)
    recorder.flush()
    recorder.close()
    assert venv.closed
    rows = [*read_trace(tmp_path / "trace.jsonl")]
    assert recorder.venv.report() == summarise(rows, composed.resolved_spec)
    assert recorder.venv.scalars()["reward/total"] == sum(row["reward"] for row in rows)
    manifest = json.loads((tmp_path / "trace.jsonl.manifest.json").read_text())
    assert manifest["reward"]["resolved_spec_digest"] == composed.resolved_spec.digest
    assert manifest["environment"]["environments"] == 2
    assert manifest["environment"]["describe"] == [{"environment": "walk", "steps": steps} for steps in LENGTHS]
    assert manifest["run"]["seeds"] == [7]


def test_anything_that_composes_in_each_environment_is_in_the_manifest_too(sb3: Any, tmp_path: Path) -> None:
    venv = walks(lambda env: ComposedReward(env, SPEC, registry=REGISTRY))
    recorder = sb3.VecTraceRecorder(venv, tmp_path / "trace.jsonl")
    calls(recorder)
    recorder.close_trace()
    manifest = json.loads((tmp_path / "trace.jsonl.manifest.json").read_text())
    assert manifest["reward"]["spec_digest"] == SPEC.digest


def test_metrics_can_be_restarted_and_evaluation_marked(sb3: Any) -> None:
    metrics = sb3.VecEpisodeMetrics(walks(), evaluation=True)
    assert metrics.evaluation
    metrics.evaluation = False
    calls(metrics)
    assert metrics.report().overall.scored_steps == 12
    metrics.restart()
    assert metrics.report().overall.scored_steps == 0


def test_a_recorder_that_has_not_begun_can_be_pickled(sb3: Any, tmp_path: Path) -> None:
    recorder = sb3.VecTraceRecorder(walks(), tmp_path / "trace.jsonl")
    again = copy.deepcopy(recorder)
    calls(again)
    again.close()
    assert len([*read_trace(tmp_path / "trace.jsonl")]) == 12
    calls(opened := sb3.VecTraceRecorder(walks(), tmp_path / "other.jsonl"))
    with pytest.raises(TypeError):
        pickle.dumps(opened)
    opened.close()


class Monitor(RegimeSchedule):
    """By its name and module, the trainer's."""


Monitor.__module__ = "stable_baselines3.common.monitor"


def test_the_monitor_that_make_vec_env_puts_into_each_environment_is_warned_of(sb3: Any) -> None:
    venv = walks(lambda env: Monitor(env, [(0, "a")]))
    with pytest.warns(MonitorInside, match=r"Monitor is inside.*VecMonitor\(VecComposedReward\(venv, spec\)\)"):
        sb3.VecComposedReward(venv, SPEC, registry=REGISTRY)
    with pytest.warns(MonitorInside, match="Monitor is inside"):
        ComposedReward(Monitor(Walk(), [(0, "a")]), SPEC, registry=REGISTRY)


def test_anything_that_cannot_be_wrapped_is_refused(sb3: Any) -> None:
    for wrap in (
        lambda venv: sb3.VecComposedReward(venv, SPEC, registry=REGISTRY),
        lambda venv: sb3.VecTraceRecorder(venv, Rows()),
        sb3.VecEpisodeMetrics,
    ):
        with pytest.raises(TypeError, match="Walk is not a VecEnv of Stable-Baselines3"):
            wrap(Walk())
    with pytest.raises(RewardSpecRequired):
        sb3.VecComposedReward(walks())
    with pytest.raises(WrapperOrder, match="composes the reward already"):
        sb3.VecComposedReward(sb3.VecComposedReward(walks(), SPEC, registry=REGISTRY), SPEC, registry=REGISTRY)
    with pytest.raises(WrapperOrder, match="put VecTraceRecorder outside"):
        sb3.VecComposedReward(sb3.VecTraceRecorder(walks(), Rows()), SPEC, registry=REGISTRY)
    venv = sb3.VecComposedReward(DummyVecEnv([lambda: Plain(1.0)]), SPEC, registry=REGISTRY)
    with pytest.raises(TraceMissing, match="Tier 1"):
        calls(venv)


def test_the_trainer_is_imported_when_a_wrapper_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    sys.modules.pop(VEC, None)
    with pytest.raises(ModuleNotFoundError, match="VecComposedReward needs Stable-Baselines3.*pip install"):
        stable_baselines3.VecComposedReward  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'VecSomething'"):
        stable_baselines3.VecSomething  # type: ignore[attr-defined]  # noqa: B018
