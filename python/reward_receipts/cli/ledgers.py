"""What the commands about ledgers share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ..bulk.files import Text
from ..ledger import Ledger, LedgerError
from .report import Report
from .results import WholeFile

LedgerName = Annotated[str, typer.Argument(metavar="LEDGER", help="The file of a ledger.", show_default=False)]


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
