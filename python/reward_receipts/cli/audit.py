"""``audit``: what can be proved of receipts with contracts, certificates and keys in hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from ..auditing import AuditFinding
from ..auditing import audit as report_of
from ..findings import Finding, shown
from ..shape import Kind
from ..signatures import PublicKey
from ..sources import Entry, Unread, entries
from .formats import Format, Report, Result
from .keys import public_keys
from .repeats import Seen

if TYPE_CHECKING:
    from ..generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1

    Document = RewardContractV1 | RewardCertificateV1
    Held = TypeVar("Held", RewardContractV1, RewardCertificateV1)


def audit(
    receipts: Sequence[str],
    lines: bool | None,
    contract_files: Sequence[str],
    certificate_files: Sequence[str],
    keyrings: Sequence[str],
    public_key: str | None,
    at_update: int | None,
    form: Format,
) -> int:
    """Audits receipts against the contract and the certificate that each names by digest. Returns the exit status.

    Where none of those given is named, the first is taken, so that the audit says which one it found instead. Where
    something that was given to audit with is no use, nothing is audited: it would be said of less than was asked.
    """
    report = Report("audit", form)
    contracts = cast("dict[str, RewardContractV1]", _held(report, contract_files, "contract"))
    certificates = cast("dict[str, RewardCertificateV1]", _held(report, certificate_files, "certificate"))
    keys = public_keys(report, keyrings, public_key)
    if report.summary.exit_status:
        return report.close()
    seen = Seen()
    for entry in entries(receipts, "receipt", lines):
        if isinstance(entry, Unread):
            report.unread(entry)
        elif entry.findings:
            line = f"{entry.label}  invalid"
            report.add(Result(entry, "invalid", (line,), {"kind": entry.kind}, entry.findings))
        else:
            receipt = cast("RewardEvidenceReceiptV1", entry.document())
            contract = _named(contracts, receipt.reward_contract_digest)
            certificate = _named(certificates, receipt.certificate_digest)
            repeats = tuple(seen.repeats(entry))
            report.add(_audited(entry, receipt, contract, certificate, keys, at_update, repeats))
    return report.close()


def _held(report: Report, files: Sequence[str], kind: Kind) -> dict[str, Document]:
    """The documents to audit with, by digest. The report takes what keeps one from being used."""
    held: dict[str, Document] = {}
    for entry in entries(files, kind):
        if isinstance(entry, Unread):
            report.unread(entry)
        elif entry.findings:
            report.add(Result(entry, "invalid", members={"kind": kind}, findings=entry.findings))
        else:
            document = cast("Document", entry.document())
            held[document.digest] = document
    return held


def _named(held: dict[str, Held], digest: str | None) -> Held | None:
    if digest is not None and digest in held:
        return held[digest]
    return next(iter(held.values()), None)


def _audited(
    entry: Entry,
    receipt: RewardEvidenceReceiptV1,
    contract: RewardContractV1 | None,
    certificate: RewardCertificateV1 | None,
    keys: PublicKey | None,
    at_update: int | None,
    repeats: tuple[Finding, ...],
) -> Result:
    found = report_of(receipt, contract, certificate, keyring=keys, at_update=at_update)
    scalar = "unscored" if receipt.scalar_reward is None else shown(receipt.scalar_reward)
    certified = "certified (synthetic)" if receipt.certified else "not certified (synthetic)"
    verdict = "fails" if repeats else str(found.verdict)
    line = f"{entry.label}  {receipt.receipt_id}  {verdict}  {receipt.reward_outcome}  {scalar}  {certified}"
    members = {
        "kind": entry.kind,
        "receipt_id": receipt.receipt_id,
        "reward_outcome": receipt.reward_outcome,
        "scalar_reward": receipt.scalar_reward,
        "certified_synthetic": receipt.certified,
        "development_only": receipt.development_only,
        "checked": found.checked,
    }
    findings, unchecked = _placed(entry, found.findings) + repeats, _placed(entry, found.unchecked)
    return Result(entry, verdict, (line,), members, findings, unchecked)


def _placed(entry: Entry, findings: Sequence[AuditFinding]) -> tuple[Finding, ...]:
    return tuple(entry.finding(f.code, f.sentence, (f.field,) if f.field else ()) for f in findings)
