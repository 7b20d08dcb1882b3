"""What a command says of each document and of its whole run: what ``report`` counts and ``formats`` write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..bulk.files import Text
from ..core.exit_status import ExitStatus
from ..core.findings import Finding
from ..core.pointer import Path


class Subject(Protocol):
    """A document, or a spec, as it is in a file: what a result needs of it. ``bulk.documents.Entry`` is one."""

    @property
    def text(self) -> Text:
        """The text that it is in; its name is the file's."""

    @property
    def at(self) -> Path:
        """Where it is in the text."""

    @property
    def label(self) -> str:
        """The file, with line and column where it can hold several."""

    @property
    def line(self) -> int | None:
        """The line that it starts on, where the file can hold several."""


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file as the subject of a result."""

    text: Text
    at: tuple[()] = ()
    line: None = None

    @property
    def label(self) -> str:
        """The file."""
        return self.text.label


@dataclass(frozen=True, slots=True)
class NotGiven:
    """An input that the whole run was not given, so that some checks did not run. Reported once for the run."""

    what: str
    """One word: ``contract``, ``certificate`` or ``key``."""
    sentence: str
    """The input that was not given, and the option that gives it."""
    codes: tuple[str, ...]
    """The checks that did not run."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a command says of one document."""

    entry: Subject
    """The document, and where it is."""
    verdict: str
    """One word."""
    lines: tuple[str, ...] = ()
    """What a person reads beside the findings."""
    members: Mapping[str, Any] = field(default_factory=dict)
    """What a program reads: plain JSON."""
    findings: tuple[Finding, ...] = ()
    """What is wrong with it; any makes the exit status 1."""
    unchecked: tuple[Finding, ...] = ()
    """Checks that could not be made on this document; any makes the exit status 2, unless a finding makes it 1."""
    not_given: tuple[NotGiven, ...] = ()
    """Checks that could not be made on any such document; like ``unchecked``, but reported once for the run."""
    checked: tuple[str, ...] = ()
    """The codes of the checks that ran; the summary counts them."""
    warnings: tuple[Finding, ...] = ()
    """Warnings; the exit status does not depend on them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What keeps a command from deciding; it makes the exit status 2, where nothing makes it 1."""

    name: str
    """The file."""
    message: str
    """The whole sentence."""


@dataclass(slots=True)
class Tally:
    """How often a code was found, and where first."""

    code: str
    unchecked: bool
    """Whether it is a check that could not run."""
    first: str
    """FILE:LINE:COLUMN of the first one, as lines show it."""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a run."""

    documents: int
    findings: int
    warnings: int
    undecided: int
    """Documents without findings of which something could not be checked, and problems."""
    exit_status: ExitStatus
    verdicts: Mapping[str, int]
    """How many documents have each verdict."""
    statistics: tuple[Tally, ...]
    """The codes, the most frequent first."""
    checked: Mapping[str, int]
    """For how many documents each check ran."""
    not_given: tuple[tuple[NotGiven, int], ...]
    """Inputs that the run was not given, each with the number of documents that needed it."""
    left_out: int
    """Findings that were counted and not listed, because of ``max_findings``."""
    aggregate: Mapping[str, Any] | None = None
    """Counts over all documents by what they say, as plain JSON, if they were asked for."""
