"""The rows of a ledger, and the hash chain over them.

The link of row n, from 1, is the SHA-256 of the 32 bytes of the link before it (32 zero bytes for row 1), of n as 8
bytes, most significant first, and of the receipt's canonical bytes. docs/specification.md, section 11, defines it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from ..core.canonical import sha256_digest
from ..core.codes import sentence
from ..core.findings import Finding
from ..documents.generated.models import RewardEvidenceReceiptV1

START: Final = bytes(32)
"""The link before row 1."""

MEMBERS: Final = ("receipt_id", "issuer_key_id", "nonce", "reward_contract_digest", "episode_id", "policy_update")
"""The members of a receipt that have a column of their own."""

UNIQUE: Final = {
    "receipt_id": ("receipt_id",),
    "nonce": ("issuer_key_id", "nonce"),
    "episode_id": ("reward_contract_digest", "episode_id"),
}
"""What no two rows have in common, by the member that messages name."""


class Record(NamedTuple):
    """A row: an admitted receipt and its place in the chain."""

    row: int
    """From 1, without gaps, in the order of admission."""
    link_bytes: bytes
    """The row's link in the hash chain: 32 bytes."""
    text: bytes
    """The receipt's canonical bytes, with its signature."""
    receipt_id: str
    issuer_key_id: str
    nonce: str
    reward_contract_digest: str
    episode_id: str
    policy_update: int

    @property
    def link(self) -> str:
        """The row's link, in the form of a digest."""
        return link_text(self.link_bytes)

    @property
    def digest(self) -> str:
        """The digest of the receipt."""
        return sha256_digest(self.text)

    @property
    def receipt(self) -> RewardEvidenceReceiptV1:
        """The receipt. Raises pydantic's ValidationError if somebody edited the row into something else."""
        return RewardEvidenceReceiptV1.model_validate_json(self.text)

    def keys(self) -> tuple[tuple[str, ...], ...]:
        """What no other row has, in the order of ``UNIQUE``, each with its name."""
        return (
            ("receipt_id", self.receipt_id),
            ("nonce", self.issuer_key_id, self.nonce),
            ("episode_id", self.reward_contract_digest, self.episode_id),
        )

    def shared(self, other: Record) -> tuple[str, ...]:
        """The names of the keys that two rows have in common."""
        return tuple(own[0] for own, others in zip(self.keys(), other.keys(), strict=True) if own == others)


def link_text(link: bytes) -> str:
    """A link, or the bytes of a digest, in the form of a digest."""
    return f"sha256:{link.hex()}"


def digest_bytes(digest: str) -> bytes:
    """The bytes of a digest, as the databases keep it."""
    return bytes.fromhex(digest[7:])


def key_values(record: Record) -> list[str | bytes]:
    """The members of the keys of ``UNIQUE``, in their order, as the databases keep them."""
    digest = digest_bytes(record.reward_contract_digest)
    return [record.receipt_id, record.issuer_key_id, record.nonce, digest, record.episode_id]


def record_of(row: Sequence[Any]) -> Record:
    """The record of a row of a database."""
    return Record._make((*row[:6], link_text(row[6]), *row[7:]))


def link_after(before: bytes, row: int, text: bytes) -> bytes:
    """The link of a row, from the link before it."""
    return hashlib.sha256(before + row.to_bytes(8, "big") + text).digest()


def record_after(before: bytes, row: int, receipt: RewardEvidenceReceiptV1) -> Record:
    """The record of a receipt that becomes a row after a link."""
    text = receipt._canonical_text().encode()
    return Record(
        row,
        link_after(before, row, text),
        text,
        receipt.receipt_id,
        receipt.issuer_key_id,
        receipt.nonce,
        receipt.reward_contract_digest,
        receipt.episode_id,
        receipt.policy_update,
    )


class ChainCheck:
    """Follows the chain from row to row, and reports where it is broken.

    After a break it goes on from the link that is stored, so that one edited row is one finding.
    """

    def __init__(self) -> None:
        self.row = 0
        self._link = START

    def findings(self, records: Iterable[Record]) -> list[Finding]:
        """What is wrong with the rows that follow."""
        found: list[Finding] = []
        for record in records:
            row, stored, text = record[:3]
            if row != self.row + 1:
                code = "admission.row-missing"
                found.append(Finding(code, sentence(code, first=self.row + 1, last=row - 1)))
            elif stored != (link := link_after(self._link, row, text)):
                code = "admission.row-edited"
                said = sentence(code, row=row, found=link_text(stored), expected=link_text(link))
                found.append(Finding(code, said))
            if different := _different(record):
                code = "admission.columns-edited"
                found.append(Finding(code, sentence(code, row=row, names=", ".join(different))))
            self.row, self._link = row, stored
        return found


def _different(record: Record) -> list[str]:
    """The columns that differ from the members of the receipt."""
    try:
        receipt = json.loads(record.text)
        return [name for name in MEMBERS if receipt[name] != getattr(record, name)]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ["receipt"]
