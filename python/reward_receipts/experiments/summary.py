"""The measures of a run over its seeds, from the traces of its complete seeds, and two runs side by side."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..core.findings import shown
from ..rewards.spec.resolved import ResolvedSpec, resolve
from ..traces.continual_world import ContinualWorld, Trained, continual_world, trained_spans
from ..traces.curves import EvaluationPoint, read_curves
from ..traces.manifest import file_digest
from ..traces.measures import MEASURES, VisitMeasures, measure
from ..traces.over_seeds import METHOD, OverSeeds, over_seeds
from .document import Experiment, diff_experiments
from .folder import RunFolder, RunRefused, SeedStatus
from .harness import import_components

COMPONENT_MEASURES = (
    "performance",
    "level",
    "change",
    "adaptation_steps",
    "recovery_steps",
    "forgetting",
    "stability",
    "gap",
)
_CONTINUAL = ("average_performance", "forward_transfer", "forgetting")


@dataclass(frozen=True, slots=True)
class VisitOverSeeds:
    """One visit of a regime, over seeds."""

    visit: int
    label: str | None
    length: int
    """Steps of one environment, in the seed with the most of them."""
    measures: Mapping[str, OverSeeds]
    units: Mapping[str, str]
    undefined: Mapping[str, str]
    """For a measure that is undefined in a seed, why, of the first such seed."""
    components: Mapping[str, Mapping[str, OverSeeds]]
    drivers: tuple[str | None, ...]
    """Of each seed, the component that changed most at the boundary."""
    curve: tuple[OverSeeds, ...]
    """Each window; those that only some seeds have are over these."""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "visit": self.visit,
            "regime": self.label,
            "measures": {
                name: {**each.to_dict(), "unit": self.units[name], "why_undefined": self.undefined.get(name)}
                for name, each in self.measures.items()
            },
            "components": {
                name: {measured: each.to_dict() for measured, each in measures.items()}
                for name, measures in self.components.items()
            },
            "drivers": list(self.drivers),
            "curve": [each.to_dict() for each in self.curve],
        }


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The measures of a run."""

    experiment: Experiment
    seeds: tuple[SeedStatus, ...]
    visits: tuple[VisitOverSeeds, ...]
    overall: OverSeeds
    """The performance over all visits, which are the strata."""
    continual_world: Mapping[str, OverSeeds]
    continual_world_undefined: str | None
    window: int
    """The steps of a window."""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "name": self.experiment.name,
            "experiment_digest": self.experiment.digest,
            "spec_digest": None if self.experiment.spec is None else self.experiment.spec.digest,
            "method": METHOD,
            "window": self.window,
            "basis": self.experiment.outputs["basis"],
            "seeds": [{"seed": each.seed, "state": each.state, "error": each.error} for each in self.seeds],
            "overall": self.overall.to_dict(),
            "visits": [each.to_dict() for each in self.visits],
            "continual_world": {name: each.to_dict() for name, each in self.continual_world.items()},
            "continual_world_undefined": self.continual_world_undefined,
        }


def summarise_run(
    folder: str | os.PathLike[str], *, best: Mapping[str, float] | None = None, window: int | None = None
) -> RunSummary:
    """The measures of the complete seeds of a run; ``best`` has the best return of each regime, for Continual World.

    Raises RunRefused if no seed is complete, a trace is not the one that the seed ended with, or the run is none;
    ValueError for a best return that is not above 0.
    """
    place = RunFolder(folder)
    experiment = place.experiment()
    import_components(experiment)
    statuses = place.statuses()
    complete = [status for status in statuses if status.state == "complete"]
    if not complete:
        said = ", ".join(f"seed {each.seed} {each.state}" for each in statuses)
        raise RunRefused(f"no seed of {place.path} is complete ({said}): there is nothing to summarise")
    specs = () if experiment.spec is None else (resolve(experiment.spec),)
    measured = [_of_seed(place, status, experiment, specs, window) for status in complete]
    return RunSummary(
        experiment=experiment,
        seeds=tuple(statuses),
        visits=tuple(_visits([visits for visits, _ in measured])),
        overall=over_seeds(
            {
                str(number): [visits[number].performance.value for visits, _ in measured if number < len(visits)]
                for number in range(max(len(visits) for visits, _ in measured))
            }
        ),
        window=window or experiment.outputs["window"],
        **_continual(place, complete, [spans for _, spans in measured], best),
    )


def _of_seed(
    place: RunFolder, status: SeedStatus, experiment: Experiment, specs: Sequence[ResolvedSpec], window: int | None
) -> tuple[tuple[VisitMeasures, ...], list[Trained]]:
    traces = place.traces(status)
    require_traces(place, status)
    curves = read_curves(traces, window=window or experiment.outputs["window"])
    return measure(curves, basis=experiment.outputs["basis"], specs=specs), trained_spans(curves)


