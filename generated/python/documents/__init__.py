"""Written by python scripts/generate from the schemas.

``models`` is loaded when it is first used: the bases of its classes, which it imports, name these classes in their
annotations.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import models as models


def __getattr__(name: str) -> Any:
    if name != "models":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.models")
