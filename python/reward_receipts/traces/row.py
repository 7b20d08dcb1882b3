"""A row of a trace: plain JSON with all members of the schema, checked before it is written or given to a reader.

The schema decides what is valid. Since a run has a row at each step, and most rows differ from the one before in
numbers only, a row of known names and texts is checked here without it (``known_row``).
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from copy import copy
from math import isfinite
from typing import Any, Final

from ..core.findings import InvalidDocument
from ..core.frozen import FrozenDict
from ..core.generated.vocabulary import ZeroReason
from ..documents.python_input import plain_json
from ..validation.check import check
from .columns import COLUMNS, SCHEMA_VERSION, Column

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
    known = known_row(row)
    if known is not None:
        return known
    plain = plain_json(plain_numbers(row), ())
    findings = check("trace-row", plain)
    if findings:
        raise InvalidDocument(findings)
    columns = {name: reader.complete(plain[name]) for name, reader in _READERS.items() if name in plain}
    defaults = {name: copy(column.default) for name, column in COLUMNS.items() if name not in plain}
    columns.update(defaults)
    return {"schema_version": SCHEMA_VERSION, **{name: columns[name] for name in COLUMNS}}


def known_row(row: Any) -> Row | None:
    """A copy of a row that has all members, and only names and texts that the schema accepted before.

    None if it is not certain to be valid: ``valid_row`` then asks the schema.
    """
    try:
        if len(row) != len(_MEMBERS) or row["schema_version"] != SCHEMA_VERSION:
            return None
        return {"schema_version": SCHEMA_VERSION, **{name: known(row[name]) for name, known in _KNOWN}}
    except (_Unknown, LookupError, TypeError, AttributeError):  # a member that is missing, or of another type
        return None


def without_skipped(row: Row) -> None:
    """Leaves out the contributions of terms that were not due.

    ``info`` has every term at every step, with 0.0 for one that was not due; a row leaves it out. A contribution other
    than 0 stays, so that whoever adds them up finds it.
    """
    components = row["reward_components"]
    for name, term in row["reward_detail"].items():
        if term["zero"] == SKIPPED and components.get(name) == 0.0:
            del components[name]


def ends(row: Row) -> bool:
    """Whether the row ends its episode."""
    return bool(row["terminated"] or row["truncated"])


class _Reader:
    """Reads the values of one column; a class for each type.

    ``known`` copies a value that is certain to be valid and raises _Unknown, LookupError or TypeError for all others;
    ``known_all`` does so for the values of a map at once, in fewer calls. ``complete`` copies a value that the schema
    accepted, with defaults and with numbers as the column's type, and remembers its names and texts.
    """

    def __init__(self, column: Column) -> None:
        self.default = column.default
        self.is_scalar = column.type not in ("map", "object")
        self.nullable = column.nullable

    def known(self, value: Any) -> Any:
        if value is None and self.nullable:
            return None
        raise _Unknown

    def known_all(self, values: list[Any]) -> list[Any]:
        return [self.known(value) for value in values]

    def complete(self, value: Any) -> Any:
        return value


class _Integer(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        self._maximum = column.maximum or 0

    def known(self, value: Any) -> Any:
        return value if type(value) is int and 0 <= value <= self._maximum else super().known(value)

    def complete(self, value: Any) -> Any:
        return None if value is None else int(value)


class _Number(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        self._types = {float, type(None)} if column.nullable else {float}

    def known(self, value: Any) -> Any:
        return value if type(value) is float and value - value == 0.0 else super().known(value)

    def known_all(self, values: list[Any]) -> list[Any]:
        if not self._types.issuperset(map(type, values)) or not _are_finite([*filter(None, values)]):
            raise _Unknown
        return values

    def complete(self, value: Any) -> Any:
        return None if value is None else float(value)


class _Boolean(_Reader):
    def known(self, value: Any) -> Any:
        return value if type(value) is bool else super().known(value)


class _Text(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        self._types = {str, type(None)}
        self._texts: dict[str | None, str | None] = {word: word for word in column.words or ()}
        if column.nullable:
            self._texts[None] = None

    def known(self, value: Any) -> Any:
        if type(value) in self._types:
            return self._texts[value]
        raise _Unknown

    def known_all(self, values: list[Any]) -> list[Any]:
        if not self._types.issuperset(map(type, values)):
            raise _Unknown
        return [self._texts[value] for value in values]

    def complete(self, value: Any) -> Any:
        if len(self._texts) < _MAX_KNOWN:
            self._texts[value] = value
        return value


class _Map(_Reader):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        assert column.values is not None
        self._values = _reader(column.values)
        self._names: set[tuple[str, ...]] = {()}

    def known(self, value: Any) -> Any:
        return super().known(value) if value is None else self.known_all([value])[0]

    def known_all(self, values: list[Any]) -> list[Any]:
        if not _MAPPINGS.issuperset(map(type, values)):
            raise _Unknown  # null among them too: the schema decides
        if not any(values):  # few components have sub-terms
            return [{} for _ in values]
        if not self._names.issuperset(map(tuple, values)):
            raise _Unknown
        members = self._values.known_all([member for each in values for _, member in each.items()])
        if self._values.is_scalar:
            return [each.copy() for each in values]
        rest = iter(members)
        return [dict(zip(each, rest, strict=False)) for each in values]  # each takes as many as it has names

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
        self._names = tuple(self._members)

    def known(self, value: Any) -> Any:
        return super().known(value) if value is None else self.known_all([value])[0]

    def known_all(self, values: list[Any]) -> list[Any]:
        if not _MAPPINGS.issuperset(map(type, values)) or {*map(tuple, values)} != {self._names}:
            raise _Unknown  # null among them too: the schema decides
        copies = [each.copy() for each in values]
        for name, reader in self._members.items():
            members = reader.known_all([each[name] for each in copies])
            if not reader.is_scalar:
                for each, member in zip(copies, members, strict=True):
                    each[name] = member
        return copies

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
_KNOWN: Final = [(name, reader.known) for name, reader in _READERS.items()]
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
