"""Reward outcomes, and what a contract gives for each."""

from __future__ import annotations

from typing import Final

from ..core.generated.tables import REWARD_SCORING_CLASS, RewardScoringClassV1
from ..core.generated.vocabulary import RewardOutcomeV1
from ..core.redaction import redacted
from .model import Part

UNSCORED_REWARD_OUTCOMES: Final = frozenset(
    outcome for outcome, scoring in REWARD_SCORING_CLASS.items() if scoring is RewardScoringClassV1.UNSCORED
)
"""The outcomes that have no scalar, never 0.0."""


def require_outcome(outcome: RewardOutcomeV1 | str) -> RewardOutcomeV1:
    """An outcome as its enum member. Raises ValueError for what is neither a member nor a member's value."""
    try:
        if isinstance(outcome, str):  # anything else could be equal to a member in a way of its own
            return RewardOutcomeV1(outcome)
    except ValueError:
        pass
    raise ValueError(f"unknown reward outcome {redacted(repr(outcome))}; expected one of: {', '.join(RewardOutcomeV1)}")


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
