"""The plain engine: what a spec makes of a step, term by term. It is the reference for the two faster forms."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Never

from ..catalogue import CodedSentence, sentence
from ..findings import shown
from ..frozen import FrozenDict
from ..generated.reward_trace_row import ZeroReason
from .component import Cadence, RewardComponent, RewardSignal, StepContext
from .registry import REGISTRY
from .resolved import ResolvedSpec, ResolvedTerm, required_spec, resolve
from .spec_document import SpecDocument


class CompositionError(ValueError):
    """A step has no reward: a component gave no finite number, or the sum is none. Nothing stands in for it."""

    def __init__(self, message: CodedSentence, component: str, step: int) -> None:
        super().__init__(message, component, step)
        self.code = message.code
        """The id of the code (``compose.not-finite``)."""
        self.component = component
        """The type of the term."""
        self.step = step
        """The step, as the StepContext numbers it."""

    def __str__(self) -> str:
        return str(self.args[0])


class RewardReadsNothing(UserWarning):
    """A spec reads nothing the environment provides: all of it will be 0."""


class RewardResult:
    """What a spec made of one step. Read-only."""

    __dict__: dict[str, Any]  # for what is worked out when it is asked for

    def __init__(
        self,
        resolved: ResolvedSpec,
        signals: Sequence[RewardSignal | None],
        values: Sequence[float | None],
        contributions: Sequence[float | None],
        total: float,
        provided: frozenset[str],
    ) -> None:
        self.__dict__.update(
            total=total,
            _resolved=resolved,
            _signals=signals,
            _values=values,
            _contributions=contributions,
            _provided=provided,
        )

    total: float
    """The sum of the contributions, from left to right in the spec's order, from 0.0. Always finite."""

    @cached_property
    def contributions(self) -> FrozenDict[float]:
        """What each term that was due contributed, by its type, in the spec's order. Never -0.0."""
        return FrozenDict(self._by_type(self._contributions))

    @cached_property
    def raw(self) -> FrozenDict[float]:
        """What the component of each term that was due gave, before clip and weight, by the term's type."""
        return FrozenDict(self._by_type(self._values))

    @cached_property
    def detail(self) -> FrozenDict[FrozenDict[float]]:
        """The sub-terms that the components reported, by the term's type; terms without any are left out."""
        signals = self._by_type(self._signals)
        return FrozenDict({name: FrozenDict(signal.detail) for name, signal in signals.items() if signal.detail})

    @cached_property
    def zeros(self) -> FrozenDict[ZeroReason]:
        """Why each term that contributed 0, or was not due, did: the first step on its way that made it 0."""
        reasons = {term.type: self._reason(place, term) for place, term in enumerate(self._resolved.terms)}
        return FrozenDict({name: reason for name, reason in reasons.items() if reason is not None})

    def explain(self) -> dict[str, str]:
        """A sentence for each term in ``zeros``, with the values that decided."""
        places = {term.type: place for place, term in enumerate(self._resolved.terms)}
        return {name: self._sentence(places[name], reason) for name, reason in self.zeros.items()}

    def __repr__(self) -> str:
        return f"RewardResult(total={self.total!r}, contributions={self.contributions!r})"

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"a RewardResult cannot change, {name} neither")

    __delattr__ = None  # type: ignore[assignment]

    def _by_type(self, values: Sequence[Any]) -> dict[str, Any]:
        terms = zip(self._resolved.terms, values, strict=True)
        return {term.type: value for term, value in terms if value is not None}

    def _reason(self, place: int, term: ResolvedTerm) -> ZeroReason | None:
        value, contribution = self._values[place], self._contributions[place]
        if value is None:
            return ZeroReason.SKIPPED
        if contribution != 0.0:
            return None
        if value == 0.0:
            missing = bool(term.reads) and self._provided.isdisjoint(term.reads)
            return ZeroReason.READS_MISSING if missing else ZeroReason.ZERO_VALUE
        if (clipped := clip(term, value)) == 0.0:
            return ZeroReason.CLIPPED
        if term.weight == 0.0:
            return ZeroReason.ZERO_WEIGHT
        return ZeroReason.UNDERFLOW if term.weight * clipped == 0.0 else ZeroReason.GATED

    def _sentence(self, place: int, reason: ZeroReason) -> str:
        term, value = self._resolved.terms[place], self._values[place]
        name = term.type
        match reason:
            case ZeroReason.SKIPPED:
                return f"{name} is not due: it counts once, at the step that ends the episode"
            case ZeroReason.READS_MISSING:
                given = ", ".join(sorted(self._provided)) or "nothing"
                return f"{name} is 0: it reads {', '.join(term.reads)}, and the step provides {given}"
            case ZeroReason.ZERO_VALUE:
                return f"{name} is 0: its component gave 0"
            case ZeroReason.CLIPPED:
                assert term.clip is not None
                return f"{name} is 0: its value {value!r} was clipped to {term.clip[0]!r}..{term.clip[1]!r}"
            case ZeroReason.ZERO_WEIGHT:
                return f"{name} is 0: its weight is 0"
            case ZeroReason.UNDERFLOW:
                return f"{name} is 0: {value!r} times the weight {term.weight!r} underflows"
            case ZeroReason.GATED:
                shut = next(need for need in term.requires if not (self._contributions[need] or 0.0) > 0.0)
                other, found = self._resolved.terms[shut].type, self._contributions[shut]
                because = "was not due" if found is None else f"contributed {found!r}"
                return f"{name} is 0: it requires {other}, which {because}"


