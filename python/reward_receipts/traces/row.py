"""A row of a trace: plain JSON with all members of the schema, checked before it is written or given to a reader.

The schema decides what is valid. Since a run has a row at each step, and most rows differ from the one before in
numbers only, a row of known names and texts is checked here without it (``is_known``).
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from copy import copy
from math import isfinite
from typing import Any, Final

from ..core.findings import InvalidDocument
from ..core.frozen import FrozenDict
from ..core.generated.vocabulary import ZeroReason
from ..documents.python_input import plain_json
from ..validation.check import check
from .columns import COLUMNS, SCHEMA_VERSION, Column, members_of

Row = dict[str, Any]
"""A row of a trace: all members of schemas/reward-trace-row.schema.json, in its order, as plain JSON."""

SKIPPED: Final = ZeroReason.SKIPPED.value
"""The reason of a term that was not due."""
_MAPPINGS: Final = frozenset((dict, FrozenDict))
_MAX_KNOWN: Final = 10_000
"""The most texts, and the most tuples of names, that are remembered for a column."""


class _Unknown(Exception):
    """A value that the schema has to decide on."""


def valid_row(row: Any) -> Row:
    """A row as plain JSON, a copy with all defaults. Raises InvalidDocument, with every finding."""
    if is_known(row):
        return copied(row)
    plain = plain_json(plain_numbers(row), ())
    findings = check("trace-row", plain)
    if findings:
        raise InvalidDocument(findings)
    columns = {name: reader.complete(plain[name]) for name, reader in _READERS.items() if name in plain}
    defaults = {name: copy(column.default) for name, column in COLUMNS.items() if name not in plain}
    columns.update(defaults)
    return {"schema_version": SCHEMA_VERSION, **{name: columns[name] for name in COLUMNS}}


def is_known(row: Any) -> bool:
    """Whether a row has all members, and only names and texts that the schema accepted before.

    Such a row is valid. Of any other one that is not certain: ``valid_row`` asks the schema.
    """
    try:
        if len(row) != len(_MEMBERS) or row["schema_version"] != SCHEMA_VERSION:
            return False
        for name, require in _KNOWN:
            require(row[name])
    except (_Unknown, LookupError, TypeError, AttributeError):  # a member that is missing, or of another type
        return False
    return True


def copied(row: Row) -> Row:
    """A copy of a valid row, in the schema's order, that shares nothing with it that can change."""
    return {name: _plain(row[name]) for name in _MEMBERS}


def _plain(value: Any) -> Any:
    return {name: _plain(member) for name, member in value.items()} if type(value) in _MAPPINGS else value


def without_skipped(row: Row) -> None:
    """Leaves out the contributions of terms that were not due.

    ``info`` has every term at every step, with 0.0 for one that was not due; a row leaves it out. A contribution other
    than 0 stays, so that whoever adds them up finds it.
    """
    skipped = [name for name, term in row["reward_detail"].items() if term["zero"] == SKIPPED]
    if skipped:
        row["reward_components"] = {
            name: value for name, value in row["reward_components"].items() if value != 0.0 or name not in skipped
        }


def ends(row: Row) -> bool:
    """Whether the row ends its episode."""
    return bool(row["terminated"] or row["truncated"])


class _Reader:
    """Checks and reads the values of one column; a class for each type.

    ``require`` raises _Unknown, LookupError or TypeError for a value that is not certain to be valid; ``require_all``
    does so for many values at once, in fewer calls. ``complete`` copies a value that the schema accepted, with defaults
    and with numbers as the column's type, and remembers its names and texts.
    """

    def __init__(self, column: Column) -> None:
        self.default = column.default
        self.nullable = column.nullable

    def require(self, value: Any) -> None:
        self.require_all((value,))

    def require_all(self, values: Sequence[Any]) -> None:
        for value in values:
            self.require(value)

    def complete(self, value: Any) -> Any:
        return value


