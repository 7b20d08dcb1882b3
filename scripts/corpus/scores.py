"""The layers score and certificate: answers by the second computation, and by hand where the tables name them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from . import second
from .library import Library
from .raw_json import described, edited, parse, write
from .records import Record, SourceError, record
from .texts import Text

Table = dict[str, Any]
_ARGUMENTS = ("outcome", "tier", "policy_update")


def scores(table: Table, library: Library) -> Iterator[Record]:
    """The cases of score.toml."""
    for grid in table["grid"]:
        axes = [name for name in ("channel", *_ARGUMENTS) if isinstance(grid.get(name), list)]
        for values in itertools.product(*(grid[name] for name in axes)):
            name = "-".join(value.strip('"').replace("_", "-") for value in values)
            row = {**table, **grid, **dict(zip(axes, values, strict=True))}
            yield _score(f"score/{grid['id']}/{name}", row, library)
    for group in table["group"]:
        for row in group["cases"]:
            yield _score(f"score/{group['id']}/{row['id']}", {**table, **group, **row}, library)


def _score(case_id: str, row: Table, library: Library) -> Record:
    words: list[str] = []
    contract = document(row["contract"], row.get("set_contract"), library, words)
    if "channel" in row:
        contract = edited(contract, {"oracle": {"channel": json.dumps(row["channel"])}})
        words.append(f"channel {row['channel']}")
    certificate = document(row["certificate"], row.get("set_certificate"), library, words)
    if certificate is not None and not row.get("as_is"):
        certificate["reward_contract_digest"] = second.digest("contract", contract)
    arguments = {name: json.loads(row[name]) for name in _ARGUMENTS}
    answer = second.score(contract, certificate, **arguments)
    if row.get("error"):
        _require(case_id, answer, {"error": "value"})
    elif "refusals" in row:
        _require(case_id, answer.get("refusals"), row["refusals"])
    if row.get("reverse_contract"):
        contract = dict(reversed(contract.items()))
    asked = f"{row['outcome']} at tier {row['tier']} and policy update {row['policy_update']}"
    return record(
        case_id,
        "score",
        {"contract": text(contract), "certificate": text(certificate)},
        answer,
        sentence=f"{row['says']} Here: {', '.join([asked, *words])}.",
        section="7",
        level=row.get("level", "required"),
        about=row.get("about"),
        arguments=arguments,
    )


def certificates(table: Table, library: Library) -> Iterator[Record]:
    """The cases of certificate.toml."""
    for group in table["state"]:
        for row in group["cases"]:
            yield _state(f"certificate/{group['id']}/{row['id']}", {**group, **row}, library)
    for group in table["unmet"]:
        for row in group["cases"]:
            yield _unmet(f"certificate/{group['id']}/{row['id']}", {**group, **row}, library)


def _state(case_id: str, row: Table, library: Library) -> Record:
    words: list[str] = []
    certificate = document(row["certificate"], row.get("set"), library, words)
    update = json.loads(row["policy_update"])
    answer = second.state_answer(certificate, update)
    _require(case_id, answer, {"error": "value"} if row.get("error") else {"state": row["state"]})
    return record(
        case_id,
        "state",
        {"certificate": text(certificate)},
        answer,
        sentence=f"{row['says']} Here: policy update {row['policy_update']}, {', '.join(words)}.",
        section="7",
        level=row.get("level", "required"),
        arguments={"policy_update": update},
    )


def _unmet(case_id: str, row: Table, library: Library) -> Record:
    words: list[str] = []
    contract = document(row["contract"], row.get("set_contract"), library, words)
    certificate = document(row["certificate"], row.get("set"), library, words)
    answer = second.unmet(certificate, contract)
    _require(case_id, answer, row["unmet"])
    return record(
        case_id,
        "unmet",
        {"certificate": text(certificate), "contract": text(contract)},
        {"unmet": answer},
        sentence=f"{row['says']} Here: {', '.join(words)}.",
        section="7",
        about=row.get("about"),
    )


def document(name: str, edit: dict[str, Any] | None, library: Library, words: list[str]) -> Any:
    """A document of the library with an edit; None for the name "". What it is goes to ``words``."""
    if not name:
        words.append("no certificate")
        return None
    parsed = parse(library[name].text)
    words.append(name if edit is None else f"{name} with {described(edit)}")
    return parsed if edit is None else edited(parsed, edit)


def text(value: Any) -> Text | None:
    """The text of a document; None for none."""
    return None if value is None else Text(write(value).encode("utf-8"))


def _require(case_id: str, found: Any, named: Any) -> None:
    if found != named:
        raise SourceError(f"{case_id}: the table says {named}, the second computation {found}")
