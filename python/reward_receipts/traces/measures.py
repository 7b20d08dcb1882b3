"""How an agent adapts, measured from the curves of a trace alone, whichever loop made it.

Every measure is a ``Measured``: a number with its unit, or None with the reason why it is undefined. None is never
replaced by 0. The curve of a visit has one value v[w] for each window w of W steps (``Curves.window``): with the basis
``return`` the mean return of the episodes that ended in the window and were in the visit from their first step to their
last, with the basis ``reward`` the mean reward of its scored steps. Windows without a value are left out; they take
part in no measure. For components the basis is always ``reward``, over the steps at which the component was due.

Three values describe a visit: ``start``, its first value; ``level``, the mean of the last tenth of its values (rounded
up: at least one); ``low``, its lowest value. ``before`` is the level of the visit before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean, stdev
from typing import Any, Final, Literal

from ..rewards.spec.ceiling import ceiling
from ..rewards.spec.resolved import ResolvedSpec
from .curves import Curves, Visit, Windows

Basis = Literal["return", "reward"]

RISE: Final = 0.9
"""The share of a change after which it counts as made: the upper end of the rise time of a step response."""
TOLERANCE: Final = 0.1
"""How far below the earlier level a value may be to count as recovered, as a share of the dip."""
_TAIL: Final = 0.1


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure: ``value`` in ``unit``, or None and the reason."""

    value: float | None
    unit: str
    undefined: str | None = None
    """Why there is no value; None if there is one."""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {"value": self.value, "unit": self.unit, "undefined": self.undefined}


@dataclass(frozen=True, slots=True)
class VisitMeasures:
    """The measures of one visit of a regime."""

    visit: int
    label: str | None
    steps: int
    """Training rows of all environments."""
    length: int
    """Steps of the environment with the most of them; the windows count these."""
    performance: Measured
    level: Measured
    adaptation_steps: Measured
    adaptation_speed: Measured
    recovery_steps: Measured
    forgetting: Measured
    stability: Measured
    gap: Measured
    curve: tuple[float | None, ...]
    """v[w] of each window; None for one without a value."""
    components: Mapping[str, ComponentMeasures]
    driver: str | None
    """The component whose mean contribution per step changed most at the boundary; None at the first visit, without
    components, and if none changed."""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        measures = {name: getattr(self, name).to_dict() for name in MEASURES}
        return {
            "visit": self.visit,
            "regime": self.label,
            "steps": self.steps,
            **measures,
            "driver": self.driver,
            "components": {name: each.to_dict() for name, each in self.components.items()},
            "curve": list(self.curve),
        }


@dataclass(frozen=True, slots=True)
class ComponentMeasures:
    """The measures of what one component contributed in a visit, per step at which it was due."""

    performance: Measured
    level: Measured
    change: Measured
    """``start`` less ``before``: what the boundary did to it at once."""
    adaptation_steps: Measured
    recovery_steps: Measured
    forgetting: Measured
    stability: Measured
    gap: Measured

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {name: getattr(self, name).to_dict() for name in self.__slots__}


MEASURES: Final = {
    "performance": "mean over the visit",
    "level": "level at the end of the visit",
    "adaptation_steps": "steps from the boundary until the change is made",
    "adaptation_speed": "change per 1,000 steps until it is made",
    "recovery_steps": "steps from the boundary until the earlier level is back",
    "forgetting": "loss since the regime was left",
    "stability": "standard deviation in the second half",
    "gap": "ceiling less mean, per step",
}
"""The measures of a visit, each in a few words."""


def measure(
    curves: Curves, *, basis: Basis = "return", specs: Sequence[ResolvedSpec] = ()
) -> tuple[VisitMeasures, ...]:
    """The measures of every visit of a regime, in order.

    ``specs`` are those that the rows were rewarded with, as ``specs_of_manifest`` gives them; without exactly one of
    them the gap is undefined. Raises ValueError for another basis.

    >>> measure(read_curves(["trace.parquet"]))[0].performance.value  # doctest: +SKIP
    187.5
    """
    if basis not in ("return", "reward"):
        raise ValueError(f"the basis is 'return' or 'reward', not {basis!r}")
    found: list[VisitMeasures] = []
    for number, visit in enumerate(curves.visits):
        earlier = curves.visits[number - 1] if number else None
        same = next((each for each in reversed(curves.visits[:number]) if each.label == visit.label), None)
        found.append(_visit(curves, number, visit, earlier, same, basis, specs))
    return tuple(found)


