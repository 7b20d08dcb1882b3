"""What happened in one step, as an environment describes it: the input of every component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, Final

from ...core.foreign import quote_repr

PROVIDABLE: Final = ("state_before", "state_after", "incidents", "verifications", "extras")
"""The fields of a StepContext that an environment can provide, and that ``reads`` can name."""

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""The mapping that stands for what was not given."""


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
        raise TypeError(f"a step has a whole number, counted from 0, not {quote_repr(step)}") from None
    if number < 0:
        raise ValueError(f"a step has a whole number, counted from 0, not {quote_repr(step)}")
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
