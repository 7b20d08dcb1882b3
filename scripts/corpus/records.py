"""Case records: what the tables say, in the form that is committed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .texts import Text

Record = dict[str, Any]
CASES = Path(__file__).resolve().parents[2] / "conformance" / "schemas" / "case.schema.json"
LAYERS: tuple[str, ...] = tuple(json.loads(CASES.read_bytes())["$defs"]["Layer"]["enum"])


class SourceError(ValueError):
    """The sources contradict themselves, or two computations contradict each other. The message names the case."""


def record(
    id: str,  # noqa: A002 - the name that the record has for it
    operation: str,
    inputs: dict[str, Text | None],
    expect: dict[str, Any],
    *,
    sentence: str,
    section: str,
    kind: str | None = None,
    level: str = "required",
    about: str | None = None,
    base: str | None = None,
    edit: str | None = None,
    arguments: dict[str, Any] | None = None,
) -> Record:
    """A record, its members in the order in which they are written."""
    made = {
        "id": id,
        "operation": operation,
        "kind": kind,
        "layer": id.split("/")[0],
        "level": level,
        "section": section,
        "sentence": sentence,
        "about": about,
        "base": base,
        "edit": edit,
        "input": {name: None if text is None else text.record for name, text in inputs.items()},
        "sha256": {name: text.sha256 for name, text in inputs.items() if text is not None},
        "arguments": arguments or {},
        "expect": expect,
    }
    return {name: value for name, value in made.items() if value is not None or name == "kind"}


def sentence_of(says: str, edit: str | None, verdict: str) -> str:
    """The sentence of a case: what is held to, and what this case makes of it."""
    return f"{says} {verdict}: {edit or 'as it is'}."


def lines(records: list[Record]) -> bytes:
    """The records as JSON Lines, sorted by id."""
    ordered = sorted(records, key=lambda each: each["id"])
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in ordered).encode("ascii")
