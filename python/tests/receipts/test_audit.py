"""audit() and issue_receipt(): section 8, check by check."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import warnings
from typing import Any

import pytest
import reward_receipts as rr
from field import PUBLIC_KEY, Bench, field_certificate, field_contract, field_receipts
from reward_receipts.core import codes as core_codes
from reward_receipts.core.codes import AuditCheck, audit_checks, catalogue
from reward_receipts.core.findings import shown
from reward_receipts.receipts import audit as auditing

CONTRACT_CHECKS = {
    "receipt-names-another-contract",
    "tier-exceeds-channel",
    "scalar-differs-from-contract",
    "component-not-in-contract",
}
CERTIFICATE_CHECKS = {
    "receipt-names-another-certificate",
    "certificate-id-differs",
    "corpus-differs-from-certificate",
    "scope-differs-from-certificate",
    "certificate-state-differs",
}
BOTH_CHECKS = {"certified-unsupported", "certified-understated"}
KEY_CHECKS = {"signature-invalid", "certificate-signature-invalid"}
UPDATE_CHECKS = {"certificate-expired-at-update", "policy-update-ahead"}
ABSENT = {
    "certificate_state": "absent",
    "certificate_id": None,
    "certificate_digest": None,
    "calibration_corpus_digest": None,
    "calibration_scope": None,
    "certified": False,
}


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench()


def codes(report: rr.AuditReport) -> list[str]:
    return [finding.code for finding in report.findings]


def unchecked(report: rr.AuditReport) -> set[str]:
    return {finding.code for finding in report.unchecked}


def test_a_sound_receipt_holds_and_every_check_ran(bench: Bench) -> None:
    report = bench.audit(bench.receipt(), at_update=130)
    assert report.verdict is rr.AuditVerdict.HOLDS
    assert set(report.checked) == CONTRACT_CHECKS | CERTIFICATE_CHECKS | BOTH_CHECKS | KEY_CHECKS | UPDATE_CHECKS
    assert report.findings == report.unchecked == ()


def test_only_holds_is_true() -> None:
    assert [bool(verdict) for verdict in rr.AuditVerdict] == [True, False, False]
    bench = Bench()
    assert bench.audit(bench.receipt())
    assert not bench.audit(bench.receipt(scalar_reward=0.5))
    assert not rr.audit(bench.receipt())


def test_the_receipts_of_the_field_hold() -> None:
    contract, certificate = field_contract(), field_certificate()
    for receipt in field_receipts():
        assert rr.audit(receipt, contract, certificate, keyring=PUBLIC_KEY).verdict is rr.AuditVerdict.HOLDS


FAULTS: list[tuple[str, dict[str, Any], dict[str, Any], list[str]]] = [
    # what is wrong, members of the receipt, options of the audit, findings
    ("another contract", {"reward_contract_digest": "sha256:" + "0" * 64}, {}, ["receipt-names-another-contract"]),
    ("stronger than the channel", {"oracle_tier": 3}, {}, ["tier-exceeds-channel"]),
    ("another scalar", {"scalar_reward": 0.5}, {}, ["scalar-differs-from-contract"]),
    ("one ulp off", {"scalar_reward": 0.9999999999999999}, {}, ["scalar-differs-from-contract"]),
    ("a component too many", {"reward_components": {"latency": 0.5}}, {}, ["component-not-in-contract"]),
    ("another certificate id", {"certificate_id": "reward.certificate.0002"}, {}, ["certificate-id-differs"]),
    ("another corpus", {"calibration_corpus_digest": "sha256:" + "0" * 64}, {}, ["corpus-differs-from-certificate"]),
    ("a state that is not", {"certificate_state": "expired", "certified": False}, {}, ["certificate-state-differs"]),
    ("understated", {"certified": False}, {}, ["certified-understated"]),
    ("expired for the trainer", {}, {"at_update": 150}, ["certificate-expired-at-update"]),
    ("ahead of the trainer", {}, {"at_update": 119}, ["policy-update-ahead"]),
]


@pytest.mark.parametrize(("members", "options", "found"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_each_fault_is_found(bench: Bench, members: dict[str, Any], options: dict[str, Any], found: list[str]) -> None:
    report = bench.audit(bench.receipt(**members), **options)
    assert set(found) <= set(codes(report))
    follows = {"certified-unsupported", "certified-understated"}  # what else follows from the same fault
    assert set(codes(report)) - set(found) <= follows
    assert report.verdict is rr.AuditVerdict.FAILS


def test_certificate_faults(bench: Bench) -> None:
    other = bench.certify(certificate_id="reward.certificate.0002")
    report = rr.audit(bench.receipt(), bench.contract, other, keyring=bench.key.keyring)
    assert codes(report) == ["receipt-names-another-certificate", "certificate-id-differs", "certified-unsupported"]
    loose = Bench()
    loose.certificate = loose.certify(epsilon=0.248885)
    report = loose.audit(loose.receipt())
    assert codes(report) == ["certified-unsupported"]
    assert "0.248885" in report.findings[0].sentence
    assert "0.0114" in report.findings[0].sentence
    assert loose.audit(loose.receipt(certified=False)).verdict is rr.AuditVerdict.HOLDS


def test_a_scope_that_differs_needs_a_document_that_no_schema_lets_through(bench: Bench) -> None:
    # Version 1 has one scope, so the check cannot fail on documents that hold; it still runs.
    assert "scope-differs-from-certificate" in bench.audit(bench.receipt()).checked


def test_weaker_than_promised_is_allowed(bench: Bench) -> None:
    receipt = bench.receipt(**ABSENT, oracle_tier=0, development_only=True)
    assert bench.audit(receipt).verdict is rr.AuditVerdict.HOLDS


def test_a_component_may_be_missing(bench: Bench) -> None:
    assert bench.audit(bench.receipt(reward_components={"terminal_effect": 1.0})).verdict is rr.AuditVerdict.HOLDS


def test_numbers_compare_as_doubles() -> None:
    bench = Bench(scoring={"wrong_effect_reward": -0.0})
    receipt = bench.receipt(reward_outcome="wrong_effect", scalar_reward=0)
    assert bench.audit(receipt).verdict is rr.AuditVerdict.HOLDS


@pytest.mark.parametrize("outcome", sorted(rr.UNSCORED_REWARD_OUTCOMES))
def test_an_unscored_receipt_holds_without_a_scalar(bench: Bench, outcome: str) -> None:
    uncertainty = "effect_uncertain" if outcome == "reconciliation_required" else "none"
    receipt = bench.receipt(reward_outcome=outcome, scalar_reward=None, reward_components={}, uncertainty=uncertainty)
    assert bench.audit(receipt).verdict is rr.AuditVerdict.HOLDS
    assert receipt.scalar_reward is None


def test_with_state_absent_the_certificates_checks_do_not_apply(bench: Bench) -> None:
    receipt = bench.receipt(**ABSENT)
    for certificate in (None, bench.certificate):
        report = rr.audit(receipt, bench.contract, certificate, keyring=bench.key.keyring, at_update=9000)
        assert report.verdict is rr.AuditVerdict.HOLDS
        assert set(report.checked) == CONTRACT_CHECKS | {"signature-invalid", "policy-update-ahead"}


@pytest.mark.parametrize("given", list(itertools.product([False, True], repeat=4)))
def test_anything_that_could_not_run_is_listed_and_decides_nothing(bench: Bench, given: tuple[bool, ...]) -> None:
    has_contract, has_certificate, has_key, has_update = given
    report = rr.audit(
        bench.receipt(),
        bench.contract if has_contract else None,
        bench.certificate if has_certificate else None,
        keyring=bench.key.keyring if has_key else None,
        at_update=130 if has_update else None,
    )
    missing: set[str] = set()
    if not has_contract:
        missing |= CONTRACT_CHECKS | BOTH_CHECKS
    if not has_certificate:
        missing |= CERTIFICATE_CHECKS | BOTH_CHECKS | {"certificate-signature-invalid"}
        missing |= {"certificate-expired-at-update"} if has_update else set()
    if not has_key:
        missing |= {"signer-unknown"} | ({"certificate-signer-unknown"} if has_certificate else set())
    assert unchecked(report) == missing
    assert report.findings == ()
    assert not set(report.checked) & missing
    whole = has_contract and has_certificate and has_key
    assert report.verdict is (rr.AuditVerdict.HOLDS if whole else rr.AuditVerdict.UNDECIDED)


def test_a_fault_decides_even_where_other_checks_could_not_run(bench: Bench) -> None:
    assert rr.audit(bench.receipt(scalar_reward=0.5), bench.contract).verdict is rr.AuditVerdict.FAILS


def test_signatures_are_checked_against_keys_in_hand(bench: Bench) -> None:
    receipt, other = bench.receipt(), rr.SigningKey.generate(bench.key.key_id)
    report = rr.audit(receipt, bench.contract, bench.certificate, keyring=other.keyring)
    assert codes(report) == ["signature-invalid", "certificate-signature-invalid"]
    stranger = rr.SigningKey.generate("key.stranger.0001")
    report = rr.audit(receipt, bench.contract, bench.certificate, keyring=stranger.keyring)
    assert (codes(report), report.verdict) == ([], rr.AuditVerdict.UNDECIDED)
    assert unchecked(report) == {"signer-unknown", "certificate-signer-unknown"}
    with pytest.raises(rr.KeyFormatError):
        rr.audit(receipt, keyring="no key")


@pytest.mark.parametrize("update", [-1, True, 1.0, "7"])
def test_an_update_that_is_none_is_a_value_error(bench: Bench, update: Any) -> None:
    with pytest.raises(ValueError, match="policy update"):
        rr.audit(bench.receipt(), at_update=update)


def test_every_finding_names_both_values_and_a_known_code(bench: Bench) -> None:
    seen = set()
    for _, members, options, _ in FAULTS:
        for finding in bench.audit(bench.receipt(**members), **options).findings:
            assert finding.code in catalogue()
            assert finding.pointer[1:] in rr.RewardEvidenceReceiptV1.model_fields
            assert "{" not in finding.sentence
            seen.add(finding.code)
            if "scalar" in finding.code:
                assert shown(1.0) in finding.sentence
    assert seen >= (CONTRACT_CHECKS | UPDATE_CHECKS | BOTH_CHECKS)


ISSUE: dict[str, Any] = {
    "outcome": "verified",
    "tier": 2,
    "policy_update": 120,
    "policy_checkpoint_id": "policy.checkpoint.0120",
    "episode_id": "episode.reference.0001",
    "evidence_digest": "sha256:" + "b" * 64,
    "reward_components": {"terminal_effect": 1.0},
}


def issued(bench: Bench, **members: Any) -> rr.RewardEvidenceReceiptV1:
    given = {"contract": bench.contract, "certificate": bench.certificate, "signing_key": bench.key, **ISSUE}
    return rr.issue_receipt(**{**given, **members})


@pytest.mark.parametrize("outcome", list(rr.RewardOutcomeV1))
def test_an_issued_receipt_holds_whatever_happened(bench: Bench, outcome: rr.RewardOutcomeV1) -> None:
    unscored = outcome in rr.UNSCORED_REWARD_OUTCOMES
    uncertain = outcome is rr.RewardOutcomeV1.RECONCILIATION_REQUIRED
    loose = bench.certify(epsilon=0.5)
    for tier, update, certificate in itertools.product(range(4), (99, 120, 150), (None, bench.certificate, loose)):
        receipt = issued(
            bench,
            outcome=outcome,
            tier=tier,
            policy_update=update,
            certificate=certificate,
            reward_components=None if unscored else {"terminal_effect": 0.0},
            uncertainty="effect_uncertain" if uncertain else "none",
        )
        report = rr.audit(receipt, bench.contract, certificate, keyring=bench.key.keyring)
        assert report.verdict is rr.AuditVerdict.HOLDS
        assert (receipt.scalar_reward is None) is unscored
        assert receipt.oracle_tier <= 2  # the channel's
        assert receipt.certified is (tier >= 2 and update == 120 and certificate is bench.certificate)


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"reward_components": {"latency": 1.0}}, "component-not-in-contract"),
        ({"reward_components": {}}, "receipt.scored-needs-components"),
        ({"outcome": "failed_platform"}, "receipt.unscored-no-components"),
        ({"uncertainty": "effect_uncertain"}, "receipt.verified-certain"),
        ({"outcome": "reconciliation_required", "reward_components": {}}, "receipt.reconciliation-uncertain"),
        ({"outcome": "won"}, "reward outcome"),
        ({"tier": True}, "oracle tier"),
        ({"policy_update": 1.0}, "policy update"),
        ({"nonce": "short"}, "schema.pattern"),
        ({"issued_at": "2026-02-30T00:00:00Z"}, "schema.pattern"),
    ],
)
def test_an_inconsistent_receipt_is_not_issued(bench: Bench, members: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        issued(bench, **members)


def test_a_contract_that_came_past_validation_issues_like_its_checked_twin(bench: Bench) -> None:
    loose = rr.RewardContractV1.model_construct(**bench.contract.model_dump())
    assert issued(bench, contract=loose).reward_contract_digest == bench.contract.digest
    for empty in ({"receipt_id": ""}, {"nonce": ""}, {"issued_at": ""}):
        with pytest.raises(ValueError, match="schema.pattern"):
            issued(bench, **empty)


def test_each_issued_receipt_has_ids_of_its_own(bench: Bench) -> None:
    first, second = issued(bench), issued(bench)
    assert first.nonce != second.nonce
    assert first.receipt_id != second.receipt_id
    named = issued(bench, nonce="nonce.of.my.own", receipt_id="receipt.of.my.own", issued_at="2026-09-01T12:00:00Z")
    assert (named.nonce, named.receipt_id, named.issued_at) == (
        "nonce.of.my.own",
        "receipt.of.my.own",
        "2026-09-01T12:00:00Z",
    )


def test_a_receipt_on_a_forged_certificate_is_not_issued(bench: Bench) -> None:
    forged = bench.certify(epsilon=0.4).model_copy(update={"epsilon": 0.0001})
    scorer = rr.SigningKey.generate("key.scorer.0001")
    for keys in (bench.key.keyring, bench.key.public_key):
        assert issued(bench, signing_key=scorer, certificate_keyring=keys).certified
        with pytest.raises(rr.InvalidDocument, match="certificate-signature-invalid"):
            issued(bench, signing_key=scorer, certificate=forged, certificate_keyring=keys)
    with pytest.raises(ValueError, match="certificate-signer-unknown"):
        issued(bench, signing_key=scorer, certificate_keyring=scorer.keyring)
    with pytest.raises(ValueError, match="certificate-signature-invalid"):
        issued(bench, certificate=forged)  # under the signing key's own id, which is always at hand


def test_issuing_warns_of_a_certificate_that_nobody_checked(bench: Bench) -> None:
    scorer = rr.SigningKey.generate("key.scorer.0001")
    with pytest.warns(rr.CertificateSignatureUnchecked, match="certificate_keyring") as warned:
        issued(bench, signing_key=scorer)
    assert len(warned) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        issued(bench)
        issued(bench, signing_key=scorer, certificate=None)
        issued(bench, signing_key=scorer, certificate_keyring=bench.key.keyring)


CERTIFY: dict[str, Any] = {
    "epsilon": 0.01,
    "checker_configuration_digest": "sha256:" + "c" * 64,
    "issued_at_policy_update": 100,
}


def test_an_issued_certificate_meets_the_contracts_policy(bench: Bench) -> None:
    certificate = rr.issue_certificate(contract=bench.contract, signing_key=bench.key, **CERTIFY)
    policy = bench.contract.certificate_policy
    assert certificate.satisfies(policy)
    assert (certificate.delta, certificate.expiry_policy_updates) == (policy.delta, policy.expiry_policy_updates)
    assert rr.verify(certificate, bench.key.keyring)
    assert rr.score("verified", 2, certificate, 120, contract=bench.contract).certified
    shorter = {"delta": 0.01, "expiry_policy_updates": 5, "certificate_id": "certificate.of.my.own"}
    own = rr.issue_certificate(
        contract=bench.contract, signing_key=bench.key, **CERTIFY, **shorter, issued_at="2026-09-01T12:00:00Z"
    )
    assert {name: getattr(own, name) for name in shorter} == shorter
    assert own.issued_at == "2026-09-01T12:00:00Z"


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"epsilon": 0.02}, "epsilon-exceeds-policy"),
        ({"delta": 0.06}, "delta-exceeds-policy"),
        ({"expiry_policy_updates": 51}, "expiry-exceeds-policy"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": 1.0}, "epsilon"),
        ({"delta": 0.0}, "delta"),
        ({"issued_at_policy_update": -1}, "issued_at_policy_update"),
        ({"expiry_policy_updates": 0}, "expiry_policy_updates"),
        ({"certificate_id": ""}, "certificate_id"),
        ({"issued_at": ""}, "issued_at"),
        ({"checker_configuration_digest": "none"}, "checker_configuration_digest"),
    ],
)
def test_a_certificate_that_breaks_the_policy_is_not_issued(bench: Bench, members: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        rr.issue_certificate(contract=bench.contract, signing_key=bench.key, **{**CERTIFY, **members})


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        (audit_checks()[1:], "receipt-names-another-contract"),
        ((*audit_checks(), AuditCheck("sleep-differs", frozenset(), ())), "sleep-differs"),
    ],
)
def test_a_check_without_a_function_or_a_function_without_a_check_is_refused_at_import(
    monkeypatch: pytest.MonkeyPatch, changed: tuple[AuditCheck, ...], name: str
) -> None:
    spec = importlib.util.spec_from_file_location("reward_receipts.receipts.audit_again", auditing.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look it up
    monkeypatch.setattr(core_codes, "audit_checks", lambda: changed)
    with pytest.raises(ImportError, match=name):
        spec.loader.exec_module(module)


def test_reports_follow_the_order_of_the_table(bench: Bench) -> None:
    order = [check.code for check in audit_checks()]
    assert list(bench.audit(bench.receipt(), at_update=130).checked) == order
