"""The public keys that a reader holds, as the options ``--keyring`` and ``--public-key`` name them."""

from __future__ import annotations

from ..signatures import KeyFormatError, Keyring, PublicKey, decode_public_key
from .formats import Report

_LONGEST = 4096


def public_keys(report: Report, keyring: str | None, public_key: str | None) -> PublicKey | None:
    """The keyring or the one key; None where none was named or where it cannot be used, which the report then says."""
    name = keyring or public_key or ""
    try:
        if keyring is not None:
            return Keyring.from_file(keyring)
        if public_key is not None:
            return _one_key(public_key)
    except KeyFormatError as error:
        report.problem(name, str(error))
    except OSError as error:
        report.problem(name, f"cannot read {name}: {error.strerror or error}")
    return None


def _one_key(name: str) -> bytes:
    with open(name, "rb") as file:
        data = file.read(_LONGEST)
    # What is not ASCII is not base64; whatever it was, the message must not show it.
    return decode_public_key(data.strip().decode("ascii", "replace"), f"{name}: the public key")
