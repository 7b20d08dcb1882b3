"""Values of Python and of other packages, in documents, scores and receipts: NumPy, Decimal, enums, containers."""

from __future__ import annotations

import collections
import fractions
import subprocess
import sys
from decimal import Decimal
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
import reward_receipts as rr
from field import WORKED, Bench, plain
from pydantic import ValidationError
from reward_receipts.core.numbers import plain_boolean, plain_double, plain_integer

RECEIPT = plain(WORKED / "receipt.json")


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench()


def issued(bench: Bench, **changes: Any) -> rr.RewardEvidenceReceiptV1:
    """A receipt for a verified episode at update 120, with some arguments of issue_receipt changed."""
    arguments: dict[str, Any] = {
        "contract": bench.contract,
        "certificate": bench.certificate,
        "outcome": "verified",
        "tier": 2,
        "policy_update": 120,
        "policy_checkpoint_id": "checkpoint.0001",
        "episode_id": "episode.000001",
        "evidence_digest": "sha256:" + "e" * 64,
        "signing_key": bench.key,
        "reward_components": {"terminal_effect": 1.0},
    }
    return rr.issue_receipt(**{**arguments, **changes})


class ForeignTier(IntEnum):
    SYSTEM_OF_RECORD = 2


def changed(**members: Any) -> rr.RewardEvidenceReceiptV1:
    """The worked receipt with other members, validated three ways, which have to agree."""
    receipt = rr.RewardEvidenceReceiptV1.model_validate({**RECEIPT, **members})
    assert receipt == rr.RewardEvidenceReceiptV1(**{**RECEIPT, **members})
    assert receipt == rr.RewardEvidenceReceiptV1.model_validate(RECEIPT).model_copy(update=members)
    return receipt


@pytest.mark.parametrize(
    ("member", "value", "stored"),
    [
        ("scalar_reward", np.float64(0.5), 0.5),
        ("scalar_reward", np.float32(0.1), 0.10000000149011612),
        ("scalar_reward", np.float16(0.5), 0.5),
        ("scalar_reward", np.longdouble(0.5), 0.5),
        ("scalar_reward", np.int64(1), 1.0),
        ("scalar_reward", np.uint8(1), 1.0),
        ("scalar_reward", Decimal("0.5"), 0.5),
        ("scalar_reward", fractions.Fraction(1, 2), 0.5),
        ("policy_update", np.int64(121), 121),
        ("policy_update", np.array(121), 121),
        ("policy_update", np.float32(121.0), 121),
        ("policy_update", Decimal(121), 121),
        ("oracle_tier", np.int8(3), rr.OracleTier.COUNTERPARTY),
        ("oracle_tier", ForeignTier.SYSTEM_OF_RECORD, rr.OracleTier.SYSTEM_OF_RECORD),
        ("certified", np.bool_(True), True),
        ("nonce", np.str_("nonce.numpy.0001"), "nonce.numpy.0001"),
    ],
)
def test_values_of_other_packages_are_stored_as_plain_values(member: str, value: object, stored: object) -> None:
    found = getattr(changed(**{member: value}), member)
    assert found == stored
    assert type(found) is type(stored)


def test_numpy_values_inside_maps_and_arrays() -> None:
    receipt = changed(reward_components={"terminal_effect": np.float32(1.0), "latency": np.int32(0)})
    assert receipt.reward_components == {"terminal_effect": 1.0, "latency": 0.0}
    assert {type(value) for value in receipt.reward_components.values()} == {float}
    digest = "sha256:" + "a" * 64
    oracle = rr.RewardOracleV1(channel="db", identity_keys=collections.deque(["b", "a"]), oracle_contract_digest=digest)
    assert oracle.identity_keys == ("a", "b")
    held = collections.UserDict({"terminal_effect": 1.0})
    assert changed(reward_components=held).reward_components == {"terminal_effect": 1.0}


