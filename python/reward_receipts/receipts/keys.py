"""Keys: the public ones that a reader holds, and the private one of a signer. No message has any byte of a key.

In text a key is base64 after the name of its algorithm and a colon; an Ed25519 key has no name before it.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import stat
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..core.canonical import canonical_json_bytes
from ..core.findings import InvalidDocument, shown
from ..core.generated.tables import MAX_KEY_FILE_BYTES, MAX_TEXT_BYTES
from ..core.redaction import could_be_key, redacted
from ..core.schema_files import KEYRING_FILE, PRIVATE_KEY_FILE
from ..core.strict_json import read_json
from ..core.whole_files import write_new_file
from ..validation.check import fits
from ..validation.schemas import schema_of
from .algorithms import ALGORITHMS, DEFAULT
from .key_formats import is_keyring, other_form
from .signature_algorithm import SignatureAlgorithm, Signer

_OPAQUE_ID: Final = re.compile(schema_of("common")["$defs"]["OpaqueId"]["pattern"])


class KeyFormatError(ValueError):
    """A key, a key file or a keyring is malformed or cannot be trusted as a file. The message never has key bytes."""


class _Key:
    """A type of pydantic, so that ``validate_call``, and what is built on it, works on functions that take one."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)


class VerifyingKey(_Key):
    """A public key and its algorithm, ready to verify. ``bytes(key)`` is the key itself."""

    __slots__ = ("_data", "_verifier", "algorithm")

    def __init__(self, data: bytes, algorithm: SignatureAlgorithm | None = None, what: str = "the public key") -> None:
        """``what`` names the key in messages. Raises KeyFormatError for a key of another length."""
        algorithm = algorithm or DEFAULT
        _require_length(data, algorithm.public_key_bytes, what, f"{algorithm.title} public key")
        self.algorithm: Final = algorithm
        self._data = data
        self._verifier = algorithm.verifier(data)

    @classmethod
    def from_text(cls, text: str, what: str = "the public key") -> VerifyingKey:
        """The key in a text, as keyrings have it. Raises KeyFormatError."""
        algorithm, encoded = _split(text)
        return cls(_decoded(encoded, what), algorithm, what)

    @property
    def text(self) -> str:
        """The key as keyrings have it."""
        return _spelled(self.algorithm, self._data)

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Whether the key made a signature over a message."""
        return self._verifier.verifies(signature, message)

    def __bytes__(self) -> bytes:
        return self._data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VerifyingKey) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self._data)

    def __reduce__(self) -> tuple[Any, ...]:
        return VerifyingKey.from_text, (self.text,)  # another process has the same algorithms


class Keyring(_Key):
    """The public keys that a reader holds, by issuer_key_id. Cannot change."""

    __slots__ = ("_keys",)
    _keys: dict[str, VerifyingKey]

    def __init__(self, keys: Mapping[str, bytes | VerifyingKey]) -> None:
        """From key ids and keys; bytes are those of an Ed25519 key. Raises KeyFormatError."""
        self._keys = {}
        for key_id, key in keys.items():
            _require_key_id(key_id)
            if not isinstance(key, VerifyingKey):
                key = VerifyingKey(key, what=f"the key of {redacted(key_id)}")
            self._keys[key_id] = key

    @classmethod
    def from_mapping(cls, keys: Mapping[str, str]) -> Keyring:
        """A keyring from key ids and public keys as text: the base64 of 32 bytes for Ed25519. Raises KeyFormatError."""
        if not isinstance(keys, Mapping):
            raise KeyFormatError(f"a keyring is a mapping of key ids and base64 texts, not {type(keys).__name__}")
        for key_id in keys:
            _require_key_id(key_id)
        return cls(
            {key_id: VerifyingKey.from_text(key, f"the key of {redacted(key_id)}") for key_id, key in keys.items()}
        )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Keyring:
        """A keyring from a JSON file: an object of key ids and base64 texts.

        Raises KeyFormatError for what it holds, OSError where it cannot be read.
        """
        name = redacted(os.fsdecode(path))
        data, _ = _read(path, MAX_TEXT_BYTES + 1)
        try:
            members = read_json(data)
        except InvalidDocument as error:
            fault = error.findings[0]  # its sentence quotes the text, which may be a private key by mistake
            raise KeyFormatError(f"{name}:{fault.line}:{fault.column}: {fault.code}; a keyring is JSON") from None
        if not fits(KEYRING_FILE, members):
            raise KeyFormatError(f"{name}: {_not_keyring(members)}")
        return cls.from_mapping(members)

    def __or__(self, other: Keyring) -> Keyring:
        """The keys of both. Raises KeyFormatError where they hold two keys under one id."""
        for key_id in self._keys.keys() & other._keys.keys():
            if self._keys[key_id] != other._keys[key_id]:
                raise KeyFormatError(f"two different keys have the id {redacted(key_id)}; give one key for each id")
        return Keyring(self._keys | other._keys)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the keyring to a new file, which ``from_file`` reads. Raises FileExistsError where there is one."""
        keys = {key_id: key.text for key_id, key in self._keys.items()}
        write_new_file(path, canonical_json_bytes(keys) + b"\n")

    def get(self, key_id: str) -> VerifyingKey | None:
        """The key that is held under an id, if one is."""
        return self._keys.get(key_id)

    def __contains__(self, key_id: object) -> bool:
        return key_id in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"Keyring({', '.join(map(redacted, sorted(self._keys)))})"


