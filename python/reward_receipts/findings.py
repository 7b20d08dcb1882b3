"""What is wrong with a document, and where: the finding, and the errors that carry findings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .escaping import printable_line

Path = tuple[str | int, ...]
"""A place in a JSON value: member names and array indexes from the root."""


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


def json_pointer(path: Path) -> str:
    """The JSON pointer (RFC 6901) of a path."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def member_at(value: Any, path: Path) -> Any:
    """What stands at a path in a value; None where nothing does."""
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def shown(value: Any, limit: int = 80) -> str:
    """A value as it is named in a message: JSON on one line, in ASCII, cut to ``limit`` characters."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = ascii(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
