"""The formats of results: one small writer for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..core.escaping import (
    command_message,
    command_property,
    json_text,
    printable_line,
    without_surrogates,
)
from ..core.findings import Finding
from ..core.junit import JunitCase, Outcome, junit_xml
from .terminal import Output, in_colour

if TYPE_CHECKING:
    from .formats import Format, NotGiven, Problem, Result, Summary, Tally


class Writer(Protocol):
    """Writes what a report lists, as it comes."""

    def __init__(self, command: str, stream: Output, *, answers_by_verdict: bool, counts_codes: bool) -> None: ...
    def result(self, result: Result) -> None: ...
    def problem(self, problem: Problem) -> None: ...
    def close(self, summary: Summary) -> None: ...


class _Base:
    def __init__(self, command: str, stream: Output, *, answers_by_verdict: bool, counts_codes: bool) -> None:
        self._command = command
        self._stream = stream
        self._answers_by_verdict = answers_by_verdict
        """Whether verdicts are the command's answer, and its lines only repeat them."""
        self._counts_codes = counts_codes
        """Whether codes are counted in place of listing results."""
        self._begin()

    def _begin(self) -> None:
        """Sets up what one format needs; writes what comes before the first result."""

    def _print(self, line: str) -> None:
        self._stream.write(f"{line}\n")


class _TextWriter(_Base):
    """One finding a line: ``file:line:column pointer code sentence``."""

    def _begin(self) -> None:
        self._colour = in_colour(self._stream)

    def result(self, result: Result) -> None:
        for line in result.lines:
            self._print(printable_line(line))
        name = result.entry.text.label
        for finding in result.findings:
            self._finding(name, finding, "", "31")
        for finding in result.warnings:
            self._finding(name, finding, "warning ", "33")
        for finding in result.unchecked:
            self._finding(name, finding, "unchecked ", "33")

    def _finding(self, name: str, finding: Finding, mark: str, colour: str) -> None:
        place = printable_line(f"{name}:{finding.line}:{finding.column} {finding.pointer or '(document)'}")
        code = f"\x1b[{colour}m{mark}{finding.code}\x1b[0m" if self._colour else f"{mark}{finding.code}"
        self._print(f"{place} {code} {printable_line(finding.sentence)}")

    def problem(self, problem: Problem) -> None:
        pass  # it is on standard error already

    def close(self, summary: Summary) -> None:
        if self._counts_codes and summary.statistics:
            width = max(len(str(tally.count)) for tally in summary.statistics)
            for tally in summary.statistics:
                mark = "unchecked " if tally.unchecked else ""
                self._print(printable_line(f"{tally.count:>{width}}  {mark}{tally.code}  first at {tally.first}"))
        for missing, count in summary.not_given:
            self._print(f"{_not_given_sentence(missing, count)}")


class _JsonLinesWriter(_Base):
    """One JSON object a line: results and problems as they come, the summary last; ``type`` says which."""

    def result(self, result: Result) -> None:
        self._print(json_text({"type": "result", **_result(result)}))

    def problem(self, problem: Problem) -> None:
        self._print(json_text({"type": "problem", **_problem(problem)}))

    def close(self, summary: Summary) -> None:
        self._print(json_text({"type": "summary", **_summary(self._command, summary)}))


class _JsonWriter(_Base):
    """One JSON object: ``results``, then ``problems``, then ``summary``. The results are written as they come."""

    def _begin(self) -> None:
        self._separator = "\n"
        self._problems: list[Problem] = []
        self._stream.write('{"results": [')

    def result(self, result: Result) -> None:
        self._stream.write(f"{self._separator}{json_text(_result(result))}")
        self._separator = ",\n"

    def problem(self, problem: Problem) -> None:
        self._problems.append(problem)

    def close(self, summary: Summary) -> None:
        problems = json_text([_problem(problem) for problem in self._problems])
        self._print(f'\n], "problems": {problems},\n"summary": {json_text(_summary(self._command, summary))}}}')


class _JunitWriter(_Base):
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
            message = _left_out_sentence(summary.left_out)
            self._cases.append(JunitCase("(not listed)", "(not listed)", Outcome("failure", message, "not-listed")))
        self._stream.write(junit_xml(f"reward-receipts {self._command}", self._cases))


class _GithubWriter(_Base):
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
            self._annotate("warning", None, None, None, "unchecked", _not_given_sentence(missing, count))
        if summary.left_out:
            message = _left_out_sentence(summary.left_out)
            self._annotate("warning", None, None, None, "not listed", message)

    def _annotate(
        self, level: str, name: str | None, line: int | None, column: int | None, title: str, message: str
    ) -> None:
        places = {"file": name, "line": line, "col": column, "title": title}
        properties = ",".join(f"{key}={command_property(value)}" for key, value in places.items() if value is not None)
        self._print(f"::{level} {properties}::{command_message(message)}")


WRITERS: Final[Mapping[Format, type[Writer]]] = {
    "text": _TextWriter,
    "json": _JsonWriter,
    "jsonl": _JsonLinesWriter,
    "junit": _JunitWriter,
    "github": _GithubWriter,
}
"""The writer of each format."""


def _result(result: Result) -> dict[str, Any]:
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


def _problem(problem: Problem) -> dict[str, Any]:
    return {"file": without_surrogates(problem.name), "message": without_surrogates(problem.message)}


def _summary(command: str, summary: Summary) -> dict[str, Any]:
    return {
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


def _tally(tally: Tally) -> dict[str, Any]:
    first = without_surrogates(tally.first)
    return {"code": tally.code, "unchecked": tally.unchecked, "count": tally.count, "first": first}


def _not_given_sentence(missing: NotGiven, count: int) -> str:
    documents = "1 document" if count == 1 else f"{count} documents"
    return f"unchecked for {documents}: {missing.sentence}; without it these do not run: {', '.join(missing.codes)}"


def _left_out_sentence(count: int) -> str:
    return f"{count} {'finding is' if count == 1 else 'findings are'} not listed (--max-findings)"


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
