"""Stable-Baselines3: the wrappers for its VecEnv, what a spec's terms contribute in its logger, and receipts.

The wrappers are VecComposedReward, VecTraceRecorder and VecEpisodeMetrics. For receipts there are ReceiptsCallback and
the buffers ScoredRolloutBuffer and ScoredDictRolloutBuffer, beside ``integrations.gymnasium.ReceiptReward``. The
trainer is imported when one of them, or ``reward_terms_callback``, is first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ..envs.metrics import scalar_part
from ..envs.record import COMPONENTS, DETAIL
from .trainers import STABLE_BASELINES3, require

if TYPE_CHECKING:
    from .stable_baselines3_receipts import ReceiptsCallback as ReceiptsCallback
    from .stable_baselines3_receipts import ScoredDictRolloutBuffer as ScoredDictRolloutBuffer
    from .stable_baselines3_receipts import ScoredRolloutBuffer as ScoredRolloutBuffer
    from .stable_baselines3_vec import VecComposedReward as VecComposedReward
    from .stable_baselines3_vec import VecEpisodeMetrics as VecEpisodeMetrics
    from .stable_baselines3_vec import VecTraceRecorder as VecTraceRecorder

_SKIPPED: Final = "skipped"
_MODULES: Final = {
    ".stable_baselines3_receipts": ("ReceiptsCallback", "ScoredDictRolloutBuffer", "ScoredRolloutBuffer"),
    ".stable_baselines3_vec": ("VecComposedReward", "VecEpisodeMetrics", "VecTraceRecorder"),
}


def __getattr__(name: str) -> Any:
    place = next((module for module, names in _MODULES.items() if name in names), None)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if place == ".stable_baselines3_receipts":
        require(STABLE_BASELINES3)
    try:
        module = import_module(place, __package__)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{name} needs Stable-Baselines3 ({error.name} is not installed): pip install stable-baselines3",
            name=error.name,
        ) from None
    return getattr(module, name)


def reward_terms_callback(verbose: int = 0) -> Any:
    """A ``BaseCallback`` that records the terms of composed rewards, to be logged with the trainer's own numbers.

    It reads ``info`` of each step, so it works with every VecEnv, in processes of their own too, and with vector
    wrappers that change rewards. For each term it records ``reward/NAME/mean`` (over the steps at which the term was
    due), ``reward/NAME/due_steps`` and ``reward/NAME/zero_steps``, all since the logger last wrote. The names are those
    of ``EpisodeMetrics.scalars()``; Stable-Baselines3 itself records the returns and lengths of episodes, from the
    Monitor that is outside of the composed reward.

        model = PPO("MlpPolicy", ComposedReward(env, spec), tensorboard_log="runs")
        model.learn(100_000, callback=reward_terms_callback())

    Raises ModuleNotFoundError if Stable-Baselines3 is not installed.
    """
    try:
        callbacks = import_module("stable_baselines3.common.callbacks")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"the callback needs Stable-Baselines3 ({error.name} is not installed): pip install stable-baselines3",
            name=error.name,
        ) from None

    class RewardTerms(callbacks.BaseCallback):  # type: ignore[misc,name-defined]
        """Records what each term contributed."""

        def __init__(self) -> None:
            super().__init__(verbose)
            self._terms = TermTotals()
            self._recorded: str | None = None  # one of the names that were recorded

        def _on_step(self) -> bool:
            if self._recorded is not None and self._recorded not in self.logger.name_to_value:  # it was written
                self._terms = TermTotals()
                self._recorded = None
            for info in self.locals["infos"]:
                self._terms.add(info)
            return True

        def _on_rollout_end(self) -> None:
            for name, value in self._terms.scalars().items():
                self.logger.record(name, value)
                self._recorded = name

    return RewardTerms()


class TermTotals:
    """Sums of contributions over the ``info`` of steps."""

    def __init__(self) -> None:
        self._terms: dict[str, list[float]] = {}  # total, due steps, zero steps

    def add(self, info: Mapping[str, Any]) -> None:
        """Takes a step. An ``info`` that is not of a composed reward adds nothing."""
        detail = info.get(DETAIL, {})
        for name, contribution in info.get(COMPONENTS, {}).items():
            if name in detail and detail[name]["zero"] == _SKIPPED:
                continue
            term = self._terms.setdefault(name, [0.0, 0, 0])
            term[0] += contribution
            term[1] += 1
            term[2] += contribution == 0.0

    def scalars(self) -> dict[str, float]:
        """Flat names and numbers. A term that was not due has none."""
        found: dict[str, float] = {}
        for name, (total, due, zero) in self._terms.items():
            prefix = f"reward/{scalar_part(name)}"
            found |= {f"{prefix}/mean": total / due, f"{prefix}/due_steps": due, f"{prefix}/zero_steps": zero}
        return found
