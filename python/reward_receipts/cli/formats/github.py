"""Workflow commands of GitHub."""

from __future__ import annotations

from ...core.escaping import command_message, command_property
from ...core.findings import Finding
from ..results import Problem, Result, Summary
from .writer import ResultWriter, left_out_sentence, not_given_sentence


class Writer(ResultWriter):
    """Workflow commands: findings are errors, what is unchecked a warning. What is good has no annotation.

    Where lines are the command's answer (a digest, a score), they are a notice.
    """

    def result(self, result: Result) -> None:
        entry = result.entry
        name = entry.text.name
        if result.lines and not self._answers_by_verdict:
            self._annotate("notice", name, entry.line, None, result.verdict, "\n".join(result.lines))
        for finding in result.findings:
            self._finding("error", name, finding, "")
        for finding in result.warnings:
            self._finding("warning", name, finding, "")
        for finding in result.unchecked:
            self._finding("warning", name, finding, "unchecked: ")

    def _finding(self, level: str, name: str, finding: Finding, mark: str) -> None:
        message = f"{finding.pointer or '(document)'} {mark}{finding.sentence}"
        self._annotate(level, name, finding.line, finding.column, finding.code, message)

    def problem(self, problem: Problem) -> None:
        self._annotate("error", problem.name, None, None, "undecided", problem.message)

    def close(self, summary: Summary) -> None:
        for missing, count in summary.not_given:
            self._annotate("warning", None, None, None, "unchecked", not_given_sentence(missing, count))
        if summary.left_out:
            message = left_out_sentence(summary.left_out)
            self._annotate("warning", None, None, None, "not listed", message)

    def _annotate(
        self, level: str, name: str | None, line: int | None, column: int | None, title: str, message: str
    ) -> None:
        places = {"file": name, "line": line, "col": column, "title": title}
        properties = ",".join(f"{key}={command_property(value)}" for key, value in places.items() if value is not None)
        self._print(f"::{level} {properties}::{command_message(message)}")
