"""``ledger check``: whether the rows of a ledger are those that were admitted."""

from __future__ import annotations

from typing import Annotated

import typer

from ...bulk.files import Unread, only_text
from ...core.codes import audit_inputs, note, sentence
from ...core.exit_status import ExitStatus
from ...core.findings import Finding
from ...ledger import SignedHead
from ...receipts.keys import PublicKey
from ...receipts.sign import SignatureVerdict
from ..keys import public_keys
from ..ledgers import LedgerName, Stopped, label_of, reader, subject, using
from ..options import Keys, TextOrJson
from ..report import Report
from ..results import NotGiven, Result

_SIGNATURE = "admission.head-signature-invalid"


def ledger_check(
    ledger: LedgerName,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="FILE", help="A signed head that ledger export wrote at an earlier time."),
    ] = None,
    *,
    keys: Keys,
    form: TextOrJson = "text",
) -> ExitStatus:
    """The hash chain is computed again, and the columns are compared with the receipts; the database checks its pages
    and indexes. Exit status: 0 all is as it was recorded; 1 rows were edited, removed or moved; 2 the ledger or the
    head cannot be read, or the head's signature cannot be checked.

    Without --head, a ledger that was made anew and rows that were removed from its end cannot be found.
    """
    report = Report("ledger check", form)
    public_key = public_keys(report, keys)
    signed = None if head is None else _head(report, head)
    if report.summary.exit_status:
        return report.close()
    try:
        with reader(report, ledger) as opened, using(report, ledger):
            last = opened.head()
            findings = opened.check(signed)
    except Stopped:
        return report.close()
    invalid, not_given = _signature(report, head, signed, public_key)
    findings = (*invalid, *findings)
    undecided = bool(report.summary.undecided or not_given)
    verdict = "broken" if findings else "undecided" if undecided else "intact"
    label = label_of(ledger)
    lines = [f"{label}  {verdict}  rows {last.row}  {last.link}"]
    members = {"rows": last.row, "link": last.link, "head_row": None if signed is None else signed.row}
    report.add(Result(subject(ledger), verdict, tuple(lines), members, findings, (), not_given))
    return report.close()


def _head(report: Report, name: str) -> SignedHead | None:
    try:
        text = only_text(name)
        report.reads(text.name)
        return SignedHead.from_text(text.data)
    except Unread as unread:
        report.unread(unread)
    except ValueError as error:
        report.problem(name, f"{name}: {error}")
    return None


def _signature(
    report: Report, name: str | None, head: SignedHead | None, public_key: PublicKey | None
) -> tuple[tuple[Finding, ...], tuple[NotGiven, ...]]:
    """What is wrong with the signature of a head, and what is missing to check it."""
    if head is None or name is None:
        return (), ()
    if public_key is None:
        said = note("not-given-option", input="key", options=audit_inputs()["key"])
        return (), (NotGiven("key", said, (_SIGNATURE,)),)
    found = head.verify(public_key)
    if found is SignatureVerdict.SIGNER_UNKNOWN:
        report.problem(name, f"{name}: no key is held for {head.issuer_key_id}, so its signature is not checked")
    elif found is SignatureVerdict.INVALID:
        return (Finding(_SIGNATURE, sentence(_SIGNATURE, key_id=head.issuer_key_id)),), ()
    return (), ()
