"""The documents from the field, and documents of the same kind that a test signs with a key of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import reward_receipts as rr

VECTORS = Path(__file__).resolve().parents[3] / "conformance" / "vectors"
OPENADAPT = VECTORS / "openadapt"
WORKED = VECTORS / "worked"
PUBLIC_KEY = (OPENADAPT / "public_key.txt").read_text().strip()


def plain(path: Path) -> Any:
    """A vector as plain JSON."""
    return json.loads(path.read_bytes())


def field_contract() -> rr.RewardContractV1:
    return rr.RewardContractV1.model_validate_json((OPENADAPT / "contract.json").read_bytes())


def field_certificate() -> rr.RewardCertificateV1:
    return rr.RewardCertificateV1.model_validate_json((OPENADAPT / "certificate.json").read_bytes())


def field_receipts() -> list[rr.RewardEvidenceReceiptV1]:
    return [rr.RewardEvidenceReceiptV1.model_validate(receipt) for receipt in plain(OPENADAPT / "receipts.json")]


class Bench:
    """A contract, a certificate that a fresh key signed, and receipts that it issues."""

    def __init__(self, **contract: Any) -> None:
        self.key = rr.SigningKey.generate("key.test.bench")
        self.contract = rr.RewardContractV1.model_validate({**plain(WORKED / "contract_as_authored.json"), **contract})
        self.certificate = self.certify()

    def certify(self, **members: Any) -> rr.RewardCertificateV1:
        """A signed certificate: the worked one, for this contract, with some members changed."""
        unsigned = {
            **plain(WORKED / "certificate.json"),
            "reward_contract_digest": self.contract.digest,
            "issuer_key_id": self.key.key_id,
            **members,
        }
        return rr.sign(rr.RewardCertificateV1.model_validate(unsigned), self.key)

    def receipt(self, **members: Any) -> rr.RewardEvidenceReceiptV1:
        """A signed receipt of a verified episode at update 120, certified (synthetic), with some members changed."""
        unsigned = {
            **plain(WORKED / "receipt.json"),
            "reward_contract_digest": self.contract.digest,
            "certificate_digest": self.certificate.digest,
            "issuer_key_id": self.key.key_id,
            **members,
        }
        return rr.sign(rr.RewardEvidenceReceiptV1.model_validate(unsigned), self.key)

    def audit(self, receipt: rr.RewardEvidenceReceiptV1, **options: Any) -> rr.AuditReport:
        """The audit with everything in hand."""
        return rr.audit(receipt, self.contract, self.certificate, keyring=self.key.keyring, **options)
