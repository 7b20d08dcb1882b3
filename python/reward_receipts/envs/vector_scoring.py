"""A spec's reward for the steps of a vector environment, and what goes into its ``infos``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode

from ..generated.reward_spec import RewardSpec
from ..rewards.batched import BatchedEngine, BatchResult
from ..rewards.component import RewardComponent, StepContext
from .composing import digests_of, require_batchable, step_context
from .monitors import EPISODE, MonitorWatch
from .rows import COMPONENTS, DETAIL, ENVIRONMENT_REWARD, StepRows
from .step import TRACE
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
        spec: RewardSpec | None,
        environments: int,
        mode: AutoresetMode,
        registry: Mapping[str, type[RewardComponent]],
        monitors: MonitorWatch,
    ) -> None:
        self.engine: Final = BatchedEngine(spec, environments, registry)
        require_batchable(self.engine.resolved.types)
        self._digests: Final = digests_of(self.engine.resolved)
        self._batched = BatchedSteps(environments, mode, (TRACE, EPISODE))
        self._checks = [StepRows(place, batched=True) for place in range(environments)]
        self._monitors = monitors

    def reset(self, infos: Infos, mask: Any = None) -> None:
        """Begins episodes, in all environments or in those of a mask."""
        for begun in self._batched.reset(infos, mask):
            self._begin(begun.environment)

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
            result = self.engine.compute_steps(contexts)
        except BaseException:
            self._batched.require_reset()
            raise
        for event in events:
            if isinstance(event, Begun):
                self._begin(event.environment)
        if isinstance(infos, (list, tuple)):
            return result.totals, self._listed(infos, result, rewards, final)
        return result.totals, self._batched_infos(infos, result, rewards, final)

    def _begin(self, environment: int) -> None:
        self.engine.reset(environment)
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
            added: dict[str, Any] = {COMPONENTS: given[0], DETAIL: given[1], **self._digests}
            if reward is not None:
                added[ENVIRONMENT_REWARD] = reward
            if is_final and info.get(FINAL_INFO) is not None:
                listed.append({**info, FINAL_INFO: {**info[FINAL_INFO], **added}})
            else:
                listed.append({**info, **added})
        return listed

    def _batched_infos(self, infos: Any, result: BatchResult, own: list[float | None], final: Flags) -> dict[str, Any]:
        if not final.any():
            return {**infos, **self._members(result, own, result.stepped)}
        members = {**infos, **self._members(result, own, result.stepped & ~final)}
        members[FINAL_INFO] = {**infos.get(FINAL_INFO, {}), **self._members(result, own, final)}
        return members

    def _members(self, result: BatchResult, own: list[float | None], mask: Flags) -> dict[str, Any]:
        """What is added to ``infos``, for the environments in a mask, as Gymnasium batches the dicts of each."""
        of_all = mask is result.stepped  # the arrays have nothing of the others

        def masked(array: Any, fill: Any) -> Any:
            return array if of_all else np.where(mask, array, fill)

        components: dict[str, Any] = {}
        detail: dict[str, Any] = {}
        for name, values, raws, is_due, zeros, sub_terms in zip(
            result.resolved.types,
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
        for name, digest in self._digests.items():
            members[name] = np.full(len(mask), None, dtype=object)
            members[name][mask] = digest
            members[f"_{name}"] = mask
        return members


def _with_none(values: Doubles, given: Flags) -> Any:
    """Values as objects, with None where there is none: NaN would be a number."""
    objects = values.astype(object)
    objects[~given] = None
    return objects
