"""Text for people: one finding a line."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.escaping import printable_line
from ...core.findings import Finding
from ..results import Problem, Result, Summary
from ..terminal import in_colour
from .writer import ResultWriter, not_given_sentence


class Writer(ResultWriter):
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

    def text(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._print(line)

    def close(self, summary: Summary) -> None:
        if self._counts_codes and summary.statistics:
            width = max(len(str(tally.count)) for tally in summary.statistics)
            for tally in summary.statistics:
                mark = "unchecked " if tally.unchecked else ""
                self._print(printable_line(f"{tally.count:>{width}}  {mark}{tally.code}  first at {tally.first}"))
        for missing, count in summary.not_given:
            self._print(f"{not_given_sentence(missing, count)}")
