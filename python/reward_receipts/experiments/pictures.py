"""The charts of a run, as a spec of Vega-Lite: learning curves with intervals, regimes, terms and the gap."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..core.extras import extra_module
from ..core.whole_files import replace_file
from .summary import RunSummary, VisitOverSeeds

SUFFIXES: Final = (".svg", ".png")
_COLOURS: Final = ("#3f7fc1", "#d17a22", "#2f9e6e", "#8d6cc9")
"""Of the runs, in their order; the first two differ in print and for most who see colours differently."""
_SHADES: Final = ("#3f7fc1", "#e0a030", "#2f9e6e", "#8d6cc9", "#d1495b", "#8a8f98")
_HEIGHT: Final = 220


def charts_of_runs(runs: Sequence[RunSummary]) -> dict[str, Any]:
    """The charts of one run or several, one below the other. Raises ModuleNotFoundError without Altair."""
    altair = extra_module("altair", "a report", "report")
    views = [_curves(altair, runs)]
    for place, run in enumerate(runs):
        if any(visit.components for visit in run.visits):
            title = "Contribution of each term per step" + (f", run {place + 1}" if len(runs) > 1 else "")
            views.append(_terms(altair, run, title))
    gaps = list(_gaps(runs))
    if gaps:
        views.append(_gap(altair, gaps, runs))
    spec: dict[str, Any] = altair.vconcat(*views).resolve_scale(color="independent").to_dict()
    return spec


def write_picture(runs: Sequence[RunSummary], path: str | os.PathLike[str]) -> None:
    """Draws the charts of runs to a file, SVG or PNG by its suffix, in place of what it has.

    Raises ValueError for another suffix, ModuleNotFoundError without Altair and vl-convert, OSError.
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"a picture is {' or '.join(SUFFIXES)} by its suffix, not {suffix or 'without one'}")
    convert = extra_module("vl_convert", "a picture", "report")
    charts = charts_of_runs(runs)
    for view in charts["vconcat"]:
        view["width"] = 720
    text = json.dumps({**charts, "background": "white"})
    data = convert.vegalite_to_svg(text).encode() if suffix == ".svg" else convert.vegalite_to_png(text, scale=2)
    replace_file(path, data)


def _curves(altair: Any, runs: Sequence[RunSummary]) -> Any:
    basis = runs[0].experiment.outputs["basis"]
    unit = "return of an episode" if basis == "return" else "reward of a step"
    rows = [
        {"run": _name(runs, place), "step": step, "value": each.value, "low": each.low, "high": each.high}
        for place, run in enumerate(runs)
        for _, step, each in _windows(run)
        if each.value is not None
    ]
    shades, labels = list(_regimes(runs[0])), list(dict.fromkeys(visit.label or "(none)" for visit in runs[0].visits))
    x = altair.X("step:Q", title="training steps of an environment", scale=altair.Scale(nice=False))
    scale = altair.Scale(domain=labels, range=[_SHADES[place % len(_SHADES)] for place in range(len(labels))])
    shaded = (
        altair.Chart(altair.Data(values=shades))
        .mark_rect(opacity=0.13)
        .encode(
            x=altair.X("first:Q"),
            x2="end:Q",
            color=altair.Color("regime:N", scale=scale, legend=altair.Legend(title="regime", orient="bottom")),
            tooltip=["regime:N", "first:Q", "end:Q"],
        )
    )
    names = [_name(runs, place) for place in range(len(runs))]
    colours = altair.Scale(domain=names, range=[_COLOURS[place % len(_COLOURS)] for place in range(len(runs))])
    legend = altair.Legend(title="run", orient="bottom") if len(runs) > 1 else None
    colour = altair.Color("run:N", scale=colours, legend=legend)
    of_band = altair.Color("run:N", scale=colours, legend=None)
    drawn = altair.Chart(altair.Data(values=rows))
    band = drawn.mark_area(opacity=0.25).encode(x=x, y=altair.Y("low:Q", title=unit), y2="high:Q", color=of_band)
    line = drawn.mark_line(point=len(rows) < 60).encode(
        x=x,
        y=altair.Y("value:Q", title=unit),
        color=colour,
        tooltip=["run:N", "step:Q", altair.Tooltip("value:Q", format=".4g"), "low:Q", "high:Q"],
    )
    title = "Interquartile mean over seeds, with 95 % intervals"
    return altair.layer(shaded, band, line).resolve_scale(color="independent").properties(title=title, height=_HEIGHT)


