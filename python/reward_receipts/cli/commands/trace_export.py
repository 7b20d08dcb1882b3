"""``trace export``: a trace in the formats of other programs."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ...core.exit_status import ExitStatus
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import Window


def trace_export(
    files: Annotated[list[str], typer.Argument(metavar="FILES...", help="The traces of one run; csv takes one.")],
    to: Annotated[Literal["csv", "tensorboard"], typer.Option("--to", help="The format.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="PATH", help="A new file (csv) or a new folder.")],
    window: Window = 1000,
    form: TextOrJson = "text",
) -> ExitStatus:
    """Csv has every row, with a column for the contribution and the raw value of each component; an absent value is
    empty, never 0. tensorboard has the means of windows: return, reward, and each component.
    """

    def work() -> Answer:
        from ...traces.export import write_csv, write_tensorboard

        if to == "csv":
            if len(files) != 1:
                raise ValueError("csv takes one trace; give each a file of its own")
            count, what = write_csv(files[0], output), "rows"
        else:
            count, what = write_tensorboard(files, output, window=window), "scalars"
        return ExitStatus.GOOD, [f"{output}: {count} {what}"], [{"output": output, "to": to, "written": count}]

    return answered("trace export", files[0], form, work)
