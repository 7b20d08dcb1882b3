"""Reward contracts, certificates and signed receipts for reinforcement learning.

Everything that the package offers is imported from here. A name's module is loaded when the name is first used, so
that a command that needs little starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .core.lazy import lazy_names

if TYPE_CHECKING:
    from .core.canonical import canonical_json_bytes as canonical_json_bytes
    from .core.findings import Finding as Finding
    from .core.findings import InvalidDocument as InvalidDocument
    from .core.findings import InvalidText as InvalidText
    from .core.generated.tables import REWARD_CERTIFIED_MINIMUM_TIER as REWARD_CERTIFIED_MINIMUM_TIER
    from .core.generated.tables import REWARD_SCORING_CLASS as REWARD_SCORING_CLASS
    from .core.generated.tables import RewardScoringClassV1 as RewardScoringClassV1
    from .core.generated.vocabulary import OracleChannel as OracleChannel
    from .core.generated.vocabulary import OracleTier as OracleTier
    from .core.generated.vocabulary import RewardCalibrationScopeV1 as RewardCalibrationScopeV1
    from .core.generated.vocabulary import RewardCertificateIssuerV1 as RewardCertificateIssuerV1
    from .core.generated.vocabulary import RewardCertificateStateV1 as RewardCertificateStateV1
    from .core.generated.vocabulary import RewardOutcomeV1 as RewardOutcomeV1
    from .core.generated.vocabulary import RewardUncertaintyStateV1 as RewardUncertaintyStateV1
    from .core.strict_json import read_json as read_json
    from .documents.generated.models import RewardCertificatePolicyV1 as RewardCertificatePolicyV1
    from .documents.generated.models import RewardCertificateV1 as RewardCertificateV1
    from .documents.generated.models import RewardComponentV1 as RewardComponentV1
    from .documents.generated.models import RewardContractV1 as RewardContractV1
    from .documents.generated.models import RewardEvidenceReceiptV1 as RewardEvidenceReceiptV1
    from .documents.generated.models import RewardOracleV1 as RewardOracleV1
    from .documents.generated.models import RewardScoringPolicyV1 as RewardScoringPolicyV1
    from .documents.oracle import RewardCertificationRefused as RewardCertificationRefused
    from .documents.oracle import refuse_development_certification as refuse_development_certification
    from .documents.oracle import tier_of as tier_of
    from .documents.outcomes import UNSCORED_REWARD_OUTCOMES as UNSCORED_REWARD_OUTCOMES
    from .documents.read import read_document as read_document
    from .documents.state import certificate_state as certificate_state
    from .receipts.audit import AuditFinding as AuditFinding
    from .receipts.audit import AuditReport as AuditReport
    from .receipts.audit import AuditVerdict as AuditVerdict
    from .receipts.audit import audit as audit
    from .receipts.issue import CertificateSignatureUnchecked as CertificateSignatureUnchecked
    from .receipts.issue import issue_certificate as issue_certificate
    from .receipts.issue import issue_receipt as issue_receipt
    from .receipts.issuer import DuplicateEpisode as DuplicateEpisode
    from .receipts.issuer import Episode as Episode
    from .receipts.issuer import Issuer as Issuer
    from .receipts.issuer import PolicyUpdateWentBack as PolicyUpdateWentBack
    from .receipts.keys import KeyFormatError as KeyFormatError
    from .receipts.keys import Keyring as Keyring
    from .receipts.keys import SigningKey as SigningKey
    from .receipts.lifetime import CertificateEnded as CertificateEnded
    from .receipts.lifetime import CertificateEnding as CertificateEnding
    from .receipts.lifetime import CertificateLifetime as CertificateLifetime
    from .receipts.lifetime import CertificateVacuous as CertificateVacuous
    from .receipts.receipt_file import ReceiptFileError as ReceiptFileError
    from .receipts.receipt_file import TornLine as TornLine
    from .receipts.score import DEFAULT_REWARD_SCORING as DEFAULT_REWARD_SCORING
    from .receipts.score import RewardScoreV1 as RewardScoreV1
    from .receipts.score import score as score
    from .receipts.sign import SignatureVerdict as SignatureVerdict
    from .receipts.sign import sign as sign
    from .receipts.sign import verify as verify
    from .validation.schemas import REWARD_CERTIFICATE_SCHEMA as REWARD_CERTIFICATE_SCHEMA
    from .validation.schemas import REWARD_CONTRACT_SCHEMA as REWARD_CONTRACT_SCHEMA
    from .validation.schemas import REWARD_EVIDENCE_RECEIPT_SCHEMA as REWARD_EVIDENCE_RECEIPT_SCHEMA

    __version__: str

# The same names again, for use at run time; a test compares the two.
_MODULES = {
    ".receipts.audit": "AuditFinding AuditReport AuditVerdict audit",
    ".core.canonical": "canonical_json_bytes",
    ".documents.state": "certificate_state",
    ".documents.oracle": "RewardCertificationRefused refuse_development_certification tier_of",
    ".documents.outcomes": "UNSCORED_REWARD_OUTCOMES",
    ".documents.read": "read_document",
    ".core.findings": "Finding InvalidDocument InvalidText",
    ".documents.generated.models": "RewardCertificatePolicyV1 RewardCertificateV1 RewardComponentV1 RewardContractV1 "
    "RewardEvidenceReceiptV1 RewardOracleV1 RewardScoringPolicyV1",
    ".core.generated.tables": "REWARD_CERTIFIED_MINIMUM_TIER REWARD_SCORING_CLASS RewardScoringClassV1",
    ".core.generated.vocabulary": "OracleChannel OracleTier RewardCalibrationScopeV1 RewardCertificateIssuerV1 "
    "RewardCertificateStateV1 RewardOutcomeV1 RewardUncertaintyStateV1",
    ".receipts.issue": "CertificateSignatureUnchecked issue_certificate issue_receipt",
    ".receipts.issuer": "DuplicateEpisode Episode Issuer PolicyUpdateWentBack",
    ".receipts.keys": "KeyFormatError Keyring SigningKey",
    ".receipts.lifetime": "CertificateEnded CertificateEnding CertificateLifetime CertificateVacuous",
    ".receipts.receipt_file": "ReceiptFileError TornLine",
    ".receipts.score": "DEFAULT_REWARD_SCORING RewardScoreV1 score",
    ".validation.schemas": "REWARD_CERTIFICATE_SCHEMA REWARD_CONTRACT_SCHEMA REWARD_EVIDENCE_RECEIPT_SCHEMA",
    ".receipts.sign": "SignatureVerdict sign verify",
    ".core.strict_json": "read_json",
}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("reward-receipts")
    except PackageNotFoundError:  # run from an archive or a frozen program, without the package's metadata
        return "unknown"


__getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES, {"__version__": _version})
