"""``trace check``: whether traces are whole, row by row and against their manifests."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import TextOrJson


def trace_check(
    files: Annotated[list[str], typer.Argument(metavar="FILES...", help="Traces: .jsonl, .ndjson or .parquet.")],
    form: TextOrJson = "text",
) -> ExitStatus:
    """Rows that are not valid, of another spec, out of order or twice; rewards that are not the sum of their terms; a
    file that is not the one of its manifest. Exit status: 0 nothing is wrong; 1 something is; 2 a file cannot be read.
    """

    def work() -> Answer:
        from ...traces.check import check_trace

        lines: list[str] = []
        results = []
        wrong = False
        for name in files:
            found = check_trace(name)
            wrong = wrong or bool(found.findings)
            lines += found.findings
            if found.left_out:
                lines.append(f"{name}: {found.left_out} more findings")
            against = f"against {found.manifest}" if found.manifest else "no manifest beside it"
            lines.append(f"{name}: {found.rows} rows, {found.episodes} episodes, {against}")
            results.append({"file": name, **found.to_dict()})
        return ExitStatus.FINDING if wrong else ExitStatus.GOOD, lines, results

    return answered("trace check", files[0], form, work)
