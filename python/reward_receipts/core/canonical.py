"""The canonical form of a JSON value, and the digest over it: the bytes that every language must agree on."""

from __future__ import annotations

import hashlib
import json
import numbers
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any, Final

from .generated.tables import MAX_TEXT_DEPTH
from .numbers import plain_boolean, plain_integer
from .pointer import Path, json_pointer

_encode: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, sort_keys=True, allow_nan=False).encode


def canonical_json_bytes(value: Any) -> bytes:
    """The canonical bytes of a plain JSON value or of a document.

    Members are sorted by code point, text is ASCII, ints are exact and floats are doubles: ``1`` and ``1.0`` differ.
    An enum of text or integers stands for its value, so ``model_dump()`` of a document has the document's bytes.
    Raises TypeError for a value or a key that JSON does not have; ValueError for NaN, an infinity, an unpaired
    surrogate, and a value that holds itself or is nested more than 64 deep; pydantic's ValidationError for a document
    that does not hold its rules.
    """
    canonical_text = getattr(type(value), "_canonical_text", None)  # a document, or a part of one
    if canonical_text is not None:
        text: str = canonical_text(value)
        return text.encode("ascii")
    _require_json(value, (), set())
    return _encode(value).encode("ascii")


def checked_canonical_text(value: Any) -> str:
    """The canonical text of a plain JSON value that a schema has accepted: nothing is checked again."""
    return _encode(value)


def sha256_digest(data: bytes) -> str:
    """``sha256:`` and the lower-case hex of the SHA-256 of bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def _require_json(value: Any, path: Path, above: set[int]) -> None:
    kind: type = type(value)
    if isinstance(value, Enum) and isinstance(value, (str, int)):
        value = value.value
        kind = type(value)
    if kind is str:
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise ValueError(f"{_at(path)}: the text holds an unpaired surrogate") from None
    elif kind is float:
        if value - value != 0.0:
            raise ValueError(f"{_at(path)}: {value} is not a JSON number")
    elif value is None or kind is bool or kind is int:
        pass
    elif isinstance(value, (dict, list, tuple)):
        if len(above) >= MAX_TEXT_DEPTH:
            raise ValueError(f"{_at(path)}: more than {MAX_TEXT_DEPTH} containers are open")
        if id(value) in above:
            raise ValueError(f"{_at(path)}: the value holds itself")
        above.add(id(value))
        if isinstance(value, Mapping):
            for key, member in value.items():
                if type(key) is not str:
                    raise TypeError(f"{_at(path)}: a member name is str, not {type(key).__name__}")
                _require_json(key, path, above)
                _require_json(member, (*path, key), above)
        else:
            for index, item in enumerate(value):
                _require_json(item, (*path, index), above)
        above.remove(id(value))
    else:
        raise TypeError(f"{_at(path)}: {_named(kind)} is not a plain JSON value{_conversion(value)}")


def _named(kind: type) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _conversion(value: Any) -> str:
    """How to make a plain value of a scalar of another package; "" if that is not clear."""
    boolean = plain_boolean(value)
    if boolean is not None:
        return f"; write bool(...), which is {boolean}"
    integer = plain_integer(value)
    if integer is not None:
        return f"; write int(...), which is {integer}"
    return "; write float(...)" if isinstance(value, (numbers.Real, Decimal)) else ""


def _at(path: Path) -> str:
    return json_pointer(path) or "(value)"
