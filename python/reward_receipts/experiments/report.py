"""One HTML file over runs, which opens offline: charts, measures, and the documents with their digests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from ..core.whole_files import replace_file
from ..report.html import Cell, Html, as_code, chart_place, html_page, table, text
from ..traces.measures import MEASURES
from ..traces.over_seeds import METHOD, OverSeeds
from .document import diff_experiments
from .pictures import charts_of_runs
from .summary import RunSummary, apart


def write_run_report(runs: Sequence[RunSummary], path: str | os.PathLike[str]) -> None:
    """Writes a report of one run, or of several side by side, in place of what the path has.

    The same summaries give the same bytes. Raises ValueError without runs, ModuleNotFoundError without Altair and
    vl-convert, OSError if the file cannot be written.

        write_run_report([summarise_run("run")], "report.html")
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    title = runs[0].experiment.name if len(runs) == 1 else f"{len(runs)} runs side by side"
    replace_file(path, html_page(title, "\n".join(_body(runs, title)), with_charts=True).encode())


def _body(runs: Sequence[RunSummary], title: str) -> Iterator[str]:
    yield f"<h1>{text(title)}</h1>"
    method = f"{METHOD[:1].upper()}{METHOD[1:]}. A number that is undefined is left out, never 0."
    yield f'<p class="soft">{text(method)}</p>'
    for place, run in enumerate(runs):
        yield from _about(run, place if len(runs) > 1 else None)
    if len(runs) > 1:
        yield from _differences(runs)
    yield '<h2 id="curves">Curves</h2>'
    yield from chart_place(charts_of_runs(runs), "The charts need JavaScript; the tables have the measures.")
    yield '<h2 id="measures">Measures</h2>'
    yield from _measures(runs)
    yield from _components(runs)
    yield from _undefined(runs)
    yield '<h2 id="documents">Documents</h2>'
    for run in runs:
        yield f"<details><summary>{text(run.experiment.name)}, {text(run.experiment.digest)}</summary>"
        yield f"<pre>{text_lines(run.experiment.to_json())}</pre></details>"


def text_lines(value: str) -> str:
    """A text of several lines, escaped line by line."""
    return "\n".join(text(line) for line in value.splitlines())


def _about(run: RunSummary, place: int | None) -> Iterator[str]:
    if place is not None:
        yield f"<h3>{place + 1}: {text(run.experiment.name)}</h3>"
    complete = sum(each.state == "complete" for each in run.seeds)
    environment = run.experiment.environment
    said = [
        ("experiment", as_code(run.experiment.digest).text),
        ("environment", text(str(environment.get("id") or environment["class"]))),
        ("trainer", text(run.experiment.trainer)),
        ("seeds", text(f"{complete} of {len(run.seeds)} complete")),
        (
            "reward",
            "the environment's own" if run.experiment.spec is None else as_code(run.experiment.spec.digest).text,
        ),
        ("overall", text(f"{interval(run.overall)} ({run.experiment.outputs['basis']}, over all visits)")),
    ]
    yield f"<dl>{''.join(f'<dt>{name}</dt><dd>{value}</dd>' for name, value in said)}</dl>"


def _differences(runs: Sequence[RunSummary]) -> Iterator[str]:
    yield '<h2 id="differences">What differs</h2>'
    for place, other in enumerate(runs[1:], 2):
        lines = diff_experiments(runs[0].experiment, other.experiment)
        yield f"<h3>From 1 to {place}</h3>"
        yield f"<ul>{''.join(f'<li>{text(line)}</li>' for line in lines) or '<li>nothing</li>'}</ul>"


def _measures(runs: Sequence[RunSummary]) -> Iterator[str]:
    head = [
        "visit",
        "regime",
        "measure",
        *([str(place + 1) for place in range(len(runs))] if len(runs) > 1 else ["value"]),
    ]
    head += ["apart", "unit"] if len(runs) == 2 else ["unit"]
    rows: list[list[Cell]] = []
    for number in range(max(len(run.visits) for run in runs)):
        visits = [run.visits[number] if number < len(run.visits) else None for run in runs]
        labels = dict.fromkeys(visit.label or "(none)" for visit in visits if visit is not None)
        first = next(visit for visit in visits if visit is not None)
        for name, words in MEASURES.items():
            found = [None if visit is None else visit.measures[name] for visit in visits]
            cells: list[Cell] = [interval(each) for each in found]
            if len(runs) == 2:
                both = found[0] is not None and found[1] is not None
                differ = apart(found[0], found[1]) if both and found[0] and found[1] else None
                cells.append(None if differ is None else "yes" if differ else "no")
            named = Html(f'<span title="{text(words)}">{text(name)}</span>')
            rows.append([number, ", ".join(labels), named, *cells, first.units[name]])
    yield from table(head, rows, len(head))


def _components(runs: Sequence[RunSummary]) -> Iterator[str]:
    rows: list[list[Cell]] = []
    for place, run in enumerate(runs):
        for visit in run.visits:
            for name, measures in visit.components.items():
                drove = f"{visit.drivers.count(name)} of {len(visit.drivers)}" if visit.visit else None
                cells: list[Cell] = [visit.visit, visit.label or "(none)", name]
                cells += [interval(measures[kind]) for kind in ("performance", "change", "forgetting", "gap")]
                rows.append([*([place + 1] if len(runs) > 1 else []), *cells, drove])
    if rows:
        yield '<h2 id="terms">Terms</h2>'
        yield '<p class="soft">Per step at which the term was due. The change is at the boundary.</p>'
        head = ["visit", "regime", "term", "mean", "change", "forgetting", "gap", "drove it, seeds"]
        yield from table([*(["run"] if len(runs) > 1 else []), *head], rows, len(head) + 1)


def _undefined(runs: Sequence[RunSummary]) -> Iterator[str]:
    yield "<details><summary>Why measures are undefined</summary><ul>"
    for run in runs:
        for visit in run.visits:
            for name, why in visit.undefined.items():
                yield f"<li>{text(run.experiment.name)}, visit {visit.visit}, {text(name)}: {text(why)}</li>"
    yield "</ul></details>"


def interval(each: OverSeeds | None) -> str | None:
    """A number with its interval, for a table; None if it is undefined."""
    if each is None or each.value is None:
        return None
    return f"{each.value:.4g}" + (
        f" [{each.low:.4g}, {each.high:.4g}]" if each.low is not None and each.high is not None else ""
    )
