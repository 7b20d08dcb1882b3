"""Random specs and random episodes for them: a case is the same in every run, by its number.

Beside them is section 9 of the specification once more, as a witness: from values to contributions and total, in
other words than the engines', and without their speed.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite, nan
from numbers import Real
from random import Random
from typing import Any

from reward_receipts.rewards import (
    Cadence,
    CompositionEngine,
    CompositionError,
    RewardComponent,
    RewardResult,
    RewardSpec,
    StepContext,
    ZeroReason,
)
from reward_receipts.rewards.engines.compiled import CompiledReward
from scripted_components import scripted

EDGES = (0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-170, 1e-16, 0.1, 1 / 3, 0.5, 1.0, 3.0, 1e16, 1e154)
HUGE = (1.3407807929942596e154, 1e200, 8.98846567431158e307, 1.7976931348623157e308, -1.7976931348623157e308)
NOT_FINITE = (nan, inf, -inf)
NO_NUMBERS = (None, True, False, "1.0", b"1", Decimal("0.1"), 1j, [1.0], (0.5,), {}, object)
TOO_BIG = (10**400, -(10**400), Fraction(10**400, 3))


class _Double(float):
    """A double of another type, as NumPy's is."""


OTHER_NUMBERS = (0, 1, -7, 2**53 + 1, 10**308, Fraction(1, 3), Fraction(-1, 10**400), _Double(0.7), _Double(-0.0))


@dataclass(frozen=True)
class Step:
    """A step of one environment."""

    raw: tuple[Any, ...]
    """A value for each term, also for one that is not due."""
    ends: bool
    reset: bool
    """Whether a new episode begins before the step."""


@dataclass(frozen=True)
class Case:
    number: int
    plain: dict[str, Any]
    """The spec, as RewardSpec takes it."""
    registry: Mapping[str, type[RewardComponent]]
    episodes: tuple[tuple[Step, ...], ...]
    """The steps of each environment, the same number in all."""

    @property
    def spec(self) -> RewardSpec:
        return RewardSpec.from_dict(self.plain)

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(term["type"] for term in self.plain["components"])


def double(rng: Random) -> float:
    """A finite double: small, at an edge, or any of them all."""
    draw = rng.random()
    if draw < 0.55:
        return rng.choice((1.0, 0.1, 10.0)) * rng.uniform(-1.5, 1.5)
    if draw < 0.9:
        return rng.choice((1.0, -1.0)) * rng.choice(EDGES)
    if draw < 0.95:
        return rng.choice(HUGE)
    value = struct.unpack("<d", rng.randbytes(8))[0]
    return value if isfinite(value) else 0.0


def open_bounds(rng: Random) -> list[float | None]:
    """A clip, one side or both of which are open now and then."""
    return [None if rng.random() < 0.15 else bound for bound in bounds(rng)]


def bounds(rng: Random) -> list[float]:
    """A clip; its bounds are equal now and then."""
    pair = [rng.choice((-1.0, 0.0, -0.0)), rng.choice((0.0, -0.0, 1.0))] if rng.random() < 0.5 else []
    pair = pair or ([double(rng)] * 2 if rng.random() < 0.1 else [double(rng), double(rng)])
    return sorted(pair)


def _pool() -> dict[str, list[type[RewardComponent]]]:
    rng = Random("components")
    return {
        f"term {place}": [
            scripted(
                f"term {place}",
                Cadence.EPISODE_END if rng.random() < 0.3 else Cadence.STEP,
                None if rng.random() < 0.5 else tuple(open_bounds(rng)),
                rng.choice((1.0, 0, 2, -1.0, double(rng))),
            )
            for _ in range(6)
        ]
        for place in range(64)
    }


COMPONENTS = _pool()
"""Component classes by name, with several cadences and defaults for each."""


