"""``calibrate plan``: how many trials a bound needs, before any of them is made."""

from __future__ import annotations

from typing import Annotated

import typer

from ...calibration.planning import plan
from ...core.exit_status import ExitStatus
from ...core.text_table import aligned
from ..formats.json import print_envelope
from ..options import TextOrJson
from ..terminal import say


def calibrate_plan(
    epsilon: Annotated[float, typer.Option("--epsilon", metavar="E", help="The bound that is wanted.")],
    delta: Annotated[float, typer.Option("--delta", metavar="D", help="The probability that it is wrong.")],
    errors: Annotated[
        int, typer.Option("--errors", metavar="N", min=0, max=1000, help="Up to how many false accepts are listed.")
    ] = 5,
    form: TextOrJson = "text",
) -> ExitStatus:
    """One line for each number of false accepts: the fewest trials that should be refused, and the bound that these
    give. Fix the number before the first trial: whoever goes on until the bound is met has no such bound.
    """
    try:
        rows = plan(epsilon, delta, range(errors + 1))
    except (ModuleNotFoundError, ValueError) as error:
        say(f"reward-receipts: {error}")
        if form == "json":
            problem = {"name": "plan", "message": str(error)}
            print_envelope("calibrate plan", ExitStatus.UNDECIDED, problems=[problem])
        return ExitStatus.UNDECIDED
    if form == "json":
        result = {"epsilon": epsilon, "delta": delta, "rows": [row._asdict() for row in rows]}
        print_envelope("calibrate plan", ExitStatus.GOOD, [result])
        return ExitStatus.GOOD
    print(f"P(false accept) <= {epsilon} at delta {delta}, synthetic")
    table = [("false accepts", "trials", "bound")]
    table += [(str(row.false_accepts), str(row.trials), f"{row.epsilon:.6g}") for row in rows]
    for line in aligned(table, 0):
        print(line)
    return ExitStatus.GOOD
