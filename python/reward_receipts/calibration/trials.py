"""Labelled trials of a checker: rows of JSON Lines, CSV or Parquet, checked one by one, and the digest of their labels.

The corpus digest covers what was right, not what the checker said: names, labels, fault classes, tasks, groups and
evidence digests, in the order of the names. So a contract can name a corpus before any checker is measured on it, and
two checkers that are measured on one corpus share its digest.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import IO, Any, Final

from ..bulk.files import Unread, name_label, texts
from ..core.canonical import canonical_json_bytes
from ..core.codes import sentence
from ..core.extras import extra_module
from ..core.findings import Finding, InvalidDocument, InvalidText, shown
from ..core.numbers import plain_boolean, plain_double, plain_integer
from ..core.schema_files import TRIAL_FILE
from ..core.strict_json import read_json
from ..validation.check import check_file

MAX_TRIALS: Final = 1_000_000
_MOST_FINDINGS: Final = 100
"""Where a file of trials is given up."""
_LABELS: Final = ("trial_id", "should_accept", "fault_class", "task_id", "group_id", "evidence_digest")
"""The members that the corpus digest covers."""
_BOOLEANS: Final = {"true": True, "false": False, "1": True, "0": False}
_LONGEST_CELL: Final = 4096
_BEYOND_DOUBLES: Final = 2**1023

Row = tuple[int, Any]
"""A line, or the number of a row, from 1; and the plain value there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One trial of a checker."""

    trial_id: str
    should_accept: bool
    """What is right: True for a clean control, False for a trial that a checker has to refuse."""
    accepted: bool | None = None
    """What the checker decided; None for a trial with a score."""
    score: float | None = None
    """What the checker scored; it accepts at the threshold and above. None for a trial with a decision."""
    fault_class: str | None = None
    """What is wrong with the trial; never None for one that has to be refused."""
    task_id: str | None = None
    """The task that the trial is of."""
    group_id: str | None = None
    """The group of trials that depend on each other."""
    evidence_digest: str | None = None
    """The digest of what the checker was shown."""

    def accepted_at(self, threshold: float | None) -> bool:
        """Whether the checker accepts it: as it decided, or if it scored the threshold or more."""
        if self.score is None:
            return bool(self.accepted)
        if threshold is None:
            raise ValueError("the trials have scores; give the threshold from which on the checker accepts")
        return self.score >= threshold


_MEMBERS: Final = tuple(field.name for field in fields(Trial))


class InvalidTrials(InvalidDocument):
    """Rows that are not trials; ``findings`` says why, with the line or the row number of each."""

    def __str__(self) -> str:
        return "\n".join(
            f"{each.line}: {each.pointer or '(row)'} {each.code} {each.sentence}" for each in self.findings
        )


class Trials(Sequence[Trial]):
    """The trials of a corpus, each under another name, all with decisions or all with scores.

    Raises InvalidTrials for a row that is not a trial, a name that is there twice, and a mixture of decisions and
    scores; it names each, up to 100. NumPy's numbers and booleans are taken.

        trials = Trials([{"trial_id": "t1", "should_accept": True, "accepted": True},
                         {"trial_id": "t2", "should_accept": False, "fault_class": "omitted", "accepted": False}])
    """

    def __init__(self, rows: Iterable[Trial | Mapping[str, Any]]) -> None:
        plain = (row if isinstance(row, Trial) else dict(row) if isinstance(row, Mapping) else row for row in rows)
        self._trials = _checked(enumerate(plain, start=1))

    @classmethod
    def _of_lines(cls, rows: Iterable[Row]) -> Trials:
        self = cls.__new__(cls)
        self._trials = _checked(rows)
        return self

    def __getitem__(self, index: Any) -> Any:
        return self._trials[index]

    def __len__(self) -> int:
        return len(self._trials)

    def __iter__(self) -> Iterator[Trial]:
        return iter(self._trials)

    @property
    def scored(self) -> bool:
        """Whether the trials have scores, and not decisions."""
        return bool(self._trials) and self._trials[0].score is not None

    @cached_property
    def digest(self) -> str:
        """The corpus digest: of the labels, in the order of the trials' names; not of what the checker said."""
        hashed = hashlib.sha256(b"[")
        for number, trial in enumerate(sorted(self._trials, key=lambda each: each.trial_id)):
            labels = {name: value for name in _LABELS if (value := getattr(trial, name)) is not None}
            hashed.update((b"," if number else b"") + canonical_json_bytes(labels))
        hashed.update(b"]")
        return f"sha256:{hashed.hexdigest()}"


def read_trials(path: str) -> Trials:
    """The trials in a file: CSV if its name ends in .csv, Parquet if in .parquet, else JSON Lines; ``-`` is standard
    input.

    The first line of CSV names the columns. An empty cell and null mean that a member is left out; true, false, 1 and 0
    are booleans. Raises InvalidTrials, which names each line (the row number, in Parquet); Unread where the file cannot
    be read; ModuleNotFoundError for Parquet without pyarrow.

        trials = read_trials("trials.jsonl")
    """
    name = path.lower()
    rows = _csv_rows(path) if name.endswith(".csv") else _parquet_rows(path) if name.endswith(".parquet") else None
    return Trials._of_lines(_json_rows(path) if rows is None else rows)


