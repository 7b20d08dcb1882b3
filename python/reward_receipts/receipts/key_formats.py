"""Ed25519 keys as other tools write them, named so that a message can say what a file is and what to do.

One spelling of a public key is read, 32 bytes in canonical base64: two programs that agree on it cannot disagree on
which key a reader holds. Everything else is refused with its name and, for a public key, the command that converts it.
"""

from __future__ import annotations

import base64
import re
from typing import Any, Final

from ..core.findings import InvalidDocument
from ..core.strict_json import read_json

_SPKI: Final = bytes.fromhex("302a300506032b6570032100")
"""The prefix of the 32 bytes of an Ed25519 public key in SubjectPublicKeyInfo (RFC 8410)."""
_OPENSSH: Final = b"\0\0\0\x0bssh-ed25519\0\0\0\x20"
"""Their prefix in OpenSSH's form (RFC 8709): the name of the algorithm and a length."""
_PEM: Final = re.compile(r"-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END")
_OPENSSH_NAME: Final = re.compile(r"(?:ssh|ecdsa|sk)-[a-z0-9@.-]{1,40}")
_HEX: Final = re.compile(r"(?:0[xX])?[0-9A-Fa-f]{64}")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{43}=?")

_DUE: Final = "32 bytes in base64 are expected"


def key_text(data: bytes) -> str:
    r"""The text in a key file, without white space around it. Raises ValueError that says how it is encoded.

    >>> key_text(b"AAAA\n")
    'AAAA'
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise ValueError("starts with a byte order mark (BOM); save it as plain UTF-8 without one")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise ValueError("is UTF-16, not UTF-8: iconv -f UTF-16 -t UTF-8 FILE")
    try:
        return data.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise ValueError("is not text; " + _DUE) from None


def other_form(text: str) -> str | None:
    """Name and fix of a text, if it is a key but not 32 bytes in canonical base64; None otherwise.

    The sentence continues "the public key ..." and contains no part of the text.

    >>> other_form("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c")
    'is in hex; 32 bytes in base64 are expected: xxd -r -p FILE | base64'
    """
    if pem := _PEM.search(text):
        return _pem(pem[1], "".join(pem[2].split()))
    if "-----BEGIN" in text:
        return "is PEM, and cut off"
    words = text.split()
    if words and _OPENSSH_NAME.fullmatch(words[0]):
        if words[0] == "ssh-ed25519" and len(words) > 1 and _follows(_OPENSSH, words[1]):
            return f"is in OpenSSH's form; {_DUE}: cut -d ' ' -f 2 FILE | base64 -d | tail -c 32 | base64"
        return "is an OpenSSH key of another kind; an Ed25519 key is expected"
    if text.startswith("{"):
        return _json(text)
    joined = "".join(words)
    if _HEX.fullmatch(joined.replace(":", "")):
        return f"is in hex; {_DUE}: xxd -r -p FILE | base64"
    if _BASE64.fullmatch(joined) and _is_other_base64(joined):
        return f"is in base64url or without padding; {_DUE}: + for -, / for _, and one = at the end"
    return None


def _pem(label: str, body: str) -> str:
    if "PRIVATE" in label:
        return "is a private key in PEM; a public key is expected"
    if label == "PUBLIC KEY" and _follows(_SPKI, body):
        return f"is in PEM; {_DUE}: openssl pkey -pubin -in FILE -outform DER | tail -c 32 | base64"
    return "is PEM of something else; an Ed25519 public key is expected"


def _json(text: str) -> str | None:
    try:
        value: Any = read_json(text)
    except InvalidDocument:
        return None
    match value:
        case {"private_key": _}:
            return "is a private key file; a public key is expected"
        case {"kty": _, "d": _}:
            return "is a private JWK; a public key is expected"
        case {"kty": "OKP", "crv": "Ed25519", "x": str()}:
            return f"is a JWK; {_DUE}: those of its member x, with + for -, / for _, and one = at the end"
        case {"kty": _} | {"keys": [*_]}:
            return "is a JWK of another kind, or several; one Ed25519 key is expected"
    return "is a keyring; give it as --keyring" if is_keyring(value) else None


def is_keyring(value: Any) -> bool:
    """Whether a plain JSON value looks like a keyring: an object of ids and texts that are 32 bytes in base64."""
    return (
        type(value) is dict
        and bool(value)
        and all(type(key) is str and len(key) == 44 and _BASE64.fullmatch(key) for key in value.values())
    )


def _is_other_base64(text: str) -> bool:
    standard = text.rstrip("=").replace("-", "+").replace("_", "/") + "="
    return standard != text


def _follows(prefix: bytes, body: str) -> bool:
    """Whether a base64 text is a prefix and 32 bytes."""
    try:
        data = base64.b64decode(body, validate=True)
    except ValueError:
        return False
    return data.startswith(prefix) and len(data) == len(prefix) + 32
