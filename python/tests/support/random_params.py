"""Random parameters of components: what a component declares, and what a term gives, mostly right."""

from __future__ import annotations

from random import Random
from typing import Any

from random_specs import names, plain

TYPES = ("number", "integer", "boolean", "text", "json")
Declared = dict[str, dict[str, Any]]
"""The keyword arguments of a Param, by the name of the parameter."""


def declared(rng: Random) -> Declared:
    """What a component declares: none, or a few of several types."""
    count = rng.choice((0, 0, 1, 2, 4))
    return {name: _param(rng) for name in names(rng, count)}


def given(rng: Random, params: Declared) -> dict[str, Any]:
    """What a term gives: what is required, and more; wrong now and then."""
    made = {
        name: _value(rng, param)
        for name, param in params.items()
        if ("default" not in param and rng.random() > 0.02) or rng.random() < 0.5
    }
    if made and rng.random() < 0.05:
        made[rng.choice(list(made))] = plain(rng)
    if rng.random() < 0.02:
        made[names(rng, 1)[0]] = plain(rng)
    return made


def _param(rng: Random) -> dict[str, Any]:
    param: dict[str, Any] = {"type": rng.choice(TYPES)}
    if param["type"] in ("number", "integer"):
        low, high = sorted((rng.randint(-9, 9), rng.randint(-9, 9)))
        if rng.random() < 0.5:
            param["minimum"] = float(low) if rng.random() < 0.5 else low
        if rng.random() < 0.5:
            param["maximum"] = high
    if rng.random() < 0.5:
        param["default"] = _value(rng, param, always=True)
    return param


def _value(rng: Random, param: dict[str, Any], always: bool = False) -> Any:
    """A value of a parameter, within its bounds; just outside them now and then."""
    match param["type"]:
        case "number" | "integer":
            low, high = param.get("minimum", -10), param.get("maximum", 10)
            value = rng.choice((low, high, (low + high) / 2 if param["type"] == "number" else low))
            outside = not always and rng.random() < 0.03
            return (low - 1 if rng.random() < 0.5 else high + 1) if outside else max(low, min(high, value))
        case "boolean":
            return rng.random() < 0.5
        case "text":
            return rng.choice(("", "a", "\u00e9", "\U0001f600"))
    return plain(rng)
