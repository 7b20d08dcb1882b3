"""``conformance``: hold an implementation to the corpus. What runs is loaded when it runs, so help is fast."""

from __future__ import annotations

import sys
from typing import Annotated, Final, Literal

import typer

from .terminal import say

_RUN: Final = """Ask a driver all cases, twice, in an order that the seed gives.

\b
Exit status: 0 a claim of conformance holds; 1 it does not; 2 wrong usage:
a name that the corpus does not have, a corpus with a wrong hash, a command
that cannot be started. With --explain and no command: 0.

The command is run as it stands, not by a shell, and may do whatever you may do.
"""

app = typer.Typer(help="Hold an implementation to the corpus.", no_args_is_help=True, rich_markup_mode=None)


@app.command(help=_RUN, context_settings={"allow_interspersed_args": False})
def run(
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
    form: Annotated[Literal["text", "json", "junit", "markdown"], typer.Option("--format", "-f")] = "text",
) -> None:
    from ..conformance.command import Options, UsageError
    from ..conformance.command import run as conformance_run

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
        text, status = conformance_run(options)
    except UsageError as error:
        say(f"reward-receipts: {error}")
        raise typer.Exit(2) from None
    sys.stdout.write(text)
    raise typer.Exit(status)


@app.command()
def matrix(
    reports: Annotated[list[str], typer.Argument(metavar="REPORT.json...", help="Reports of conformance run -f json.")],
) -> None:
    """Print a Markdown table of layers by implementations."""
    from ..conformance.command import UsageError
    from ..conformance.command import matrix as conformance_matrix

    try:
        text = conformance_matrix(reports)
    except UsageError as error:
        say(f"reward-receipts: {error}")
        raise typer.Exit(2) from None
    sys.stdout.write(text)
