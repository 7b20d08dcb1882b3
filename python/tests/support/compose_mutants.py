"""Mutants of composed rewards: the engine, the ceiling, the resolved spec and the rules of a spec, each bent once.

The engine's arithmetic is bent in a plain model of it, which stands in for ``engine.compose``: unbent it fails no case.
"""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from reward_receipts.rewards import (
    Cadence,
    Ceiling,
    CompositionEngine,
    CompositionError,
    RewardSpec,
)
from reward_receipts.rewards.components.component import Clip
from reward_receipts.rewards.components.params import Param
from reward_receipts.rewards.engines import plain as engine
from reward_receipts.rewards.spec import ceiling, resolved
from reward_receipts.rewards.spec import document as spec_document
from reward_receipts.rewards.spec.members import SpecComponentPart
from reward_receipts.rewards.spec.resolved import ResolvedSpec, ResolvedTerm
from reward_receipts.validation import spec_rules

Patch = pytest.MonkeyPatch
Values = Sequence[float | None]


@dataclass(frozen=True)
class CodeMutant:
    """A change of the package, and the layers whose cases can see it."""

    name: str
    layers: tuple[str, ...]
    apply: Callable[[Patch], None]
    first: str = ""
    """What the ids of the cases start with that are asked first."""


def compose_mutants() -> Iterator[CodeMutant]:
    """All mutants that the layer compose has to kill."""
    for mutants in (_of_arithmetic, _of_raw_values, _of_cadence, _of_ceiling, _of_resolved, _of_rules):
        for name, apply in mutants().items():
            yield CodeMutant(name, ("compose",), apply)


# The arithmetic of a step.


def sides(clip: Clip) -> tuple[float, float]:
    """A clip with infinities for the bounds that it leaves out."""
    low, high = clip
    return -math.inf if low is None else low, math.inf if high is None else high


class Model:
    """Section 9 as plain code over a resolved spec, a part at a time. A mutant overrides one of them."""

    def clipped(self, value: float, low: float, high: float) -> float:
        return min(max(value, low), high)

    def weighted(self, term: ResolvedTerm, value: float) -> float:
        return term.weight * (value if term.clip is None else self.clipped(value, *sides(term.clip))) + 0.0

    def opens(self, contribution: float | None) -> bool:
        return contribution is not None and contribution > 0.0

    def every(self, gates: Iterator[bool]) -> bool:
        return all(gates)

    def order(self, spec: ResolvedSpec) -> Sequence[int]:
        return spec.order

    def looked_at(self, weighted: Values, gated: Values) -> Values:
        return gated

    def added(self, contributions: list[tuple[str, float]]) -> Iterator[tuple[str, float]]:
        total = 0.0
        for name, contribution in contributions:
            total += contribution
            yield name, total

    def checked(self, spec: ResolvedSpec, weighted: Values, gated: Values) -> Values:
        """The contributions that must be finite."""
        return weighted

    def compose(self, spec: ResolvedSpec, values: Values, step: int, *where: Any) -> tuple[tuple[Any, ...], float]:
        terms = list(zip(spec.terms, values, strict=True))
        weighted = [None if value is None else self.weighted(term, value) for term, value in terms]
        gated = list(weighted)
        for place in self.order(spec):
            seen = self.looked_at(weighted, gated)
            if gated[place] is not None and not self.every(self.opens(seen[n]) for n in spec.terms[place].requires):
                gated[place] = 0.0
        for term, contribution in zip(spec.terms, self.checked(spec, weighted, gated), strict=True):
            if contribution is not None and not math.isfinite(contribution):
                self.refuse("compose.contribution-overflows", term.type, step)
        total = 0.0
        due = [(term.type, each) for term, each in zip(spec.terms, gated, strict=True) if each is not None]
        for name, total in self.added(due):
            if not math.isfinite(total):
                self.refuse("compose.total-overflows", name, step)
        return tuple(gated), total

    def refuse(self, code: str, component: str, step: int) -> None:
        raise CompositionError(engine.sentence(code, name="", step=0, value=0, weight=0), component, step)


