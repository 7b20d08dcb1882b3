"""``score``: the scalar of one outcome under a contract, and whether it is certified (synthetic)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..findings import shown
from ..scoring import score as score_of
from ..sources import Entry, Unread, only_entry
from .formats import Format, Report, Result

if TYPE_CHECKING:
    from ..generated.models import RewardCertificateV1, RewardContractV1


def score(
    outcome: str, contract_file: str, tier: int, policy_update: int, certificate_file: str | None, form: Format
) -> int:
    """Scores an outcome. Refusals of certification (synthetic) are no findings. Returns the exit status."""
    report = Report("score", form)
    try:
        held = only_entry(contract_file, "contract")
        presented = None if certificate_file is None else only_entry(certificate_file, "certificate")
    except Unread as unread:
        report.unread(unread)
        return report.close()
    broken = [entry for entry in (held, presented) if entry is not None and entry.findings]
    for entry in broken:
        report.add(Result(entry, "invalid", findings=entry.findings))
    if not broken:
        try:
            report.add(_scored(outcome, held, tier, policy_update, presented))
        except ValueError as error:
            report.problem(contract_file, str(error))
    return report.close()


def _scored(outcome: str, held: Entry, tier: int, policy_update: int, presented: Entry | None) -> Result:
    contract = cast("RewardContractV1", held.document())
    certificate = None if presented is None else cast("RewardCertificateV1", presented.document())
    scored = score_of(outcome, tier, certificate, policy_update, contract=contract)
    refusals = scored.certification_refusals
    lines = (
        f"scalar                 {'unscored' if scored.scalar is None else shown(scored.scalar)}",
        f"certified (synthetic)  {'yes' if scored.certified else 'no'}",
        f"development only       {'yes' if scored.development_only else 'no'}",
        *(f"refusal                {refusal.code} {refusal}" for refusal in refusals),
    )
    members = {
        "reward_outcome": outcome,
        "scalar": scored.scalar,
        "certified_synthetic": scored.certified,
        "development_only": scored.development_only,
        "certification_refusals": [{"code": refusal.code, "sentence": refusal} for refusal in refusals],
    }
    return Result(held, "unscored" if scored.scalar is None else "scored", lines, members)
