"""JUnit's XML, for servers that show tests."""

from __future__ import annotations

from ...core.findings import Finding
from ...core.junit import JunitCase, Outcome, junit_xml
from ..results import Problem, Result, Summary
from .writer import ResultWriter, left_out_sentence


class Writer(ResultWriter):
    """One test case a document: it fails where there are findings; unchecked or undecided, it is an error.

    The one format that is held in memory to its end: it starts with the counts.
    """

    def _begin(self) -> None:
        self._cases: list[JunitCase] = []

    def result(self, result: Result) -> None:
        entry = result.entry
        lines = [*result.lines, *(f"warning {_located(finding)}" for finding in result.warnings)]
        self._cases.append(JunitCase(entry.label, entry.text.name, _outcome(result), "\n".join(lines)))

    def problem(self, problem: Problem) -> None:
        self._cases.append(JunitCase(problem.name, problem.name, Outcome("error", problem.message, "undecided")))

    def close(self, summary: Summary) -> None:
        if summary.left_out:
            message = left_out_sentence(summary.left_out)
            self._cases.append(JunitCase("(not listed)", "(not listed)", Outcome("failure", message, "not-listed")))
        self._stream.write(junit_xml(f"reward-receipts {self._command}", self._cases))


def _outcome(result: Result) -> Outcome | None:
    """The outcome of a document's test case: its first problem, and below it all of them."""
    failed = [_located(finding) for finding in result.findings]
    lines = failed + [f"unchecked {_located(finding)}" for finding in result.unchecked]
    lines += [f"unchecked: {missing.sentence}" for missing in result.not_given]
    if not lines:
        return None
    found = result.findings or result.unchecked
    code = found[0].code if found else "unchecked"
    rest = "\n".join(lines) if len(lines) > 1 else ""
    return Outcome("failure" if failed else "error", lines[0], code, rest)


def _located(finding: Finding) -> str:
    return f"{finding.line}:{finding.column} {finding.pointer or '(document)'} {finding.code} {finding.sentence}"
