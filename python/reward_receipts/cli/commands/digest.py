"""``digest``: the digests of documents that hold."""

from __future__ import annotations

from ...bulk.documents import entries
from ...bulk.files import Unread
from ...core.exit_status import ExitStatus
from ..options import Files, KindOption, Lines, Listing
from ..report import Report
from ..results import Result


def digest(files: Files, kind: KindOption = None, lines: Lines = None, *, listing: Listing) -> ExitStatus:
    """The findings of a document that is invalid are listed in place of its digest."""
    report = Report("digest", listing)
    for entry in entries(files, kind, lines):
        if isinstance(entry, Unread):
            report.unread(entry)
        elif entry.findings:
            report.add(Result(entry, "invalid", members={"kind": entry.kind, "digest": None}, findings=entry.findings))
        else:
            found = entry.document().digest
            members = {"kind": entry.kind, "digest": found}
            report.add(Result(entry, "valid", (f"{found}  {entry.label}",), members))
    return report.close()
