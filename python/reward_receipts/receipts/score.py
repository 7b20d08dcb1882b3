"""Scoring one episode: the scalar that the contract gives, and whether it is certified (synthetic)."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..core.generated.tables import REWARD_CERTIFIED_MINIMUM_TIER
from ..core.generated.vocabulary import OracleTier, RewardOutcomeV1
from ..documents.certificate import require_policy_update
from ..documents.certification import BOUNDS, Refusals, bound_of, effective_tier, refusals_of
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardScoringPolicyV1
from ..documents.model import expected
from ..documents.oracle import require_tier
from ..documents.outcomes import require_outcome
from .keys import PublicKey

DEFAULT_REWARD_SCORING: Final = RewardScoringPolicyV1()
"""What outcomes score under a contract that says nothing about it."""


class RewardScoreV1(NamedTuple):
    """What one episode scored."""

    scalar: float | None
    """The reward; None for an unscored episode, which is to be dropped and is never 0.0."""
    certified: bool
    """Whether the reward is certified (synthetic): no refusals. Read the scalar first: None is not a reward at all."""
    development_only: bool
    """Whether the effective tier is one that no certificate covers."""
    certification_refusals: Refusals = ()
    """What speaks against certification (synthetic): sentences, each with its ``code``."""


def score(
    outcome: RewardOutcomeV1 | str,
    tier: OracleTier | int,
    certificate: RewardCertificateV1 | None,
    policy_update: int,
    *,
    contract: RewardContractV1,
    certificate_keyring: PublicKey | None = None,
) -> RewardScoreV1:
    """Scores one episode under a contract. Pure.

    Without ``certificate_keyring`` nobody checks the certificate's signature here, and whoever edits a certificate's
    epsilon makes a reward certified (synthetic). Give the key, or the keyring, of whoever may issue certificates, or
    ``verify`` the certificate once before an inner loop. The signature is checked at each call, and the answer is the
    same: InvalidDocument is raised for a certificate that it does not fit, and for one whose signer has no key there.

    The tier counts at most as much as the contract's own channel. Raises ValueError where ``outcome`` is neither a
    member of RewardOutcomeV1 nor a member's value, and where ``tier`` (0 to 3) or ``policy_update`` (0 to
    9007199254740991) is not an integer of its range. IntEnum members of any package and NumPy's integers are integers;
    True, 2.0 and NaN are not. Raises TypeError if ``contract`` or ``certificate`` is a dict or another kind of
    document, pydantic's ValidationError for an invalid one that was made without validation.
    """
    if certificate_keyring is not None:
        from .sign import require_certificate_signature

        if certificate is not None:
            expected(certificate, RewardCertificateV1, "certificate")
        require_certificate_signature(certificate, certificate_keyring)
    # An earlier answer is found by outcome and tier, so both have to be of the very type: True equals 1.
    if type(policy_update) is int and (type(tier) is int or type(tier) is OracleTier):
        try:
            bound = BOUNDS[id(contract)]
            if bound.certificate is certificate and bound.first <= policy_update < bound.end:
                return bound.scores[outcome, tier]  # type: ignore[return-value]
        except (KeyError, TypeError):
            pass  # not asked before, or wrong: the plain way finds out
    return _score(outcome, tier, certificate, policy_update, contract)


def _score(
    outcome: RewardOutcomeV1 | str,
    tier: OracleTier | int,
    certificate: RewardCertificateV1 | None,
    policy_update: int,
    contract: RewardContractV1,
) -> RewardScoreV1:
    expected(contract, RewardContractV1, "contract")
    if certificate is not None:
        expected(certificate, RewardCertificateV1, "certificate")
    member = require_outcome(outcome)
    checked_tier = require_tier(tier)
    policy_update = require_policy_update(policy_update)
    checked_contract = contract._settled()
    checked_certificate = None if certificate is None else certificate._settled()
    refusals = refusals_of(checked_contract, checked_certificate, checked_tier, policy_update)
    result = RewardScoreV1(
        scalar=checked_contract.scoring.scalar_for(member),
        certified=not refusals,
        development_only=effective_tier(checked_contract, checked_tier) < REWARD_CERTIFIED_MINIMUM_TIER,
        certification_refusals=refusals,
    )
    if checked_certificate is not None:
        bound = bound_of(checked_contract, checked_certificate)
        if bound.first <= policy_update < bound.end:
            bound.scores[member, checked_tier] = result
    return result
