"""A spec's reward in the place of an environment's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium

from ..core.findings import shown
from ..rewards.components.component import RewardComponent
from ..rewards.components.context import StepContext
from ..rewards.components.registry import REGISTRY
from ..rewards.engines.plain import CompositionEngine, episode_over
from ..rewards.spec.generated.reward_spec import RewardSpec
from ..rewards.spec.resolved import ResolvedSpec
from ..rewards.spec.schedule import SpecSchedule, SpecStage, components_of
from .monitors import EPISODE, MonitorWatch
from .record import COMPONENTS, DETAIL, ENVIRONMENT_REWARD, RESOLVED_SPEC_DIGEST, SPEC_DIGEST, StepRows
from .step import PARTS, REGIME, TRACE, EpisodeStep
from .wrapper_order import require_no_autoreset_below, require_no_rows_below, require_not_composed

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class TraceMissing(TypeError):
    """A spec was to score a step of which the environment says nothing: it is Tier 1. Nothing stands in for it."""


class ComposedReward(Wrapper):
    """A Tier-2 environment with a spec's reward in the place of its own.

    ``info`` has in addition ``reward_components``, a dict with the contribution of each term (0.0 for one that is not
    due at this step); ``reward_detail``, a dict with ``{"raw": value, "zero": reason, "terms": sub-terms}`` of each
    term; ``environment_reward``, if the environment gave one; ``spec_digest`` and ``resolved_spec_digest``. Both dicts
    name every term of the spec at every step, and are new at each step: they fit JSON and replay buffers, and changing
    them changes nothing else. A term that is not due has the raw value None and the reason ``"skipped"``.

    ``spec`` can be a SpecSchedule, whose specs take turns; ``info`` has the digests of the one that scored the step.

    What ends episodes (TimeLimit) and sets regimes goes inside; recorders, and what scales the reward, outside. What
    cuts an episode off from outside, a reset in the middle of it too, pays no term that is due at its end; a recorder
    sees it only where it is outside of that.

    Raises RewardSpecRequired without a spec, InvalidDocument if a type of it is not in the registry, ValueError if one
    term's name is another's with ``_`` before it (Gymnasium's name for a mask), and WrapperOrder around another
    composed reward, a recorder, metrics or Gymnasium's Autoreset. ``step`` raises TraceMissing if ``info`` has no
    EpisodeStep under ``trace``, StepRefused for an own reward that is not a finite number, and CompositionError as the
    engine does; a step after the end of an episode is refused before the environment takes it. Warns (MonitorInside)
    of a monitor of episode returns inside, which reports another reward than is trained on.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        spec: RewardSpec | SpecSchedule | None = None,
        *,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        require_composable(env)
        super().__init__(env)
        self._schedule = SpecSchedule.of(spec)
        self._stages = self._schedule.resolve(registry)
        for stage in self._stages:
            require_batchable(stage.resolved.names)
        self._components = components_of(self._stages)
        self._steps = 0
        self._episodes = 0
        self._stepped = False
        self._use(0)
        self._check = StepRows()
        self._monitors = MonitorWatch(env)

    def _use(self, stage: int) -> None:
        self._stage = stage
        self._engine = CompositionEngine(self._stages[stage].spec, registry=self._components)
        self._digests = digests_of(self._engine.resolved)

    @property
    def reward_spec(self) -> RewardSpec:
        """The spec as written; of a schedule, the one of the episode that goes on."""
        return self._engine.spec

    @property
    def resolved_spec(self) -> ResolvedSpec:
        """The spec as it is run; of a schedule, the one of the episode that goes on."""
        return self._engine.resolved

    @property
    def spec_stages(self) -> tuple[SpecStage, ...]:
        """All specs of the run, with the steps from which on they are used; one if there is no schedule."""
        return self._stages

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode, for the components too."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._episodes += self._stepped
        self._stepped = False
        stage = self._schedule.stage_at(self._steps, self._episodes, info.get(REGIME))
        if stage == self._stage:
            self._engine.reset()
        else:
            self._use(stage)
        self._check.begin({})
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A step, with the spec's total as its reward."""
        check = self._check
        if self._engine.is_over():
            raise episode_over(check.steps)
        observation, own, terminated, truncated, info = self.env.step(action)
        context, own_reward = step_context(check, 0, own, terminated, truncated, info)
        result = self._engine.compute_step(context)
        check.advance(context.ends_episode)
        self._steps += 1
        self._stepped = True
        if EPISODE in info:
            self._monitors.saw(info[EPISODE])
        components, detail = result.to_dicts()
        info = {**info, COMPONENTS: components, DETAIL: detail, **self._digests}
        if own_reward is not None:  # Gymnasium would batch None as NaN
            info[ENVIRONMENT_REWARD] = own_reward
        return observation, result.total, terminated, truncated, info


def require_composable(env: Any) -> None:
    """Raises WrapperOrder where a spec's reward cannot stand around an environment."""
    require_not_composed(env)
    require_no_rows_below(env, "the composed reward")
    require_no_autoreset_below(env, "the composed reward")


def digests_of(resolved: ResolvedSpec) -> dict[str, str]:
    """The digests of a spec, as ``info`` has them."""
    return {SPEC_DIGEST: resolved.spec_digest, RESOLVED_SPEC_DIGEST: resolved.digest}


def step_context(
    check: StepRows, environment: int, own: Any, terminated: Any, truncated: Any, info: Mapping[str, Any]
) -> tuple[StepContext, float | None]:
    """A step: the flags that were returned with its ``info``, and the environment's own reward."""
    record = info.get(TRACE)
    if not isinstance(record, EpisodeStep):
        raise TraceMissing(_missing(record, environment))
    if type(terminated) is not bool or type(truncated) is not bool:  # a call for each would cost more than the look
        terminated, truncated = check.flag("terminated", terminated), check.flag("truncated", truncated)
    is_plain = type(own) is float and own - own == 0.0
    if type(own) is float and own != own and PARTS in record.context.extras:
        own = None  # a vector environment made NaN of the None of RewardParts
    reward: float | None = own if is_plain else check.number("the environment's own reward", own)
    return record.ending(terminated, truncated), reward


def require_batchable(names: tuple[str, ...]) -> None:
    """Raises ValueError for terms that a vector environment would take for each other's masks.

    Gymnasium batches a dict by member, and writes the mask of the member ``a`` to ``_a``.
    """
    for name in names:
        if f"_{name}" in names:
            raise ValueError(
                f"the spec has the terms {shown(name)} and {shown('_' + name)}; in the infos of a vector environment "
                "the second is the mask of the first. Give one of the two terms another name"
            )


def _missing(found: object, environment: int) -> str:
    seen = 'info has no "trace"' if found is None else f'info["trace"] is {type(found).__name__}, no EpisodeStep'
    return (
        f"environment {environment}: {seen}; it is Tier 1, and only a Tier-2 environment can hand scoring over to a "
        'spec. Add info["trace"] = EpisodeStep.of(step, state_before=..., state_after=..., extras=...)'
    )
