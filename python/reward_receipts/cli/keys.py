"""The keys that the options name: the public ones of a reader, the private one of a signer."""

from __future__ import annotations

import sys

from ..bulk.files import Unread, files
from ..core.generated.tables import MAX_KEY_FILE_BYTES
from ..receipts.key_formats import key_text
from ..receipts.keys import KeyFormatError, Keyring, PublicKey, SigningKey, VerifyingKey
from .options import Keys
from .report import Report


def public_keys(report: Report, keys: Keys) -> PublicKey | None:
    """The keyrings as one, or the one key; None if none was named or one cannot be used, which the report says."""
    name = ""
    try:
        if keys.public_key is not None:
            name = keys.public_key
            return _one_key(name)
        merged = Keyring({})
        for found in files(keys.keyring or ()):
            if isinstance(found, Unread):
                report.unread(found)
                return None
            name = found
            report.reads(name)
            merged = merged | Keyring.from_file(name)
    except KeyFormatError as error:
        report.problem(name, str(error))
    except OSError as error:
        report.problem(name, f"cannot read {name}: {error.strerror or error}")
    else:
        return merged if keys.given else None
    return None


def signing_key_in(report: Report, name: str, allow_group_readable: bool) -> SigningKey | None:
    """The private key in a file, or from standard input (``-``); None if the report says why there is none."""
    try:
        if name != "-":
            return SigningKey.from_file(name, allow_group_readable=allow_group_readable)
        if sys.stdin is None:
            report.problem(name, "standard input is closed")
            return None
        return SigningKey.from_text(sys.stdin.buffer.read(MAX_KEY_FILE_BYTES))
    except KeyFormatError as error:
        report.problem(name, f"<stdin>: {error}" if name == "-" else str(error))
    except OSError as error:
        report.problem(name, f"cannot read {name}: {error.strerror or error}")
    return None


def _one_key(name: str) -> VerifyingKey:
    with open(name, "rb") as file:
        data = file.read(MAX_KEY_FILE_BYTES)
    try:
        text = key_text(data)
    except ValueError as error:
        raise KeyFormatError(f"{name}: the public key {error}") from None
    return VerifyingKey.from_text(text, f"{name}: the public key")
