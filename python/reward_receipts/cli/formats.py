"""What a command says of each document, in the format that was asked for, and the exit status that it comes to.

``Report`` takes results and problems and hands them to one small writer for each format.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from ..findings import Finding, Path
from ..sources import Text, Unread
from .terminal import in_colour, printable, say

if TYPE_CHECKING:
    from junitparser import TestCase

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
            print(printable(line))
        name = result.entry.text.name
        for finding in result.findings:
            self._finding(name, finding, "", "31")
        for finding in result.unchecked:
            self._finding(name, finding, "unchecked ", "33")

    def _finding(self, name: str, finding: Finding, mark: str, colour: str) -> None:
        place = printable(f"{name}:{finding.line}:{finding.column} {finding.pointer or '(document)'}")
        code = f"\x1b[{colour}m{mark}{finding.code}\x1b[0m" if self._colour else f"{mark}{finding.code}"
        print(f"{place} {code} {printable(finding.sentence)}")

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
    """One test case a document: findings fail it, what is unchecked or cannot be decided is an error.

    The one format that is held in memory to its end: it starts with the counts.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._cases: list[TestCase] = []

    def result(self, result: Result) -> None:
        from junitparser import Error, Failure, TestCase

        case = TestCase(printable(result.entry.label), printable(result.entry.text.name))
        failures = [Failure(_located(finding), finding.code) for finding in result.findings]
        case.result = [*failures, *(Error(_located(finding), finding.code) for finding in result.unchecked)]
        if result.lines:
            case.system_out = "\n".join(map(printable, result.lines))
        self._cases.append(case)

    def problem(self, problem: Problem) -> None:
        from junitparser import Error, TestCase

        case = TestCase(printable(problem.name), printable(problem.name))
        case.result = [Error(printable(problem.message), "undecided")]
        self._cases.append(case)

    def close(self, summary: Summary) -> None:
        from junitparser import JUnitXml, TestSuite

        suite = TestSuite(f"reward-receipts {self._command}")
        for case in self._cases:
            suite.add_testcase(case)
        suites: Any = JUnitXml()
        suites.add_testsuite(suite)
        text = suites.tostring().decode("utf-8")
        print(f'<?xml version="1.0" encoding="utf-8"?>\n{text}')


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
        properties = ",".join(f"{key}={property_of(value)}" for key, value in places.items() if value is not None)
        print(f"::{level} {properties}::{message_of(message)}")


_WRITERS: Final[dict[Format, type[_Writer]]] = {
    "text": _TextWriter,
    "json": _JsonWriter,
    "jsonl": _JsonLinesWriter,
    "junit": _JunitWriter,
    "github": _GithubWriter,
}


def message_of(text: str) -> str:
    """The message of a workflow command: ``%`` and line ends are escaped for the runner, the rest for a terminal."""
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def property_of(value: object) -> str:
    """A property of a workflow command: ``:`` and ``,`` are escaped too."""
    return message_of(str(value)).replace(":", "%3A").replace(",", "%2C")


def _result(result: Result) -> dict[str, Any]:
    entry = result.entry
    return {
        "file": unicode_text(entry.text.name),
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
        "sentence": unicode_text(finding.sentence),
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {"file": unicode_text(problem.name), "message": unicode_text(problem.message)}


def _summary(command: str, summary: Summary) -> dict[str, Any]:
    return {
        "command": command,
        "documents": summary.documents,
        "findings": summary.findings,
        "undecided": summary.undecided,
        "exit_status": summary.exit_status,
    }


def json_text(value: Any) -> str:
    """A plain value as JSON on one line that does nothing to a terminal."""
    # DEL is the one character that a terminal acts on and that JSON's ASCII form leaves as it is.
    return json.dumps(value).replace("\x7f", "\\u007f")


def unicode_text(text: str) -> str:
    """A text, which may be a file's name, without surrogates."""
    # A file's name can hold bytes that are no UTF-8, which Python carries as surrogates; strict JSON cannot.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _located(finding: Finding) -> str:
    place = f"{finding.line}:{finding.column} {finding.pointer or '(document)'}"
    return printable(f"{place} {finding.code} {finding.sentence}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