PublicKey = Keyring | VerifyingKey | Mapping[str, str] | bytes | str
"""A keyring, a mapping of key ids to keys as text, or one public key: 32 bytes of Ed25519, or any key as text.

One key by itself is taken for the key that the document names.
"""


class SigningKey(_Key):
    """A private key and its issuer_key_id. Its bytes are never shown, and it cannot be pickled."""

    __slots__ = ("_private", "_public", "_signer", "key_id")
    key_id: str
    """The issuer_key_id of the documents it signs."""
    _private: bytes | None
    """None if the private key is elsewhere, and a callable signs."""

    def __init__(self, key_id: str, seed: bytes, algorithm: str = DEFAULT.name) -> None:
        """From the private key's bytes; for Ed25519 its seed. Raises KeyFormatError."""
        _require_key_id(key_id)
        known = _algorithm(algorithm)
        form = f"{known.title} {known.private_key}"
        _require_length(seed, known.private_key_bytes, f"the private key of {redacted(key_id)}", form)
        self.key_id = key_id
        self._private = seed
        self._signer: Signer = known.signer(seed)
        self._public = VerifyingKey(self._signer.public_key, known)

    @classmethod
    def generate(cls, key_id: str, algorithm: str = DEFAULT.name) -> SigningKey:
        """A new key from the system's random source. Raises KeyFormatError."""
        return cls(key_id, _algorithm(algorithm).generate(), algorithm)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, allow_group_readable: bool = False) -> SigningKey:
        """The key in a file that ``write`` made, or in a pipe that somebody writes such a file to.

        On POSIX a file that others than its owner can read is refused. A secret manager can mount a key for a group,
        read-only, so that its mode (0440) cannot be changed: ``allow_group_readable=True`` accepts one that its group
        can read, and nobody else. Links are followed.

        Raises KeyFormatError if the content or the mode is wrong, OSError if the file cannot be read.

            SigningKey.from_file("/run/secrets/signing-key.json", allow_group_readable=True)
        """
        name = redacted(os.fsdecode(path))
        data, status = _read(path, MAX_KEY_FILE_BYTES, is_private=True)
        key = cls._of(data)
        if key is None:
            raise KeyFormatError(f"{name}: {_not_private(data)}")
        mode = stat.S_IMODE(status.st_mode)
        if os.name == "posix" and mode & (0o037 if allow_group_readable else 0o077):
            who, way = "others", ""
            if not mode & 0o037:
                who = "its group"
                way = "; for a key that is mounted so, --allow-group-readable (allow_group_readable=True) or a pipe"
            raise KeyFormatError(f"{name}: mode {mode:04o} lets {who} read the private key; chmod 600 it{way}")
        return key

    @classmethod
    def from_text(cls, data: bytes | str) -> SigningKey:
        """The key in the text of a file that ``write`` made, which came through a pipe, say. Raises KeyFormatError."""
        data = data.encode() if isinstance(data, str) else data
        key = cls._of(data)
        if key is None:
            raise KeyFormatError(_not_private(data))
        return key

    @classmethod
    def _of(cls, data: bytes) -> SigningKey | None:
        """None, and not an error: whatever was wrong, its message could contain a part of the key."""
        try:
            members = read_json(data)
            if fits(PRIVATE_KEY_FILE, members):
                algorithm, encoded = _split(members["private_key"])
                return cls(members["issuer_key_id"], base64.b64decode(encoded, validate=True), algorithm.name)
        except (ValueError, TypeError):
            pass
        return None

    @classmethod
    def from_callable(cls, key_id: str, public_key: bytes | str, sign: Callable[[bytes], bytes]) -> SigningKey:
        """A key that stays in a KMS or an HSM: ``sign`` returns the bytes of a signature over a message.

        ``public_key`` is its public half: the 32 bytes of an Ed25519 key, or a key as text. Each signature is verified
        with it before it is used, so that a wrong key or a wrong algorithm of the service is found here and not by a
        reader. ``sign`` can be called from several threads at the same time. Raises KeyFormatError for a malformed id
        or public key.

            SigningKey.from_callable("kms.training.0001", public_key, lambda message: kms.sign(message)["Signature"])
        """
        _require_key_id(key_id)
        if not isinstance(public_key, str):
            public = VerifyingKey(bytes(public_key), what=f"the public key of {redacted(key_id)}")
        else:
            public = VerifyingKey.from_text(public_key)
        if not callable(sign):
            raise TypeError(f"sign is a {type(sign).__name__}; expected a function of bytes that returns the signature")
        made = cls.__new__(cls)
        made.key_id, made._private, made._public = key_id, None, public
        made._signer = _CallableSigner(key_id, public, sign)
        return made

    @property
    def algorithm(self) -> str:
        """The signature_algorithm of the documents it signs."""
        return self._public.algorithm.name

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the private key to a new file of mode 0600. Raises FileExistsError where there is one.

        Raises KeyFormatError for a key ``from_callable``, whose private half is elsewhere.
        """
        if self._private is None:
            raise KeyFormatError(f"the private key of {redacted(self.key_id)} is not in this process: a callable signs")
        members = {"issuer_key_id": self.key_id, "private_key": _spelled(self._public.algorithm, self._private)}
        write_new_file(path, canonical_json_bytes(members) + b"\n", private=True)

    @property
    def public_key(self) -> str:
        """The public key as keyrings have it: for Ed25519 the base64 of 32 bytes."""
        return self._public.text

    @property
    def keyring(self) -> Keyring:
        """A keyring of this key's public half."""
        return Keyring({self.key_id: self._public})

    def signature_of(self, message: bytes) -> str:
        """The canonical base64 of the signature over bytes.

        Raises KeyFormatError if the callable of ``from_callable`` returns something else; its own errors pass through.
        """
        return base64.b64encode(self._signer.sign(message)).decode()

    def __repr__(self) -> str:
        return f"SigningKey({redacted(self.key_id)!r}, private)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a private key lives in a file of mode 0600 only; it cannot be pickled")


