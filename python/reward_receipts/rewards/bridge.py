"""From a reward spec to a contract and to receipts, so that files answer what a policy was trained on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Never

from ..findings import shown
from ..shape import schema_of
from .component import RewardComponent
from .registry import REGISTRY
from .resolved import ResolvedSpec, required_spec, resolve

if TYPE_CHECKING:
    from ..generated.models import RewardComponentV1
    from ..generated.reward_spec import RewardSpec
    from .engine import RewardResult

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
    from ..generated.models import RewardComponentV1

    resolved = resolve(required_spec(spec), registry)
    reasons = []
    for term in resolved.terms:
        if not 0.0 < term.weight <= _HEAVIEST:
            reasons.append(
                f"the term {shown(term.type)} has the weight {term.weight!r}; a contract's are above 0 and at most "
                f"{_HEAVIEST}"
            )
        if _NAME.fullmatch(term.type) is None:
            reasons.append(
                f"the term {shown(term.type)} has a type that is no name of a contract's component: letters, digits, "
                "_ and -, the first a letter"
            )
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
    further from 0 than a receipt can say, where a step names a term that the spec does not have, and where no step is
    given: an episode without a scored step has no vector, and its receipt none.
    """
    if not isinstance(resolved, ResolvedSpec):
        raise TypeError(f"{type(resolved).__name__} is no resolved spec; give spec.resolve(), or an engine's resolved")
    sums: dict[str, float] = {}
    steps = 0
    for steps, result in enumerate(results, start=1):  # noqa: B007 - counted
        contributions = result if isinstance(result, Mapping) else result.contributions
        if isinstance(contributions.get("reward_components"), Mapping):
            raise TypeError("a row of a trace was given; give its reward_components")
        for name, value in contributions.items():
            sums[name] = sums.get(name, 0.0) + value
    if not steps:
        _refuse(["no step was given; an episode without a scored step has no component vector"])
    types = ", ".join(map(shown, resolved.types))
    reasons = [
        f"the steps name the term {shown(name)}; the spec {shown(resolved.name)} has {types}"
        for name in sorted(sums.keys() - {*resolved.types})
    ]
    reasons += [
        f"the term {shown(name)} comes to {value!r}; a receipt can say at most {_MAGNITUDE} either way"
        for name, value in sums.items()
        if not abs(value) <= _MAGNITUDE
    ]
    if reasons:
        _refuse(reasons)
    return {name: sums[name] for name in sorted(sums)}


def _refuse(reasons: list[str]) -> Never:
    raise NotForAContract("; ".join(reasons))
