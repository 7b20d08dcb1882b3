"""The wrappers for vector environments: composed reward, tracing and metrics, in every autoreset mode.

For regimes, wrap each of the environments in a RegimeSchedule.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper

from ..rewards.components.component import RewardComponent
from ..rewards.components.registry import REGISTRY
from ..rewards.spec.generated.reward_spec import RewardSpec
from ..rewards.spec.schedule import SpecSchedule
from ..traces.write import TraceWriter
from .compose import require_composable
from .manifest import is_composed
from .metrics import ReportsMetrics, RunningMetrics
from .monitors import MonitorWatch
from .tracing import OpenTrace
from .vector_recording import RecordsRows, RecordsTrace, TakesRows, VectorRows
from .vector_scoring import ComposesReward, VectorScorer
from .vector_steps import autoreset_mode, reset_mask

Venv: TypeAlias = VectorEnv[Any, Any, Any]

if TYPE_CHECKING:
    _GymnasiumWrapper = VectorWrapper[Any, Any, Any, Any, Any]
else:
    _GymnasiumWrapper = VectorWrapper

Returned = tuple[Any, Any, Any, Any, Any]


class _VectorWrapper(_GymnasiumWrapper):
    """A wrapper that says the autoreset mode of what it wraps, in ``metadata`` and as an attribute."""

    def __init__(self, env: Venv) -> None:
        super().__init__(env)
        self._mode = autoreset_mode(env)

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """When an environment is reset whose episode has ended."""
        return self._mode


class VectorComposedReward(ComposesReward, _VectorWrapper):
    """A vector environment of Tier-2 environments with a spec's reward in the place of their own.

    One engine serves all of them. Where every component of the spec has ``compute_batch``, it computes a step of all
    environments in arrays, otherwise environment by environment; both give the same bits.

    ``infos`` has the members that ComposedReward adds, as Gymnasium batches dicts: for each name an array with an
    entry for each environment, and under ``_NAME`` the mask of those that gave it; ``environment_info`` takes out the
    dicts of one. Of a step that ended an episode in SAME_STEP they are in ``final_info``. Where ``infos`` is a list
    with a dict for each environment, each dict gets its own. In NEXT_STEP the call that resets has no reward of the
    spec, and Gymnasium's 0 in its place.

    Where the step of one environment cannot be scored, all have to be reset before the next (ResetNeeded).

    Raises and warns as ComposedReward does, TypeError if the environment is not a vector environment or ``infos`` has
    another form, and ValueError if neither metadata nor an attribute gives the autoreset mode.
    """

    def __init__(
        self,
        env: Venv,
        spec: RewardSpec | SpecSchedule | None = None,
        *,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        require_vector(env)
        require_composable(env)
        super().__init__(env)
        self._scorer = VectorScorer(spec, env.num_envs, self._mode, registry, MonitorWatch(env))

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins episodes, for the components too, in all environments or in those of ``options["reset_mask"]``."""
        mask = reset_mask(options)
        observations, infos = self.env.reset(seed=seed, options=options)
        self._scorer.reset(infos, mask)
        return observations, infos

    def step(self, actions: Any) -> Returned:
        """A step of each environment, with the spec's totals as the rewards."""
        observations, own, terminations, truncations, infos = self.env.step(actions)
        rewards, infos = self._scorer.step(own, terminations, truncations, infos)
        return observations, rewards, terminations, truncations, infos


def require_vector(env: object) -> None:
    """Raises TypeError for what is not a vector environment."""
    if not isinstance(env, (VectorEnv, VectorWrapper)):
        raise TypeError(
            f"{type(env).__name__} is not a vector environment; for one environment there are ComposedReward, "
            "TraceRecorder and EpisodeMetrics"
        )


class _RowWrapper(RecordsRows, _VectorWrapper):
    """A vector environment whose steps are turned into rows, environment by environment."""

    def __init__(self, env: Venv, takes: TakesRows, evaluation: bool = False) -> None:
        super().__init__(env)
        self._rows = VectorRows(env.num_envs, self._mode, takes, is_composed(env), evaluation)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins episodes, in all environments or in those of ``options["reset_mask"]``."""
        mask = reset_mask(options)
        observations, infos = self.env.reset(seed=seed, options=options)
        self._begin(seed)
        self._rows.reset(infos, mask)
        return observations, infos

    def step(self, actions: Any) -> Returned:
        """A step of each environment, and its row where it is one."""
        returned = self.env.step(actions)
        self._rows.step(*returned[1:])
        return returned

    def _begin(self, seed: Any) -> None:
        """Takes a reset."""


class VectorTraceRecorder(RecordsTrace, _RowWrapper):
    """A vector environment whose steps are traced: one row a step of each of its environments. See TraceRecorder.

    Where the row of one environment is refused, all have to be reset before the next step (ResetNeeded). Raises
    TypeError for what is not a vector environment, ValueError where the metadata says no autoreset mode.
    """

    def __init__(
        self,
        env: Venv,
        sink: TraceWriter | str | os.PathLike[str],
        *,
        manifest: bool = True,
        overwrite: bool = False,
        evaluation: bool = False,
    ) -> None:
        require_vector(env)
        autoreset_mode(env)  # before a file is made
        self._trace = OpenTrace(self, env, sink, manifest, overwrite)
        super().__init__(env, self._trace, evaluation)

    def _begin(self, seed: Any) -> None:
        self._trace.begin(self, seed)


class VectorEpisodeMetrics(ReportsMetrics, _RowWrapper):
    """A vector environment that counts and sums over the steps of all its environments. See EpisodeMetrics."""

    def __init__(self, env: Venv, *, evaluation: bool = False) -> None:
        require_vector(env)
        self._metrics = RunningMetrics(env)
        super().__init__(env, self._metrics, evaluation)
