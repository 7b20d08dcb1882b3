"""What a receipt can do beside holding its members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from ..core.codes import CodedSentence, sentence
from ..core.findings import Finding
from ..core.generated.tables import REWARD_SCORING_CLASS, RewardScoringClassV1
from ..core.generated.vocabulary import OracleTier, RewardOutcomeV1
from ..validation.schemas import Kind
from .certificate import CertificateDocument
from .certification import BOUNDS, Refusals, refusals_of
from .contract import ContractDocument
from .model import SignedDocument, expected
from .oracle import RewardCertificationRefused, refuse_development_certification


class ReceiptDocument(SignedDocument):
    """Base of RewardEvidenceReceiptV1."""

    __slots__ = ()
    if TYPE_CHECKING:
        reward_contract_digest: str
        policy_update: int
        oracle_tier: OracleTier
        reward_outcome: RewardOutcomeV1
        certificate_digest: str | None

    _kind: ClassVar[Kind] = "receipt"

    @property
    def scoring_class(self) -> RewardScoringClassV1:
        """How the receipt's outcome is scored."""
        return REWARD_SCORING_CLASS[self._settled().reward_outcome]

    def certification_refusals(self, contract: ContractDocument, certificate: CertificateDocument | None) -> Refusals:
        """What speaks against certifying (synthetic) the receipt's reward, given what it refers to.

        Answers whether the receipt could be certified (synthetic): sentences with their codes, () where nothing
        speaks against it. For a receipt that does not say certified (synthetic), refusals are not errors.
        Raises TypeError if ``contract`` or ``certificate`` is another kind of document.
        """
        try:
            _, known, contract_digest, certificate_digest, first, end, refusals, _ = BOUNDS[id(contract)]
            if (
                known is certificate
                and self.certificate_digest == certificate_digest
                and self.reward_contract_digest == contract_digest
                and first <= self.policy_update < end
                and self._known is not None
            ):
                return refusals[self.oracle_tier]
        except (AttributeError, KeyError):  # the contract was not asked before, or a receipt came past validation
            pass
        checked_contract = expected(contract, ContractDocument, "contract", "RewardContractV1")._settled()
        checked = (
            None
            if certificate is None
            else expected(certificate, CertificateDocument, "certificate", "RewardCertificateV1")._settled()
        )
        return tuple(dict.fromkeys(self._settled()._refusals(checked_contract, checked)))

    def _refusals(self, contract: ContractDocument, certificate: CertificateDocument | None) -> Iterator[CodedSentence]:
        if self.reward_contract_digest != contract.digest:
            named = self.reward_contract_digest
            yield sentence("receipt-names-another-contract", receipt=named, contract=contract.digest)
        if certificate is None:
            if self.certificate_digest is not None:
                yield sentence("receipt-certificate-not-given", receipt=self.certificate_digest)
        elif self.certificate_digest != certificate.digest:
            named = self.certificate_digest or "null"
            yield sentence("receipt-names-another-certificate", receipt=named, certificate=certificate.digest)
        yield from refusals_of(contract, certificate, self.oracle_tier, self.policy_update)

    @classmethod
    def _context(cls, finding: Finding, value: Any) -> dict[str, Any]:
        context = super()._context(finding, value)
        if finding.code == "receipt.certified-tier":
            tier = value.get("oracle_tier")
            try:
                # A whole double is that integer, as everywhere in an integer member.
                refuse_development_certification(int(tier) if type(tier) is float else tier)
            except RewardCertificationRefused as refused:
                context["error"] = refused
            except ValueError:
                pass  # no tier at all, which is a finding of its own
        return context