def _terms(altair: Any, run: RunSummary, title: str) -> Any:
    rows = [
        {
            "visit": f"{visit.visit}: {visit.label or '(none)'}",
            "term": name,
            "contribution": measures["performance"].value,
        }
        for visit in run.visits
        for name, measures in visit.components.items()
        if measures["performance"].value is not None
    ]
    return (
        altair.Chart(altair.Data(values=rows), title=title, height=_HEIGHT)
        .mark_bar()
        .encode(
            x=altair.X("visit:N", title="visit of a regime", sort=None, axis=altair.Axis(labelAngle=0)),
            y=altair.Y("contribution:Q", title="mean per step", stack="zero"),
            color=altair.Color("term:N", legend=altair.Legend(title="term", orient="bottom", columns=4)),
            tooltip=["visit:N", "term:N", altair.Tooltip("contribution:Q", format=".4g")],
        )
    )


def _gaps(runs: Sequence[RunSummary]) -> Iterator[dict[str, Any]]:
    for place, run in enumerate(runs):
        for visit in run.visits:
            gap = visit.measures["gap"]
            if gap.value is not None:
                label = f"{visit.visit}: {visit.label or '(none)'}"
                yield {"run": _name(runs, place), "visit": label, "gap": gap.value, "low": gap.low, "high": gap.high}


def _gap(altair: Any, rows: Sequence[dict[str, Any]], runs: Sequence[RunSummary]) -> Any:
    names = [_name(runs, place) for place in range(len(runs))]
    colours = altair.Scale(domain=names, range=[_COLOURS[place % len(_COLOURS)] for place in range(len(runs))])
    drawn = altair.Chart(altair.Data(values=list(rows)))
    x = altair.X("visit:N", title="visit of a regime", sort=None, axis=altair.Axis(labelAngle=0))
    offset = altair.XOffset("run:N")
    bars = drawn.mark_bar().encode(
        x=x,
        xOffset=offset,
        y=altair.Y("gap:Q", title="ceiling less mean, per step"),
        color=altair.Color(
            "run:N", scale=colours, legend=altair.Legend(title="run", orient="bottom") if len(runs) > 1 else None
        ),
        tooltip=["run:N", "visit:N", altair.Tooltip("gap:Q", format=".4g"), "low:Q", "high:Q"],
    )
    intervals = drawn.mark_rule(color="#555").encode(x=x, xOffset=offset, y="low:Q", y2="high:Q")
    return altair.layer(bars, intervals).properties(title="Gap to the ceiling of the spec", height=_HEIGHT)


def _windows(run: RunSummary) -> Iterator[tuple[VisitOverSeeds, int, Any]]:
    """Each window with the step at its end, over the whole run."""
    for visit, (first, end) in zip(run.visits, _spans(run), strict=True):
        for place, each in enumerate(visit.curve):
            yield visit, min(first + (place + 1) * run.window, end), each


def _regimes(run: RunSummary) -> Iterator[dict[str, Any]]:
    for visit, (first, end) in zip(run.visits, _spans(run), strict=True):
        yield {"regime": visit.label or "(none)", "first": first, "end": end}


def _spans(run: RunSummary) -> Iterator[tuple[int, int]]:
    first = 0
    for visit in run.visits:
        yield first, first + visit.length
        first += visit.length


def _name(runs: Sequence[RunSummary], place: int) -> str:
    """What a run is called in a chart: its number where there are several, as beside its name in the page."""
    return f"run {place + 1}" if len(runs) > 1 else runs[place].experiment.name
