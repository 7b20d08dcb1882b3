"""CartPole that describes its steps, and the components that turn them into numbers.

The RegimeSchedule that train.py puts around it makes it a Tier-2 environment: it says which regime a step is taken in.
"""

from __future__ import annotations

from typing import Any

import gymnasium
from reward_receipts.envs import EpisodeStep, RegimeSchedule
from reward_receipts.rewards import Cadence, RewardComponent, RewardSignal, StepContext, register

STATE = ("position", "velocity", "angle", "angular_velocity")
GRAVITY = {"earth": 9.8, "heavy": 19.6}
"""The gravity of each regime, in m/s2."""
MOST_STEPS = 500
"""The steps after which CartPole-v1 cuts an episode off."""


class DescribedCartPole(gymnasium.Wrapper[Any, Any, Any, Any]):
    """CartPole-v1 that says what each step did: the state before and after, and whether the push turned round.

    Of Tier 2 it lacks the regime; a RegimeSchedule around it says that.
    """

    def __init__(self) -> None:
        super().__init__(gymnasium.make("CartPole-v1"))
        self._count = 0
        self._state: dict[str, float] = {}
        self._push: int | None = None

    def describe(self) -> dict[str, Any]:
        """What a run was configured with."""
        return {"environment": "CartPole-v1", "most_steps": MOST_STEPS, "gravity": GRAVITY}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._count, self._state, self._push = 0, _named(observation), None
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        after, push = _named(observation), int(action)
        turned = float(self._push is not None and push != self._push)
        record = EpisodeStep.of(
            self._count,
            state_before=self._state,
            state_after=after,
            extras={"turned": turned, "taken": self._count + 1},
        )
        self._count, self._state, self._push = self._count + 1, after, push
        return observation, reward, terminated, truncated, {**info, "trace": record}


def change_gravity(env: gymnasium.Env[Any, Any], label: str) -> None:
    """Puts the regime of a label into force."""
    env.unwrapped.gravity = GRAVITY[label]  # type: ignore[attr-defined]


def tier_two(change_at: int = 1000) -> RegimeSchedule:
    """The environment with its regimes: gravity doubles at that step, counted over all episodes. It reaches Tier 2."""
    return RegimeSchedule(DescribedCartPole(), [(0, "earth"), (change_at, "heavy")], on_boundary=change_gravity)


class Upright(RewardComponent):
    """How upright the pole is. Unit: share of the angle at which it has fallen (12 degrees). 1 is straight."""

    name = "upright"
    reads = ("state_after",)
    clip = (0.0, 1.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(1.0 - abs(ctx.state_after["angle"]) / 0.20943951)


class Centred(RewardComponent):
    """How near the cart is to the middle. Unit: share of the distance at which it is out (2.4 m). 1 is the middle."""

    name = "centred"
    reads = ("state_after",)
    clip = (0.0, 1.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(1.0 - abs(ctx.state_after["position"]) / 2.4)


class Effort(RewardComponent):
    """A penalty: -1 where the push turned round against the step before."""

    name = "effort"
    reads = ("extras",)
    clip = (-1.0, 0.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(-ctx.extras["turned"])


class Survival(RewardComponent):
    """How long the episode lasted, paid at its end. Unit: share of the longest episode."""

    name = "survival"
    cadence = Cadence.EPISODE_END
    reads = ("extras",)
    clip = (0.0, 1.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(ctx.extras["taken"] / MOST_STEPS)


for component in (Upright, Centred, Effort, Survival):
    register(component.name, component)


def _named(observation: Any) -> dict[str, float]:
    return dict(zip(STATE, map(float, observation), strict=True))