def model(**parts: Any) -> Callable[[Patch], None]:
    """Puts the model, with some of its parts overridden, in the engine's place."""
    bent = type("Bent", (Model,), parts)()
    return lambda patch: patch.setattr(engine, "compose", bent.compose)


def _of_arithmetic() -> dict[str, Callable[[Patch], None]]:
    def overflow_is_largest(self: Model, term: ResolvedTerm, value: float) -> float:
        return max(min(Model.weighted(self, term, value), 1.7976931348623157e308), -1.7976931348623157e308)

    def clip_after_weight(self: Model, term: ResolvedTerm, value: float) -> float:
        weighted = term.weight * value
        return (weighted if term.clip is None else self.clipped(weighted, *sides(term.clip))) + 0.0

    def exact(self: Model, contributions: list[tuple[str, float]]) -> Iterator[tuple[str, float]]:
        for count in range(1, len(contributions) + 1):
            try:
                yield contributions[count - 1][0], math.fsum(each for _, each in contributions[:count])
            except OverflowError:
                yield contributions[count - 1][0], math.inf

    def only_the_end(self: Model, contributions: list[tuple[str, float]]) -> Iterator[tuple[str, float]]:
        yield from list(Model.added(self, contributions))[-1:]

    def silently(self: Model, code: str, component: str, step: int) -> None:
        if code != "compose.total-overflows":
            Model.refuse(self, code, component, step)

    return {
        "the clip: left out": model(clipped=lambda self, value, low, high: value),
        "the clip: only from above": model(clipped=lambda self, value, low, high: min(value, high)),
        "the clip: only from below": model(clipped=lambda self, value, low, high: max(value, low)),
        "the clip: after the weight": model(weighted=clip_after_weight),
        "the clip: a value beyond it is 0": model(clipped=lambda self, v, low, high: v if low <= v <= high else 0.0),
        "the weight: left out": model(
            weighted=lambda self, term, value: Model.weighted(self, replace(term, weight=1.0), value)
        ),
        "the weight: its magnitude": model(
            weighted=lambda self, term, value: Model.weighted(self, replace(term, weight=abs(term.weight)), value)
        ),
        "minus zero stays": model(
            weighted=lambda self, term, value: (
                term.weight * (value if term.clip is None else self.clipped(value, *sides(term.clip)))
            )
        ),
        "the contribution: to twelve digits": model(
            weighted=lambda self, term, value: float(f"{Model.weighted(self, term, value):.12g}")
        ),
        "subnormal contributions are 0": model(
            weighted=lambda self, term, value: (
                0.0 if abs(found := Model.weighted(self, term, value)) < 2.2250738585072014e-308 else found
            )
        ),
        "gates: always open": model(opens=lambda self, contribution: True),
        "gates: 0 opens": model(opens=lambda self, contribution: contribution is not None and contribution >= 0.0),
        "gates: a negative opens": model(opens=lambda self, contribution: bool(contribution)),
        "gates: what is not due opens": model(opens=lambda self, c: c is None or c > 0.0),
        "gates: only from 1e-9": model(opens=lambda self, c: c is not None and c > 1e-9),
        "gates: one of several is enough": model(every=lambda self, gates: not (each := list(gates)) or any(each)),
        "gates: in the spec's order": model(order=lambda self, spec: range(len(spec.terms))),
        "gates: in the order against dependency": model(order=lambda self, spec: spec.order[::-1]),
        "gates: ungated contributions decide": model(looked_at=lambda self, weighted, gated: weighted),
        "the sum: from right to left": model(added=lambda self, each: Model.added(self, each[::-1])),
        "the sum: by name": model(added=lambda self, each: Model.added(self, sorted(each))),
        "the sum: the smallest first": model(
            added=lambda self, each: Model.added(self, sorted(each, key=lambda e: abs(e[1])))
        ),
        "the sum: exact, rounded once": model(added=exact),
        "compose.contribution-overflows: let through": model(
            checked=lambda self, spec, weighted, gated: [None] * len(gated)
        ),
        "compose.contribution-overflows: not behind a gate": model(checked=lambda self, spec, weighted, gated: gated),
        "compose.contribution-overflows: the largest double": model(weighted=overflow_is_largest),
        "compose.contribution-overflows: named before a raw value": _contributions_first,
        "compose.total-overflows: let through": model(refuse=silently),
        "compose.total-overflows: named the last term": model(added=only_the_end),
    }


