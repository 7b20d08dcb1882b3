"""A case of the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its one right answer."""

    id: str
    operation: str
    layer: str
    level: str
    """``required`` or ``recommended``."""
    kind: str | None
    """The kind of document, where the caller names it."""
    section: str
    """The section of the specification."""
    sentence: str
    """What the case holds an implementation to."""
    about: str | None
    """The rule or code that it is about."""
    base: str | None
    """The valid document that it was made of, and by which one edit."""
    edit: str | None
    input: Mapping[str, bytes | None]
    """The documents, as exact bytes, by name."""
    arguments: Mapping[str, Any]
    expect: Mapping[str, Any]

    @property
    def accepts(self) -> bool | None:
        """Whether the right answer is to accept the document; None for what neither accepts nor refuses."""
        if self.operation == "verify":
            return bool(self.expect["verdict"] == "valid")
        valid: bool | None = self.expect.get("valid")
        return valid
