"""The contracts and certificates that the options name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from ..bulk.auditor import Documents
from ..bulk.documents import entries
from ..bulk.files import Unread
from ..validation.schemas import Kind
from .report import Report
from .results import Result

if TYPE_CHECKING:
    from ..documents.generated.models import RewardCertificateV1, RewardContractV1


def held_documents(report: Report, files: Sequence[str], kind: Kind | None = None) -> Documents:
    """The contracts and certificates to audit with. The report takes what keeps one from being used."""
    contracts: dict[str, RewardContractV1] = {}
    certificates: dict[str, RewardCertificateV1] = {}
    for entry in entries(files, kind):
        if isinstance(entry, Unread):
            report.unread(entry)
            continue
        report.reads(entry.text.name)
        if entry.findings:
            report.add(Result(entry, "invalid", members={"kind": entry.kind}, findings=entry.findings))
        elif entry.kind == "contract":
            found = cast("RewardContractV1", entry.document())
            contracts[found.digest] = found
        elif entry.kind == "certificate":
            held = cast("RewardCertificateV1", entry.document())
            certificates[held.digest] = held
    return Documents(contracts, certificates)
