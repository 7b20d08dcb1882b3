"""Specs that take turns in a run: a curriculum of weights that traces, manifests and summaries know."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ...validation.schemas import schema_of
from ..components.component import RewardComponent
from .generated.reward_spec import RewardSpec
from .resolved import ResolvedSpec, required_spec, resolve

_REPORT: Final = schema_of("regime-report")
_MOST_STAGES: Final[int] = _REPORT["properties"]["stages"]["maxItems"]
_MOST_TERMS: Final[int] = _REPORT["$defs"]["RegimeSummary"]["properties"]["components"]["maxItems"]


class SpecStage(NamedTuple):
    """One spec of a run, and the step from which on it is used."""

    start: int
    """How many steps were taken before it, in all episodes; the first stage has 0."""
    spec: RewardSpec
    """The spec as written."""
    resolved: ResolvedSpec
    """The spec as it is run."""


def components_of(stages: Sequence[SpecStage]) -> dict[str, type[RewardComponent]]:
    """The components of some stages, as the registry of an engine. A registry itself may not be copied."""
    return {term.type: term.component for stage in stages for term in stage.resolved.terms}


class SpecSchedule:
    """Specs that score the steps of a run, each from a start on.

    ``stages`` is a sequence of pairs (start, spec). A start counts the steps of all episodes, and in a
    VectorComposedReward those of all its environments; the first is 0, and each is greater than the one before. One
    spec scores an episode from its first step to its last: if a start is reached in the middle of an episode, its spec
    is used from the next reset of that environment on.

        ramp = SpecSchedule([(0, spec), (100_000, spec_with_a_greater_weight)])
        env = ComposedReward(env, ramp)

    Raises ValueError if the starts are not as above, for more than 1,000 stages, and if all specs together have more
    than 64 different terms; TypeError if a spec is not a RewardSpec.
    """

    def __init__(self, stages: Sequence[tuple[int, RewardSpec]]) -> None:
        self._starts = [start for start, _ in stages]
        self._specs = [required_spec(spec) for _, spec in stages]
        whole = all(type(start) is int for start in self._starts)
        if not whole or self._starts[:1] != [0] or any(later <= start for start, later in pairwise(self._starts)):
            raise ValueError(
                "the starts of a schedule are whole numbers, the first is 0, and each is greater than the one before; "
                f"not {self._starts[:20]}"
            )
        if len(stages) > _MOST_STAGES:
            raise ValueError(f"a schedule has at most {_MOST_STAGES} stages, not {len(stages)}")
        terms = {component.term_name for spec in self._specs for component in spec.components}
        if len(terms) > _MOST_TERMS:
            raise ValueError(
                f"the specs of the schedule have {len(terms)} different terms; a report has at most {_MOST_TERMS}"
            )

    @property
    def stages(self) -> tuple[tuple[int, RewardSpec], ...]:
        """The pairs (start, spec)."""
        return tuple(zip(self._starts, self._specs, strict=True))

    def resolve(self, registry: Mapping[str, type[RewardComponent]]) -> tuple[SpecStage, ...]:
        """The stages as they are run. Raises InvalidDocument if a type is not in the registry."""
        return tuple(SpecStage(start, spec, resolve(spec, registry)) for start, spec in self.stages)

    def stage_at(self, steps: int) -> int:
        """The place of the stage of an episode that begins after a number of steps."""
        return bisect_right(self._starts, steps) - 1

    @classmethod
    def of(cls, spec: RewardSpec | SpecSchedule | None) -> SpecSchedule:
        """A schedule as it is; a spec as a schedule of one stage. Raises RewardSpecRequired for anything else."""
        return spec if isinstance(spec, SpecSchedule) else cls([(0, required_spec(spec))])

    def __repr__(self) -> str:
        return f"SpecSchedule({[(start, spec.name) for start, spec in self.stages]!r})"
