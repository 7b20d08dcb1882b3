"""Expected failures: a file that says which cases an implementation is known to fail, why, and for how long.

JSON Lines: ``{"id": "rules/some/case", "reason": "...", "expires": "2027-01-31"}``. The id is a case's, or the start
of some ids followed by ``/*``. Blank lines and lines that start with ``#`` are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from ..core.findings import InvalidText, shown
from ..core.strict_json import read_json
from .case import Case
from .corpus import Corpus
from .files import MAX_LIST, Unusable, read_file
from .results import EXCUSABLE, CaseResult, Run

TODO: Final = "TODO: say why"
"""The reason in a drafted list, which is none."""
DRAFTED_DAYS: Final = 90
"""For how long a drafted entry holds."""


class ExpectedFailuresError(ValueError):
    """A list of expected failures cannot be used. The message names the file, the line and what is wrong."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list."""

    id: str
    reason: str
    expires: date
    """The last day on which it holds."""
    cases: tuple[Case, ...]
    """The cases that it names."""


def read(path: str, corpus: Corpus) -> tuple[Entry, ...]:
    """The entries of a file. Raises ExpectedFailuresError, also for an id that the corpus does not have."""
    try:
        lines = read_file(Path(path), MAX_LIST).split(b"\n")
    except Unusable as error:
        raise ExpectedFailuresError(f"{path}: {error}") from None
    except OSError as error:
        raise ExpectedFailuresError(f"cannot read {path}: {error.strerror or error}") from None
    entries: dict[str, Entry] = {}
    named: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(b"#"):
            continue
        try:
            entry = _entry(line, corpus)
            for case in entry.cases:
                if case.id in named:
                    raise ExpectedFailuresError(f"{case.id} is named by {named[case.id]} already")
                named[case.id] = entry.id
        except ExpectedFailuresError as error:
            raise ExpectedFailuresError(f"{path}:{number}: {error}") from None
        entries[entry.id] = entry
    return tuple(entries.values())


def apply(run: Run, entries: Sequence[Entry], today: date) -> Run:
    """A run in which failures that were expected are ``xfail``, and passes that were not are ``xpass``.

    An entry that expired excuses nothing. What speaks against an entry is in the run's ``stale``.
    """
    excuses: dict[str, Entry] = {}
    stale = []
    results = {result.case.id: result for result in run.results}
    for entry in entries:
        statuses = [results[case.id].status for case in entry.cases if case.id in results]
        if entry.expires < today:
            stale.append(f"the expected failure {entry.id} expired on {entry.expires}")
            continue
        excuses |= dict.fromkeys((case.id for case in entry.cases), entry)
        if "pass" in statuses:
            stale.append(f"the expected failure {entry.id} names {statuses.count('pass')} that pass")
        elif statuses and not any(status in (*EXCUSABLE, "not-run") for status in statuses):
            stale.append(f"the expected failure {entry.id} names no case that fails")
    changed = tuple(_excused(result, excuses.get(result.case.id)) for result in run.results)
    return replace(run, results=changed, stale=tuple(stale))


def draft(run: Run, entries: Sequence[Entry], today: date) -> str:
    """The list of all that fails, as a file: with the reasons that there are, and a reason to be written elsewhere."""
    known = {case.id: entry for entry in entries for case in entry.cases}
    lines = []
    for result in run.results:
        case_id = result.case.id
        if result.status == "xfail":
            lines.append(_line(case_id, known[case_id].reason, known[case_id].expires))
        elif result.status in EXCUSABLE:
            lines.append(_line(case_id, TODO, today + timedelta(days=DRAFTED_DAYS)))
    return "".join(lines)


def _line(case_id: str, reason: str, expires: date) -> str:
    return json.dumps({"id": case_id, "reason": reason, "expires": expires.isoformat()}) + "\n"


def _excused(result: CaseResult, entry: Entry | None) -> CaseResult:
    if entry is None:
        return result
    if result.status == "pass":
        return replace(result, status="xpass", detail=f"it was expected to fail: {entry.reason}")
    if result.status in EXCUSABLE:
        return replace(result, status="xfail", detail=f"{entry.reason} ({result.status}: {result.detail})")
    return result


def _entry(line: bytes, corpus: Corpus) -> Entry:
    try:
        members: Any = read_json(line)
    except InvalidText as error:
        raise ExpectedFailuresError(f"no JSON: {error.findings[0].sentence}") from None
    if type(members) is not dict or set(members) != {"id", "reason", "expires"}:
        raise ExpectedFailuresError(f"{shown(members)} is not an entry; it must have id, reason and expires")
    case_id, reason, expires = members["id"], members["reason"], members["expires"]
    if type(case_id) is not str or type(reason) is not str or type(expires) is not str:
        raise ExpectedFailuresError("id, reason and expires must be text")
    if not reason.strip() or reason.strip().upper().startswith("TODO"):
        raise ExpectedFailuresError(
            f"{case_id}: {shown(reason)} is not a reason; say why it is right that the case fails"
        )
    try:
        day = date.fromisoformat(expires)
    except ValueError:
        day = None
    if day is None or day.isoformat() != expires:
        raise ExpectedFailuresError(f"{case_id}: expires is {shown(expires)}; it must be a day, YYYY-MM-DD")
    if case_id.endswith("/*"):
        cases = corpus.matching(case_id)
    else:
        cases = tuple(case for case in corpus.cases if case.id == case_id)
    if not cases:
        raise ExpectedFailuresError(f"no case {shown(case_id)} in corpus {corpus.version}")
    return Entry(case_id, reason, day, cases)