class _Integer(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        self._maximum = column.maximum or 0

    def require(self, value: Any) -> None:
        if not (type(value) is int and 0 <= value <= self._maximum) and not (value is None and self.nullable):
            raise _Unknown

    def complete(self, value: Any) -> Any:
        return None if value is None else int(value)


class _Number(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        self._types = {float, type(None)} if column.nullable else {float}

    def require(self, value: Any) -> None:
        if not (type(value) is float and value - value == 0.0) and not (value is None and self.nullable):
            raise _Unknown

    def require_all(self, values: Sequence[Any]) -> None:
        if not self._types.issuperset(map(type, values)) or not _are_finite([*filter(None, values)]):
            raise _Unknown

    def complete(self, value: Any) -> Any:
        return None if value is None else float(value)


class _Boolean(_Reader):
    def require(self, value: Any) -> None:
        if type(value) is not bool and not (value is None and self.nullable):
            raise _Unknown


class _Text(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        self._types = {str, type(None)} if column.nullable else {str}
        self._texts: set[str | None] = {*(column.words or ()), *([None] if column.nullable else ())}

    def require(self, value: Any) -> None:
        if type(value) not in self._types or value not in self._texts:
            raise _Unknown

    def require_all(self, values: Sequence[Any]) -> None:
        if not self._types.issuperset(map(type, values)) or not self._texts.issuperset(values):
            raise _Unknown

    def complete(self, value: Any) -> Any:
        if len(self._texts) < _MAX_KNOWN:
            self._texts.add(value)
        return value


class _Map(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        assert column.values is not None
        self._values = _reader(column.values)
        self._names: set[tuple[str, ...]] = {()}

    def require_all(self, values: Sequence[Any]) -> None:
        if not _MAPPINGS.issuperset(map(type, values)):
            raise _Unknown  # null among them too: the schema decides
        if not any(values):  # few components have sub-terms
            return
        if not self._names.issuperset(map(tuple, values)):
            raise _Unknown
        self._values.require_all([member for each in values for _, member in each.items()])

    def complete(self, value: Any) -> Any:
        if value is None:
            return None
        if len(self._names) < _MAX_KNOWN:
            self._names.add(tuple(value))
        return {name: self._values.complete(each) for name, each in value.items()}


class _Object(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        self._members = {name: _reader(member) for name, member in (column.members or {}).items()}
        self._take = members_of(column)

    def require_all(self, values: Sequence[Any]) -> None:
        if not _MAPPINGS.issuperset(map(type, values)) or not {len(self._members)}.issuperset(map(len, values)):
            raise _Unknown  # null among them too: the schema decides
        for reader, members in zip(self._members.values(), zip(*map(self._take, values), strict=True), strict=False):
            reader.require_all(members)

    def complete(self, value: Any) -> Any:
        if value is None:
            return None
        return {
            name: reader.complete(value[name]) if name in value else copy(reader.default)
            for name, reader in self._members.items()
        }


def _reader(column: Column) -> _Reader:
    readers = {
        "integer": _Integer,
        "number": _Number,
        "boolean": _Boolean,
        "string": _Text,
        "map": _Map,
        "object": _Object,
    }
    return readers[column.type](column)


def _are_finite(values: list[float]) -> bool:
    """Whether all of them are finite. If their sum is, they are; the sum of finite ones can overflow."""
    return isfinite(sum(values)) or all(map(isfinite, values))


_READERS: Final = {name: _reader(column) for name, column in COLUMNS.items()}
_KNOWN: Final = [(name, reader.require) for name, reader in _READERS.items()]
_MEMBERS: Final = ("schema_version", *COLUMNS)


def plain_numbers(value: Any) -> Any:
    """A value with NumPy's numbers and arrays, and what else is a real number, as Python's."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {name: plain_numbers(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_numbers(item) for item in value]
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return plain_numbers(value.tolist())
    if isinstance(value, numbers.Real):
        try:
            return float(value)
        except OverflowError:
            return value
    return value