class CompositionEngine:
    """Runs a spec, for one environment or for many.

    ``environments`` says how many it serves; each has component instances of its own, and is reset by itself. Raises
    RewardSpecRequired without a spec, and InvalidDocument where a type of the spec is not in the registry.
    """

    def __init__(
        self,
        spec: SpecDocument | None = None,
        *,
        environments: int = 1,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        self.spec: Final = required_spec(spec)
        """The spec as written."""
        self.resolved: Final = resolve(self.spec, registry)
        """The spec as it is run."""
        if type(environments) is not int or environments < 1:
            raise ValueError(f"an engine serves a whole number of environments, at least 1, not {environments!r}")
        self._components: list[tuple[RewardComponent, ...] | None] = [None] * environments
        self._ended = [False] * environments
        self._warned = False

    def compute_step(self, ctx: StepContext, environment: int = 0) -> RewardResult:
        """The reward of one step of an environment.

        Raises CompositionError, naming component and step, where a due component fails or gives anything but a finite
        number, and where a contribution or the total is not finite. The step then does not count as the episode's end.
        Warns (RewardReadsNothing), once, where the step provides nothing of what the due components read.
        """
        resolved = self.resolved
        components = self._components[environment]
        if components is None:
            components = self._components[environment] = tuple(term.component() for term in resolved.terms)
        ends = (ctx.terminated or ctx.truncated) and not self._ended[environment]
        if not self._warned:
            self._warn(ctx, ends)
        signals: list[RewardSignal | None] = []
        values: list[float | None] = []
        for term, component in zip(resolved.terms, components, strict=True):
            if term.cadence is Cadence.STEP or ends:
                signal = _signal(term, component, ctx)
                signals.append(signal)
                values.append(number(term.type, signal.value, ctx.step))
            else:
                signals.append(None)
                values.append(None)
        contributions, total = compose(resolved, values, ctx.step)
        if ends:
            self._ended[environment] = True
        return RewardResult(resolved, signals, values, contributions, total, ctx.provided)

    def reset(self, environment: int | None = None) -> None:
        """Begins a new episode, in one environment or (None) in all: components forget, the end can come again."""
        for place in range(len(self._ended)) if environment is None else (environment,):
            self._ended[place] = False
            for component in self._components[place] or ():
                component.reset()

    def _warn(self, ctx: StepContext, ends: bool) -> None:
        due = [term for term in self.resolved.terms if term.reads and (ends or term.cadence is Cadence.STEP)]
        if not due:
            return
        if ctx.provided.isdisjoint(name for term in due for name in term.reads):
            self._warned = True
            reads = "; ".join(f"{term.type} reads {', '.join(term.reads)}" for term in due)
            given = ", ".join(sorted(ctx.provided)) or "nothing"
            warnings.warn(
                f"the spec {shown(self.spec.name)} reads nothing the environment provides: {reads}; the environment "
                f"provides {given}",
                RewardReadsNothing,
                stacklevel=3,
            )
        elif ends:
            self._warned = True  # an episode was looked at to its end


def compose(
    resolved: ResolvedSpec, values: Sequence[float | None], step: int
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
        contribution = term.weight * clip(term, value) + 0.0  # 0.0 is added, so that -0.0 becomes 0.0
        if contribution - contribution != 0.0:
            _refuse("compose.contribution-overflows", term.type, step, value=clip(term, value), weight=term.weight)
        contributions.append(contribution)
    for place in resolved.order:
        requires = resolved.terms[place].requires
        if contributions[place] is not None and not all((contributions[need] or 0.0) > 0.0 for need in requires):
            contributions[place] = 0.0
    total = 0.0
    for term, due in zip(resolved.terms, contributions, strict=True):
        if due is not None:
            total += due
            if total - total != 0.0:
                _refuse("compose.total-overflows", term.type, step)
    return tuple(contributions), total


def clip(term: ResolvedTerm, value: float) -> float:
    """The raw value within the term's bounds."""
    if term.clip is None:
        return value
    low, high = term.clip
    return low if value < low else high if value > high else value


def number(component: str, value: object, step: int) -> float:
    """A component's value as a finite double. Raises CompositionError, naming component and step, for anything else."""
    if type(value) is not float:
        # NumPy registers its scalars as real numbers; its bool is none, and Python's is refused as everywhere.
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            _refuse("compose.not-a-number", component, step, found=_named(value))
        try:
            value = float(value)
        except OverflowError:
            _refuse("compose.not-finite", component, step, found="an integer beyond any double")
    if value - value != 0.0:
        _refuse("compose.not-finite", component, step, found=value)
    return value


def _signal(term: ResolvedTerm, component: RewardComponent, ctx: StepContext) -> RewardSignal:
    try:
        signal = component.compute(ctx)
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
        if term.reads and (missing := [name for name in term.reads if name not in ctx.provided]):
            found += f" (it reads {', '.join(missing)}, which the step does not provide)"
        message = sentence("compose.component-failed", name=shown(term.type), step=ctx.step, found=found)
        raise CompositionError(message, term.type, ctx.step) from error
    if type(signal) is not RewardSignal:
        found = "None" if signal is None else f"{type(signal).__name__}, no RewardSignal"
        _refuse("compose.not-a-number", term.type, ctx.step, found=found)
    return signal


def _named(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__} {shown(value, 40)}"


def _refuse(code: str, component: str, step: int, **values: object) -> Never:
    raise CompositionError(sentence(code, name=shown(component), step=step, **values), component, step)
