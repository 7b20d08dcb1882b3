"""Places in a JSON value: paths, and JSON pointers (RFC 6901).

The generator uses this module, so it imports nothing that is generated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .redaction import redacted

Path = tuple[str | int, ...]
"""A place in a JSON value: member names and array indexes from the root."""


def json_pointer(path: Path) -> str:
    """The JSON pointer (RFC 6901) of a path. A member name that could be a private key is not quoted."""
    return "".join([f"/{escaped_step(redacted(str(step)))}" for step in path])


def escaped_step(step: str | int) -> str:
    """A member name or an index as JSON pointers spell it."""
    return str(step).replace("~", "~0").replace("/", "~1")


def member_at(value: Any, path: Path) -> Any:
    """The value at a path in a value; None if there is none. Names lead into objects only, indexes into arrays only."""
    for step in path:
        if isinstance(value, Mapping) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, (list, tuple)) and type(step) is int and step < len(value):
            value = value[step]
        else:
            return None
    return value
