"""The plain engine: what a spec makes of a step, term by term. It is the reference for the two faster forms."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, Never, cast

from ...core.codes import CodedSentence, sentence
from ...core.findings import shown
from ...core.foreign import class_name, describe_clip, describe_error, quote, term_name
from ...core.frozen import FrozenDict
from ...core.generated.vocabulary import ZeroReason
from ...core.numbers import plain_double, plain_integer
from ...validation.names import LONGEST_NAME, is_name
from ...validation.schemas import schema_of
from ..components.component import Cadence, RewardComponent, RewardSignal
from ..components.context import NOTHING, StepContext
from ..components.registry import REGISTRY
from ..spec.generated.reward_spec import RewardSpec
from ..spec.resolved import ResolvedSpec, ResolvedTerm, required_spec, resolve


class CompositionError(ValueError):
    """A step has no reward: a component gave no finite number, the sum is none, or the episode is over.

    Nothing stands in for it.
    """

    def __init__(
        self, message: CodedSentence, component: str | None, step: int, environment: int | None = None
    ) -> None:
        super().__init__(message, component, step, environment)
        self.code = message.code
        """The id of the code (``compose.not-finite``)."""
        self.component = component
        """The type of the term; None if no term is at fault (``compose.episode-over``)."""
        self.step = step
        """The step, as the StepContext numbers it."""
        self.environment = environment
        """Which environment it is, from 0; None where the engine serves one."""

    def __str__(self) -> str:
        return str(self.args[0])


class RewardReadsNothing(UserWarning):
    """A spec reads nothing the environment provides: all of it will be 0."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class RewardResult:
    """What a spec made of one step. Read-only."""

    _resolved: ResolvedSpec
    _values: Sequence[float | None]
    _details: Mapping[str, FrozenDict[float]]
    _contributions: Sequence[float | None]
    _provided: frozenset[str]

    def __init__(
        self,
        resolved: ResolvedSpec,
        values: Sequence[float | None],
        details: Mapping[str, FrozenDict[float]],
        contributions: Sequence[float | None],
        total: float,
        provided: frozenset[str],
    ) -> None:
        self.__dict__.update(  # all at once: frozen dataclasses set one by one, in twice the time
            _resolved=resolved,
            _values=values,
            _details=details,
            _contributions=contributions,
            total=total,
            _provided=provided,
        )

    total: float
    """The sum of the contributions, from left to right in the spec's order, from 0.0. Always finite."""

    @cached_property
    def contributions(self) -> FrozenDict[float]:
        """The contribution of each term that was due, by its name, in the spec's order. Never -0.0."""
        return FrozenDict(self._by_name(self._contributions))

    @cached_property
    def raw(self) -> FrozenDict[float]:
        """The value of the component of each term that was due, before clip and weight, by the term's name."""
        return FrozenDict(self._by_name(self._values))

    @cached_property
    def detail(self) -> FrozenDict[FrozenDict[float]]:
        """The sub-terms that the components reported, by the term's name; terms without any are left out."""
        return FrozenDict(self._details)

    @cached_property
    def zeros(self) -> FrozenDict[ZeroReason]:
        """Why each term that contributed 0, or was not due, did: the first step on its way that made it 0."""
        reasons = {term.name: self._reason(place, term) for place, term in enumerate(self._resolved.terms)}
        return FrozenDict({name: reason for name, reason in reasons.items() if reason is not None})

    def to_dicts(self) -> tuple[dict[str, float], dict[str, dict[str, Any]]]:
        """Contributions and details as new plain dicts that name every term of the spec, in its order.

        The contribution of a term that was not due is 0.0. The detail of a term is ``{"raw": value, "zero": reason,
        "terms": sub-terms}``: the value before clip and weight (None if not due), the text of its ZeroReason or None,
        and a dict of its sub-terms. This is what the wrappers put into ``info``.
        """
        contributions: dict[str, float] = {}
        detail: dict[str, dict[str, Any]] = {}
        terms = self._resolved.terms
        for place, (term, raw, given) in enumerate(zip(terms, self._values, self._contributions, strict=True)):
            contributions[term.name] = given or 0.0
            reason = None if given else self._reason(place, term)
            sub_terms = self._details.get(term.name, _NO_DETAIL)
            detail[term.name] = {
                "raw": raw,
                "zero": None if reason is None else reason.value,
                "terms": dict(sub_terms.items()) if sub_terms else {},
            }
        return contributions, detail

    def explain(self) -> dict[str, str]:
        """A sentence for each term in ``zeros``, with the values that decided."""
        places = {term.name: place for place, term in enumerate(self._resolved.terms)}
        return {name: self._sentence(places[name], reason) for name, reason in self.zeros.items()}

    def __repr__(self) -> str:
        return f"RewardResult(total={self.total!r}, contributions={self.contributions!r})"

    def _by_name(self, values: Sequence[float | None]) -> dict[str, float]:
        named = dict(zip(self._resolved.names, values, strict=True))
        if None not in values:
            return cast("dict[str, float]", named)
        return {name: value for name, value in named.items() if value is not None}

    def _reason(self, place: int, term: ResolvedTerm) -> ZeroReason | None:
        value, contribution = self._values[place], self._contributions[place]
        if value is None:
            return ZeroReason.SKIPPED
        return zero_reason(term, value, self._provided) if contribution == 0.0 else None

    def _sentence(self, place: int, reason: ZeroReason) -> str:
        term, value = self._resolved.terms[place], self._values[place]
        name = term_name(term.name)
        match reason:
            case ZeroReason.SKIPPED:
                return f"{name} is not due: it counts once, at the step that ends the episode"
            case ZeroReason.READS_MISSING:
                given = ", ".join(sorted(self._provided)) or "nothing"
                return f"{name} is 0: it reads {', '.join(term.reads)}, and the step provides {given}"
            case ZeroReason.ZERO_VALUE:
                return f"{name} is 0: its component gave 0"
            case ZeroReason.CLIPPED:
                return f"{name} is 0: its value {value!r} was clipped to {describe_clip(term.clip)}"
            case ZeroReason.ZERO_WEIGHT:
                return f"{name} is 0: its weight is 0"
            case ZeroReason.UNDERFLOW:
                return f"{name} is 0: {clip(term, value or 0.0)!r} times the weight {term.weight!r} underflows"
            case ZeroReason.GATED:
                shut = next(need for need in term.requires if not (self._contributions[need] or 0.0) > 0.0)
                other, found = term_name(self._resolved.terms[shut].name), self._contributions[shut]
                because = "was not due" if found is None else f"contributed {found!r}"
                return f"{name} is 0: it requires {other}, which {because}"


