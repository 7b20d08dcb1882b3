"""``keygen``: makes a signing key."""

from __future__ import annotations

import os

from ..receipts.keys import KeyFormatError, SigningKey
from .terminal import say


def keygen(key_id: str, private_key: str | None, keyring: str | None) -> int:
    """Writes a private key and a keyring of its public half to two new files, or neither. Returns the exit status."""
    private_path = f"{key_id}.private.json" if private_key is None else private_key
    keyring_path = f"{key_id}.keyring.json" if keyring is None else keyring
    try:
        key = SigningKey.generate(key_id)
    except KeyFormatError as error:
        say(f"reward-receipts: {error}")
        return 2
    if "-" in (private_path, keyring_path):
        say("reward-receipts: keys are written to files, not to standard output; name a file in place of -")
        return 2
    path = private_path
    try:
        key.write(private_path)
        try:
            path = keyring_path
            key.keyring.write(keyring_path)
        except BaseException:
            os.unlink(private_path)
            raise
    except OSError as error:
        say(f"reward-receipts: cannot write {path}: {error.strerror or error}; no key was made")
        return 2
    say(f"private key  {private_path}  (mode 0600; keep it to yourself)")
    say(f"keyring      {keyring_path}")
    print(f"public key  {key_id}  {key.public_key}")
    return 0
