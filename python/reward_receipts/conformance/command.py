"""``reward-receipts conformance``: from options to what is printed and the exit status."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..core.exit_status import ExitStatus
from ..core.whole_files import write_new_file
from . import expected
from .corpus import Corpus, CorpusError, load
from .explain import explain
from .files import MAX_REPORT, Unusable, read_file
from .process import CannotStart
from .report import Format, Report, ReportError, matrix_of, read_report, render, report_of
from .results import Run
from .runner import Settings
from .runner import run as run_driver


class UsageError(Exception):
    """The command cannot do what it was asked for. The message names what is wrong; the exit status is 2."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    command: Sequence[str]
    layers: Sequence[str]
    names: Sequence[str]
    folder: str | None
    timeout: float
    start_timeout: float
    seed: int | None
    xfail: str | None
    write_xfail: str | None
    explain: str | None
    form: Format


def run(options: Options) -> tuple[str, ExitStatus]:
    """What to print and the exit status. Raises UsageError."""
    for name, seconds in (("--timeout", options.timeout), ("--start-timeout", options.start_timeout)):
        if not 0 < seconds <= 86400:
            raise UsageError(f"{name} {seconds} is not a number of seconds above 0 and at most 86400")
    try:
        corpus = load(options.folder)
        if options.explain is not None:
            return _explained(corpus, options.explain, options)
        corpus.select(options.layers, options.names)
        if not options.command:
            raise UsageError("no command: name what starts the driver after --")
        return _run(corpus, options)
    except (CorpusError, CannotStart, expected.ExpectedFailuresError) as error:
        raise UsageError(str(error)) from None


def matrix(names: Sequence[str]) -> str:
    """A matrix of the reports in some files. Raises UsageError."""
    try:
        return matrix_of([_report(name) for name in names])
    except ReportError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror or error}") from None


def _report(name: str) -> Report:
    try:
        return read_report(read_file(Path(name), MAX_REPORT), name)
    except Unusable as error:
        raise ReportError(f"{name} is not a report of conformance run -f json: {error}") from None


def _run(corpus: Corpus, options: Options) -> tuple[str, ExitStatus]:
    entries = () if options.xfail is None else expected.read(options.xfail, corpus)
    if options.write_xfail is not None and os.path.lexists(options.write_xfail):
        raise UsageError(f"{options.write_xfail} exists; a draft is only written to a new file")
    today = datetime.now(UTC).date()
    done = _asked(corpus, options, options.layers, options.names)
    done = expected.apply(done, entries, today)
    if options.write_xfail is not None:
        _write_new(options.write_xfail, expected.draft(done, entries, today))
    status = ExitStatus.of(findings=not done.conformant, undecided=False)
    return render(report_of(done, status), options.form), status


def _explained(corpus: Corpus, case_id: str, options: Options) -> tuple[str, ExitStatus]:
    case = corpus.case(case_id)
    if not options.command:
        return explain(case), ExitStatus.GOOD
    done = _asked(corpus, options, (), (case.id,))
    passed = done.results[0].status == "pass" and done.trouble is None
    return explain(case, done.results[0], done.trouble), ExitStatus.of(findings=not passed, undecided=False)


def _asked(corpus: Corpus, options: Options, layers: Sequence[str], names: Sequence[str]) -> Run:
    seed = secrets.randbelow(2**32) if options.seed is None else options.seed
    settings = Settings(options.timeout, options.start_timeout, seed)
    return run_driver(corpus, options.command, settings, layers=layers, names=names)


def _write_new(path: str, text: str) -> None:
    try:
        write_new_file(path, text.encode("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