def require_traces(place: RunFolder, status: SeedStatus) -> None:
    """Raises RunRefused if a trace of a complete seed is missing, or is not the one that the seed ended with."""
    folder = place.attempt_folder(status)
    for name, digest in status.traces.items():
        path = folder / name
        if not path.is_file():
            raise RunRefused(f"{path} is missing, and seed {status.seed} is complete")
        if (found := file_digest(path)) != digest:
            raise RunRefused(f"{path} was changed: its digest is {found}; the seed ended with {digest}")


def _visits(measured: Sequence[tuple[VisitMeasures, ...]]) -> list[VisitOverSeeds]:
    found = []
    for number in range(max(map(len, measured))):
        same = [visits[number] for visits in measured if number < len(visits)]
        labels = {visit.label for visit in same}
        if len(labels) > 1:
            raise RunRefused(f"visit {number} is of the regimes {', '.join(sorted(map(shown, map(str, labels))))}")
        names = list(dict.fromkeys(name for visit in same for name in visit.components))
        found.append(
            VisitOverSeeds(
                visit=number,
                label=same[0].label,
                length=max(visit.length for visit in same),
                measures={name: over_seeds([getattr(visit, name).value for visit in same]) for name in MEASURES},
                units={name: getattr(same[0], name).unit for name in MEASURES},
                undefined={
                    name: str(each.undefined)
                    for name in MEASURES
                    for visit in reversed(same)
                    if (each := getattr(visit, name)).value is None
                },
                components={
                    name: {
                        kind: over_seeds(
                            [
                                getattr(visit.components[name], kind).value if name in visit.components else None
                                for visit in same
                            ]
                        )
                        for kind in COMPONENT_MEASURES
                    }
                    for name in names
                },
                drivers=tuple(visit.driver for visit in same),
                curve=tuple(over_seeds(list(values)) for values in zip_longest(*(visit.curve for visit in same))),
            )
        )
    return found


def _continual(
    place: RunFolder, complete: Sequence[SeedStatus], spans: Sequence[list[Trained]], best: Mapping[str, float] | None
) -> dict[str, Any]:
    evaluations = [evaluations_of(place.attempt_folder(status)) for status in complete]
    why: str | None = None
    found: list[ContinualWorld] = []
    if not any(evaluations):
        why = "there are no evaluations: give the experiment an evaluation plan"
    elif not any(spans):
        why = "no regime has a label"
    elif best is None:
        why = "no best return is known: give one for each regime (--best LABEL=RETURN)"
    else:
        found = [continual_world(points, each, best=best) for points, each in zip(evaluations, spans, strict=True)]
        first = found[0].average_performance
        why = first.undefined
    values = {name: over_seeds([getattr(each, name).value for each in found]) for name in _CONTINUAL} if found else {}
    return {"continual_world": values, "continual_world_undefined": why}


def evaluations_of(attempt: Path) -> list[EvaluationPoint]:
    """The evaluations that an attempt wrote to metrics.jsonl; an unscored episode is left out."""
    path = attempt / "metrics.jsonl"
    if not path.is_file():
        return []
    points = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            said = json.loads(line)
            if said["kind"] == "evaluation":
                returns = [value for value in said["returns"] if value is not None]
                points.append(EvaluationPoint(said["training_steps"], said["regime"], returns))
        except (ValueError, LookupError, TypeError):
            raise RunRefused(f"{path}:{number} is not a line of metrics") from None
    return points


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side."""

    before: RunSummary
    after: RunSummary
    differences: tuple[str, ...]
    """What differs between the experiments, a line for each; the reward specs in words."""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "differences": list(self.differences),
            "performance": [
                {
                    "visit": was.visit,
                    "regime_before": was.label,
                    "regime_after": now.label,
                    "before": was.measures["performance"].to_dict(),
                    "after": now.measures["performance"].to_dict(),
                    "apart": apart(was.measures["performance"], now.measures["performance"]),
                }
                for was, now in zip(self.before.visits, self.after.visits, strict=False)
            ],
        }


def compare_runs(before: RunSummary, after: RunSummary) -> Comparison:
    """Two runs side by side, with the difference of their experiments."""
    return Comparison(before, after, tuple(diff_experiments(before.experiment, after.experiment)))


def apart(one: OverSeeds, other: OverSeeds) -> bool | None:
    """Whether two intervals have no value in common; None if one of the two has no interval."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return None
    return one.high < other.low or other.high < one.low
