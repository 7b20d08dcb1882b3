"""``experiment summary``: the measures of a run over its seeds."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import MAX_COUNT, TextOrJson
from ..runs import Best, Folder, best_of, summary_lines


def experiment_summary(
    folder: Folder,
    best: Best = None,
    window: Annotated[
        int | None,
        typer.Option("--window", metavar="N", min=1, max=MAX_COUNT, help="Steps of a window, not the experiment's."),
    ] = None,
    form: TextOrJson = "text",
) -> ExitStatus:
    """From the traces of the complete seeds alone. Each number is the interquartile mean over seeds with its 95 %
    interval (stratified bootstrap, Agarwal et al. 2021); one that is undefined says why, and is never 0.
    """

    def work() -> Answer:
        from ...experiments.summary import summarise_run

        found = summarise_run(folder, best=best_of(best), window=window)
        return ExitStatus.GOOD, summary_lines(found), [found.to_dict()]

    return answered("experiment summary", folder, form, work)