def _checked(rows: Iterable[Row]) -> tuple[Trial, ...]:
    trials: list[Trial] = []
    lines: dict[str, int] = {}
    findings: list[Finding] = []
    for line, row in rows:
        trial: Trial | None = None
        if isinstance(row, tuple):  # a text that is not JSON
            new = list(row)
        elif isinstance(row, Trial):
            trial, new = _trial({name: value for name in _MEMBERS if (value := getattr(row, name)) is not None})
        else:
            trial, new = _trial(row)
        if trial is not None:
            first = lines.setdefault(trial.trial_id, line)
            if first != line:
                new.append(_finding("trial-repeated", ("trial_id",), trial=shown(trial.trial_id), first=first))
            if trials and (trials[0].score is None) != (trial.score is None):
                here, there = ("a score", "decisions") if trial.accepted is None else ("a decision", "scores")
                new.append(_finding("decisions-mixed", (), found=here, expected=there))
            if len(trials) == MAX_TRIALS:
                new.append(_finding("too-many-trials", (), limit=MAX_TRIALS))
            trials.append(trial)
        findings += (replace(each, line=line, column=each.column or 1) for each in new)
        if len(findings) >= _MOST_FINDINGS or len(trials) > MAX_TRIALS:
            break
    if findings:
        raise InvalidTrials(tuple(findings[:_MOST_FINDINGS]))
    return tuple(trials)


def _trial(row: Any) -> tuple[Trial | None, list[Finding]]:
    """The trial of a row; None, and why, if it is not one."""
    if type(row) is dict:
        row = {str(name): _plain(value) for name, value in row.items() if value is not None}
        score = row.get("score")
        if type(score) is int:
            score = row["score"] = float(score) if abs(score) < _BEYOND_DOUBLES else float("inf")
        if type(score) is float and score - score != 0.0:
            return None, [_finding("score-not-finite", ("score",), found=score)]
        unpaired = [name for name, value in row.items() if type(value) is str and _unpaired(value)]
        if unpaired:
            return None, [
                Finding("json.surrogate", sentence("json.surrogate", found=_unpaired(row[name])), (str(name),))
                for name in unpaired
            ]
    findings = list(check_file(TRIAL_FILE, row))
    if findings:
        return None, findings
    if not row["should_accept"] and "fault_class" not in row:
        findings.append(_finding("label-missing", ()))
    if ("accepted" in row) == ("score" in row):
        findings.append(_finding("decision-missing", (), found="both" if "score" in row else "neither"))
    return (None, findings) if findings else (Trial(**row), findings)


def _plain(value: Any) -> Any:
    """NumPy's scalars as plain JSON."""
    if type(value) in (bool, float):
        return value
    if isinstance(value, str):
        return str(value)
    for plain in (plain_boolean, plain_integer, plain_double):
        try:
            found = plain(value)
            if found is not None:
                return found
        except OverflowError:
            return float("inf")
    return value


def _unpaired(text: str) -> str:
    """The first unpaired surrogate of a text, as JSON escapes it; "" if there is none."""
    if text.isascii():
        return ""
    return next((f"\\u{ord(each):04x}" for each in text if "\ud800" <= each <= "\udfff"), "")


def _finding(code: str, path: tuple[str, ...], **values: object) -> Finding:
    return Finding(f"calibration.{code}", sentence(f"calibration.{code}", **values), path)


def _json_rows(path: str) -> Iterator[Row]:
    for text in texts(path, lines=True):
        line = text.line or 1
        try:
            value = read_json(text.data)
        except InvalidText as error:
            yield line, error.findings
        else:
            yield line, value


def _csv_rows(path: str) -> Iterator[Row]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(_short_lines(path, file), strict=True)
            names = next(reader, None)
            if names is None:
                return
            if len(set(names)) < len(names):
                repeated = next(name for name in names if names.count(name) > 1)
                raise Unread(path, f"{name_label(path)}: the column {shown(repeated)} is there twice")
            for cells in reader:
                if not cells:
                    continue
                if len(cells) != len(names):
                    raise Unread(
                        path,
                        f"{name_label(path)}:{reader.line_num}: {len(cells)} cells; expected {len(names)}",
                    )
                yield reader.line_num, {name: _cell(name, cell) for name, cell in zip(names, cells, strict=True)}
    except OSError as error:
        raise Unread(path, f"cannot read {name_label(path)}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Unread(path, f"{name_label(path)} is not UTF-8: {error.reason} at byte {error.start}") from None
    except csv.Error as error:
        raise Unread(path, f"{name_label(path)} is not CSV: {error}") from None


def _short_lines(path: str, file: IO[str]) -> Iterator[str]:
    """The lines of a file, none of which can fill the memory."""
    most = _LONGEST_CELL * len(_MEMBERS)
    while line := file.readline(most + 1):
        if len(line) > most:
            raise Unread(path, f"{name_label(path)} has a line of more than {most} characters")
        yield line


def _cell(name: str, cell: str) -> Any:
    """A cell as its column has it; text where it is not that, which the schema then refuses."""
    if cell == "":
        return None
    if name in ("should_accept", "accepted"):
        return _BOOLEANS.get(cell.lower(), cell)
    if name == "score":
        try:
            return float(cell) if "_" not in cell else cell
        except ValueError:
            return cell
    return cell


def _parquet_rows(path: str) -> Iterator[Row]:
    parquet: Any = extra_module("pyarrow.parquet", "a file of trials in Parquet")
    arrow: Any = extra_module("pyarrow", "a file of trials in Parquet")
    try:
        with open(path, "rb") as file, parquet.ParquetFile(file) as table:
            number = 0
            for batch in table.iter_batches(batch_size=4096):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except OSError as error:
        raise Unread(path, f"cannot read {name_label(path)}: {error.strerror or error}") from None
    except (arrow.ArrowException, ValueError, OverflowError) as error:  # a text that is not UTF-8, say
        raise Unread(path, f"{name_label(path)} is not Parquet: {shown(str(error), 120)}") from None
