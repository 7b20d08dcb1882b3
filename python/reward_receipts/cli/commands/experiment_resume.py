"""``experiment resume``: trains the seeds of a run that are not complete."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import Folder, Jobs, statuses_of, sweep_of
from ..terminal import say


def experiment_resume(
    folder: Folder,
    experiment: Annotated[
        str | None,
        typer.Option("--experiment", metavar="FILE", help="Refuse the folder if its run is not of this experiment."),
    ] = None,
    jobs: Jobs = 1,
    form: TextOrJson = "text",
) -> ExitStatus:
    """A seed that is complete is left as it is. One that was cut off, or failed, begins again in a new attempt; the
    rows of the old one stay. A run of other versions is refused. Exit status as of `experiment run`.
    """

    def work() -> Answer:
        from ...experiments.document import Experiment
        from ...experiments.folder import RunFolder
        from ...experiments.harness import resume, resume_sweep

        if experiment is not None:
            RunFolder(folder).require(Experiment.from_file(experiment))
        if RunFolder(folder).experiment().sweep:
            return sweep_of(resume_sweep(folder, jobs=jobs, say=say))
        return statuses_of(folder, resume(folder, jobs=jobs, say=say))

    return answered("experiment resume", folder, form, work)
