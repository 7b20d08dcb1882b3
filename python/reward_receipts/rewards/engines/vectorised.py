"""The vectorised form: one spec over the raw values of many environments at once, in NumPy arrays of doubles.

Bit for bit the plain engine: each operation is alone (no fused multiply-add), in the same order. A clip can give
the other zero where a bound is 0.0; the 0.0 that is added to each contribution makes that one and the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...core.numbers import plain_integer
from ..components.component import Cadence, RewardComponent
from ..components.registry import REGISTRY
from ..spec.generated.reward_spec import RewardSpec
from ..spec.resolved import ResolvedSpec, required_spec, resolve
from .plain import compose_raw, episode_over

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Doubles = NDArray[np.float64]
    Flags = NDArray[np.bool_]
else:  # nothing here imports NumPy before a VectorisedReward is made
    ArrayLike = Doubles = Flags = Any


class VectorisedResult(NamedTuple):
    """What a spec made of one step of each environment. The arrays are read-only, and of this step alone."""

    totals: Doubles
    """The sum of each environment's contributions, from left to right in the spec's order: shape (environments,)."""
    contributions: Doubles
    """What each term contributed in each environment, 0.0 where not due; never -0.0. Shape (terms, environments)."""
    due: Flags
    """Which terms were due in which environments: shape (terms, environments)."""


class VectorisedReward:
    """Runs one spec on the raw values of many environments at once.

    Raises RewardSpecRequired without a spec, InvalidDocument where a type of the spec is not in the registry, and
    ImportError, which says what to install, without NumPy.
    """

    def __init__(
        self,
        spec: RewardSpec | None,
        environments: int,
        registry: Mapping[str, type[RewardComponent]] = REGISTRY,
    ) -> None:
        self.resolved: Final = resolve(required_spec(spec), registry)
        """The spec as it is run."""
        served = plain_integer(environments)
        if served is None or served < 1:
            raise ValueError(f"a whole number of environments, at least 1, is needed, not {environments!r}")
        self.environments: Final = served
        """How many environments it serves; they are numbered from 0."""
        require_numpy()
        import numpy as np

        self._ended = np.zeros(served, dtype=np.bool_)
        self._terms: Final = ArrayTerms(self.resolved)

    def compute_step(
        self, values: ArrayLike, ends: ArrayLike, step: ArrayLike = 0, *, mask: ArrayLike | None = None
    ) -> VectorisedResult:
        """Totals and contributions of one step of each environment.

        ``values`` has what each term's component gave in each environment, in the spec's order and in the component's
        unit: shape (terms, environments), of integers or floating-point numbers, which are taken as ``float()`` takes
        them. What stands for terms that are not due is ignored, NaN too. ``ends`` has a bool for each environment,
        whether the step ends its episode, terminated or truncated; the EPISODE_END terms are due at that step.
        ``step`` numbers the step, in all environments or in each, for messages. ``mask`` has a bool for each
        environment, whether it takes a step; left out, all do. The total of one that takes none is 0.0, and its values
        and its ``ends`` are ignored: so a vector environment that resets in the call after an end can be scored.

        Raises CompositionError as the plain engine does, for the lowest environment at fault, which it names; no end
        of an episode then counts. One that takes a step after the end of its episode without a ``reset`` is at fault
        (``compose.episode-over``). Raises ValueError for other shapes, and TypeError for other types.
        """
        import numpy as np

        raw, ending = self._doubles(values), self._flags(ends, "ends")
        over, due = self._ended, self._terms.at_step | ending
        if mask is not None:
            stepping = self._flags(mask, "mask")
            over, due, ending = over & stepping, due & stepping, ending & stepping
        if due.all():
            contributions, totals, sound = self._terms.compose(raw, None)
        else:
            raw = np.where(due, raw, 0.0)
            contributions, totals, sound = self._terms.compose(raw, due)
        if not sound or over.any():
            self._refuse_first(raw, ending, due, totals, over, step)
        self._ended |= ending
        for array in (totals, contributions, due):
            array.setflags(write=False)
        return VectorisedResult(totals, contributions, due)

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Begins a new episode, in the environments for which the mask has True, or (None) in all."""
        self._ended[... if mask is None else self._flags(mask, "mask")] = False

    def _refuse_first(
        self, raw: Doubles, ending: Flags, due: Flags, totals: Doubles, over: Flags, step: ArrayLike
    ) -> None:
        """Raises what the plain engine raises of the first environment at fault; there may be none."""
        import numpy as np

        with np.errstate(all="ignore"):
            fault = ~np.isfinite(totals) | over
            fault |= (due & ~(np.isfinite(raw) & np.isfinite(self._terms.weighted(raw)))).any(axis=0)
        for environment in np.flatnonzero(fault).tolist():
            number = int(np.broadcast_to(step, self.environments)[environment])
            if over[environment]:
                raise episode_over(number, environment)
            compose_raw(self.resolved, raw[:, environment].tolist(), bool(ending[environment]), number, environment)

    def _doubles(self, values: ArrayLike) -> Doubles:
        import numpy as np

        if isinstance(values, np.ma.MaskedArray):
            raise TypeError("values are masked; a value that is missing is not a number, so give plain arrays")
        array = np.asarray(values)
        if array.dtype.kind not in "iuf":
            raise TypeError(f"values are integers or floating-point numbers, not {array.dtype}")
        self._require_shape("values", array.shape, (len(self.resolved.terms), self.environments))
        with np.errstate(all="ignore"):  # a long double beyond any double is refused as one that is not finite
            return array.astype(np.float64, copy=False)

    def _flags(self, flags: ArrayLike, what: str) -> Flags:
        import numpy as np

        array = np.asarray(flags)
        if array.dtype != np.bool_:
            raise TypeError(f"{what} has a bool for each environment, not {array.dtype}")
        self._require_shape(what, array.shape, (self.environments,))
        return array

    def _require_shape(self, what: str, found: tuple[int, ...], shape: tuple[int, ...]) -> None:
        if found != shape:
            raise ValueError(
                f"{what} has the shape {found}, not {shape}: the spec has {len(self.resolved.terms)} terms, and there "
                f"are {self.environments} environments"
            )