def case(number: int, doubles_only: bool) -> Case:
    """The case of a number: few terms or many, some gates, a few steps, with doubles or any values."""
    rng = Random(f"reward {number} {doubles_only}")
    size = rng.randint(1, 8) if rng.random() < 0.88 else rng.randint(9, 64)
    types = rng.sample(sorted(COMPONENTS), size)
    registry = {name: rng.choice(COMPONENTS[name]) for name in types}
    huge = rng.random() < 0.08  # each contribution is finite, and the total need not be
    environments = rng.choice((1, 1, 2, 3)) if doubles_only else 1
    length = rng.randint(1, 6)
    plain = {
        "name": "a random reward",
        "components": [
            {"type": name, "weight": rng.choice((1.0, 0.5)), "clip": None} if huge else _term(rng, name)
            for name in types
        ],
        "gates": _gates(rng, types),
    }
    steps = tuple(_steps(rng, length, size, doubles_only, huge) for _ in range(environments))
    return Case(number, plain, registry, steps)


def _term(rng: Random, name: str) -> dict[str, Any]:
    term: dict[str, Any] = {"type": name}
    if rng.random() < 0.8:
        term["weight"] = rng.choice((1, 1.0, 0.5, -2.0, 0, -0.0)) if rng.random() < 0.5 else double(rng)
    if rng.random() < 0.7:
        term["clip"] = None if rng.random() < 0.3 else open_bounds(rng)
    return term


def _gates(rng: Random, types: Sequence[str]) -> list[dict[str, str]]:
    """Gates without a cycle: what is required is before in some order of its own. A gate can be twice."""
    order = rng.sample(types, len(types))
    wanted = 0 if len(types) == 1 or rng.random() < 0.3 else rng.choice((1, 2, 3, len(types), 2 * len(types)))
    gates = []
    for _ in range(wanted):
        place = rng.randrange(1, len(order))
        before = place - 1 if rng.random() < 0.5 else rng.randrange(place)
        gates.append({"component": order[place], "requires": order[before]})
    return gates


def _steps(rng: Random, length: int, size: int, doubles_only: bool, huge: bool) -> tuple[Step, ...]:
    """Some steps; one that ends an episode is followed by a reset, but for now and then."""
    steps: list[Step] = []
    for _ in range(length):
        ended = bool(steps) and steps[-1].ends
        steps.append(_step(rng, size, doubles_only, huge, reset=rng.random() < (0.85 if ended else 0.15)))
    return tuple(steps)


def _step(rng: Random, size: int, doubles_only: bool, huge: bool, reset: bool) -> Step:
    raw: list[Any] = [double(rng) for _ in range(size)]
    if rng.random() < 0.7:  # else an overflow ends most of the long ones
        raw = [value if abs(value) < 1e9 else rng.random() for value in raw]
    if huge:
        raw = [rng.choice((1.0, 1.0, -1.0)) * rng.choice(HUGE) for _ in range(size)]
    if rng.random() < 0.12:
        faults = NOT_FINITE if doubles_only else (*NOT_FINITE, *NO_NUMBERS, *TOO_BIG)
        for _ in range(rng.choice((1, 1, 2))):
            raw[rng.randrange(size)] = rng.choice(faults)
    if not doubles_only and rng.random() < 0.2:
        raw[rng.randrange(size)] = rng.choice(OTHER_NUMBERS)
    return Step(tuple(raw), ends=rng.random() < 0.4, reset=reset)


Outcome = tuple[bytes, tuple[bytes | None, ...]] | tuple[str, str | None, int]
"""What came of a step: the doubles of total and contributions in bits, or code, component and step of an error."""


def told(error: CompositionError) -> Outcome:
    """The outcome of a step that an engine refused."""
    return error.code, error.component, error.step


def rewarded(total: float, contributions: Iterable[float | None]) -> Outcome:
    """The outcome of a step that an engine rewarded."""
    return bits(total), tuple(None if each is None else bits(each) for each in contributions)


def context(case: Case, step: Step, number: int) -> StepContext:
    """The step for the plain engine, whose components read their values from the extras."""
    return StepContext(number, extras=dict(zip(case.types, step.raw, strict=True)), truncated=step.ends)


