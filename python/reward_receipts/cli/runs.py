"""How the commands on runs take their arguments and say what they found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.exit_status import ExitStatus
from ..core.text_table import aligned
from .experiments import Answer
from .options import MAX_COUNT

if TYPE_CHECKING:
    from ..experiments.folder import SeedStatus
    from ..experiments.summary import Comparison, RunSummary
    from ..rewards.spec.resolved import ResolvedSpec
    from ..traces.over_seeds import OverSeeds

Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="The folder of a run.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, max=256, help="Seeds at a time, in processes.")]
Best = Annotated[
    list[str] | None,
    typer.Option(
        "--best",
        metavar="LABEL=RETURN",
        help="The return that counts as 1 in a regime, for the measures of Continual World. Repeatable.",
    ),
]


Window = Annotated[int, typer.Option("--window", metavar="N", min=1, max=MAX_COUNT, help="Steps of a window.")]


def specs_beside(traces: Sequence[str]) -> tuple[ResolvedSpec, ...]:
    """The specs of the manifests beside some traces, each once; () if none has one.

    Raises ValueError for a manifest that is not valid.
    """
    from ..traces.formats import trace_name
    from ..traces.manifest import manifest_path, specs_of_manifest

    found: dict[str, ResolvedSpec] = {}
    for trace in traces:
        for path in (manifest_path(Path(trace)), manifest_path(Path(trace_name(trace)))):
            if path.is_file():
                said = json.loads(path.read_bytes())
                found.update({spec.digest: spec for spec in specs_of_manifest(said)})
                break
    return tuple(found.values())


def best_of(given: Sequence[str] | None) -> dict[str, float] | None:
    """The best return of each regime. Raises ValueError for one that is not LABEL=RETURN."""
    found: dict[str, float] = {}
    for each in given or ():
        label, separator, number = each.rpartition("=")
        try:
            found[label] = float(number)
        except ValueError:
            separator = ""
        if not separator or not label:
            raise ValueError(f"--best {each}: expected LABEL=RETURN, earth=500 say")
    return found or None


def statuses_of(folder: str, statuses: Sequence[SeedStatus]) -> Answer:
    """The result of a run."""
    failed = [each for each in statuses if each.state != "complete"]
    lines = [
        f"{folder}: seed {each.seed} {each.state}, {each.steps} steps{f': {each.error}' if each.error else ''}"
        for each in statuses
    ]
    result = {"folder": folder, "seeds": [each.to_dict() for each in statuses]}
    return ExitStatus.FINDING if failed else ExitStatus.GOOD, lines, [result]


def sweep_of(runs: Mapping[Path, Sequence[SeedStatus]]) -> Answer:
    """The results of the runs of a sweep: a result for each folder."""
    answers = [statuses_of(str(folder), statuses) for folder, statuses in runs.items()]
    return (
        max(status for status, _, _ in answers),
        [line for _, lines, _ in answers for line in lines],
        [result for _, _, results in answers for result in results],
    )


def summary_lines(found: RunSummary) -> list[str]:
    """A run for a person."""
    return [*_head(found), "", *_table(found), "", *_components(found), *_why(found), *_continual(found)]


def comparison_lines(found: Comparison) -> list[str]:
    """Two runs for a person."""
    lines = ["differences" if found.differences else "no difference between the experiments"]
    lines += [f"  {line}" for line in found.differences]
    rows: list[tuple[str, ...]] = [("visit", "regime", "measure", "before", "after", "")]
    for was, now in zip(found.before.visits, found.after.visits, strict=False):
        label = _label(was.label) if was.label == now.label else f"{_label(was.label)} / {_label(now.label)}"
        for name, one in was.measures.items():
            other = now.measures[name]
            rows.append((str(was.visit), label, name, _interval(one), _interval(other), _apart(one, other)))
    return [*lines, "", *aligned(rows, 3)]


def _head(found: RunSummary) -> Iterator[str]:
    complete = sum(each.state == "complete" for each in found.seeds)
    yield f"experiment  {found.experiment.name} {found.experiment.digest}"
    yield f"seeds       {complete} of {len(found.seeds)} complete"
    for each in found.seeds:
        if each.state != "complete":
            yield f"            seed {each.seed} {each.state}{f': {each.error}' if each.error else ''}"
    yield f"overall     {_interval(found.overall)} {found.experiment.outputs['basis']}, over all visits"


def _table(found: RunSummary) -> list[str]:
    rows: list[tuple[str, ...]] = [("visit", "regime", "measure", "value and interval", "seeds", "unit")]
    for visit in found.visits:
        rows += [
            (str(visit.visit), _label(visit.label), name, _interval(each), str(each.count), visit.units[name])
            for name, each in visit.measures.items()
        ]
    return aligned(rows, 3)


def _components(found: RunSummary) -> list[str]:
    rows: list[tuple[str, ...]] = [
        ("visit", "regime", "component", "mean per step", "change at the boundary", "drove it")
    ]
    for visit in found.visits:
        for name, measures in visit.components.items():
            drove = f"{visit.drivers.count(name)} of {len(visit.drivers)} seeds" if visit.visit else ""
            rows.append(
                (
                    str(visit.visit),
                    _label(visit.label),
                    name,
                    _interval(measures["performance"]),
                    _interval(measures["change"]),
                    drove,
                )
            )
    return [*aligned(rows, 3), ""] if len(rows) > 1 else []


def _why(found: RunSummary) -> Iterator[str]:
    for visit in found.visits:
        for name, why in visit.undefined.items():
            each = visit.measures[name]
            seeds = f"{each.left_out} of {each.left_out + each.count} seeds"
            yield f"undefined: visit {visit.visit}, {name}, in {seeds}: {why}"


def _continual(found: RunSummary) -> Iterator[str]:
    if found.continual_world_undefined is not None:
        yield f"undefined: measures of Continual World: {found.continual_world_undefined}"
    for name, each in found.continual_world.items():
        if each.value is not None:
            yield f"Continual World, {name}: {_interval(each)}"


def _interval(each: OverSeeds) -> str:
    if each.value is None:
        return "undefined"
    if each.low is None or each.high is None:
        return f"{each.value:.4g}"
    return f"{each.value:.4g} [{each.low:.4g}, {each.high:.4g}]"


def _apart(one: OverSeeds, other: OverSeeds) -> str:
    from ..experiments.summary import apart

    found = apart(one, other)
    return "" if found is None else "apart" if found else "not apart"


def _label(label: Any) -> str:
    return "(none)" if label is None else str(label)
