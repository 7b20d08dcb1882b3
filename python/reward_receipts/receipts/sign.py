"""Signatures over the canonical bytes of a document, checked against keys that the reader holds."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeVar, overload

from ..core.codes import sentence
from ..core.findings import Finding, InvalidDocument
from ..core.redaction import redacted
from ..documents.generated.models import RewardCertificateV1, RewardEvidenceReceiptV1
from ..documents.model import SignedDocument
from ..documents.python_input import plain_json
from ..documents.read import checked_document
from ..validation.check import check_document
from ..validation.schemas import kind_of
from .algorithms import ALGORITHMS, DEFAULT
from .keys import PublicKey, SigningKey, VerifyingKey, held_key, require_keys, require_signing_key

Signed = TypeVar("Signed", RewardCertificateV1, RewardEvidenceReceiptV1)


class SignatureVerdict(StrEnum):
    """What verification found. Only ``valid`` is true."""

    VALID = "valid"
    """The key that the document names signed it."""
    INVALID = "invalid"
    """It did not, or the document was altered since."""
    SIGNER_UNKNOWN = "signer-unknown"
    """The keyring has no key under the document's issuer_key_id."""

    def __bool__(self) -> bool:
        return self is SignatureVerdict.VALID


CERTIFICATE_CODES: Final = {
    SignatureVerdict.INVALID: "certificate-signature-invalid",
    SignatureVerdict.SIGNER_UNKNOWN: "certificate-signer-unknown",
}
"""The codes of what is not valid about a certificate's signature."""


@overload
def sign(document: Signed, signing_key: SigningKey) -> Signed: ...
@overload
def sign(document: Mapping[str, Any], signing_key: SigningKey) -> RewardCertificateV1 | RewardEvidenceReceiptV1: ...
def sign(document: Any, signing_key: SigningKey) -> Any:
    """A copy of a certificate or a receipt with the key's signature over it.

    ``document`` is a model, or its members as a mapping. The mapping may lack ``signature``, which a model cannot; it
    has to name its kind by ``schema_version``. A signature that is there already is replaced.

    Raises ValueError if the document names another issuer_key_id, pydantic's ValidationError for a model that breaks
    its rules and InvalidDocument for a mapping that does, TypeError for anything that is not a certificate or a
    receipt.

        signed = sign({**members, "issuer_key_id": signing_key.key_id}, signing_key)
    """
    require_signing_key(signing_key)
    if isinstance(document, Mapping):
        document = _unsigned_model(document, signing_key.algorithm)
    if not isinstance(document, SignedDocument):
        raise TypeError(f"a certificate or a receipt is signed, not a {type(document).__name__}")
    document = document._settled()
    if document.issuer_key_id != signing_key.key_id:
        named, own = redacted(document.issuer_key_id), redacted(signing_key.key_id)
        raise ValueError(f"the document names key {named}; the signing key is {own}")
    signature = signing_key.signature_of(document._signed_bytes())
    update = {"signature": signature}
    if document.signature_algorithm != signing_key.algorithm:
        update["signature_algorithm"] = signing_key.algorithm
    return document.model_copy(update=update)


def verify(document: RewardCertificateV1 | RewardEvidenceReceiptV1, key_or_keyring: PublicKey) -> SignatureVerdict:
    """Whether a key that the caller holds signed a certificate or a receipt.

    A keyring is asked for the document's issuer_key_id only: a right key under another id is not tried. Raises
    KeyFormatError for a malformed key, which is an error and not a verdict.
    """
    if not isinstance(document, SignedDocument):
        raise TypeError(f"a certificate or a receipt is verified, not a {type(document).__name__}")
    settled = document._settled()
    key = held_key(key_or_keyring, settled.issuer_key_id)
    if key is None:
        return SignatureVerdict.SIGNER_UNKNOWN
    # Many receipts name one certificate, so its result is kept.
    is_valid = _certificate_is_valid if isinstance(settled, RewardCertificateV1) else _is_valid
    return SignatureVerdict.VALID if is_valid(settled, key) else SignatureVerdict.INVALID


def _is_valid(document: SignedDocument, key: VerifyingKey) -> bool:
    # The reader's key decides how it is used, and not the document.
    named, signature = document._signature()
    return named == key.algorithm.name and key.verifies(base64.b64decode(signature), document._signed_bytes())


@lru_cache(maxsize=64)
def _certificate_is_valid(certificate: RewardCertificateV1, key: VerifyingKey) -> bool:
    return _is_valid(certificate, key)


def require_certificate_signature(certificate: RewardCertificateV1 | None, keys: PublicKey) -> None:
    """Raises InvalidDocument unless a key that the caller holds signed the certificate, if there is one.

    A signer whom the caller's keys do not name is refused too: a forger can name any. Raises KeyFormatError for
    malformed keys, with a certificate or without.
    """
    require_keys(keys)
    verdict = SignatureVerdict.VALID if certificate is None else verify(certificate, keys)
    if certificate is None or verdict is SignatureVerdict.VALID:
        return
    invalid = verdict is SignatureVerdict.INVALID
    code, member = CERTIFICATE_CODES[verdict], "signature" if invalid else "issuer_key_id"
    raise InvalidDocument((Finding(code, sentence(code, key_id=certificate.issuer_key_id), (member,)),))


def with_placeholder(members: Mapping[str, Any], algorithm: str) -> dict[str, Any]:
    """The members of a document that a key of an algorithm will sign, with zero bytes in place of its signature."""
    signature = base64.b64encode(bytes(ALGORITHMS[algorithm].signature_bytes)).decode()
    named = members.get("signature_algorithm", DEFAULT.name)
    if named == algorithm or not isinstance(named, str) or named not in ALGORITHMS:  # the schema refuses the latter
        return {**members, "signature": signature}
    return {**members, "signature_algorithm": algorithm, "signature": signature}


def _unsigned_model(members: Mapping[str, Any], algorithm: str) -> Any:
    plain = plain_json(with_placeholder(members, algorithm), ())
    if kind_of(plain) == "contract":
        raise TypeError("a certificate or a receipt is signed, not a contract")
    if findings := check_document(plain):
        raise InvalidDocument(findings)
    return checked_document(plain)
