"""How far a long run has come, on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Final, Self

from ..bulk.files import SUFFIXES, Unread, files
from .terminal import say

_PAUSE: Final = 5.0
"""Seconds between two lines, if standard error is not a terminal."""


class Progress:
    """Shows receipts, rate and time left: a bar on a terminal, else a line every five seconds.

    ``wanted`` None means that it is shown on a terminal only.
    """

    def __init__(self, names: Iterable[str], wanted: bool | None) -> None:
        terminal = sys.stderr.isatty()
        self._bar: Any = None
        self._is_shown = terminal if wanted is None else wanted
        self._total = _size(names) if self._is_shown else 0
        self._receipts = self._bytes = 0
        self._start = self._last = time.monotonic()
        if self._is_shown and terminal:
            self._bar = _bar(self._total)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._is_shown:
            self._say()

    def advance(self, receipts: int, size: int) -> None:
        """Notes that some receipts were checked, which were so many bytes of the files."""
        if not self._is_shown:
            return
        self._receipts += receipts
        self._bytes += size
        now = time.monotonic()
        rate = self._receipts / max(now - self._start, 1e-9)
        if self._bar is not None:
            task = self._bar.task_ids[0]
            self._bar.update(task, completed=self._bytes, receipts=f"{self._receipts:,}", rate=f"{rate:,.0f}")
        elif now - self._last >= _PAUSE:
            self._last = now
            self._say()

    def _say(self) -> None:
        taken = max(time.monotonic() - self._start, 1e-9)
        parts = [f"{self._receipts:,} receipts", f"{self._receipts / taken:,.0f}/s"]
        if self._total and 0 < self._bytes <= self._total:
            left = taken * (self._total - self._bytes) / self._bytes
            parts += [f"{self._bytes / self._total:.0%}", f"{left:.0f} s left"]
        say(f"reward-receipts: {', '.join(parts)}")


def _bar(total: int) -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.fields[receipts]} receipts, {task.fields[rate]}/s"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("", total=total or None, receipts="0", rate="0")
    return bar


def _size(names: Iterable[str]) -> int:
    """The bytes of the files; 0 if nobody can say, for example of standard input."""
    total = 0
    for name in files(names, SUFFIXES):
        if isinstance(name, Unread):
            continue
        try:
            total += os.stat(name).st_size
        except OSError:
            return 0
    return total
