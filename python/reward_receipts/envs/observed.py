"""Makes an environment with a Box observation Tier 2: its observation, action and own reward become a step's record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from ..core.findings import shown
from ..rewards.components.generic import ACTION, REWARD
from ..validation.names import LONGEST_NAME, is_name
from .record import StepRefused
from .step import REGIME, TRACE, EpisodeStep
from .wrapper_order import require_no_rows_below, require_not_composed

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class NamedObservation(Wrapper):
    """An environment with a Box observation, made Tier 2: a spec can score it.

    ``names`` names the entries of the observation, in the order of its flattened array; left out, they are ``obs_0``,
    ``obs_1`` and so on. ``info["trace"]`` has the entries by name in ``state_before`` and ``state_after``, and in
    ``extras`` the ``action`` and the environment's own ``reward``; observation, reward and flags stay as they are::

        env = ComposedReward(NamedObservation(gymnasium.make("CartPole-v1"), ["x", "v", "angle", "spin"]), spec)

    ``describe()`` has the names. If the environment inside says nothing of regimes, ``info["regime"]`` has the label
    ``only`` at every step; a RegimeSchedule outside puts its own there. In a vector environment, wrap each of its
    environments.

    Raises TypeError for another observation space than a Box, ValueError for names that no spec can use or of another
    number, and WrapperOrder around a composed reward, a recorder or metrics. ``step`` raises StepRefused, naming
    episode and step, for an observation of another size and for a step before the first reset.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], names: Sequence[str] | None = None) -> None:
        require_not_composed(env)
        require_no_rows_below(env, "the names of the observation")
        super().__init__(env)
        space = env.observation_space
        if not isinstance(space, gymnasium.spaces.Box):
            raise TypeError(
                f"the observation space is a {type(space).__name__}; expected a Box. gymnasium.wrappers."
                "FlattenObservation makes one of most other spaces"
            )
        size = int(np.prod(space.shape))
        self._names = _checked([f"obs_{place}" for place in range(size)] if names is None else names, size)
        self._episode = -1
        self._step = 0
        self._state: dict[str, float] | None = None
        self._begins = True

    @property
    def observation_names(self) -> tuple[str, ...]:
        """The names of the entries, in the order of the flattened observation."""
        return self._names

    def describe(self) -> dict[str, Any]:
        """What the environment inside says of itself, and the names."""
        inner = getattr(self.env.unwrapped, "describe", None)
        return {**(inner() if callable(inner) else {}), "observation_names": list(self._names)}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._episode += 1
        self._step = 0
        self._state = self._entries(observation)
        return observation, self._with_regime(info)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, with its record in ``info["trace"]``."""
        before = self._state
        if before is None:
            raise StepRefused("a step was taken before the first reset", 0, 0, 0)
        observation, reward, terminated, truncated, info = self.env.step(action)
        after = self._entries(observation)
        extras = {ACTION: action, REWARD: reward}
        trace = EpisodeStep.of(self._step, state_before=before, state_after=after, extras=extras)
        self._state = after
        self._step += 1
        info, self._begins = self._with_regime(info), False
        return observation, reward, terminated, truncated, {**info, TRACE: trace}

    def _with_regime(self, info: dict[str, Any]) -> dict[str, Any]:
        return info if REGIME in info else {**info, REGIME: {"label": "only", "boundary": self._begins}}

    def _entries(self, observation: Any) -> dict[str, float]:
        values = np.asarray(observation).ravel().tolist()
        if len(values) != len(self._names):
            message = f"the observation has {len(values)} entries, and there are {len(self._names)} names"
            raise StepRefused(message, 0, max(self._episode, 0), self._step)
        return dict(zip(self._names, values, strict=True))


def _checked(names: Sequence[str], size: int) -> tuple[str, ...]:
    checked = () if isinstance(names, str) else tuple(names)
    if len({*checked}) < len(checked) or not all(type(name) is str and is_name(name) for name in checked):
        raise ValueError(
            f"the entries of an observation have different names, each a text of 1 to {LONGEST_NAME} characters; not "
            f"{shown([*map(str, names)])}"
        )
    if len(checked) != size:
        raise ValueError(f"the observation has {size} entries; expected as many names, not {len(checked)}")
    return checked
