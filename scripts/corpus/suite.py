"""The layers schema and rules in the layout of the JSON-Schema-Test-Suite, for any validator of JSON Schema 2020-12.

That layout holds parsed JSON. A case goes in where its text is one, and where parsing keeps its meaning: no refusal of
the text itself, and no number whose value a parser of another precision would see otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from reward_receipts.validation.bundle import bundle

from .agreement import bytes_of
from .raw_json import Number, parse
from .records import Record

FOLDER = "json-schema-test-suite/tests/draft2020-12"
NO_SCHEMA = ("contract.component-names-unique", "certificate.expiry-fits")
"""The rules that JSON Schema cannot say."""


def suite(records: list[Record]) -> dict[str, bytes]:
    """The files by their path: one for each kind, and one for documents that name their kind."""
    files = {}
    for kind in ("contract", "certificate", "receipt", None):
        name = kind or "document"
        tests = list(_tests(records, kind))
        case = {"description": f"a reward {name} (synthetic scope only)", "schema": bundle(name), "tests": tests}
        files[f"{FOLDER}/{name}.json"] = (json.dumps([case], indent=1) + "\n").encode("ascii")
    return files


def _tests(records: list[Record], kind: str | None) -> Iterator[dict[str, Any]]:
    for record in sorted(records, key=lambda each: each["id"]):
        if record["operation"] != "validate" or record["kind"] != kind or not exported(record):
            continue
        data = json.loads(bytes_of(record["input"]["document"]))
        yield {"description": record["id"], "data": data, "valid": record["expect"]["valid"]}


def exported(record: Record) -> bool:
    """Whether a case of validate is one that a validator of JSON Schema can be asked."""
    codes = record["expect"].get("codes", [])
    if any(code.startswith("json.") for code in codes) or (codes and set(codes) <= set(NO_SCHEMA)):
        return False
    return all(map(_as_parsed, _numbers(parse(bytes_of(record["input"]["document"]).decode("utf-8")))))


def _as_parsed(number: Number) -> bool:
    """Whether the token's value is that of the number that Python writes for it."""
    return Decimal(number) == Decimal(json.dumps(json.loads(number)))


def _numbers(value: Any) -> Iterator[Number]:
    if isinstance(value, Number):
        yield value
    elif isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _numbers(member)
