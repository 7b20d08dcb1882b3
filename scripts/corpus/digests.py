"""The layer digest: canonical bytes and digests, by the second computation."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from . import second
from .library import Library
from .number_families import PER_CASE, families
from .raw_json import parse
from .records import Record, record
from .texts import Input, Text, input_of

Table = dict[str, Any]


def digests(table: Table, library: Library) -> Iterator[Record]:
    """The cases of digest.toml, of the families of numbers, and of the receipts from the field."""
    for group in table["canonical"]:
        for row in group["cases"]:
            given = input_of(row, None, library)
            yield _canonical(f"digest/{group['id']}/{row['id']}", group, given.text, given.edit, row.get("level"))
    for name, says, tokens in families():
        for number, start in enumerate(range(0, len(tokens), PER_CASE)):
            yield _doubles(f"digest/doubles/{name}-{number:02}", says, tokens[start : start + PER_CASE])
    for group in table["digest"]:
        for row in group["cases"]:
            given = input_of(row, None, library)
            says = f"{group['says']} Here: {given.edit or library[row['base']].words}."
            yield _digest(f"digest/{group['id']}/{row['id']}", says, given, row.get("level"))
    for name in (*library.field_receipts, *library.scored_receipts[::5]):
        given = input_of({"id": name, "base": name}, None, library)
        yield _digest(f"digest/field/{name.split('/')[1]}", library[name].says, given)


def _doubles(case_id: str, says: str, tokens: list[str]) -> Record:
    text = Text(f"[{','.join(tokens)}]".encode("ascii"))
    return _canonical(case_id, {"says": says}, text, f"{len(tokens)} numbers", None)


def _canonical(case_id: str, group: Table, text: Text, edit: str | None, level: str | None) -> Record:
    canonical = second.canonical_value(parse(text.bytes.decode("utf-8")))
    return record(
        case_id,
        "canonical",
        {"text": text},
        {"canonical": _base64(canonical)},
        sentence=f"{group['says']} Here: {edit}.",
        section=group.get("section", "5"),
        level=level or "required",
    )


def _digest(case_id: str, says: str, given: Input, level: str | None = None) -> Record:
    assert given.base is not None
    kind = given.base.split("/")[0]
    document = parse(given.text.bytes.decode("utf-8"))
    canonical = second.canonical_document(kind, document)
    return record(
        case_id,
        "digest",
        {"document": given.text},
        {"digest": second.digest(kind, document), "canonical": _base64(canonical)},
        sentence=says,
        section="5",
        kind=kind,
        level=level or "required",
        base=given.base,
        edit=given.edit,
    )


def _base64(canonical: str) -> str:
    return base64.b64encode(canonical.encode("ascii")).decode("ascii")
