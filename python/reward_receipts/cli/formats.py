"""What a command says of each document, in the format that was asked for, and the exit status that it comes to.

``Report`` takes results and problems and hands them to one small writer for each format.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from ..escaping import (
    command_message,
    command_property,
    json_text,
    printable_line,
    without_surrogates,
)
from ..findings import Finding, Path
from ..junit import JunitCase, Outcome, junit_xml
from ..sources import Text, Unread
from .terminal import in_colour, say

Format = Literal["text", "json", "jsonl", "junit", "github"]


class Subject(Protocol):
    """A document, or a spec, as it stands in a file: what a result needs of it. ``sources.Entry`` is one."""

    @property
    def text(self) -> Text:
        """The text that it stands in; its name is the file's."""

    @property
    def at(self) -> Path:
        """Where it stands in the text."""

    @property
    def label(self) -> str:
        """The file, with line and column where it can hold several."""

    @property
    def line(self) -> int | None:
        """The line that it starts on, where the file can hold several."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a command says of one document."""

    entry: Subject
    """The document, and where it stands."""
    verdict: str
    """One word."""
    lines: tuple[str, ...] = ()
    """What a person is told beside the findings."""
    members: Mapping[str, Any] = field(default_factory=dict)
    """What a program is told: plain JSON."""
    findings: tuple[Finding, ...] = ()
    """What is wrong with it; any makes the exit status 1."""
    unchecked: tuple[Finding, ...] = ()
    """What could not be checked; any makes the exit status 2, where nothing makes it 1."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a command from deciding; it makes the exit status 2, where nothing makes it 1."""

    name: str
    """The file."""
    message: str
    """The whole sentence."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run comes to."""

    documents: int
    findings: int
    undecided: int
    """Documents of which something could not be checked, and problems."""
    exit_status: int

    def __str__(self) -> str:
        counts = [_count(self.documents, "document"), _count(self.findings, "finding")]
        return ", ".join(counts + ([f"{self.undecided} undecided"] if self.undecided else []))


class Report:
    """What one run of a command says."""

    def __init__(self, command: str, form: Format) -> None:
        self._writer = _WRITERS[form](command)
        self._documents = self._findings = self._undecided = 0

    def add(self, result: Result) -> None:
        """Takes what is said of one document."""
        self._documents += 1
        self._findings += len(result.findings)
        self._undecided += bool(result.unchecked)
        self._writer.result(result)

    def problem(self, name: str, message: str) -> None:
        """Takes what keeps the command from deciding. It is a message on standard error in every format."""
        self._undecided += 1
        say(f"reward-receipts: {message}")
        self._writer.problem(Problem(name, message))

    def unread(self, unread: Unread) -> None:
        """Takes a file that could not be read."""
        self.problem(unread.name, str(unread))

    @property
    def summary(self) -> Summary:
        """What the run has come to so far."""
        status = 1 if self._findings else 2 if self._undecided else 0
        return Summary(self._documents, self._findings, self._undecided, status)

    def close(self) -> int:
        """Ends the report; returns the exit status."""
        summary = self.summary
        self._writer.close(summary)
        sys.stdout.flush()  # the results, where both streams are one terminal, come first
        say(str(summary))
        return summary.exit_status


class _Writer(Protocol):
    def __init__(self, command: str) -> None: ...
    def result(self, result: Result) -> None: ...
    def problem(self, problem: Problem) -> None: ...
    def close(self, summary: Summary) -> None: ...


class _TextWriter:
    """One finding a line: ``file:line:column pointer code sentence``."""

    def __init__(self, command: str) -> None:
        self._colour = in_colour()

    def result(self, result: Result) -> None:
        for line in result.lines:
            print(printable_line(line))
        name = result.entry.text.name
        for finding in result.findings:
            self._finding(name, finding, "", "31")
        for finding in result.unchecked:
            self._finding(name, finding, "unchecked ", "33")

    def _finding(self, name: str, finding: Finding, mark: str, colour: str) -> None:
        place = printable_line(f"{name}:{finding.line}:{finding.column} {finding.pointer or '(document)'}")
        code = f"\x1b[{colour}m{mark}{finding.code}\x1b[0m" if self._colour else f"{mark}{finding.code}"
        print(f"{place} {code} {printable_line(finding.sentence)}")

    def problem(self, problem: Problem) -> None:
        pass  # it is on standard error already

    def close(self, summary: Summary) -> None:
        pass


