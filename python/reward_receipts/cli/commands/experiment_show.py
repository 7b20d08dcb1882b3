"""``experiment show``: the completed experiment with its digest."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ...core.exit_status import ExitStatus
from ...experiments.document import Experiment
from ..experiments import Answer, answered
from ..options import TextOrJson


def experiment_show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An experiment; - is standard input.")],
    form: TextOrJson = "text",
) -> ExitStatus:
    """All defaults are filled in, and the reward spec is written out. The digest covers what is shown."""

    def work() -> Answer:
        experiment = Experiment.from_file(file)
        spec = "the environment's own reward" if experiment.spec is None else experiment.spec.digest
        lines = [f"experiment  {experiment.digest}", f"spec        {spec}", *experiment.to_json().splitlines()]
        result: dict[str, Any] = {
            "file": file,
            "digest": experiment.digest,
            "spec_digest": None if experiment.spec is None else experiment.spec.digest,
            "experiment": experiment.to_dict(),
        }
        if experiment.sweep:
            variants = [
                {"settings": dict(each.settings), "digest": each.experiment.digest} for each in experiment.variants()
            ]
            result["variants"] = variants
            for at, each in enumerate(variants, 1):
                lines.append(f"variant-{at}  {each['digest']}  {json.dumps(each['settings'])}")
        return ExitStatus.GOOD, lines, [result]

    return answered("experiment show", file, form, work)
