"""Receipts that were seen before: in what is only being read, a repeat is a finding.

A repeat has the receipt_id of an earlier receipt, or the nonce of an earlier receipt of the same issuer_key_id.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from ..core.codes import note, sentence
from ..core.escaping import file_label
from ..core.findings import Finding, shown
from .documents import Entry
from .files import STDIN

_MEMBERS: Final = ("receipt_id", "nonce")
_KEY: Final = 16
PACKED: Final = 2 * _KEY
"""The bytes of the keys of one receipt."""
_IN_MEMORY: Final = 20_000
"""The keys that are kept in memory before they are spilled to disk."""

Keys = tuple[bytes, bytes]
"""Of the receipt's id, and of its nonce."""


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

    Two keys of 16 bytes and a place are kept of each receipt, however long its ids are: of the first 10,000 receipts in
    memory, then of all in a temporary file that is deleted by itself, with at most 8 MB of it in memory.
    """

    def __init__(self) -> None:
        self.key: Final = secrets.token_bytes(16)
        """What every digest of an id begins with: nobody can look for two ids with one digest beforehand."""
        self._first: _Table = {}

    def repeats(self, entry: Entry) -> tuple[Finding, ...]:
        """Repeats in a receipt, whether or not the earlier one is valid. Records the receipt."""
        keys = self.keys(entry)
        found = tuple(self._repeats(entry, keys, undecided=False))
        self.note(entry, holds=True, keys=keys)
        return found

    def certain(self, entry: Entry, keys: Keys | None = None) -> tuple[Finding, ...]:
        """Repeats of earlier receipts whose verdict is holds."""
        return tuple(self._repeats(entry, keys or self.keys(entry), undecided=False))

    def uncertain(self, entry: Entry, keys: Keys | None = None) -> tuple[Finding, ...]:
        """Repeats of earlier receipts that are undecided."""
        return tuple(self._repeats(entry, keys or self.keys(entry), undecided=True))

    def note(self, entry: Entry, *, holds: bool, keys: Keys | None = None) -> None:
        """Records a receipt whose verdict is holds or undecided. One that fails blocks nothing."""
        line, column = entry.text.place(entry.at) if entry.at else (entry.text.line, None)
        self.note_place(keys or self.keys(entry), entry.text.name, line, column, holds=holds)

    def note_place(self, keys: Keys, name: str, line: int | None, column: int | None, *, holds: bool) -> None:
        """Records a receipt, as ``note``, by its keys and its place."""
        self._make_room()
        for key in keys:
            self._first.setdefault(key, _First(name, line, column, holds))

    def knows(self, keys: Keys) -> bool:
        """Whether a receipt with one of the keys was recorded."""
        return any(self._first.get(key) is not None for key in keys)

    def note_lines(self, keys: bytes, name: str, lines: Sequence[int]) -> bool:
        """Records receipts that hold, each in a line of a file, by their packed keys (``PACKED`` bytes each).

        False if one of them repeats another or one that was recorded: then none of them is recorded.
        """
        self._make_room()
        if isinstance(self._first, dict):
            added: dict[bytes, _First] = {}
            for at, line in enumerate(lines):
                first = _First(name, line, None, True)
                for start in (at * PACKED, at * PACKED + _KEY):
                    key = keys[start : start + _KEY]
                    if key in added or key in self._first:
                        return False
                    added[key] = first
            self._first.update(added)
            return True
        return self._first.add_lines(keys, name, lines)

    def keys(self, entry: Entry) -> Keys:
        """The keys of a receipt, which the other methods work out again if they are not given them."""
        receipt = entry.value
        return keys_of(receipt["receipt_id"], receipt["issuer_key_id"], receipt["nonce"], self.key)

    def _make_room(self) -> None:
        if isinstance(self._first, dict) and len(self._first) >= _IN_MEMORY:
            self._first = _Spilled(self._first)

    def _repeats(self, entry: Entry, keys: Keys, *, undecided: bool) -> Iterator[Finding]:
        for name, key in zip(_MEMBERS, keys, strict=True):
            first = self._first.get(key)
            if first is not None and first.holds is not undecided:
                said = sentence("duplicate", name=name, found=shown(entry.value[name]), first=first)
                yield entry.finding(
                    "duplicate", f"{said} {note('repeat-of-undecided')}" if undecided else said, (name,)
                )


def keys_of(receipt_id: str, issuer_key_id: str, nonce: str, key: bytes) -> Keys:
    """The keys by which a receipt is found again; ``key`` is that of ``Seen``. The extension computes the same ones."""
    # An id has no space, so the two kinds of key, and the two parts of one, cannot be mixed up.
    both = receipt_id, f"{issuer_key_id} {nonce}"
    one, two = (hashlib.sha256(key + text.encode()).digest()[:_KEY] for text in both)
    return one, two


class _Spilled:
    """The table in a temporary database, which SQLite keeps in a file without a name. Raises OSError if it cannot."""

    def __init__(self, first: dict[bytes, _First]) -> None:
        import sqlite3  # only long runs need it

        self._error = sqlite3.Error
        self._name: str | None = None
        self._number = 0
        with self._written():
            self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            # Nothing is rolled back, so there is no journal.
            self._database.executescript(
                """
                PRAGMA cache_size = -8000;
                PRAGMA synchronous = OFF;
                PRAGMA journal_mode = OFF;
                CREATE TABLE names (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE seen (
                    key BLOB PRIMARY KEY, name INTEGER NOT NULL, line INTEGER, column INTEGER, holds INTEGER NOT NULL
                ) WITHOUT ROWID;
                BEGIN;
                """
            )
            rows = ((key, self._number_of(place.name), *place[1:]) for key, place in first.items())
            self._database.executemany("INSERT INTO seen VALUES (?, ?, ?, ?, ?)", rows)

    def get(self, key: bytes) -> _First | None:
        with self._written():
            found = self._database.execute(
                "SELECT names.name, line, column, holds FROM seen JOIN names ON number = seen.name WHERE key = ?",
                (key,),
            ).fetchone()
        if found is None:
            return None
        name, line, column, holds = found
        return _First(bytes.fromhex(name).decode("utf-8", "surrogateescape"), line, column, bool(holds))

    def setdefault(self, key: bytes, first: _First) -> None:
        with self._written():
            values = (key, self._number_of(first.name), first.line, first.column, first.holds)
            self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?, ?)", values)

    def add_lines(self, keys: bytes, name: str, lines: Sequence[int]) -> bool:
        with self._written():
            number = self._number_of(name)
            rows = [
                (keys[start : start + _KEY], number, line)
                for at, line in enumerate(lines)
                for start in (at * PACKED, at * PACKED + _KEY)
            ]
            before = self._database.total_changes
            self._database.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, NULL, 1)", rows)
            if self._database.total_changes - before == len(rows):
                return True
            # Only what was added just now has these lines.
            self._database.executemany("DELETE FROM seen WHERE key = ? AND name = ? AND line = ?", rows)
            return False

    def _number_of(self, name: str) -> int:
        if name != self._name:
            text = name.encode("utf-8", "surrogateescape").hex()  # a name of a file need not be text
            added = self._database.execute("INSERT INTO names (name) VALUES (?)", (text,))
            self._name, self._number = name, int(added.lastrowid or 0)
        return self._number

    @contextmanager
    def _written(self) -> Iterator[None]:
        try:
            yield
        except self._error as error:
            raise OSError(f"the temporary file for finding repeats cannot be used: {error}") from None


_Table = dict[bytes, _First] | _Spilled
