"""``keygen``: makes a signing key."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ...receipts.algorithms import DEFAULT
from ...receipts.keys import KeyFormatError, SigningKey
from ..terminal import say


def keygen(
    key_id: Annotated[str, typer.Argument(metavar="KEY_ID", help="The issuer_key_id that the key goes by.")],
    private_key: Annotated[
        str | None,
        typer.Option("--private-key", metavar="PATH", help="A new file, mode 0600. By default KEY_ID.private.json."),
    ] = None,
    keyring: Annotated[
        str | None, typer.Option("--keyring", metavar="PATH", help="A new file. By default KEY_ID.keyring.json.")
    ] = None,
    algorithm: Annotated[
        str, typer.Option("--algorithm", metavar="NAME", help="How it signs: a signature_algorithm of documents.")
    ] = DEFAULT.name,
) -> ExitStatus:
    """Writes two new files, or neither: the private key, and a keyring of the public key."""
    private_path = f"{key_id}.private.json" if private_key is None else private_key
    keyring_path = f"{key_id}.keyring.json" if keyring is None else keyring
    try:
        key = SigningKey.generate(key_id, algorithm)
    except KeyFormatError as error:
        say(f"reward-receipts: {error}")
        return ExitStatus.UNDECIDED
    if "-" in (private_path, keyring_path):
        say("reward-receipts: keys are written to files, not to standard output; name a file in place of -")
        return ExitStatus.UNDECIDED
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
        return ExitStatus.UNDECIDED
    say(f"private key  {private_path}  (mode 0600; keep it to yourself)")
    say(f"keyring      {keyring_path}")
    print(f"public key  {key_id}  {key.public_key}")
    return ExitStatus.GOOD
