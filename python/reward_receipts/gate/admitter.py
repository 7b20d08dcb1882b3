"""Admission in a thread of its own, many requests in one transaction."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..bulk.auditor import Auditor
from ..ledger import Admission, Ledger

_MAX_GROUP: Final = 128
"""The requests in one transaction, at most."""

Answer = list[Admission] | Exception


class _Work(NamedTuple):
    """The receipts of one request."""

    texts: Sequence[bytes]
    answer: asyncio.Future[list[Admission]]
    """It belongs to the loop of the request; this thread only asks whether it was cancelled."""


class Busy(Exception):
    """As many requests wait as may."""


class Admitter:
    """Audits and admits what requests bring. It is the only user of its ledger.

    A commit waits for the disk. So whatever has come in meanwhile is admitted in the next transaction together:
    an answer still is given only when its receipts are on the disk. A body of several receipts is admitted whole or
    not at all, in a transaction of its own.
    """

    def __init__(self, ledger: Ledger, auditor: Auditor, waiting: int) -> None:
        self._ledger, self._auditor, self._most = ledger, auditor, waiting
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="reward-receipts-gate")
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The requests that wait."""
        return self._work.qsize()

    @property
    def is_alive(self) -> bool:
        """Whether requests are still answered."""
        return self._thread.is_alive()

    async def admit(self, texts: Sequence[bytes]) -> list[Admission]:
        """The answers for the receipts of one request, in order. Whoever gives up while it waits is not admitted.

        Raises Busy if too many requests wait, NotAdmitted if one of several receipts cannot be admitted, LedgerError
        if the database fails.
        """
        if self._work.qsize() >= self._most:
            raise Busy
        answer: asyncio.Future[list[Admission]] = asyncio.get_running_loop().create_future()
        self._work.put(_Work(texts, answer))
        return await answer

    def close(self) -> None:
        """Ends the thread when it has answered what waits."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            group = self._group()
            live = [work for work in group if work is not None and not work.answer.cancelled()]
            singles = [work for work in live if len(work.texts) == 1]
            if singles:
                _deliver(singles, self._singles(singles))
            for work in live:
                if len(work.texts) != 1:
                    _deliver([work], [self._whole(work)])
            if group[-1] is None:
                return

    def _group(self) -> list[_Work | None]:
        """What has come in, at least one. None ends it."""
        group = [self._work.get()]
        try:
            while len(group) < _MAX_GROUP and group[-1] is not None:
                group.append(self._work.get_nowait())
        except queue.Empty:
            pass
        return group

    def _singles(self, works: Sequence[_Work]) -> Sequence[Answer]:
        try:
            verdicts = [self._auditor.receipt(work.texts[0]) for work in works]
            return [[admission] for admission in self._ledger.admit_each(verdicts, batch=len(verdicts))]
        except Exception as error:
            return [error] * len(works)

    def _whole(self, work: _Work) -> Answer:
        try:
            return self._ledger.admit_many([self._auditor.receipt(text) for text in work.texts])
        except Exception as error:
            return error


def _deliver(works: Sequence[_Work], answers: Sequence[Answer]) -> None:
    """Hands answers to the loop that waits for them: all of them wake it once."""

    def give() -> None:
        for work, answer in zip(works, answers, strict=True):
            if work.answer.done():  # the request gave up
                continue
            if isinstance(answer, Exception):
                work.answer.set_exception(answer)
            else:
                work.answer.set_result(answer)

    works[0].answer.get_loop().call_soon_threadsafe(give)