def of_plain(
    case: Case, engine: CompositionEngine, ctx: StepContext, environment: int = 0
) -> tuple[Outcome, RewardResult | None]:
    """The outcome of a step in the plain engine. The total has to be the sum of the contributions, all finite."""
    try:
        result = engine.compute_step(ctx, environment)
    except CompositionError as error:
        return told(error), None
    total = 0.0
    for value in result.contributions.values():
        assert isfinite(value)
        total += value
    assert bits(total) == bits(result.total)
    return rewarded(result.total, map(result.contributions.get, case.types)), result


def of_compiled(compiled: CompiledReward, step: Step, number: int) -> Outcome:
    """The outcome of a step in the compiled form."""
    try:
        return rewarded(*compiled.compute_step(step.raw, step.ends, number))
    except CompositionError as error:
        return told(error)


def bits(value: float) -> bytes:
    assert type(value) is float
    return struct.pack("<d", value)


def witness(case: Case, raw: Sequence[Any], ends: bool, step: int, over: bool) -> Outcome:
    """Section 9 of the specification for one step; ``over`` after the end of the episode."""
    if over:
        return "compose.episode-over", None, step
    values: dict[str, float] = {}
    for name, value in zip(case.types, raw, strict=True):
        if case.registry[name].cadence is Cadence.STEP or ends:
            if isinstance(value, bool) or not isinstance(value, Real):
                return "compose.not-a-number", name, step
            if not (abs(value) <= 1.7976931348623157e308):  # exact, for an integer and for a fraction too
                return "compose.not-finite", name, step
            values[name] = float(value)

    terms = {term["type"]: term for term in case.plain["components"]}
    weighed: dict[str, float] = {}
    for name, value in values.items():
        component = case.registry[name]
        clip = terms[name].get("clip", component.clip)
        weight = terms[name].get("weight", component.default_weight)
        low, high = clip or (None, None)
        clipped = value if low is None else max(value, float(low))
        clipped = clipped if high is None else min(clipped, float(high))
        if not isfinite(float(weight) * clipped):
            return "compose.contribution-overflows", name, step
        weighed[name] = float(weight) * clipped

    needs: dict[str, set[str]] = {name: set() for name in terms}
    for gate in case.plain["gates"]:
        needs[gate["component"]].add(gate["requires"])
    settled: dict[str, bool] = {}

    def is_positive(name: str) -> bool:
        if name not in settled:
            settled[name] = name in weighed and weighed[name] > 0.0 and all(map(is_positive, needs[name]))
        return settled[name]

    counted = {name: value if all(map(is_positive, needs[name])) else 0.0 for name, value in weighed.items()}
    total = 0.0
    for name, value in counted.items():
        total += value
        if not isfinite(total):
            return "compose.total-overflows", name, step
    contributions = tuple(bits(counted[name] or 0.0) if name in counted else None for name in case.types)
    return bits(total), contributions


class Seen(Counter[str]):
    """What the cases of a sample had in them."""

    def case(self, case: Case) -> None:
        self["pairs of a spec and steps"] += 1
        self["pairs with gates"] += bool(case.plain["gates"])
        self["pairs with more than 8 terms"] += len(case.types) > 8

    def step(self, found: Outcome, result: RewardResult | None, ends: bool) -> None:
        """``ends`` at a step that runs the EPISODE_END terms."""
        self["steps"] += 1
        if result is None:
            self[f"steps refused, {found[0]!s}"] += 1
            return
        self["steps rewarded"] += 1
        self["steps rewarded that end the episode"] += ends
        for reason in result.zeros.values():
            self[f"terms {reason.value}"] += 1
        self["terms that are not 0"] += sum(value != 0.0 for value in result.contributions.values())

    def assert_not_degenerate(self, *codes: str) -> None:
        """Each thing that can happen to a step or a term happens, and more than once in a while."""
        steps = self["steps"]
        assert self["steps rewarded"] > 0.5 * steps
        assert self["steps rewarded that end the episode"] > 0.1 * steps
        assert self["pairs with gates"] > 0.4 * self["pairs of a spec and steps"]
        assert self["resets"] > 0.1 * steps
        for code in codes:
            assert self[f"steps refused, {code}"] > 0.005 * steps, code
        for reason in {*ZeroReason} - {ZeroReason.READS_MISSING}:
            assert self[f"terms {reason.value}"] > 0.05 * steps, reason
