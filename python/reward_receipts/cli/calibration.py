"""What the commands of ``calibrate`` share: trials in files, documents, and measurements as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from ..bulk.documents import only_entry
from ..bulk.files import Text, Unread, only_text, shown_name
from ..calibration.measurement import CalibrationRefused, Measurement
from ..calibration.trials import InvalidTrials, Trials, read_trials
from ..core.canonical import canonical_json_bytes, sha256_digest
from ..core.codes import CodedSentence
from ..core.escaping import printable
from ..core.findings import Finding, InvalidText
from ..core.strict_json import read_json
from ..validation.schemas import Kind
from .report import Report
from .results import Result
from .tables import aligned

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


@dataclass(frozen=True, slots=True)
class TrialsSubject:
    """A file of trials, as what a result is of."""

    text: Text
    at: tuple[()] = ()
    line: None = None

    @property
    def label(self) -> str:
        return self.text.label


class Refused(Exception):
    """The report says already why the command does not go on."""


def subject(name: str) -> TrialsSubject:
    return TrialsSubject(Text(shown_name(name), b""))


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


def refused(report: Report, name: str, error: CalibrationRefused) -> None:
    """Reports that trials give no bound."""
    report.add(Result(subject(name), "refused", members={"kind": "trials"}, findings=findings_of(error.refusals)))


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
