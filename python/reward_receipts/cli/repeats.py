"""Receipts that were seen before: in what is only being read, a repeat is a finding."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ..catalogue import sentence
from ..findings import Finding, shown
from ..sources import Entry


class Seen:
    """The ids and nonces of the receipts of a run, each with the place where it was first: all that is kept of them."""

    def __init__(self) -> None:
        self._first: dict[str | tuple[str, str], str] = {}

    def repeats(self, entry: Entry) -> Iterator[Finding]:
        """What of a receipt was seen before. Takes note of it."""
        receipt, here = entry.value, entry.label
        nonce = (sys.intern(receipt["issuer_key_id"]), receipt["nonce"])
        keys: dict[str, str | tuple[str, str]] = {"receipt_id": receipt["receipt_id"], "nonce": nonce}
        for name, key in keys.items():
            first = self._first.setdefault(key, here)
            if first is not here:
                values = {"name": name, "found": shown(receipt[name]), "first": first}
                yield entry.finding("duplicate", sentence("duplicate", **values), (name,))