def performance(windows: Windows, unit: str) -> Measured:
    """The mean of all values in a visit, each episode (or step) with the same weight: sum / count.

    Undefined without any.
    """
    if not windows.count:
        return _undefined(unit, "the visit has no value: no whole scored episode, or no scored step")
    return Measured(windows.total / windows.count, unit)


def level(values: Sequence[float], unit: str) -> Measured:
    """Where a visit ended up: the mean of the last ceil(n / 10) of its n values. Undefined if n is 0."""
    if not values:
        return _undefined(unit, "the visit has no window with a value")
    return Measured(fmean(values[-ceil(len(values) * _TAIL) :]), unit)


def adaptation_steps(curve: Sequence[float | None], window: int, *, is_first: bool) -> Measured:
    """Steps from a boundary to the end of the first window with v[w] >= start + 0.9 (level - start).

    The rise time of a step response (IEEE Std 181), counted from the boundary. In steps of one environment, with the
    resolution of a window. Undefined at the first visit, which no boundary begins, with fewer than two values, and if
    the level is not above the start: then there was no improvement to time.
    """
    unit = "steps"
    if is_first:
        return _undefined(unit, "no boundary begins the first visit")
    values = _given(curve)
    if len(values) < 2:
        return _undefined(unit, "the visit has fewer than two windows with a value")
    start, end = values[0], _level(values)
    if end <= start:
        return _undefined(unit, f"no improvement: the level {end:g} is not above the start {start:g}")
    goal = start + RISE * (end - start)
    place = next(place for place, value in enumerate(curve) if value is not None and value >= goal)
    return Measured(float((place + 1) * window), unit)


def adaptation_speed(curve: Sequence[float | None], window: int, unit: str, *, is_first: bool) -> Measured:
    """0.9 (level - start) / adaptation_steps * 1000: improvement per 1,000 steps. Undefined as adaptation_steps."""
    steps = adaptation_steps(curve, window, is_first=is_first)
    unit = f"{unit} per 1000 steps"
    if steps.value is None:
        return Measured(None, unit, steps.undefined)
    values = _given(curve)
    return Measured(RISE * (_level(values) - values[0]) / steps.value * 1000, unit)


def recovery_steps(curve: Sequence[float | None], window: int, before: float | None) -> Measured:
    """Steps from a boundary until the level before it is back: the end of the first window, from the lowest on, with
    v[w] >= before - 0.1 (before - low).

    0 if no window is below the level before: then nothing had to recover. After "time to recover" in studies of
    resilience (Bruneau et al. 2003), with a tolerance of a tenth of the dip. Undefined at the first visit, without
    values, and if the level does not come back within the visit.
    """
    unit = "steps"
    values = _given(curve)
    if before is None:
        return _undefined(unit, "there is no level before it")
    if not values:
        return _undefined(unit, "the visit has no window with a value")
    low = min(values)
    if low >= before:
        return Measured(0.0, unit)
    lowest = next(place for place, value in enumerate(curve) if value == low)
    goal = before - TOLERANCE * (before - low)
    for place in range(lowest, len(curve)):
        value = curve[place]
        if value is not None and value >= goal:
            return Measured(float((place + 1) * window), unit)
    return _undefined(unit, f"not recovered within the visit: {goal:g} was not reached again")


def forgetting(values: Sequence[float], level_then: float | None, unit: str) -> Measured:
    """What was lost since a regime was left: its level at the end of its latest earlier visit, less ``start`` now.

    Positive: forgotten; negative: it came back better. After "forgetting" of Chaudhry et al. 2018 and Continual World
    (Wolczyk et al. 2021), with training returns in place of evaluation. Undefined if the regime was not visited before,
    or if either visit has no value.
    """
    if level_then is None:
        return _undefined(unit, "the regime was not visited before, or has no level there")
    if not values:
        return _undefined(unit, "the visit has no window with a value")
    return Measured(level_then - values[0], unit)


