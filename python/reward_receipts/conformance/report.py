"""What came of a run: as plain JSON, and from that as text, as JUnit's XML and as a Markdown matrix.

No figure is a percentage: an implementation that refuses everything would look good by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Literal

from ..core.escaping import json_text, markdown, printable_line
from ..core.junit import JunitCase, Outcome, junit_xml
from .compare import has_rule_id
from .files import Unusable, fault, parsed, schema_of
from .results import EXCUSABLE, CaseResult, LayerResult, Run
from .runner import PASSES

Format = Literal["text", "json", "junit", "markdown"]
Report = Mapping[str, Any]
"""A report as plain JSON; conformance/schemas/report.schema.json says of what form."""

REPORT: Final[int] = schema_of("report")["properties"]["report"]["const"]
"""The version of the report's form."""

_LISTED: Final = 100
_WIDE: Final = 200
_STDERR_LINES: Final = 6
_NONE: Final = "-"
_WORDS: Final = {"accepts": "accepts ", "refusals": "refusals ", "rule_ids": "rule ids ", "others": ""}


class ReportError(ValueError):
    """Something is not a report, or reports do not go together. The message says which and why."""


def report_of(run: Run, exit_status: int) -> dict[str, Any]:
    """A run as plain JSON."""
    return {
        "report": REPORT,
        "corpus": run.corpus.version,
        "implementation": None if run.hello is None else asdict(run.hello),
        "selection": {"layers": run.selected_layers, "cases": run.selected_names},
        "seed": run.seed,
        "passes": PASSES,
        "claim": {"conformant": run.conformant, "as_expected": run.as_expected, "sentence": run.claim},
        "trouble": None if run.trouble is None else asdict(run.trouble),
        "expected_failures": list(run.stale),
        "layers": {layer.layer: _layer(layer) for layer in run.layers},
        "cases": [_case(result) for result in run.results],
        "exit_status": exit_status,
    }


def render(report: Report, form: Format) -> str:
    """A report in a format, ending in a line end."""
    return _RENDERERS[form](report)


def matrix_of(reports: Sequence[Report]) -> str:
    """Layers by implementations, as a Markdown table. Raises ReportError where the reports are of several corpora."""
    versions = sorted({report["corpus"] for report in reports})
    if len(versions) > 1:
        raise ReportError(f"the reports are of corpus {' and '.join(versions)}; a matrix is of one")
    layers = list(dict.fromkeys(layer for report in reports for layer in report["layers"]))
    rows = [["layer", *(markdown(_name(report) + _selected(report)) for report in reports)]]
    for layer in layers:
        rows.append([markdown(layer), *(markdown(_cell(report["layers"].get(layer))) for report in reports)])
    rows.append(["claim", *(markdown(report["claim"]["sentence"]) for report in reports)])
    header, *body = [f"| {' | '.join(row)} |" for row in rows]
    rule = f"| {' | '.join('---' for _ in rows[0])} |"
    legend = (
        "Each figure is so many of so many: what must be accepted and was; what must be refused and was; refusals that "
        "name the right rule first; answers of the other operations. A crash or a hang is never a refusal."
    )
    return "\n".join([f"Corpus {markdown(versions[0])}", "", header, rule, *body, "", legend, ""])


def read_report(data: bytes, name: str) -> Report:
    """A report that was written as JSON. Raises ReportError."""
    try:
        report: Any = parsed(data)
    except Unusable as error:
        raise ReportError(f"{name} is not a report of conformance run -f json: {error}") from None
    if type(report) is dict and type(report.get("report")) is int and report["report"] != REPORT:
        raise ReportError(f"{name}: a report of version {report['report']}; this is version {REPORT}")
    if (wrong := fault(report, "report")) is not None:
        raise ReportError(f"{name} is not a report of conformance run -f json: {wrong}")
    read: Report = report
    return read


def _layer(layer: LayerResult) -> dict[str, Any]:
    members = asdict(layer)
    del members["layer"]
    return members


def _case(result: CaseResult) -> dict[str, Any]:
    case = result.case
    members = {"id": case.id, "layer": case.layer, "operation": case.operation, "level": case.level}
    members["status"] = result.status
    for name, value in (("detail", result.detail), ("stderr", result.stderr)):
        if value:
            members[name] = value
    if has_rule_id(case):
        return {**members, "rule_id": {"expected": case.expect["codes"][0], "given": result.code}}
    return members


def _text(report: Report) -> str:
    return "".join(f"{printable_line(line)}\n" for line in _text_lines(report))


