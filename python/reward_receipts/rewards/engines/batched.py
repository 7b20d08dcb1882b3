"""One engine for the steps that many environments take at once: in NumPy arrays where the components offer arrays.

A component offers arrays by ``compute_batch`` beside ``compute``. Where all components of a spec do, a step of all
environments is one call for each term, and the arithmetic is that of the vectorised form. Where one does not, and
where anything is out of order, the plain engine computes environment by environment; both give the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...core.foreign import describe_error
from ...core.generated.vocabulary import ZeroReason
from ...validation.names import is_name
from ..components.batch import StepBatch
from ..components.component import Cadence, RewardComponent, RewardSignal
from ..components.context import NOTHING, StepContext
from ..components.registry import REGISTRY
from ..spec.generated.reward_spec import RewardSpec
from ..spec.resolved import ResolvedSpec, ResolvedTerm
from .plain import MOST_SUB_TERMS, CompositionEngine, component_failed, zero_reason
from .vectorised import ArrayTerms, require_numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Objects = NDArray[np.object_]
else:  # nothing here imports NumPy before arrays are made
    Doubles = Flags = Objects = Any


class SubTerm(NamedTuple):
    """A sub-term of a term, in each environment: both of shape (environments,)."""

    values: Doubles
    given: Flags
    """Which environments' components gave it."""


class BatchResult:
    """The composed rewards of one step of many environments. The arrays are of this step alone."""

    def __init__(
        self,
        resolved: ResolvedSpec,
        stepped: Flags,
        totals: Doubles,
        contributions: Doubles,
        due: Flags,
        raw: Doubles,
        zeros: Objects,
        sub_terms: Sequence[Mapping[str, SubTerm]],
    ) -> None:
        self.resolved: Final = resolved
        """The spec as it is run."""
        self.stepped: Final = stepped
        """Which environments took a step: shape (environments,)."""
        self.totals: Final = totals
        """The sum of each environment's contributions, 0.0 where it took no step: shape (environments,)."""
        self.contributions: Final = contributions
        """The contribution of each term, 0.0 where it was not due; never -0.0. Shape (terms, environments)."""
        self.due: Final = due
        """Which terms were due in which environments: shape (terms, environments)."""
        self.raw: Final = raw
        """The value of each term before clip and weight, 0.0 where it was not due: shape (terms, environments)."""
        self.zeros: Final = zeros
        """The text of the ZeroReason of each term that contributed 0 or was not due, otherwise None: shape
        (terms, environments)."""
        self.sub_terms: Final = sub_terms
        """The sub-terms of each term, by name."""

    def to_dicts(self) -> list[tuple[dict[str, float], dict[str, dict[str, Any]]] | None]:
        """For each environment what ``RewardResult.to_dicts`` gives; None for one that took no step."""
        terms = [
            (
                term.name,
                values.tolist(),
                raws.tolist(),
                due.tolist(),
                zeros.tolist(),
                [(name, each.values.tolist(), each.given.tolist()) for name, each in sub_terms.items()],
            )
            for term, values, raws, due, zeros, sub_terms in zip(
                self.resolved.terms, self.contributions, self.raw, self.due, self.zeros, self.sub_terms, strict=True
            )
        ]
        return [
            (
                {name: values[place] for name, values, *_ in terms},
                {
                    name: {
                        "raw": raws[place] if due[place] else None,
                        "zero": zeros[place],
                        "terms": {sub: given[place] for sub, given, has in sub_terms if has[place]},
                    }
                    for name, _, raws, due, zeros, sub_terms in terms
                },
            )
            if stepped
            else None
            for place, stepped in enumerate(self.stepped.tolist())
        ]


