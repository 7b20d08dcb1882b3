"""How a checked member of a document goes out: as canonical text, and as plain JSON.

The general form of the first is ``canonical.canonical_json_bytes``; that the two agree is a property of the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from json.encoder import encode_basestring_ascii
from types import NoneType
from typing import Any, Final

from ..frozen import FrozenMap


class _Encoders(dict[type, Callable[[Any], str]]):
    """Encoders by exact type. An enum has that of its values, a part of a document its own text."""

    def __missing__(self, kind: type) -> Callable[[Any], str]:
        if issubclass(kind, Enum):
            encoder: Callable[[Any], str] = {m: self[type(m.value)](m.value) for m in kind}.__getitem__
        else:
            encoder = kind._canonical_text  # type: ignore[attr-defined]
        self[kind] = encoder
        return encoder


def _array(items: tuple[Any, ...]) -> str:
    return "[" + ",".join([ENCODERS[type(item)](item) for item in items]) + "]"


def _map(members: FrozenMap[float]) -> str:
    pairs = [f"{encode_basestring_ascii(key)}:{ENCODERS[type(value)](value)}" for key, value in members.items()]
    return "{" + ",".join(pairs) + "}"


ENCODERS: Final = _Encoders(
    {
        str: encode_basestring_ascii,
        bool: {True: "true", False: "false"}.__getitem__,
        int: int.__repr__,
        float: float.__repr__,
        NoneType: {None: "null"}.__getitem__,
        tuple: _array,
        FrozenMap: _map,
    }
)
"""What gives the canonical text of a member, by the member's type."""


def plain_member(value: Any) -> Any:
    """A member as plain JSON, its containers new ones."""
    if isinstance(value, Enum):
        return value.value
    if type(value) is tuple:
        return [plain_member(item) for item in value]
    if type(value) is FrozenMap:
        return dict(value.items())
    part = getattr(type(value), "_plain", None)
    return value if part is None else part(value)
