"""Whether a reward could be certified (synthetic) under a contract and a certificate, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ..core.codes import CodedSentence, sentence
from ..core.generated.tables import REWARD_CERTIFIED_MINIMUM_TIER
from ..core.generated.vocabulary import OracleTier, RewardCertificateStateV1
from .certificate import CertificateDocument
from .contract import ContractDocument

Refusals = tuple[CodedSentence, ...]
"""What speaks against certification (synthetic): sentences with their codes, () where nothing does."""


class Bound(NamedTuple):
    """What a contract and a certificate say together while the certificate is current; neither can change."""

    contract: ContractDocument
    certificate: CertificateDocument
    contract_digest: str
    certificate_digest: str
    first: int
    """The first policy update at which the certificate is current."""
    end: int
    """The first policy update at which it is so no longer."""
    refusals: tuple[Refusals, ...]
    """The refusals by tier, 0 to 3, at a policy update at which the certificate is current."""
    scores: dict[tuple[str, int], object]
    """What ``score()`` said at such an update, by outcome and tier."""


BOUNDS: Final[dict[int, Bound]] = {}
"""The ``Bound`` of each contract and the certificate that it was last asked about, by the id() of the contract.

A training loop asks about one pair over and over: digests and bounds are compared once. A Bound holds its contract, so
no other object has that id.
"""
_MAX_BOUNDS: Final = 64


def effective_tier(contract: ContractDocument, tier: OracleTier) -> OracleTier:
    """A tier, capped by what the contract's own channel can give."""
    return min(tier, contract.oracle.tier)


def bound_of(contract: ContractDocument, certificate: CertificateDocument) -> Bound:
    """What a contract and a certificate, both checked, say together."""
    known = BOUNDS.get(id(contract))
    if known is not None and known.certificate is certificate:
        return known
    first, end = certificate.issued_at_policy_update, certificate.expires_at_policy_update
    refusals = tuple(tuple(_refusals(contract, certificate, tier, first)) for tier in OracleTier)
    bound = Bound(contract, certificate, contract.digest, certificate.digest, first, end, refusals, {})
    if len(BOUNDS) >= _MAX_BOUNDS:
        BOUNDS.clear()
    BOUNDS[id(contract)] = bound
    return bound


def refusals_of(
    contract: ContractDocument, certificate: CertificateDocument | None, tier: OracleTier, policy_update: int
) -> Refusals:
    """Everything that speaks against certification (synthetic). All arguments are checked already."""
    if certificate is not None:
        bound = bound_of(contract, certificate)
        if bound.first <= policy_update < bound.end:
            return bound.refusals[tier]
    return tuple(_refusals(contract, certificate, tier, policy_update))


def _refusals(
    contract: ContractDocument, certificate: CertificateDocument | None, tier: OracleTier, policy_update: int
) -> Iterator[CodedSentence]:
    effective = effective_tier(contract, tier)
    if effective < REWARD_CERTIFIED_MINIMUM_TIER:
        yield sentence("tier-development-only", tier=int(effective), minimum=int(REWARD_CERTIFIED_MINIMUM_TIER))
    if certificate is None:
        yield sentence("certificate-absent")
        return
    state = certificate.state_at(policy_update)
    if state is RewardCertificateStateV1.NOT_YET_VALID:
        first = certificate.issued_at_policy_update
        yield sentence("certificate-not-yet-valid", first=first, policy_update=policy_update)
    elif state is RewardCertificateStateV1.EXPIRED:
        expires = certificate.expires_at_policy_update
        yield sentence("certificate-expired", expires=expires, policy_update=policy_update)
    if certificate.reward_contract_digest != contract.digest:
        named = certificate.reward_contract_digest
        yield sentence("certificate-names-another-contract", certificate=named, contract=contract.digest)
    yield from certificate.unmet(contract.certificate_policy)
