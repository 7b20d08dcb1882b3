"""``trace rescore``: what another spec would have paid for the same behaviour."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.exit_status import ExitStatus
from ...core.text_table import aligned
from ...rewards.spec.files import read_spec_file
from ..experiments import Answer, answered
from ..options import TextOrJson
from ..runs import specs_beside


def trace_rescore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A trace, with its manifest beside it.")],
    spec: Annotated[str, typer.Option("--spec", metavar="FILE", help="The other spec.")],
    components: Annotated[
        list[str] | None,
        typer.Option("--components", metavar="MODULE", help="A module that registers components. Repeatable."),
    ] = None,
    form: TextOrJson = "text",
) -> ExitStatus:
    """Exact: raw values of terms are in the rows, and weights, clips, gates and the order of the sum are those of the
    other spec. Refused (exit status 2) where a raw value is not known: for a term that the trace does not have, or has
    with other params or another cadence. The behaviour is what it was: a policy that had been paid so might have acted
    otherwise.
    """

    def work() -> Answer:
        import importlib

        from ...traces.read import read_trace
        from ...traces.rescore import rescore

        for module in components or ():
            importlib.import_module(module)
        known = specs_beside([file])
        if len(known) != 1:
            raise ValueError(
                f"{file} has no manifest beside it that names one spec; its raw values are of no known terms"
            )
        found = rescore(read_trace(file), known[0], read_spec_file(spec).spec().resolve())
        rows: list[tuple[str, ...]] = [("term", "total under the other spec")]
        rows += [(name, f"{value:.6g}") for name, value in found.components.items()]
        rows += [("(reward)", f"{found.after:.6g}"), ("(reward, as it was paid)", f"{found.before:.6g}")]
        result = {
            "file": file,
            "spec": spec,
            "rows": found.rows,
            "unscored": found.unscored,
            "before": found.before,
            "after": found.after,
            "components": dict(found.components),
        }
        return ExitStatus.GOOD, aligned(rows, 1), [result]

    return answered("trace rescore", file, form, work)
