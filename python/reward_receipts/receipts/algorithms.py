"""How a signature is verified, by the ``signature_algorithm`` of a document (docs/decisions/signature-algorithms.md).

libsodium verifies Ed25519 without the cofactor and refuses S >= L, small-order points and non-canonical encodings,
which is what version 1 asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey


def verify_ed25519(signature: bytes, message: bytes, key: VerifyKey) -> bool:
    """Whether a key made an Ed25519 signature (RFC 8032) over a message."""
    try:
        key.verify(message, signature)
    except BadSignatureError:
        return False
    return True


ALGORITHMS: Final[Mapping[str, Callable[[bytes, bytes, VerifyKey], bool]]] = {"ed25519": verify_ed25519}
"""Every algorithm that the schema has."""
