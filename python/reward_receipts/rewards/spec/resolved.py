"""A spec against a registry: every weight and clip filled in, every term with its cadence and gates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Final, TypeVar

from ...core.canonical import canonical_json_bytes, sha256_digest
from ...core.codes import sentence
from ...core.findings import Finding, InvalidDocument, shown
from ...core.frozen import frozen_json, thawed_json
from ...validation.spec_rules import gate_order, listed
from ..components.component import Cadence, Clip, RewardComponent
from ..components.params import param_findings, resolved_params
from ..components.registry import REGISTRY, require_component
from .members import SpecMembers

ComponentClass = type[RewardComponent]
Spec = TypeVar("Spec", bound=SpecMembers)


@dataclass(frozen=True, slots=True)
class ResolvedTerm:
    """One term of a spec, with nothing left to its component's defaults."""

    name: str
    """What contributions, gates and traces call the term."""
    type: str
    """The name that the component is registered under."""
    params: Mapping[str, Any]
    """All parameters of the component, sorted by name."""
    cadence: Cadence
    """When it is due."""
    weight: float
    """What the clipped value is multiplied by; finite."""
    clip: Clip | None
    """The bounds of the raw value; None for no clip at all."""
    reads: tuple[str, ...]
    """The fields of a StepContext that the component consumes."""
    requires: tuple[int, ...]
    """The terms that must have contributed more than 0 for this one to count, by their places in the spec, sorted."""
    component: ComponentClass
    """The component's class."""

    def make(self) -> RewardComponent:
        """A new component of the term, with parameters that it can change. Raises what its constructor raises."""
        made = self.component(**thawed_json(self.params))
        made.term = self.name
        return made

    @property
    def can_overflow(self) -> bool:
        """Whether a finite value can make a contribution that is not finite."""
        return self.clip is None or not all(bound is not None and isfinite(self.weight * bound) for bound in self.clip)

    @property
    def bound(self) -> float | None:
        """The most that the term can contribute when it is due; None if nothing bounds it (spec, section 9).

        A side without a bound counts as infinite. With a weight of 0 the term is unbounded then, as without a clip.
        """
        if self.clip is None:
            return None
        low, high = self.clip
        if self.weight == 0.0 and (low is None or high is None):
            return None
        most = max(self.weight * (-inf if low is None else low), self.weight * (inf if high is None else high)) + 0.0
        if self.requires:
            most = max(most, 0.0)  # its gate can make it 0, and 0 can be the most
        return most if most - most == 0.0 else None


@dataclass(frozen=True, slots=True)
class ResolvedSpec:
    """A spec as it is run."""

    name: str
    """What people call the reward."""
    spec_digest: str
    """The digest of the spec as written."""
    digest: str
    """The digest of the spec with the components' own weights, clips and parameters filled in."""
    terms: tuple[ResolvedTerm, ...]
    """The terms, in the order in which their contributions are added."""
    names: tuple[str, ...]
    """The names of the terms, in the same order."""
    gates: tuple[tuple[int, int], ...]
    """The gates as pairs of places, the term and what it requires, in the order in which they settle."""

    @property
    def types(self) -> tuple[str, ...]:
        """The types of the terms, in the same order; two terms can have the same."""
        return tuple(term.type for term in self.terms)


class RewardSpecRequired(TypeError):
    """A reward was asked for without a spec. There is no default reward."""


def required_spec(spec: Spec | None) -> Spec:
    """The spec, where it is one. Raises RewardSpecRequired otherwise: nothing stands in for it."""
    if not isinstance(spec, SpecMembers):
        given = "no reward spec was named" if spec is None else f"{type(spec).__name__} is not a RewardSpec"
        raise RewardSpecRequired(
            f"{given}, and there is no default reward; name one: RewardSpec.from_dict({{'name': ..., 'components': "
            "[{'type': ...}]}) or RewardSpec.from_yaml(text)"
        )
    return spec


def resolve(spec: SpecMembers, registry: Mapping[str, type[RewardComponent]] = REGISTRY) -> ResolvedSpec:
    """The spec with each term's component found, and its weight, clip and parameters filled in.

    Raises InvalidDocument for types that the registry does not have (``compose.component-unknown``) and for params that
    a component does not declare, needs, or refuses (``compose.param-...``), and what ``register`` raises for a
    component that no spec could use: any mapping can be the registry, and a class can change after it was registered.
    """
    spec = spec._settled()  # one that came past validation is validated now
    unknown = [(place, each.type) for place, each in enumerate(spec.components) if each.type not in registry]
    if unknown:
        known = listed([*registry]) or "none"
        raise InvalidDocument(
            tuple(
                Finding(_UNKNOWN, sentence(_UNKNOWN, name=shown(name), known=known), ("components", place, "type"))
                for place, name in unknown
            )
        )
    for each in spec.components:
        require_component(each.type, registry[each.type])
    wrong = [
        finding
        for place, each in enumerate(spec.components)
        for finding in param_findings(each.type, registry[each.type].params, each.params or {}, place)
    ]
    if wrong:
        raise InvalidDocument(tuple(wrong))
    places = {each.term_name: place for place, each in enumerate(spec.components)}
    gates = [(gate.component, gate.requires) for gate in spec.gates]
    order = gate_order(places, gates)
    assert order is not None  # the spec's rules refuse a cycle
    terms = []
    for each in spec.components:
        component = registry[each.type]
        clip = each.clip if "clip" in each.model_fields_set else component.clip
        terms.append(
            ResolvedTerm(
                name=each.term_name,
                type=each.type,
                params=resolved_params(component.params, each.params or {}),
                cadence=component.cadence,
                weight=float(component.default_weight if each.weight is None else each.weight),
                clip=None if clip is None else (_double(clip[0]), _double(clip[1])),
                reads=tuple(component.reads),
                requires=tuple(sorted({places[requires] for name, requires in gates if name == each.term_name})),
                component=component,
            )
        )
    completed = spec._plain()
    completed["components"] = [_completed(term) for term in terms]
    digest = sha256_digest(canonical_json_bytes(completed))
    settling = tuple((places[name], need) for name in order for need in terms[places[name]].requires)
    return ResolvedSpec(spec.name, spec.digest, digest, tuple(terms), tuple(places), settling)


_UNKNOWN: Final = "compose.component-unknown"


def _double(bound: float | None) -> float | None:
    return None if bound is None else float(bound)


def _completed(term: ResolvedTerm) -> dict[str, Any]:
    """A resolved term as a spec has it. A name that is the type is left out, as in a spec that names no term."""
    named = {} if term.name == term.type else {"name": term.name}
    given = {"params": thawed_json(frozen_json(term.params))} if term.params else {}
    clip = None if term.clip is None else list(term.clip)
    return {"type": term.type, **named, **given, "weight": term.weight, "clip": clip}
