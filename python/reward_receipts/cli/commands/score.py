"""``score``: the scalar of one outcome under a contract, and whether it is certified (synthetic)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from ...bulk.documents import Entry, only_entry
from ...bulk.files import Unread
from ...core.codes import sentence
from ...core.exit_status import ExitStatus
from ...core.findings import shown
from ...core.generated.tables import MAX_POLICY_UPDATE
from ...receipts.keys import PublicKey
from ...receipts.score import score as score_of
from ...receipts.sign import CERTIFICATE_CODES, SignatureVerdict, verify
from ..keys import public_keys
from ..options import FormatOption, Keys
from ..report import Report
from ..results import Result

if TYPE_CHECKING:
    from ...documents.generated.models import RewardCertificateV1, RewardContractV1


_NOT_CHECKED = "not checked"


def score(
    outcome: Annotated[str, typer.Argument(metavar="OUTCOME", help="A reward outcome, such as verified.")],
    contract: Annotated[str, typer.Option("--contract", metavar="FILE", help="The contract to score under.")],
    tier: Annotated[int, typer.Option("--tier", min=0, max=3, help="The oracle tier of the reading.")],
    policy_update: Annotated[
        int, typer.Option("--policy-update", min=0, max=MAX_POLICY_UPDATE, help="The policy update of the episode.")
    ],
    certificate: Annotated[
        str | None, typer.Option("--certificate", metavar="FILE", help="The certificate of the checker.")
    ] = None,
    *,
    keys: Keys,
    form: FormatOption = "text",
) -> ExitStatus:
    """Says too what speaks against certification (synthetic), which is not a finding. An unscored episode is never 0.0.
    With --keyring or --public-key the certificate's signature is checked: an invalid one is a finding, an unknown
    signer cannot be decided, and nothing is scored. Without them the result says that nobody checked it.
    """
    report = Report("score", form)
    public_key = public_keys(report, keys)
    if report.summary.exit_status:
        return report.close()
    try:
        held = only_entry(contract, "contract")
        presented = None if certificate is None else only_entry(certificate, "certificate")
    except Unread as unread:
        report.unread(unread)
        return report.close()
    broken = [entry for entry in (held, presented) if entry is not None and entry.findings]
    for entry in broken:
        report.add(Result(entry, "invalid", findings=entry.findings))
    signature = None if broken or presented is None else _signature(report, presented, public_key)
    if not broken and report.summary.exit_status == 0:
        try:
            report.add(_scored(outcome, held, tier, policy_update, presented, signature))
        except ValueError as error:
            report.problem(contract, str(error))
    return report.close()


def _signature(report: Report, presented: Entry, keys: PublicKey | None) -> str:
    """The verdict on the certificate's signature. A signature that is not valid goes into the report."""
    if keys is None:
        return _NOT_CHECKED
    certificate = cast("RewardCertificateV1", presented.document())
    verdict = verify(certificate, keys)
    if verdict is not SignatureVerdict.VALID:
        invalid = verdict is SignatureVerdict.INVALID
        code = CERTIFICATE_CODES[verdict]
        about = presented.finding(
            code, sentence(code, key_id=certificate.issuer_key_id), ("signature" if invalid else "issuer_key_id",)
        )
        found, undecided = ((about,), ()) if invalid else ((), (about,))
        report.add(Result(presented, verdict, members={"kind": "certificate"}, findings=found, unchecked=undecided))
    return verdict


def _scored(
    outcome: str, held: Entry, tier: int, policy_update: int, presented: Entry | None, signature: str | None
) -> Result:
    contract = cast("RewardContractV1", held.document())
    certificate = None if presented is None else cast("RewardCertificateV1", presented.document())
    scored = score_of(outcome, tier, certificate, policy_update, contract=contract)
    refusals = scored.certification_refusals
    lines = (
        f"scalar                 {'unscored' if scored.scalar is None else shown(scored.scalar)}",
        f"certified (synthetic)  {'yes' if scored.certified else 'no'}",
        f"development only       {'yes' if scored.development_only else 'no'}",
        *(f"refusal                {refusal.code} {refusal}" for refusal in refusals),
        *_signature_lines(signature),
    )
    members = {
        "reward_outcome": outcome,
        "scalar": scored.scalar,
        "certified_synthetic": scored.certified,
        "development_only": scored.development_only,
        "certificate_signature": signature,
        "certification_refusals": [{"code": refusal.code, "sentence": refusal} for refusal in refusals],
    }
    return Result(held, "unscored" if scored.scalar is None else "scored", lines, members)


def _signature_lines(signature: str | None) -> tuple[str, ...]:
    if signature is None:
        return ()
    how = "; give --keyring or --public-key" if signature == _NOT_CHECKED else ""
    return (f"certificate signature  {signature}{how}",)
