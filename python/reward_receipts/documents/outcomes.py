"""Reward outcomes, their scoring classes, and what a contract gives for each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from ..generated.vocabulary import RewardOutcomeV1
from .model import Part


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

UNSCORED_REWARD_OUTCOMES: Final = frozenset(
    outcome for outcome, scoring in REWARD_SCORING_CLASS.items() if scoring is RewardScoringClassV1.UNSCORED
)
"""The outcomes that have no scalar, never 0.0."""


def require_outcome(outcome: RewardOutcomeV1 | str) -> RewardOutcomeV1:
    """An outcome as its enum member. Raises ValueError for what is neither a member nor a member's value."""
    try:
        return RewardOutcomeV1(outcome)
    except ValueError:
        raise ValueError(f"reward outcome {outcome!r} is none of {', '.join(RewardOutcomeV1)}") from None


class ScoringPolicyPart(Part):
    """Base of RewardScoringPolicyV1."""

    __slots__ = ()

    def scalar_for(self, outcome: RewardOutcomeV1 | str) -> float | None:
        """The scalar of an outcome; None for an unscored one, which is never 0.0. Raises ValueError for no outcome."""
        member = require_outcome(outcome)
        if member in UNSCORED_REWARD_OUTCOMES:
            return None
        scalar: float = getattr(self._settled(), f"{member.value}_reward")
        return scalar
