"""What a reader asks of receipts beyond the audit: which key may sign what, the least tier, certified (synthetic).

The audit takes any key of the keyring for any document. A ``TrustPolicy`` says what each of them may sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Self

from ..core.codes import sentence
from ..core.findings import InvalidDocument
from ..core.schema_files import TRUST_POLICY_FILE
from ..core.strict_json import read_json
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..receipts.audit import AuditFinding
from ..validation.check import check_file

RoleName = Literal["receipts", "certificates"]
SCHEMA: Final = "reward-receipts.trust-policy/v1"


class Role(NamedTuple):
    """What a key did: it is named as the signer of a receipt, or of the certificate that the receipt names."""

    signs: RoleName
    key_id: str
    allowed: bool | None
    """Whether the trust policy lets it; None without a policy. It does not say that the signature is valid."""


@dataclass(frozen=True, slots=True)
class KeyRoles:
    """What one key may sign."""

    key_id: str
    signs: frozenset[RoleName]
    contracts: frozenset[str] | None = None
    """The digests of the contracts for which it may; None for all."""

    def allows(self, key_id: str, what: RoleName, contract: str) -> bool:
        """Whether it lets a key sign documents of one kind for a contract."""
        return key_id == self.key_id and what in self.signs and (self.contracts is None or contract in self.contracts)


@dataclass(frozen=True, slots=True)
class TrustPolicy:
    """What a reader asks of receipts beyond the audit. ``schemas/trust-policy.schema.json`` is its form as a document.

    policy = TrustPolicy.from_plain({"keys": [{"key_id": "key.scorer:1", "signs": ["receipts"]}], "least_tier": 2})
    auditor = Auditor(contracts, certificates, keyring, policy=policy)
    """

    keys: tuple[KeyRoles, ...]
    least_tier: int = 0
    certified_synthetic_required: bool = False
    at_update: int | None = None

    @classmethod
    def from_plain(cls, value: Any) -> Self:
        """The policy in plain JSON, whether it was read from JSON or YAML. Raises InvalidDocument."""
        if findings := check_file(TRUST_POLICY_FILE, value):
            raise InvalidDocument(findings)
        members: Mapping[str, Any] = value
        keys = tuple(
            KeyRoles(
                each["key_id"],
                frozenset(each["signs"]),
                frozenset(each["contracts"]) if "contracts" in each else None,
            )
            for each in members["keys"]
        )
        given = {name: each for name, each in members.items() if name not in ("keys", "schema_version")}
        return cls(keys, **given)

    @classmethod
    def from_text(cls, data: bytes | str) -> Self:
        """The policy in a JSON text. Raises InvalidDocument."""
        return cls.from_plain(read_json(data))

    def allows(self, key_id: str, what: RoleName, contract: str) -> bool:
        """Whether a key may sign receipts, or certificates, for the contract with a digest."""
        return any(each.allows(key_id, what, contract) for each in self.keys)

    def findings(
        self,
        receipt: RewardEvidenceReceiptV1,
        contract: RewardContractV1 | None,
        certificate: RewardCertificateV1 | None,
    ) -> tuple[AuditFinding, ...]:
        """What a receipt lacks under the policy, with the contract and the certificate that are held."""
        tier = int(receipt.oracle_tier if contract is None else min(receipt.oracle_tier, contract.oracle.tier))
        signers = (receipt.issuer_key_id, None if certificate is None else certificate.issuer_key_id)
        return self.faults(receipt.reward_contract_digest, signers, tier, receipt.certified)

    def faults(
        self, contract: str, signers: tuple[str, str | None], tier: int, certified: bool
    ) -> tuple[AuditFinding, ...]:
        """As ``findings``, of the signers of receipt and certificate, the tier that counts, certified (synthetic)."""
        found = []
        key, certificate_key = signers
        if not self.allows(key, "receipts", contract):
            found.append(_finding("policy-signer-not-allowed", "issuer_key_id", key_id=key, contract=contract))
        if certificate_key is not None and not self.allows(certificate_key, "certificates", contract):
            code = "policy-certificate-signer-not-allowed"
            found.append(_finding(code, "certificate_id", key_id=certificate_key, contract=contract))
        if tier < self.least_tier:
            found.append(_finding("policy-tier-too-low", "oracle_tier", tier=tier, least=self.least_tier))
        if self.certified_synthetic_required and not certified:
            found.append(_finding("policy-not-certified", "certified"))
        return tuple(found)


def _finding(code: str, member: str, **values: object) -> AuditFinding:
    return AuditFinding(code, str(sentence(code, **values)), member)
