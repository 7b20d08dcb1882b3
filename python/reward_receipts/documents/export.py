"""How a checked member of a document goes out: as canonical text, and as plain JSON.

The general form of the first is ``canonical.canonical_json_bytes``; that the two agree is a property of the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from json.encoder import encode_basestring_ascii
from types import NoneType
from typing import Any, Final

from ..core.frozen import FrozenMap


def canonical_texts(values: tuple[Any, ...]) -> tuple[str, ...]:
    """The canonical texts of checked members."""
    try:
        return tuple([_ENCODERS[type(value)](value) for value in values])
    except KeyError:  # a type that did not come before
        for value in values:
            if type(value) not in _ENCODERS:
                _ENCODERS[type(value)] = _encoder(type(value))
        return tuple([_ENCODERS[type(value)](value) for value in values])


def _encoder(kind: type) -> Callable[[Any], str]:
    """An enum is encoded as its values are; a part of a document has a text of its own."""
    if issubclass(kind, Enum):
        return dict(zip(kind, canonical_texts(tuple(member.value for member in kind)), strict=True)).__getitem__
    encoder: Callable[[Any], str] = kind._canonical_text  # type: ignore[attr-defined]
    return encoder


def _array(items: tuple[Any, ...]) -> str:
    return "[" + ",".join(canonical_texts(items)) + "]"


def _map(members: FrozenMap[Any]) -> str:
    try:
        texts = [f"{encode_basestring_ascii(name)}:{_ENCODERS[type(value)](value)}" for name, value in members.items()]
    except KeyError:  # a type that did not come before
        canonical_texts(tuple(members.values()))
        return _map(members)
    return "{" + ",".join(texts) + "}"


_ENCODERS: Final[dict[type, Callable[[Any], str]]] = {
    str: encode_basestring_ascii,
    bool: {True: "true", False: "false"}.__getitem__,
    int: int.__repr__,
    float: float.__repr__,
    NoneType: {None: "null"}.__getitem__,
    tuple: _array,
    FrozenMap: _map,
}


def plain_member(value: Any) -> Any:
    """A member as plain JSON, its containers new ones."""
    if isinstance(value, Enum):
        return value.value
    if type(value) is tuple:
        return [plain_member(item) for item in value]
    if type(value) is FrozenMap:
        return {name: plain_member(member) for name, member in value.items()}
    part = getattr(type(value), "_plain", None)
    return value if part is None else part(value)
