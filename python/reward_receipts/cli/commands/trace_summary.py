"""``trace summary``: the totals of a trace, per component and per regime, and the gap to the ceiling."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ...bulk.files import STDIN, Text, Unread, only_text
from ...core.codes import sentence
from ...core.escaping import printable
from ...core.exit_status import ExitStatus
from ...core.findings import Finding, InvalidText, shown
from ...core.strict_json import read_json
from ...core.text_table import aligned
from ...traces.formats import trace_name, unfinished
from ...traces.manifest import ManifestRefused, file_digest, manifest_path, traces_of
from ...traces.read import TraceEntry, trace_entries
from ...traces.summary import SumOverflows, TooManyRegimes, TraceSummary
from ..components import resolved_spec
from ..options import Components, TextOrJsonListing
from ..report import Report
from ..results import Result, WholeFile
from ..terminal import say

if TYPE_CHECKING:
    from ...rewards.spec.resolved import ResolvedSpec
    from ...traces.generated.regime_report import ComponentSummary, RegimeReport, RegimeSummary

_HEADINGS: Final = ("regime", "component", "steps", "zero", "total", "mean", "ceiling", "gap")
_EPISODE_HEADINGS: Final = ("regime", "episodes", "left out", "return", "min", "max", "length", "min", "max")
_ALL: Final = "(all)"
_NO_REGIME: Final = "(none)"
_REWARD: Final = "(reward)"
_MAX_SENTENCES: Final = 1000
"""How many sentences about rows of another spec are given, and kept."""
_TEXT_COLUMNS: Final = 2


def trace_summary(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A trace: .jsonl, .ndjson or .parquet; - is standard input, in JSON Lines."
        ),
    ],
    manifest: Annotated[
        str | None,
        typer.Option(
            "--manifest", metavar="FILE", help="The manifest of the run. By default the one beside the trace."
        ),
    ] = None,
    spec: Annotated[
        str | None, typer.Option("--spec", metavar="FILE", help="The spec of the run, in place of its manifest.")
    ] = None,
    components: Components = None,
    *,
    listing: TextOrJsonListing,
) -> ExitStatus:
    """The mean is over the steps at which the reward is scored, or the component due; an unscored step is not a 0. A
    finding is a row that does not hold or is of another spec, one with a component that the spec does not have, with a
    contribution above its ceiling or a reward that is not the sum of them, one that comes twice or late, and a file
    that its manifest has another digest of. There is no summary then, nor of a file without rows (exit 2).
    """
    if manifest is not None and spec is not None:
        raise typer.BadParameter("give --manifest or --spec, not both")
    report = Report("trace summary", listing)
    if manifest is None and spec is None:
        manifest = _beside(file)
    written: Mapping[str, Any] | None = None
    known: Mapping[str, Any] | ResolvedSpec | None = None
    if spec is not None:
        found = resolved_spec(report, spec, components or ())
        known = None if found is None else found[1]
    elif manifest is not None:
        known = written = _manifest(report, manifest)
    if report.summary.exit_status:
        return report.close()
    try:
        summary = TraceSummary(known)
    except ManifestRefused as error:
        report.problem(str(manifest), f"{manifest} is not a manifest of a run: {error}")
        return report.close()
    if known is None:
        say(f"reward-receipts: no manifest beside {_shown(file)}, and no --spec: no ceiling is known")
    if (partial := unfinished(file)) is not None:
        say(f"reward-receipts: {_shown(file)} was not finished; reading {_shown(partial)}")
    checked = _check_file(report, file, manifest, written)
    if not report.summary.exit_status:
        _summarise(report, file, summary, checked)
    return report.close()


def _summarise(report: Report, name: str, summary: TraceSummary, checked: bool) -> None:
    said: set[str] = set()
    refused = rows = 0
    try:
        for entry in trace_entries(name):
            rows += 1
            findings = entry.findings or _of_another_spec(entry, summary, said)
            if findings is None:
                continue
            refused += 1
            if findings:
                report.add(Result(entry, "invalid", members={"kind": "trace-row"}, findings=findings))
        if refused:
            say(f"reward-receipts: no summary of {_shown(name)}: {refused} of its {rows} rows do not hold")
            return
        if not summary.rows:
            report.problem(_shown(name), f"{_shown(name)} has no rows: there is nothing to summarise")
            return
        made = summary.report()
    except Unread as unread:
        report.unread(unread)
    except (ModuleNotFoundError, SumOverflows, TooManyRegimes) as error:
        report.problem(_shown(name), f"{_shown(name)}: {error}")
    else:
        members = {"kind": "trace", "digest_checked": checked, "report": made.model_dump(mode="json")}
        report.add(Result(WholeFile(Text(_shown(name), b"")), "summarised", tuple(_lines(made)), members))


def _of_another_spec(entry: TraceEntry, summary: TraceSummary, said: set[str]) -> tuple[Finding, ...] | None:
    """The findings of a row that the summary refuses; None if it accepts the row. A finding is reported once, and after
    _MAX_SENTENCES sentences none is: a row can be refused for 64 names, each in a sentence of all known names.
    """
    assert entry.row is not None
    refused = summary.add(entry.row)
    if not refused:
        return None
    new = [finding for finding in refused if finding.sentence not in said][: _MAX_SENTENCES - len(said)]
    said.update(finding.sentence for finding in new)
    return tuple(entry.finding(finding.code, finding.sentence, finding.path) for finding in new)


def _beside(name: str) -> str | None:
    """The manifest beside a trace, as its path; None where there is none."""
    if name == "-" or not Path(name).name:
        return None
    for path in (str(manifest_path(Path(name))), str(manifest_path(Path(trace_name(name))))):
        if os.path.exists(path):
            return path
    return None


def _manifest(report: Report, name: str) -> Mapping[str, Any] | None:
    try:
        text = only_text(name)
        value = read_json(text.data)
    except Unread as unread:
        report.unread(unread)
    except InvalidText as error:
        report.add(Result(WholeFile(text), "invalid", members={"kind": "manifest"}, findings=error.findings))
    else:
        if isinstance(value, dict):
            return value
        report.problem(name, f"{name} is not a manifest of a run: it is not a JSON object")
    return None


def _check_file(report: Report, name: str, manifest_file: str | None, manifest: Mapping[str, Any] | None) -> bool:
    """Whether the trace is, byte for byte, one that its manifest has the digest of.

    One that was changed since is a finding, and a manifest of other traces than this is not a finding.
    """
    known = {} if manifest is None else traces_of(manifest)
    own = trace_name(os.path.basename(name))
    if manifest is None:
        why = "there is no manifest to have it"
    elif not known:
        why = "the manifest names no trace"
    elif None in (known.values() if name == "-" else [known.get(own, "")]):
        why = "by its manifest the run goes on, or was cut off"
    elif name == "-":
        why = "standard input has no name"
    else:
        return _compare(report, name, str(manifest_file), known)
    say(f"reward-receipts: the digest of {_shown(name)} is not checked: {why}")
    return False


def _compare(report: Report, name: str, manifest_file: str, known: Mapping[str, str | None]) -> bool:
    try:
        found = file_digest(name)
    except OSError as error:
        report.problem(name, f"cannot read {name}: {error.strerror or error}")
        return False
    if found in known.values():
        return True  # under whatever name
    expected = known.get(os.path.basename(name))
    if expected is None:
        others = ", ".join(map(shown, known))
        report.problem(
            name,
            f"{manifest_file} is the manifest of {others}, not of {name}: it has neither its name nor its digest; give "
            "this trace's own, or --spec",
        )
    else:
        code = "trace.file-differs"
        finding = Finding(code, sentence(code, found=found, manifest=shown(expected)), (), 1, 1)
        report.add(Result(WholeFile(Text(name, b"")), "invalid", members={"kind": "trace"}, findings=(finding,)))
    return False


def _lines(report: RegimeReport) -> list[str]:
    lines = _tables([(_ALL, report.overall), *_labelled(report.regimes)])
    if len(report.stages) > 1:
        for stage in report.stages:
            lines += ["", f"spec {stage.spec_digest or 'none'}", *_tables([(_ALL, stage.summary)])]
    if report.evaluation is not None:
        summaries = [(_ALL, report.evaluation.overall), *_labelled(report.evaluation.regimes)]
        lines += ["", "evaluation, not counted above", *_tables(summaries)]
    overall = report.overall
    several = f"{len(report.stages)} specs, one after another" if len(report.stages) > 1 else "none"
    return [
        *lines,
        "",
        f"episodes         {overall.episodes}",
        f"scored steps     {overall.scored_steps}",
        f"unscored steps   {overall.unscored_steps}",
        f"missing steps    {_missing(overall.missing_steps)}",
        f"spec digest      {report.spec_digest or several}",
        f"resolved digest  {report.resolved_spec_digest or several}",
    ]


def _missing(steps: int) -> str:
    """Steps without a row, so that a reader of a mean sees how many steps are not in it."""
    return f"{steps}, refused and not counted in any total or mean" if steps else "0"


def _labelled(regimes: Sequence[RegimeSummary]) -> list[tuple[str, RegimeSummary]]:
    return [(_NO_REGIME if regime.label is None else _label(regime.label), regime) for regime in regimes]


def _tables(summaries: Sequence[tuple[str, RegimeSummary]]) -> list[str]:
    """The table of steps, and that of finished episodes."""
    steps = [_HEADINGS, *(row for label, regime in summaries for row in _rows(label, regime))]
    episodes = [_EPISODE_HEADINGS, *(_episodes(label, regime) for label, regime in summaries)]
    return [*aligned(steps, _TEXT_COLUMNS), "", *aligned(episodes, 1)]


def _episodes(label: str, regime: RegimeSummary) -> tuple[str, ...]:
    """Returns and lengths of the episodes that ended in a regime, and how many of them have no return here."""
    returns, lengths = regime.returns, regime.lengths
    numbers = (returns.mean, returns.min, returns.max, lengths.mean, lengths.min, lengths.max)
    return (label, str(regime.episodes), str(returns.left_out), *map(_number, numbers))


def _label(label: str) -> str:
    """A regime's label; in quotes where it could be taken for one of the table's own."""
    return shown(label, 200) if label in (_ALL, _NO_REGIME) else printable(label)


def _rows(label: str, regime: RegimeSummary) -> list[tuple[str, ...]]:
    """The reward of a regime, then each of its components."""
    reward = (
        label,
        _REWARD,
        str(regime.scored_steps),
        "",
        _number(regime.total),
        _number(regime.mean),
        _number(regime.ceiling),
        _number(regime.gap),
    )
    return [reward, *(_component(label, component) for component in regime.components)]


def _component(label: str, component: ComponentSummary) -> tuple[str, ...]:
    mean = component.total / component.due_steps if component.due_steps else None
    return (
        label,
        printable(component.type),
        str(component.due_steps),
        str(component.zero_steps),
        _number(component.total),
        _number(mean),
        _number(component.ceiling),
        _number(component.gap),
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _shown(name: str) -> str:
    return STDIN if name == "-" else name
