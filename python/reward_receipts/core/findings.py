"""What is wrong with a document, and where: the finding, and the errors that carry findings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .escaping import printable_line
from .generated.tables import MAX_SHOWN
from .pointer import Path, json_pointer
from .redaction import could_be_key

_MAX_KEY = 200
"""Characters after the quoted ones that can belong to a key which begins in these."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with one document."""

    code: str
    """The id of the rule or code, as in the catalogue."""
    sentence: str
    """What is wrong, with the values."""
    path: Path = ()
    """The place in the document."""
    line: int | None = None
    """The line in the text, from 1; None where the document did not come from text."""
    column: int | None = None
    """The column in characters, from 1; None where the document did not come from text."""

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer (RFC 6901); the document itself is ``""``."""
        return json_pointer(self.path)

    def __str__(self) -> str:
        place = "" if self.line is None else f"{self.line}:{self.column} "
        return printable_line(f"{place}{self.pointer or '(document)'} {self.code} {self.sentence}")


class InvalidDocument(ValueError):
    """A document, or the text of one, was refused.

    ``findings`` says why: at least one, in the order text, schema shape, rules, pointer.
    """

    findings: tuple[Finding, ...]

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__(findings)
        self.findings = findings

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


class InvalidText(InvalidDocument):
    """A text is not one strict JSON value; ``findings`` has the first fault, with its line and column."""


def shown(value: Any, limit: int = MAX_SHOWN) -> str:
    """A value as a message quotes it: JSON on one line, in ASCII, cut to ``limit`` characters.

    What could be a private key is not quoted (see ``redaction``); its length is.
    """
    most = limit + _MAX_KEY
    length = len(value) if isinstance(value, str) else None
    if isinstance(value, str):
        value = value[:most]  # no character is spelt shorter than itself
    try:
        text = _beginning(value, most) if isinstance(value, (list, tuple, dict)) else json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = ascii(value)
    if could_be_key(text[:most]):
        return f"({len(text) if length is None else length} characters that could be a key)"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _beginning(value: Any, limit: int) -> str:
    """The JSON of a container, or more than ``limit`` characters that it begins with: all of it could be a megabyte."""
    text = ""
    for part in json.JSONEncoder().iterencode(value):
        text += part
        if len(text) > limit:
            break
    return text
