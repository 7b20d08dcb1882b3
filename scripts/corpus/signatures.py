"""The layer signature: the verdicts of signature.toml, named by hand, and those of the documents from the field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .keyrings import keyring, verdict
from .library import Library
from .raw_json import parse
from .records import Record, SourceError, record
from .texts import Input, Text, input_of, short


def signatures(table: dict[str, Any], library: Library) -> Iterator[Record]:
    """Signed documents and keyrings to a verdict."""
    for group in table["group"]:
        for row in group["cases"]:
            given = input_of(row, None, library)
            keys = keyring(row.get("keys", group["keys"]), row["base"], library)
            wanted = row.get("verdict", group["verdict"])
            words = given.edit or library[row["base"]].words
            if "keys" in row:
                words += f", keyring {short(keys.bytes.decode('ascii'))}"
            says = f"{group['says']} {wanted.capitalize()}: {words}."
            yield _case(f"signature/{group['id']}/{row['id']}", says, given, keys, wanted, row.get("level"))
    for name in ("certificate/field", *library.field_receipts, *library.scored_receipts):
        given = input_of({"id": name, "base": name}, None, library)
        keys = keyring("own", name, library)
        yield _case(f"signature/field/{name.replace('/', '-')}", f"Valid: {library[name].words}.", given, keys, "valid")


def _case(case_id: str, says: str, given: Input, keys: Text, wanted: str, level: str | None = None) -> Record:
    assert given.base is not None
    kind = given.base.split("/")[0]
    found = verdict(kind, parse(given.text.bytes.decode("utf-8")), keys)
    if found != wanted:
        raise SourceError(f"{case_id}: the table says {wanted}, the second computation {found}")
    return record(
        case_id,
        "verify",
        {"document": given.text, "keyring": keys},
        {"verdict": wanted},
        sentence=says,
        section="6",
        kind=kind,
        level=level or "required",
        base=given.base,
        edit=given.edit,
    )
