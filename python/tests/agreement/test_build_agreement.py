"""A document made of checked members is the one that pydantic's validation makes, on random valid documents."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import reward_receipts as rr
from document_space import Kind
from field import field_certificate, field_receipts
from pydantic import BaseModel
from random_documents import MAKERS
from reward_receipts.core.canonical import canonical_json_bytes
from reward_receipts.core.frozen import FrozenDict
from reward_receipts.documents.read import checked_document
from reward_receipts.validation.check import check

CLASSES: dict[Kind, type[BaseModel]] = {
    "contract": rr.RewardContractV1,
    "certificate": rr.RewardCertificateV1,
    "receipt": rr.RewardEvidenceReceiptV1,
}
PARTS = ("oracle", "scoring", "certificate_policy")


def state(value: Any) -> Any:
    """Everything that an instance holds, with the type of each value, in its order."""
    if isinstance(value, BaseModel):
        members = [(name, state(member)) for name, member in value.__dict__.items()]
        extra, private = value.__pydantic_extra__, value.__pydantic_private__
        return type(value), members, value.__pydantic_fields_set__, extra, private
    if isinstance(value, tuple):
        return tuple, [state(each) for each in value]
    if isinstance(value, FrozenDict):
        return type(value), [(name, state(member)) for name, member in value.items()]
    return type(value), repr(value)


@pytest.mark.parametrize("kind", CLASSES)
def test_a_document_of_checked_members_is_the_one_that_pydantic_makes(kind: Kind) -> None:
    rng = Random(f"build/{kind}")
    compared = 0
    for _ in range(400):
        plain = MAKERS[kind](rng)
        if check(kind, plain):
            continue
        built, validated = checked_document(plain, kind), CLASSES[kind](**plain)
        assert state(built) == state(validated)
        for name in PARTS:
            if name in plain:
                part = getattr(built, name)
                assert state(part) == state(type(part)(**plain[name]))
        for component, given in zip(
            getattr(built, "components", ()), sorted(plain.get("components", ()), key=_name), strict=True
        ):
            assert state(component) == state(rr.RewardComponentV1(**given))
        compared += 1
    assert compared > 200


def _name(component: dict[str, Any]) -> str:
    return str(component["name"])


def test_the_signed_bytes_are_the_canonical_bytes_without_two_members() -> None:
    rng = Random("signed bytes")
    documents = [field_certificate(), *field_receipts()]
    for kind in ("certificate", "receipt"):
        found = [plain for plain in (MAKERS[kind](rng) for _ in range(200)) if not check(kind, plain)]
        documents += [checked_document(plain, kind) for plain in found]
    receipt = field_receipts()[0]
    documents.append(receipt.model_copy(update={"reward_components": {"signature": 1.0, "signature_algorithm": 0.0}}))
    for document in documents:
        assert document._signed_bytes() == canonical_json_bytes(document.unsigned_payload())
    assert len(documents) > 200


def test_a_certificate_that_was_verified_is_verified_anew_with_another_key() -> None:
    certificate = field_certificate()
    key, other = rr.SigningKey.generate("issuer-key-1"), rr.SigningKey.generate("issuer-key-1")
    signed = rr.sign(certificate.model_copy(update={"issuer_key_id": "issuer-key-1"}), key)
    verdicts = [rr.verify(signed, {each.key_id: each.public_key}) for each in (key, other, key, other)]
    assert verdicts == ["valid", "invalid", "valid", "invalid"]
    changed = signed.model_copy(update={"epsilon": signed.epsilon / 2})
    assert rr.verify(changed, {key.key_id: key.public_key}) == "invalid"
