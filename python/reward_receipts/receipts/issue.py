"""Issuing certificates and receipts whose derived members follow from the documents that they belong to."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime

from ..core.generated.vocabulary import (
    OracleTier,
    RewardCalibrationScopeV1,
    RewardCertificateIssuerV1,
    RewardOutcomeV1,
    RewardUncertaintyStateV1,
)
from ..core.redaction import redacted
from ..documents.certification import effective_tier
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..documents.model import expected
from ..documents.oracle import require_tier
from ..documents.state import certificate_state
from .audit import audit
from .keys import PublicKey, SigningKey, require_signing_key
from .score import score
from .sign import require_certificate_signature, sign, with_placeholder


class CertificateSignatureUnchecked(UserWarning):
    """A receipt was issued on a certificate whose signature nobody checked."""


def issue_certificate(
    *,
    contract: RewardContractV1,
    epsilon: float,
    checker_configuration_digest: str,
    issued_at_policy_update: int,
    signing_key: SigningKey,
    delta: float | None = None,
    expiry_policy_updates: int | None = None,
    certificate_id: str | None = None,
    issued_at: str | None = None,
) -> RewardCertificateV1:
    """A signed certificate (of a synthetic calibration) that meets the policy of its contract.

    Threshold and corpus are those that the contract's policy names; ``delta`` (the probability that the bound is
    wrong) and ``expiry_policy_updates`` (for how many updates it is current) too unless they are given. ``epsilon`` is
    the bound on P(false accept) that was found at that threshold, at confidence 1 - delta; see
    ``reward_receipts.calibration``, which computes it and issues the certificate with it. ``certificate_id`` and
    ``issued_at`` are generated if they are left out.

    Raises ValueError if the certificate would not meet the policy: an epsilon, delta or expiry above the contract's.
    Raises pydantic's ValidationError if a member breaks the schema, TypeError if ``contract`` is another
    kind of document.

        certificate = issue_certificate(
            contract=contract,
            epsilon=0.0114123,
            checker_configuration_digest="sha256:" + "c" * 64,
            issued_at_policy_update=100,
            signing_key=SigningKey.from_file("issuer.private.json"),
        )
    """
    contract = expected(contract, RewardContractV1, "contract")._settled()
    require_signing_key(signing_key)
    policy = contract.certificate_policy
    unsigned = RewardCertificateV1.model_validate(
        {
            "certificate_id": f"certificate.{secrets.token_hex(16)}" if certificate_id is None else certificate_id,
            "reward_contract_digest": contract.digest,
            "checker_configuration_digest": checker_configuration_digest,
            "epsilon": epsilon,
            "delta": policy.delta if delta is None else delta,
            "threshold": policy.threshold,
            "calibration_corpus_digest": policy.calibration_corpus_digest,
            "calibration_scope": RewardCalibrationScopeV1.SYNTHETIC,
            "issued_at_policy_update": issued_at_policy_update,
            "expiry_policy_updates": policy.expiry_policy_updates
            if expiry_policy_updates is None
            else expiry_policy_updates,
            "issued_at": _now() if issued_at is None else issued_at,
            "issuer": RewardCertificateIssuerV1.SELF_SIGNED,
            "issuer_key_id": signing_key.key_id,
            **with_placeholder({}, signing_key.algorithm),
        }
    )
    if unmet := unsigned.unmet(policy):
        raise ValueError("no certificate was issued: " + " ".join(f"{each.code}: {each}" for each in unmet))
    return sign(unsigned, signing_key)


def issue_receipt(
    *,
    contract: RewardContractV1,
    certificate: RewardCertificateV1 | None,
    outcome: RewardOutcomeV1 | str,
    tier: OracleTier | int,
    policy_update: int,
    policy_checkpoint_id: str,
    episode_id: str,
    evidence_digest: str,
    signing_key: SigningKey,
    reward_components: Mapping[str, float] | None = None,
    uncertainty: RewardUncertaintyStateV1 | str = RewardUncertaintyStateV1.NONE,
    receipt_id: str | None = None,
    nonce: str | None = None,
    issued_at: str | None = None,
    certificate_keyring: PublicKey | None = None,
) -> RewardEvidenceReceiptV1:
    """A signed receipt that is right by construction: what follows from the other documents is worked out here.

    That is the scalar, certified (synthetic), development_only, the state of the certificate and the reference to it,
    and the tier, which counts at most as much as the contract's own channel. ``receipt_id``, ``nonce`` and
    ``issued_at`` are made where they are left out.

    ``certificate_keyring`` is the key, or the keyring, of whoever may issue certificates: a certificate that none of
    these signed is refused, as by ``score()``. Without it, a certificate under the signing key's own id is checked
    with that key; for any other the warning CertificateSignatureUnchecked says that nobody checked it.

    Raises ValueError where ``score()`` does and where a component is not the contract's, pydantic's ValidationError
    where what is given breaks a rule (components of an unscored episode, a verified one that is uncertain), TypeError
    for a dict or another kind of document.
    """
    contract = expected(contract, RewardContractV1, "contract")._settled()
    if certificate is not None:
        certificate = expected(certificate, RewardCertificateV1, "certificate")._settled()
    require_signing_key(signing_key)
    scored = score(
        outcome, tier, certificate, policy_update, contract=contract, certificate_keyring=certificate_keyring
    )
    if certificate is not None and certificate_keyring is None and certificate.issuer_key_id != signing_key.key_id:
        warnings.warn(
            f"the signature of certificate {redacted(certificate.certificate_id)} by key "
            f"{redacted(certificate.issuer_key_id)} was not checked; give its key as certificate_keyring",
            CertificateSignatureUnchecked,
            stacklevel=2,
        )
    unsigned = RewardEvidenceReceiptV1.model_validate(
        {
            "receipt_id": f"receipt.{secrets.token_hex(16)}" if receipt_id is None else receipt_id,
            "reward_contract_digest": contract.digest,
            "policy_checkpoint_id": policy_checkpoint_id,
            "policy_update": policy_update,
            "episode_id": episode_id,
            "oracle_tier": effective_tier(contract, require_tier(tier)),
            "reward_outcome": outcome,
            "evidence_digest": evidence_digest,
            "reward_components": {} if reward_components is None else reward_components,
            "scalar_reward": scored.scalar,
            "certificate_id": None if certificate is None else certificate.certificate_id,
            "certificate_digest": None if certificate is None else certificate.digest,
            "certificate_state": certificate_state(certificate, policy_update),
            "calibration_corpus_digest": None if certificate is None else certificate.calibration_corpus_digest,
            "calibration_scope": None if certificate is None else certificate.calibration_scope,
            "uncertainty": uncertainty,
            "certified": scored.certified,
            "development_only": scored.development_only,
            "issuer_key_id": signing_key.key_id,
            "nonce": f"nonce.{secrets.token_hex(16)}" if nonce is None else nonce,
            "issued_at": _now() if issued_at is None else issued_at,
            **with_placeholder({}, signing_key.algorithm),
        }
    )
    receipt = sign(unsigned, signing_key)
    report = audit(receipt, contract, certificate, keyring=signing_key.keyring)
    if report.findings:
        raise ValueError("no receipt was issued: " + " ".join(f"{f.code}: {f.sentence}" for f in report.findings))
    return receipt


def require_usable_certificate(
    contract: RewardContractV1, certificate: RewardCertificateV1 | None, keys: PublicKey | None, *, stacklevel: int
) -> None:
    """Raises unless a certificate can certify (synthetic) under a contract, and its signature is valid.

    Raises InvalidDocument for a signature that ``keys`` does not verify; without keys CertificateSignatureUnchecked is
    warned. Raises ValueError for the certificate of another contract, and for one that does not meet its policy.
    """
    if keys is not None:
        require_certificate_signature(certificate, keys)
    if certificate is None:
        return
    name = redacted(certificate.certificate_id)
    if keys is None:
        warnings.warn(
            f"the signature of certificate {name} by key {redacted(certificate.issuer_key_id)} was not checked; give "
            "the key of whoever issued it (certificate_keyring, or keyring)",
            CertificateSignatureUnchecked,
            stacklevel=stacklevel,
        )
    if certificate.reward_contract_digest != contract.digest:
        named = certificate.reward_contract_digest
        raise ValueError(f"certificate {name} names contract {named}; the contract here is {contract.digest}")
    if unmet := certificate.unmet(contract.certificate_policy):
        reasons = " ".join(f"{each.code}: {each}" for each in unmet)
        raise ValueError(f"certificate {name} can certify (synthetic) nothing under this contract: {reasons}")


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
