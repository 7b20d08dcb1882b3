"""Signs that a valid spec does not say what its author means. It can be run; somebody should look at it first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import Final

from ...core.codes import sentence
from ...core.findings import Finding, shown
from ...core.pointer import Path
from ..components.component import RewardComponent
from ..components.registry import REGISTRY
from .members import SpecComponentPart, SpecMembers

Components = Mapping[str, type[RewardComponent]]

_ANY: Final = (-inf, inf)


def spec_warnings(spec: SpecMembers, registry: Components = REGISTRY) -> tuple[Finding, ...]:
    """Warnings about a valid spec that looks wrong, each with its place; () if there are none.

    A component that the registry does not have may contribute anything, unless the spec gives its weight and its clip.
    Raises what the registry raises for a component that cannot be loaded.

        [warning.code for warning in spec_warnings(spec)]
    """
    terms = {each.term_name: _Term.of(place, each, registry) for place, each in enumerate(spec.components)}
    needs: dict[str, set[str]] = {name: set() for name in terms}
    for gate in spec.gates:
        needs[gate.component].add(gate.requires)
    never_above_0 = _never_above_0(terms, needs)
    return (
        *_misspelt(terms, registry),
        *_paying_costs(terms),
        *_closed_gates(spec, never_above_0),
        *_only_zero(terms, needs, never_above_0),
    )


@dataclass(frozen=True)
class _Term:
    """A term, and what it can contribute while its gates are open."""

    place: int
    written: SpecComponentPart
    component: type[RewardComponent] | None
    weight: float | None
    """None if neither the spec nor a registered component gives it."""
    low: float
    high: float

    @classmethod
    def of(cls, place: int, written: SpecComponentPart, registry: Components) -> _Term:
        component = registry.get(written.type)
        own_weight = None if component is None else float(component.default_weight)
        own_clip = None if component is None else component.clip
        weight = own_weight if written.weight is None else written.weight
        clip = written.clip if "clip" in written.model_fields_set else own_clip
        return cls(place, written, component, weight, *_contributions(weight, clip))

    @property
    def is_cost(self) -> bool:
        """Whether its values, or its component's own contributions, are never above 0."""
        clip = self.written.clip
        if clip is not None and clip[1] is not None and clip[1] <= 0.0:
            return True
        if self.component is None:
            return False
        low, high = _contributions(float(self.component.default_weight), self.component.clip)
        return high <= 0.0 and low < 0.0


def _contributions(weight: float | None, clip: Sequence[float | None] | None) -> tuple[float, float]:
    """The least and the greatest contribution; infinite if nothing bounds it."""
    if weight == 0.0:
        return 0.0, 0.0
    if weight is None or clip is None:
        return _ANY
    low, high = clip
    ends = weight * (-inf if low is None else low), weight * (inf if high is None else high)
    return min(ends), max(ends)


def _never_above_0(terms: Mapping[str, _Term], needs: Mapping[str, set[str]]) -> frozenset[str]:
    """The terms that never contribute more than 0, by themselves or because a gate of theirs never opens."""
    found = {name for name, term in terms.items() if term.high <= 0.0}
    while more := {name for name in terms if name not in found and not needs[name].isdisjoint(found)}:
        found |= more
    return frozenset(found)


def _misspelt(terms: Mapping[str, _Term], registry: Components) -> Iterator[Finding]:
    known = list(registry)
    for term in terms.values():
        name = term.written.type
        if name not in registry:
            for nearest in get_close_matches(name, known, n=1, cutoff=0.75):
                path = ("components", term.place, "type")
                yield _warning("spec.component-misspelt", path, name=shown(name), nearest=shown(nearest))


def _paying_costs(terms: Mapping[str, _Term]) -> Iterator[Finding]:
    for name, term in terms.items():
        if term.is_cost and term.low >= 0.0 and term.high > 0.0:
            member = "weight" if term.written.weight is not None else "type"
            yield _warning(
                "spec.cost-pays", ("components", term.place, member), name=shown(name), weight=shown(term.weight)
            )


def _closed_gates(spec: SpecMembers, never_above_0: frozenset[str]) -> Iterator[Finding]:
    for place, gate in enumerate(spec.gates):
        if gate.requires in never_above_0:
            names = {"name": shown(gate.component), "requires": shown(gate.requires)}
            yield _warning("spec.gate-never-opens", ("gates", place, "requires"), **names)


def _only_zero(
    terms: Mapping[str, _Term], needs: Mapping[str, set[str]], never_above_0: frozenset[str]
) -> Iterator[Finding]:
    if all(term.low == term.high == 0.0 or not needs[name].isdisjoint(never_above_0) for name, term in terms.items()):
        yield _warning("spec.only-zero", ("components",))


def _warning(code: str, path: Path, **values: object) -> Finding:
    return Finding(code, str(sentence(code, **values)), path)
