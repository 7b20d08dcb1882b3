"""Ed25519 signatures (RFC 8032) over the canonical bytes of a document, checked against keys that the reader holds.

libsodium verifies without the cofactor and refuses S >= L, small-order points and non-canonical encodings, which is
what version 1 asks for.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import stat
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey as _SodiumSigningKey
from nacl.signing import VerifyKey

from .canonical import canonical_json_bytes
from .documents.model import SignedDocument
from .findings import InvalidDocument, shown
from .generated.tables import MAX_TEXT_BYTES
from .text import read_json
from .whole_files import write_new_file

if TYPE_CHECKING:
    from .generated.models import RewardCertificateV1, RewardEvidenceReceiptV1

Signed = TypeVar("Signed", "RewardCertificateV1", "RewardEvidenceReceiptV1")

PLACEHOLDER_SIGNATURE: Final = "A" * 86 + "=="
"""64 zero bytes: stands where a document is not signed yet, and verifies under no key."""

_OPAQUE_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{7,127}")


class KeyFormatError(ValueError):
    """A key, a key file or a keyring is malformed or cannot be trusted as a file. The message never has key bytes."""


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


class Keyring:
    """The public keys that a reader holds, by issuer_key_id. Cannot change."""

    __slots__ = ("_keys",)
    _keys: dict[str, VerifyKey]

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = {}
        for key_id, key in keys.items():
            if _OPAQUE_ID.fullmatch(key_id) is None:
                raise KeyFormatError(f"the key id {shown(key_id)} is no OpaqueId (8 to 128 of A-Z a-z 0-9 . _ : -)")
            if len(key) != 32:
                raise KeyFormatError(f"the key of {key_id} has {len(key)} bytes; an Ed25519 public key has 32")
            self._keys[key_id] = VerifyKey(key)

    @classmethod
    def from_mapping(cls, keys: Mapping[str, str]) -> Keyring:
        """A keyring from key ids and the base64 of 32-byte public keys. Raises KeyFormatError."""
        return cls({key_id: decode_public_key(key, f"the key of {key_id}") for key_id, key in keys.items()})

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Keyring:
        """A keyring from a JSON file: an object of key ids and base64 texts.

        Raises KeyFormatError for what it holds, OSError where it cannot be read.
        """
        name = os.fspath(path)
        try:
            with open(path, "rb") as file:
                members = read_json(file.read(MAX_TEXT_BYTES + 1))
        except InvalidDocument as error:
            fault = error.findings[0]  # its sentence quotes the text, which may be a private key by mistake
            raise KeyFormatError(f"{name}:{fault.line}:{fault.column}: {fault.code}; a keyring is JSON") from None
        if type(members) is dict and "private_key" in members:
            raise KeyFormatError(f"{name}: this is a private key file; a keyring holds public keys")
        if type(members) is not dict or not all(type(key) is str for key in members.values()):
            raise KeyFormatError(f"{name}: a keyring is a JSON object of key ids and base64 public keys")
        try:
            return cls.from_mapping(members)
        except KeyFormatError as error:
            raise KeyFormatError(f"{name}: {error}") from None

    def __or__(self, other: Keyring) -> Keyring:
        """The keys of both. Raises KeyFormatError where they hold two keys under one id."""
        for key_id in self._keys.keys() & other._keys.keys():
            if self._keys[key_id] != other._keys[key_id]:
                raise KeyFormatError(f"two different keys go by the id {key_id}; a reader must hold one")
        return Keyring({key_id: bytes(key) for key_id, key in (self._keys | other._keys).items()})

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the keyring to a new file, which ``from_file`` reads. Raises FileExistsError where there is one."""
        keys = {key_id: base64.b64encode(bytes(key)).decode() for key_id, key in self._keys.items()}
        write_new_file(path, canonical_json_bytes(keys) + b"\n")

    def get(self, key_id: str) -> VerifyKey | None:
        """The key that is held under an id, if one is."""
        return self._keys.get(key_id)

    def __contains__(self, key_id: object) -> bool:
        return key_id in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"Keyring({', '.join(sorted(self._keys))})"


PublicKey = Keyring | Mapping[str, str] | bytes | str
"""A keyring, a mapping of key ids to base64 texts, or one public key: 32 bytes, or their base64.

One key by itself is taken for the key that the document names.
"""


