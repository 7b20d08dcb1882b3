"""``experiment report``: one HTML file, or a picture, over one run or several."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import Best, best_of


def experiment_report(
    folders: Annotated[list[str], typer.Argument(metavar="FOLDERS...", help="The folders of runs.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="By its suffix: .html, or a picture as .svg or .png.")
    ],
    best: Best = None,
    form: TextOrJson = "text",
) -> ExitStatus:
    """Curves with intervals over shaded regimes, each term's contribution, the gap to the ceiling, the measures, and
    the documents with their digests; several runs side by side, with the difference of their reward specs in words.
    The HTML file opens offline. What the file had is replaced.
    """

    def work() -> Answer:
        from ...experiments.pictures import write_picture
        from ...experiments.report import write_run_report
        from ...experiments.summary import summarise_run

        if not output.lower().endswith((".html", ".svg", ".png")):
            raise ValueError(f"--output is {output}; expected a name that ends in .html, .svg or .png")
        runs = [summarise_run(folder, best=best_of(best)) for folder in folders]
        (write_run_report if output.lower().endswith(".html") else write_picture)(runs, output)
        return ExitStatus.GOOD, [output], [{"output": output, "runs": folders}]

    return answered("experiment report", folders[0], form, work)