class ArrayTerms:
    """The terms of a spec as columns of arrays, and their arithmetic. Needs NumPy."""

    def __init__(self, resolved: ResolvedSpec) -> None:
        import numpy as np

        clips = [(None, None) if term.clip is None else term.clip for term in resolved.terms]
        self._weights = np.array([[term.weight] for term in resolved.terms])
        self._lows = np.array([[-inf if low is None else low] for low, _ in clips])
        self._highs = np.array([[inf if high is None else high] for _, high in clips])
        self._is_clipped = any(clip != (None, None) for clip in clips)
        self._can_overflow = any(term.can_overflow for term in resolved.terms)
        self._gates = resolved.gates
        self.at_step: Final = np.array([[term.cadence is Cadence.STEP] for term in resolved.terms])
        """Which terms are due at every step: shape (terms, 1)."""
        self.all_at_step: Final = bool(self.at_step.all())
        """Whether all of them are."""

    def compose(self, raw: Doubles, due: Flags | None) -> tuple[Doubles, Doubles, bool]:
        """Contributions and totals of raw values of shape (terms, environments), and whether all of it is finite.

        ``due`` has that shape, and None says that all terms are due; the raw values of others have to be finite, and
        count for nothing. False can also come of values whose squares overflow: then the plain engine has to look.
        """
        import numpy as np

        with np.errstate(all="ignore"):  # what overflows is looked for
            sound = _is_finite(raw)
            contributions = self.weighted(raw)
            contributions += 0.0  # so that -0.0 becomes 0.0
            if due is not None:
                np.copyto(contributions, 0.0, where=~due)
            if self._can_overflow:
                sound = sound and _is_finite(contributions)
            for place, need in self._gates:
                np.copyto(contributions[place], 0.0, where=contributions[need] <= 0.0)
            totals = np.zeros(raw.shape[1])
            for contribution in contributions:
                totals += contribution
            sound = sound and _is_finite(totals)
        return contributions, totals, sound

    def weighted(self, raw: Doubles) -> Doubles:
        """Raw values, clipped and weighted: a new array."""
        import numpy as np

        values: Doubles = np.maximum(raw, self._lows) if self._is_clipped else raw.copy()
        if self._is_clipped:
            np.minimum(values, self._highs, out=values)
        values *= self._weights
        return values


def _is_finite(array: Doubles) -> bool:
    """Whether all of it is finite; False also where the sum of the squares overflows."""
    flat = array.ravel()
    return bool(flat.dot(flat) < inf)  # never so for NaN


def require_numpy() -> None:
    """Raises ImportError, which says what to install, if NumPy is missing."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise ImportError("the vectorised form of a reward needs NumPy: pip install 'reward-receipts[envs]'") from error
