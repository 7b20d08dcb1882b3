"""The second computation of composed rewards and ceilings: section 9 of the specification in exact arithmetic.

It shares no code with the package's engine, and uses no float: every value is a fraction, rounded to the nearest
double where the specification has a double. It takes specs that hold, and components for all of their types.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from . import second
from .doubles import canonical_text, nearest
from .raw_json import Number

Term = dict[str, Any]
Members = dict[str, Any]
REFUSED_BY_TAG = {"double": "compose.not-finite", "fails": "compose.component-failed"}


class _Refused(Exception):
    """A step has no reward."""

    def __init__(self, code: str, component: str) -> None:
        self.answer = {"refused": code, "component": component}


def answer(spec: Members, components: dict[str, Members], steps: list[Members], episode_steps: Number) -> Members:
    """The answer to the operation compose, for a spec that holds and components that are all known."""
    terms = [_term(each, components[each["type"]]) for each in spec["components"]]
    resolved = {**spec, "components": [term["resolved"] for term in terms]}
    gates = spec.get("gates", [])
    for term in terms:
        term["requires"] = [gate["requires"] for gate in gates if gate["component"] == term["name"]]
    return {
        "digest": second.spec_digest(spec),
        "resolved_digest": second.spec_digest(resolved),
        "ceiling": _ceiling(terms, nearest(episode_steps).value),
        "steps": list(_steps(terms, steps)),
    }


def _term(given: Members, component: Members) -> Term:
    resolved = {
        "type": given["type"],
        "weight": given.get("weight", component["default_weight"]),
        "clip": given.get("clip", component["clip"]),
    }
    if given.get("name", given["type"]) != given["type"]:
        resolved["name"] = given["name"]
    declared = component.get("params", {})
    if declared:
        own = {name: param["default"] for name, param in declared.items() if "default" in param}
        resolved["params"] = own | given.get("params", {})
    name = given.get("name", given["type"])
    return {**resolved, "name": name, "cadence": component["cadence"], "resolved": resolved}


def _steps(terms: list[Term], steps: list[Members]) -> Iterator[Members]:
    is_over = False
    for step in steps:
        if "reset" in step:
            is_over = False
            continue
        if is_over:
            yield {"refused": "compose.episode-over"}
            continue
        pays_end = step["terminated"] or step["truncated"]
        due = [term for term in terms if pays_end or term["cadence"] == "step"]
        try:
            contributions, total = _composed(due, step["raw"])
        except _Refused as refused:
            yield refused.answer
            continue
        yield {"contributions": {name: _json(value) for name, value in contributions.items()}, "total": _json(total)}
        is_over = pays_end


def _composed(due: list[Term], raw: Members) -> tuple[dict[str, Fraction], Fraction]:
    values = {term["name"]: _finite(raw[term["name"]], term["name"]) for term in due}
    weighted = {term["name"]: _weighted(term, values[term["name"]]) for term in due}
    requires = {term["name"]: term["requires"] for term in due}

    @cache
    def gated(name: str) -> Fraction:
        is_open = all(other in weighted and gated(other) > 0 for other in requires[name])
        return weighted[name] if is_open else Fraction(0)

    contributions = {name: gated(name) for name in weighted}
    total = Fraction(0)
    for name, contribution in contributions.items():
        total = _rounded(total + contribution, "compose.total-overflows", name)
    return contributions, total


def _finite(value: Any, name: str) -> Fraction:
    if isinstance(value, Number):
        return nearest(value).value
    tag = next(iter(value)) if isinstance(value, dict) else None
    raise _Refused("compose.not-a-number" if tag is None else REFUSED_BY_TAG[tag], name)


def _weighted(term: Term, value: Fraction) -> Fraction:
    if term["clip"] is not None:
        low, high = (None if bound is None else nearest(bound).value for bound in term["clip"])
        value = value if low is None else max(value, low)
        value = value if high is None else min(value, high)
    return _rounded(nearest(term["weight"]).value * value, "compose.contribution-overflows", term["name"])


def _rounded(exact: Fraction, code: str, name: str) -> Fraction:
    double = _double(exact)
    if double is None:
        raise _Refused(code, name)
    return double


def _double(exact: Fraction | None) -> Fraction | None:
    """The nearest double; None beyond the largest."""
    try:
        return None if exact is None else nearest(str(exact)).value
    except OverflowError:
        return None


def _ceiling(terms: list[Term], steps: Fraction) -> Members:
    bounds = {term["name"]: _bound(term) for term in terms}
    sums = {
        cadence: _sum([bounds[term["name"]] for term in terms if term["cadence"] == cadence])
        for cadence in ("step", "episode_end")
    }
    per_step, at_end = sums["step"], sums["episode_end"]
    all_steps = None if per_step is None else _double(steps * per_step)
    per_episode = None if all_steps is None or at_end is None else _double(all_steps + at_end)
    return {
        "per_step": _json(per_step),
        "at_end": _json(at_end),
        "per_episode": _json(per_episode),
        "unbounded": [name for name, bound in bounds.items() if bound is None],
    }


def _bound(term: Term) -> Fraction | None:
    if term["clip"] is None:
        return None
    weight = nearest(term["weight"]).value
    low, high = term["clip"]
    if None in (high if weight >= 0 else low, low if weight <= 0 else high):
        return None
    most = max(weight * nearest(bound).value for bound in term["clip"] if bound is not None)
    return _double(max(most, Fraction(0)) if term["requires"] else most)


def _sum(bounds: list[Fraction | None]) -> Fraction | None:
    total: Fraction | None = Fraction(0)
    for bound in bounds:
        total = None if bound is None or total is None else _double(total + bound)
    return total


def _json(value: Fraction | None) -> float | None:
    """A double as the float that its canonical text reads back to: only so that it can be written as JSON."""
    return None if value is None else float(canonical_text(nearest(str(value))))
