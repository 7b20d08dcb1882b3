"""The parameters that a component declares, and what a term's params are under that declaration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import Any, Final, Literal, TypeAlias, get_args

from ...core.codes import sentence
from ...core.findings import Finding, shown
from ...core.foreign import quote_repr
from ...core.frozen import FrozenMap, frozen_json, thawed_json
from ...validation.spec_rules import listed

ParamType: TypeAlias = Literal["number", "integer", "boolean", "text", "json"]
"""``number`` is a finite double, ``integer`` a whole number within 2^53, ``json`` any JSON, its numbers doubles."""

_TYPES: Final[tuple[str, ...]] = get_args(ParamType)
_EXACT: Final = 2**53 - 1
"""The greatest integer that a double and all below it keep exactly."""


class Required(Enum):
    """The type of ``REQUIRED``."""

    REQUIRED = "required"


REQUIRED: Final = Required.REQUIRED
"""In place of a default: each term has to give the parameter."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a component.

    Raises ValueError for an unknown type, a bound of a type that has none, and a default that the parameter refuses.

    >>> Param("number", default=1.5, minimum=0.0).wrong(-1)
    ('compose.param-range', 'at least 0.0')
    """

    type: ParamType
    """What its value is."""
    default: Any = REQUIRED
    """Its value if a term does not give it; REQUIRED if each term has to."""
    minimum: float | None = None
    """The least value of a number or integer, inclusive; None for none."""
    maximum: float | None = None
    """The greatest value of a number or integer, inclusive; None for none."""
    description: str = ""
    """What the component does with it, for people."""

    def __post_init__(self) -> None:
        if self.type not in _TYPES:
            raise ValueError(f"unknown type of parameter {quote_repr(self.type)}; expected one of: {', '.join(_TYPES)}")
        bounds: list[float] = [bound for bound in (self.minimum, self.maximum) if bound is not None]
        if bounds and self.type not in ("number", "integer"):
            raise ValueError(f"a parameter of type {self.type} has no minimum and no maximum")
        if not all(type(bound) in (int, float) and isfinite(bound) for bound in bounds):
            raise ValueError(f"bounds are finite numbers, not {', '.join(map(quote_repr, bounds))}")
        for end in ("minimum", "maximum"):
            if (bound := getattr(self, end)) is not None:
                object.__setattr__(self, end, float(bound))
        if len(bounds) == 2 and bounds[0] > bounds[1]:
            raise ValueError(f"the minimum {bounds[0]} is above the maximum {bounds[1]}")
        if self.default is not REQUIRED and (wrong := self.wrong(self.default)) is not None:
            raise ValueError(f"the default {quote_repr(self.default)} is refused; expected {wrong[1]}")

    def wrong(self, value: Any) -> tuple[str, str] | None:
        """The code of what is wrong with a plain JSON value, and what was expected; None if it is right."""
        if not self._has_type(value):
            return "compose.param-type", self.type
        if (self.minimum is not None and value < self.minimum) or (self.maximum is not None and value > self.maximum):
            return "compose.param-range", self._range()
        return None

    def held(self, value: Any) -> Any:
        """A right value as a resolved term holds it: an int for an integer, else JSON that cannot change."""
        return int(value) if self.type == "integer" else frozen_json(value)

    def _has_type(self, value: Any) -> bool:
        match self.type:
            case "number":
                return type(value) in (int, float) and isfinite(value)
            case "integer":
                return type(value) in (int, float) and abs(value) <= _EXACT and value == int(value)
            case "boolean":
                return type(value) is bool
            case "text":
                return type(value) is str
            case "json":
                return True

    def _range(self) -> str:
        if self.minimum is None:
            return f"at most {self.maximum!r}"
        return f"at least {self.minimum!r}" if self.maximum is None else f"{self.minimum!r} to {self.maximum!r}"


def param_findings(
    type_: str, declared: Mapping[str, Param], given: Mapping[str, Any], place: int
) -> Iterator[Finding]:
    """What is wrong with the params of the term at a place, whose component declares others or none."""
    component = shown(type_)
    at = ("components", place, "params")
    for name, value in given.items():
        param = declared.get(name)
        if param is None:
            known = listed(sorted(declared)) or "none"
            yield _finding("compose.param-unknown", (*at, name), type=component, name=shown(name), known=known)
        elif (wrong := param.wrong(value)) is not None:
            code, expected = wrong
            values = {"type": component, "name": shown(name), "found": shown(thawed_json(value)), "expected": expected}
            yield _finding(code, (*at, name), **values)
    for name in sorted(declared):
        if declared[name].default is REQUIRED and name not in given:
            yield _finding("compose.param-missing", at[:2], type=component, name=shown(name))


def resolved_params(declared: Mapping[str, Param], given: Mapping[str, Any]) -> FrozenMap[Any]:
    """All parameters of a component, sorted by name, as it gets them: those given, and the defaults of the others."""
    return FrozenMap({name: param.held(given.get(name, param.default)) for name, param in declared.items()})


def _finding(code: str, path: tuple[str | int, ...], **values: object) -> Finding:
    return Finding(code, sentence(code, **values), path)
