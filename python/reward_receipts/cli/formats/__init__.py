"""The formats of results, one module each. ``Format`` has their names, and ``writer_of`` imports what writes one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from .writer import ResultWriter

Format = Literal["text", "json", "jsonl", "junit", "github"]
"""The output formats of a command that reports on documents. The class ``Writer`` of the module of a format's name
writes it."""


def writer_of(form: Format) -> type[ResultWriter]:
    """The class that writes a format."""
    return cast("type[ResultWriter]", import_module(f".{form}", __name__).Writer)
