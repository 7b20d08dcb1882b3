"""The wrappers for vector environments: composed reward, tracing and metrics, in every autoreset mode.

For regimes, wrap each of the environments in a RegimeSchedule.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector import VectorWrapper as _VectorWrapper

from ..generated.reward_spec import RewardSpec
from ..rewards.component import RewardComponent
from ..rewards.registry import REGISTRY
from ..rewards.resolved import ResolvedSpec
from .composing import StepScorer, require_composable
from .manifest import is_composed
from .metrics import RunningMetrics, scalars_of
from .rows import COMPONENTS, DETAIL, ENVIRONMENT_REWARD, READ, RESOLVED_SPEC_DIGEST, SPEC_DIGEST, StepRows
from .step import TRACE
from .trace_files import TraceWriter
from .tracing import OpenTrace
from .vector_steps import FINAL_INFO, BatchedSteps, Begun, Stepped, autoreset_mode, reset_mask

if TYPE_CHECKING:
    from ..generated.regime_report import RegimeReport

    Venv = VectorEnv[Any, Any, Any]
    Wrapper = _VectorWrapper[Any, Any, Any, Any, Any]
else:
    Wrapper = _VectorWrapper

Returned = tuple[Any, Any, Any, Any, dict[str, Any]]


class VectorComposedReward(Wrapper):
    """A vector environment of Tier-2 environments with a spec's reward in the place of their own.

    One engine serves all of them. ``infos`` has the members that ComposedReward adds, as Gymnasium batches objects:
    an array with an entry for each environment, and a mask; of a step that ended an episode in SAME_STEP they are in
    ``final_info``. In NEXT_STEP the call that resets has no reward of the spec, and Gymnasium's 0 in its place.

    Where the step of one environment cannot be scored, all have to be reset before the next (ResetNeeded).

    Raises as ComposedReward does, TypeError for what is no vector environment, and ValueError where the metadata says
    no autoreset mode.
    """

    def __init__(
        self,
        env: Venv,
        spec: RewardSpec | None = None,
        *,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        require_vector(env)
        require_composable(env)
        super().__init__(env)
        self._scorer = StepScorer(spec, env.num_envs, registry, batched=True)
        self._batched = BatchedSteps(env.num_envs, autoreset_mode(env), (TRACE,))

    @property
    def reward_spec(self) -> RewardSpec:
        """The spec as written."""
        return self._scorer.engine.spec

    @property
    def resolved_spec(self) -> ResolvedSpec:
        """The spec as it is run."""
        return self._scorer.engine.resolved

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins episodes, for the components too, in all environments or in those of ``options["reset_mask"]``."""
        mask = reset_mask(options)
        observations, infos = self.env.reset(seed=seed, options=options)
        for begun in self._batched.reset(infos, mask):
            self._scorer.begin(begun.environment)
        return observations, infos

    def step(self, actions: Any) -> Returned:
        """A step of each environment, with the spec's totals as the rewards."""
        observations, own, terminations, truncations, infos = self.env.step(actions)
        rewards = np.zeros(len(own))
        now, final = _Added(len(rewards)), _Added(len(rewards))
        for event in self._batched.step(own, terminations, truncations, infos):
            place = event.environment
            if isinstance(event, Begun):
                self._scorer.begin(place)
                continue
            total, added = self._scorer.score(place, event.reward, event.terminated, event.truncated, event.info)
            rewards[place] = total
            (final if event.final else now).put(place, added)
        infos = {**infos, **now.members}
        if final.members:
            infos[FINAL_INFO] = {**infos.get(FINAL_INFO, {}), **final.members}
        return observations, rewards, terminations, truncations, infos


class _Added:
    """Members for ``infos``, with a mask for each."""

    def __init__(self, environments: int) -> None:
        self.members: dict[str, Any] = {}
        self._environments = environments

    def put(self, environment: int, added: Mapping[str, Any]) -> None:
        if not self.members:
            for name in _ADDED:
                self.members[name] = np.full(self._environments, None, dtype=object)
                self.members[f"_{name}"] = np.zeros(self._environments, dtype=np.bool_)
        for name, value in added.items():
            self.members[name][environment] = value
            self.members[f"_{name}"][environment] = True