class SigningKey:
    """A private key and the issuer_key_id it goes by. Its bytes are never shown, and it cannot be pickled."""

    __slots__ = ("_key", "key_id")
    key_id: str
    """The issuer_key_id of the documents it signs."""

    def __init__(self, key_id: str, seed: bytes) -> None:
        if _OPAQUE_ID.fullmatch(key_id) is None:
            raise KeyFormatError(f"the key id {shown(key_id)} is no OpaqueId (8 to 128 of A-Z a-z 0-9 . _ : -)")
        if len(seed) != 32:
            raise KeyFormatError(f"the private key of {key_id} has {len(seed)} bytes; an Ed25519 seed has 32")
        self.key_id = key_id
        self._key = _SodiumSigningKey(seed)

    @classmethod
    def generate(cls, key_id: str) -> SigningKey:
        """A new key from the system's random source."""
        return cls(key_id, os.urandom(32))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> SigningKey:
        """The key in a file that ``write`` made.

        Raises KeyFormatError for what it holds and where others than its owner can read it (POSIX), OSError where
        it cannot be read.
        """
        name = os.fspath(path)
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise KeyFormatError(f"{name}: a private key is a plain file")
        with open(path, "rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if os.name == "posix" and mode & 0o077:
                raise KeyFormatError(f"{name}: mode {mode:04o} lets others read the private key; chmod 600 it")
            data = file.read(4096)
        try:
            members = read_json(data)
            if type(members) is not dict or set(members) != {"issuer_key_id", "private_key"}:
                raise ValueError
            return cls(members["issuer_key_id"], base64.b64decode(members["private_key"], validate=True))
        except (ValueError, TypeError):  # whatever was wrong, its message could hold a part of the key
            raise KeyFormatError(f"{name}: no private key file of reward-receipts keygen") from None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the private key to a new file of mode 0600. Raises FileExistsError where there is one."""
        encoded = base64.b64encode(bytes(self._key)).decode()
        members = {"issuer_key_id": self.key_id, "private_key": encoded}
        write_new_file(path, canonical_json_bytes(members) + b"\n", private=True)

    @property
    def public_key(self) -> str:
        """The base64 of the 32-byte public key."""
        return base64.b64encode(bytes(self._key.verify_key)).decode()

    @property
    def keyring(self) -> Keyring:
        """A keyring of this key's public half."""
        return Keyring({self.key_id: bytes(self._key.verify_key)})

    def signature_of(self, message: bytes) -> str:
        """The canonical base64 of the Ed25519 signature over bytes."""
        return base64.b64encode(self._key.sign(message).signature).decode()

    def __repr__(self) -> str:
        return f"SigningKey({self.key_id!r}, private)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a private key lives in a file of mode 0600 only; it cannot be pickled")


def sign(document: Signed, signing_key: SigningKey) -> Signed:
    """A copy of a certificate or a receipt with the key's signature over it.

    Raises ValueError where the document names another issuer_key_id, pydantic's ValidationError where it does not
    hold its rules.
    """
    if not isinstance(document, SignedDocument):
        raise TypeError(f"a certificate or a receipt is signed, not a {type(document).__name__}")
    document = document._settled()
    if document.issuer_key_id != signing_key.key_id:
        raise ValueError(f"the document names key {document.issuer_key_id}; the signing key is {signing_key.key_id}")
    signature = signing_key.signature_of(canonical_json_bytes(document.unsigned_payload()))
    return document.model_copy(update={"signature": signature})


def verify(document: RewardCertificateV1 | RewardEvidenceReceiptV1, key_or_keyring: PublicKey) -> SignatureVerdict:
    """Whether a key that the caller holds signed a certificate or a receipt.

    A keyring is asked for the document's issuer_key_id only: a right key under another id is not tried. Raises
    KeyFormatError for a malformed key, which is an error and not a verdict.
    """
    if not isinstance(document, SignedDocument):
        raise TypeError(f"a certificate or a receipt is verified, not a {type(document).__name__}")
    settled = document._settled()
    key = _public_key(key_or_keyring, settled.issuer_key_id)
    if key is None:
        return SignatureVerdict.SIGNER_UNKNOWN
    signature = base64.b64decode(settled.signature)
    try:
        key.verify(canonical_json_bytes(settled.unsigned_payload()), signature)
    except BadSignatureError:
        return SignatureVerdict.INVALID
    return SignatureVerdict.VALID


def decode_public_key(text: str, what: str = "the public key") -> bytes:
    """The 32 bytes of a public key from its canonical base64. Raises KeyFormatError."""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise KeyFormatError(f"{what} is not base64") from None
    if base64.b64encode(key).decode() != text:
        raise KeyFormatError(f"{what} is not canonical base64; one key has one spelling")
    if len(key) != 32:
        raise KeyFormatError(f"{what} has {len(key)} bytes; an Ed25519 public key has 32")
    return key


def _public_key(key_or_keyring: PublicKey, key_id: str) -> VerifyKey | None:
    if isinstance(key_or_keyring, Keyring):
        return key_or_keyring.get(key_id)
    if isinstance(key_or_keyring, str):
        key_or_keyring = decode_public_key(key_or_keyring)
    if isinstance(key_or_keyring, bytes):
        return Keyring({key_id: key_or_keyring}).get(key_id)
    if isinstance(key_or_keyring, Mapping):
        return Keyring.from_mapping(key_or_keyring).get(key_id)
    raise KeyFormatError(f"a key is bytes, base64 text or a keyring, not {type(key_or_keyring).__name__}")
