"""What a consumer writes, as mypy --strict sees it with the package installed: tox -e types. A test runs it too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, assert_type

import reward_receipts as rr
from reward_receipts import (
    DEFAULT_REWARD_SCORING,
    REWARD_CERTIFICATE_SCHEMA,
    REWARD_CERTIFIED_MINIMUM_TIER,
    REWARD_CONTRACT_SCHEMA,
    REWARD_EVIDENCE_RECEIPT_SCHEMA,
    REWARD_SCORING_CLASS,
    UNSCORED_REWARD_OUTCOMES,
    OracleChannel,
    OracleTier,
    RewardCalibrationScopeV1,
    RewardCertificateIssuerV1,
    RewardCertificatePolicyV1,
    RewardCertificateStateV1,
    RewardCertificateV1,
    RewardCertificationRefused,
    RewardComponentV1,
    RewardContractV1,
    RewardEvidenceReceiptV1,
    RewardOracleV1,
    RewardOutcomeV1,
    RewardScoreV1,
    RewardScoringClassV1,
    RewardScoringPolicyV1,
    RewardUncertaintyStateV1,
    certificate_state,
    refuse_development_certification,
    score,
    tier_of,
)


def make_contract() -> RewardContractV1:
    """A contract from Python: the constructors take what the fields say."""
    oracle = RewardOracleV1(
        channel=OracleChannel.DB, identity_keys=("record_id",), oracle_contract_digest="sha256:" + "a" * 64
    )
    policy = RewardCertificatePolicyV1(
        epsilon=0.05,
        delta=0.05,
        threshold=0.5,
        calibration_corpus_digest="sha256:" + "c" * 64,
        expiry_policy_updates=50,
    )
    return RewardContractV1(
        contract_id="contract.consumer",
        contract_version="contract.consumer.v1",
        task_id="task.consumer",
        task_digest="sha256:" + "a" * 64,
        environment_id="environment.consumer",
        environment_digest="sha256:" + "a" * 64,
        required_effect_contract_digest="sha256:" + "a" * 64,
        forbidden_effect_contract_digest="sha256:" + "b" * 64,
        oracle=oracle,
        components=(RewardComponentV1(name="terminal_effect", weight=1.0),),
        certificate_policy=policy,
    )


def read_contract(contract: RewardContractV1) -> None:
    """What a contract offers."""
    assert_type(contract.digest, str)
    assert_type(contract.component_names, tuple[str, ...])
    assert_type(contract.components, tuple[RewardComponentV1, ...])
    assert_type(contract.oracle.tier, OracleTier)
    assert_type(contract.scoring, RewardScoringPolicyV1)
    assert_type(contract.scoring.scalar_for("verified"), float | None)
    assert_type(contract.scoring.scalar_for(RewardOutcomeV1.REFUSED), float | None)
    assert contract.scoring == DEFAULT_REWARD_SCORING
    assert contract.schema_version == REWARD_CONTRACT_SCHEMA


def read_certificate(certificate: RewardCertificateV1, contract: RewardContractV1) -> None:
    """What a certificate offers."""
    assert_type(certificate.digest, str)
    assert_type(certificate.expires_at_policy_update, int)
    assert_type(certificate.state_at(7), RewardCertificateStateV1)
    assert_type(certificate.is_current(7), bool)
    assert_type(certificate.satisfies(contract.certificate_policy), bool)
    assert_type(certificate.unsigned_payload(), dict[str, Any])
    assert_type(certificate.calibration_scope, RewardCalibrationScopeV1)
    assert_type(certificate.issuer, RewardCertificateIssuerV1)
    assert_type(certificate_state(None, 7), RewardCertificateStateV1)
    shortfalls: tuple[str, ...] = certificate.unmet(contract.certificate_policy)
    assert shortfalls == ()
    assert certificate.schema_version == REWARD_CERTIFICATE_SCHEMA


def read_receipt(
    receipt: RewardEvidenceReceiptV1, contract: RewardContractV1, certificate: RewardCertificateV1 | None
) -> None:
    """What a receipt offers."""
    assert_type(receipt.digest, str)
    assert_type(receipt.scoring_class, RewardScoringClassV1)
    assert_type(receipt.scalar_reward, float | None)
    assert_type(receipt.uncertainty, RewardUncertaintyStateV1)
    components: Mapping[str, float] = receipt.reward_components
    assert set(components) <= set(contract.component_names)
    refusals: tuple[str, ...] = receipt.certification_refusals(contract, certificate)
    assert bool(refusals) != receipt.certified
    assert receipt.schema_version == REWARD_EVIDENCE_RECEIPT_SCHEMA
    assert REWARD_SCORING_CLASS[receipt.reward_outcome] is receipt.scoring_class
    assert (receipt.scalar_reward is None) == (receipt.reward_outcome in UNSCORED_REWARD_OUTCOMES)


def score_an_episode(contract: RewardContractV1, certificate: RewardCertificateV1 | None) -> RewardScoreV1:
    """Outcomes and tiers are given as members or as plain values."""
    scored = score("verified", 2, certificate, 7, contract=contract)
    assert scored == score(RewardOutcomeV1("verified"), OracleTier.SYSTEM_OF_RECORD, certificate, 7, contract=contract)
    scalar, certified, development_only, refusals = scored
    assert_type(scalar, float | None)
    assert_type(certified, bool)
    assert_type(development_only, bool)
    sentences: tuple[str, ...] = refusals
    codes: list[str] = [refusal.code for refusal in refusals]
    assert len(sentences) == len(codes)
    return scored


def refuse(channel: str) -> str | None:
    """Why a reward that was read through a channel cannot be certified (synthetic)."""
    tier = tier_of(channel)
    assert_type(tier, OracleTier)
    try:
        refuse_development_certification(tier)
    except RewardCertificationRefused as refused:
        assert tier < REWARD_CERTIFIED_MINIMUM_TIER
        return str(refused)
    return None


def issue(contract: RewardContractV1, key: rr.SigningKey) -> RewardEvidenceReceiptV1:
    """A receipt of one's own, without a certificate."""
    return rr.issue_receipt(
        contract=contract,
        certificate=None,
        outcome="verified",
        tier=2,
        policy_update=7,
        policy_checkpoint_id="checkpoint.consumer",
        episode_id="episode.consumer",
        evidence_digest="sha256:" + "e" * 64,
        reward_components={"terminal_effect": 1.0},
        signing_key=key,
    )


