"""What a ledger needs of the database that keeps its rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import ClassVar, Protocol

from ..core.findings import Finding
from .chain import Record


class Store(Protocol):
    """The rows of one ledger in one database. Every method raises LedgerError if the database fails."""

    piece: ClassVar[int]
    """How many rows are best inserted at once."""

    @property
    def label(self) -> str:
        """The database as messages show it, without a password."""

    def writing(self) -> AbstractContextManager[None]:
        """A transaction of the only writer: others wait. When it ends, the rows are on the disk; if it ends with an
        exception, none is.
        """

    def last(self) -> tuple[int, bytes]:
        """The last row and its link; row 0 and the start of the chain if there are no rows."""

    def insert(self, records: Sequence[Record]) -> bool:
        """Adds rows, all or none. False if one has a key of ``UNIQUE`` in common with another row."""

    def taken(self, records: Sequence[Record]) -> set[int]:
        """The indexes of the records that have a key of ``UNIQUE`` in common with a row."""

    def conflicting(self, record: Record) -> list[Record]:
        """The rows that have a key of ``UNIQUE`` in common with a record, in their order."""

    def index_updates(self) -> None:
        """Makes the index that ``newest`` needs to be fast, if there is none. Others who admit need not keep it."""

    def newest(self, reward_contract_digest: str) -> int | None:
        """The greatest policy update of a receipt of a contract; None if there is no receipt."""

    def get(self, receipt_id: str) -> Record | None:
        """The row of a receipt."""

    def after(self, row: int, count: int) -> list[Record]:
        """At most ``count`` rows that follow a row, in their order."""

    def per_contract(self) -> list[tuple[str, int, int, int]]:
        """For each contract: digest, number of receipts, least and greatest policy update."""

    def per_issuer(self) -> list[tuple[str, int]]:
        """For each issuer_key_id: the number of receipts."""

    def size(self) -> int:
        """The bytes on disk."""

    def damage(self) -> list[Finding]:
        """What the database itself finds: damaged pages or indexes, rows with a key in common."""

    def close(self) -> None:
        """Closes the connection. Closing twice does nothing."""
