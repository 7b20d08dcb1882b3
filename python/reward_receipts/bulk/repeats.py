"""Receipts that were seen before: in what is only being read, a repeat is a finding.

A repeat has the receipt_id of an earlier receipt, or the nonce of an earlier receipt of the same issuer_key_id.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..core.codes import note, sentence
from ..core.escaping import file_label
from ..core.findings import Finding, shown
from .documents import Entry
from .files import STDIN

_MEMBERS: Final = ("receipt_id", "nonce")


class _First(NamedTuple):
    """Where a receipt was first, and whether it can make a later one a repeat."""

    name: str
    line: int | None
    column: int | None
    holds: bool

    def __str__(self) -> str:
        name = self.name if self.name == STDIN else file_label(self.name)
        return ":".join(str(part) for part in (name, self.line, self.column) if part is not None)


class Seen:
    """The ids and nonces of the receipts of a run, each with the place where it was first.

    Two keys of 16 bytes and a place are kept of each receipt, however long its ids and the path of its file are.
    """

    def __init__(self) -> None:
        self._first: dict[bytes, _First] = {}
        self._key = secrets.token_bytes(16)  # nobody can look for two ids with one digest beforehand

    def repeats(self, entry: Entry) -> tuple[Finding, ...]:
        """Repeats in a receipt, whether or not the earlier one is valid. Records the receipt."""
        found = tuple(self._repeats(entry, undecided=False))
        self.note(entry, holds=True)
        return found

    def certain(self, entry: Entry) -> tuple[Finding, ...]:
        """Repeats of earlier receipts whose verdict is holds."""
        return tuple(self._repeats(entry, undecided=False))

    def uncertain(self, entry: Entry) -> tuple[Finding, ...]:
        """Repeats of earlier receipts that are undecided."""
        return tuple(self._repeats(entry, undecided=True))

    def note(self, entry: Entry, *, holds: bool) -> None:
        """Records a receipt whose verdict is holds or undecided. One that fails blocks nothing."""
        line, column = entry.text.place(entry.at) if entry.at else (entry.text.line, None)
        first = _First(entry.text.name, line, column, holds)
        for name in _MEMBERS:
            self._first.setdefault(self._digest(entry, name), first)

    def _repeats(self, entry: Entry, *, undecided: bool) -> Iterator[Finding]:
        for name in _MEMBERS:
            first = self._first.get(self._digest(entry, name))
            if first is not None and first.holds is not undecided:
                said = sentence("duplicate", name=name, found=shown(entry.value[name]), first=first)
                yield entry.finding(
                    "duplicate", f"{said} {note('repeat-of-undecided')}" if undecided else said, (name,)
                )

    def _digest(self, entry: Entry, name: str) -> bytes:
        receipt = entry.value
        # An id has no space, so the two kinds of key, and the two parts of one, cannot be mixed up.
        text = receipt[name] if name == "receipt_id" else f"{receipt['issuer_key_id']} {receipt['nonce']}"
        return hashlib.blake2b(text.encode(), digest_size=16, key=self._key).digest()
