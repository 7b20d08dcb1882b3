"""What the commands of ``calibrate`` share: trials in files, documents, and measurements as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer
from pydantic import ValidationError

from ..bulk.documents import only_entry
from ..bulk.files import Text, Unread, only_text, shown_name
from ..calibration.measurement import CalibrationRefused, Measurement
from ..calibration.trials import InvalidTrials, Trials, read_trials
from ..core.canonical import canonical_json_bytes, sha256_digest
from ..core.codes import CodedSentence
from ..core.escaping import printable
from ..core.findings import Finding, InvalidText
from ..core.strict_json import read_json
from ..core.text_table import aligned
from ..validation.schemas import Kind
from .report import Report
from .results import Result, WholeFile

if TYPE_CHECKING:
    from ..documents.generated.models import RewardCertificateV1, RewardContractV1

TrialsFile = Annotated[
    str,
    typer.Argument(
        metavar="TRIALS",
        help="Labelled trials: CSV if the name ends in .csv, Parquet if in .parquet, else JSON Lines; - is standard "
        "input. docs/calibration.md says what a trial has.",
    ),
]
GroupByOption = Annotated[
    Literal["group_id", "task_id"] | None,
    typer.Option("--group-by", help="Bound the false accepts of groups. By default by group_id, if there is one."),
]
CheckerOption = Annotated[
    str | None,
    typer.Option(
        "--checker", metavar="FILE", help="The checker's configuration, as JSON; the certificate has its digest."
    ),
]
ContractOption = Annotated[
    str | None, typer.Option("--contract", metavar="FILE", help="The contract whose policy is to be met.")
]


class Refused(Exception):
    """The report says already why the command does not go on."""


def subject(name: str) -> WholeFile:
    """A file of trials, or a certificate, as the subject of a result."""
    return WholeFile(Text(shown_name(name), b""))


def trials_in(report: Report, name: str) -> Trials:
    """The trials of a file. Raises Refused."""
    try:
        return read_trials(name)
    except Unread as unread:
        report.unread(unread)
    except InvalidTrials as error:
        report.add(Result(subject(name), "invalid", members={"kind": "trials"}, findings=error.findings))
    except (ModuleNotFoundError, ValueError) as error:
        report.problem(name, str(error))
    raise Refused


def contract_in(report: Report, name: str) -> RewardContractV1:
    """The contract of a file. Raises Refused."""
    return cast("RewardContractV1", _document(report, name, "contract"))


def certificate_in(report: Report, name: str) -> RewardCertificateV1:
    """The certificate of a file. Raises Refused."""
    return cast("RewardCertificateV1", _document(report, name, "certificate"))


def checker_digest(report: Report, name: str | None) -> str | None:
    """The digest of a checker's configuration: of the canonical form of a JSON file. Raises Refused."""
    if name is None:
        return None
    try:
        text = only_text(name)
        return sha256_digest(canonical_json_bytes(read_json(text.data)))
    except Unread as unread:
        report.unread(unread)
    except InvalidText as error:
        report.add(Result(subject(name), "invalid", members={"kind": "checker"}, findings=error.findings))
    raise Refused


def findings_of(refusals: Sequence[CodedSentence]) -> tuple[Finding, ...]:
    """Refusals as findings about a file as a whole."""
    return tuple(Finding(each.code, str(each), (), 1, 1) for each in refusals)


@contextmanager
def reporting(report: Report, trials: str) -> Iterator[None]:
    """Reports why the trials give no bound, or why nothing can be reported of them. Raises Refused then."""
    try:
        yield
    except CalibrationRefused as error:
        found = findings_of(error.refusals)
        report.add(Result(subject(trials), "refused", members={"kind": "trials"}, findings=found))
    except ValidationError as error:  # a certificate that its schema refuses
        report.problem(trials, " ".join(f"{each['type']}: {each['msg']}" for each in error.errors()))
    except (ModuleNotFoundError, ValueError) as error:
        report.problem(trials, str(error))
    else:
        return
    raise Refused


def lines_of(found: Measurement) -> list[str]:
    """A measurement as a person reads it."""
    rows = [
        ("fault class", "trials", "false accepts"),
        *((printable(each.fault_class), str(each.trials), str(each.false_accepts)) for each in found.classes),
    ]
    threshold = [] if found.threshold is None else [f"threshold         {found.threshold}"]
    return [
        f"bound             {found.epsilon:.6g} on P(false accept), synthetic",
        f"delta             {found.delta}",
        f"false accepts     {found.false_accepts} of {found.trials} {found.unit}",
        f"clean controls    {found.controls}, {found.failed_controls} of them refused",
        *threshold,
        f"corpus digest     {found.corpus_digest}",
        "",
        *aligned(rows, 1),
    ]


def thresholds_in(text: str) -> Sequence[float]:
    """Thresholds separated by commas. Raises ValueError for anything else."""
    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise ValueError(f"{text!r} is not a list of numbers with commas between them: 0.99,0.95,0.9") from None


def _document(report: Report, name: str, kind: Kind) -> object:
    try:
        entry = only_entry(name, kind)
    except Unread as unread:
        report.unread(unread)
    else:
        if not entry.findings:
            return entry.document()
        report.add(Result(entry, "invalid", members={"kind": kind}, findings=entry.findings))
    raise Refused
