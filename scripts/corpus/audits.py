"""The layer audit: findings, what could not run, and refusals, named by hand and worked out a second time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from . import second
from .keyrings import keyring, verdict
from .library import Library
from .raw_json import described, edited, parse
from .records import Record, SourceError, record
from .scores import text

Table = dict[str, Any]


def audits(table: Table, library: Library) -> Iterator[Record]:
    """The cases of audit.toml, and an audit of each receipt from the field."""
    for group in table["audit"]:
        for row in group["cases"]:
            yield _audit(f"audit/{group['id']}/{row['id']}", {**table, **group, **row}, library)
    for name in library.field_receipts:
        row = {
            "id": name.split("/")[1],
            "says": "What is in use holds.",
            "receipt": name,
            "contract": "contract/field",
            "certificate": "certificate/field",
            "keys": "own",
        }
        yield _audit(f"audit/field/{row['id']}", row, library)
    for name in library.scored_receipts:
        row = {
            "id": name.split("/")[1],
            "says": "What was issued elsewhere, under a key of its own, holds.",
            "receipt": name,
            "contract": name.replace("receipt", "contract"),
            "certificate": "",
            "keys": "own",
        }
        yield _audit(f"audit/field/{row['id']}", row, library)
    for group in table["refusals"]:
        for row in group["cases"]:
            yield _refusals(f"audit/{group['id']}/{row['id']}", {**table, **group, **row}, library)


class _Documents:
    """The documents of one case."""

    def __init__(self, row: Table, library: Library) -> None:
        self.words = [library[row["receipt"]].words]
        self.receipt = parse(library[row["receipt"]].text)
        if "set" in row:
            self.receipt = edited(self.receipt, row["set"])
            self.words.append(f"after signing {described(row['set'])}")
        self.contract = self._other("contract", row, library)
        self.certificate = self._other("certificate", row, library)

    def _other(self, kind: str, row: Table, library: Library) -> Any:
        name = row[kind]
        if not name:
            self.words.append(f"no {kind}")
            return None
        self.words.append(name)
        document = parse(library[name].text)
        if f"set_{kind}" in row:
            document = edited(document, row[f"set_{kind}"])
            self.words.append(f"with {described(row[f'set_{kind}'])}")
        return dict(reversed(document.items())) if row.get(f"reverse_{kind}") else document


def _audit(case_id: str, row: Table, library: Library) -> Record:
    documents = _Documents(row, library)
    keys = keyring(row["keys"], row["receipt"], library) if row["keys"] else None
    if keys is None:
        documents.words.append("no keyring")
    at_update = json.loads(row["at_update"]) if "at_update" in row else None
    if at_update is not None:
        documents.words.append(f"at update {row['at_update']}")
    of_receipt = verdict("receipt", documents.receipt, keys)
    refers = documents.certificate is not None
    of_certificate = verdict("certificate", documents.certificate, keys) if refers else "signer-unknown"
    answer = second.audit(
        documents.receipt,
        documents.contract,
        documents.certificate,
        (of_receipt, of_certificate),
        at_update,
    )
    unchecked: list[str] = []
    for code in row.get("unchecked", []):
        unchecked += row["sets"][code[1:]] if code.startswith("@") else [code]
    if row.get("error"):
        _require(case_id, answer, {"error": "value"})
    else:
        _require(case_id, answer["findings"], row.get("findings", []))
        _require(case_id, answer["unchecked"], unchecked)
    return record(
        case_id,
        "audit",
        {
            "receipt": text(documents.receipt),
            "contract": text(documents.contract),
            "certificate": text(documents.certificate),
            "keyring": keys,
        },
        answer,
        sentence=f"{row['says']} Here: {', '.join(documents.words)}: {answer.get('verdict', 'an error')}.",
        section="8",
        level=row.get("level", "required"),
        about=row.get("about"),
        arguments={} if at_update is None else {"at_update": at_update},
    )


def _refusals(case_id: str, row: Table, library: Library) -> Record:
    documents = _Documents(row, library)
    answer = second.refusals(documents.receipt, documents.contract, documents.certificate)
    _require(case_id, answer, row["refusals"])
    return record(
        case_id,
        "refusals",
        {
            "receipt": text(documents.receipt),
            "contract": text(documents.contract),
            "certificate": text(documents.certificate),
        },
        {"refusals": answer},
        sentence=f"{row['says']} Here: {', '.join(documents.words)}.",
        section=row["section"],
        about=row.get("about"),
    )


def _require(case_id: str, found: Any, named: Any) -> None:
    if found != named:
        raise SourceError(f"{case_id}: the table says {named}, the second computation {found}")
