"""A spec's reward in the place of an environment's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import gymnasium

from ..generated.reward_spec import RewardSpec
from ..rewards.component import RewardComponent
from ..rewards.engine import CompositionEngine, RewardResult
from ..rewards.registry import REGISTRY
from ..rewards.resolved import ResolvedSpec
from .row_parts import ComposedDetail
from .rows import COMPONENTS, DETAIL, ENVIRONMENT_REWARD, RESOLVED_SPEC_DIGEST, SPEC_DIGEST, StepRows
from .step import TRACE, EpisodeStep
from .wrapper_order import require_no_autoreset_below, require_no_rows_below, require_not_composed

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class TraceMissing(TypeError):
    """A spec was to score a step of which the environment says nothing: it is Tier 1. Nothing stands in for it."""


class ComposedReward(Wrapper):
    """A Tier-2 environment with a spec's reward in the place of its own.

    ``info`` has in addition ``reward_components`` (the contribution of each term that was due), ``reward_detail``
    (each term's raw value, reason for a zero and sub-terms), both read-only mappings; ``environment_reward``, where the
    environment gave one; ``spec_digest`` and ``resolved_spec_digest``.

    What ends episodes (TimeLimit) and sets regimes goes inside; recorders, and what scales the reward, outside. What
    cuts an episode off from outside, a reset in the middle of it too, pays no term that is due at its end; a recorder
    sees it only where it stands outside of that.

    Raises RewardSpecRequired without a spec, InvalidDocument where a type of it is not in the registry, and
    WrapperOrder around another composed reward, a recorder, metrics or Gymnasium's Autoreset; ``step``
    raises TraceMissing where ``info`` has no EpisodeStep under ``trace``, StepRefused for an own reward that is no
    finite number, and CompositionError as the engine does.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        spec: RewardSpec | None = None,
        *,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        require_composable(env)
        super().__init__(env)
        self._scorer = StepScorer(spec, 1, registry)

    @property
    def reward_spec(self) -> RewardSpec:
        """The spec as written."""
        return self._scorer.engine.spec

    @property
    def resolved_spec(self) -> ResolvedSpec:
        """The spec as it is run."""
        return self._scorer.engine.resolved

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode, for the components too."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._scorer.begin(0)
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A step, with the spec's total as its reward."""
        observation, own, terminated, truncated, info = self.env.step(action)
        total, added = self._scorer.score(0, own, terminated, truncated, info)
        return observation, total, terminated, truncated, {**info, **added}


def require_composable(env: Any) -> None:
    """Raises WrapperOrder where a spec's reward cannot stand around an environment."""
    require_not_composed(env)
    require_no_rows_below(env, "the composed reward")
    require_no_autoreset_below(env, "the composed reward")


class StepScorer:
    """Scores the steps of some environments with one engine, and says what goes into ``info``."""

    def __init__(
        self,
        spec: RewardSpec | None,
        environments: int,
        registry: Mapping[str, type[RewardComponent]],
        *,
        batched: bool = False,
    ) -> None:
        self.engine: Final = CompositionEngine(spec, environments=environments, registry=registry)
        self._digests: Final = {
            SPEC_DIGEST: self.engine.resolved.spec_digest,
            RESOLVED_SPEC_DIGEST: self.engine.resolved.digest,
        }
        self._checks = [StepRows(place, batched=batched) for place in range(environments)]

    def begin(self, environment: int) -> None:
        """Begins a new episode of an environment."""
        self.engine.reset(environment)
        self._checks[environment].begin({})

    def score(
        self, environment: int, own: object, terminated: Any, truncated: Any, info: Mapping[str, Any]
    ) -> tuple[float, dict[str, Any]]:
        """The total of a step, and the members that it adds to ``info``."""
        check = self._checks[environment]
        record = info.get(TRACE)
        if not isinstance(record, EpisodeStep):
            raise TraceMissing(_missing(record, environment))
        context = record.ending(check.flag("terminated", terminated), check.flag("truncated", truncated))
        own = check.number("the environment's own reward", own)
        result = self.engine.compute_step(context, environment)
        check.advance(context.ends_episode)
        return result.total, {
            COMPONENTS: result.contributions,
            DETAIL: _detail(result, self.engine.resolved.types),
            **({} if own is None else {ENVIRONMENT_REWARD: own}),  # Gymnasium would batch None as NaN
            **self._digests,
        }


def _detail(result: RewardResult, types: tuple[str, ...]) -> ComposedDetail:
    raw, zeros = result.raw, result.zeros
    return ComposedDetail(
        result.contributions,
        types,
        [raw.get(name) for name in types],
        [reason.value if (reason := zeros.get(name)) else None for name in types],
        result.detail,
    )


def _missing(found: object, environment: int) -> str:
    seen = 'info has no "trace"' if found is None else f'info["trace"] is {type(found).__name__}, no EpisodeStep'
    return (
        f"environment {environment}: {seen}; it is Tier 1, and only a Tier-2 environment can hand scoring over to a "
        'spec. Add info["trace"] = EpisodeStep.of(step, state_before=..., state_after=..., extras=...)'
    )
