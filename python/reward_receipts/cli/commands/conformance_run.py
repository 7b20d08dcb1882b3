"""``conformance run``: holds an implementation to the corpus."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ...conformance.command import Options, UsageError, run
from ...conformance.report import Format
from ...core.exit_status import ExitStatus
from ..terminal import say


def conformance_run(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND", help="What starts the driver, with its arguments.")
    ] = None,
    layer: Annotated[
        list[str] | None, typer.Option("--layer", metavar="LAYER", help="Only this layer; may be given repeatedly.")
    ] = None,
    case: Annotated[
        list[str] | None,
        typer.Option("--case", metavar="ID", help="Only this case, or all below it; may be given repeatedly."),
    ] = None,
    cases: Annotated[
        str | None, typer.Option("--cases", metavar="DIR", help="A corpus. By default the one of this package.")
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", metavar="S", help="Seconds for each answer.")] = 10.0,
    start_timeout: Annotated[float, typer.Option("--start-timeout", metavar="S", help="Seconds for the hello.")] = 10.0,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="The order of the cases. By default any.")
    ] = None,
    xfail: Annotated[
        str | None, typer.Option("--xfail", metavar="FILE", help="Expected failures; each with a reason and an expiry.")
    ] = None,
    write_xfail: Annotated[
        str | None, typer.Option("--write-xfail", metavar="FILE", help="A new file: drafts the list of what fails.")
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="ID", help="Ask this one case and say everything about it, as text."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f")] = "text",
) -> ExitStatus:
    """
    \b
    Exit status: 0 a claim of conformance holds; 1 it does not; 2 wrong usage:
    a name that the corpus does not have, a corpus with a wrong hash, a command
    that cannot be started. With --explain and no command: 0.

    The command is run as it is, not by a shell, and may do whatever you may do.
    """  # noqa: D301
    options = Options(
        command=command or [],
        layers=layer or [],
        names=case or [],
        folder=cases,
        timeout=timeout,
        start_timeout=start_timeout,
        seed=seed,
        xfail=xfail,
        write_xfail=write_xfail,
        explain=explain,
        form=form,
    )
    try:
        text, status = run(options)
    except UsageError as error:
        say(f"reward-receipts: {error}")
        return ExitStatus.UNDECIDED
    sys.stdout.write(text)
    return status
