"""Receipts in a file of JSON Lines, found by episode. The file may grow while it is read: a run that is under way.

Of each receipt its place in the file is kept, not the receipt itself.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from typing import Any, Final, NamedTuple

from ..core.escaping import file_label
from ..core.findings import InvalidDocument
from ..core.generated.tables import MAX_TEXT_BYTES
from ..documents.generated.models import RewardEvidenceReceiptV1
from ..documents.read import read_document

_BLOCK: Final = 1 << 20


class Place(NamedTuple):
    """Where a line is in the file."""

    line: int
    offset: int
    size: int


class ReceiptStore:
    """The receipts of one contract in a file, by episode.

    Raises OSError if the file cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str], contract_digest: str) -> None:
        self.path = os.fspath(path)
        self.label = file_label(os.fsdecode(self.path))
        self._contract = contract_digest
        self._places: dict[str, list[Place]] = defaultdict(list)
        self._end = 0
        self._lines = 0
        self._identity = (0, 0)
        self.bad_lines: list[int] = []
        """The first lines that are not JSON objects with an episode_id; at most 100."""
        self.refresh()

    def refresh(self) -> None:
        """Reads the lines that were added. A last line without its end is left until it is whole."""
        with open(self.path, "rb") as file:
            status = os.fstat(file.fileno())
            identity = (status.st_dev, status.st_ino)
            if status.st_size < self._end or identity != self._identity:  # it was begun again
                self._places.clear()
                self.bad_lines.clear()
                self._end = self._lines = 0
                self._identity = identity
            file.seek(self._end)
            while (line := file.readline(MAX_TEXT_BYTES + 1)).endswith(b"\n"):
                self._take(line)
            if len(line) > MAX_TEXT_BYTES:
                raise ValueError(f"{self.label}:{self._lines + 1} is longer than a receipt can be")

    def get(self, episode_id: str) -> list[tuple[Place, RewardEvidenceReceiptV1 | InvalidDocument]]:
        """The receipts of an episode, in the order of the file; what is not valid as what is wrong with it."""
        found: list[tuple[Place, RewardEvidenceReceiptV1 | InvalidDocument]] = []
        places = self._places.get(episode_id, ())
        if not places:
            return found
        with open(self.path, "rb") as file:
            for place in places:
                file.seek(place.offset)
                try:
                    receipt: Any = read_document(file.read(place.size), "receipt")
                except InvalidDocument as error:
                    receipt = error
                found.append((place, receipt))
        return found

    def __contains__(self, episode_id: object) -> bool:
        return episode_id in self._places

    def __len__(self) -> int:
        return len(self._places)

    def _take(self, line: bytes) -> None:
        self._lines += 1
        place = Place(self._lines, self._end, len(line))
        self._end += len(line)
        if not line.strip():
            return
        try:
            members = json.loads(line)
            episode_id, contract = members["episode_id"], members["reward_contract_digest"]
            if not isinstance(episode_id, str):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            if len(self.bad_lines) < 100:
                self.bad_lines.append(self._lines)
            return
        if contract == self._contract:
            self._places[episode_id].append(place)