@pytest.mark.parametrize(
    ("member", "value", "code", "sentence"),
    [
        ("scalar_reward", np.bool_(True), "schema.anyOf", "boolean"),
        ("policy_update", np.bool_(True), "schema.type", "boolean"),
        (
            "oracle_tier",
            np.array(True),
            "schema.type",
            r"numpy.ndarray is not a JSON type; convert it with .tolist\(\)",
        ),
        ("certified", np.int64(1), "schema.type", "integer"),
        ("scalar_reward", Decimal("0.1"), "schema.type", r"convert it with float\(\)"),
        ("scalar_reward", Decimal("NaN"), "json.number", "is not a finite double"),
        ("scalar_reward", Decimal("sNaN"), "json.number", "is not a finite double"),
        ("scalar_reward", Decimal("-Infinity"), "json.number", "is not a finite double"),
        ("scalar_reward", fractions.Fraction(10**400), "json.number", "is not a finite double"),
        ("scalar_reward", np.float32("inf"), "json.number", "is not a finite double"),
        ("scalar_reward", np.timedelta64(1), "schema.type", "numpy.timedelta64 is not a JSON type"),
        ("scalar_reward", 1j, "schema.type", "complex is not a JSON type"),
        ("reward_components", np.array([1.0]), "schema.type", "tolist"),
        ("reward_components", {"a"}, "schema.type", r"convert it with list\(\)"),
        ("nonce", b"nonce.bytes.0001", "schema.type", "decode it"),
    ],
)
def test_refused_values_say_how_to_convert_them(member: str, value: object, code: str, sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence) as refused:
        rr.RewardEvidenceReceiptV1.model_validate({**RECEIPT, member: value})
    assert code in {error["type"] for error in refused.value.errors()}


def test_a_container_that_cannot_be_read_is_a_finding() -> None:
    class Missing(collections.UserDict[str, float]):
        def items(self) -> Any:
            raise RuntimeError("Missing mandatory value: scale")

    with pytest.raises(ValidationError, match="cannot be read: RuntimeError: Missing mandatory value: scale"):
        changed(reward_components=Missing())


def test_a_score_takes_any_integer_and_no_boolean(bench: Bench) -> None:
    plainly = rr.score("verified", 2, bench.certificate, 120, contract=bench.contract)
    for tier in (ForeignTier.SYSTEM_OF_RECORD, np.int64(2), np.uint8(2), rr.OracleTier(2)):
        for update in (120, np.int64(120), np.array(120)):
            for _ in range(2):
                assert rr.score("verified", tier, bench.certificate, update, contract=bench.contract) == plainly  # type: ignore[arg-type]
    for wrong in (True, np.bool_(True), 2.0, np.float64(2.0), np.float32(2.0), Decimal(2), "2", None, -1, 4):
        with pytest.raises(ValueError, match="is not an integer from 0 to 3"):
            rr.score("verified", wrong, bench.certificate, 120, contract=bench.contract)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="is not an integer from 0 to 3"):
            rr.refuse_development_certification(wrong)  # type: ignore[arg-type]
    for wrong in (True, np.bool_(True), 120.0, np.float64(120), "120", None, -1):
        with pytest.raises(ValueError, match="policy update"):
            rr.score("verified", 2, bench.certificate, wrong, contract=bench.contract)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="policy update"):
            rr.certificate_state(bench.certificate, wrong)  # type: ignore[arg-type]
    rr.refuse_development_certification(ForeignTier.SYSTEM_OF_RECORD)
    with pytest.raises(rr.RewardCertificationRefused):
        rr.refuse_development_certification(np.int64(1))  # type: ignore[arg-type]


def test_a_receipt_is_issued_from_numpy_values(bench: Bench) -> None:
    receipt = issued(
        bench, tier=np.int64(2), policy_update=np.int64(120), reward_components={"terminal_effect": np.float32(1.0)}
    )
    assert type(receipt.policy_update) is int
    assert bench.audit(receipt).verdict is rr.AuditVerdict.HOLDS


