"""Where something is in schemas/: files, values in them, and ways through them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from reward_receipts.core.pointer import Path, json_pointer
from reward_receipts.core.schema_files import CODES_FILE as CODES
from reward_receipts.core.schema_files import SCHEMA_FILES
from reward_receipts.core.schema_files import TABLES_FILE as TABLES

SCHEMAS = FilePath(__file__).resolve().parents[2] / "schemas"
BASE = "https://reward-receipts.example/schemas/v1/"
COMMON = SCHEMA_FILES["common"]
UMBRELLA = SCHEMA_FILES["document"]
DOCUMENTS = {file: kind for kind, file in SCHEMA_FILES.items() if file not in (COMMON, UMBRELLA)}
"""The kind of each file that defines a document."""

__all__ = ["BASE", "CODES", "COMMON", "DOCUMENTS", "SCHEMAS", "SCHEMA_FILES", "TABLES", "UMBRELLA", "Findings", "Spot"]
__all__ += ["quoted", "repeated", "schemas", "subschemas", "target"]

Findings = Iterator[str]


@dataclass(frozen=True)
class Spot:
    """A value in one of the files, and where it is."""

    file: str
    path: Path
    value: Any

    def into(self, *steps: str | int) -> Spot:
        """The value that the steps lead to."""
        value = self.value
        for step in steps:
            value = value[step]
        return Spot(self.file, (*self.path, *steps), value)

    def each(self, keyword: str) -> list[Spot]:
        """The values in the list under a keyword; none if the keyword is missing."""
        return [self.into(keyword, index) for index in range(len(self.value.get(keyword, ())))]

    def says(self, what: str) -> str:
        """The finding that something is wrong here."""
        return f"schemas/{self.file}:{json_pointer(self.path)} {what}"


def schemas(files: dict[str, Any]) -> list[Spot]:
    """The roots of the schema files, in the order of ``SCHEMA_FILES``."""
    return [Spot(file, (), files[file]) for file in SCHEMA_FILES.values()]


def subschemas(spot: Spot) -> Iterator[Spot]:
    """A schema and all schemas of a known form in it; rules and the umbrella's own branches are left out."""
    yield spot
    below: list[tuple[str | int, ...]] = []
    for word in ("properties", "$defs"):
        below += [(word, name) for name in spot.value.get(word, {})]
    below += [("anyOf", index) for index in range(len(spot.value.get("anyOf", ())))]
    for word in ("items", "propertyNames", "additionalProperties"):
        below += [(word,)] if isinstance(spot.value.get(word), dict) else []
    for steps in below:
        yield from subschemas(spot.into(*steps))


def target(spot: Spot) -> tuple[str, str]:
    """The file and the name of the definition that a $ref refers to."""
    file, _, name = spot.value["$ref"].partition("#/$defs/")
    return file or spot.file, name


def repeated(values: list[str]) -> list[str]:
    """The values that a list contains more than once."""
    return [value for value, count in Counter(values).items() if count > 1]


def quoted(value: Any, limit: int = 80) -> str:
    """A value as a finding quotes it: JSON, cut to ``limit`` characters.

    Not ``core.findings.shown``, which needs modules that the generator writes.
    """
    text = json.dumps(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
