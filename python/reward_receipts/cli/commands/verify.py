"""``verify``: whether the keys that the reader holds signed the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import typer

from ...bulk.documents import Entry, entries
from ...bulk.files import Unread
from ...core.codes import sentence
from ...core.exit_status import ExitStatus
from ...core.findings import Finding
from ...receipts.keys import PublicKey
from ...receipts.sign import CERTIFICATE_CODES, SignatureVerdict
from ...receipts.sign import verify as verdict_of
from ..keys import public_keys
from ..options import Files, Keys, KindOption, Lines, Listing
from ..report import Report
from ..results import Result

if TYPE_CHECKING:
    from ...documents.generated.models import RewardCertificateV1, RewardEvidenceReceiptV1

_ID: Final = {"certificate": "certificate_id", "receipt": "receipt_id"}
_VERDICTS: Final = (*map(str, SignatureVerdict), "invalid")
_CODES: Final = {
    ("receipt", SignatureVerdict.INVALID): "signature-invalid",
    ("receipt", SignatureVerdict.SIGNER_UNKNOWN): "signer-unknown",
    **{("certificate", verdict): code for verdict, code in CERTIFICATE_CODES.items()},
}


def verify(files: Files, keys: Keys, kind: KindOption = None, lines: Lines = None, *, listing: Listing) -> ExitStatus:
    """A signature by a key that you do not hold is undecided, not invalid."""
    if not keys.given:
        raise typer.BadParameter("give --keyring or --public-key, one of them")
    report = Report("verify", listing, verdicts=_VERDICTS)
    held = public_keys(report, keys)
    if held is None:
        return report.close()
    for entry in entries(files, kind, lines):
        if isinstance(entry, Unread):
            report.unread(entry)
        elif entry.findings:
            report.add(Result(entry, "invalid", members={"kind": entry.kind}, findings=entry.findings))
        elif entry.kind == "contract":
            report.problem(entry.text.name, f"{entry.label} is a contract, which carries no signature")
        else:
            report.add(_verified(entry, held))
    return report.close()


def _verified(entry: Entry, keys: PublicKey) -> Result:
    assert entry.kind is not None
    document = cast("RewardCertificateV1 | RewardEvidenceReceiptV1", entry.document())
    verdict = verdict_of(document, keys)
    name, key_id = entry.value[_ID[entry.kind]], document.issuer_key_id
    lines = (f"{verdict}  {entry.label}  {name}  {key_id}",)
    members = {"kind": entry.kind, "id": name, "issuer_key_id": key_id}
    if verdict is SignatureVerdict.VALID:
        return Result(entry, verdict, lines, members)
    code = _CODES[entry.kind, verdict]
    if verdict is SignatureVerdict.INVALID:
        return Result(entry, verdict, lines, members, (_about(entry, code, "signature"),))
    return Result(entry, verdict, lines, members, unchecked=(_about(entry, code, "issuer_key_id"),))


def _about(entry: Entry, code: str, member: str) -> Finding:
    return entry.finding(code, sentence(code, key_id=entry.value["issuer_key_id"]), (member,))