class _JsonLinesWriter:
    """One JSON object a line: results and problems as they come, the summary last; ``type`` says which."""

    def __init__(self, command: str) -> None:
        self._command = command

    def result(self, result: Result) -> None:
        print(json_text({"type": "result", **_result(result)}))

    def problem(self, problem: Problem) -> None:
        print(json_text({"type": "problem", **_problem(problem)}))

    def close(self, summary: Summary) -> None:
        print(json_text({"type": "summary", **_summary(self._command, summary)}))


class _JsonWriter:
    """One JSON object: ``results``, then ``problems``, then ``summary``. The results are written as they come."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._separator = "\n"
        self._problems: list[Problem] = []
        sys.stdout.write('{"results": [')

    def result(self, result: Result) -> None:
        sys.stdout.write(f"{self._separator}{json_text(_result(result))}")
        self._separator = ",\n"

    def problem(self, problem: Problem) -> None:
        self._problems.append(problem)

    def close(self, summary: Summary) -> None:
        problems = json_text([_problem(problem) for problem in self._problems])
        print(f'\n], "problems": {problems},\n"summary": {json_text(_summary(self._command, summary))}}}')


class _JunitWriter:
    """One test case a document: it fails where there are findings; unchecked or undecided, it is an error.

    The one format that is held in memory to its end: it starts with the counts.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._cases: list[JunitCase] = []

    def result(self, result: Result) -> None:
        entry = result.entry
        self._cases.append(JunitCase(entry.label, entry.text.name, _outcome(result), "\n".join(result.lines)))

    def problem(self, problem: Problem) -> None:
        self._cases.append(JunitCase(problem.name, problem.name, Outcome("error", problem.message, "undecided")))

    def close(self, summary: Summary) -> None:
        sys.stdout.write(junit_xml(f"reward-receipts {self._command}", self._cases))


class _GithubWriter:
    """Workflow commands: findings are errors, what is unchecked a warning, what else is said a notice."""

    def __init__(self, command: str) -> None:
        self._command = command

    def result(self, result: Result) -> None:
        entry = result.entry
        name = entry.text.name
        if result.lines:
            self._annotate("notice", name, entry.line, None, result.verdict, "\n".join(result.lines))
        for finding in result.findings:
            self._finding("error", name, finding, "")
        for finding in result.unchecked:
            self._finding("warning", name, finding, "unchecked: ")

    def _finding(self, level: str, name: str, finding: Finding, mark: str) -> None:
        message = f"{finding.pointer or '(document)'} {mark}{finding.sentence}"
        self._annotate(level, name, finding.line, finding.column, finding.code, message)

    def problem(self, problem: Problem) -> None:
        self._annotate("error", problem.name, None, None, "undecided", problem.message)

    def close(self, summary: Summary) -> None:
        pass

    def _annotate(self, level: str, name: str, line: int | None, column: int | None, title: str, message: str) -> None:
        places = {"file": name, "line": line, "col": column, "title": title}
        properties = ",".join(f"{key}={command_property(value)}" for key, value in places.items() if value is not None)
        print(f"::{level} {properties}::{command_message(message)}")


_WRITERS: Final[dict[Format, type[_Writer]]] = {
    "text": _TextWriter,
    "json": _JsonWriter,
    "jsonl": _JsonLinesWriter,
    "junit": _JunitWriter,
    "github": _GithubWriter,
}


def _result(result: Result) -> dict[str, Any]:
    entry = result.entry
    return {
        "file": without_surrogates(entry.text.name),
        "line": entry.line,
        "pointer": "".join(f"/{index}" for index in entry.at),
        "verdict": result.verdict,
        **result.members,
        "findings": [_finding(finding) for finding in result.findings],
        "unchecked": [_finding(finding) for finding in result.unchecked],
    }


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
        "undecided": summary.undecided,
        "exit_status": summary.exit_status,
    }


def _outcome(result: Result) -> Outcome | None:
    """What a document's test case came to: the first thing that is wrong, and below it all of them."""
    failed = [_located(finding) for finding in result.findings]
    lines = failed + [f"unchecked {_located(finding)}" for finding in result.unchecked]
    if not lines:
        return None
    code = (result.findings or result.unchecked)[0].code
    rest = "\n".join(lines) if len(lines) > 1 else ""
    return Outcome("failure" if failed else "error", lines[0], code, rest)


def _located(finding: Finding) -> str:
    return f"{finding.line}:{finding.column} {finding.pointer or '(document)'} {finding.code} {finding.sentence}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