def _contributions_first(patch: Patch) -> None:
    original = engine.number

    def number(component: str, value: object, step: int, *where: Any) -> float:
        try:
            return original(component, value, step, *where)
        except CompositionError as error:
            late.append(error)
            return 0.0

    def compose(spec: ResolvedSpec, values: Values, step: int, *where: Any) -> Any:
        refused = late[:1]
        late.clear()
        composed = Model().compose(spec, values, step)
        if refused:
            raise refused[0]
        return composed

    late: list[CompositionError] = []
    patch.setattr(engine, "number", number)
    patch.setattr(engine, "compose", compose)


# Raw values.


def _of_raw_values() -> dict[str, Callable[[Patch], None]]:
    original = engine.number

    def read(accepted: Callable[[object], bool], becomes: Callable[[Any], float]) -> Callable[[Patch], None]:
        def number(component: str, value: object, step: int, *where: Any) -> float:
            return becomes(value) if accepted(value) else original(component, value, step, *where)

        return lambda patch: patch.setattr(engine, "number", number)

    def is_double(value: object) -> bool:
        return type(value) is float

    def failing(code: str) -> Callable[[Patch], None]:
        def failure(term: ResolvedTerm, step: int, *rest: Any) -> CompositionError:
            return CompositionError(engine.sentence(code, name="", step=0, found=""), term.type, step)

        return lambda patch: patch.setattr(engine, "_failure", failure)

    return {
        "compose.not-a-number: nothing is 0": read(lambda value: value is None, lambda value: 0.0),
        "compose.not-a-number: a boolean is 0 or 1": read(lambda value: type(value) is bool, float),
        "compose.not-a-number: a text is read": read(lambda value: type(value) is str and value[:1].isdigit(), float),
        "compose.not-a-number: an empty text is 0": read(lambda value: value == "", lambda value: 0.0),
        "compose.not-a-number: an array of one": read(lambda value: type(value) is list, lambda value: value[0]),
        "compose.not-a-number: an integer is none": read(
            lambda value: type(value) is int, lambda value: original("", None, 0)
        ),
        "compose.not-finite: let through": read(is_double, float),
        "compose.not-finite: NaN is 0": read(lambda v: is_double(v) and v != v, lambda value: 0.0),
        "compose.not-finite: infinities are the largest doubles": read(
            lambda v: is_double(v) and abs(v) == math.inf, lambda value: math.copysign(1.7976931348623157e308, value)
        ),
        "compose.component-failed: said to give no number": failing("compose.not-a-number"),
        "compose.component-failed: names no component": lambda patch: patch.setattr(
            engine,
            "_failure",
            lambda term, step, *rest: CompositionError(
                engine.sentence("compose.component-failed", name="", step=0, found=""), "", step
            ),
        ),
    }


# When terms are due.


