"""What a reward component is: one aspect of a step, turned into one number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from ...core.wording import value_spelt

if TYPE_CHECKING:
    from ..engines.batched import StepBatch
else:  # it needs NumPy, which a component need not
    StepBatch = Any

PROVIDABLE: Final = ("state_before", "state_after", "incidents", "verifications", "extras")
"""The fields of a StepContext that an environment can provide, and that ``reads`` can name."""

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""The mapping that stands for what was not given."""


Clip = tuple[float | None, float | None]
"""The least and the greatest raw value that count; None leaves that side unbounded."""


class Cadence(StrEnum):
    """When a component is due."""

    STEP = "step"
    """At every step."""
    EPISODE_END = "episode_end"
    """Once, at the step that ends the episode, terminated or truncated."""


class StepContext:
    """The read-only slice of what one step did, as an environment describes it.

    What is left out (None) is not provided; it reads as empty. What is given, even empty, is provided. Mappings and
    sequences are copied, what is in them is not.

    Raises ValueError for a step below 0 or a bool, and TypeError for one that is no whole number and for incidents or
    verifications that are one text or one mapping, where a sequence of records is due.
    """

    __slots__ = (
        "extras",
        "incidents",
        "provided",
        "state_after",
        "state_before",
        "step",
        "terminated",
        "truncated",
        "verifications",
    )

    step: int
    """Which step of the episode it is, from 0."""
    state_before: Mapping[str, Any]
    """The environment's state before the step, by name."""
    state_after: Mapping[str, Any]
    """The environment's state after the step, by name."""
    incidents: Sequence[Any]
    """What went wrong in the step, or was put right."""
    verifications: Sequence[Any]
    """Which effects were checked in the step, and what the checks found."""
    extras: Mapping[str, Any]
    """Anything else, by name."""
    terminated: bool
    """Whether the step brought the episode to an end of its own."""
    truncated: bool
    """Whether the episode was cut off after the step."""
    provided: frozenset[str]
    """The names of the fields that were given."""

    def __init__(
        self,
        step: int = 0,
        *,
        state_before: Mapping[str, Any] | None = None,
        state_after: Mapping[str, Any] | None = None,
        incidents: Sequence[Any] | None = None,
        verifications: Sequence[Any] | None = None,
        extras: Mapping[str, Any] | None = None,
        terminated: bool = False,
        truncated: bool = False,
    ) -> None:
        given = (state_before, state_after, incidents, verifications, extras)
        _set_step(self, step if type(step) is int and step >= 0 else _whole(step))
        _set_state_before(self, _read_only(state_before))
        _set_state_after(self, _read_only(state_after))
        _set_incidents(self, () if incidents is None else _records("incidents", incidents))
        _set_verifications(self, () if verifications is None else _records("verifications", verifications))
        _set_extras(self, _read_only(extras))
        _set_terminated(self, bool(terminated))
        _set_truncated(self, bool(truncated))
        _set_provided(self, _PROVIDED[tuple(value is not None for value in given)])

    @property
    def ends_episode(self) -> bool:
        """Whether it is the last step of the episode, terminated or truncated."""
        return self.terminated or self.truncated

    def ending(self, terminated: bool, truncated: bool) -> StepContext:
        """The same step with these flags."""
        return _restored({**self._members(), "terminated": terminated, "truncated": truncated})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a StepContext cannot change; make a new one with another {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a StepContext cannot change; {name} stays")

    def __repr__(self) -> str:
        given = [f"step={self.step!r}"]
        given += [f"{name}={_plain(getattr(self, name))!r}" for name in PROVIDABLE if name in self.provided]
        given += [f"{name}=True" for name in ("terminated", "truncated") if getattr(self, name)]
        return f"StepContext({', '.join(given)})"

    def __eq__(self, other: object) -> bool:
        return self._members() == other._members() if isinstance(other, StepContext) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # what it holds need not be hashable

    def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {name: _plain(getattr(self, name)) for name in PROVIDABLE if name in self.provided}
        return {"step": self.step, "terminated": self.terminated, "truncated": self.truncated, **members}

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._members(),)


def _restored(members: dict[str, Any]) -> StepContext:
    return StepContext(members.pop("step"), **members)


def _whole(step: Any) -> int:
    """The number of a step that is no plain int, as NumPy's are none."""
    try:
        number = -1 if type(step) is bool else index(step)
    except TypeError:
        raise TypeError(f"a step has a whole number, counted from 0, not {value_spelt(step)}") from None
    if number < 0:
        raise ValueError(f"a step has a whole number, counted from 0, not {value_spelt(step)}")
    return number


def _records(name: str, given: Sequence[Any]) -> tuple[Any, ...]:
    if isinstance(given, (str, bytes, dict)):
        raise TypeError(f"{name} are a sequence of records, not one {type(given).__name__}; put it in a list")
    return tuple(given)


