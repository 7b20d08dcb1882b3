"""What a certificate can do beside holding its members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from ..catalogue import CodedSentence, sentence
from ..generated.tables import MAX_POLICY_UPDATE
from ..generated.vocabulary import RewardCertificateStateV1
from ..redaction import redacted
from ..shape import Kind
from .model import SignedDocument

if TYPE_CHECKING:
    from ..generated.models import RewardCertificatePolicyV1, RewardCertificateV1


class CertificateDocument(SignedDocument):
    """Base of RewardCertificateV1."""

    __slots__ = ()
    if TYPE_CHECKING:
        epsilon: float
        delta: float
        threshold: float
        calibration_corpus_digest: str
        issued_at_policy_update: int
        expiry_policy_updates: int

    _kind: ClassVar[Kind] = "certificate"

    @property
    def expires_at_policy_update(self) -> int:
        """The first policy update at which the certificate no longer holds."""
        settled = self._settled()
        return settled.issued_at_policy_update + settled.expiry_policy_updates

    def state_at(self, policy_update: int) -> RewardCertificateStateV1:
        """Where the certificate stands at a policy update: not yet valid, current or expired.

        Raises ValueError where policy_update is not an integer from 0 to 9007199254740991.
        """
        require_policy_update(policy_update)
        if policy_update < self._settled().issued_at_policy_update:
            return RewardCertificateStateV1.NOT_YET_VALID
        if policy_update < self.expires_at_policy_update:
            return RewardCertificateStateV1.CURRENT
        return RewardCertificateStateV1.EXPIRED

    def is_current(self, policy_update: int) -> bool:
        """Whether the certificate holds at a policy update. Raises ValueError as ``state_at`` does."""
        return self.state_at(policy_update) is RewardCertificateStateV1.CURRENT

    def unmet(self, policy: RewardCertificatePolicyV1) -> tuple[CodedSentence, ...]:
        """What a contract's policy asks for and the certificate does not give: coded sentences, () for nothing."""
        return tuple(self._settled()._shortfalls(policy._settled()))

    def satisfies(self, policy: RewardCertificatePolicyV1) -> bool:
        """Whether the certificate gives all that a contract's policy asks for."""
        return not self.unmet(policy)

    def _shortfalls(self, policy: RewardCertificatePolicyV1) -> Iterator[CodedSentence]:
        for code, short, here, there in (
            ("epsilon-exceeds-policy", self.epsilon > policy.epsilon, self.epsilon, policy.epsilon),
            ("delta-exceeds-policy", self.delta > policy.delta, self.delta, policy.delta),
            ("threshold-differs", self.threshold != policy.threshold, self.threshold, policy.threshold),
            (
                "calibration-corpus-differs",
                self.calibration_corpus_digest != policy.calibration_corpus_digest,
                self.calibration_corpus_digest,
                policy.calibration_corpus_digest,
            ),
            (
                "expiry-exceeds-policy",
                self.expiry_policy_updates > policy.expiry_policy_updates,
                self.expiry_policy_updates,
                policy.expiry_policy_updates,
            ),
        ):
            if short:
                yield sentence(code, certificate=here, policy=there)


def require_policy_update(policy_update: int) -> None:
    """Raises ValueError for what is not an integer from 0 to 9007199254740991; True, 2.0 and NaN are not."""
    if type(policy_update) is not int or not 0 <= policy_update <= MAX_POLICY_UPDATE:
        raise ValueError(
            f"policy update {redacted(repr(policy_update))} is not an integer from 0 to {MAX_POLICY_UPDATE}"
        )


def certificate_state(certificate: RewardCertificateV1 | None, policy_update: int) -> RewardCertificateStateV1:
    """Where a certificate stands at a policy update; absent where there is none. Raises ValueError as ``state_at``."""
    if certificate is None:
        require_policy_update(policy_update)
        return RewardCertificateStateV1.ABSENT
    return certificate.state_at(policy_update)