_ADDED = (COMPONENTS, DETAIL, ENVIRONMENT_REWARD, SPEC_DIGEST, RESOLVED_SPEC_DIGEST)


def require_vector(env: object) -> None:
    """Raises TypeError for what is no vector environment."""
    if not isinstance(env, (VectorEnv, _VectorWrapper)):
        raise TypeError(
            f"{type(env).__name__} is no vector environment; for one environment there are ComposedReward, "
            "TraceRecorder and EpisodeMetrics"
        )


class _Takes(Protocol):
    """What takes the steps of environments: a trace, or metrics."""

    refused: int
    """How many steps have no row."""

    def take(self, rows: StepRows, reward: object, terminated: object, truncated: object, info: Any) -> None: ...


class _RowWrapper(Wrapper):
    """A vector environment whose steps are turned into rows, environment by environment."""

    takes_rows: Final = True

    def __init__(self, env: Venv, steps: _Takes, evaluation: bool = False) -> None:
        super().__init__(env)
        self._steps = steps
        self._batched = BatchedSteps(env.num_envs, autoreset_mode(env), READ)
        composed = is_composed(env)
        self._rows = [
            StepRows(place, batched=True, composed=composed, evaluation=evaluation) for place in range(env.num_envs)
        ]

    @property
    def evaluation(self) -> bool:
        """Whether the episodes from each environment's next reset on evaluate a policy. It can be set."""
        return self._rows[0].evaluation

    @evaluation.setter
    def evaluation(self, value: bool) -> None:
        for rows in self._rows:
            rows.evaluation = bool(value)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins episodes, in all environments or in those of ``options["reset_mask"]``."""
        mask = reset_mask(options)
        observations, infos = self.env.reset(seed=seed, options=options)
        self._begin(seed)
        for begun in self._batched.reset(infos, mask):
            self._rows[begun.environment].begin(begun.info)
        return observations, infos

    def step(self, actions: Any) -> Returned:
        """A step of each environment, and its row where it is one."""
        returned = self.env.step(actions)
        events = self._batched.step(*returned[1:])
        try:
            for event in events:
                rows = self._rows[event.environment]
                if isinstance(event, Begun):
                    rows.begin(event.info)
                else:
                    self._steps.take(rows, event.reward, event.terminated, event.truncated, event.info)
        except ValueError:
            self._steps.refused += sum(isinstance(event, Stepped) for event in events)  # those after it, not taken
            self._batched.require_reset()
            raise
        return returned

    def _begin(self, seed: Any) -> None:
        """Takes a reset."""


class VectorTraceRecorder(_RowWrapper):
    """A vector environment whose steps are traced: one row a step of each of its environments. See TraceRecorder.

    Where the row of one environment is refused, all have to be reset before the next step (ResetNeeded). Raises
    TypeError for what is no vector environment, ValueError where the metadata says no autoreset mode.
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

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles; raises TypeError once the trace is open."""
        trace = copy.copy(self._trace)
        return {**self.__dict__, "_trace": trace, "_steps": trace}

    def flush(self) -> None:
        """Writes the rows that are held to the file."""
        self._trace.flush()

    def close_trace(self) -> None:
        """Ends the trace and writes its manifest; the environment stays open. A second time does nothing."""
        self._trace.close()

    def close(self, **kwargs: Any) -> None:
        """Ends the trace and closes the environment."""
        try:
            self.close_trace()
        finally:
            super().close(**kwargs)


class VectorEpisodeMetrics(_RowWrapper):
    """A vector environment that counts and sums over the steps of all its environments. See EpisodeMetrics."""

    def __init__(self, env: Venv, *, evaluation: bool = False) -> None:
        require_vector(env)
        self._metrics = RunningMetrics(env)
        super().__init__(env, self._metrics, evaluation)

    def report(self) -> RegimeReport:
        """Steps, episodes, totals, means and gaps so far. Raises SumOverflows where a sum fits no double."""
        return self._metrics.report()

    def scalars(self) -> dict[str, float]:
        """The numbers of ``report`` in the flat form of loggers. See ``scalars_of``."""
        return scalars_of(self.report())

    def restart(self) -> None:
        """Begins to count anew, so that ``report`` and ``scalars`` give the numbers of an interval of the run."""
        self._metrics.restart()
