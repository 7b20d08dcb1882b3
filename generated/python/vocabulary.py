"""The words of the reward documents: enums.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate.py
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class OracleChannel(StrEnum):
    """The channel through which the oracle reads the terminal effect. Its tier follows from it."""

    VISUAL = "visual"
    OCR = "ocr"
    SECOND_SESSION = "second_session"
    API = "api"
    DB = "db"
    FILE = "file"
    ACK = "ack"
    COUNTERPARTY = "counterparty"


class OracleTier(IntEnum):
    """How independent of the actor's own view the reader of the terminal effect is."""

    VISUAL = 0
    INDEPENDENT_SESSION = 1
    SYSTEM_OF_RECORD = 2
    COUNTERPARTY = 3


class RewardOutcomeV1(StrEnum):
    """What the oracle found at the end of the episode."""

    VERIFIED = "verified"
    HALTED_BEFORE_EFFECT = "halted_before_effect"
    REFUSED = "refused"
    REJECTED_POLICY = "rejected_policy"
    WRONG_EFFECT = "wrong_effect"
    RECONCILIATION_REQUIRED = "reconciliation_required"
    FAILED_PLATFORM = "failed_platform"


class RewardCertificateStateV1(StrEnum):
    """Where the certificate stands at the policy update of the receipt."""

    ABSENT = "absent"
    NOT_YET_VALID = "not_yet_valid"
    CURRENT = "current"
    EXPIRED = "expired"


class RewardUncertaintyStateV1(StrEnum):
    """What is uncertain about the terminal effect."""

    NONE = "none"
    DELIVERY_UNCERTAIN = "delivery_uncertain"
    EFFECT_UNCERTAIN = "effect_uncertain"
    ORACLE_UNAVAILABLE = "oracle_unavailable"


class RewardCalibrationScopeV1(StrEnum):
    """What the checker was calibrated on. Version 1 knows one scope; a production scope cannot be written down."""

    SYNTHETIC = "synthetic"


class RewardCertificateIssuerV1(StrEnum):
    """Who vouches for the certificate. Version 1 knows one issuer."""

    SELF_SIGNED = "self_signed"
