"""``experiment lint``: what is wrong with experiments, before anything is run."""

from __future__ import annotations

from typing import Annotated

import typer

from ...bulk.files import Unread
from ...core.exit_status import ExitStatus
from ...experiments.document import read_experiment_file
from ..options import Listing
from ..report import Report
from ..results import Result


def experiment_lint(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILES...", help="Experiments: JSON if the name ends in .json, else YAML; - is stdin."),
    ],
    *,
    listing: Listing,
) -> ExitStatus:
    """The reward spec that an experiment names is read too, and its digest compared. Nothing is imported: whether the
    environment and the trainer exist, `experiment run` says before it writes anything.
    """
    report = Report("experiment lint", listing)
    for name in files:
        try:
            file = read_experiment_file(name)
        except Unread as unread:
            report.unread(unread)
            continue
        members = {"kind": "experiment", "digest": None if file.findings else file.experiment().digest}
        report.add(Result(file, "invalid" if file.findings else "valid", members=members, findings=file.findings))
    return report.close()
