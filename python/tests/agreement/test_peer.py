"""The same documents, here and in openadapt-types 0.24.0, which is run and never read.

Where the two differ, the difference has a name: it looks at the document, not at the verdicts, and it says which
section of the specification wants it. Taken out of the document, nothing differs any more.
REWARD_RECEIPTS_DEEP=1 takes all 10,000 documents.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import openadapt_types.reward as peer
import pytest
from document_space import SHAPES, Kind
from pydantic import ValidationError
from random_documents import document, receipt, set_tier
from random_texts import name_twice, spell, spoilt
from reward_receipts.documents.generated import models

Figure = Callable[[str], None]

COUNT = 10_000 if os.environ.get("REWARD_RECEIPTS_DEEP") == "1" else 2_000
REFUSED = "refused"
CLASSES = {"contract": "RewardContractV1", "certificate": "RewardCertificateV1", "receipt": "RewardEvidenceReceiptV1"}


def verdict(package: Any, kind: Kind, text: str | bytes) -> str:
    """The digest that a package gives for a text; REFUSED where it refuses it."""
    try:
        digest: str = getattr(package, CLASSES[kind]).model_validate_json(text).digest
    except ValidationError:
        return REFUSED
    return digest


@dataclass(frozen=True)
class Difference:
    """A difference that the specification declares."""

    name: str
    section: int
    applies: Callable[[str, Any], bool]
    """Whether a text and its value (the last of two members counts) have what makes the difference."""
    mend: Callable[[Any], Any]
    """The value without it."""


_INTEGERS = ("policy_update", "issued_at_policy_update", "expiry_policy_updates")
_STRANGE_OFFSET = re.compile(r"([+-]\d\d:)[6-9]\d$")


def _inner(value: Any) -> list[dict[str, Any]]:
    """The objects of a document that hold an integer field."""
    objects = [value, value.get("certificate_policy")] if type(value) is dict else []
    return [each for each in objects if type(each) is dict]


def _whole(value: Any) -> bool:
    return type(value) is float and value.is_integer()


def _with_plain_integers(value: Any) -> Any:
    for members in _inner(value):
        members.update({key: int(members[key]) for key in _INTEGERS if _whole(members.get(key))})
    return value


def _a_member_twice(text: str) -> bool:
    repeated = []

    def pairs(members: list[tuple[str, Any]]) -> None:
        repeated.append(len({key for key, _ in members}) < len(members))

    json.loads(text, object_pairs_hook=pairs)
    return any(repeated)


DIFFERENCES = (
    Difference(
        "a whole double in an integer field is that integer (there: in oracle_tier only)",
        4,
        lambda text, value: any(_whole(members.get(key)) for members in _inner(value) for key in _INTEGERS),
        _with_plain_integers,
    ),
    Difference(
        "a member named twice is refused (there: the last one counts)",
        4,
        lambda text, value: _a_member_twice(text),
        lambda value: value,
    ),
    Difference(
        "more than 1 MiB of text is refused",
        4,
        lambda text, value: len(text.encode()) > 1024 * 1024,
        lambda value: value,
    ),
    Difference(
        "the minutes of an offset end at 59 (there: at 99)",
        2,
        lambda text, value: type(value) is dict and bool(_STRANGE_OFFSET.search(str(value.get("issued_at")))),
        lambda value: {**value, "issued_at": _STRANGE_OFFSET.sub(r"\g<1>59", value["issued_at"])},
    ),
    Difference(
        "a boolean is not a tier (there: false is 0 and true is 1)",
        2,
        lambda text, value: type(value) is dict and type(value.get("oracle_tier")) is bool,
        lambda value: {**value, "oracle_tier": int(value["oracle_tier"])},
    ),
)


def differences_of(text: str) -> tuple[list[str], str]:
    """The names of the declared differences that a text has, and the text without them."""
    value = json.loads(text)
    found = [each for each in DIFFERENCES if each.applies(text, value)]
    for each in found:
        value = each.mend(value)
    return [each.name for each in found], json.dumps(value)


def with_a_difference(rng: Random, value: Any) -> str:
    """The text of a document with one of the declared differences, as far as the document has the members for it."""
    way = rng.random()
    if way < 0.3:
        return name_twice(rng, spell(rng, value).encode()).decode()
    if way < 0.35:
        return spell(rng, value) + " " * 1024 * 1024
    members = value if type(value) is dict else {}
    if way < 0.7 and members.get("oracle_tier") in (0, 1):
        value = {**members, "oracle_tier": bool(members["oracle_tier"])}
    elif type(members.get("issued_at")) is str:
        value = {**members, "issued_at": f"{members['issued_at'][:19]}+05:{rng.randint(60, 99)}"}
    return spell(rng, value)


def random_text(number: int) -> tuple[Kind, bytes]:
    """The text of a document: one in ten spoilt, one in ten with a declared difference."""
    d = document(number)
    rng = Random(f"peer/{number}")
    way = rng.random()
    if way < 0.1:
        return d.kind, spoilt(rng, spell(rng, d.value).encode())
    return d.kind, (with_a_difference(rng, d.value) if way < 0.2 else spell(rng, d.value)).encode()


def test_documents_get_the_same_verdict_and_digest_there(figure: Figure) -> None:
    same: Counter[str] = Counter()
    declared: Counter[str] = Counter()
    for number in range(COUNT):
        kind, data = random_text(number)
        here, there = verdict(models, kind, data), verdict(peer, kind, data)
        if here == there:
            same["refused" if here == REFUSED else "accepted, with one digest"] += 1
            continue
        names, mended = differences_of(data.decode())
        assert names, f"text {number}: {here} here, {there} there: {data[:9999]!r}"
        assert verdict(models, kind, mended) == verdict(peer, kind, mended), f"{names} do not explain {data[:9999]!r}"
        declared.update(names)
    figure(f"{COUNT} texts, the same on both sides: {dict(same)}")
    for name, count in declared.most_common():
        figure(f"{count:6} differ: {name}")
    assert min(same.values()) > COUNT / 4
    assert set(declared) == {difference.name for difference in DIFFERENCES}


def _receipt_text(**members: Any) -> str:
    value = receipt(Random("a receipt with a difference"))
    set_tier(Random(0), value, members.get("oracle_tier", 2))
    return json.dumps({**value, **members})


EXAMPLES = {
    "a whole double in an integer field": (_receipt_text(policy_update=120.0), "accepted here only"),
    "a member named twice": (_receipt_text(policy_update=120)[:-1] + ', "policy_update": 120}', "accepted there only"),
    "more than 1 MiB": (_receipt_text(policy_update=120) + " " * 1024 * 1024, "accepted there only"),
    "the minutes of an offset": (
        _receipt_text(policy_update=120, issued_at="2026-09-01T00:00:00+05:60"),
        "accepted there only",
    ),
    "a boolean is not a tier": (_receipt_text(policy_update=120, oracle_tier=True), "accepted there only"),
}


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.name)
def test_each_declared_difference_is_one(difference: Difference) -> None:
    (text, who) = next(example for name, example in EXAMPLES.items() if difference.name.startswith(name))
    here, there = verdict(models, "receipt", text), verdict(peer, "receipt", text)
    assert (here != REFUSED, there != REFUSED) == (who == "accepted here only", who == "accepted there only")
    names, mended = differences_of(text)
    assert names == [difference.name]
    assert verdict(models, "receipt", mended) == verdict(peer, "receipt", mended) != REFUSED


def test_both_packages_have_the_same_members() -> None:
    for kind, name in CLASSES.items():
        assert list(getattr(peer, name).model_fields) == list(SHAPES[kind].members)
        assert list(getattr(models, name).model_fields) == list(SHAPES[kind].members)
