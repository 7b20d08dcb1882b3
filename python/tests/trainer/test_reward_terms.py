"""The callback in Stable-Baselines3's own loops."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from reward_receipts.envs import ComposedReward, EpisodeStep
from reward_receipts.integrations.stable_baselines3 import reward_terms_callback
from reward_receipts.rewards import Cadence, Registry, RewardComponent, RewardSignal, RewardSpec, StepContext
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.vec_env import SubprocVecEnv

STEPS = 5


class Alive(RewardComponent):
    name = "alive"
    reads = ("extras",)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(0.5)


class Finish(RewardComponent):
    name = "finish"
    cadence = Cadence.EPISODE_END
    reads = ("extras",)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(3.0)


class Line(gymnasium.Env[Any, Any]):
    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self._step = 0
        return np.zeros(1, np.float32), {}

    def step(self, action: Any) -> Any:
        self._step += 1
        record = EpisodeStep.of(self._step - 1, extras={"a": 1})
        return np.zeros(1, np.float32), 0.0, self._step == STEPS, False, {"trace": record}


def composed() -> Any:
    spec = RewardSpec.from_dict({"name": "line", "components": [{"type": "alive"}, {"type": "finish"}]})
    return ComposedReward(Line(), spec, registry=Registry({"alive": Alive, "finish": Finish}))


class Written(KVWriter):
    def __init__(self) -> None:
        self.logs: list[dict[str, Any]] = []

    def write(self, key_values: dict[str, Any], key_excluded: Any, step: int = 0) -> None:
        self.logs.append(dict(key_values))

    def close(self) -> None:
        """Nothing to close."""


def learned(model: Any, steps: int) -> list[dict[str, Any]]:
    written = Written()
    model.set_logger(Logger(None, [written]))
    model.learn(steps, callback=reward_terms_callback(), log_interval=1)
    return written.logs


@pytest.mark.parametrize("several", [False, True])
def test_every_log_of_ppo_has_the_terms_of_its_rollout(several: bool) -> None:
    env = SubprocVecEnv([composed, composed]) if several else composed()
    logs = learned(PPO("MlpPolicy", env, n_steps=20, batch_size=20, n_epochs=1, device="cpu"), 80)
    assert [log["reward/alive/mean"] for log in logs] == [0.5] * len(logs)
    assert [log["reward/alive/due_steps"] for log in logs] == [40 if several else 20] * len(logs)
    assert [log["reward/finish/mean"] for log in logs] == [3.0] * len(logs)
    assert [log["reward/finish/due_steps"] for log in logs] == [8 if several else 4] * len(logs)


def test_every_step_of_dqn_is_in_one_log() -> None:
    logs = learned(DQN("MlpPolicy", composed(), buffer_size=100, learning_starts=10, device="cpu"), 40)
    counts = [log["reward/alive/due_steps"] for log in logs if "reward/alive/due_steps" in log]
    assert len(counts) > 3
    assert 0 < sum(counts) <= 40
