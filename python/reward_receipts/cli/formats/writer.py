"""What every writer of results has, and the sentences that several of them write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from ...core.counted import counted
from ..results import NotGiven, Problem, Result, Summary
from ..terminal import Output


class ResultWriter(ABC):
    """Writes what a report lists, as it comes, in one format."""

    def __init__(self, command: str, stream: Output, *, answers_by_verdict: bool, counts_codes: bool) -> None:
        self._command = command
        self._stream = stream
        self._answers_by_verdict = answers_by_verdict
        """Whether verdicts are the command's answer, and its lines only repeat them."""
        self._counts_codes = counts_codes
        """Whether codes are counted in place of listing results."""
        self._begin()

    def _begin(self) -> None:  # noqa: B027 - most formats need nothing
        """Sets up what one format needs; writes what comes before the first result."""

    @abstractmethod
    def result(self, result: Result) -> None:
        """Takes a result that is listed."""

    @abstractmethod
    def problem(self, problem: Problem) -> None:
        """Takes a problem; it is on standard error already."""

    def text(self, lines: Iterable[str]) -> None:  # noqa: B027 - only text has them
        """Takes counts in lines for people."""

    @abstractmethod
    def close(self, summary: Summary) -> None:
        """Writes what comes after the last result."""

    def _print(self, line: str) -> None:
        self._stream.write(f"{line}\n")


def not_given_sentence(missing: NotGiven, count: int) -> str:
    """What was not checked for want of an input."""
    documents = counted(count, "document")
    return f"unchecked for {documents}: {missing.sentence}; without it these do not run: {', '.join(missing.codes)}"


def left_out_sentence(count: int) -> str:
    """How many findings the listing leaves out."""
    return f"{count} {'finding is' if count == 1 else 'findings are'} not listed (--max-findings)"
