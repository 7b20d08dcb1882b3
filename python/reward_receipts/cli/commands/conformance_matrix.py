"""``conformance matrix``: a table of layers by implementations, from the reports of runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ...conformance.command import UsageError, matrix
from ...core.exit_status import ExitStatus
from ..terminal import say


def conformance_matrix(
    reports: Annotated[list[str], typer.Argument(metavar="REPORT.json...", help="Reports of conformance run -f json.")],
) -> ExitStatus:
    try:
        text = matrix(reports)
    except UsageError as error:
        say(f"reward-receipts: {error}")
        return ExitStatus.UNDECIDED
    sys.stdout.write(text)
    return ExitStatus.GOOD
