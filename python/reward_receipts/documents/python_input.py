"""Python values as the plain JSON that the schema judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Never

from ..findings import Finding, InvalidDocument, Path, shown
from ..generated.tables import MAX_TEXT_DEPTH
from ..text import MAX_INTEGER


def plain_json(value: Any, path: Path) -> Any:
    """A Python value as plain JSON: enums, numbers and text as such, tuples as arrays, parts of documents as members.

    Raises InvalidDocument for what JSON does not have: NaN, an unpaired surrogate, other types, endless nesting.
    """
    if isinstance(value, str):
        if not value.isascii():
            _require_unicode(value, path)
        return str.__str__(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            _refuse("json.number", "The integer does not fit a double.", path)
        return int.__pos__(value)
    if isinstance(value, float):
        if value - value != 0.0:
            _refuse("json.number", f"{value} is no JSON number; it must be finite.", path)
        return float.__pos__(value)
    if len(path) > MAX_TEXT_DEPTH:
        _refuse("json.depth", f"The value is nested more than {MAX_TEXT_DEPTH} deep.", path)
    part = getattr(type(value), "_plain", None)
    if part is not None:
        return part(value)
    if isinstance(value, Mapping):
        members = {}
        for key, member in value.items():
            if not isinstance(key, str):
                _refuse("schema.type", f"The member name {shown(key)} must be text.", path)
            name = plain_json(key, path)
            members[name] = plain_json(member, (*path, name))
        return members
    if isinstance(value, (list, tuple)):
        return [plain_json(item, (*path, index)) for index, item in enumerate(value)]
    return _refuse("schema.type", f"{type(value).__name__} is no JSON type.", path)


def _require_unicode(text: str, path: Path) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        _refuse("json.surrogate", f"{shown(text)} holds an unpaired surrogate.", path)


def _refuse(code: str, sentence: str, path: Path) -> Never:
    raise InvalidDocument((Finding(code, sentence, path),))
