"""From a reward spec to a contract and to receipts, so that files answer what a policy was trained on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, Never

from ..core.findings import shown
from ..core.foreign import quote
from ..core.generated.tables import MAX_LISTED_NAMES
from ..documents.generated.models import RewardComponentV1
from ..validation.schemas import schema_of
from ..validation.spec_rules import listed
from .components.component import RewardComponent
from .components.registry import REGISTRY
from .engines.plain import CompositionError, RewardResult, number
from .spec.generated.reward_spec import RewardSpec
from .spec.resolved import ResolvedSpec, required_spec, resolve

_NAME: Final = re.compile(schema_of("common")["$defs"]["Name"]["pattern"])
_HEAVIEST: Final[float] = schema_of("common")["$defs"]["ComponentWeight"]["maximum"]
_MAGNITUDE: Final[float] = schema_of("common")["$defs"]["RewardMagnitude"]["maximum"]


class NotForAContract(ValueError):
    """A spec, or what it gave, has no place in a contract or a receipt; the message has every reason."""


def contract_components(
    spec: RewardSpec, registry: Mapping[str, type[RewardComponent]] = REGISTRY
) -> tuple[RewardComponentV1, ...]:
    """The components of a contract for what a spec rewards: each type as a name, with its weight.

    A contract says what earns reward, so only terms of positive weight can go in. Raises NotForAContract, naming every
    term that cannot and why; InvalidDocument for types that the registry does not have; RewardSpecRequired without a
    spec.
    """
    resolved = resolve(required_spec(spec), registry)
    reasons = []
    for term in resolved.terms:
        if not 0.0 < term.weight <= _HEAVIEST:
            reasons.append(
                f"the term {shown(term.type)} has the weight {term.weight!r}; a contract's are above 0 and at most "
                f"{_HEAVIEST}"
            )
    reasons += _unnameable(resolved.names)
    if reasons:
        _refuse(reasons)
    components = (RewardComponentV1(name=term.type, weight=term.weight) for term in resolved.terms)
    return tuple(sorted(components, key=lambda component: component.name))


def component_vector(resolved: ResolvedSpec, results: Iterable[RewardResult | Mapping[str, float]]) -> dict[str, float]:
    """The component vector of a receipt for an episode: what each term contributed over its steps.

    ``resolved`` is the spec as it is run: an engine's ``resolved``, a wrapper's ``resolved_spec``, or
    ``spec.resolve()``. ``results`` are the steps in their order, as the engine gave them or as the
    ``reward_components`` of trace rows.
    Each sum runs from 0.0 in that order; a term that was never due is left out. Raises NotForAContract where a sum is
    further from 0 than a receipt can say, where a step names a term that the spec does not have, or one whose type is
    not a name of a contract's component, where what a step says is not a finite number, and where no step is given: an
    episode without a scored step has no vector, and its receipt none.
    """
    if not isinstance(resolved, ResolvedSpec):
        raise TypeError(
            f"{type(resolved).__name__} is not a resolved spec; give spec.resolve(), or an engine's resolved"
        )
    sums: dict[str, float] = {}
    steps = 0
    for place, result in enumerate(results):
        steps += 1
        contributions = result if isinstance(result, Mapping) else getattr(result, "contributions", None)
        if not isinstance(contributions, Mapping):
            found = quote(result)
            _refuse([f"step {place}, from 0, is {found}; give what the engine gave, or its contributions"])
        if isinstance(contributions.get("reward_components"), Mapping):
            raise TypeError("a row of a trace was given; give its reward_components")
        for name, value in contributions.items():
            try:
                sums[name] = sums.get(name, 0.0) + number(name, value, place)
            except CompositionError as error:
                _refuse([str(error)])
    if not steps:
        _refuse(["no step was given; an episode without a scored step has no component vector"])
    strange = sorted(map(shown, sums.keys() - {*resolved.names}))
    reasons = [
        f"the steps name the term {name}; the spec {shown(resolved.name)} has {listed(resolved.names)}"
        for name in strange[:MAX_LISTED_NAMES]
    ]
    reasons += _unnameable(name for name in resolved.names if name in sums)
    reasons += [
        f"the term {shown(name)} adds up to {sums[name]!r}; a receipt can carry at most {_MAGNITUDE} either way"
        for name in resolved.names
        if not abs(sums.get(name, 0.0)) <= _MAGNITUDE
    ]
    if reasons:
        _refuse(reasons)
    return {name: sums[name] for name in sorted(sums)}


def _unnameable(types: Iterable[str]) -> list[str]:
    return [
        f"the term {shown(name)} has a type that is not a name of a contract's component: a letter, then "
        "letters, digits, _ and -"
        for name in types
        if _NAME.fullmatch(name) is None
    ]


def _refuse(reasons: list[str]) -> Never:
    raise NotForAContract("; ".join(reasons))
