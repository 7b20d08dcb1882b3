"""``calibrate threshold``: a threshold chosen from trials without breaking the bound."""

from __future__ import annotations

from typing import Annotated

import typer

from ...calibration.threshold import choose_threshold, none_passed
from ...core.exit_status import ExitStatus
from ...core.text_table import aligned
from ..calibration import GroupByOption, Refused, TrialsFile, findings_of, reporting, subject, thresholds_in, trials_in
from ..options import TextOrJson
from ..report import Report
from ..results import Result


def calibrate_threshold(
    trials: TrialsFile,
    thresholds: Annotated[
        str,
        typer.Option(
            "--thresholds", metavar="T,T,...", help="What to choose from, tested in this order, the strictest first."
        ),
    ],
    epsilon: Annotated[float, typer.Option("--epsilon", metavar="E", help="The bound that is wanted.")],
    delta: Annotated[float, typer.Option("--delta", metavar="D", help="The probability that it is wrong.")],
    group_by: GroupByOption = None,
    form: TextOrJson = "text",
) -> ExitStatus:
    """Learn then Test, with fixed-sequence testing: the list and its order must not depend on the trials. The last
    threshold that passes keeps P(false accept) to epsilon at confidence 1 - delta. Exit status 1: none passes.
    """
    report = Report("calibrate threshold", form)
    try:
        with reporting(report, trials):
            corpus = trials_in(report, trials)
            choice = choose_threshold(
                corpus, thresholds_in(thresholds), epsilon=epsilon, delta=delta, group_by=group_by
            )
    except Refused:
        return report.close()
    table = [("threshold", "false accepts", "trials", "p-value", "passed", "clean controls accepted")]
    for test in choice.tests:
        controls = f"{test.accepted_controls} of {test.controls}"
        passed = "yes" if test.passed else "no"
        table.append(
            (str(test.threshold), str(test.false_accepts), str(test.trials), f"{test.p_value:.4g}", passed, controls)
        )
    members = {"kind": "trials", "choice": {**choice.to_dict(), "corpus_digest": corpus.digest}}
    chosen = "none passed" if choice.threshold is None else str(choice.threshold)
    lines = (
        f"threshold      {chosen}",
        f"epsilon        {choice.epsilon} at delta {choice.delta}, synthetic",
        f"corpus digest  {corpus.digest}",
        "",
        *aligned(table, 0),
    )
    refusals = [] if choice.threshold is not None else [none_passed(choice)]
    findings = findings_of(refusals)
    report.add(Result(subject(trials), "refused" if findings else "chosen", lines, members, findings))
    return report.close()
