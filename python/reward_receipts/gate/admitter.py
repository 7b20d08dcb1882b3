"""Admission in a thread of its own, many requests in one transaction."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Final

from ..bulk.auditor import Auditor
from ..ledger import Admission, Ledger

_MAX_GROUP: Final = 128
"""The requests in one transaction, at most."""

Work = tuple[Sequence[bytes], "Future[list[Admission]]"]


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
        self._work: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
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
        """The answers for the receipts of one request, in order.

        Raises Busy if too many requests wait, NotAdmitted if one of several receipts cannot be admitted, LedgerError
        if the database fails.
        """
        if self._work.qsize() >= self._most:
            raise Busy
        answer: Future[list[Admission]] = Future()
        self._work.put((texts, answer))
        return await asyncio.wrap_future(answer)

    def close(self) -> None:
        """Ends the thread when it has answered what waits."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            group = self._group()
            singles = [work for work in group if work is not None and len(work[0]) == 1]
            self._admit_singles(singles)
            for work in group:
                if work is None:
                    return
                if len(work[0]) != 1:
                    self._admit_whole(work)

    def _group(self) -> list[Work | None]:
        """What has come in, at least one. None ends it."""
        group = [self._work.get()]
        try:
            while len(group) < _MAX_GROUP and group[-1] is not None:
                group.append(self._work.get_nowait())
        except queue.Empty:
            pass
        return group

    def _admit_singles(self, singles: Sequence[Work]) -> None:
        live = [work for work in singles if work[1].set_running_or_notify_cancel()]
        if not live:
            return
        try:
            verdicts = [self._auditor.receipt(texts[0]) for texts, _ in live]
            answers = list(self._ledger.admit_each(verdicts, batch=len(verdicts)))
        except Exception as error:
            for _, answer in live:
                answer.set_exception(error)
        else:
            for (_, answer), admission in zip(live, answers, strict=True):
                answer.set_result([admission])

    def _admit_whole(self, work: Work) -> None:
        texts, answer = work
        if not answer.set_running_or_notify_cancel():
            return
        try:
            answer.set_result(self._ledger.admit_many([self._auditor.receipt(text) for text in texts]))
        except Exception as error:
            answer.set_exception(error)