def _read_only(mapping: Mapping[str, Any] | None) -> Mapping[str, Any]:
    # A proxy is copied as well: whoever made it can change what is behind it.
    return NOTHING if mapping is None else MappingProxyType(dict(mapping))


def _plain(value: Any) -> Any:
    return dict(value) if type(value) is MappingProxyType else value


def _setter(name: str) -> Any:
    return StepContext.__dict__[name].__set__  # the slot itself, past __setattr__


_set_step: Final = _setter("step")
_set_state_before: Final = _setter("state_before")
_set_state_after: Final = _setter("state_after")
_set_incidents: Final = _setter("incidents")
_set_verifications: Final = _setter("verifications")
_set_extras: Final = _setter("extras")
_set_terminated: Final = _setter("terminated")
_set_truncated: Final = _setter("truncated")
_set_provided: Final = _setter("provided")

_PROVIDED: Final[dict[tuple[bool, ...], frozenset[str]]] = {
    tuple(bool(bits >> place & 1) for place in range(len(PROVIDABLE))): frozenset(
        name for place, name in enumerate(PROVIDABLE) if bits >> place & 1
    )
    for bits in range(2 ** len(PROVIDABLE))
}


class RewardSignal(NamedTuple):
    """What a component gives for one step; made by ``RewardComponent._signal``."""

    name: str
    """The component's name."""
    value: Any
    """The raw value, in the component's own unit, before clip and weight. The engine judges whether it is a number."""
    detail: Mapping[str, Any] = NOTHING
    """Sub-terms by name, in the same unit; for people, they count in no total."""

    def __reduce__(self) -> tuple[Any, ...]:
        return RewardSignal, (self.name, self.value, dict(self.detail))


class RewardComponent(ABC):
    """Turns one aspect of a step into one number. Subclass it, and ``register`` the subclass.

    Class attributes say the rest:

    ``name``            what messages call it; what it is registered under is the ``type`` in a spec
    ``cadence``         when it is due: Cadence.STEP (left out, it is that) or Cadence.EPISODE_END
    ``reads``           which fields of the StepContext it consumes: some of ``state_before``, ``state_after``,
                        ``incidents``, ``verifications``, ``extras``
    ``clip``            the bounds that its raw value is clipped to if the spec gives none, (low, high), either of
                        them None if that side is unbounded; None for no clip
    ``default_weight``  its weight where the spec says nothing

    ``compute`` gives ``self._signal(value, detail)``: the raw value, in a unit of its own, and sub-terms for people, if
    it has any. A component may keep state between the steps of an episode; it gives that up in ``reset``. Each
    environment that an engine serves has an instance of its own, made without arguments.
    """

    name: ClassVar[str]
    """What messages call it; the name that it is registered under is the spec's ``type``."""
    cadence: ClassVar[Cadence] = Cadence.STEP
    """When it is due."""
    reads: ClassVar[Sequence[str]] = ()
    """Which fields of the StepContext it consumes."""
    clip: ClassVar[Clip | None] = None
    """The bounds that its raw value is clipped to if the spec gives none; None for no clip."""
    default_weight: ClassVar[float] = 1.0
    """Its weight where the spec says nothing."""

    @abstractmethod
    def compute(self, ctx: StepContext) -> RewardSignal:
        """The component's value for a step, by ``self._signal(value)``. Called only at steps at which it is due."""

    def compute_batch(self, batch: StepBatch) -> RewardSignal:
        """The component's values for the steps that many environments take at once. To be overridden; optional.

        A vector environment's wrapper calls it in place of ``compute`` where every component of the spec has it, with
        one instance for all environments: a component that keeps state between steps (one with a ``reset`` of its own)
        is never asked. Returns ``self._signal(values, detail)``: an array of numbers of shape (len(batch),) in the
        component's unit, and an array of that shape for each sub-term. They have to be what ``compute`` gives of each
        step, to the last bit::

            def compute_batch(self, batch):
                return self._signal(np.cos(batch.extras["angle"]))
        """
        raise NotImplementedError(f"{type(self).__name__} computes one step at a time")

    def reset(self) -> None:  # noqa: B027 - most components keep no state
        """Forgets the episode. The engine calls it before each new one."""

    def _signal(self, value: Any, detail: Mapping[str, Any] | None = None) -> RewardSignal:
        """The signal of this component: a finite number, in its own unit, and its sub-terms by name.

        From ``compute_batch`` both are arrays, with a number for each step.
        """
        # Past the named tuple's own constructor, which takes twice the time, at each step for each due component.
        return _new(RewardSignal, (self.name, value, NOTHING if detail is None else MappingProxyType(dict(detail))))


_new: Final = tuple.__new__