class _CallableSigner:
    """Signs by calling a function, and verifies what it returns."""

    def __init__(self, key_id: str, public: VerifyingKey, call: Callable[[bytes], bytes]) -> None:
        self._who = f"the signer of {redacted(key_id)}"
        self._public = public
        self._call = call

    @property
    def public_key(self) -> bytes:
        return bytes(self._public)

    def sign(self, message: bytes) -> bytes:
        algorithm = self._public.algorithm
        length = algorithm.signature_bytes
        signature = self._call(message)
        if not isinstance(signature, (bytes, bytearray, memoryview)):
            found = type(signature).__name__
            raise KeyFormatError(f"{self._who} returned a {found}; expected {length} bytes")
        signature = bytes(signature)
        if len(signature) != length:
            found = f"{len(signature)} bytes"
            raise KeyFormatError(f"{self._who} returned {found}; {algorithm.title} signature has {length}")
        if not self._public.verifies(signature, message):
            raise KeyFormatError(
                f"{self._who} returned a signature that its public key does not verify: it signed with another key, or "
                f"with another algorithm than {algorithm.title.split()[-1]} over the message itself"
            )
        return signature


def _decoded(text: str, what: str) -> bytes:
    """The bytes of a public key from their canonical base64. Raises KeyFormatError."""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        key = None
    if key is None or base64.b64encode(key).decode() != text or len(key) == 48:  # 64 digits of hex are base64 too
        form = other_form(text) if isinstance(text, str) else None
        if form is not None:
            raise KeyFormatError(f"{what} {form}")
    if key is None:
        raise KeyFormatError(f"{what} is not base64")
    if base64.b64encode(key).decode() != text:
        raise KeyFormatError(f"{what} is not canonical base64; one key has one spelling")
    return key


