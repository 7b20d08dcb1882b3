"""A file of JSON Lines that several threads and processes append signed receipts to, and that survives a crash.

A line is written by one call, under a lock of the operating system. A process that is killed, or a full disk, can leave
a last line without its end; whoever writes next finds it and takes it away, because nobody has that receipt.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from ..core.escaping import file_label
from ..core.findings import InvalidDocument
from ..core.generated.tables import MAX_TEXT_BYTES
from ..core.strict_json import read_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_BLOCK: Final = 1 << 20


class Forks:
    """How often this process and those that it comes from were forked; asking costs less than for the process id."""

    count = 0

    @classmethod
    def _forked(cls) -> None:
        cls.count += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Forks._forked)


class TornLine(UserWarning):
    """The last line of a file of receipts was half written, and was taken away."""


class ReceiptFileError(ValueError):
    """A file that receipts cannot be appended to. The message names it, and the line if there is one."""


class ReceiptFile:
    """Appends lines to a file. ``see`` is called, under the lock, with each line that somebody else wrote.

    ``see(line_number, plain)`` takes the plain JSON of a line. What it raises keeps the caller from writing.
    """

    def __init__(self, path: str | os.PathLike[str], see: Callable[[int, Any], None]) -> None:
        if fcntl is None:
            raise OSError(errno.ENOTSUP, "receipts are appended under a POSIX lock, which this system does not have")
        self.path = os.fspath(path)
        self.label = file_label(os.fsdecode(self.path))
        self._see = see
        self._guard = threading.RLock()
        self._open()

    def _open(self) -> None:
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        status = os.fstat(self._descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(self._descriptor)
            raise ReceiptFileError(f"{self.label} is not a plain file; receipts are appended to one")
        self._identity = (status.st_dev, status.st_ino)
        self._forks = Forks.count
        self._end = 0  # the bytes that were seen; always at the end of a line
        self._lines = 0

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the file: nobody else writes, and what others wrote before has been seen."""
        if self._descriptor < 0:
            raise ReceiptFileError(f"{self.label} was closed")
        if self._forks != Forks.count:  # after a fork the lock would be the parent's too
            self._guard = threading.RLock()
            self._descriptor_of_this_process()
        with self._guard:
            while True:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX)
                size = self._size_now()
                if size is not None:
                    break
                os.close(self._descriptor)  # the file was renamed or deleted: a log that was rotated
                self._open()
            try:
                if size != self._end:
                    self._catch_up(size)
                yield
            finally:
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def append(self, data: bytes, lines: int) -> None:
        """Writes whole lines. The caller holds the lock. Raises OSError, and then none of them was written."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except BaseException:
            os.ftruncate(self._descriptor, self._end)
            raise
        self._end += len(data)
        self._lines += lines

    def sync(self) -> None:
        """Waits until the system has put what was written on the disk."""
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Lets go of the file. Closing twice does nothing."""
        with self._guard:
            descriptor, self._descriptor = self._descriptor, -1
            if descriptor >= 0:
                os.close(descriptor)

    def _descriptor_of_this_process(self) -> None:
        end, lines, identity = self._end, self._lines, self._identity
        self._open()  # the parent's descriptor stays open: closing it would not matter to the parent
        if self._identity == identity:
            self._end, self._lines = end, lines

    def _size_now(self) -> int | None:
        """The bytes of the file under the path; None if it is another file than the one that is open."""
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            return None
        return status.st_size if (status.st_dev, status.st_ino) == self._identity else None

    def _catch_up(self, size: int) -> None:
        """Reads what others wrote since, and takes away a last line that was not finished."""
        if size < self._end:
            raise ReceiptFileError(
                f"{self.label} has {size} bytes and had {self._end}: somebody cut it; receipts continue in a new file"
            )
        rest = b""
        position = self._end
        while position < size:
            block = os.pread(self._descriptor, min(_BLOCK, size - position), position)
            if not block:
                break
            position += len(block)
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                self._take(line)
            if len(rest) > MAX_TEXT_BYTES:
                raise ReceiptFileError(f"{self.label}:{self._lines + 1} is longer than a receipt can be")
        if rest:
            self._finish(rest)

    def _take(self, line: bytes) -> None:
        number = self._lines + 1
        if line.strip(b" \t\r"):
            try:
                plain = json.loads(line)
            except (ValueError, RecursionError):
                raise ReceiptFileError(
                    f"{self.label}:{number} is not JSON; receipts are appended to a file of receipts only"
                ) from None
            self._see(number, plain)
        self._end += len(line) + 1
        self._lines = number

    def _finish(self, rest: bytes) -> None:
        """A last line without its end: finished if only that is missing, else taken away."""
        try:
            plain = read_json(rest)
        except InvalidDocument:
            plain = None
        if type(plain) is not dict:
            os.ftruncate(self._descriptor, self._end)
            warnings.warn(
                f"{self.label}:{self._lines + 1}: the last line was half written ({len(rest)} bytes, by a process that "
                "ended); it was removed; nobody has received that receipt",
                TornLine,
                stacklevel=2,
            )
            return
        self._see(self._lines + 1, plain)
        self.append(b"\n", 0)
        self._end += len(rest)
        self._lines += 1
