"""The head of a ledger: its last row, which can be signed and kept elsewhere.

Whoever can write a ledger's file can make a chain that is consistent in itself. A head that somebody else keeps shows
whether the rows up to it are still those that were admitted.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Final, Self

from ..core.canonical import canonical_json_bytes
from ..core.findings import shown
from ..core.schema_files import LEDGER_HEAD_FILE
from ..core.strict_json import read_json
from ..receipts.keys import PublicKey, SigningKey, held_key, require_signing_key
from ..receipts.sign import SignatureVerdict
from ..validation.check import fits

SCHEMA: Final = "reward-receipts.ledger-head/v1"


@dataclass(frozen=True, slots=True)
class Head:
    """The last row of a ledger and its link. A ledger without rows has row 0 and a link of 64 zeros."""

    row: int
    link: str

    def signed(self, signing_key: SigningKey) -> SignedHead:
        """The head with the key's signature."""
        key = require_signing_key(signing_key)
        signature = key.signature_of(_signed_bytes(self.row, self.link, key.key_id))
        return SignedHead(self.row, self.link, key.key_id, key.algorithm, signature)


@dataclass(frozen=True, slots=True)
class SignedHead(Head):
    """A head with a signature over the canonical bytes of its other members, signature_algorithm excepted.

    head = ledger.head().signed(signing_key)
    Path("head.json").write_bytes(head.text())
    """

    issuer_key_id: str
    signature_algorithm: str
    signature: str

    @classmethod
    def from_text(cls, data: bytes | str) -> Self:
        """The head in a text that ``text`` made. Raises InvalidDocument for text that is not strict JSON, and
        ValueError for another document.
        """
        members = read_json(data)
        if not fits(LEDGER_HEAD_FILE, members):
            raise ValueError(f"{shown(members)} is not a signed head of a ledger ({SCHEMA})")
        return cls(**{name: value for name, value in members.items() if name != "schema_version"})

    def text(self) -> bytes:
        """The head as one line of JSON, which ``schemas/ledger-head.schema.json`` defines."""
        own = {"signature": self.signature, "signature_algorithm": self.signature_algorithm}
        return canonical_json_bytes(_members(self.row, self.link, self.issuer_key_id) | own) + b"\n"

    def verify(self, key_or_keyring: PublicKey) -> SignatureVerdict:
        """Whether a key that the caller holds signed the head. Raises KeyFormatError for a malformed key."""
        key = held_key(key_or_keyring, self.issuer_key_id)
        if key is None:
            return SignatureVerdict.SIGNER_UNKNOWN
        message = _signed_bytes(self.row, self.link, self.issuer_key_id)
        good = self.signature_algorithm == key.algorithm.name and key.verifies(
            base64.b64decode(self.signature), message
        )
        return SignatureVerdict.VALID if good else SignatureVerdict.INVALID


def _members(row: int, link: str, issuer_key_id: str) -> dict[str, Any]:
    return {"schema_version": SCHEMA, "row": row, "link": link, "issuer_key_id": issuer_key_id}


def _signed_bytes(row: int, link: str, issuer_key_id: str) -> bytes:
    return canonical_json_bytes(_members(row, link, issuer_key_id))
