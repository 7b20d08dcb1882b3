"""A Seal is not a reward receipt: neither package takes the one for the other.

The Seal is openadapt-types' ``ExecuteEvidenceReceiptV1``. It is made here by running that package, which is never read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import openadapt_types
import pytest
from document_space import SHAPES, digest, opaque_id, timestamp
from pydantic import BaseModel, ValidationError
from random_documents import receipt
from reward_receipts.documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from reward_receipts.validation.check import check
from reward_receipts.validation.schemas import KINDS

MODELS = (RewardContractV1, RewardCertificateV1, RewardEvidenceReceiptV1)
SHARED = {"schema_version", "receipt_id", "oracle_tier", "evidence_digest", "nonce", "issued_at"}
OUTCOMES = (
    *("verified", "halted_before_effect", "reconciliation_required"),
    *("rejected_policy", "failed_platform", "rolled_back_verified"),
)
STRENGTHS = (
    *("independent_system_of_record", "independent_session"),
    *("persisted_state_reacquisition", "immediate_screen_confirmation"),
)


def seal_class() -> type[BaseModel]:
    """The class of the Seal, found among the public names by the document that it describes."""
    (found,) = {
        value
        for value in (getattr(openadapt_types, name) for name in dir(openadapt_types) if name.startswith("Execute"))
        if isinstance(value, type)
        and issubclass(value, BaseModel)
        and "schema_version" in value.model_fields
        and value.model_fields["schema_version"].default == openadapt_types.EXECUTE_EVIDENCE_RECEIPT_SCHEMA
    }
    return found


Seal = seal_class()


def seals() -> Iterator[dict[str, Any]]:
    """Many Seals, made by the package itself: random members, as far as it lets them stand together."""
    rng = Random("seals")
    for _ in range(3_000):
        passed = rng.random() < 0.7
        members = {
            **{key: opaque_id(rng) for key in ("receipt_id", "execution_id", "workflow_version", "qualification_id")},
            **{key: opaque_id(rng) for key in ("environment_id", "runner_id", "nonce")},
            **{key: digest(rng) for key in ("workflow_digest", "evidence_digest")},
            "oracle_tier": rng.randint(0, 3),
            "outcome": rng.choice(OUTCOMES),
            "contracts": {
                **{f"{word}_passed": passed for word in ("authorization", "identity", "postcondition")},
                "effect_passed": passed,
                "minimum_effect_strength": rng.choice(STRENGTHS),
                "observed_effect_strength": rng.choice((*STRENGTHS, None)),
                "model_used": rng.random() < 0.5,
                "external_network_used": rng.random() < 0.5,
            },
            "delivery_uncertain": rng.random() < 0.3,
            "compensation_effect_verified": rng.random() < 0.3,
            "issued_at": timestamp(rng),
        }
        try:
            text = Seal.model_validate_json(json.dumps(members)).model_dump_json()
        except ValidationError:
            continue
        yield json.loads(text)


def refused(model: type[BaseModel], value: Any) -> bool:
    """Whether a model refuses a value, as Python and as text."""
    verdicts = set()
    for read, source in ((model.model_validate, value), (model.model_validate_json, json.dumps(value))):
        try:
            read(source)
        except ValidationError:
            verdicts.add(True)
        else:
            verdicts.add(False)
    (verdict,) = verdicts
    return verdict


def dressed(value: dict[str, Any], schema_version: str) -> Iterator[dict[str, Any]]:
    """A document as it is, without its schema_version, and under the other's."""
    yield value
    yield {key: member for key, member in value.items() if key != "schema_version"}
    yield {**value, "schema_version": schema_version}


@pytest.mark.slow
def test_no_seal_is_a_reward_document(figure: Callable[[str], None]) -> None:
    made: Counter[str] = Counter()
    for seal in seals():
        assert not refused(Seal, seal)
        for model, kind in zip(MODELS, KINDS, strict=True):
            version = SHAPES[kind].defaults["schema_version"]
            for document in dressed(seal, version):
                assert check(kind, document), document
                assert refused(model, document), document
        made[seal["outcome"]] += 1
    figure(f"{made.total()} Seals, made by openadapt-types, each refused as all three documents: {dict(made)}")
    assert set(made) == set(OUTCOMES)


def test_no_receipt_is_a_seal(figure: Callable[[str], None]) -> None:
    count = 500
    for number in range(count):
        value = receipt(Random(f"no seal/{number}"))
        held = RewardEvidenceReceiptV1.model_validate(value)
        for document in (*dressed(value, openadapt_types.EXECUTE_EVIDENCE_RECEIPT_SCHEMA), held._plain()):
            assert refused(Seal, document), document
    figure(f"{count} valid receipts, each refused as a Seal")


def test_a_receipt_with_the_members_of_a_seal_is_neither() -> None:
    seal = next(seals())
    value = {**seal, **receipt(Random("both"))}
    assert refused(Seal, value)
    assert refused(RewardEvidenceReceiptV1, value)
    for member in set(seal) - SHARED:
        assert refused(RewardEvidenceReceiptV1, {**receipt(Random("both")), member: seal[member]})


def test_a_seal_and_a_receipt_share_six_members() -> None:
    assert set(Seal.model_fields) & set(RewardEvidenceReceiptV1.model_fields) == SHARED


@pytest.mark.parametrize("model", MODELS)
def test_the_schema_ids_differ(model: type[BaseModel]) -> None:
    assert model.model_fields["schema_version"].default != openadapt_types.EXECUTE_EVIDENCE_RECEIPT_SCHEMA
