"""Environments and components for the tests of the wrappers: small, and with numbers that a reader can add up."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from reward_receipts.envs import EpisodeStep
from reward_receipts.rewards import Cadence, Registry, RewardComponent, RewardSignal, StepContext
from scripted_components import spec_of


class Upright(RewardComponent):
    """How upright it is; also in half, as a sub-term."""

    name = "upright"
    reads = ("extras",)
    clip = (0.0, 1.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(ctx.extras["upright"], {"half": ctx.extras["upright"] / 2})


class Steps(RewardComponent):
    """How many steps the episode took. It counts them itself, so it has to be reset; due at the end."""

    name = "steps"
    cadence = Cadence.EPISODE_END
    reads = ("state_after",)
    clip = (0.0, 100.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(float(ctx.step + 1))


class Ends(RewardComponent):
    """How often it was asked since its reset, from 1; due at the end."""

    name = "ends"
    cadence = Cadence.EPISODE_END
    reads = ("state_after",)
    clip = (0.0, 10.0)

    def __init__(self) -> None:
        self.asked = 0

    def reset(self) -> None:
        self.asked = 0

    def compute(self, ctx: StepContext) -> RewardSignal:
        self.asked += 1
        return self._signal(self.asked)


class Verified(RewardComponent):
    """Reads what the environments here do not provide."""

    name = "verified"
    reads = ("verifications",)
    clip = (0.0, 1.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(len(ctx.verifications))


class Broken(RewardComponent):
    """Gives NaN at the second step."""

    name = "broken"
    reads = ("extras",)
    clip = (0.0, 1.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(float("nan") if ctx.step == 1 else 0.0)


REGISTRY = Registry({each.name: each for each in (Upright, Steps, Ends, Verified, Broken)})


SPEC = spec_of("upright", "steps", name="walk")


class Walk(gymnasium.Env[Any, Any]):
    """A Tier-2 environment: upright is 0.5, 1.0, 1.5, ... and its own reward 0.25, until an episode ends."""

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, steps: int = 3, truncated: bool = False, regime: bool = True) -> None:
        self.observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.steps = steps
        self.is_cut_off = truncated
        self.has_regime = regime
        self.taken = 0
        self.episodes = 0

    def describe(self) -> dict[str, Any]:
        return {"environment": "walk", "steps": self.steps}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.taken = 0
        self.episodes += 1
        return self._seen(), self._info(0, 0.0, f"reset {self.episodes}")

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        self.taken += 1
        ends = self.taken >= self.steps
        info = self._info(self.taken - 1, self.taken / 2, f"episode {self.episodes}")
        return self._seen(), 0.25, ends and not self.is_cut_off, ends and self.is_cut_off, info

    def _seen(self) -> Any:
        return np.array([self.taken / 10], np.float32)

    def _info(self, step: int, upright: float, label: str) -> dict[str, Any]:
        info: dict[str, Any] = {
            "trace": EpisodeStep.of(step, extras={"upright": upright}, state_after={"taken": self.taken})
        }
        if self.has_regime:
            info["regime"] = {"label": label, "boundary": self.taken == 1}
        return info


class Plain(gymnasium.Env[Any, Any]):
    """A Tier-1 environment that gives the rewards it is made with, one a step; the last step ends the episode."""

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it
    observation_space = gymnasium.spaces.Discrete(1)
    action_space = gymnasium.spaces.Discrete(1)

    def __init__(self, *rewards: Any, info: dict[str, Any] | None = None) -> None:
        self.rewards = rewards
        self.info = info or {}
        self.taken = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.taken = 0
        return 0, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        reward = self.rewards[self.taken]
        self.taken += 1
        return 0, reward, self.taken == len(self.rewards), False, dict(self.info)


def played(env: gymnasium.Env[Any, Any], episodes: int = 1) -> list[tuple[Any, Any, Any, Any, dict[str, Any]]]:
    """What ``step`` returned, over whole episodes."""
    returned = []
    for _ in range(episodes):
        env.reset()
        ended = False
        while not ended:
            returned.append(env.step(0))
            ended = returned[-1][2] or returned[-1][3]
    return returned


class Rows:
    """A sink that keeps the rows."""

    path = None

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.closed = 0

    def write(self, row: dict[str, Any]) -> None:
        self.rows.append(row)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed += 1