def test_the_package_does_not_import_numpy() -> None:
    program = """
import sys
import reward_receipts as rr
assert rr.RewardScoringPolicyV1(verified_reward=2).verified_reward == 2.0
assert rr.RewardScoringPolicyV1.model_json_schema()
try:
    rr.RewardScoringPolicyV1(verified_reward=object())
except ValueError:
    pass
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_numpy_that_is_still_being_imported_has_no_boolean_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", type(sys)("numpy"))
    assert plain_boolean(1) is None
    assert plain_boolean(True) is True


def test_numbers_one_by_one() -> None:
    assert [plain_integer(value) for value in (2, np.int8(2), True, 2.0, "2", np.array(True))] == [2, 2] + [None] * 4
    assert [plain_double(value) for value in (2, Decimal("0.5"), Decimal("0.1"), True, "2")] == [2.0, 0.5] + [None] * 3


DOCUMENTS = ("contract", "certificate", "receipt")


def test_wrong_arguments_are_type_errors_that_name_the_kind(bench: Bench) -> None:
    receipt, contract, certificate = bench.receipt(), bench.contract, bench.certificate
    key, policy = bench.key.keyring, contract.certificate_policy
    calls: list[tuple[str, Any]] = [
        (
            "receipt is a dict; expected a RewardEvidenceReceiptV1; RewardEvidenceReceiptV1.model_validate",
            lambda: rr.audit(RECEIPT),
        ),
        ("receipt is a RewardContractV1; expected a RewardEvidenceReceiptV1", lambda: rr.audit(contract)),
        ("contract is a RewardCertificateV1; expected a RewardContractV1", lambda: rr.audit(receipt, certificate)),
        ("certificate is a RewardContractV1", lambda: rr.audit(receipt, contract, contract)),
        ("certificate is a dict", lambda: rr.audit(receipt, contract, certificate.model_dump())),
        ("contract is a RewardCertificateV1", lambda: receipt.certification_refusals(certificate, certificate)),
        ("contract is None", lambda: receipt.certification_refusals(None, certificate)),
        ("certificate is a dict", lambda: receipt.certification_refusals(contract, certificate.model_dump())),
        ("policy is a RewardContractV1; expected a RewardCertificatePolicyV1", lambda: certificate.satisfies(contract)),
        ("policy is a dict", lambda: certificate.unmet(policy.model_dump())),
        ("certificate is a dict", lambda: rr.certificate_state(certificate.model_dump(), 3)),
        ("contract is a str; .*model_validate_json", lambda: rr.score("verified", 2, None, 0, contract="{}")),
        ("certificate is a RewardContractV1", lambda: rr.score("verified", 2, contract, 0, contract=contract)),
        ("contract is a dict", lambda: issued(bench, contract=contract.model_dump())),
        ("certificate is a dict", lambda: issued(bench, certificate=certificate.model_dump())),
        ("signing_key is a str", lambda: issued(bench, signing_key="key.reference.0001")),
        ("dict", lambda: rr.verify(RECEIPT, key)),
        ("signing_key is a Keyring", lambda: rr.sign(receipt, key)),
    ]
    for sentence, call in calls:
        with pytest.raises(TypeError, match=sentence):
            call()


def test_an_unknown_kind_of_document_names_the_kinds() -> None:
    text = (WORKED / "receipt.json").read_bytes()
    for kind in ("receipts", "spec", "", 3, "RewardEvidenceReceiptV1"):
        with pytest.raises(ValueError, match="expected one of: contract, certificate, receipt"):
            rr.read_document(text, kind)  # type: ignore[arg-type]
    for kind in (None, "receipt"):
        assert rr.read_document(text, kind) == rr.RewardEvidenceReceiptV1.model_validate(RECEIPT)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="dict"):
        rr.read_document(RECEIPT)  # type: ignore[arg-type]
