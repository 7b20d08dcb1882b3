"""Monitors of episode returns below a composed reward: they report another reward than is trained on."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Final

from .wrapper_order import inner

EPISODE: Final = "episode"
"""The member of ``info`` in which Gymnasium and Stable-Baselines3 report an episode that ended."""

_MONITORS: Final = {
    ("gymnasium", "RecordEpisodeStatistics"),
    ("stable_baselines3", "Monitor"),
    ("stable_baselines3", "VecMonitor"),
}


class MonitorInside(UserWarning):
    """A monitor below the composed reward reports the returns of the environment's own reward."""


class MonitorWatch:
    """Warns (MonitorInside), once, of a monitor below a composed reward: at its construction, or when it reports."""

    def __init__(self, env: Any) -> None:
        self._warned = False
        for each in _below(env):
            kind = type(each)
            if (kind.__module__.partition(".")[0], kind.__name__) in _MONITORS:
                self._warn(kind.__name__)
                return

    def saw(self, episode: Any) -> None:
        """Takes ``info["episode"]`` of a step, as it came from below."""
        if not self._warned and isinstance(episode, Mapping) and "r" in episode:
            self._warn('a monitor that reports info["episode"]')

    def _warn(self, what: str) -> None:
        self._warned = True
        warnings.warn(
            f"{what} is inside the composed reward: the episode returns that it reports are those of the environment's "
            "own reward, not of the reward that is trained on. Put the monitor outside: "
            "Monitor(ComposedReward(env, spec)), which make_vec_env does if its env_id is a function that returns the "
            "composed environment; VecMonitor(VecComposedReward(venv, spec)) replaces what the inner one reports",
            MonitorInside,
            stacklevel=4,
        )


def _below(env: Any) -> list[Any]:
    """An environment and what it wraps; of a vector environment in this process the first of its environments too."""
    found = [*inner(env)]
    first = getattr(found[-1], "envs", None)
    if isinstance(first, (list, tuple)) and first:
        found += inner(first[0])
    return found