def stability(values: Sequence[float], unit: str) -> Measured:
    """The sample standard deviation of the last floor(n / 2) of n values: how steady it is once it has adapted.

    0 is perfectly steady. Undefined with fewer than four values, of which the second half has fewer than two.
    """
    half = values[len(values) - len(values) // 2 :]
    if len(half) < 2:
        return _undefined(unit, "the second half of the visit has fewer than two windows with a value")
    return Measured(stdev(half), unit)


def gap(most: float | None, total: float, steps: int, why: str) -> Measured:
    """(most - total) / steps: what the spec allowed for these steps less what was earned, per scored step.

    ``most`` is the ceiling per step times the steps, and the ceiling of end terms times the episodes that ended. 0 is
    the best possible. Undefined if the spec has no ceiling or is not known, and without scored steps.
    """
    unit = "reward per step"
    if most is None:
        return _undefined(unit, why)
    if not steps:
        return _undefined(unit, "no step is scored")
    return Measured((most - total) / steps, unit)


def _visit(
    curves: Curves,
    number: int,
    visit: Visit,
    earlier: Visit | None,
    same: Visit | None,
    basis: Basis,
    specs: Sequence[ResolvedSpec],
) -> VisitMeasures:
    unit = "reward per episode" if basis == "return" else "reward per step"
    windows = visit.returns if basis == "return" else visit.rewards
    curve = windows.means()
    values = _given(curve)
    before = None if earlier is None else _level_of(earlier.returns if basis == "return" else earlier.rewards)
    then = None if same is None else _level_of(same.returns if basis == "return" else same.rewards)
    components = {name: _component(curves.window, name, visit, earlier, same, specs) for name in _names(visit, specs)}
    most, why = _ceiling(visit, specs)
    return VisitMeasures(
        visit=number,
        label=visit.label,
        steps=visit.steps,
        length=visit.length,
        performance=performance(windows, unit),
        level=level(values, unit),
        adaptation_steps=adaptation_steps(curve, curves.window, is_first=earlier is None),
        adaptation_speed=adaptation_speed(curve, curves.window, unit, is_first=earlier is None),
        recovery_steps=recovery_steps(curve, curves.window, before),
        forgetting=forgetting(values, then, unit),
        stability=stability(values, unit),
        gap=gap(most, visit.rewards.total, visit.rewards.count, why),
        curve=tuple(curve),
        components=components,
        driver=_driver(components),
    )


def _component(
    window: int,
    name: str,
    visit: Visit,
    earlier: Visit | None,
    same: Visit | None,
    specs: Sequence[ResolvedSpec],
) -> ComponentMeasures:
    unit = "reward per step"
    windows = visit.components.get(name, Windows())
    curve = windows.means()
    values = _given(curve)
    before = None if earlier is None else _level_of(earlier.components.get(name, Windows()))
    then = None if same is None else _level_of(same.components.get(name, Windows()))
    if before is None or not values:
        change = _undefined(unit, "there is no level before it, or the component was not due")
    else:
        change = Measured(values[0] - before, unit)
    bound, why = _bound(name, specs)
    return ComponentMeasures(
        performance=performance(windows, unit),
        level=level(values, unit),
        change=change,
        adaptation_steps=adaptation_steps(curve, window, is_first=earlier is None),
        recovery_steps=recovery_steps(curve, window, before),
        forgetting=forgetting(values, then, unit),
        stability=stability(values, unit),
        gap=gap(None if bound is None else bound * windows.count, windows.total, windows.count, why),
    )


def _driver(components: Mapping[str, ComponentMeasures]) -> str | None:
    changes = {name: abs(each.change.value) for name, each in components.items() if each.change.value}
    return max(changes, key=lambda name: changes[name]) if changes else None


def _names(visit: Visit, specs: Sequence[ResolvedSpec]) -> list[str]:
    """The components of a visit, in the spec's order where it is known."""
    known = [name for name, _, _ in ceiling(specs[0]).bounds] if len(specs) == 1 else []
    return [name for name in known if name in visit.components] + [
        name for name in visit.components if name not in known
    ]


def _ceiling(visit: Visit, specs: Sequence[ResolvedSpec]) -> tuple[float | None, str]:
    if len(specs) != 1:
        return None, _no_spec(specs)
    most = ceiling(specs[0])
    if most.unbounded or most.per_step is None or most.at_end is None:
        return None, f"the spec has no ceiling: nothing bounds {', '.join(most.unbounded)}"
    return most.per_step * visit.rewards.count + most.at_end * visit.ended, ""


def _bound(name: str, specs: Sequence[ResolvedSpec]) -> tuple[float | None, str]:
    if len(specs) != 1:
        return None, _no_spec(specs)
    bounds = {term: bound for term, _, bound in ceiling(specs[0]).bounds}
    return bounds.get(name), f"nothing bounds {name}"


def _no_spec(specs: Sequence[ResolvedSpec]) -> str:
    return "several specs rewarded the run" if specs else "no spec is known: the reward is the environment's own"


def _level_of(windows: Windows) -> float | None:
    values = _given(windows.means())
    return _level(values) if values else None


def _level(values: Sequence[float]) -> float:
    return fmean(values[-ceil(len(values) * _TAIL) :])


def _given(curve: Sequence[float | None]) -> list[float]:
    return [value for value in curve if value is not None]


def _undefined(unit: str, why: str) -> Measured:
    return Measured(None, unit, why)
