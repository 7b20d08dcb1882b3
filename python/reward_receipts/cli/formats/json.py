"""JSON: one object for the whole run, and the members that each line of JSON Lines has too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.escaping import json_text, without_surrogates
from ...core.exit_status import ExitStatus
from ...core.findings import Finding
from ..results import Problem, Result, Summary, Tally
from .writer import ResultWriter


class Writer(ResultWriter):
    """One JSON object: ``results``, then ``problems``, then ``summary``. The results are written as they come."""

    def _begin(self) -> None:
        self._separator = "\n"
        self._problems: list[Problem] = []
        self._stream.write('{"results": [')

    def result(self, result: Result) -> None:
        self._stream.write(f"{self._separator}{json_text(result_members(result))}")
        self._separator = ",\n"

    def problem(self, problem: Problem) -> None:
        self._problems.append(problem)

    def close(self, summary: Summary) -> None:
        problems = json_text([problem_members(problem) for problem in self._problems])
        self._print(f'\n], "problems": {problems},\n"summary": {json_text(summary_members(self._command, summary))}}}')


def print_envelope(
    command: str, status: ExitStatus, results: Sequence[Any] = (), problems: Sequence[dict[str, str]] = ()
) -> None:
    """Prints the object of a command that does not report on documents one by one: its summary has no counts."""
    shown = [{name: without_surrogates(text) for name, text in problem.items()} for problem in problems]
    summary = {"command": command, "exit_status": status}
    print(json_text({"results": results, "problems": shown, "summary": summary}))


def result_members(result: Result) -> dict[str, Any]:
    """A result as plain JSON."""
    entry = result.entry
    members = {
        "file": without_surrogates(entry.text.name),
        "line": entry.line,
        "pointer": "".join(f"/{index}" for index in entry.at),
        "verdict": result.verdict,
        **result.members,
        "findings": [_finding(finding) for finding in result.findings],
        "unchecked": [_finding(finding) for finding in result.unchecked],
    }
    if result.warnings:
        members["warnings"] = [_finding(finding) for finding in result.warnings]
    if result.not_given:
        members["not_given"] = [missing.what for missing in result.not_given]
    return members


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "line": finding.line,
        "column": finding.column,
        "pointer": finding.pointer,
        "code": finding.code,
        "sentence": without_surrogates(finding.sentence),
    }


def problem_members(problem: Problem) -> dict[str, Any]:
    """A problem as plain JSON."""
    return {"file": without_surrogates(problem.name), "message": without_surrogates(problem.message)}


def summary_members(command: str, summary: Summary) -> dict[str, Any]:
    """The summary of a run as plain JSON."""
    members = {
        "command": command,
        "documents": summary.documents,
        "findings": summary.findings,
        "warnings": summary.warnings,
        "undecided": summary.undecided,
        "verdicts": summary.verdicts,
        "statistics": [_tally(tally) for tally in summary.statistics],
        "checked": summary.checked,
        "not_given": [
            {"what": missing.what, "documents": count, "sentence": missing.sentence, "codes": missing.codes}
            for missing, count in summary.not_given
        ],
        "left_out": summary.left_out,
        "exit_status": summary.exit_status,
    }
    return members if summary.aggregate is None else {**members, "aggregate": summary.aggregate}


def _tally(tally: Tally) -> dict[str, Any]:
    first = without_surrogates(tally.first)
    return {"code": tally.code, "unchecked": tally.unchecked, "count": tally.count, "first": first}
