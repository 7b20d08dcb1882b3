"""``experiment diff``: what changed from one experiment to another."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ...experiments.document import Experiment, diff_experiments
from ..experiments import Answer, answered
from ..options import TextOrJson


def experiment_diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="An experiment.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="Another one.")],
    form: TextOrJson = "text",
) -> ExitStatus:
    """The reward specs are compared in words, as `spec diff` does. Exit status: 0 nothing, so that the digests are
    equal; 1 something; 2 one of them cannot be read, or is invalid.
    """

    def work() -> Answer:
        was, now = Experiment.from_file(before), Experiment.from_file(after)
        lines = diff_experiments(was, now)
        result = {"before_digest": was.digest, "after_digest": now.digest, "differences": lines}
        return ExitStatus.FINDING if lines else ExitStatus.GOOD, lines or ["no difference"], [result]

    return answered("experiment diff", before, form, work)
