"""``lint``: which documents hold, and why the others do not."""

from __future__ import annotations

from collections.abc import Sequence

from ..shape import Kind
from ..sources import Unread, entries
from .formats import Format, Report, Result
from .repeats import Seen


def lint(files: Sequence[str], kind: Kind | None, lines: bool | None, form: Format) -> int:
    """Judges every document by text, schema and rules, and reports repeated receipts. Returns the exit status."""
    report = Report("lint", form)
    seen = Seen()
    for entry in entries(files, kind, lines):
        if isinstance(entry, Unread):
            report.unread(entry)
            continue
        repeats = tuple(seen.repeats(entry)) if entry.kind == "receipt" and not entry.findings else ()
        verdict = "invalid" if entry.findings else "duplicate" if repeats else "valid"
        members = {"kind": entry.kind}
        report.add(Result(entry, verdict, members=members, findings=entry.findings + repeats))
    return report.close()