def read_a_file(path: Path, keyring_path: Path) -> tuple[rr.AuditVerdict, tuple[str, ...]]:
    """From text to a verdict."""
    try:
        document = rr.read_document(path.read_bytes())
    except rr.InvalidDocument as error:
        return rr.AuditVerdict.FAILS, tuple(finding.code for finding in error.findings)
    assert_type(document, RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1)
    if not isinstance(document, RewardEvidenceReceiptV1):
        return rr.AuditVerdict.UNDECIDED, ()
    keyring = rr.Keyring.from_file(keyring_path)
    assert_type(rr.verify(document, keyring), rr.SignatureVerdict)
    report = rr.audit(document, keyring=keyring, at_update=8)
    assert_type(report, rr.AuditReport)
    assert_type(report.checked, tuple[str, ...])
    return report.verdict, tuple(finding.code for finding in (*report.findings, *report.unchecked))


def use_everything(folder: Path) -> rr.AuditVerdict:
    """All of the above on documents made here. ``folder`` takes a receipt and a keyring. Gives the verdict."""
    contract = make_contract()
    read_contract(contract)
    key = rr.SigningKey.generate("key.consumer")
    certificate = rr.sign(
        RewardCertificateV1(
            certificate_id="certificate.consumer",
            reward_contract_digest=contract.digest,
            checker_configuration_digest="sha256:" + "d" * 64,
            epsilon=0.0114,
            delta=0.05,
            threshold=0.5,
            calibration_corpus_digest="sha256:" + "c" * 64,
            calibration_scope=RewardCalibrationScopeV1.SYNTHETIC,
            issued_at_policy_update=0,
            expiry_policy_updates=50,
            issued_at="2026-09-01T12:00:00Z",
            issuer=RewardCertificateIssuerV1.SELF_SIGNED,
            issuer_key_id=key.key_id,
            signature="A" * 86 + "==",
        ),
        key,
    )
    assert_type(certificate, RewardCertificateV1)
    read_certificate(certificate, contract)
    assert score_an_episode(contract, certificate).certified
    assert not score_an_episode(contract, None).certified
    assert refuse("ocr") is not None
    assert refuse("counterparty") is None
    receipt = issue(contract, key)
    read_receipt(receipt, contract, None)
    same = RewardEvidenceReceiptV1.model_validate_json(rr.canonical_json_bytes(receipt))
    assert_type(same, RewardEvidenceReceiptV1)
    assert same == receipt == receipt.model_copy()
    (folder / "receipt.json").write_bytes(rr.canonical_json_bytes(receipt))
    (folder / "keyring.json").write_bytes(rr.canonical_json_bytes({key.key_id: key.public_key}))
    verdict, codes = read_a_file(folder / "receipt.json", folder / "keyring.json")
    assert_type(verdict, rr.AuditVerdict)
    assert codes == (
        "receipt-names-another-contract",
        "tier-exceeds-channel",
        "scalar-differs-from-contract",
        "component-not-in-contract",
    )
    return verdict
