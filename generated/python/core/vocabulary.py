"""The words of the reward documents: enums.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class OracleChannel(StrEnum):
    """The channel through which the oracle reads the terminal effect. Its tier follows from it."""

    VISUAL = "visual"
    """What the screen shows, read as an image: tier 0."""
    OCR = "ocr"
    """What the screen shows, read as text: tier 0."""
    SECOND_SESSION = "second_session"
    """A second session, independent of the one that acted: tier 1."""
    API = "api"
    """The application programming interface of the system of record: tier 2."""
    DB = "db"
    """The database of the system of record: tier 2."""
    FILE = "file"
    """A file that the system of record wrote: tier 2."""
    ACK = "ack"
    """An acknowledgement by the system of record: tier 2."""
    COUNTERPARTY = "counterparty"
    """What the other party to the effect holds: tier 3."""


class OracleTier(IntEnum):
    """How independent of the actor's own view the reader of the terminal effect is."""

    VISUAL = 0
    """The actor's own view of the screen."""
    INDEPENDENT_SESSION = 1
    """A session of its own, on the same application."""
    SYSTEM_OF_RECORD = 2
    """The system that holds the record."""
    COUNTERPARTY = 3
    """The other party to the effect."""


class RewardOutcomeV1(StrEnum):
    """What the oracle found at the end of the episode."""

    VERIFIED = "verified"
    """The required effect is there, and no forbidden one."""
    HALTED_BEFORE_EFFECT = "halted_before_effect"
    """The policy stopped before it had an effect."""
    REFUSED = "refused"
    """The policy declined the task."""
    REJECTED_POLICY = "rejected_policy"
    """A policy of the environment rejected the action."""
    WRONG_EFFECT = "wrong_effect"
    """An effect is there that the contract forbids or does not ask for."""
    RECONCILIATION_REQUIRED = "reconciliation_required"
    """Nobody can say yet what the effect was: unscored, never 0.0."""
    FAILED_PLATFORM = "failed_platform"
    """The platform failed, not the policy: unscored, never 0.0."""


class RewardCertificateStateV1(StrEnum):
    """The state of the certificate at the policy update of the receipt."""

    ABSENT = "absent"
    """No certificate was presented."""
    NOT_YET_VALID = "not_yet_valid"
    """The policy update comes before the one that the certificate was issued at."""
    CURRENT = "current"
    """The certificate holds at this policy update."""
    EXPIRED = "expired"
    """The certificate's policy updates are used up."""


class RewardUncertaintyStateV1(StrEnum):
    """What is uncertain about the terminal effect."""

    NONE = "none"
    """Nothing."""
    DELIVERY_UNCERTAIN = "delivery_uncertain"
    """Whether the action was delivered."""
    EFFECT_UNCERTAIN = "effect_uncertain"
    """What the effect was."""
    ORACLE_UNAVAILABLE = "oracle_unavailable"
    """The oracle could not be read."""


class RewardCalibrationScopeV1(StrEnum):
    """What the checker was calibrated on. Version 1 knows one scope; a production scope cannot be written down."""

    SYNTHETIC = "synthetic"
    """A synthetic corpus."""


class RewardCertificateIssuerV1(StrEnum):
    """Who vouches for the certificate. Version 1 knows one issuer."""

    SELF_SIGNED = "self_signed"
    """Whoever calibrated the checker, with a key of their own."""


class ZeroReason(StrEnum):
    """Why a term contributed 0: the first step on its way that made it 0."""

    SKIPPED = "skipped"
    """It is not due at this step."""
    READS_MISSING = "reads_missing"
    """Its value was 0, and the step provides nothing of what it reads."""
    ZERO_VALUE = "zero_value"
    """Its component gave 0."""
    CLIPPED = "clipped"
    """The clip made its value 0."""
    ZERO_WEIGHT = "zero_weight"
    """Its weight is 0."""
    UNDERFLOW = "underflow"
    """Its value times its weight is nearer to 0 than to any other double."""
    GATED = "gated"
    """A term that it requires did not contribute more than 0."""