def _of_cadence() -> dict[str, Callable[[Patch], None]]:
    step, reset = CompositionEngine.compute_step, CompositionEngine.reset

    def stepping(change: Callable[[CompositionEngine, Any], Any]) -> Callable[[Patch], None]:
        return lambda patch: patch.setattr(
            CompositionEngine,
            "compute_step",
            lambda self, ctx, environment=0: step(self, change(self, ctx), environment),
        )

    def paid_again(self: CompositionEngine, ctx: Any) -> Any:
        reset(self)
        return ctx

    def always_ending(self: CompositionEngine, ctx: Any) -> Any:
        reset(self)
        return ctx.ending(True, False)

    def paid_when_refused(self: CompositionEngine, ctx: Any, environment: int = 0) -> Any:
        try:
            return step(self, ctx, environment)
        except CompositionError:
            if ctx.ends_episode:
                self._ended[environment] = True
            raise

    def unpaid_when_refused(self: CompositionEngine, ctx: Any, environment: int = 0) -> Any:
        try:
            return step(self, ctx, environment)
        except CompositionError:
            reset(self)
            raise

    def let_through(self: CompositionEngine, ctx: Any) -> Any:
        self._ended[0] = False
        return ctx

    def asked_after_the_end(self: CompositionEngine, ctx: Any, environment: int = 0) -> Any:
        if not self._ended[environment]:
            return step(self, ctx, environment)
        self._ended[environment] = False
        try:
            step(self, ctx, environment)
        finally:
            self._ended[environment] = True
        raise engine.episode_over(ctx.step)

    return {
        "compose.episode-over: let through": stepping(let_through),
        "compose.episode-over: only where no component is at fault": lambda patch: patch.setattr(
            CompositionEngine, "compute_step", asked_after_the_end
        ),
        "the end: only where it is terminated": stepping(lambda self, ctx: ctx.ending(ctx.terminated, False)),
        "the end: only where it is truncated": stepping(lambda self, ctx: ctx.ending(False, ctx.truncated)),
        "the end: only with one of the flags": stepping(
            lambda self, ctx: ctx.ending(ctx.terminated != ctx.truncated, False)
        ),
        "the end: paid again": stepping(paid_again),
        "the end: at each step": stepping(always_ending),
        "the end: never": stepping(lambda self, ctx: ctx.ending(False, False)),
        "the end: paid where it was refused": lambda p: p.setattr(CompositionEngine, "compute_step", paid_when_refused),
        "the end: can come again after a refusal": lambda p: p.setattr(
            CompositionEngine, "compute_step", unpaid_when_refused
        ),
        "the reset: left out": lambda patch: patch.setattr(CompositionEngine, "reset", lambda self, *given: None),
    }


# The ceiling.


def _of_ceiling() -> dict[str, Callable[[Patch], None]]:
    def bound(most: Callable[[ResolvedTerm], float | None]) -> Callable[[Patch], None]:
        return lambda patch: patch.setattr(ResolvedTerm, "bound", property(most))

    def ends(term: ResolvedTerm) -> tuple[float, float]:
        assert term.clip is not None
        low, high = sides(term.clip)
        return term.weight * low + 0.0, term.weight * high + 0.0

    def finite(value: float) -> float | None:
        return value if math.isfinite(value) else None

    def gated(term: ResolvedTerm, most: float) -> float | None:
        return finite(max(most, 0.0) if term.requires else most)

    def bounded(most: Callable[[ResolvedTerm], float | None]) -> Callable[[Patch], None]:
        return bound(lambda term: None if term.clip is None else most(term))

    def sums(added: Callable[[list[float]], float]) -> Callable[[Patch], None]:
        def total(bounds: Sequence[tuple[str, Cadence, float | None]], cadence: Cadence) -> float | None:
            due = [each for _, when, each in bounds if when is cadence]
            return None if None in due else finite(added(due))  # type: ignore[arg-type]

        return lambda patch: patch.setattr(ceiling, "_sum", total)

    def episode(most: Callable[[Ceiling, int, float, float], float]) -> Callable[[Patch], None]:
        def per_episode(self: Ceiling, steps: int) -> float | None:
            if self.per_step is None or self.at_end is None:
                return None
            return finite(most(self, steps, self.per_step, self.at_end))

        return lambda patch: patch.setattr(Ceiling, "per_episode", per_episode)

    def without_unbounded(patch: Patch) -> None:
        original = ceiling._sum
        patch.setattr(
            ceiling, "_sum", lambda bounds, cadence: original([b for b in bounds if b[2] is not None], cadence)
        )

    return {
        "the bound: by the upper end of the clip": bounded(lambda term: gated(term, ends(term)[1])),
        "the bound: by the lower end of the clip": bounded(lambda term: gated(term, ends(term)[0])),
        "the bound: the greatest magnitude": bounded(lambda term: gated(term, max(map(abs, ends(term))))),
        "the bound: a gate is not looked at": bounded(lambda term: finite(max(ends(term)))),
        "the bound: never below 0": bounded(lambda term: finite(max(*ends(term), 0.0))),
        "the bound: a gated term counts 0": bounded(lambda term: 0.0 if term.requires else finite(max(ends(term)))),
        "the bound: what has no clip counts 0": bound(
            lambda term: 0.0 if term.clip is None else gated(term, max(ends(term)))
        ),
        "the bound: a zero weight bounds all": bound(
            lambda term: 0.0 if term.weight == 0.0 else None if term.clip is None else gated(term, max(ends(term)))
        ),
        "the bound: the weight where there is no clip": bound(
            lambda term: term.weight if term.clip is None else gated(term, max(ends(term)))
        ),
        "the bound: what overflows is the largest double": bounded(
            lambda term: gated(term, max(min(max(ends(term)), 1.7976931348623157e308), -1.7976931348623157e308))
        ),
        "the ceiling: exact sums": sums(lambda due: _fsum(due)),
        "the ceiling: sums from right to left": sums(lambda due: sum(due[::-1], 0.0)),
        "the ceiling: sums that overflow are the largest double": sums(
            lambda due: max(min(sum(due, 0.0), 1.7976931348623157e308), -1.7976931348623157e308)
        ),
        "the ceiling: unbounded terms are left out": without_unbounded,
        "the ceiling: the end counts at each step": episode(lambda self, n, step, end: n * (step + end)),
        "the ceiling: the end is left out": episode(lambda self, n, step, end: n * step),
        "the ceiling: one step less": episode(lambda self, n, step, end: max(n - 1, 0) * step + end),
        "the ceiling: steps are added up": episode(lambda self, n, step, end: sum([step] * n, 0.0) + end),
        "the ceiling: terms without a bound by name": lambda patch: patch.setattr(
            Ceiling, "unbounded", property(lambda self: sorted(n for n, _, b in self.bounds if b is None))
        ),
        "the ceiling: terms of unbounded sums have no bound": lambda patch: patch.setattr(
            Ceiling,
            "unbounded",
            property(
                lambda self: [
                    n
                    for n, when, b in self.bounds
                    if b is None or (self.per_step if when is Cadence.STEP else self.at_end) is None
                ]
            ),
        ),
    }


