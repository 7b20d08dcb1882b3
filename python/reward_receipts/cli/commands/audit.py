"""``audit``: what can be proved of receipts with contracts, certificates and keys in hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from ...bulk.auditor import Auditor, Verdict
from ...bulk.documents import Entry, entries
from ...bulk.files import Unread
from ...bulk.repeats import Seen
from ...core.codes import audit_inputs, note
from ...core.exit_status import ExitStatus
from ...core.findings import shown
from ...core.generated.tables import MAX_POLICY_UPDATE
from ...validation.schemas import Kind
from ..keys import public_keys
from ..options import Keys, Lines, Listing
from ..report import Report
from ..results import NotGiven, Result

if TYPE_CHECKING:
    from ...documents.generated.models import RewardCertificateV1, RewardContractV1

    Document = RewardContractV1 | RewardCertificateV1

VERDICTS: Final = ("holds", "fails", "undecided", "invalid")


def audit(
    receipts: Annotated[list[str], typer.Argument(metavar="RECEIPTS...", help="As FILES of lint.")],
    contract: Annotated[
        list[str] | None,
        typer.Option("--contract", metavar="FILE", help="Contracts, as FILES of lint; may be given repeatedly."),
    ] = None,
    certificate: Annotated[
        list[str] | None,
        typer.Option("--certificate", metavar="FILE", help="Certificates, as FILES of lint; may be given repeatedly."),
    ] = None,
    *,
    keys: Keys,
    lines: Lines = None,
    at_update: Annotated[
        int | None,
        typer.Option("--at-update", min=0, max=MAX_POLICY_UPDATE, help="The trainer's own policy update."),
    ] = None,
    listing: Listing,
) -> ExitStatus:
    """Each receipt is audited against the contract and the certificate that it names by digest; if it names none of
    those given, it is undecided. If at most one contract and one certificate are given, every receipt is audited
    against them, and a receipt that names another fails.

    If a check cannot be made, the receipt is undecided. If a contract, certificate or key is not given, the command
    reports that once, at the end, with the number of receipts that needed it.

    A receipt repeats an earlier one if it has its receipt_id, or its nonce under the same issuer_key_id. It fails
    (duplicate) if the earlier one's verdict is holds, and is undecided if the earlier one is undecided. An earlier
    receipt that fails, for example because its signature is forged, is not counted.

    The last line, on standard error, counts the verdicts.
    """
    report = Report("audit", listing, verdicts=VERDICTS)
    contracts = cast("dict[str, RewardContractV1]", _held(report, contract or (), "contract"))
    certificates = cast("dict[str, RewardCertificateV1]", _held(report, certificate or (), "certificate"))
    public_key = public_keys(report, keys)
    if report.summary.exit_status:  # verdicts would rest on less than was asked for
        return report.close()
    by_digest = len(contracts) > 1 or len(certificates) > 1
    auditor = Auditor(contracts.values(), certificates.values(), public_key, at_update=at_update, by_digest=by_digest)
    seen = Seen()
    for entry in entries(receipts, "receipt", lines):
        if isinstance(entry, Unread):
            report.unread(entry)
        else:
            report.add(_result(entry, auditor.entry(entry, seen)))
    return report.close()


def _held(report: Report, files: Sequence[str], kind: Kind) -> dict[str, Document]:
    """The documents to audit with, by digest. The report takes what keeps one from being used."""
    held: dict[str, Document] = {}
    for entry in entries(files, kind):
        if isinstance(entry, Unread):
            report.unread(entry)
            continue
        report.reads(entry.text.name)
        if entry.findings:
            report.add(Result(entry, "invalid", members={"kind": kind}, findings=entry.findings))
        else:
            document = cast("Document", entry.document())
            held[document.digest] = document
    return held


def _result(entry: Entry, found: Verdict) -> Result:
    receipt = found.receipt
    if receipt is None:
        return Result(entry, "invalid", (f"{entry.label}  invalid",), {"kind": entry.kind}, entry.findings)
    scalar = "unscored" if receipt.scalar_reward is None else shown(receipt.scalar_reward)
    certified = "certified (synthetic)" if receipt.certified else "not certified (synthetic)"
    line = f"{entry.label}  {receipt.receipt_id}  {found.verdict}  {receipt.reward_outcome}  {scalar}  {certified}"
    members = {
        "kind": entry.kind,
        "receipt_id": receipt.receipt_id,
        "reward_outcome": receipt.reward_outcome,
        "scalar_reward": receipt.scalar_reward,
        "certified_synthetic": receipt.certified,
        "development_only": receipt.development_only,
    }
    options = audit_inputs()
    not_given = tuple(
        NotGiven(what, note("not-given-option", input=what, options=options[what]), codes)
        for what, codes in found.not_given.items()
    )
    return Result(entry, found.verdict, (line,), members, found.findings, found.unchecked, not_given, found.checked)
