"""Issuing a receipt whose every derived member follows from its contract and certificate."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from .auditing import audit
from .documents.certificate import certificate_state
from .documents.certification import effective_tier
from .documents.oracle import require_tier
from .generated.models import RewardEvidenceReceiptV1
from .generated.vocabulary import OracleTier, RewardOutcomeV1, RewardUncertaintyStateV1
from .scoring import score
from .signatures import PLACEHOLDER_SIGNATURE, SigningKey, sign

if TYPE_CHECKING:
    from .generated.models import RewardCertificateV1, RewardContractV1


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
) -> RewardEvidenceReceiptV1:
    """A signed receipt that is right by construction: what follows from the other documents is worked out here.

    That is the scalar, certified (synthetic), development_only, the state of the certificate and the reference to it,
    and the tier, which counts at most as much as the contract's own channel. ``receipt_id``, ``nonce`` and
    ``issued_at`` are made where they are left out.

    Raises ValueError where ``score()`` does and where a component is not the contract's, pydantic's ValidationError
    where what is given breaks a rule (components of an unscored episode, a verified one that is uncertain).
    """
    contract = contract._settled()
    certificate = None if certificate is None else certificate._settled()
    scored = score(outcome, tier, certificate, policy_update, contract=contract)
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
            "issued_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if issued_at is None else issued_at,
            "signature": PLACEHOLDER_SIGNATURE,
        }
    )
    receipt = sign(unsigned, signing_key)
    report = audit(receipt, contract, certificate, keyring=signing_key.keyring)
    if report.findings:
        raise ValueError("no receipt was issued: " + " ".join(f"{f.code}: {f.sentence}" for f in report.findings))
    return receipt