def _text_lines(report: Report) -> Iterator[str]:
    cases = report["cases"]
    yield f"{_name(report)}, corpus {report['corpus']}: {len(cases)} cases, {PASSES} passes, seed {report['seed']}"
    for what, selected in report["selection"].items():
        if selected:
            yield f"only the {what} {', '.join(selected)}"
    yield ""
    yield f"{'layer':<12} {'accepts':>14} {'refusals':>14} {'rule ids':>14} {'others':>14}  statuses"
    for name, layer in report["layers"].items():
        figures = [_figure(layer[column]) for column in ("accepts", "refusals", "rule_ids", "others")]
        statuses = ", ".join(f"{number} {status}" for status, number in layer["statuses"].items())
        yield f"{name:<12} {' '.join(f'{figure:>14}' for figure in figures)}  {statuses}"
    listed = [case for case in cases if case["status"] in (*EXCUSABLE, "xpass", "skip")]
    if listed:
        yield ""
    for case in listed[:_LISTED]:
        level = "" if case["level"] == "required" else f" ({case['level']})"
        yield f"{case['status']:<14} {case['id']}{level}: {case.get('detail', '')}{_in_short(case.get('stderr', ''))}"
    if len(listed) > _LISTED:
        yield f"... and {len(listed) - _LISTED} more; -f json has all"
    other_ids = [case for case in cases if _names_another_rule(case)]
    if other_ids:
        yield ""
        yield f"{len(other_ids)} refused as expected, but another rule id comes first:"
    for case in other_ids[:_LISTED]:
        yield f"{'rule id':<14} {case['id']}: {case['rule_id']['given']}, expected {case['rule_id']['expected']}"
    if len(other_ids) > _LISTED:
        yield f"... and {len(other_ids) - _LISTED} more; -f json has all"
    if report["trouble"] is not None and report["trouble"]["stderr"]:
        yield ""
        yield "Standard error:"
        yield from (f"    {line}" for line in stderr_lines(report["trouble"]["stderr"]))
    yield ""
    yield report["claim"]["sentence"]


_OUTCOMES: Final[dict[str, Literal["failure", "error", "skipped"]]] = {
    **dict.fromkeys(("fail", "xpass", "unstable"), "failure"),
    **dict.fromkeys(("xfail", "skip", "unsupported"), "skipped"),
    **dict.fromkeys(("error", "crash", "timeout", "protocol-error", "not-run"), "error"),
}


def _junit(report: Report) -> str:
    claim = report["claim"]
    cases = [_junit_case(case) for case in report["cases"]]
    if claim["conformant"]:
        cases.append(JunitCase("claim", "claim", out=claim["sentence"]))
    else:
        cases.append(JunitCase("claim", "claim", Outcome("failure", claim["sentence"])))
    return junit_xml(f"conformance of {_name(report)} to corpus {report['corpus']}", cases)


def _junit_case(case: Mapping[str, Any]) -> JunitCase:
    tag = _OUTCOMES.get(case["status"])
    outcome = None if tag is None else Outcome(tag, f"{case['status']}: {case.get('detail', '')}")
    said = ""
    if _names_another_rule(case):
        said = f"rule id {case['rule_id']['given']}, expected {case['rule_id']['expected']}"
    return JunitCase(case["id"], case["layer"], outcome, out=said, err=case.get("stderr", ""))


def _names_another_rule(case: Mapping[str, Any]) -> bool:
    """Whether a case passes, and the answer names a rule, and not the one that has to come first."""
    rule_id = case.get("rule_id")
    return case["status"] == "pass" and rule_id is not None and rule_id["given"] not in (None, rule_id["expected"])


_RENDERERS: Final[dict[Format, Callable[[Report], str]]] = {
    "text": _text,
    "json": lambda report: json_text(report, indent=1) + "\n",
    "junit": _junit,
    "markdown": lambda report: matrix_of([report]),
}


def _name(report: Report) -> str:
    about = report["implementation"]
    if about is None:
        return "a driver that never answered hello"
    return f"{about['name']} {about['version']} ({about['language']})"


def _selected(report: Report) -> str:
    cases = report["selection"]["cases"]
    return f", only the cases {', '.join(cases)}" if cases else ""


def _figure(count: Mapping[str, int]) -> str:
    return f"{count['passed']} of {count['of']}" if count["of"] else _NONE


def _cell(layer: Mapping[str, Any] | None) -> str:
    if layer is None:
        return "not selected"
    if not layer["claimed"]:
        return "not claimed"
    parts = [
        f"{word}{_figure(layer[column])}"
        for column, word in (
            ("accepts", "accepts "),
            ("refusals", "refusals "),
            ("rule_ids", "rule ids "),
            ("others", ""),
        )
        if layer[column]["of"]
    ]
    bad = [f"{number} {status}" for status, number in layer["statuses"].items() if status not in ("pass", "fail")]
    return ("all required pass: " if layer["conformant"] else "") + ", ".join(parts + bad)


def _in_short(stderr: str) -> str:
    """The first line of standard error, and the last one if it is another."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    ends = [line[:_WIDE] for line in lines[:1]] + [line[-_WIDE:] for line in lines[1:][-1:]]
    return f" [standard error: {' ... '.join(ends)}]" if ends else ""


def stderr_lines(stderr: str) -> list[str]:
    """The first and the last lines of standard error, each cut where it is long."""
    lines = stderr.splitlines()
    if len(lines) <= 2 * _STDERR_LINES:
        return [line[:_WIDE] for line in lines]
    first = [line[:_WIDE] for line in lines[:_STDERR_LINES]]
    last = [line[-_WIDE:] for line in lines[-_STDERR_LINES:]]
    return [*first, f"... {len(lines) - 2 * _STDERR_LINES} lines left out ...", *last]