class BatchedEngine(CompositionEngine):
    """A CompositionEngine that takes a step of many environments in one call. Raises as that does."""

    def __init__(
        self,
        spec: RewardSpec | None,
        environments: int,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        require_numpy()
        super().__init__(spec, environments=environments, registry=registry)
        self._offered = all(offers_arrays(term.component) for term in self.resolved.terms)
        self._of_arrays: tuple[RewardComponent, ...] | None = None

    def compute_steps(self, contexts: Sequence[StepContext | None]) -> BatchResult:
        """The rewards of a step of each environment; None for one that takes none.

        Raises CompositionError as ``compute_step`` does, for the first environment at fault, and ValueError for
        another number of contexts than environments. After that it is not known which of the others took their step:
        ``reset`` all. Raises CompositionError (``compose.component-failed``) for a component whose ``compute_batch``
        fails, or gives something else than an array of numbers, where its ``compute`` gives a number.
        """
        if len(contexts) != self.environments:
            raise ValueError(f"the engine serves {self.environments} environments, not {len(contexts)}")
        places = [place for place, context in enumerate(contexts) if context is not None]
        steps = [context for context in contexts if context is not None]
        wrong: tuple[ResolvedTerm, str] | None = None
        if self._offered and steps and not self._watching and not any(self._ended[place] for place in places):
            provided = steps[0].provided
            if all(context.provided == provided for context in steps):
                found = self._in_arrays(places, steps)
                if isinstance(found, BatchResult):
                    return found
                wrong = found
        result = self._one_by_one(contexts)
        if wrong is not None:
            term, what = wrong
            raise component_failed(term, steps[0].step, places[0] if self.environments > 1 else None, what)
        return result

    def _in_arrays(
        self, places: list[int], contexts: list[StepContext]
    ) -> BatchResult | tuple[ResolvedTerm, str] | None:
        """The result; or the component that is at fault, and how; or None where the plain engine has to look."""
        import numpy as np

        if self._of_arrays is None:
            self._of_arrays = tuple(term.make() for term in self.resolved.terms)
            self._terms = ArrayTerms(self.resolved)
        count, every = self.environments, len(places) == self.environments
        here: Any = slice(None) if every else places
        ends = [context.terminated or context.truncated for context in contexts]
        ending = np.zeros(count, np.bool_)
        ending[here] = ends
        stepped = np.zeros(count, np.bool_)
        stepped[here] = True
        batch = StepBatch(contexts)
        last: StepBatch | None = None
        if True in ends and self._any_at_end:
            last = StepBatch([context for context, end in zip(contexts, ends, strict=True) if end])
        raw = np.zeros((len(self.resolved.terms), count))
        sub_terms: list[dict[str, SubTerm]] = []
        for term, component, values in zip(self.resolved.terms, self._of_arrays, raw, strict=True):
            at_end = term.cadence is Cadence.EPISODE_END
            asked, among, given = (last, ending, ending) if at_end else (batch, here, stepped)
            if asked is None:
                sub_terms.append({})
                continue
            try:
                signal = component.compute_batch(asked)
                if type(signal) is not RewardSignal:
                    return term, f"compute_batch() gave {type(signal).__name__}, which is not a RewardSignal"
                values[among] = _array(signal.value, len(asked))
                detail = {} if signal.detail is NOTHING else _details(signal.detail, len(asked))
            except Exception as error:
                return term, f"compute_batch() failed, and compute() did not: {describe_error(error, place=False)}"
            if detail is None:
                return None
            sub_terms.append({name: SubTerm(_spread(each, among, count), given) for name, each in detail.items()})
        due: Flags | None = None
        if not every or not self._terms.all_at_step:
            due = (self._terms.at_step & stepped) | (~self._terms.at_step & ending)
        contributions, totals, sound = self._terms.compose(raw, due)
        if not sound:
            return None
        if True in ends:
            for place, end in zip(places, ends, strict=True):
                self._ended[place] = end
        due = np.ones(raw.shape, np.bool_) if due is None else due
        zeros = self._zeros(raw, contributions, due, stepped, batch.provided)
        return BatchResult(self.resolved, stepped, totals, contributions, due, raw, zeros, sub_terms)

    def _zeros(
        self, raw: Doubles, contributions: Doubles, due: Flags, stepped: Flags, provided: frozenset[str]
    ) -> Objects:
        import numpy as np

        zeros = np.full(raw.shape, None, dtype=object)
        is_zero = (contributions == 0.0) & stepped
        if not is_zero.any():
            return zeros
        for term, values, is_due, reasons, of_term in zip(self.resolved.terms, raw, due, zeros, is_zero, strict=True):
            for place in np.flatnonzero(of_term).tolist():
                reasons[place] = zero_reason(term, float(values[place]), provided).value if is_due[place] else _SKIPPED
        return zeros

    def _one_by_one(self, contexts: Sequence[StepContext | None]) -> BatchResult:
        import numpy as np

        shape = len(self.resolved.terms), self.environments
        contributions, raw = np.zeros(shape), np.zeros(shape)
        due, zeros = np.zeros(shape, np.bool_), np.full(shape, None, dtype=object)
        totals, stepped = np.zeros(self.environments), np.zeros(self.environments, np.bool_)
        sub_terms: list[dict[str, SubTerm]] = [{} for _ in self.resolved.terms]
        for environment, context in enumerate(contexts):
            if context is None:
                continue
            result = self.compute_step(context, environment)
            stepped[environment] = True
            totals[environment] = result.total
            components, detail = result.to_dicts()
            contributions[:, environment] = [*components.values()]
            for place, term in enumerate(detail.values()):
                zeros[place, environment] = term["zero"]
                if term["raw"] is not None:
                    raw[place, environment], due[place, environment] = term["raw"], True
                for name, value in term["terms"].items():
                    sub_term = sub_terms[place].get(name)
                    if sub_term is None:
                        sub_term = sub_terms[place][name] = SubTerm(
                            np.zeros(self.environments), np.zeros(self.environments, np.bool_)
                        )
                    sub_term.values[environment], sub_term.given[environment] = value, True
        return BatchResult(self.resolved, stepped, totals, contributions, due, raw, zeros, sub_terms)


_SKIPPED: Final = ZeroReason.SKIPPED.value


def offers_arrays(component: type[RewardComponent]) -> bool:
    """Whether a component's ``compute_batch`` can replace its ``compute``.

    It cannot where a subclass changes ``compute`` and inherits ``compute_batch``, nor where the component keeps state
    between steps, which a ``reset`` of its own shows.
    """
    if component.reset is not RewardComponent.reset:
        return False
    for each in component.__mro__:
        if "compute_batch" in vars(each):
            return each is not RewardComponent
        if "compute" in vars(each):
            return False
    return False


def _array(value: Any, steps: int) -> Doubles:
    """The values of a component, as doubles. Raises TypeError or ValueError for anything but a number for each step."""
    import numpy as np

    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"an array of {array.dtype}, not of integers or floating-point numbers")
    if array.shape != (steps,):
        raise ValueError(f"an array of shape {array.shape}, not ({steps},)")
    return array.astype(np.float64, copy=False)


def _details(detail: Any, steps: int) -> dict[str, Doubles] | None:
    """The sub-terms that a component gave; None where the plain engine has to look."""
    import numpy as np

    if not isinstance(detail, Mapping):
        raise TypeError(f"{type(detail).__name__} for its sub-terms, not a mapping of names to arrays")
    arrays = {name: _array(value, steps) for name, value in detail.items()}
    if len(arrays) > MOST_SUB_TERMS or not all(type(name) is str and is_name(name) for name in arrays):
        return None
    return arrays if all(np.isfinite(array).all() for array in arrays.values()) else None


def _spread(values: Doubles, among: Any, environments: int) -> Doubles:
    import numpy as np

    spread = np.zeros(environments)
    spread[among] = values
    return spread
