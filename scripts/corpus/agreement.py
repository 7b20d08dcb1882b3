"""Does the package answer every case as the corpus expects it? Nothing is written where it does not."""

from __future__ import annotations

import base64
from typing import Any

from reward_receipts.conformance.compare import same
from reward_receipts.conformance.driver import answer

from .records import Record


def disagreements(records: list[Record]) -> list[str]:
    """A line for each case that the package answers otherwise."""
    wrong = []
    for record in records:
        found = of_package(record)
        if "codes" in found:
            found = {**found, "codes": list(dict.fromkeys(found["codes"]))}
        if not same(record["expect"], found):
            wrong.append(f"{record['id']}: the corpus says {record['expect']}, the package {found}")
    return wrong


def of_package(record: Record) -> dict[str, Any]:
    """What the package answers to a case; ``{"error": message}`` where it fails to."""
    request = {
        "id": record["id"],
        "operation": record["operation"],
        "layer": record["layer"],
        "kind": record["kind"],
        "input": {name: _base64(given) for name, given in record["input"].items()},
        "arguments": record["arguments"],
    }
    found = answer(request)
    value: dict[str, Any] = found["answer"] if "answer" in found else {"error": found["error"]}
    return value


def _base64(given: dict[str, Any] | None) -> str | None:
    return None if given is None else base64.b64encode(bytes_of(given)).decode("ascii")


def bytes_of(given: dict[str, Any]) -> bytes:
    """The bytes of a text in a record."""
    data = given["text"].encode("utf-8") if "text" in given else base64.b64decode(given["base64"])
    pad = given.get("pad")
    return data if pad is None else data.ljust(pad["to"], pad["with"].encode("ascii"))
