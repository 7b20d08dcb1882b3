"""A spec's reward for the steps of a vector environment, and what goes into its ``infos``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode

from ..rewards.components.component import RewardComponent
from ..rewards.components.context import StepContext
from ..rewards.engines.batched import BatchedEngine, BatchResult
from ..rewards.spec.generated.reward_spec import RewardSpec
from ..rewards.spec.resolved import ResolvedSpec
from ..rewards.spec.schedule import SpecSchedule, SpecStage, components_of
from .compose import digests_of, require_batchable, step_context
from .monitors import EPISODE, MonitorWatch
from .record import COMPONENTS, DETAIL, ENVIRONMENT_REWARD, StepRows
from .step import REGIME, TRACE
from .vector_steps import FINAL_INFO, BatchedSteps, Begun, Infos, Stepped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Flags = NDArray[np.bool_]


class VectorScorer:
    """Scores the steps of a vector environment, call after call.

    It works for Gymnasium's vector environments and for those of Stable-Baselines3, whose ``infos`` are lists.
    """

    def __init__(
        self,
        spec: RewardSpec | SpecSchedule | None,
        environments: int,
        mode: AutoresetMode,
        registry: Mapping[str, type[RewardComponent]],
        monitors: MonitorWatch,
    ) -> None:
        self._schedule = SpecSchedule.of(spec)
        self.stages: Final = self._schedule.resolve(registry)
        for stage in self.stages:
            require_batchable(stage.resolved.names)
        self._components = components_of(self.stages)
        self._engines: dict[int, BatchedEngine] = {}  # by the place of the stage, from its first episode to its last
        self._stage_of = [0] * environments  # the place of the stage of each one's episode
        self._steps = 0
        self._episodes = 0
        self._stepped = [False] * environments
        members = (TRACE, EPISODE, REGIME) if self._schedule.unit == "regimes" else (TRACE, EPISODE)
        self._batched = BatchedSteps(environments, mode, members)
        self._checks = [StepRows(place, batched=True) for place in range(environments)]
        self._monitors = monitors

    @property
    def stage(self) -> SpecStage:
        """The stage of the episodes that begin now; of a schedule of regimes, that of the first environment's."""
        if self._schedule.unit == "regimes":
            return self.stages[self._stage_of[0]]
        return self.stages[self._schedule.stage_at(self._steps, self._episodes)]

    def reset(self, infos: Infos, mask: Any = None) -> None:
        """Begins episodes, in all environments or in those of a mask."""
        for begun in self._batched.reset(infos, mask):
            self._begin(begun)

    def step(self, own: Any, terminations: Any, truncations: Any, infos: Infos) -> tuple[Doubles, Any]:
        """The totals of a call, 0.0 for an environment that took no step, and ``infos`` with what is added."""
        events = [*self._batched.step(own, terminations, truncations, infos)]
        contexts: list[StepContext | None] = [None] * len(self._checks)
        rewards: list[float | None] = [None] * len(self._checks)
        final = np.zeros(len(self._checks), np.bool_)
        try:
            for event in events:
                if isinstance(event, Stepped):
                    place = event.environment
                    contexts[place], rewards[place] = self._taken(event)
                    final[place] = event.final
            results = self._results(contexts)
        except BaseException:
            self._batched.require_reset()
            raise
        for place, context in enumerate(contexts):
            if context is not None:
                self._steps += 1
                self._stepped[place] = True
        for event in events:
            if isinstance(event, Begun):
                self._begin(event)
        totals = results[0].totals
        for result in results[1:]:
            totals = np.where(result.stepped, result.totals, totals)
        if isinstance(infos, (list, tuple)):
            for result in results:
                infos = self._listed(infos, result, rewards, final)
            return totals, infos
        return totals, self._batched_infos(infos, results, rewards, final)

    def _results(self, contexts: list[StepContext | None]) -> list[BatchResult]:
        """The rewards of a step: from one engine, or from one for each stage that some environments are in."""
        used = sorted({*self._stage_of})
        if len(used) == 1:
            return [self._engine(used[0]).compute_steps(contexts)]
        places = self._stage_of
        return [
            self._engine(stage).compute_steps(
                [context if place == stage else None for context, place in zip(contexts, places, strict=True)]
            )
            for stage in used
        ]

    def _engine(self, stage: int) -> BatchedEngine:
        engine = self._engines.get(stage)
        if engine is None:
            spec = self.stages[stage].spec
            engine = self._engines[stage] = BatchedEngine(spec, len(self._stage_of), self._components)
        return engine

    def _begin(self, begun: Begun) -> None:
        environment = begun.environment
        self._episodes += self._stepped[environment]
        self._stepped[environment] = False
        stage = self._schedule.stage_at(self._steps, self._episodes, begun.info.get(REGIME))
        if stage != self._stage_of[environment]:
            self._stage_of[environment] = stage
            for ended in self._engines.keys() - {*self._stage_of}:
                del self._engines[ended]
        self._engine(stage).reset(environment)
        self._checks[environment].begin({})

    def _taken(self, event: Stepped) -> tuple[StepContext, float | None]:
        environment, own, terminated, truncated, info, _ = event
        check = self._checks[environment]
        context, reward = step_context(check, environment, own, terminated, truncated, info)
        if EPISODE in info:
            self._monitors.saw(info[EPISODE])
        check.advance(terminated or truncated)
        return context, reward

    def _listed(
        self, infos: Infos, result: BatchResult, own: list[float | None], final: Flags
    ) -> list[Mapping[str, Any]]:
        listed: list[Mapping[str, Any]] = []
        for info, given, reward, is_final in zip(infos, result.to_dicts(), own, final.tolist(), strict=True):
            if given is None:
                listed.append(info)
                continue
            added: dict[str, Any] = {COMPONENTS: given[0], DETAIL: given[1], **digests_of(result.resolved)}
            if reward is not None:
                added[ENVIRONMENT_REWARD] = reward
            if is_final and info.get(FINAL_INFO) is not None:
                listed.append({**info, FINAL_INFO: {**info[FINAL_INFO], **added}})
            else:
                listed.append({**info, **added})
        return listed

    def _batched_infos(
        self, infos: Any, results: list[BatchResult], own: list[float | None], final: Flags
    ) -> dict[str, Any]:
        any_final = bool(final.any())
        now: dict[str, Any] = {}
        last: dict[str, Any] = {}
        for result in results:
            mask = result.stepped & ~final if any_final else result.stepped
            now = _merged(now, self._members(result, own, mask), mask)
            if any_final:
                mask = result.stepped & final
                last = _merged(last, self._members(result, own, mask), mask)
        members = {**infos, **now}
        if any_final:
            members[FINAL_INFO] = {**infos.get(FINAL_INFO, {}), **last}
        return members

    def _members(self, result: BatchResult, own: list[float | None], mask: Flags) -> dict[str, Any]:
        """The additions to ``infos``, for the environments in a mask, as Gymnasium batches the dicts of each."""
        of_all = mask is result.stepped  # the arrays have nothing of the others

        def masked(array: Any, fill: Any) -> Any:
            return array if of_all else np.where(mask, array, fill)

        components: dict[str, Any] = {}
        detail: dict[str, Any] = {}
        for name, values, raws, is_due, zeros, sub_terms in zip(
            result.resolved.names,
            result.contributions,
            result.raw,
            result.due,
            result.zeros,
            result.sub_terms,
            strict=True,
        ):
            components[name], components[f"_{name}"] = masked(values, 0.0), mask
            terms: dict[str, Any] = {}
            for sub, each in sub_terms.items():
                terms[sub], terms[f"_{sub}"] = masked(each.values, 0.0), masked(each.given, False)
            detail[name] = {
                "raw": masked(raws, 0.0) if (is_due >= mask).all() else _with_none(raws, is_due & mask),
                "_raw": mask,
                "zero": masked(zeros, None),
                "_zero": mask,
                "terms": terms,
                "_terms": mask,
            }
            detail[f"_{name}"] = mask
        members: dict[str, Any] = {
            COMPONENTS: components,
            f"_{COMPONENTS}": mask,
            DETAIL: detail,
            f"_{DETAIL}": mask,
        }
        given = np.array([reward is not None for reward in own]) & mask
        if given.any():
            members[ENVIRONMENT_REWARD] = np.where(given, np.array([reward or 0.0 for reward in own]), 0.0)
            members[f"_{ENVIRONMENT_REWARD}"] = given
        for name, digest in digests_of(result.resolved).items():
            members[name] = np.full(len(mask), None, dtype=object)
            members[name][mask] = digest
            members[f"_{name}"] = mask
        return members


