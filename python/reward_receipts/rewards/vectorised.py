"""The vectorised form: one spec over the raw values of many environments at once, in NumPy arrays of doubles.

Bit for bit the plain engine: each operation stands alone (no fused multiply-add), in the same order. A clip can give
the other zero where a bound is 0.0; the 0.0 that is added to each contribution makes that one and the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from ..generated.reward_spec import RewardSpec
from .component import Cadence, Clip, RewardComponent
from .engine import compose_raw, episode_over
from .registry import REGISTRY
from .resolved import ResolvedSpec, required_spec, resolve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Doubles = NDArray[np.float64]
    Flags = NDArray[np.bool_]


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
        if type(environments) is not int or environments < 1:
            raise ValueError(f"a whole number of environments, at least 1, is needed, not {environments!r}")
        self.environments: Final = environments
        """How many environments it serves; they are numbered from 0."""
        _require_numpy()
        import numpy as np

        self._ended = np.zeros(environments, dtype=np.bool_)
        at_step = [[term.cadence is Cadence.STEP] for term in self.resolved.terms]
        self._due_at_step: Final = np.repeat(np.array(at_step), environments, axis=1)

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
        stepping = None
        if mask is not None:
            stepping = self._flags(mask, "mask")
            ending = ending & stepping
            raw = np.where(stepping, raw, 0.0)
        over = self._ended if stepping is None else self._ended & stepping
        contributions, totals, sound = composed(self.resolved, raw, ending)
        some_end = bool(ending.any())
        due = self._due_at_step | ending if some_end else self._due_at_step.copy()
        if stepping is not None:
            due &= stepping
            np.copyto(contributions, 0.0, where=~stepping)
            np.copyto(totals, 0.0, where=~stepping)
        if not sound or over.any():
            self._refuse_first(raw, ending, due, totals, over, step)
        if some_end:
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
            for term, value, is_due in zip(self.resolved.terms, raw, due, strict=True):
                clipped = value if term.clip is None else _clipped(value, term.clip)
                fault |= is_due & ~(np.isfinite(value) & np.isfinite(clipped * term.weight))
        for environment in np.flatnonzero(fault).tolist():
            number = int(np.broadcast_to(step, self.environments)[environment])
            if over[environment]:
                raise episode_over(number, environment)
            compose_raw(self.resolved, raw[:, environment].tolist(), bool(ending[environment]), number, environment)

    def _doubles(self, values: ArrayLike) -> Doubles:
        import numpy as np

        if isinstance(values, np.ma.MaskedArray):
            raise TypeError("values are masked; a value that is missing is no number, so give plain arrays")
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


def composed(resolved: ResolvedSpec, raw: Doubles, ending: Flags) -> tuple[Doubles, Doubles, bool]:
    """Contributions and totals of raw values of shape (terms, environments), and whether all of them are finite.

    ``ending`` says in which environments the EPISODE_END terms are due. False says that the plain engine has to look:
    sums of squares that overflow are taken for values that are not finite.
    """
    import numpy as np

    contributions = np.empty(raw.shape)
    totals = np.zeros(raw.shape[1])
    some_end = bool(ending.any())
    sound = True
    with np.errstate(all="ignore"):  # what overflows is looked for
        for term, value, contribution in zip(resolved.terms, raw, contributions, strict=True):
            if at_end := term.cadence is Cadence.EPISODE_END:
                if not some_end:
                    contribution.fill(0.0)
                    continue
                value = np.where(ending, value, 0.0)
            sound &= _is_finite(value)
            if term.clip is not None:
                value = _clipped(value, term.clip, out=contribution)
            np.multiply(value, term.weight, out=contribution)
            contribution += 0.0  # so that -0.0 becomes 0.0
            if term.can_overflow:
                sound &= _is_finite(contribution)
            if at_end:
                np.copyto(contribution, 0.0, where=~ending)
        for place, need in resolved.gates:
            np.copyto(contributions[place], 0.0, where=contributions[need] <= 0.0)
        for contribution in contributions:
            totals += contribution
        sound &= _is_finite(totals)
    return contributions, totals, sound


def _clipped(values: Doubles, clip: Clip, out: Doubles | None = None) -> Doubles:
    low, high = clip
    return values.clip(-inf if low is None else low, inf if high is None else high, out=out)


def _is_finite(array: Doubles) -> bool:
    """Whether all of it is finite; False also where the sum of the squares overflows."""
    return bool(array.dot(array) < inf)  # never so for NaN


def _require_numpy() -> None:
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise ImportError("the vectorised form of a reward needs NumPy: pip install 'reward-receipts[envs]'") from error
