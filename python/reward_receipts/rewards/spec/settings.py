"""Settings: changes of a spec by the name of a term, as ``near_goal.weight=0.1`` on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, TypeVar

from ...core.findings import shown
from ...core.foreign import quote_repr
from ...core.numbers import plain_double
from ...validation.spec_rules import listed
from ..components.component import Cadence, RewardComponent
from .members import SpecMembers
from .resolved import resolve

Spec = TypeVar("Spec", bound=SpecMembers)

_MEMBERS = ("weight", "clip", "type")


def with_settings(spec: Spec, settings: Mapping[str, Any]) -> Spec:
    """The spec with some settings changed, checked against the schema and every rule again.

    A setting is ``TERM.weight``, ``TERM.clip``, ``TERM.type`` or ``TERM.params.NAME``, by the name of the term. None
    removes a parameter or a weight, so that the component's own applies; as a clip it means no clip. Raises
    ValueError for a setting that names no term or none of these, and pydantic's ValidationError for a value that the
    schema refuses.

        with_settings(spec, {"near_goal.weight": 0.1, "near_goal.params.target": 2.0})
    """
    plain = spec._plain()
    terms = {each.term_name: term for each, term in zip(spec.components, plain["components"], strict=True)}
    for setting, value in settings.items():
        term, path = _split(setting, terms)
        member, _, name = path.partition(".")
        if member == "params" and name:
            _set(term.setdefault("params", {}), name, value)
        elif path == "clip":
            term["clip"] = value
        elif path in _MEMBERS:
            _set(term, path, value)
        else:
            raise ValueError(f"{shown(setting)} sets {shown(path)}; expected weight, clip, type or params.NAME")
    return type(spec).model_validate(plain)


def with_weights_per_second(spec: Spec, seconds: float, registry: Mapping[str, type[RewardComponent]]) -> Spec:
    """The spec with each weight read as one per second, for an environment whose step takes some seconds.

    The weight of a term that counts at each step is multiplied by the seconds; one that counts at the end of an episode
    stays. Weights that the spec leaves out are the components' own. Two environments of different step lengths then pay
    the same for the same second. Raises ValueError for seconds that are not above 0, and as ``resolve``.

        with_weights_per_second(spec, 0.02, REGISTRY)
    """
    length = plain_double(seconds)
    if length is None or not 0.0 < length < inf:
        raise ValueError(f"a step takes a finite number of seconds, above 0, not {quote_repr(seconds)}")
    terms = [term for term in resolve(spec, registry).terms if term.cadence is Cadence.STEP]
    return with_settings(spec, {f"{term.name}.weight": term.weight * length for term in terms})


def _set(members: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        members.pop(name, None)
    else:
        members[name] = value


def _split(setting: str, terms: Mapping[str, dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """The term that a setting names, and the rest. A name can have dots in it: the longest one counts."""
    named = [name for name in terms if setting.startswith(f"{name}.")]
    if not named:
        raise ValueError(
            f"{shown(setting)} names no term of the spec; expected TERM.weight, TERM.clip, TERM.type or "
            f"TERM.params.NAME with a term of {listed([*terms])}"
        )
    name = max(named, key=len)
    return terms[name], setting[len(name) + 1 :]
