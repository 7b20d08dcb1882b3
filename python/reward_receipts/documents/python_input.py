"""Python values as the plain JSON that the schema validates."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Never

from ..core.codes import sentence
from ..core.findings import Finding, InvalidDocument, shown
from ..core.foreign import describe_error
from ..core.generated.tables import MAX_TEXT_DEPTH
from ..core.numbers import plain_boolean, plain_double, plain_integer
from ..core.pointer import Path
from ..core.strict_json import MAX_INTEGER


def plain_json(value: Any, path: Path) -> Any:
    """A Python value as plain JSON.

    Enums, text and numbers become what JSON has for them, NumPy's scalars and a Decimal that is exactly a double
    included; a mapping becomes an object, a sequence an array, and a part of a document its members.

    Raises InvalidDocument for a value that JSON does not have: NaN, an unpaired surrogate, another type, nesting
    without end. The sentence of another type says how to convert it.
    """
    if isinstance(value, str):
        if not value.isascii():
            _require_unicode(value, path)
        return str.__str__(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _integer(int.__pos__(value), path)
    if isinstance(value, float):
        return _double(float.__pos__(value), path)
    if len(path) > MAX_TEXT_DEPTH:
        _refuse("json.depth", sentence("json.depth", limit=MAX_TEXT_DEPTH), path)
    part = getattr(type(value), "_plain", None)
    if part is not None:
        return part(value)
    if isinstance(value, Mapping):
        members = {}
        for key, member in _items(value, path):
            if not isinstance(key, str):
                _refuse("schema.type", f"The member name {shown(key)} must be text.", path)
            name = plain_json(key, path)
            members[name] = plain_json(member, (*path, name))
        return members
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [plain_json(item, (*path, place)) for place, item in enumerate(_items_of_array(value, path))]
    return _foreign(value, path)


def _items(value: Mapping[Any, Any], path: Path) -> list[tuple[Any, Any]]:
    try:
        return list(value.items())
    except Exception as error:  # a container of another package can fail to give a member: OmegaConf's ???
        return _refuse("schema.type", f"{_named(value)} cannot be read: {describe_error(error)}", path)


def _items_of_array(value: Sequence[Any], path: Path) -> list[Any]:
    try:
        return list(value)
    except Exception as error:  # as above
        return _refuse("schema.type", f"{_named(value)} cannot be read: {describe_error(error)}", path)


def _foreign(value: Any, path: Path) -> Any:
    """A scalar that another package made, or a refusal that says how to convert the value."""
    boolean = plain_boolean(value)
    if boolean is not None:
        return boolean
    if not isinstance(value, (numbers.Real, Decimal)) or isinstance(value, numbers.Integral):
        integer = plain_integer(value)
        if integer is not None:
            return _integer(integer, path)
    try:
        double = plain_double(value)
    except OverflowError:
        _refuse("json.number", sentence("json.number", found=f"of type {_named(value)}"), path)
    if double is not None:
        return _double(double, path)
    if isinstance(value, Decimal):
        what = f"Decimal('{value}') is not exactly a double; convert it with float(), which rounds it."
        return _refuse("schema.type", what, path)
    return _refuse("schema.type", f"{_named(value)} is not a JSON type{_conversion(value)}.", path)


def _integer(value: int, path: Path) -> int:
    if not -MAX_INTEGER <= value <= MAX_INTEGER:
        _refuse("json.number", sentence("json.number", found=f"of {value.bit_length()} bits"), path)
    return value


def _double(value: float, path: Path) -> float:
    if value - value != 0.0:
        _refuse("json.number", sentence("json.number", found=shown(value)), path)
    return value


def _named(value: object) -> str:
    """The name of a value's type, with its module if that is not Python's own: ``numpy.ndarray``."""
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _conversion(value: Any) -> str:
    """How to make plain JSON of a value; "" if there is no usual way."""
    if hasattr(type(value), "tolist"):
        return "; convert it with .tolist()"
    if hasattr(type(value), "model_dump"):
        return "; convert it with .model_dump(), or read it with model_validate(value, from_attributes=True)"
    if hasattr(type(value), "__dataclass_fields__"):
        return "; convert it with dataclasses.asdict()"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "; decode it, or give the whole text to model_validate_json()"
    if hasattr(type(value), "__iter__"):
        return "; convert it with list()"
    return ""


def _require_unicode(text: str, path: Path) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        _refuse("json.surrogate", sentence("json.surrogate", found=f"\\u{ord(text[error.start]):04x}"), path)


def _refuse(code: str, found: str, path: Path) -> Never:
    raise InvalidDocument((Finding(code, found, path),))
