"""The texts in schemas/: descriptions, sentences and fixes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lint.places import Findings, Spot, quoted, schemas, subschemas


def of_texts(files: dict[str, Any]) -> Findings:
    """Each text is a sentence, and says what has to be reported beside it."""
    for file, content in files.items():
        for spot in _texts(Spot(file, (), content)):
            ends = {
                "sentence": (".", "}"),
                "text": (".", ")"),
            }  # a sentence can end with a value, a note with an option
            if not spot.value.endswith(ends.get(str(spot.path[-1]), ".")):
                yield spot.says(f"is {quoted(spot.value)}; it must be a sentence, with its full stop.")
            if re.search(r"\bcertif(ied|ication)\b", spot.value, re.IGNORECASE) and "synthetic" not in spot.value:
                yield spot.says("says certified without the word synthetic beside it; add it.")
    for root in schemas(files):
        for spot in subschemas(root):
            for name, member in spot.value.get("properties", {}).items():
                optional = name not in spot.value.get("required", ()) and "default" not in member
                if optional and "Left out, " not in member["description"]:
                    yield spot.into("properties", name).says(
                        "may be left out and has no default; state it, require the member, "
                        "or let the description say what it means: Left out, ..."
                    )


def _texts(spot: Spot) -> Iterator[Spot]:
    """Everything that is written for people."""
    if isinstance(spot.value, dict):
        for key, value in spot.value.items():
            if key in ("description", "sentence", "fix", "text") and isinstance(value, str):
                yield spot.into(key)
            else:
                yield from _texts(spot.into(key))
    elif isinstance(spot.value, list):
        for index in range(len(spot.value)):
            yield from _texts(spot.into(index))
