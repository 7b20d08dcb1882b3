"""What follows from an outcome and from a channel, and the limits.

Generated from schemas/. Do not edit: change the schemas, then run

    python scripts/generate
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal

from .vocabulary import OracleChannel, OracleTier, RewardOutcomeV1


class RewardScoringClassV1(StrEnum):
    """How an outcome is scored."""

    ADMITTED_POSITIVE = "admitted_positive"
    """A reward above 0."""
    ZERO_OR_PENALTY = "zero_or_penalty"
    """0 or below."""
    UNSCORED = "unscored"
    """No scalar at all, never 0.0."""


REWARD_SCORING_CLASS: Final[Mapping[RewardOutcomeV1, RewardScoringClassV1]] = MappingProxyType(
    {
        RewardOutcomeV1.VERIFIED: RewardScoringClassV1.ADMITTED_POSITIVE,
        RewardOutcomeV1.HALTED_BEFORE_EFFECT: RewardScoringClassV1.ZERO_OR_PENALTY,
        RewardOutcomeV1.REFUSED: RewardScoringClassV1.ZERO_OR_PENALTY,
        RewardOutcomeV1.REJECTED_POLICY: RewardScoringClassV1.ZERO_OR_PENALTY,
        RewardOutcomeV1.WRONG_EFFECT: RewardScoringClassV1.ZERO_OR_PENALTY,
        RewardOutcomeV1.RECONCILIATION_REQUIRED: RewardScoringClassV1.UNSCORED,
        RewardOutcomeV1.FAILED_PLATFORM: RewardScoringClassV1.UNSCORED,
    }
)
"""The scoring class of each outcome."""
TIER_OF_CHANNEL: Final[Mapping[OracleChannel, OracleTier]] = MappingProxyType(
    {
        OracleChannel.VISUAL: OracleTier.VISUAL,
        OracleChannel.OCR: OracleTier.VISUAL,
        OracleChannel.SECOND_SESSION: OracleTier.INDEPENDENT_SESSION,
        OracleChannel.API: OracleTier.SYSTEM_OF_RECORD,
        OracleChannel.DB: OracleTier.SYSTEM_OF_RECORD,
        OracleChannel.FILE: OracleTier.SYSTEM_OF_RECORD,
        OracleChannel.ACK: OracleTier.SYSTEM_OF_RECORD,
        OracleChannel.COUNTERPARTY: OracleTier.COUNTERPARTY,
    }
)
"""The tier of each channel."""
REWARD_CERTIFIED_MINIMUM_TIER: Final = OracleTier.SYSTEM_OF_RECORD
"""The lowest tier that a certificate can cover: a certified (synthetic) reward needs it or a higher one."""
Kind = Literal["contract", "certificate", "receipt"]
"""The kind of a document that names its kind itself."""
KINDS: Final[tuple[Kind, ...]] = (
    "contract",
    "certificate",
    "receipt",
)
DataKind = Literal["spec", "trace-row", "regime-report"]
"""The kind of a document about a reward as data; the caller names it."""
DATA_KINDS: Final[tuple[DataKind, ...]] = (
    "spec",
    "trace-row",
    "regime-report",
)
CANONICAL_ORDER: Final[Mapping[str, Mapping[str, str | None]]] = MappingProxyType(
    {
        "RewardContractV1": MappingProxyType({"components": "name"}),
        "RewardOracleV1": MappingProxyType({"identity_keys": None}),
    }
)
"""The arrays that are sorted in the canonical form, by a member of their items, or by the items (None)."""
MAX_POLICY_UPDATE: Final = 9007199254740991
"""The greatest number of a policy update."""
MAX_TEXT_BYTES: Final = 1048576
"""The longest text that is read, in bytes."""
MAX_TEXT_DEPTH: Final = 64
"""The largest number of open containers in a text."""
MAX_FINDINGS: Final = 1000
"""The most findings of a document from its schema, and from a rule beyond it. A text of 1 MiB could make half a million."""
MAX_SPEC_FINDINGS: Final = 100
"""The most findings of a reward spec from a rule beyond its schema. A small text could make millions."""
MAX_LISTED_NAMES: Final = 100
"""The most names that a sentence lists."""
MAX_CHECKED_ITEMS: Final = 1000
"""The most items that are checked of an array, or members of an object, that has more than its schema allows; one more than the schema allows, if that is greater."""
MAX_CHECKED_NAME: Final = 1000
"""The longest name of a member whose own members are checked. No schema accepts a longer one, and each of their pointers would repeat it."""
MAX_SHOWN: Final = 80
"""The most characters of a value or a name that a sentence shows."""
MAX_INVALID_DOCUMENTS: Final = 1000
"""The most invalid documents of an array after which the rest of it is not checked."""
MAX_KEY_FILE_BYTES: Final = 4096
"""The most bytes that are read of a file with one key."""
