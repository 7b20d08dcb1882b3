"""``lint``: which documents hold, and why the others do not."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from ..catalogue import sentence
from ..findings import Finding, shown
from ..shape import Kind
from ..sources import Entry, Unread, entries
from .formats import Format, Report, Result


def lint(files: Sequence[str], kind: Kind | None, lines: bool | None, form: Format) -> int:
    """Judges every document by text, schema and rules, and reports repeated receipts. Returns the exit status."""
    report = Report("lint", form)
    seen = _Seen()
    for entry in entries(files, kind, lines):
        if isinstance(entry, Unread):
            report.unread(entry)
            continue
        repeats = tuple(seen.repeats(entry)) if entry.kind == "receipt" and not entry.findings else ()
        verdict = "invalid" if entry.findings else "duplicate" if repeats else "valid"
        members = {"kind": entry.kind}
        report.add(Result(entry, verdict, members=members, findings=entry.findings + repeats))
    return report.close()


class _Seen:
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
