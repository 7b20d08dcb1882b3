"""Specs that take turns in a run: a curriculum of weights that traces, manifests and summaries know."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ...core.findings import shown
from ...validation.names import is_name
from ...validation.schemas import schema_of
from ...validation.spec_rules import listed
from ..components.component import RewardComponent
from .generated.reward_spec import RewardSpec
from .resolved import ResolvedSpec, required_spec, resolve

ScheduleUnit: TypeAlias = Literal["steps", "episodes", "regimes"]
"""What the starts of a schedule count, or name."""

_REPORT: Final = schema_of("regime-report")
_MOST_STAGES: Final[int] = _REPORT["properties"]["stages"]["maxItems"]
_MOST_TERMS: Final[int] = _REPORT["$defs"]["RegimeSummary"]["properties"]["components"]["maxItems"]


class SpecStage(NamedTuple):
    """One spec of a run, and the step from which on it is used."""

    start: int | str
    """How many steps or episodes were taken before it; the first stage has 0. For regimes, the label of its regime."""
    spec: RewardSpec
    """The spec as written."""
    resolved: ResolvedSpec
    """The spec as it is run."""
    unit: ScheduleUnit = "steps"
    """What the start counts or names."""


class RegimeWithoutSpec(ValueError):
    """An episode begins in a regime for which a schedule has no spec. No other spec stands in for it."""


def components_of(stages: Sequence[SpecStage]) -> dict[str, type[RewardComponent]]:
    """The components of some stages, as the registry of an engine. A registry itself may not be copied."""
    return {term.type: term.component for stage in stages for term in stage.resolved.terms}


class SpecSchedule:
    """Specs that score the steps of a run, each from a start on or in a regime.

    ``stages`` is a sequence of pairs (start, spec). With the unit ``steps`` a start counts the steps of all episodes,
    and in a VectorComposedReward those of all its environments; with ``episodes`` it counts the episodes in which a
    step was taken. The first start is 0, and each is greater than the one before. With ``regimes`` a start is the label
    of a regime, and the regime in which an episode begins (``info["regime"]`` of its reset) chooses the spec.

    One spec scores an episode from its first step to its last: if a start is reached, or the regime changes, in the
    middle of an episode, the other spec is used from the next reset of that environment on.

        ramp = SpecSchedule([(0, spec), (100_000, spec.with_({"effort.weight": 2.0}))])
        env = ComposedReward(env, ramp)

    Raises ValueError if the starts are not as above, for more than 1,000 stages, and if all specs together have more
    than 64 different terms; TypeError if a spec is not a RewardSpec.
    """

    def __init__(self, stages: Sequence[tuple[int | str, RewardSpec]], *, unit: ScheduleUnit = "steps") -> None:
        if unit not in get_args(ScheduleUnit):
            raise ValueError(f"a schedule counts 'steps' or 'episodes', or names 'regimes', not {unit!r}")
        self.unit: Final[ScheduleUnit] = unit
        """What the starts count or name."""
        self._specs = [required_spec(spec) for _, spec in stages]
        self._counts, self._labels = _checked([start for start, _ in stages], unit)
        if len(stages) > _MOST_STAGES:
            raise ValueError(f"a schedule has at most {_MOST_STAGES} stages, not {len(stages)}")
        terms = {component.term_name for spec in self._specs for component in spec.components}
        if len(terms) > _MOST_TERMS:
            raise ValueError(
                f"the specs of the schedule have {len(terms)} different terms; a report has at most {_MOST_TERMS}"
            )

    @property
    def stages(self) -> tuple[tuple[int | str, RewardSpec], ...]:
        """The pairs (start, spec)."""
        return tuple(zip(self._labels or self._counts, self._specs, strict=True))

    def resolve(self, registry: Mapping[str, type[RewardComponent]]) -> tuple[SpecStage, ...]:
        """The stages as they are run. Raises InvalidDocument if a type is not in the registry."""
        return tuple(SpecStage(start, spec, resolve(spec, registry), self.unit) for start, spec in self.stages)

    def stage_at(self, steps: int, episodes: int = 0, regime: object = None) -> int:
        """The place of the stage of an episode that begins after some steps and episodes, with ``info["regime"]``.

        Raises RegimeWithoutSpec for a regime without a stage, if the schedule is one of regimes.
        """
        if self.unit != "regimes":
            return bisect_right(self._counts, steps if self.unit == "steps" else episodes) - 1
        label = regime.get("label") if isinstance(regime, Mapping) else None
        if label in self._labels:
            return self._labels.index(label)
        found = "says nothing of its regime" if label is None else f"is in the regime {shown(label)}"
        raise RegimeWithoutSpec(
            f"the episode {found}; the schedule has specs for {listed(self._labels)}. Add a stage for it, or put "
            "RegimeSchedule inside of the composed reward"
        )

    @classmethod
    def of(cls, spec: RewardSpec | SpecSchedule | None) -> SpecSchedule:
        """A schedule as it is; a spec as a schedule of one stage. Raises RewardSpecRequired for anything else."""
        return spec if isinstance(spec, SpecSchedule) else cls([(0, required_spec(spec))])

    def __repr__(self) -> str:
        return f"SpecSchedule({[(start, spec.name) for start, spec in self.stages]!r}, unit={self.unit!r})"


def _checked(starts: list[int | str], unit: ScheduleUnit) -> tuple[list[int], list[str]]:
    """The starts of a schedule, as counts or as labels."""
    if unit == "regimes":
        labels = [start for start in starts if isinstance(start, str) and is_name(start)]
        if not labels or len({*labels}) < len(starts):
            raise ValueError(
                "a schedule of regimes has the label of a regime, a text of 1 to 128 characters, for each spec, each "
                f"once; not {starts[:20]}"
            )
        return [], labels
    counts = [start for start in starts if type(start) is int]
    if len(counts) < len(starts) or counts[:1] != [0] or any(later <= start for start, later in pairwise(counts)):
        raise ValueError(
            "the starts of a schedule are whole numbers, the first is 0, and each is greater than the one before; "
            f"not {starts[:20]}"
        )
    return counts, []
