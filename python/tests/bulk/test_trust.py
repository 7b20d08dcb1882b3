"""Trust policies: which key may sign what, the least tier, certified (synthetic) or not."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from command_line import Shell
from field import Bench
from reward_receipts.bulk import Auditor, TrustPolicy, Verdict

BENCH = Bench()
KEY = BENCH.key.key_id
OPEN: dict[str, Any] = {"keys": [{"key_id": KEY, "signs": ["receipts", "certificates"]}]}
OTHER = "sha256:" + "0" * 64


def codes(policy: dict[str, Any], receipt: rr.RewardEvidenceReceiptV1 | None = None) -> list[str]:
    """The findings of a receipt under a policy; those of its line in a file are the same."""
    auditor = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring, policy=TrustPolicy.from_plain(policy))
    return [finding.code for finding in auditor.receipt(receipt or BENCH.receipt()).findings]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (OPEN, []),
        ({"keys": [{"key_id": KEY, "signs": ["receipts"]}]}, ["policy-certificate-signer-not-allowed"]),
        ({"keys": [{"key_id": KEY, "signs": ["certificates"]}]}, ["policy-signer-not-allowed"]),
        (
            {"keys": [{"key_id": KEY, "signs": ["receipts", "certificates"], "contracts": [OTHER]}]},
            ["policy-signer-not-allowed", "policy-certificate-signer-not-allowed"],
        ),
        (
            {
                "keys": [
                    {"key_id": KEY, "signs": ["receipts"], "contracts": [OTHER, BENCH.contract.digest]},
                    {"key_id": KEY, "signs": ["certificates"]},
                ]
            },
            [],
        ),
        ({**OPEN, "least_tier": 2, "certified_synthetic_required": True}, []),
        ({**OPEN, "least_tier": 3}, ["policy-tier-too-low"]),
        ({**OPEN, "at_update": 100}, ["policy-update-ahead"]),
    ],
)
def test_a_policy_allows_its_keys(policy: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert codes(policy) == expected
    auditor = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring, policy=TrustPolicy.from_plain(policy))
    (tmp_path / "a.jsonl").write_text(BENCH.receipt().model_dump_json())
    (found,) = pickle.loads(pickle.dumps(auditor)).files([str(tmp_path)])
    assert [finding.code for finding in found.findings] == expected
    assert found == auditor.receipt(BENCH.receipt()) or found.source
    assert (found.verdict == "holds") is (expected == [])


def test_a_receipt_that_is_not_certified() -> None:
    plain = BENCH.receipt(oracle_tier=1, certified=False, development_only=True)
    assert codes(OPEN, plain) == []
    assert codes({**OPEN, "certified_synthetic_required": True}, plain) == ["policy-not-certified"]


def test_roles_are_in_every_verdict(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(BENCH.receipt().model_dump_json())
    policy = TrustPolicy.from_plain({"keys": [{"key_id": KEY, "signs": ["certificates"]}]})
    for held, allowed in ((None, [None, None]), (policy, [False, True])):
        auditor = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring, policy=held)
        (found,) = auditor.files([str(tmp_path)])
        assert isinstance(found, Verdict)
        for verdict in (found, auditor.receipt(BENCH.receipt())):
            assert [role.signs for role in verdict.roles] == ["receipts", "certificates"]
            assert [role.key_id for role in verdict.roles] == [KEY, KEY]
            assert [role.allowed for role in verdict.roles] == allowed


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"keys": []}, "schema.minItems"),
        ({"keys": None}, "schema.type"),
        ({"least_tier": 4}, "schema.maximum"),
        ({"certified": True}, "schema.additionalProperties"),
        ({"keys": [{"key_id": KEY, "signs": ["contracts"]}]}, "schema.enum"),
        ({"schema_version": "reward-receipts.trust-policy/v2"}, "schema.const"),
    ],
)
def test_a_policy_that_is_not_one(change: dict[str, Any], code: str) -> None:
    with pytest.raises(rr.InvalidDocument) as caught:
        TrustPolicy.from_plain({**OPEN, **change})
    assert [finding.code for finding in caught.value.findings] == [code]


def test_a_policy_goes_with_the_audit() -> None:
    with pytest.raises(ValueError, match="level audit"):
        Auditor([], [], policy=TrustPolicy.from_plain(OPEN), level="schema")


def test_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Shell(tmp_path, capsys, monkeypatch)
    desk.write("contract.json", BENCH.contract.model_dump_json())
    desk.write("certificate.json", BENCH.certificate.model_dump_json())
    desk.write("keyring.json", {KEY: BENCH.key.public_key})
    desk.write("receipt.json", BENCH.receipt().model_dump_json())
    given = ("audit", "receipt.json", "--documents", "c*.json", "--keyring", "keyring.json", "--policy")
    desk.write("policy.yaml", f"keys:\n  - {{key_id: {KEY}, signs: [receipts]}}\nleast_tier: 2\n")
    (result,) = json.loads(desk(*given, "policy.yaml", "-f", "json").out)["results"]
    assert result["verdict"] == "fails"
    assert [each["code"] for each in result["findings"]] == ["policy-certificate-signer-not-allowed"]
    assert [role["allowed"] for role in result["roles"]] == [True, False]
    desk.write("policy.json", OPEN)
    assert desk(*given, "policy.json").status == 0
    desk.write("policy.json", {"keys": []})
    ran = desk(*given, "policy.json")
    assert (ran.status, ran.out) == (2, "")
    assert "policy.json is not a trust policy" in ran.err
    assert desk(*given, "missing.yaml").status == 2