class ComposesReward:
    """The properties of a vector wrapper that has a VectorScorer."""

    _scorer: VectorScorer

    @property
    def reward_spec(self) -> RewardSpec:
        """The spec as written; of a schedule, the one of the episodes that begin now."""
        return self._scorer.stage.spec

    @property
    def resolved_spec(self) -> ResolvedSpec:
        """The spec as it is run; of a schedule, the one of the episodes that begin now."""
        return self._scorer.stage.resolved

    @property
    def spec_stages(self) -> tuple[SpecStage, ...]:
        """All specs of the run, with the steps from which on they are used; one if there is no schedule."""
        return self._scorer.stages


def _merged(first: dict[str, Any], second: dict[str, Any], mask: Flags) -> dict[str, Any]:
    """Members of two stages in one batch: those of the second for the environments in its mask."""
    if not first:
        return second
    merged = {**first, **second}
    for name in first.keys() & second.keys():
        value = second[name]
        is_batch = isinstance(value, dict)
        merged[name] = _merged(first[name], value, mask) if is_batch else np.where(mask, value, first[name])
    return merged


def _with_none(values: Doubles, given: Flags) -> Any:
    """Values as objects, with None where there is none: NaN would be a number."""
    objects = values.astype(object)
    objects[~given] = None
    return objects
