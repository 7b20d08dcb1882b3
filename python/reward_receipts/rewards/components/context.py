"""What happened in one step, as an environment describes it: the input of every component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import index
from types import MappingProxyType
from typing import Any, Final

from ...core.foreign import quote_repr

PROVIDABLE: Final = ("state_before", "state_after", "incidents", "verifications", "extras")
"""The fields of a StepContext that an environment can provide, and that ``reads`` can name."""

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""The mapping that stands for what was not given."""


@dataclass(frozen=True, init=False, repr=False)
class StepContext:
    """The read-only slice of what one step did, as an environment describes it.

    What is left out (None) is not provided; it reads as empty. What is given, even empty, is provided. Mappings and
    sequences are copied, what is in them is not.

    Raises ValueError for a step below 0 or a bool, and TypeError for one that is not a whole number and for incidents
    or verifications that are one text or one mapping, where a sequence of records is expected.
    """

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
        self.__dict__.update(  # all at once: frozen dataclasses set one by one, in twice the time
            step=step if type(step) is int and step >= 0 else _whole(step),
            state_before=_read_only(state_before),
            state_after=_read_only(state_after),
            incidents=() if incidents is None else _records("incidents", incidents),
            verifications=() if verifications is None else _records("verifications", verifications),
            extras=_read_only(extras),
            terminated=bool(terminated),
            truncated=bool(truncated),
            provided=frozenset([name for name, value in zip(PROVIDABLE, given, strict=True) if value is not None]),
        )

    __hash__ = None  # type: ignore[assignment]  # what it holds need not be hashable

    @property
    def ends_episode(self) -> bool:
        """Whether it is the last step of the episode, terminated or truncated."""
        return self.terminated or self.truncated

    def ending(self, terminated: bool, truncated: bool) -> StepContext:
        """The same step with these flags."""
        return _restored({**self._members(), "terminated": terminated, "truncated": truncated})

    def __repr__(self) -> str:
        given = [f"step={self.step!r}"]
        given += [f"{name}={_plain(getattr(self, name))!r}" for name in PROVIDABLE if name in self.provided]
        given += [f"{name}=True" for name in ("terminated", "truncated") if getattr(self, name)]
        return f"StepContext({', '.join(given)})"

    def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {name: _plain(getattr(self, name)) for name in PROVIDABLE if name in self.provided}
        return {"step": self.step, "terminated": self.terminated, "truncated": self.truncated, **members}

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._members(),)


def _restored(members: dict[str, Any]) -> StepContext:
    return StepContext(members.pop("step"), **members)


def _whole(step: Any) -> int:
    """The number of a step that is not a plain int, as NumPy's are none."""
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
