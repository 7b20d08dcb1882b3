"""``show``: one receipt for people, with its contract and its certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, cast

import typer

from ...bulk.auditor import Auditor, Documents, Verdict
from ...bulk.documents import Entry, only_entry
from ...core.codes import audit_inputs, note
from ...core.exit_status import ExitStatus
from ...core.findings import shown
from ...core.text_table import aligned
from ...documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..held import held_documents
from ..keys import public_keys
from ..options import Keys
from ..report import Report
from ..results import NotGiven, Result


def show(
    receipt: Annotated[str, typer.Argument(metavar="RECEIPT", help="A JSON file with one receipt, or - for stdin.")],
    documents: Annotated[
        list[str] | None,
        typer.Option(
            "--documents",
            metavar="FOLDER",
            help="Contracts and certificates, as FILES of lint; may be given repeatedly.",
        ),
    ] = None,
    *,
    keys: Keys,
) -> ExitStatus:
    """What the receipt says, then the contract and the certificate that it names, if they are among the documents, then
    what an audit finds. The exit status is that of the audit.
    """
    report = Report("show")
    held = held_documents(report, documents or ())
    public_key = public_keys(report, keys)
    entry = report.valid(lambda: only_entry(receipt, "receipt"))
    if entry is None or report.summary.exit_status:
        return report.close()
    verdict = Auditor(held.contracts.values(), held.certificates.values(), public_key).entry(entry, None)
    report.add(_result(entry, verdict, held))
    return report.close()


def _result(entry: Entry, verdict: Verdict, held: Documents) -> Result:
    receipt = cast(RewardEvidenceReceiptV1, verdict.receipt)
    contract = held.contracts.get(receipt.reward_contract_digest)
    certificate = held.certificates.get(receipt.certificate_digest or "")
    lines = [*_receipt(receipt), *_contract(receipt, contract), *_certificate(receipt, certificate)]
    lines += ["", f"Audit: {verdict.verdict}"]
    options = {**audit_inputs(), "contract": "--documents", "certificate": "--documents"}
    missing = tuple(
        NotGiven(what, note("not-given-option", input=what, options=options[what]), codes)
        for what, codes in verdict.not_given.items()
    )
    return Result(entry, verdict.verdict, tuple(lines), {}, verdict.findings, verdict.unchecked, missing)


def _receipt(receipt: RewardEvidenceReceiptV1) -> Iterator[str]:
    scalar = "unscored (not 0.0)" if receipt.scalar_reward is None else shown(receipt.scalar_reward)
    certified = "certified (synthetic)" if receipt.certified else "not certified (synthetic)"
    yield f"Receipt {receipt.receipt_id}"
    yield from _table(
        {
            "digest": receipt.digest,
            "outcome": f"{receipt.reward_outcome} ({receipt.scoring_class})",
            "scalar reward": scalar,
            "certification": f"{certified}{', for development only' if receipt.development_only else ''}",
            "oracle tier": f"{int(receipt.oracle_tier)} ({receipt.oracle_tier.name})",
            "uncertainty": receipt.uncertainty,
            "policy update": f"{receipt.policy_update} (checkpoint {receipt.policy_checkpoint_id})",
            "episode": receipt.episode_id,
            "evidence": receipt.evidence_digest,
            "issuer key": receipt.issuer_key_id,
            "issued at": receipt.issued_at,
        }
    )
    if receipt.reward_components:
        yield "  components"
        yield from (f"    {line}" for line in aligned([[n, shown(v)] for n, v in receipt.reward_components.items()], 1))


def _contract(receipt: RewardEvidenceReceiptV1, contract: RewardContractV1 | None) -> Iterator[str]:
    yield ""
    if contract is None:
        yield f"Contract {receipt.reward_contract_digest}, which is not among the documents"
        return
    policy = contract.certificate_policy
    yield f"Contract {contract.contract_id} {contract.contract_version}"
    yield from _table(
        {
            "digest": contract.digest,
            "task": contract.task_id,
            "environment": contract.environment_id,
            "oracle": f"{contract.oracle.channel} (tier {int(contract.oracle.tier)})",
            "components": ", ".join(f"{each.name} ({shown(each.weight)})" for each in contract.components),
            "asks for": f"epsilon {shown(policy.epsilon)} at most, at delta {shown(policy.delta)}",
        }
    )


def _certificate(receipt: RewardEvidenceReceiptV1, certificate: RewardCertificateV1 | None) -> Iterator[str]:
    yield ""
    if receipt.certificate_digest is None:
        yield "No certificate (synthetic)"
    elif certificate is None:
        yield f"Certificate (synthetic) {receipt.certificate_digest}, which is not among the documents"
    else:
        first, last = certificate.issued_at_policy_update, certificate.expires_at_policy_update - 1
        yield f"Certificate (synthetic) {certificate.certificate_id}"
        yield from _table(
            {
                "digest": certificate.digest,
                "bound": f"P(false accept) <= {shown(certificate.epsilon)} at delta {shown(certificate.delta)}",
                "current for": f"policy updates {first} to {last}; the receipt says {receipt.certificate_state}",
                "scope": certificate.calibration_scope,
                "issuer key": certificate.issuer_key_id,
            }
        )


def _table(members: Mapping[str, object]) -> Iterator[str]:
    return (f"  {line}" for line in aligned([[name, str(value)] for name, value in members.items()]))
