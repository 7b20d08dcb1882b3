"""The public keys that a reader holds, as the options ``--keyring`` and ``--public-key`` name them."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from ..signatures import KeyFormatError, Keyring, PublicKey, decode_public_key
from ..sources import Unread, files
from .formats import Report

_LONGEST = 4096


def public_keys(report: Report, keyrings: Sequence[str], public_key: str | None) -> PublicKey | None:
    """The keyrings as one, or the one key; None where none was named or one cannot be used, which the report says."""
    name = ""
    try:
        if public_key is not None:
            name = public_key
            return _one_key(public_key)
        merged = Keyring({})
        for found in files(keyrings):
            if isinstance(found, Unread):
                report.unread(found)
                return None
            name = found
            report.reads(name)
            merged = merged | Keyring.from_file(name)
    except KeyFormatError as error:
        report.problem(name, str(error))
    except OSError as error:
        shown = "the file that is named" if _is_key(name) else name
        hint = "; give a file that holds the key, not the key itself" if _is_key(name) else ""
        report.problem(shown, f"cannot read {shown}: {error.strerror or error}{hint}")
    else:
        return merged if keyrings else None
    return None


def _is_key(name: str) -> bool:
    # Somebody could have given a private one: it must not be shown.
    try:
        return len(base64.b64decode(name, validate=True)) == 32
    except ValueError:
        return False


def _one_key(name: str) -> bytes:
    with open(name, "rb") as file:
        data = file.read(_LONGEST)
    # What is not ASCII is not base64; whatever it was, the message must not show it.
    return decode_public_key(data.strip().decode("ascii", "replace"), f"{name}: the public key")
