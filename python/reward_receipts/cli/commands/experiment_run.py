"""``experiment run``: trains every seed of an experiment, in a new folder."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ...experiments.document import Experiment
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import Jobs, statuses_of, sweep_of
from ..terminal import say


def experiment_run(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An experiment.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FOLDER", help="A folder that is new or empty.")],
    jobs: Jobs = 1,
    form: TextOrJson = "text",
) -> ExitStatus:
    """Each seed gets a folder of its own with trace, manifest, metrics, log, policy and status. Progress goes to
    standard error. If the experiment has a sweep, each of its variants is a run in a folder of its own. A run that was
    cut off is continued by `experiment resume`. Exit status: 0 all seeds are complete; 1 one of them failed; 2 the
    experiment is refused, and nothing is written.
    """

    def work() -> Answer:
        experiment = Experiment.from_file(file)
        from ...experiments.harness import run, run_sweep

        if experiment.sweep:
            return sweep_of(run_sweep(experiment, output, jobs=jobs, say=say))
        return statuses_of(output, run(experiment, output, jobs=jobs, say=say))

    return answered("experiment run", file, form, work)
