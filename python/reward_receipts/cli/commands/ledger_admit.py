"""``ledger admit``: records receipts that hold, each once."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Final

import typer

from ...bulk.auditor import Auditor, Verdict
from ...bulk.documents import Entry, entries
from ...bulk.files import Unread
from ...core.codes import audit_inputs, note
from ...core.exit_status import ExitStatus
from ...ledger import Admission, Ledger
from ...ledger.ledger import BATCH
from ..keys import public_keys
from ..ledgers import DocumentFiles, LedgerName, MaxBackwards, Stopped, documents_to_admit_by, using
from ..options import AtUpdate, Keys, Lines, Listing, PolicyFile
from ..report import Report
from ..results import NotGiven, Result
from ..trust import trust_policy

STATUSES: Final = ("admitted", "already-admitted", "conflict", "refused", "undecided")
_MAX_BATCH_BYTES: Final = 16 * 1024 * 1024
"""The texts of a batch that are kept until it is recorded; one text can take 1 MiB."""


def ledger_admit(
    ledger: LedgerName,
    receipts: Annotated[list[str], typer.Argument(metavar="RECEIPTS...", help="As FILES of lint.")],
    documents: DocumentFiles,
    *,
    keys: Keys,
    policy: PolicyFile = None,
    lines: Lines = None,
    at_update: AtUpdate = None,
    max_backwards: MaxBackwards = None,
    batch: Annotated[
        int, typer.Option("--batch", metavar="N", min=1, max=100_000, help="The receipts in one transaction, at most.")
    ] = BATCH,
    listing: Listing,
) -> ExitStatus:
    """The ledger is made if it is missing. Each receipt is audited against the contract and the certificate that it
    names by digest. If that holds, the receipt is recorded: once by its receipt_id, by its nonce and issuer_key_id,
    and by its episode_id and contract.

    The same receipt again is already-admitted, and nothing changes. A receipt that conflicts with an admitted one, or
    that fails its audit, is not recorded (exit 1); one that cannot be audited completely is undecided (exit 2).

    A result is written when its transaction is on the disk, so whatever is listed as admitted survives a crash. A run
    that was interrupted can be started again.
    """
    report = Report("ledger admit", listing, verdicts=STATUSES)
    held = documents_to_admit_by(report, documents)
    public_key = public_keys(report, keys)
    trust = None if policy is None else trust_policy(report, policy)
    report.reads(ledger)
    if held is None or report.summary.exit_status:
        return report.close()
    auditor = Auditor(
        held.contracts.values(), held.certificates.values(), public_key, policy=trust, at_update=at_update
    )
    try:
        with using(report, ledger), Ledger.open(ledger, max_backwards=max_backwards) as opened:
            for group in _groups(report, receipts, lines, batch):
                verdicts = [auditor.entry(entry, None) for entry in group]
                for entry, admission in zip(group, opened.admit_each(verdicts, batch=batch), strict=True):
                    report.add(_result(entry, admission))
                sys.stdout.flush()  # whoever reads them learns of each batch when it is on the disk
    except Stopped:
        pass
    return report.close()


def _groups(report: Report, names: Sequence[str], lines: bool | None, most: int) -> Iterator[list[Entry]]:
    """The entries in groups for one transaction each. The report takes what cannot be read."""
    group: list[Entry] = []
    size = 0
    for entry in entries(names, "receipt", lines):
        if isinstance(entry, Unread):
            report.unread(entry)
            continue
        group.append(entry)
        size += len(entry.text.data)
        if len(group) >= most or size >= _MAX_BATCH_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _result(entry: Entry, admission: Admission) -> Result:
    verdict = admission.verdict
    receipt = verdict.receipt
    name = "invalid" if receipt is None else receipt.receipt_id
    row = "" if admission.row is None else f"  row {admission.row}"
    line = f"{entry.label}  {name}  {admission.status}{row}"
    members = {
        "kind": entry.kind,
        "receipt_id": None if receipt is None else receipt.receipt_id,
        "row": admission.row,
        "audit": verdict.verdict,
        "conflicts": [
            {"row": each.row, "receipt_id": each.receipt_id, "digest": each.digest, "members": list(each.members)}
            for each in admission.conflicts
        ],
    }
    if admission:
        return Result(entry, admission.status, (line,), members)
    # Only a text that is good has places; the findings of one that is not have theirs already.
    findings = verdict.findings + (entry.locate(admission.findings) if admission.findings else ())
    return Result(
        entry, admission.status, (line,), members, findings, verdict.unchecked, _not_given(verdict), verdict.checked
    )


def _not_given(verdict: Verdict) -> tuple[NotGiven, ...]:
    options = {**audit_inputs(), "contract": "--documents", "certificate": "--documents"}
    return tuple(
        NotGiven(what, note("not-given-option", input=what, options=options[what]), codes)
        for what, codes in verdict.not_given.items()
    )
