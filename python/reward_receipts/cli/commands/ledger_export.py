"""``ledger export``: the receipts of a ledger, or its signed head."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ...core.generated.tables import MAX_POLICY_UPDATE
from ...ledger import Ledger
from ...receipts.keys import SigningKey
from ..keys import signing_key_in
from ..ledgers import LedgerName, Stopped, reader, using
from ..report import Report
from ..terminal import Output, OutputFile


def ledger_export(
    ledger: LedgerName,
    after: Annotated[
        int, typer.Option("--after", metavar="ROW", min=0, max=MAX_POLICY_UPDATE, help="Leave out the rows up to ROW.")
    ] = 0,
    signing_key: Annotated[
        str | None,
        typer.Option(
            "--signing-key",
            metavar="FILE",
            help="Write the signed head in place of the receipts; a private key file of keygen, a pipe, or - for "
            "standard input.",
        ),
    ] = None,
    allow_group_readable: Annotated[
        bool,
        typer.Option(
            "--allow-group-readable", help="Take a private key file that its group can read, such as a mounted secret."
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write to FILE, in place of what it has; - is standard output."
        ),
    ] = None,
) -> ExitStatus:
    """The receipts are JSON Lines in the order of their rows: audit, and ledger admit into another ledger, read them.

    The signed head says which rows there are now. Keep it where whoever can write the ledger cannot write: with it,
    ledger check --head finds a ledger that was made anew, and rows that were removed from its end.
    """
    report = Report("ledger export", "text")
    key = None
    if signing_key is not None:
        key = signing_key_in(report, signing_key, allow_group_readable)
        if key is None:
            return report.close()
    file = None if output is None or output == "-" else OutputFile(output)
    try:
        if file is not None:
            file.must_not_replace(ledger)
        with reader(report, ledger) as opened, using(report, ledger):
            _write(sys.stdout if file is None else file, opened, key, after)
        if file is not None:
            file.complete()
    except Stopped:
        return report.close()
    finally:
        if file is not None:
            file.discard()
    return ExitStatus.GOOD


def _write(out: Output, ledger: Ledger, key: SigningKey | None, after: int) -> None:
    if key is not None:
        out.write(ledger.head().signed(key).text().decode())
        return
    for record in ledger.chain(after):
        out.write(f"{record.text.decode()}\n")
