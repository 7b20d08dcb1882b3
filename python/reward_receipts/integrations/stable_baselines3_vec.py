"""The wrappers for vector environments in the form of Stable-Baselines3's VecEnv. Importing it imports the trainer.

A VecEnv resets an environment in the step that ends its episode. Its ``infos`` are a list with a dict for each
environment; that of a last step is the step's own, and says by ``TimeLimit.truncated`` which flag ended it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gymnasium.vector import AutoresetMode

from ..envs.compose import require_composable
from ..envs.manifest import is_composed
from ..envs.metrics import ReportsMetrics, RunningMetrics
from ..envs.monitors import MonitorWatch
from ..envs.tracing import OpenTrace
from ..envs.vector_recording import RecordsRows, RecordsTrace, TakesRows, VectorRows
from ..envs.vector_scoring import ComposesReward, VectorScorer
from ..envs.wrapper_order import is_vec_env
from ..rewards.components.component import RewardComponent
from ..rewards.components.registry import REGISTRY
from ..rewards.spec.generated.reward_spec import RewardSpec
from ..rewards.spec.schedule import SpecSchedule
from ..traces.write import TraceWriter

if TYPE_CHECKING:

    class VecEnvWrapper:
        """As mypy sees it without the trainer."""

        venv: Any
        num_envs: int

        def __init__(self, venv: Any) -> None: ...
        def seed(self, seed: int | None = None) -> Any: ...
        def close(self) -> None: ...

else:
    from stable_baselines3.common.vec_env import VecEnvWrapper

_MODE: Final = AutoresetMode.SAME_STEP


def _require_vec_env(venv: Any) -> None:
    if not is_vec_env(venv):
        raise TypeError(
            f"{type(venv).__name__} is not a VecEnv of Stable-Baselines3; for one environment there are "
            "ComposedReward, TraceRecorder and EpisodeMetrics, and for a VectorEnv of Gymnasium those with Vector "
            "before their names"
        )


def _flags(dones: Any, infos: Any) -> tuple[list[bool], list[bool]]:
    """``terminated`` and ``truncated`` of each environment."""
    truncated = [
        bool(done) and bool(info.get("TimeLimit.truncated", False)) for done, info in zip(dones, infos, strict=True)
    ]
    return [bool(done) and not cut for done, cut in zip(dones, truncated, strict=True)], truncated


class VecComposedReward(ComposesReward, VecEnvWrapper):
    """A VecEnv of Tier-2 environments with a spec's reward in the place of their own. See VectorComposedReward.

    Each environment's ``info`` has the members that ComposedReward adds. The rewards are float64, so that they are the
    sums of their contributions. ``make_vec_env`` puts a Monitor into each environment, which reports the own reward
    (MonitorInside warns of it): put a VecMonitor around this wrapper, or compose in each environment instead::

        make_vec_env(lambda: ComposedReward(make_environment(), spec), n_envs=4)

    Raises as VectorComposedReward does, and TypeError for anything but a VecEnv.
    """

    def __init__(
        self,
        venv: Any,
        spec: RewardSpec | SpecSchedule | None = None,
        *,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        _require_vec_env(venv)
        require_composable(venv)
        super().__init__(venv)
        self._scorer = VectorScorer(spec, venv.num_envs, _MODE, registry, MonitorWatch(venv))

    def reset(self) -> Any:
        """Begins episodes in all environments, for the components too."""
        observations = self.venv.reset()
        self._scorer.reset([{}] * self.num_envs)
        return observations

    def step_wait(self) -> Any:
        """A step of each environment, with the spec's totals as the rewards."""
        observations, own, dones, infos = self.venv.step_wait()
        rewards, infos = self._scorer.step(own, *_flags(dones, infos), infos)
        return observations, rewards, dones, infos


class _VecRows(RecordsRows, VecEnvWrapper):
    """A VecEnv whose steps are turned into rows."""

    def __init__(self, venv: Any, takes: TakesRows, evaluation: bool) -> None:
        super().__init__(venv)
        self._rows = VectorRows(venv.num_envs, _MODE, takes, is_composed(venv), evaluation)

    def reset(self) -> Any:
        """Begins episodes in all environments."""
        observations = self.venv.reset()
        self._begin()
        self._rows.reset(self._begun())
        return observations

    def step_wait(self) -> Any:
        """A step of each environment, and its row."""
        observations, rewards, dones, infos = self.venv.step_wait()
        self._rows.step(rewards, *_flags(dones, infos), infos, self._begun())
        return observations, rewards, dones, infos

    def _begun(self) -> list[Mapping[str, Any]]:
        """The ``info`` of each environment's last reset: only the innermost VecEnv has it."""
        infos: list[Mapping[str, Any]] = self.venv.unwrapped.reset_infos
        return [info or {} for info in infos]

    def _begin(self) -> None:
        """Takes a reset."""


class VecTraceRecorder(RecordsTrace, _VecRows):
    """A VecEnv whose steps are traced: one row a step of each of its environments. See TraceRecorder.

    The VecEnv casts the rewards of its environments to float32. So that a row has the exact one, put it around
    VecComposedReward; where each environment is composed by itself, put a TraceRecorder into each.
    """

    def __init__(
        self,
        venv: Any,
        sink: TraceWriter | str | os.PathLike[str],
        *,
        manifest: bool = True,
        overwrite: bool = False,
        evaluation: bool = False,
    ) -> None:
        _require_vec_env(venv)
        self._trace = OpenTrace(self, venv, sink, manifest, overwrite)
        self._seed: int | None = None
        super().__init__(venv, self._trace, evaluation)

    def seed(self, seed: int | None = None) -> Any:
        """Seeds the environments for the next reset."""
        self._seed = seed
        return super().seed(seed)

    def _begin(self) -> None:
        seed, self._seed = self._seed, None
        self._trace.begin(self, seed)


class VecEpisodeMetrics(ReportsMetrics, _VecRows):
    """A VecEnv that counts and sums over the steps of all its environments. See EpisodeMetrics."""

    def __init__(self, venv: Any, *, evaluation: bool = False) -> None:
        _require_vec_env(venv)
        self._metrics = RunningMetrics(venv)
        super().__init__(venv, self._metrics, evaluation)
