"""``spec ceiling``: the most that a spec can come to."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...core.exit_status import ExitStatus
from ...rewards.spec.ceiling import ceiling
from ..ceilings import bound_text, ceiling_lines, ceiling_members
from ..components import resolved_spec
from ..options import MAX_COUNT, Components, FormatOption, Settings, SpecFile
from ..report import Report
from ..results import Result


def spec_ceiling(
    file: SpecFile,
    steps: Annotated[
        int | None,
        typer.Option("--steps", metavar="N", min=0, max=MAX_COUNT, help="Says it of an episode of so many steps too."),
    ] = None,
    components: Components = None,
    settings: Settings = None,
    form: FormatOption = "text",
) -> ExitStatus:
    """Unbounded is an answer, and not a finding."""
    report = Report("spec ceiling", form)
    found = resolved_spec(report, file, components or (), settings or ())
    if found is not None:
        spec_file, spec = found
        most = ceiling(spec)
        lines = ceiling_lines(most)
        members: dict[str, Any] = {
            "kind": "spec",
            "name": spec.name,
            "resolved_digest": spec.digest,
            "ceiling": ceiling_members(most),
        }
        if steps is not None:
            episode = most.per_episode(steps)
            lines.append(f"{steps} steps".ljust(17) + bound_text(episode))
            members |= {"steps": steps, "per_episode": episode}
        report.add(Result(spec_file, "valid", tuple(lines), members))
    return report.close()
