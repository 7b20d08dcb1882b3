"""What a certificate can do beside holding its members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from ..core.codes import CodedSentence, sentence
from ..core.generated.tables import MAX_POLICY_UPDATE
from ..core.generated.vocabulary import RewardCertificateStateV1
from ..core.numbers import plain_integer
from ..core.redaction import redacted
from ..validation.schemas import Kind
from .model import Part, SignedDocument, expected


class CertificatePolicyPart(Part):
    """Base of RewardCertificatePolicyV1."""

    __slots__ = ()
    if TYPE_CHECKING:
        epsilon: float
        delta: float
        threshold: float
        calibration_corpus_digest: str
        expiry_policy_updates: int


class CertificateDocument(SignedDocument):
    """Base of RewardCertificateV1."""

    __slots__ = ()
    if TYPE_CHECKING:
        reward_contract_digest: str
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
        """The state of the certificate at a policy update: not yet valid, current or expired.

        Raises ValueError where policy_update is not an integer from 0 to 9007199254740991.
        """
        update = require_policy_update(policy_update)
        if update < self._settled().issued_at_policy_update:
            return RewardCertificateStateV1.NOT_YET_VALID
        if update < self.expires_at_policy_update:
            return RewardCertificateStateV1.CURRENT
        return RewardCertificateStateV1.EXPIRED

    def is_current(self, policy_update: int) -> bool:
        """Whether the certificate holds at a policy update. Raises ValueError as ``state_at`` does."""
        return self.state_at(policy_update) is RewardCertificateStateV1.CURRENT

    def unmet(self, policy: CertificatePolicyPart) -> tuple[CodedSentence, ...]:
        """The requirements of a contract's policy that the certificate does not meet: coded sentences, () for none.

        Raises TypeError if ``policy`` is not a RewardCertificatePolicyV1: give ``contract.certificate_policy``.
        """
        expected(policy, CertificatePolicyPart, "policy", "RewardCertificatePolicyV1")
        return tuple(self._settled()._shortfalls(policy._settled()))

    def satisfies(self, policy: CertificatePolicyPart) -> bool:
        """Whether the certificate meets a contract's policy. Raises TypeError as ``unmet`` does."""
        return not self.unmet(policy)

    def _shortfalls(self, policy: CertificatePolicyPart) -> Iterator[CodedSentence]:
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


def require_policy_update(policy_update: int) -> int:
    """A policy update as a plain int.

    Raises ValueError unless it is an integer from 0 to 9007199254740991. NumPy's integers are; True, 2.0 and NaN are
    not.
    """
    number = plain_integer(policy_update)
    if number is None or not 0 <= number <= MAX_POLICY_UPDATE:
        raise ValueError(
            f"policy update {redacted(repr(policy_update))} is not an integer from 0 to {MAX_POLICY_UPDATE}"
        )
    return number
