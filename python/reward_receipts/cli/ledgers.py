"""What the commands about ledgers share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from ..bulk.auditor import Documents
from ..bulk.files import Text, Unread
from ..core.findings import InvalidDocument
from ..core.generated.tables import MAX_POLICY_UPDATE
from ..ledger import Ledger, LedgerError
from .report import Report
from .results import WholeFile

LedgerName = Annotated[
    str,
    typer.Argument(
        metavar="LEDGER", help="The file of a ledger, or postgresql://USER@HOST/DATABASE.", show_default=False
    ),
]

DocumentFiles = Annotated[
    list[str],
    typer.Option(
        "--documents",
        metavar="FILE",
        help="Contracts and certificates, as FILES of lint: a folder of them, say; may be given repeatedly.",
    ),
]

MaxBackwards = Annotated[
    int | None,
    typer.Option(
        "--max-backwards",
        metavar="N",
        min=0,
        max=MAX_POLICY_UPDATE,
        help="Refuse a receipt that is more than N policy updates behind the newest admitted one of its contract.",
    ),
]


class Stopped(Exception):
    """A ledger cannot be used; the report says why."""


@contextmanager
def using(report: Report, name: str) -> Iterator[None]:
    """Reports an error of a ledger, and raises Stopped in its place."""
    try:
        yield
    except LedgerError as error:
        report.problem(label_of(name), str(error))
        raise Stopped from None


def reader(report: Report, name: str) -> Ledger:
    """The ledger, to be read. Raises Stopped, and OutputLost if the results would replace it."""
    report.reads(name)
    with using(report, name):
        return Ledger.open(name, read_only=True)


def label_of(name: str) -> str:
    """The ledger as messages show it: without the password of a URL."""
    return Ledger.label_of(name)


def subject(name: str) -> WholeFile:
    """A ledger as the subject of a result."""
    return WholeFile(Text(label_of(name), b""))


def documents_to_admit_by(report: Report, names: Sequence[str]) -> Documents | None:
    """The contracts and certificates to admit receipts by; None if the report says why they cannot be used.

    One that is not valid is not a finding about a receipt, as it is in ``audit``: without it nothing can be decided.
    """
    try:
        return Documents.from_folder(*names)
    except Unread as unread:
        report.unread(unread)
    except InvalidDocument as error:
        place = " ".join(getattr(error, "__notes__", ()))
        report.problem(", ".join(names), f"a contract or certificate is not valid, {place}: {error.findings[0]}")
    return None
