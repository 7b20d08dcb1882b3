"""JSON documents whose numbers keep their spelling, and edits of them.

An edit is a tree in the shape of the document. A text in it is the JSON text of the new value, false takes the member
away, a tree goes on inside; in an array the keys are indexes.
"""

from __future__ import annotations

import copy
import json
from typing import Any


class Number(str):
    """A number as it is spelled."""

    __slots__ = ()

    @property
    def exact(self) -> bool:
        """Whether it is spelled as an integer."""
        return not any(mark in self for mark in ".eE")


def parse(text: str) -> Any:
    """The value of a JSON text; its numbers are Number."""
    return json.loads(text, parse_int=Number, parse_float=Number)


def write(value: Any) -> str:
    """The text of a value, without white space, its members in their order."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{write(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    return json.dumps(value)


def edited(value: Any, edit: dict[str, Any]) -> Any:
    """A copy of a value with an edit made to it. Raises KeyError for a member to remove that is not there."""
    value = copy.copy(value)
    for step, new in edit.items():
        key: Any = int(step) if isinstance(value, list) else step
        if new is False:
            del value[key]
        elif isinstance(new, dict):
            value[key] = edited(value[key], new)
        else:
            value[key] = parse(new)
    return value


def described(edit: dict[str, Any], inside: str = "") -> str:
    """An edit in words: ``oracle_tier 4, without nonce``."""
    parts = []
    for step, new in edit.items():
        path = f"{inside}{'certified (synthetic)' if step == 'certified' else step}"
        if isinstance(new, dict):
            parts.append(described(new, path + "/"))
        else:
            parts.append(f"without {path}" if new is False else f"{path} {new}")
    return ", ".join(parts)


def nested(path: str, leaf: Any) -> dict[str, Any]:
    """The edit that puts a leaf at a path like ``oracle/channel``."""
    for step in reversed(path.split("/")):
        leaf = {step: leaf}
    edit: dict[str, Any] = leaf
    return edit
