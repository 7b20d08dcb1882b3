"""The extension ``reward_receipts_core``, which accepts good documents quickly.

It is optional. Whatever it does not accept is checked by the package itself, which gives the message: each sentence has
one source. REWARD_RECEIPTS_CORE=0 turns it off.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Literal, Protocol, cast

SWITCH: Final = "REWARD_RECEIPTS_CORE"

Buffer = bytes | bytearray | memoryview
"""What holds JSON Lines; an mmap does too."""


class ExtensionRefused(RuntimeWarning):
    """The extension is installed in another version than the package, and is not used."""


class Checked(Protocol):
    """What was found in a buffer of JSON Lines, in at most 64 bytes for each line.

    Lines that are not blank have the indexes from 0 on. Those that were not accepted are the package's to check.
    """

    consumed: int
    """How many bytes of the buffer were checked."""
    lines: int
    """How many lines there are in these bytes, blank ones too."""
    accepted: int
    """How many lines were accepted."""

    def __len__(self) -> int:
        """How many lines are not blank."""
        raise NotImplementedError

    def doubts(self) -> list[int]:
        """The indexes of the lines that were not accepted."""
        raise NotImplementedError

    def line(self, index: int) -> int:
        """The number of a line, counted from ``first_line``."""
        raise NotImplementedError

    def span(self, index: int) -> tuple[int, int]:
        """Where a line is in the buffer: start and end, without what ends the line."""
        raise NotImplementedError

    def is_accepted(self, index: int) -> bool:
        """Whether a line was accepted."""
        raise NotImplementedError

    def kind(self, index: int) -> str | None:
        """The kind of an accepted line, or None."""
        raise NotImplementedError

    def digest(self, index: int) -> str:
        """The digest of an accepted line. Raises ValueError for another."""
        raise NotImplementedError

    def digests(self) -> list[str | None]:
        """The digest of each line; None for one that was not accepted."""
        raise NotImplementedError

    def packed_digests(self) -> bytes:
        """The 32 bytes of each digest, one after the other; zeros for a line that was not accepted."""
        raise NotImplementedError

    def row(self, index: int) -> tuple[Any, ...]:
        """Members of an accepted receipt, in the order of ``ROW``, read from the buffer again.

        Raises ValueError for another line, or if the buffer has changed.
        """
        raise NotImplementedError

    def shapes(self, key: bytes) -> tuple[list[tuple[tuple[Any, ...], bytes]], bytes, bytes]:
        """The accepted receipts in groups, their keys, and their lines. Raises ValueError unless the buffer is bytes.

        A group is the members of ``SHAPE`` and the places of its receipts among those accepted (``array("I")``). The
        keys are 32 bytes a receipt: half of the SHA-256 digest of ``key`` and receipt_id, and half of that of ``key``,
        issuer_key_id, a space and nonce. The lines are their numbers (``array("Q")``).
        """
        raise NotImplementedError


ROW: Final = (
    "receipt_id",
    "issuer_key_id",
    "nonce",
    "policy_update",
    "reward_outcome",
    "scalar_reward",
    "certified",
    "development_only",
    "reward_contract_digest",
    "certificate_digest",
    "episode_id",
    "policy_checkpoint_id",
)
"""The members that ``Checked.row`` gives, as plain JSON."""

SHAPE: Final = (
    "reward_contract_digest",
    "certificate_digest",
    "policy_update",
    "oracle_tier",
    "certificate_state",
    "reward_outcome",
    "scalar_reward",
    "certified",
    "development_only",
    "issuer_key_id",
)
"""The members that ``Checked.shapes`` groups by, as plain JSON."""


class NativeAuditor(Protocol):
    """Finds the receipts that hold. It verifies the signature of a certificate once."""

    def holds(self, text: bytes | str) -> bool:
        """Whether a text is a receipt of which every check that applies ran and passed."""
        raise NotImplementedError

    def audit_lines(self, data: Buffer, *, threads: int = 1, first_line: int = 1, final: bool = True) -> Checked:
        """``holds`` for each line of a buffer; see ``check_lines``."""
        raise NotImplementedError

    def verify_lines(
        self, data: Buffer, kind: str | None = None, *, threads: int = 1, first_line: int = 1, final: bool = True
    ) -> Checked:
        """Whether each line of a buffer is a valid document with a valid signature; see ``check_lines``."""
        raise NotImplementedError


@cache
def extension() -> Any:
    """The module, or None if it is not installed, not of this version, or turned off.

    Warns ExtensionRefused, once, if it is of another version, or was built before the package gave ``ROW`` or ``SHAPE``
    other members.
    """
    if os.environ.get(SWITCH) == "0":
        return None
    try:
        module = import_module("reward_receipts_core")
    except ImportError:
        return None
    package, found = _package_version(), getattr(module, "VERSION", "unknown")
    if found != package:
        warnings.warn(
            f"reward_receipts_core {found} is not used: the package is reward-receipts {package}; install both in the "
            "same version",
            ExtensionRefused,
            stacklevel=2,
        )
        return None
    members = [tuple(getattr(module, name, ())) for name in ("ROW", "SHAPE")]
    if members != [ROW, SHAPE]:
        warnings.warn(
            f"reward_receipts_core {found} is not used: it was built from other sources than this package; build it "
            "again with pip install ./rust/python",
            ExtensionRefused,
            stacklevel=2,
        )
        return None
    return module


def _package_version() -> str:
    try:
        return version("reward-receipts")
    except PackageNotFoundError:  # run from an archive or a frozen program, without the package's metadata
        return "unknown"


def kind_of(data: object, kind: str | None = None) -> Literal["contract", "certificate", "receipt"] | None:
    """The kind of the valid document in a text; None if the package has to check it."""
    module = extension()
    return None if module is None else module.kind_of(data, kind)


def accept(data: object, kind: str | None = None) -> tuple[str, str, str] | None:
    """Kind, canonical text and digest of the document in a text; None if the package has to check it."""
    module = extension()
    return None if module is None else cast("tuple[str, str, str] | None", module.accept(data, kind))


def verifying_key(key: bytes) -> Any:
    """An Ed25519 public key, ready to verify, with ``verifies(signature, message)``; None without the extension."""
    module = extension()
    return None if module is None else module.VerifyingKey(key)


def check_lines(
    data: Buffer, kind: str | None = None, *, threads: int = 1, first_line: int = 1, final: bool = True
) -> Checked | None:
    """Which lines of a buffer of JSON Lines are valid documents; None if the package has to check them.

    Bytes are read where they are; of anything else a MiB at a time is copied. The GIL is released meanwhile, and
    ``threads`` threads share the work. Unless the buffer is ``final``, its last line is left if no LF ends it.
    """
    module = extension()
    if module is None:
        return None
    return cast(Checked, module.check_lines(data, kind, threads=threads, first_line=first_line, final=final))


def auditor(
    contracts: Iterable[Any],
    certificates: Iterable[Any],
    keys: Mapping[str, bytes] | bytes,
    at_update: int | None = None,
    *,
    by_digest: bool = True,
) -> NativeAuditor | None:
    """An auditor that holds some models of contracts and certificates, and keys; None without the extension.

    ``keys`` are the 32 bytes of each by its id, or one key that is taken for whatever key a document names. A receipt
    is audited against the contract and the certificate that it names by digest; without ``by_digest``, against the one
    that is held if only one is.
    """
    module = extension()
    if module is None:
        return None
    texts = [[document._canonical_text() for document in held] for held in (contracts, certificates)]
    keys = keys if isinstance(keys, bytes) else dict(keys)
    return cast(NativeAuditor, module.Auditor(*texts, keys, at_update, by_digest=by_digest))
