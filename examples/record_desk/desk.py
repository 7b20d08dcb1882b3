"""A record desk: a policy has to save one record, and what it did is in a SQLite file.

A policy chooses one way of working. One is right; the others are faults, each of which leaves the file as that fault
does. The desk also has a screen, which shows what a person at it would see: it does not show every field, it shows a
name where the file has an id, and what a policy draws on it stays there.
"""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SAVE: Final = "save"
FAULTS: Final = ("duplicate", "extra", "omitted", "unsubmitted", "claimed", "wrong_record")
WAYS: Final = (SAVE, *FAULTS)
"""What a policy can choose from."""
BUSY: Final = 0.3
"""How often the desk is too busy to save anything. It reports this, unless the policy only claims to have saved."""

Row = tuple[int, str, int, str | None]
"""person_id, name, amount, note."""


@dataclass(frozen=True)
class Task:
    """The record that has to be saved."""

    person_id: int
    name: str
    amount: int
    note: str

    @classmethod
    def drawn(cls, source: random.Random) -> Task:
        """A task; two persons of the register have the same name."""
        return cls(2 * source.randrange(500), f"person {source.randrange(500)}", source.randrange(1, 1000), "checked")

    @property
    def row(self) -> Row:
        """What the file has to hold, once, and nothing else."""
        return (self.person_id, self.name, self.amount, self.note)


@dataclass(frozen=True)
class Screen:
    """What is seen after an episode."""

    message: str
    name: str
    amount: int


class Desk:
    """The desk, with its SQLite file. Each episode begins with an empty table."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=MEMORY")
        self._file.execute("PRAGMA synchronous=OFF")  # an example that loses an episode in a crash loses nothing
        self._file.execute("CREATE TABLE record (person_id INTEGER, name TEXT, amount INTEGER, note TEXT)")

    def work(self, task: Task, way: str, *, busy: bool = False) -> Screen:
        """Does the task in one of the ``WAYS``. Returns the screen afterwards."""
        self._file.execute("DELETE FROM record")
        if way == "claimed":
            return Screen("Saved", task.name, task.amount)
        if way == "unsubmitted":
            return Screen("Draft", task.name, task.amount)
        if busy:
            return Screen("Busy, try again", task.name, task.amount)
        person_id, name, amount, note = task.row
        rows: dict[str, list[Row]] = {
            SAVE: [task.row],
            "duplicate": [task.row, task.row],
            "extra": [task.row, (person_id + 2, "somebody else", amount, note)],
            "omitted": [(person_id, name, amount, None)],
            "wrong_record": [(person_id + 1, name, amount, note)],
        }
        self._file.executemany("INSERT INTO record VALUES (?, ?, ?, ?)", rows[way])
        return Screen("Saved", name, amount)

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()