def zero_reason(term: ResolvedTerm, value: float, provided: frozenset[str]) -> ZeroReason:
    """Why a term that was due contributed 0: the first step on the way from its raw value that made it 0."""
    clipped = clip(term, value)
    if clipped == 0.0 and value == 0.0:
        missing = bool(term.reads) and provided.isdisjoint(term.reads)
        return ZeroReason.READS_MISSING if missing else ZeroReason.ZERO_VALUE
    if clipped == 0.0:
        return ZeroReason.CLIPPED
    if term.weight == 0.0:
        return ZeroReason.ZERO_WEIGHT
    return ZeroReason.UNDERFLOW if term.weight * clipped == 0.0 else ZeroReason.GATED


class CompositionEngine:
    """Runs a spec, for one environment or for many.

    ``environments`` says how many it serves; each has component instances of its own, made at its first step, and is
    reset by itself. Raises RewardSpecRequired without a spec, InvalidDocument where a type of the spec is not in the
    registry, and TypeError or ValueError for a component that no spec could use.
    """

    def __init__(
        self,
        spec: RewardSpec | None = None,
        *,
        environments: int = 1,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        self.spec: Final = required_spec(spec)
        """The spec as written."""
        self.resolved: Final = resolve(self.spec, registry)
        """The spec as it is run."""
        served = plain_integer(environments)
        if served is None or served < 1:
            raise ValueError(f"an engine serves a whole number of environments, at least 1, not {environments!r}")
        self.environments: Final = served
        """How many environments it serves; they are numbered from 0."""
        self._components: list[tuple[RewardComponent, ...] | None] = [None] * served
        self._ended = [False] * served
        self._any_at_end = any(term.cadence is _AT_END for term in self.resolved.terms)
        self._watching = True  # for a step that shows whether the environment provides anything that the spec reads

    def compute_step(self, ctx: StepContext, environment: int = 0) -> RewardResult:
        """The reward of one step of an environment.

        Raises CompositionError, naming component and step, where a due component fails or gives anything but a finite
        number, where a contribution or the total is not finite, and for a step after the end of the episode
        (``compose.episode-over``) until ``reset``. The step then does not count as the episode's end.
        Raises IndexError for an environment that the engine does not serve. Warns (RewardReadsNothing), once, at the
        first step at which a component that reads anything is due, where the step provides nothing of what any
        component of the spec reads.
        """
        if type(environment) is not int or not 0 <= environment < self.environments:
            environment = self._served(environment)
        if not isinstance(ctx, StepContext):
            raise TypeError(
                f"a step is a {class_name(ctx)}; expected a StepContext: StepContext(step, extras={{...}}), or the "
                "context of an EpisodeStep"
            )
        where = environment if self.environments > 1 else None
        if self._ended[environment]:
            raise episode_over(ctx.step, where)
        components = self._components[environment]
        if components is None:
            components = self._components[environment] = self._made(ctx.step, where)
        ends = ctx.terminated or ctx.truncated
        if self._watching:
            self._watch(ctx, ends)
        step, all_due = ctx.step, ends or not self._any_at_end
        values: list[float | None] = []
        details: Mapping[str, FrozenDict[float]] = _NO_DETAILS
        for term, component in zip(self.resolved.terms, components, strict=True):
            if not all_due and term.cadence is _AT_END:
                values.append(None)
                continue
            try:
                signal = component.compute(ctx)
            except Exception as error:
                raise _failure(term, step, where, error, ctx.provided) from error
            if type(signal) is not RewardSignal:
                if signal is None:
                    _refuse("compose.not-a-number", term.name, step, where, found="None")
                found = (
                    f"compute returned {_named(signal)}, not a RewardSignal; end it with: return self._signal(value)"
                )
                _refuse("compose.component-failed", term.name, step, where, found=found)
            value = signal.value
            if type(value) is not float or value - value != 0.0:
                value = number(term.name, value, step, where)
            values.append(value)
            if signal.detail is not NOTHING and (detail := _checked_detail(term, signal.detail, step, where)):
                details = {**details, term.name: detail}
        contributions, total = compose(self.resolved, values, step, where)
        if ends:
            self._ended[environment] = True
        return RewardResult(self.resolved, values, details, contributions, total, ctx.provided)

    def is_over(self, environment: int = 0) -> bool:
        """Whether the episode of an environment has ended, so that a step needs a ``reset`` first."""
        return self._ended[self._served(environment)]

    def reset(self, environment: int | None = None) -> None:
        """Begins a new episode, in one environment or (None) in all: components forget, the end can come again.

        Raises IndexError for an environment that the engine does not serve. What a component's reset raises comes out,
        with a note of whose it is, when all others have forgotten: where one could not, no new episode has begun.
        """
        failed: Exception | None = None
        for place in range(self.environments) if environment is None else (self._served(environment),):
            sound = True
            for term, component in zip(self.resolved.terms, self._components[place] or (), strict=False):
                try:
                    component.reset()
                except Exception as error:
                    error.add_note(f"raised by reset() of the component {shown(term.name)} of environment {place}")
                    failed, sound = error if failed is None else failed, False
            if sound:
                self._ended[place] = False
        if failed is not None:
            raise failed

    def _made(self, step: int, environment: int | None) -> tuple[RewardComponent, ...]:
        made = []
        for term in self.resolved.terms:
            try:
                made.append(term.make())
            except Exception as error:
                raise _failure(term, step, environment, error) from error
        return tuple(made)

    def _watch(self, ctx: StepContext, ends: bool) -> None:
        readers = [term for term in self.resolved.terms if term.reads]
        if not any(ends or term.cadence is not _AT_END for term in readers):
            return
        self._watching = False
        if ctx.provided.isdisjoint(name for term in readers for name in term.reads):
            reads = "; ".join(f"{term_name(term.name)} reads {', '.join(term.reads)}" for term in readers)
            given = ", ".join(sorted(ctx.provided)) or "nothing"
            warnings.warn(
                f"the spec {shown(self.spec.name)} reads nothing the environment provides: {reads}; the environment "
                f"provides {given}",
                RewardReadsNothing,
                stacklevel=3,
            )

    def _served(self, environment: int) -> int:
        """The number of an environment that the engine serves, as a plain int. Raises IndexError for any other."""
        place = plain_integer(environment)
        if place is not None and 0 <= place < self.environments:
            return place
        last = self.environments - 1
        raise IndexError(
            f"there is no environment {quote(environment)}; the engine serves {f'0 to {last}' if last else 0}"
        )


def episode_over(step: int, environment: int | None = None) -> CompositionError:
    """The error of a step after the end of the episode."""
    where = _step_of(step, environment)
    return CompositionError(sentence("compose.episode-over", step=where), None, step, environment)


_AT_END: Final = Cadence.EPISODE_END
_NO_DETAIL: Final[FrozenDict[float]] = FrozenDict({})
_NO_DETAILS: Final[Mapping[str, FrozenDict[float]]] = FrozenDict({})


def compose(
    resolved: ResolvedSpec, values: Sequence[float | None], step: int, environment: int | None = None
) -> tuple[tuple[float | None, ...], float]:
    """Contributions and total of the raw values of a step, both in the spec's order; None for a term that is not due.

    The model of section 9 of the spec: clip, weight, gates in dependency order, sum from left to right from 0.0.
    The values are finite doubles. Raises CompositionError where a contribution, gated or not, or the total is not.
    """
    contributions: list[float | None] = []
    for term, value in zip(resolved.terms, values, strict=True):
        if value is None:
            contributions.append(None)
            continue
        value = clip(term, value)
        contribution = term.weight * value + 0.0  # 0.0 is added, so that -0.0 becomes 0.0
        if contribution - contribution != 0.0:
            _refuse("compose.contribution-overflows", term.name, step, environment, value=value, weight=term.weight)
        contributions.append(contribution)
    for place, need in resolved.gates:
        if contributions[place] is not None and not (contributions[need] or 0.0) > 0.0:
            contributions[place] = 0.0
    total = 0.0
    for each in contributions:
        if each is not None:
            total += each
    if total - total != 0.0:  # once it is beyond any double it stays there
        _refuse("compose.total-overflows", _overflowing(resolved, contributions), step, environment)
    return tuple(contributions), total


def compose_raw(
    resolved: ResolvedSpec, raw: Sequence[object], ends: bool, step: int, environment: int | None = None
) -> tuple[tuple[float | None, ...], float]:
    """As ``compose``, of values as components give them, one for each term; those that are not due count for nothing.

    ``ends`` says whether the EPISODE_END terms are due. Raises CompositionError as the engine does, and ValueError for
    another number of values than the spec has terms.
    """
    if len(raw) != len(resolved.terms):
        raise ValueError(f"the spec has {len(resolved.terms)} terms, not {len(raw)}; give a raw value for each")
    values = [
        number(term.name, value, step, environment) if ends or term.cadence is not _AT_END else None
        for term, value in zip(resolved.terms, raw, strict=True)
    ]
    return compose(resolved, values, step, environment)


def _overflowing(resolved: ResolvedSpec, contributions: Sequence[float | None]) -> str:
    """The name of the term with which the sum goes beyond any double."""
    totals = accumulate(each or 0.0 for each in contributions)
    return next(term.name for term, total in zip(resolved.terms, totals, strict=True) if total - total != 0.0)


def clip(term: ResolvedTerm, value: float) -> float:
    """The raw value within the term's bounds."""
    if term.clip is None:
        return value
    low, high = term.clip
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value


def number(component: str, value: object, step: int, environment: int | None = None, part: str = "") -> float:
    """A component's value as a finite double. Raises CompositionError, naming component and step, for anything else.

    ``part`` is for the message, where the value is not the component's own.
    """
    if type(value) is not float:
        try:
            double = plain_double(value)
        except OverflowError:
            _refuse("compose.not-finite", component, step, environment, found=f"a number beyond any double{part}")
        if double is None:
            _refuse("compose.not-a-number", component, step, environment, found=_named(value) + part)
        value = double
    if value - value != 0.0:
        _refuse("compose.not-finite", component, step, environment, found=f"{value}{part}")
    return value


MOST_SUB_TERMS: Final[int] = schema_of("trace-row")["$defs"]["RewardTermDetail"]["properties"]["terms"]["maxProperties"]


def _checked_detail(term: ResolvedTerm, detail: object, step: int, environment: int | None) -> FrozenDict[float]:
    try:
        given = [(str(name), value) for name, value in detail.items()] if isinstance(detail, Mapping) else None
    except Exception as error:
        raise _failure(term, step, environment, error) from error
    if given is None:
        found = f"{_named(detail)} for its sub-terms"
        _refuse("compose.not-a-number", term.name, step, environment, found=found)
    if len(given) > MOST_SUB_TERMS:
        found = f"it gave {len(given)} sub-terms; at most {MOST_SUB_TERMS} fit in a trace"
        _refuse("compose.component-failed", term.name, step, environment, found=found)
    checked: dict[str, float] = {}
    for name, value in given:
        part = f" for its sub-term {shown(name)}"
        if name in checked:
            _refuse("compose.component-failed", term.name, step, environment, found=f"it gave two values{part}")
        if not is_name(name):
            found = f"it gave a value{part}, whose name is not text of 1 to {LONGEST_NAME} characters"
            _refuse("compose.component-failed", term.name, step, environment, found=found)
        checked[name] = number(term.name, value, step, environment, part)
    return FrozenDict(checked)


def _failure(
    term: ResolvedTerm, step: int, environment: int | None, error: Exception, provided: frozenset[str] | None = None
) -> CompositionError:
    found = describe_error(error, place=False)
    if provided is not None and (missing := [name for name in term.reads if name not in provided]):
        found += f" (it reads {', '.join(missing)}, which the step does not provide)"
    return _error("compose.component-failed", term.name, step, environment, found=found)


def component_failed(term: ResolvedTerm, step: int, environment: int | None, found: str) -> CompositionError:
    """The error of a component that failed, and how."""
    return _error("compose.component-failed", term.name, step, environment, found=found)


def _named(value: object) -> str:
    return "None" if value is None else f"{class_name(value)} {quote(value)}"


def _refuse(code: str, component: str, step: int, environment: int | None, **values: object) -> Never:
    raise _error(code, component, step, environment, **values)


def _error(code: str, component: str, step: int, environment: int | None, **values: object) -> CompositionError:
    where = _step_of(step, environment)
    return CompositionError(sentence(code, name=shown(component), step=where, **values), component, step, environment)


def _step_of(step: int, environment: int | None) -> str:
    return str(step) if environment is None else f"{step} of environment {environment}"
