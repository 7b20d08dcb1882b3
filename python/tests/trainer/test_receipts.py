"""Receipts in Stable-Baselines3's own loops: what is logged, and that no NaN reaches a policy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import reward_receipts as rr
import torch
from reward_receipts.integrations.gymnasium import ReceiptReward, UnscoredEpisode
from reward_receipts.integrations.stable_baselines3 import (
    ReceiptsCallback,
    ScoredDictRolloutBuffer,
    ScoredRolloutBuffer,
)
from reward_receipts.integrations.stable_baselines3_receipts import steps_of_unscored
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize
from training import Desk, episode, reading

OUTCOMES = ["verified", "failed_platform", "refused", "verified"]
STEPS = 5


class Line(gymnasium.Env[Any, Any]):
    """Episodes of five steps; the oracle finds the outcomes in turn."""

    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, outcomes: list[str] = OUTCOMES, dicts: bool = False) -> None:
        box = gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float32)
        self.observation_space = gymnasium.spaces.Dict({"a": box}) if dicts else box
        self._outcomes = outcomes
        self._dicts = dicts
        self._episode = -1

    def _observed(self) -> Any:
        seen = np.array([self._step / STEPS, 0.5], np.float32)
        return {"a": seen} if self._dicts else seen

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self._step = 0
        self._episode += 1
        return self._observed(), {}

    def step(self, action: Any) -> Any:
        self._step += 1
        outcome = self._outcomes[self._episode % len(self._outcomes)]
        return self._observed(), 0.0, self._step == STEPS, False, {"outcome": outcome}


def read(observation: Any, info: dict[str, Any]) -> Any:
    return reading(info["outcome"])


def make(desk: Desk, unscored: Any = "nan", outcomes: list[str] = OUTCOMES, dicts: bool = False, **options: Any) -> Any:
    scoring = desk.scoring(**options)  # goes into other processes; the key that signs does not
    return lambda: ReceiptReward(Line(outcomes, dicts), scoring, read, unscored=unscored)


class Written(KVWriter):
    def __init__(self) -> None:
        self.logs: list[dict[str, Any]] = []

    def write(self, key_values: dict[str, Any], key_excluded: Any, step: int = 0) -> None:
        self.logs.append(dict(key_values))

    def close(self) -> None:
        """Nothing to close."""


def learned(model: Any, steps: int, **options: Any) -> list[dict[str, Any]]:
    written = Written()
    model.set_logger(Logger(None, [written]))
    model.learn(steps, callback=ReceiptsCallback(**options), log_interval=1)
    return written.logs


def ppo(env: Any, **options: Any) -> Any:
    given: dict[str, Any] = {"rollout_buffer_class": ScoredRolloutBuffer, **options}
    policy = "MultiInputPolicy" if given["rollout_buffer_class"] is ScoredDictRolloutBuffer else "MlpPolicy"
    return PPO(policy, env, n_steps=20, batch_size=10, n_epochs=2, device="cpu", seed=1, **given)


def is_finite(model: Any) -> bool:
    return all(bool(torch.isfinite(each).all()) for each in model.policy.parameters())


@pytest.mark.parametrize("kind", [DummyVecEnv, SubprocVecEnv])
@pytest.mark.parametrize("dicts", [False, True])
def test_ppo_trains_without_the_unscored_episodes(kind: Any, dicts: bool) -> None:
    env = VecMonitor(kind([make(Desk(), dicts=dicts)] * 2))
    buffer = ScoredDictRolloutBuffer if dicts else ScoredRolloutBuffer
    model = ppo(env, rollout_buffer_class=buffer)
    logs = learned(model, 80)
    env.close()
    assert is_finite(model)
    for log in logs:
        assert log["receipts/episodes"] == 8
        assert log["receipts/unscored"] == 0.25
        assert log["receipts/certified_synthetic"] == 0.75
        assert log["receipts/scalar"] == pytest.approx(2 / 3)
        assert log["receipts/components/halt_on_uncertainty"] == pytest.approx(0.1)
        assert log["rollout/ep_rew_mean"] == pytest.approx(2 / 3)
    assert all(math.isfinite(log["train/loss"]) for log in logs if "train/loss" in log)


def test_the_policy_sees_the_steps_of_scored_episodes_only() -> None:
    seen: list[int] = []

    class Watched(ScoredRolloutBuffer):
        def _get_samples(self, batch_inds: Any, env: Any = None) -> Any:
            samples = super()._get_samples(batch_inds, env)
            if len(batch_inds) > 1 or len(seen) % 15:
                assert torch.isfinite(samples.returns).all()
            seen.append(len(batch_inds))
            return samples

    model = A2C("MlpPolicy", make(Desk())(), n_steps=20, device="cpu", rollout_buffer_class=Watched)
    learned(model, 20)
    assert seen == [1, 15]  # the first flattens the arrays; 5 of the 20 steps are of an unscored episode
    assert is_finite(model)


def test_advantages_of_other_episodes_are_those_of_the_trainers_own_buffer() -> None:
    generator = np.random.default_rng(4)
    size, envs = 40, 3
    rewards = generator.normal(size=(size, envs)).astype(np.float32)
    starts = (generator.random((size, envs)) < 0.2).astype(np.float32)
    values = generator.normal(size=(size, envs)).astype(np.float32)
    ends = np.argwhere(np.roll(starts, -1, axis=0)[:-1] != 0)
    space = gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float32)
    made = []
    for kind, unscored in ((RolloutBuffer, 7.0), (ScoredRolloutBuffer, np.nan)):
        buffer = kind(size, space, gymnasium.spaces.Discrete(2), "cpu", 0.9, 0.99, envs)
        buffer.rewards[:], buffer.episode_starts[:], buffer.values[:] = rewards, starts, values
        for step, env in ends[::3]:
            buffer.rewards[step, env] = unscored
        if unscored != unscored:
            dropped = steps_of_unscored(buffer.rewards, starts)
        buffer.compute_returns_and_advantage(torch.zeros(envs), np.zeros(envs))
        made.append(buffer)
    own, ours = made
    assert 0 < dropped.sum() < dropped.size
    assert np.array_equal(own.advantages[~dropped], ours.advantages[~dropped])
    assert not ours.advantages[dropped].any()
    assert np.array_equal(ours.returns[dropped], values[dropped])


def test_a_rollout_without_a_scored_step_is_named() -> None:
    model = ppo(make(Desk(), outcomes=["failed_platform"])())
    with pytest.raises(ValueError, match="every one of the 20 steps of this rollout is of an unscored episode"):
        learned(model, 20)


def test_by_default_an_unscored_episode_stops_the_run() -> None:
    with pytest.raises(UnscoredEpisode, match="failed_platform"):
        learned(ppo(make(Desk(), "raise")()), 40)


@pytest.mark.parametrize("algorithm", [PPO, A2C, DQN])
def test_nan_is_caught_before_a_buffer_that_would_give_it_to_the_policy(algorithm: Any) -> None:
    model = algorithm("MlpPolicy", make(Desk())(), device="cpu")
    with pytest.raises(
        UnscoredEpisode, match=r"would give NaN to the policy.*rollout_buffer_class=ScoredRolloutBuffer"
    ):
        learned(model, 40)
    assert is_finite(model)


def test_nan_that_no_receipt_explains_is_refused() -> None:
    class Broken(gymnasium.Wrapper[Any, Any, Any, Any]):
        def step(self, action: Any) -> Any:
            observation, _, *rest = self.env.step(action)
            return observation, math.nan, *rest

    with pytest.raises(ValueError, match="no receipt says that its episode was dropped"):
        learned(ppo(Broken(make(Desk())())), 20)


def test_wrappers_that_cannot_work_are_refused() -> None:
    normalised = VecNormalize(DummyVecEnv([make(Desk())]))
    with pytest.raises(ValueError, match="norm_reward=False"):
        learned(ppo(normalised), 20)
    learned(ppo(VecNormalize(DummyVecEnv([make(Desk())]), norm_reward=False)), 20)
    for kind in (DummyVecEnv, SubprocVecEnv):
        env = kind([Line])
        with pytest.raises(ValueError, match="have no ReceiptReward"):
            learned(ppo(env), 20)
        env.close()


def test_expiry_is_evaluated_at_the_trainers_own_count_of_updates(tmp_path: Path) -> None:
    """PPO counts n_epochs updates a rollout: the certificate is current at updates 0 and 2 and not at 4."""
    desk, path = Desk(expiry_policy_updates=3), tmp_path / "receipts.jsonl"
    with desk.issuer(path, warn_within=0) as issuer:
        issuer.issue(episode(1))
    scoring = desk.scoring(receipts=path, when_certificate_ends="uncertified", warn_within=0)
    env = ReceiptReward(Line(), scoring, lambda observation, info: "episode.00000001")
    with pytest.warns(rr.CertificateEnding, match="expired at update 3"):
        logs = learned(ppo(env), 60)
    assert [log["receipts/certified_synthetic"] for log in logs] == [1.0, 1.0, 0.0]
    assert logs[-1]["receipts/refusals/certificate-expired"] == 1.0
    with pytest.raises(rr.CertificateEnded, match="at update 50"):
        learned(ppo(make(Desk())()), 20, first_update=50)
    with pytest.raises(ValueError, match="expected an integer from 0"):
        ReceiptsCallback(first_update=-1)
