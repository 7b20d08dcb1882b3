"""Ed25519 (RFC 8032).

libsodium verifies without the cofactor and refuses S >= L, small-order points and non-canonical encodings, which is
what version 1 asks for.
"""

from __future__ import annotations

import os
from typing import Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from ..core import extension
from .signature_algorithm import SignatureAlgorithm


class _Verifier:
    __slots__ = ("_key", "_quick")

    def __init__(self, public_key: bytes) -> None:
        self._key = VerifyKey(public_key)
        self._quick = extension.verifying_key(public_key)

    def verifies(self, signature: bytes, message: bytes) -> bool:
        if self._quick is not None and self._quick.verifies(signature, message):
            return True
        try:
            self._key.verify(message, signature)
        except BadSignatureError:
            return False
        return True


class _Signer:
    __slots__ = ("_key",)

    def __init__(self, seed: bytes) -> None:
        self._key = SigningKey(seed)

    @property
    def public_key(self) -> bytes:
        return bytes(self._key.verify_key)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message).signature


ED25519: Final = SignatureAlgorithm(
    name="ed25519",
    title="an Ed25519",
    public_key_bytes=32,
    private_key="seed",
    private_key_bytes=32,
    signature_bytes=64,
    generate=lambda: os.urandom(32),
    verifier=_Verifier,
    signer=_Signer,
)
