"""Admission of receipts: each that holds is recorded once."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from types import TracebackType
from typing import Final, Self

from ..bulk.auditor import Auditor, Verdict
from ..core.codes import sentence
from ..core.escaping import file_label
from ..core.findings import Finding, shown
from ..documents.generated.models import RewardEvidenceReceiptV1
from ..receipts.receipt_file import Forks
from . import postgres
from .answers import Admission, Conflict, ContractStats, LedgerError, NotAdmitted, Stats
from .chain import ChainCheck, Record, link_text, record_after
from .head import Head
from .sqlite import SqliteStore
from .store import Store

Receipt = bytes | bytearray | str | RewardEvidenceReceiptV1 | Verdict
"""A receipt as its text or as a model, or the verdict that an Auditor gave: that one is not audited again."""

BATCH: Final = 5000
"""Receipts in a transaction of ``admit_each``: the more, the fewer times a page of an index is written."""

PAGE: Final = 1000
"""Rows that are read at a time."""

MAX_FINDINGS: Final = 100
"""The findings after which ``check`` ends."""


class Ledger:
    """Admits receipts once. What ``admit`` acknowledged survives a crash of the process and of the machine.

    A receipt is admitted if its audit holds and no admitted receipt has its receipt_id, its nonce under the same
    issuer_key_id, or its episode_id under the same contract. The same receipt again gets the same row, whatever its
    audit says now. Several processes and threads can admit at the same time. The ledger reads no clock.

        with Ledger.open("receipts.ledger", auditor) as ledger:
            answer = ledger.admit(receipt)
            if not answer:
                print(answer.status, answer.codes)

    ``max_backwards`` is how many policy updates a receipt may be behind the newest admitted one of its contract; None
    does not limit it.
    """

    def __init__(self, store: Store, auditor: Auditor | None, max_backwards: int | None) -> None:
        """``Ledger.open`` makes one."""
        if max_backwards is not None and (type(max_backwards) is not int or max_backwards < 0):
            raise ValueError(f"max_backwards is {shown(max_backwards)}; expected an integer from 0 on, or None")
        self._store, self._auditor, self._max_backwards = store, auditor, max_backwards
        self._guard = threading.RLock()
        self._forks = Forks.count

    @classmethod
    def open(
        cls,
        place: str | os.PathLike[str],
        auditor: Auditor | None = None,
        *,
        max_backwards: int | None = None,
        read_only: bool = False,
        timeout: float = 30.0,
    ) -> Self:
        """The ledger in an SQLite file, or in PostgreSQL if ``place`` is a URL (``postgresql://USER@HOST/DATABASE``).

        A file that is missing is made, and so are the tables in PostgreSQL, which needs the extra ``postgres``.
        Without an ``auditor``, only verdicts can be admitted. ``read_only`` opens a ledger that is there, for
        everything but admission. ``timeout`` is how many seconds a writer waits for another one.

        Raises LedgerError for what is not a ledger, was written by a newer version of this package, or cannot be
        opened.
        """
        name = os.fsdecode(place)
        store: Store
        if name.startswith(postgres.PREFIXES):
            store = postgres.PostgresStore(name, read_only=read_only, timeout=timeout)
        elif "://" in name:
            scheme = name.partition("://")[0]
            raise LedgerError(f"{scheme}:// is not known; expected the path of a file, or postgresql://HOST/DATABASE")
        else:
            store = SqliteStore(name, read_only=read_only, timeout=timeout)
        try:
            ledger = cls(store, auditor, max_backwards)
            if max_backwards is not None and not read_only:
                store.index_updates()
            return ledger
        except BaseException:
            store.close()
            raise

    @staticmethod
    def label_of(place: str | os.PathLike[str]) -> str:
        """A path or URL as messages show it, without a password."""
        name = os.fsdecode(place)
        return postgres.label_of(name) if name.startswith(postgres.PREFIXES) else file_label(name)

    @property
    def label(self) -> str:
        """The ledger as messages show it."""
        return self._store.label

    def close(self) -> None:
        """Closes the ledger. Closing twice does nothing."""
        with self._guard:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def admit(self, receipt: Receipt) -> Admission:
        """The answer for one receipt. Raises LedgerError if the database fails; then nothing is acknowledged."""
        return self._admit([self._verdict(receipt)])[0]

    def admit_many(self, receipts: Iterable[Receipt]) -> list[Admission]:
        """The answers for a batch that is admitted whole, in one transaction.

        Raises NotAdmitted, which names every receipt that is at fault, if one cannot be admitted; then none is.
        """
        return self._admit([self._verdict(receipt) for receipt in _several(receipts)], whole=True)

    def admit_each(self, receipts: Iterable[Receipt], *, batch: int = BATCH) -> Iterator[Admission]:
        """The answer for each receipt, in order: one that is refused does not keep the others out.

        ``batch`` receipts are one transaction, and an answer is given when its transaction has ended. One batch is in
        memory at a time.
        """
        left = iter(_several(receipts))
        while verdicts := [self._verdict(receipt) for receipt in islice(left, batch)]:
            yield from self._admit(verdicts)

    def get(self, receipt_id: str) -> Record | None:
        """The row of an admitted receipt; None if there is none."""
        with self._reading():
            return self._store.get(receipt_id)

    def chain(self, after: int = 0) -> Iterator[Record]:
        """The rows that follow a row, in their order, up to the last one at the end of the iteration."""
        while True:
            with self._reading():
                records = self._store.after(after, PAGE)
            if not records:
                return
            yield from records
            after = records[-1].row

    def head(self) -> Head:
        """The last row and its link. ``head().signed(key)`` can be kept elsewhere, for ``check``."""
        with self._reading():
            row, link = self._store.last()
        return Head(row, link_text(link))

    def check(self, head: Head | None = None) -> tuple[Finding, ...]:
        """Whether rows were edited, removed or moved: a finding for each break of the chain, at most 100 of them.

        ``head`` is one that this ledger had at some time. Without one, a chain that was made anew, or rows that were
        removed from its end, cannot be found. The signature of a head is for the caller to verify.
        """
        with self._reading():
            found = self._store.damage()
        try:
            found += islice(self._broken(head), max(0, MAX_FINDINGS - len(found)))
        except LedgerError:
            if not found:  # else it is known already why some rows cannot be read
                raise
        return tuple(found)

    def _broken(self, head: Head | None) -> Iterator[Finding]:
        """The findings of the chain, in the order of the rows."""
        chain = ChainCheck()
        while True:
            with self._reading():
                records = self._store.after(chain.row, PAGE)
            if not records:
                break
            yield from chain.findings(records)
            if head is not None and records[0].row <= head.row <= records[-1].row:
                yield from _differing_head(records, head)
        if head is not None and head.row > chain.row:
            code = "admission.rows-cut"
            yield Finding(code, sentence(code, found=chain.row, row=head.row))

    def stats(self) -> Stats:
        """Counts per contract and per issuer."""
        with self._reading():
            row, link = self._store.last()
            return Stats(
                row,
                link_text(link),
                self._store.size(),
                tuple(ContractStats(*each) for each in self._store.per_contract()),
                dict(self._store.per_issuer()),
            )

    def _verdict(self, receipt: Receipt) -> Verdict:
        if isinstance(receipt, Verdict):
            return _audited(receipt)
        if not isinstance(receipt, (bytes, bytearray, str, RewardEvidenceReceiptV1)):
            raise TypeError(f"a receipt is text, a model or a Verdict, not {type(receipt).__name__}")
        if self._auditor is None:
            raise ValueError("the ledger was opened without an auditor, so it admits verdicts of an Auditor only")
        return _audited(self._auditor.receipt(receipt))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        if self._forks != Forks.count:
            raise LedgerError(f"{self.label} was opened before a fork; each process opens it for itself")
        with self._guard:
            yield

    def _admit(self, verdicts: Sequence[Verdict], *, whole: bool = False) -> list[Admission]:
        holding = [verdict for verdict in verdicts if verdict]
        with self._reading():
            others = [self._not_holding(verdict) for verdict in verdicts if not verdict]
            if not holding:
                return _in_order(verdicts, [], others, whole)
            with self._store.writing():
                writer = _Writer(self._store, self._max_backwards)
                return _in_order(verdicts, list(writer.admit(holding)), others, whole)

    def _not_holding(self, verdict: Verdict) -> Admission:
        """The answer for a receipt whose audit does not hold, which may have held when it was admitted."""
        receipt = verdict.receipt
        if receipt is not None:
            found = self._store.get(receipt.receipt_id)
            if found is not None and found.text == receipt._canonical_text().encode():
                return Admission("already-admitted", found.row, verdict)
        return Admission("undecided" if verdict.verdict == "undecided" else "refused", None, verdict)


class _Writer:
    """The end of the chain, in a transaction that records receipts which hold."""

    def __init__(self, store: Store, max_backwards: int | None) -> None:
        self._store, self._most = store, max_backwards
        self._row, self._link = store.last()
        self._newest: dict[str, int] = {}
        """The greatest policy update of a receipt, by contract; of those contracts that were asked about."""

    def admit(self, verdicts: Sequence[Verdict]) -> Iterator[Admission]:
        """The answers, in order. Receipts are inserted in pieces; nearly always all of a piece are new."""
        size = self._store.piece
        for at in range(0, len(verdicts), size):
            piece = verdicts[at : at + size]
            first = self._row + 1
            if self._inserted(piece):
                yield from (Admission("admitted", row, verdict) for row, verdict in enumerate(piece, first))
            else:
                yield from self._admit_mixed(piece)

    def _admit_mixed(self, verdicts: Sequence[Verdict]) -> list[Admission]:
        """The answers for a piece with a receipt that is not new, or whose update runs backwards.

        Those that are new are inserted at once, and the others follow one by one. None of the others can be recorded:
        each has something in common with a row, or with one of the new ones before it.
        """
        new = self._new(verdicts)
        row = self._row
        if not self._inserted([verdict for verdict, is_new in zip(verdicts, new, strict=True) if is_new]):
            return list(map(self._admit_one, verdicts))  # an update runs backwards
        answers = []
        for verdict, is_new in zip(verdicts, new, strict=True):
            row += is_new
            answers.append(Admission("admitted", row, verdict) if is_new else self._admit_one(verdict))
        return answers

    def _new(self, verdicts: Sequence[Verdict]) -> list[bool]:
        """Whether each receipt has nothing in common with a row, and with a new receipt before it."""
        receipts = [verdict.receipt for verdict in verdicts]
        records = [record_after(self._link, self._row + 1, receipt) for receipt in receipts if receipt is not None]
        taken = self._store.taken(records)
        seen: set[tuple[str, ...]] = set()
        new = []
        for at, record in enumerate(records):
            keys = record.keys()
            is_new = at not in taken and seen.isdisjoint(keys)
            if is_new:
                seen.update(keys)
            new.append(is_new)
        return new

    def _inserted(self, verdicts: Sequence[Verdict]) -> bool:
        """Whether all were recorded; else none is."""
        records, newest = [], dict(self._newest)
        row, link = self._row, self._link
        for verdict in verdicts:
            row += 1
            assert verdict.receipt is not None
            record = record_after(link, row, verdict.receipt)
            if self._most is not None and self._backwards(record, newest) is not None:
                return False
            link = record.link_bytes
            records.append(record)
        if records and not self._store.insert(records):
            return False
        self._row, self._link, self._newest = row, link, newest
        return True

    def _admit_one(self, verdict: Verdict) -> Admission:
        receipt = verdict.receipt
        assert receipt is not None
        record, newest = record_after(self._link, self._row + 1, receipt), dict(self._newest)
        backwards = None if self._most is None else self._backwards(record, newest)
        if backwards is None and self._store.insert([record]):
            self._row, self._link, self._newest = record.row, record.link_bytes, newest
            return Admission("admitted", record.row, verdict)
        others = self._store.conflicting(record)
        same = next((other for other in others if other.text == record.text), None)
        if same is not None:
            return Admission("already-admitted", same.row, verdict)
        if others:
            return _conflict(verdict, record, others)
        if backwards is not None:
            return Admission("refused", None, verdict, (backwards,))
        raise LedgerError(f"{self._store.label}: row {record.row} was written by something that is not a Ledger")

    def _backwards(self, record: Record, newest: dict[str, int]) -> Finding | None:
        """The finding that a record is too far behind the newest one of its contract; else ``newest`` has it too."""
        assert self._most is not None
        contract, update = record.reward_contract_digest, record.policy_update
        if contract not in newest:
            newest[contract] = self._store.newest(contract) or 0
        if update < newest[contract] - self._most:
            code = "admission.update-backwards"
            said = sentence(code, found=update, newest=newest[contract], tolerance=self._most)
            return Finding(code, said, ("policy_update",))
        newest[contract] = max(newest[contract], update)
        return None


def _audited(verdict: Verdict) -> Verdict:
    if verdict.verdict == "valid":
        raise ValueError(
            "the auditor checks less than an audit, so no receipt of its can be admitted; use level='audit'"
        )
    return verdict


def _several(receipts: Iterable[Receipt]) -> Iterable[Receipt]:
    if isinstance(receipts, (bytes, bytearray, str, RewardEvidenceReceiptV1, Verdict)):
        raise TypeError("expected several receipts; admit takes one")
    return receipts


def _in_order(
    verdicts: Sequence[Verdict], holding: Sequence[Admission], others: Sequence[Admission], whole: bool
) -> list[Admission]:
    """The answers in the order of the verdicts. Raises NotAdmitted if all or none are to be admitted."""
    left, right = iter(holding), iter(others)
    answers = [next(left if verdict else right) for verdict in verdicts]
    if whole and (refused := {at: answer for at, answer in enumerate(answers) if not answer}):
        raise NotAdmitted(refused)
    return answers


def _conflict(verdict: Verdict, record: Record, others: Sequence[Record]) -> Admission:
    code = "admission.conflict"
    findings, conflicts = [], []
    for other in others:
        members = record.shared(other)
        said = sentence(
            code,
            found=shown(record.receipt_id),
            digest=record.digest,
            names=" and ".join(members),
            row=other.row,
            first=shown(other.receipt_id),
            first_digest=other.digest,
        )
        findings.append(Finding(code, said, members[:1]))
        conflicts.append(Conflict(other.row, other.receipt_id, other.digest, members))
    return Admission("conflict", None, verdict, tuple(findings), tuple(conflicts))


def _differing_head(records: Sequence[Record], head: Head) -> Iterator[Finding]:
    found = next((record for record in records if record.row == head.row), None)
    if found is not None and found.link != head.link:
        code = "admission.head-differs"
        yield Finding(code, sentence(code, row=head.row, found=found.link, expected=head.link))