def _split(text: str) -> tuple[SignatureAlgorithm, str]:
    """The algorithm of a key in text, and its base64. An unknown name stays in the base64, which refuses it."""
    name, colon, encoded = text.partition(":") if isinstance(text, str) else ("", "", text)
    algorithm = ALGORITHMS.get(name) if colon else None
    return (DEFAULT, text) if algorithm is None or algorithm.name == DEFAULT.name else (algorithm, encoded)


def _spelled(algorithm: SignatureAlgorithm, key: bytes) -> str:
    """A key as text: one spelling for each."""
    encoded = base64.b64encode(key).decode()
    return encoded if algorithm.name == DEFAULT.name else f"{algorithm.name}:{encoded}"


def _algorithm(name: str) -> SignatureAlgorithm:
    if name not in ALGORITHMS:
        raise KeyFormatError(f"there is no signature algorithm {shown(name)}; known are {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]


def _require_length(data: bytes, length: int, what: str, form: str) -> None:
    if len(data) != length:
        raise KeyFormatError(f"{what} has {len(data)} bytes; {form} has {length}")


def held_key(key_or_keyring: PublicKey, key_id: str) -> VerifyingKey | None:
    if isinstance(key_or_keyring, Keyring):
        return key_or_keyring.get(key_id)
    if isinstance(key_or_keyring, VerifyingKey):
        return key_or_keyring
    if isinstance(key_or_keyring, str):
        return VerifyingKey.from_text(key_or_keyring)
    if isinstance(key_or_keyring, bytes):
        return VerifyingKey(key_or_keyring)
    if isinstance(key_or_keyring, Mapping):
        return Keyring.from_mapping(key_or_keyring).get(key_id)
    raise KeyFormatError(f"a key is bytes, base64 text or a keyring, not {type(key_or_keyring).__name__}")


def require_keys(keys: PublicKey) -> None:
    """Raises KeyFormatError for a malformed key or keyring, whichever of its keys will be needed."""
    held_key(keys, "any-key-id")


def _require_key_id(key_id: object) -> None:
    if not isinstance(key_id, str) or _OPAQUE_ID.fullmatch(key_id) is None:
        raise KeyFormatError(f"the key id {shown(key_id)} is not an OpaqueId (8 to 128 of A-Z a-z 0-9 . _ : -)")


def _read(path: str | os.PathLike[str], most: int, is_private: bool = False) -> tuple[bytes, os.stat_result]:
    """The first bytes of a file and its status. Raises OSError, whose file name is not one that could be a key."""
    name = os.fsdecode(path)
    try:
        kind = os.stat(path).st_mode
        if is_private and not stat.S_ISREG(kind) and not stat.S_ISFIFO(kind):
            raise KeyFormatError(f"{redacted(name)}: a private key is a plain file or a pipe")
        with open(path, "rb") as file:
            return file.read(most), os.fstat(file.fileno())
    except OSError as error:
        if not could_be_key(name):
            raise
        number, reason = error.errno, error.strerror
    raise OSError(number, reason, redacted(name))


def _not_keyring(members: Any) -> str:
    """What is wrong with a plain JSON value that the schema of keyrings refuses. It quotes no key."""
    if type(members) is dict and "private_key" in members:
        return "this is a private key file; a keyring holds public keys"
    if type(members) is dict and all(type(key) is str for key in members.values()):
        try:
            Keyring.from_mapping(members)
        except KeyFormatError as error:
            return str(error)
    return "a keyring is a JSON object of key ids and base64 public keys"


def _not_private(data: bytes) -> str:
    """A description of a file that is not a private key file; it quotes nothing of the file."""
    try:
        members: Any = read_json(data)
    except InvalidDocument:
        members = None
    if is_keyring(members):
        return "this is a keyring, which holds public keys; sign with the private key file that keygen wrote beside it"
    if data.lstrip().startswith(b"-----BEGIN"):
        return "this is PEM; sign with a private key file of reward-receipts keygen"
    return "this is not a private key file of reward-receipts keygen"


def require_signing_key(value: object) -> SigningKey:
    """``value``, if it is a SigningKey. Raises TypeError, which shows nothing of it."""
    if isinstance(value, SigningKey):
        return value
    raise TypeError(f"signing_key is a {type(value).__name__}; expected a SigningKey: SigningKey.from_file(path)")
