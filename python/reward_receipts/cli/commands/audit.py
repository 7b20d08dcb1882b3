"""``audit``: what can be proved of receipts with contracts, certificates and keys in hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Generic, TypeVar, cast

import typer

from ...bulk.documents import Entry, entries
from ...bulk.files import Unread
from ...bulk.repeats import Seen
from ...core.codes import audit_checks, audit_inputs, note, sentence
from ...core.exit_status import ExitStatus
from ...core.findings import Finding, shown
from ...core.generated.tables import MAX_POLICY_UPDATE
from ...receipts.audit import NEEDS, AuditFinding
from ...receipts.audit import audit as report_of
from ...receipts.keys import PublicKey
from ...validation.schemas import Kind
from ..keys import public_keys
from ..options import Keys, Lines, Listing
from ..report import Report
from ..results import NotGiven, Result

if TYPE_CHECKING:
    from ...documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1

    Document = RewardContractV1 | RewardCertificateV1

Held = TypeVar("Held", "RewardContractV1", "RewardCertificateV1")

VERDICTS: Final = ("holds", "fails", "undecided", "invalid")

_CHECK_OF: Final = {check.signer_unknown: check.code for check in audit_checks()}
"""The check that did not run, by the code under which the audit lists a signature of an unknown signer."""


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
    shelves = _Shelf("contract", contracts, by_digest), _Shelf("certificate", certificates, by_digest)
    auditor = _Auditor(*shelves, public_key)
    for entry in entries(receipts, "receipt", lines):
        if isinstance(entry, Unread):
            report.unread(entry)
        elif entry.findings:
            line = f"{entry.label}  invalid"
            report.add(Result(entry, "invalid", (line,), {"kind": entry.kind}, entry.findings))
        else:
            report.add(auditor.result(entry, at_update))
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


@dataclass(frozen=True, slots=True)
class _Shelf(Generic[Held]):
    """The contracts, or the certificates, that the reader holds."""

    kind: str
    held: dict[str, Held]
    by_digest: bool
    """Whether a receipt is audited only against what it names; else the one document that is held is taken."""

    def named(self, digest: str) -> Held | None:
        """The document to audit a receipt against that names ``digest``."""
        if digest in self.held or self.by_digest:
            return self.held.get(digest)
        return next(iter(self.held.values()), None)

    def unheld(self, digest: str) -> str:
        count = len(self.held)
        return f"{self.kind} {digest} is {f'not one of the {count}' if count > 1 else 'not the one'} given"


class _Auditor:
    """Audits receipts in the order in which they are read, because a later one can repeat an earlier one."""

    def __init__(
        self, contracts: _Shelf[RewardContractV1], certificates: _Shelf[RewardCertificateV1], keys: PublicKey | None
    ) -> None:
        self._contracts = contracts
        self._certificates = certificates
        self._keys = keys
        self._seen = Seen()

    def result(self, entry: Entry, at_update: int | None) -> Result:
        """The result for a receipt that is valid by text, schema and rules."""
        receipt = cast("RewardEvidenceReceiptV1", entry.document())
        contract = self._contracts.named(receipt.reward_contract_digest)
        certificate = (
            None if receipt.certificate_digest is None else self._certificates.named(receipt.certificate_digest)
        )
        found = report_of(receipt, contract, certificate, keyring=self._keys, at_update=at_update)

        given = {"contract": contract, "certificate": certificate, "key": self._keys}
        missing = [what for what, document in given.items() if document is None]
        lacks = {
            unchecked.code: next((w for w in missing if w in NEEDS[unchecked.code]), "")
            for unchecked in found.unchecked
        }
        not_given = {
            what: NotGiven(what, note("not-given-option", input=what, options=options), codes)
            for what, options in audit_inputs().items()
            if not self._was_given(what)
            and (codes := tuple(_CHECK_OF.get(code, code) for code, lack in lacks.items() if lack == what))
        }
        unchecked = _placed(entry, (each for each in found.unchecked if not lacks[each.code]))
        unheld = {lack for lack in lacks.values() if lack and lack not in not_given}
        if unheld:
            unchecked = (self._not_held(entry, receipt, unheld), *unchecked)

        findings = _placed(entry, found.findings) + self._seen.certain(entry)
        unchecked += self._seen.uncertain(entry)
        verdict = "fails" if findings else "undecided" if unchecked or not_given else "holds"
        if verdict != "fails":
            self._seen.note(entry, holds=verdict == "holds")
        return _result(entry, receipt, verdict, findings, unchecked, tuple(not_given.values()), found.checked)

    def _was_given(self, what: str) -> bool:
        return bool({"contract": self._contracts.held, "certificate": self._certificates.held}.get(what, self._keys))

    def _not_held(self, entry: Entry, receipt: RewardEvidenceReceiptV1, unheld: Iterable[str]) -> Finding:
        """One sentence for the contract and the certificate that the receipt names and that are not held."""
        parts, field = [], ""
        if "contract" in unheld:
            parts.append(self._contracts.unheld(receipt.reward_contract_digest))
            field = "reward_contract_digest"
        if "certificate" in unheld:
            parts.append(self._certificates.unheld(str(receipt.certificate_digest)))
            field = field or "certificate_digest"
        return entry.finding("documents-not-held", sentence("documents-not-held", unheld=" and ".join(parts)), (field,))


def _result(
    entry: Entry,
    receipt: RewardEvidenceReceiptV1,
    verdict: str,
    findings: tuple[Finding, ...],
    unchecked: tuple[Finding, ...],
    not_given: tuple[NotGiven, ...],
    checked: tuple[str, ...],
) -> Result:
    scalar = "unscored" if receipt.scalar_reward is None else shown(receipt.scalar_reward)
    certified = "certified (synthetic)" if receipt.certified else "not certified (synthetic)"
    line = f"{entry.label}  {receipt.receipt_id}  {verdict}  {receipt.reward_outcome}  {scalar}  {certified}"
    members = {
        "kind": entry.kind,
        "receipt_id": receipt.receipt_id,
        "reward_outcome": receipt.reward_outcome,
        "scalar_reward": receipt.scalar_reward,
        "certified_synthetic": receipt.certified,
        "development_only": receipt.development_only,
    }
    return Result(entry, verdict, (line,), members, findings, unchecked, not_given, checked)


def _placed(entry: Entry, findings: Iterable[AuditFinding]) -> tuple[Finding, ...]:
    return tuple(entry.finding(f.code, f.sentence, (f.field,) if f.field else ()) for f in findings)
