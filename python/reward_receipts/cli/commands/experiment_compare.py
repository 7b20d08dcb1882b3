"""``experiment compare``: two runs side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import Best, best_of, comparison_lines


def experiment_compare(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The folder of a run.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The folder of another one.")],
    best: Best = None,
    form: TextOrJson = "text",
) -> ExitStatus:
    """What differs between the experiments, the reward specs in words, and the measures of each visit of a regime.
    Two numbers are called apart if their intervals have no value in common.
    """

    def work() -> Answer:
        from ...experiments.summary import compare_runs, summarise_run

        known = best_of(best)
        found = compare_runs(summarise_run(before, best=known), summarise_run(after, best=known))
        return ExitStatus.GOOD, comparison_lines(found), [found.to_dict()]

    return answered("experiment compare", before, form, work)
