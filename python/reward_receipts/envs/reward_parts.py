"""Rewards with several parts, such as those of a multi-objective environment: each part becomes a component."""

from __future__ import annotations

import numbers
from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Never

import gymnasium
import numpy as np

from ..core.findings import shown
from ..rewards.components.batch import StepBatch
from ..rewards.components.component import RewardComponent, RewardSignal
from ..rewards.components.context import PROVIDABLE, StepContext
from ..rewards.components.registry import REGISTRY, Registry
from ..validation.names import LONGEST_NAME, is_name
from .record import StepRefused
from .step import PARTS, TRACE, EpisodeStep
from .wrapper_order import require_no_rows_below, require_not_composed

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class RewardParts(Wrapper):
    """An environment whose reward has several parts, made ready for a spec that weighs them.

    ``names`` names the parts, in the order of the environment's array. ``step`` takes an array (or a sequence) with a
    number for each name, or a mapping with just these names. It returns None as the reward, since there is none until
    a spec composes it, and puts the parts into ``info["trace"]`` as ``extras["reward_parts"]``; what an EpisodeStep of
    the environment says stays. ``part_components(names)`` is a registry in which each name is a component::

        names = ("treasure", "time")
        spec = RewardSpec.from_dict({"name": "dive", "components": [
            {"type": "treasure", "weight": 1.0}, {"type": "time", "weight": 0.1}]})
        env = ComposedReward(RewardParts(env, names), spec, registry=part_components(names))

    In a vector environment, wrap each of its environments. Raises ValueError for names that no spec can use, and
    WrapperOrder around a composed reward, a recorder or metrics; ``step`` raises StepRefused, naming episode and step,
    for another number of parts, for other names, and for a part that is not a finite number.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], names: Sequence[str]) -> None:
        require_not_composed(env)
        require_no_rows_below(env, "the parts of the reward")
        super().__init__(env)
        self._names = _checked(names)
        self._episode = -1
        self._step = 0

    @property
    def reward_parts(self) -> tuple[str, ...]:
        """The names of the parts."""
        return self._names

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._episode += 1
        self._step = 0
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, with None as its reward and the parts in ``info["trace"]``."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        parts = self._parts(reward)
        given = info.get(TRACE)
        context = given.context if isinstance(given, EpisodeStep) else StepContext(self._step)
        fields = {name: getattr(context, name) for name in PROVIDABLE if name in context.provided}
        fields["extras"] = {**context.extras, PARTS: parts}
        trace = EpisodeStep.of(context.step, **fields, terminated=context.terminated, truncated=context.truncated)
        self._step += 1
        return observation, None, terminated, truncated, {**info, TRACE: trace}

    def _parts(self, reward: Any) -> dict[str, float]:
        if isinstance(reward, Mapping):
            if {*reward} != {*self._names}:
                self._refuse(f"the reward has the parts {shown([*reward])}, and the names are {shown(self._names)}")
            given = [reward[name] for name in self._names]
        elif isinstance(reward, (np.ndarray, list, tuple)):
            given = reward.tolist() if isinstance(reward, np.ndarray) else list(reward)
            if np.ndim(reward) != 1 or len(given) != len(self._names):
                self._refuse(
                    f"the reward has the shape {np.shape(reward)}, and there are {len(self._names)} names: "
                    f"{', '.join(self._names)}"
                )
        else:
            self._refuse(f"the reward is {type(reward).__name__} {shown(reward, 40)}, which does not have parts")
        return {name: self._number(name, value) for name, value in zip(self._names, given, strict=True)}

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            self._refuse(f"the part {name} of the reward is {type(value).__name__} {shown(value, 40)}, not a number")
        number = float(value)
        if number - number != 0.0:
            self._refuse(f"the part {name} of the reward is {number}, which is not finite")
        return number

    def _refuse(self, message: str) -> Never:
        raise StepRefused(message, 0, max(self._episode, 0), self._step)


class _Part(RewardComponent):
    """One part of the environment's reward, as the environment gave it."""

    reads = ("extras",)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(ctx.extras[PARTS][self.name])

    def compute_batch(self, batch: StepBatch) -> RewardSignal:
        return self._signal(np.array([context.extras[PARTS][self.name] for context in batch.contexts]))


def part_components(
    names: Sequence[str], *, registry: Mapping[str, type[RewardComponent]] = REGISTRY
) -> Mapping[str, type[RewardComponent]]:
    """A registry in which each part of the reward is a component, beside those of another registry.

    A part has the weight 1.0 and no clip unless the spec says otherwise. Raises ValueError for names that no spec can
    use, and for one that the other registry has.
    """
    checked = _checked(names)
    taken = [name for name in checked if name in registry]
    if taken:
        raise ValueError(f"{', '.join(map(shown, taken))} is registered already; give the part another name")
    parts = {name: type("Part", (_Part,), {"name": name, "__doc__": _Part.__doc__}) for name in checked}
    return ChainMap({**Registry(parts)}, registry)  # type: ignore[arg-type]  # the second is only read


def _checked(names: Sequence[str]) -> tuple[str, ...]:
    checked = () if isinstance(names, str) else tuple(names)
    if (
        not checked
        or len({*checked}) < len(checked)
        or not all(type(name) is str and is_name(name) for name in checked)
    ):
        raise ValueError(
            f"the parts of a reward have different names, each a text of 1 to {LONGEST_NAME} characters; not "
            f"{shown(names)}"
        )
    return checked
