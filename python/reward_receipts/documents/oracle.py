"""Oracle channels and tiers, and the tiers that no certificate covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.codes import sentence
from ..core.generated.tables import REWARD_CERTIFIED_MINIMUM_TIER, TIER_OF_CHANNEL
from ..core.generated.vocabulary import OracleChannel, OracleTier
from ..core.numbers import plain_integer
from ..core.redaction import redacted
from .model import Part


class RewardCertificationRefused(ValueError):
    """A reward that was read at tier 0 or 1 cannot be certified (synthetic): it is for development only."""


def tier_of(channel: OracleChannel | str) -> OracleTier:
    """The tier of a channel. Raises ValueError for an unknown channel."""
    if not isinstance(channel, str):
        known = ", ".join(OracleChannel)
        raise ValueError(f"unknown oracle channel {redacted(repr(channel))}; expected one of: {known}")
    return TIER_OF_CHANNEL[OracleChannel(channel)]


def require_tier(tier: OracleTier | int) -> OracleTier:
    """A tier as its enum member.

    Raises ValueError unless ``tier`` is an integer from 0 to 3. IntEnum members of any package and NumPy's integers
    are integers; True and 2.0 are not.
    """
    number = plain_integer(tier)
    if number is not None:
        try:
            return OracleTier(number)
        except ValueError:
            pass
    raise ValueError(f"oracle tier {redacted(repr(tier))} is not an integer from 0 to 3")


def refuse_development_certification(tier: OracleTier | int) -> None:
    """Does nothing at tier 2 and 3.

    Raises RewardCertificationRefused at tier 0 and 1, and ValueError for a tier that ``score()`` refuses too.
    """
    checked = require_tier(tier)
    if checked < REWARD_CERTIFIED_MINIMUM_TIER:
        raise RewardCertificationRefused(
            sentence("tier-development-only", tier=int(checked), minimum=int(REWARD_CERTIFIED_MINIMUM_TIER))
        )


class OraclePart(Part):
    """Base of RewardOracleV1."""

    __slots__ = ()
    if TYPE_CHECKING:
        channel: OracleChannel

    @property
    def tier(self) -> OracleTier:
        """The tier of the channel."""
        return TIER_OF_CHANNEL[self.channel]
