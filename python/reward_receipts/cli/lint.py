"""``lint``: which documents hold, and why the others do not."""

from __future__ import annotations

from collections.abc import Sequence

from ..bulk.documents import Entry, entries
from ..bulk.files import Unread
from ..bulk.repeats import Seen
from ..validation.schemas import Kind
from .formats import Format, Listing, Report, Result
from .terminal import say


def lint(
    files: Sequence[str], kind: Kind | None, lines: bool | None, form: Format, listing: Listing | None = None
) -> int:
    """Checks every document by text, schema and rules, and reports repeated receipts. Returns the exit status."""
    report = Report("lint", form, listing)
    seen = Seen()
    spec = ""
    for entry in entries(files, kind, lines):
        if isinstance(entry, Unread):
            report.unread(entry)
            continue
        repeats = seen.repeats(entry) if entry.kind == "receipt" and not entry.findings else ()
        verdict = "invalid" if entry.findings else "duplicate" if repeats else "valid"
        if not spec and entry.findings and _is_like_a_spec(entry):
            spec = entry.text.label
        members = {"kind": entry.kind}
        report.add(Result(entry, verdict, members=members, findings=entry.findings + repeats))
    status = report.close()
    if spec:
        say(f"reward-receipts: {spec} is like a reward spec; `reward-receipts spec lint` reads specs")
    return status


def _is_like_a_spec(entry: Entry) -> bool:
    match entry.value:
        case {"schema_version": str(version)}:
            return version.startswith("reward-receipts.reward-spec/")
        case {"components": [{"type": _}, *_]}:
            return True
    return entry.text.name.lower().endswith((".yaml", ".yml"))
