"""The results of a command for each document, and its exit status.

``Report`` counts results and problems, takes out what is not to be listed, and hands the rest to the writer of the
format that was asked for.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ..bulk.documents import Entry
from ..bulk.files import STDIN, Unread
from ..core.counted import counted
from ..core.exit_status import ExitStatus
from ..core.findings import Finding
from ..core.redaction import redacted, redacted_words
from .formats import Format, writer_of
from .options import Listing
from .results import NotGiven, Problem, Result, Summary, Tally
from .terminal import OutputFile, OutputLost, say


class Report:
    """What one run of a command says."""

    def __init__(self, command: str, listing: Listing | Format = "text", *, verdicts: tuple[str, ...] = ()) -> None:
        """``verdicts`` are the possible ones where they are the command's answer: the closing line then counts them.

        ``listing`` can be a format alone: then everything is listed, on standard output.

        Raises OutputLost where the file of ``listing`` cannot be written.
        """
        self._listing = listing if isinstance(listing, Listing) else Listing(listing)
        self._verdict_counts: Counter[str] = Counter(dict.fromkeys(verdicts, 0))
        self._closing_verdicts = verdicts
        output = self._listing.output
        self._file = None if output is None or output == "-" else OutputFile(output)
        self._written = [] if self._file is None else [self._file]
        stream = sys.stdout if self._file is None else self._file
        self._writer = writer_of(self._listing.form)(
            command, stream, answers_by_verdict=bool(verdicts), counts_codes=self._listing.statistics
        )
        self._documents = self._findings = self._warnings = self._undecided = self._left_out = 0
        self._room = self._listing.max_findings
        self._tallies: dict[tuple[str, bool], Tally] = {}
        self._checked: Counter[str] = Counter()
        self._not_given: dict[str, tuple[NotGiven, int]] = {}
        self._last_name = ""
        self._aggregate: Mapping[str, Any] | None = None
        self._interrupted = False

    def add(self, result: Result, *, listed: bool = True) -> None:
        """Collects the findings of one document; counts it only, unless it is to be ``listed``."""
        self._documents += 1
        self._findings += len(result.findings)
        self._undecided += not result.findings and bool(result.unchecked or result.not_given)
        self._warnings += len(result.warnings)
        self._verdict_counts[result.verdict] += 1
        self._checked.update(result.checked)
        self._tally(result.findings, result, False)
        self._tally(result.unchecked, result, True)
        for missing in result.not_given:
            before, count = self._not_given.get(missing.what, (missing, 0))
            codes = before.codes if before.codes == missing.codes else _union(before.codes, missing.codes)
            self._not_given[missing.what] = (replace(before, codes=codes), count + 1)
        if result.entry.text.name != self._last_name:
            self._last_name = result.entry.text.name
            self.reads(self._last_name)
        shown = self._listed(result) if listed and not self._listing.statistics else None
        if shown is not None:
            self._writer.result(shown)

    def count(self, verdict: str, count: int, checked: Iterable[str] = ()) -> None:
        """Takes some documents without findings that have the same verdict."""
        self._documents += count
        self._verdict_counts[verdict] += count
        for code in checked:
            self._checked[code] += count

    def aggregate(self, members: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Takes counts over all documents, in plain JSON and as lines of text; the last thing before ``close``."""
        self._aggregate = members
        self._writer.text(lines)

    def interrupted(self) -> None:
        """Notes that the run ends before its time: what it says is of what was done until now."""
        self._interrupted = True

    @property
    def is_interrupted(self) -> bool:
        """Whether the run ended before its time."""
        return self._interrupted

    def reads(self, name: str) -> None:
        """Notes that a file is read. Raises OutputLost where the results would replace it."""
        if name != STDIN:
            with self._discarding_if_lost():
                for file in self._written:
                    file.must_not_replace(name)

    def also_writes(self, file: OutputFile) -> None:
        """Notes a further file that the command writes. Raises OutputLost if the results are to go to the same one."""
        self._written.append(file)
        with self._discarding_if_lost():
            if any(file.place == each.place for each in self._written[:-1]):
                raise OutputLost(f"two outputs would go to {file.label}; name another file for one")

    @contextmanager
    def _discarding_if_lost(self) -> Iterator[None]:
        try:
            yield
        except OutputLost:
            for file in self._written:
                file.discard()
            raise

    def problem(self, name: str, message: str) -> None:
        """Takes what keeps the command from deciding. It is a message on standard error in every format."""
        self._undecided += 1
        say(f"reward-receipts: {message}")
        self._writer.problem(Problem(redacted(name), redacted_words(message)))

    def valid(self, read: Callable[[], Entry]) -> Entry | None:
        """The one document that ``read`` gives; None if it is unread or invalid, which the report takes."""
        try:
            entry = read()
        except Unread as unread:
            self.unread(unread)
            return None
        if entry.findings:
            self.add(Result(entry, "invalid", findings=entry.findings))
            return None
        return entry

    def unread(self, unread: Unread) -> None:
        """Takes a file that could not be read."""
        self.problem(unread.name, str(unread))

    @property
    def summary(self) -> Summary:
        """What the run has come to so far."""
        return Summary(
            documents=self._documents,
            findings=self._findings,
            warnings=self._warnings,
            undecided=self._undecided,
            exit_status=ExitStatus.INTERRUPTED
            if self._interrupted
            else ExitStatus.of(self._findings > 0, self._undecided > 0),
            verdicts=dict(self._verdict_counts),
            statistics=tuple(sorted(self._tallies.values(), key=lambda each: -each.count)),
            checked=dict(self._checked),
            not_given=tuple(self._not_given.values()),
            left_out=self._left_out,
            aggregate=self._aggregate,
        )

    def close(self) -> ExitStatus:
        """Ends the report; returns the exit status. Raises OutputLost where its file cannot be written."""
        summary = self.summary
        self._writer.close(summary)
        if self._file is not None:
            self._file.complete()
        for file in self._written:
            file.discard()  # nothing is in it if the command ended before it wrote its own
        sys.stdout.flush()  # the results, where both streams are one terminal, come first
        if summary.left_out:
            say(f"reward-receipts: {counted(summary.left_out, 'more finding')} not listed (--max-findings)")
        if self._interrupted:
            say("reward-receipts: interrupted; the counts are of what was done until then")
        say(self._closing_line(summary))
        return summary.exit_status

    def _closing_line(self, summary: Summary) -> str:
        counts = [counted(summary.documents, "document"), counted(summary.findings, "finding")]
        if summary.warnings:
            counts.append(counted(summary.warnings, "warning"))
        line = ", ".join(counts + ([f"{summary.undecided} undecided"] if summary.undecided else []))
        if not self._closing_verdicts or not summary.documents:
            return line
        return f"{line}; verdicts: {', '.join(f'{count} {word}' for word, count in summary.verdicts.items())}"

    def _tally(self, findings: tuple[Finding, ...], result: Result, unchecked: bool) -> None:
        for finding in findings:
            tally = self._tallies.get((finding.code, unchecked))
            if tally is None:
                first = f"{result.entry.text.label}:{finding.line}:{finding.column}"
                tally = self._tallies[finding.code, unchecked] = Tally(finding.code, unchecked, first)
            tally.count += 1

    def _listed(self, result: Result) -> Result | None:
        """The part of a result that is listed; None if it is left out."""
        found = len(result.findings) + len(result.unchecked)
        if not found:
            return None if self._listing.only_findings and not result.warnings else result
        if self._room is None:
            return result
        room = self._room
        self._room = max(room - found, 0)
        self._left_out += max(found - room, 0)
        if room == 0:
            return None
        unchecked = result.unchecked[: max(room - len(result.findings), 0)]
        return replace(result, findings=result.findings[:room], unchecked=unchecked)


def _union(before: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *more)))
