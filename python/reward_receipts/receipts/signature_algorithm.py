"""What the package needs to know of a signature algorithm. Each algorithm is a module; ``algorithms`` lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class Verifier(Protocol):
    """A public key, ready to verify."""

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Whether the key made a signature over a message."""


class Signer(Protocol):
    """A private key, ready to sign."""

    @property
    def public_key(self) -> bytes:
        """The bytes of the public key."""

    def sign(self, message: bytes) -> bytes:
        """The signature over a message."""


@dataclass(frozen=True, slots=True)
class SignatureAlgorithm:
    """One algorithm: the sizes of its keys and signatures in bytes, and what makes and uses keys.

    ``verifier`` and ``signer`` get as many bytes as the sizes say.
    """

    name: str
    """The ``signature_algorithm`` of documents, and the prefix of keys in text."""
    title: str
    """The name in messages, with an article: ``an Ed25519``."""
    public_key_bytes: int
    private_key: str
    """What the bytes of a private key are called: ``seed``."""
    private_key_bytes: int
    signature_bytes: int
    generate: Callable[[], bytes]
    """Makes a private key from the system's random source."""
    verifier: Callable[[bytes], Verifier]
    signer: Callable[[bytes], Signer]
