"""The steps that many environments take at once, as the arrays that ``compute_batch`` of a component reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from .context import StepContext

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Integers = NDArray[np.int64]
else:  # nothing here imports NumPy before an array is made
    Flags = Integers = Any


class Columns(Mapping[str, Any]):
    """A mapping of each of some steps, by name: an array with the value of each step. Made when it is asked for."""

    __slots__ = ("_arrays", "_mappings")

    def __init__(self, mappings: Sequence[Mapping[str, Any]]) -> None:
        self._mappings = mappings
        self._arrays: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """An array of shape (steps, ...). Raises KeyError if the mapping of a step has no such member."""
        import numpy as np

        array = self._arrays.get(name)
        if array is None:
            array = np.array([mapping[name] for mapping in self._mappings])
            array.setflags(write=False)  # the other components get the same one
            self._arrays[name] = array
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._mappings[0])

    def __len__(self) -> int:
        return len(self._mappings[0])


class StepBatch:
    """The steps that some environments take at once, as ``compute_batch`` reads them. Read-only.

    Each provides the same fields. A component that counts only at the episode's end gets those that end.
    """

    __slots__ = ("_columns", "contexts")

    def __init__(self, contexts: Sequence[StepContext]) -> None:
        self.contexts: Final = tuple(contexts)
        """The contexts of the steps, at least one; their number is the length of every array here."""
        self._columns: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.contexts)

    @property
    def provided(self) -> frozenset[str]:
        """The names of the fields that every step provides."""
        return self.contexts[0].provided

    @property
    def step(self) -> Integers:
        """Which step of its episode each is, from 0: shape (steps,)."""
        steps: Integers = self._array("step")
        return steps

    @property
    def terminated(self) -> Flags:
        """Whether each brought its episode to an end of its own: shape (steps,)."""
        flags: Flags = self._array("terminated")
        return flags

    @property
    def truncated(self) -> Flags:
        """Whether the episode of each was cut off after it: shape (steps,)."""
        flags: Flags = self._array("truncated")
        return flags

    @property
    def state_before(self) -> Columns:
        """The state before the steps, by name: arrays whose first axis is the steps."""
        return self._named("state_before")

    @property
    def state_after(self) -> Columns:
        """The state after the steps, by name: arrays whose first axis is the steps."""
        return self._named("state_after")

    @property
    def extras(self) -> Columns:
        """Anything else, by name: arrays whose first axis is the steps."""
        return self._named("extras")

    @property
    def incidents(self) -> tuple[Sequence[Any], ...]:
        """The incidents of each step."""
        return tuple(context.incidents for context in self.contexts)

    @property
    def verifications(self) -> tuple[Sequence[Any], ...]:
        """The verifications of each step."""
        return tuple(context.verifications for context in self.contexts)

    def _array(self, name: str) -> Any:
        import numpy as np

        if name not in self._columns:
            array = np.array([*map(attrgetter(name), self.contexts)])
            array.setflags(write=False)
            self._columns[name] = array
        return self._columns[name]

    def _named(self, name: str) -> Columns:
        if name not in self._columns:
            self._columns[name] = Columns([*map(attrgetter(name), self.contexts)])
        return self._columns[name]  # type: ignore[no-any-return]
