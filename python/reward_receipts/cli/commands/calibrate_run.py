"""``calibrate run``: the bound on a checker's false accepts from labelled trials, and a certificate (synthetic)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...calibration.certificate import certificate_of, policy_refusals
from ...calibration.measurement import GroupBy, Measurement, measure
from ...calibration.picture import SUFFIXES, draw_bound
from ...calibration.threshold import ThresholdChoice, choose_threshold
from ...calibration.trials import Trials
from ...core.canonical import canonical_json_bytes
from ...core.escaping import file_label
from ...core.exit_status import ExitStatus
from ...receipts.lifetime import DEFAULT_VACUITY_LIMIT
from ..calibration import (
    CheckerOption,
    ContractOption,
    GroupByOption,
    Refused,
    TrialsFile,
    checker_digest,
    contract_in,
    findings_of,
    lines_of,
    reporting,
    subject,
    thresholds_in,
    trials_in,
)
from ..keys import signing_key_in
from ..options import MAX_COUNT, TextOrJson
from ..report import Report
from ..results import Result
from ..terminal import OutputLost, say, write_document

if TYPE_CHECKING:
    from ...documents.generated.models import RewardContractV1


def calibrate_run(
    trials: TrialsFile,
    contract: ContractOption = None,
    signing_key: Annotated[
        str | None,
        typer.Option("--signing-key", metavar="FILE", help="A private key file of keygen: issue a certificate."),
    ] = None,
    checker: CheckerOption = None,
    policy_update: Annotated[
        int | None,
        typer.Option("--policy-update", metavar="N", min=0, max=MAX_COUNT, help="The first update of the certificate."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="A new file for the certificate.")
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(
            "--delta", metavar="D", help="The probability that the bound is wrong; the contract's by default."
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="T",
            help="The score from which on the checker accepts, chosen without these trials; the contract's by default.",
        ),
    ] = None,
    thresholds: Annotated[
        str | None,
        typer.Option(
            "--thresholds",
            metavar="T,T,...",
            help="The threshold was chosen with these trials, by `calibrate threshold` from this list in this order.",
        ),
    ] = None,
    expiry: Annotated[
        int | None,
        typer.Option(
            "--expiry",
            metavar="N",
            min=1,
            max=MAX_COUNT,
            help="For how many policy updates it is current; as many as the contract allows by default.",
        ),
    ] = None,
    group_by: GroupByOption = None,
    required: Annotated[
        list[str] | None,
        typer.Option("--require-class", metavar="NAME", help="Refuse a corpus without this fault class. Repeatable."),
    ] = None,
    failed_controls: Annotated[
        int,
        typer.Option(
            "--allow-failed-controls", metavar="N", min=0, max=MAX_COUNT, help="How many clean ones it may refuse."
        ),
    ] = 0,
    vacuity_limit: Annotated[
        float, typer.Option("--vacuity-limit", metavar="E", help="A bound of this or more says nothing.")
    ] = DEFAULT_VACUITY_LIMIT,
    allow_group_readable: Annotated[
        bool, typer.Option("--allow-group-readable", help="Take a private key file that its group can read.")
    ] = False,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Draw the bound against the number of trials: .svg, .png, .html."),
    ] = None,
    form: TextOrJson = "text",
) -> ExitStatus:
    """`calibrate TRIALS` is short for `calibrate run TRIALS`. The bound is the exact one of Clopper and Pearson. With
    a contract its policy has to be met; with a signing key too, the certificate (synthetic) is written to a new file.
    Exit status: 0 the bound is given, and the contract's policy is met; 1 the trials are refused, which says why, and
    no certificate is written; 2 something cannot be read.
    """
    if contract is None and delta is None:
        raise typer.BadParameter("give --delta, or a --contract, whose delta is then taken")
    issuing = {"--contract": contract, "--checker": checker, "--policy-update": policy_update, "--output": output}
    if signing_key is None and output is not None:
        raise typer.BadParameter("--output is for a certificate; it needs --signing-key")
    if signing_key is not None and (missing := [name for name, value in issuing.items() if value is None]):
        raise typer.BadParameter(f"a certificate needs {', '.join(missing)} too")
    if output == "-":
        raise typer.BadParameter("the certificate is written to a file, not to standard output; name a file")
    if plot is not None and not plot.lower().endswith(SUFFIXES):
        raise typer.BadParameter(f"--plot is {plot}; expected a name that ends in {', '.join(SUFFIXES)}")
    report = Report("calibrate run", form)
    try:
        with reporting(report, trials):
            held = None if contract is None else contract_in(report, contract)
            configuration = checker_digest(report, checker)
            key = None if signing_key is None else signing_key_in(report, signing_key, allow_group_readable)
            if signing_key is not None and key is None:
                raise Refused
            corpus = trials_in(report, trials)
            found, choice = _measured(corpus, held, delta, threshold, thresholds, group_by)
            refusals = found.refusals(
                required_classes=required or (), failed_controls_allowed=failed_controls, vacuity_limit=vacuity_limit
            )
            if held is not None:
                refusals += policy_refusals(found, held, choice)
            if plot is not None:
                draw_bound(found, plot, policy_epsilon=None if held is None else held.certificate_policy.epsilon)
            certificate = None
            if not refusals and held is not None and key is not None:
                certificate = certificate_of(
                    found,
                    held,
                    choice,
                    checker_configuration_digest=str(configuration),
                    issued_at_policy_update=policy_update or 0,
                    signing_key=key,
                    expiry_policy_updates=expiry,
                )
                write_document(output, canonical_json_bytes(certificate) + b"\n")
    except Refused:
        return report.close()
    except OSError as error:
        raise OutputLost(f"cannot write {file_label(str(plot))}: {error.strerror or error}") from None
    members: dict[str, Any] = {"kind": "trials", "measurement": found.to_dict()}
    lines = lines_of(found)
    if certificate is not None:
        members["certificate_digest"] = certificate.digest
        lines = [f"certificate       {certificate.certificate_id} (synthetic)", *lines]
    findings = findings_of(refusals)
    report.add(Result(subject(trials), "refused" if findings else "bounded", tuple(lines), members, findings))
    if not found.threshold and not corpus.scored and held is not None:
        policy = held.certificate_policy
        say(f"reward-receipts: the trials have decisions; that they were made at the threshold {policy.threshold} "
            "is not checked")  # fmt: skip
    return report.close()


def _measured(
    corpus: Trials,
    held: RewardContractV1 | None,
    delta: float | None,
    threshold: float | None,
    thresholds: str | None,
    group_by: GroupBy | None,
) -> tuple[Measurement, ThresholdChoice | None]:
    policy = None if held is None else held.certificate_policy
    level = delta if delta is not None else policy.delta if policy is not None else 0.0
    if threshold is not None and not corpus.scored:
        raise ValueError("--threshold is for trials with scores, and these have decisions")
    at = threshold if threshold is not None else None if policy is None else policy.threshold
    found = measure(corpus, delta=level, threshold=at, group_by=group_by)
    if thresholds is None or policy is None:
        if thresholds is not None:
            raise ValueError("--thresholds needs --contract; `calibrate threshold` chooses one")
        return found, None
    listed = thresholds_in(thresholds)
    return found, choose_threshold(corpus, listed, epsilon=policy.epsilon, delta=level, group_by=group_by)