def _fsum(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


# The spec as it is run.


class _Everything(Mapping[str, Any]):
    """A registry that has a component for every type."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._known = known

    def __getitem__(self, name: str) -> Any:
        return self._known[name] if name in self._known else self._known[next(iter(self._known))]

    def __contains__(self, name: object) -> bool:
        return bool(self._known)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class _AnyCase(_Everything):
    """A registry that takes types in either case."""

    def __getitem__(self, name: str) -> Any:
        return self._known.get(name) or {key.lower(): each for key, each in self._known.items()}[name.lower()]

    def __contains__(self, name: object) -> bool:
        return str(name).lower() in {key.lower() for key in self._known}


def _of_resolved() -> dict[str, Callable[[Patch], None]]:
    original = resolved.resolve

    def resolving(resolve: Callable[[RewardSpec, Any], ResolvedSpec]) -> Callable[[Patch], None]:
        def apply(patch: Patch) -> None:
            patch.setattr(spec_document, "resolve", resolve)
            patch.setattr(engine, "resolve", resolve)

        return apply

    def terms(change: Callable[[ResolvedTerm, Any], ResolvedTerm]) -> Callable[[Patch], None]:
        def resolve(spec: RewardSpec, registry: Any) -> ResolvedSpec:
            found = original(spec, registry)
            pairs = zip(found.terms, spec.components, strict=True)
            return replace(found, terms=tuple(change(term, given) for term, given in pairs))

        return resolving(resolve)

    def own_clip(term: ResolvedTerm) -> Clip | None:
        clip = term.component.clip
        if clip is None:
            return None
        low, high = (None if bound is None else float(bound) for bound in clip)
        return low, high

    def digest(change: Callable[[ResolvedSpec], dict[str, str]]) -> Callable[[Patch], None]:
        def resolve(spec: RewardSpec, registry: Any) -> ResolvedSpec:
            found = original(spec, registry)
            return replace(found, **change(found))  # type: ignore[arg-type]

        return resolving(resolve)

    def without(code: str) -> Callable[[Patch], None]:
        found = resolved.param_findings
        return lambda patch: patch.setattr(
            resolved, "param_findings", lambda *given: (each for each in found(*given) if each.code != code)
        )

    def digest_of_terms(change: Callable[[ResolvedTerm], ResolvedTerm]) -> Callable[[Patch], None]:
        completed = resolved._completed
        return lambda patch: patch.setattr(resolved, "_completed", lambda term: completed(change(term)))

    given_wrong, given_type = Param.wrong, Param._has_type

    def given(names: Callable[[Any], Any]) -> Callable[[Patch], None]:
        return lambda patch: patch.setattr(SpecComponentPart, "_given", lambda self: tuple(sorted(names(self))))

    return {
        "compose.component-unknown: any component is in": resolving(
            lambda spec, registry: original(spec, _Everything(registry))
        ),
        "compose.component-unknown: in either case": resolving(
            lambda spec, registry: original(spec, _AnyCase(registry))
        ),
        "compose.param-unknown: ignored": without("compose.param-unknown"),
        "compose.param-missing: ignored": without("compose.param-missing"),
        "compose.param-type: not checked": without("compose.param-type"),
        "compose.param-range: not checked": without("compose.param-range"),
        "compose.param-range: the bounds themselves are refused": lambda patch: patch.setattr(
            Param, "wrong", lambda self, value: _without_its_bounds(self, value) or given_wrong(self, value)
        ),
        "compose.param-type: a boolean is a number": lambda patch: patch.setattr(
            Param, "_has_type", lambda self, value: type(value) is bool or given_type(self, value)
        ),
        "the params: none in the resolved digest": digest_of_terms(lambda term: replace(term, params={})),
        "the name: the type in the resolved digest": digest_of_terms(lambda term: replace(term, name=term.type)),
        "the weight: always the component's": terms(
            lambda term, given: replace(term, weight=float(term.component.default_weight))
        ),
        "the weight: 1 where it is left out": terms(
            lambda term, given: replace(term, weight=1.0 if given.weight is None else given.weight)
        ),
        "the weight: the component's for 0": terms(
            lambda term, given: replace(term, weight=given.weight or float(term.component.default_weight))
        ),
        "the clip: always the component's": terms(lambda term, given: replace(term, clip=own_clip(term))),
        "the clip: none where it is left out": terms(lambda term, given: replace(term, clip=given.clip)),
        "the clip: the component's for null": terms(
            lambda term, given: replace(term, clip=own_clip(term) if given.clip is None else given.clip)
        ),
        "the resolved digest: that of the spec": digest(lambda found: {"digest": found.spec_digest}),
        "the digest: that of the resolved spec": digest(lambda found: {"spec_digest": found.digest}),
        "the digest: null is left out": given(
            lambda part: [name for name in part.model_fields_set if getattr(part, name) is not None]
        ),
        "the digest: what is left out is null": given(lambda part: type(part).model_fields),
    }


def _without_its_bounds(param: Param, value: Any) -> tuple[str, str] | None:
    is_bound = type(value) is float and value in (param.minimum, param.maximum)
    return ("compose.param-range", "a value between the bounds") if is_bound else None


# The rules of a spec.

RULES: Final = {
    "spec.component-types-unique": "_names_unique",
    "spec.clip-ordered": "_clips_ordered",
    "spec.gate-names-known": "_gate_names_known",
    "spec.gates-acyclic": "_gates_acyclic",
}


def _of_rules() -> dict[str, Callable[[Patch], None]]:
    def rule(code: str, bent: Callable[..., Any]) -> Callable[[Patch], None]:
        original = getattr(spec_rules, RULES[code])
        return lambda patch: patch.setattr(spec_rules, RULES[code], lambda *given: bent(original, *given))

    def typed(change: Callable[[str], str]) -> Callable[..., Any]:
        return lambda original, components: original(
            [
                (index, {"type": change(name)})
                for index, each in components
                if (name := spec_rules.term_name(each)) is not None
            ]
        )

    def clips(change: Callable[[list[float]], list[float]]) -> Callable[..., Any]:
        def bent(original: Any, components: Any) -> Any:
            pairs = [(i, each["clip"]) for i, each in components if _are_doubles(each.get("clip"))]
            return original([(i, {"clip": change(clip)}) for i, clip in pairs])

        return bent

    def one_end(end: str) -> Callable[..., Any]:
        return lambda original, components, gates: original(
            components, [(index, {end: gate[end]}) for index, gate in gates if end in gate]
        )

    def lowered(original: Any, components: Any, gates: Any) -> Any:
        types = [(i, {"type": str(spec_rules.term_name(each)).lower()}) for i, each in components]
        return original(types, [(i, {end: str(name).lower() for end, name in gate.items()}) for i, gate in gates])

    def shortest(longest: int) -> Callable[..., Any]:
        """Sees no cycle of more gates than this."""

        def bent(original: Any, gates: Any) -> Any:
            return [finding for finding in original(gates) if finding.sentence.count(" requires ") <= longest]

        return bent

    def undirected(original: Any, gates: Any) -> Any:
        joined: set[frozenset[str]] = set()
        for index, gate in gates:
            ends = {str(gate.get("component")), str(gate.get("requires"))}
            reached = set(ends)
            if len(ends) == 1 or any(ends <= each for each in joined):
                return original([(index, {"component": "a", "requires": "a"})])
            for each in [each for each in joined if each & ends]:
                joined.remove(each)
                reached |= each
            joined.add(frozenset(reached))
        return []

    off = {f"{code}: switched off": rule(code, lambda original, *given: ()) for code in RULES}
    return {
        **off,
        "spec.component-types-unique: in either case": rule("spec.component-types-unique", typed(str.lower)),
        "spec.component-types-unique: without spaces": rule("spec.component-types-unique", typed(str.strip)),
        "spec.component-types-unique: composed": rule("spec.component-types-unique", typed(_composed)),
        "spec.component-types-unique: only beside each other": rule(
            "spec.component-types-unique",
            lambda original, components: [
                finding for each, other in itertools.pairwise(components) for finding in original([each, other])
            ],
        ),
        "spec.clip-ordered: equal bounds are refused": rule(
            "spec.clip-ordered", clips(lambda clip: [1, 0] if clip[0] == clip[1] else clip)
        ),
        "spec.clip-ordered: nearly equal bounds pass": rule(
            "spec.clip-ordered", clips(lambda clip: clip if abs(clip[0] - clip[1]) > 1e-9 else [0, 0])
        ),
        "spec.clip-ordered: by magnitude": rule("spec.clip-ordered", clips(lambda clip: [abs(end) for end in clip])),
        "spec.clip-ordered: integers are not looked at": rule(
            "spec.clip-ordered", clips(lambda clip: clip if {type(end) for end in clip} == {float} else [0, 0])
        ),
        "spec.clip-ordered: only of the first component": rule(
            "spec.clip-ordered", lambda original, components: original(components[:1])
        ),
        "spec.gate-names-known: only the gated one": rule("spec.gate-names-known", one_end("component")),
        "spec.gate-names-known: only the required one": rule("spec.gate-names-known", one_end("requires")),
        "spec.gate-names-known: in either case": rule("spec.gate-names-known", lowered),
        "spec.gate-names-known: only of the first gate": rule(
            "spec.gate-names-known", lambda original, components, gates: original(components, gates[:1])
        ),
        "spec.gates-acyclic: itself only": rule("spec.gates-acyclic", shortest(1)),
        "spec.gates-acyclic: at most two gates": rule("spec.gates-acyclic", shortest(2)),
        "spec.gates-acyclic: at most three gates": rule("spec.gates-acyclic", shortest(3)),
        "spec.gates-acyclic: not itself": rule(
            "spec.gates-acyclic",
            lambda original, gates: original(
                [(i, gate) for i, gate in gates if gate.get("component") != gate.get("requires")]
            ),
        ),
        "spec.gates-acyclic: whatever meets again": rule("spec.gates-acyclic", undirected),
    }


def _are_doubles(clip: Any) -> bool:
    return type(clip) is list and len(clip) == 2 and all(type(end) in (int, float) for end in clip)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)
