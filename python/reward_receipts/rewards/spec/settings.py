"""Settings: changes of a spec by the name of a term, as ``near_goal.weight=0.1`` on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ...core.findings import shown
from ...validation.spec_rules import listed
from .members import SpecMembers

Spec = TypeVar("Spec", bound=SpecMembers)

_MEMBERS = ("weight", "clip", "type")


def with_settings(spec: Spec, settings: Mapping[str, Any]) -> Spec:
    """The spec with some settings changed, checked against the schema and every rule again.

    A setting is ``TERM.weight``, ``TERM.clip``, ``TERM.type`` or ``TERM.params.NAME``, by the name of the term. None
    removes a parameter or a weight, so that the component's own applies; as a clip it is no clip. Raises ValueError for
    a setting that names no term or none of these, and pydantic's ValidationError for a value that the schema refuses.

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
