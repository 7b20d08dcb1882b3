"""``lint``: which documents hold, and why the others do not."""

from __future__ import annotations

from ...bulk.documents import Entry, entries
from ...bulk.files import Unread
from ...bulk.repeats import Seen
from ...core.exit_status import ExitStatus
from ..options import Files, KindOption, Lines, Listing
from ..report import Report
from ..results import Result
from ..terminal import say


def lint(files: Files, kind: KindOption = None, lines: Lines = None, *, listing: Listing) -> ExitStatus:
    """No signature is checked here, so a receipt repeats any earlier one that is valid; audit tells forged ones
    apart.
    """
    report = Report("lint", listing)
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
