"""Rows on their way into Arrow, as flat lists: one for each scalar column, however deep it is.

Arrow could take the rows themselves. That costs several times as much, and until then the garbage collector would walk
every object of every row; it does not walk numbers and texts in a list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Final

from .columns import COLUMNS, Column, arrow_schema, arrow_type, members_of
from .row import Row


class Arrays:
    """Rows that were checked, held until ``take`` makes a record batch of them."""

    def __init__(self, arrow: Any) -> None:
        self._arrow = arrow
        self._schema: Final = arrow_schema(arrow)
        self._length = 0
        self._columns: Final = {name: _values(arrow, column) for name, column in COLUMNS.items()}
        self._appends: Final = [(name, values.append) for name, values in self._columns.items()]

    def __len__(self) -> int:
        """The number of rows."""
        return self._length

    def append(self, row: Row) -> None:
        """Adds a row. Nothing of it is kept that can change."""
        for name, append in self._appends:
            append(row[name])
        self._length += 1

    def take(self) -> Any:
        """The rows as a record batch. None are held afterwards."""
        arrays = [each.take() for each in self._columns.values()]
        batch = self._arrow.RecordBatch.from_arrays(arrays, schema=self._schema)
        self._length = 0
        return batch


class _Values(ABC):
    """The values of a column, or of what is inside one."""

    def __init__(self, arrow: Any, column: Column) -> None:
        self._arrow = arrow
        self._type = arrow_type(arrow, column)

    def append(self, value: Any) -> None:
        """Adds a value."""
        self.extend((value,))

    @abstractmethod
    def extend(self, values: Iterable[Any]) -> None:
        """Adds values."""

    @abstractmethod
    def take(self) -> Any:
        """The values as an Arrow array. None are held afterwards."""


class _Scalars(_Values):
    def __init__(self, arrow: Any, column: Column) -> None:
        super().__init__(arrow, column)
        self._values: list[Any] = []
        self.append = self._values.append  # type: ignore[assignment,method-assign]  # one call less for each value
        self.extend = self._values.extend  # type: ignore[assignment,method-assign]

    def extend(self, values: Iterable[Any]) -> None:
        self._values.extend(values)

    def take(self) -> Any:
        array = self._arrow.array(self._values, self._type)
        self._values.clear()
        return array


class _Maps(_Values):
    def __init__(self, arrow: Any, column: Column) -> None:
        super().__init__(arrow, column)
        assert column.values is not None
        self._starts: list[int | None] = []  # of each map among the members of all; None for null
        self._names: list[str] = []
        self._members = _values(arrow, column.values)

    def extend(self, values: Iterable[Mapping[str, Any] | None]) -> None:
        for value in values:
            self._starts.append(None if value is None else len(self._names))
            if value:
                self._names.extend(value)
                self._members.extend(value.values())

    def take(self) -> Any:
        starts = self._arrow.array([*self._starts, len(self._names)], self._arrow.int32())
        names = self._arrow.array(self._names, self._arrow.string())
        self._starts.clear()
        self._names.clear()
        return self._arrow.MapArray.from_arrays(starts, names, self._members.take())


class _Objects(_Values):
    def __init__(self, arrow: Any, column: Column) -> None:
        super().__init__(arrow, column)
        self._members = {name: _values(arrow, member) for name, member in (column.members or {}).items()}
        self._take = members_of(column)
        self._absent = (None,) * len(self._members)
        self._null: list[bool] = []

    def extend(self, values: Iterable[Mapping[str, Any] | None]) -> None:
        objects = [self._absent if each is None else self._take(each) for each in values]
        self._null += [each is self._absent for each in objects]
        for column, members in zip(self._members.values(), zip(*objects, strict=True), strict=False):
            column.extend(members)

    def take(self) -> Any:
        null = self._arrow.array(self._null, self._arrow.bool_())
        self._null.clear()
        members = [each.take() for each in self._members.values()]
        return self._arrow.StructArray.from_arrays(members, fields=[*self._type], mask=null)


def _values(arrow: Any, column: Column) -> _Values:
    kinds = {"map": _Maps, "object": _Objects}
    return kinds.get(column.type, _Scalars)(arrow, column)
