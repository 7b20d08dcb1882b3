"""``digest``: the digests of documents that hold."""

from __future__ import annotations

from collections.abc import Sequence

from ..bulk.documents import entries
from ..bulk.files import Unread
from ..validation.schemas import Kind
from .formats import Format, Listing, Report, Result


def digest(
    files: Sequence[str], kind: Kind | None, lines: bool | None, form: Format, listing: Listing | None = None
) -> int:
    """Prints the digest of every document that holds; what is wrong with one that does not. Returns the exit status."""
    report = Report("digest", form, listing)
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
