"""``trace measures``: how an agent adapted, from the traces of one run."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ...core.exit_status import ExitStatus
from ...core.text_table import aligned
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import Window, specs_beside


def trace_measures(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="The traces of one run: of its environments, or of its parts in order. JSON Lines and "
            "Parquet can be mixed.",
        ),
    ],
    window: Window = 1000,
    basis: Annotated[
        Literal["return", "reward"],
        typer.Option("--basis", help="Take measures of returns of episodes, or of rewards of steps."),
    ] = "return",
    form: TextOrJson = "text",
) -> ExitStatus:
    """For each visit of a regime: performance, level, adaptation, recovery, forgetting, stability and the gap to the
    ceiling (if the manifests beside the files name one spec), of the reward and of each component. Rows are read in
    bounded memory, and are not compared with the spec: `trace check` does that.
    """

    def work() -> Answer:
        from ...traces.curves import read_curves
        from ...traces.measures import MEASURES, measure

        found = measure(read_curves(files, window=window), basis=basis, specs=specs_beside(files))
        rows: list[tuple[str, ...]] = [("visit", "regime", "measure", "value", "unit")]
        for visit in found:
            for name in MEASURES:
                each = getattr(visit, name)
                value = f"undefined: {each.undefined}" if each.value is None else f"{each.value:.6g}"
                rows.append((str(visit.visit), visit.label or "(none)", name, value, each.unit))
            for name, component in visit.components.items():
                for what in ("performance", "change"):
                    each = getattr(component, what)
                    value = f"undefined: {each.undefined}" if each.value is None else f"{each.value:.6g}"
                    rows.append((str(visit.visit), visit.label or "(none)", f"{name}, {what}", value, each.unit))
        results = [{"files": files, "window": window, "basis": basis, "visits": [each.to_dict() for each in found]}]
        return ExitStatus.GOOD, aligned(rows, 5), results

    return answered("trace measures", files[0], form, work)
