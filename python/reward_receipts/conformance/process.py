"""One driver process, whatever it does: bounded in time and memory, and gone afterwards with all that it started.

Threads read both streams and write the third, so nothing that the process does or leaves undone blocks the runner.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import signal
import subprocess
from collections.abc import Sequence, Set
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic, sleep
from typing import IO, Final, Literal

import psutil

from .protocol import excerpt

MAX_LINE: Final = 1024 * 1024
"""The longest line of a driver that is read, in bytes, without its line end."""
MARK: Final = "REWARD_RECEIPTS_CONFORMANCE"
"""The environment variable by which whatever a process starts is found again."""

_CHUNK: Final = 65536
_WAITING_LINES: Final = 8
_HEAD: Final = 2000
_TAIL: Final = 2000
_POLL: Final = 0.05
_DRAIN: Final = 0.5
"""For how long the output of a process that ended is waited for; whoever else holds the pipe is not."""
_SOON: Final = 0.005
_KILL: Final = 5.0
"""For how long whatever a process started is looked for."""


_MARKS: Final[set[str]] = set()
"""The marks of the processes that were started and not killed yet."""


class CannotStart(Exception):
    """A command cannot be started. The message says which, and why."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A process did not do what the protocol asks for."""

    status: Literal["crash", "timeout", "protocol-error", "not-run"]
    detail: str
    """What happened."""
    stderr: str = ""
    """The start and the end of what the process wrote to standard error."""


@dataclass(frozen=True, slots=True)
class _End:
    """Nothing more comes; ``rest`` is the line that was begun."""

    rest: bytes


@dataclass(frozen=True, slots=True)
class _Overlong:
    """A line is longer than MAX_LINE; nothing more is read."""

    start: bytes


class Process:
    """A running driver. Whoever makes one calls ``kill``, whatever happens."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts a command. Raises CannotStart."""
        self._mark = secrets.token_hex(16)
        _MARKS.add(self._mark)
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - running what the caller names is the purpose
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={**os.environ, MARK: self._mark},
                # An interrupt from the keyboard is for the runner, which then kills. Windows ignores this.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            _MARKS.discard(self._mark)
            reason = getattr(error, "strerror", None) or error
            raise CannotStart(f"cannot start {command[0]}: {reason}") from None
        self._events: queue.Queue[bytes | _End | _Overlong] = queue.Queue(_WAITING_LINES)
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._begun = bytearray()
        self._stderr_head = bytearray()
        self._stderr_tail = bytearray()
        self._stderr_left_out = 0
        self._over = Event()
        self._killed = False
        self._seen: set[psutil.Process] = set()
        self._threads = [
            Thread(target=work, args=(stream,), daemon=True)
            for work, stream in (
                (self._write, self._popen.stdin),
                (self._read_lines, self._popen.stdout),
                (self._drain_stderr, self._popen.stderr),
            )
        ]
        for thread in self._threads:
            thread.start()

    @property
    def stderr(self) -> str:
        """The standard error of the process so far; of a long text, its start and its end.

        The start of a panic or a stack trace often says what happened, and its end where.
        """
        head, tail = bytes(self._stderr_head), bytes(self._stderr_tail)
        left_out = self._stderr_left_out + max(0, len(tail) - _TAIL)
        gap = f"\n... {left_out} bytes left out ...\n" if left_out else ""
        return "".join(
            (head.decode("utf-8", "backslashreplace"), gap, tail[-_TAIL:].decode("utf-8", "backslashreplace"))
        )

    def write(self, line: bytes) -> None:
        """Sends a line. Returns at once; whether the process reads it is seen from what it answers."""
        self._requests.put(line)

    def read_line(self, timeout: float, what: str) -> bytes | Trouble:
        """The next line, without its line end, or what came in its stead within ``timeout`` seconds of now.

        ``what`` names the line for the message: "answer".
        """
        event = self._next(monotonic() + timeout)
        if isinstance(event, bytes):
            return event
        if isinstance(event, _Overlong):
            return _overlong(event)
        if isinstance(event, _End):
            return self._ended(event.rest, f"before its {what}")
        begun = bytes(self._begun)
        return Trouble("timeout", f"no {what} within {timeout:g} s{_unfinished(begun)}")

    def end(self, timeout: float) -> Trouble | None:
        """Ends the process's input; None where it then ends with status 0 within ``timeout`` seconds, silently."""
        self._remember()
        self._requests.put(None)
        event = self._next(monotonic() + timeout)
        if isinstance(event, bytes):
            return Trouble("protocol-error", f"one more line than was asked for: {excerpt(event)}")
        if isinstance(event, _Overlong):
            return _overlong(event)
        if event is None:
            return Trouble("timeout", f"still running {timeout:g} s after the end of its input")
        code = self._exit_status(timeout)
        if code == 0 and not event.rest:
            return None
        return self._ended(event.rest, "after its last answer")

    def last_words(self, timeout: float, what: str) -> str:
        """Ends the process's input; says what then comes within ``timeout`` seconds, "" if nothing does.

        ``what`` names the line that did not come in time. If it comes only now, the driver did not flush it.
        """
        self._remember()
        self._requests.put(None)
        deadline = monotonic() + timeout
        event = self._next(deadline)
        if isinstance(event, bytes):
            return (
                f"; a line came only after the end of its input, so it probably wrote its {what} and did not flush it: "
                "flush standard output after each line"
            )
        code = self._exit_status(max(0.0, deadline - monotonic()))
        return "" if code is None else f"; at the end of its input it {_described(code)}"

    def kill(self) -> None:
        """Kills the process and all that it started, and lets go of everything. May be called repeatedly.

        What is found: whatever has the environment that the process was given, though it left session, group and
        parents; and every descendant of a process that had not ended before. What a process that crashed had started
        with another environment is not found.
        """
        if self._killed:
            return
        self._over.set()
        self._requests.put(None)
        self._remember()
        self._popen.kill()
        self._popen.wait()
        # What is found may start something more before it dies, so look until nothing is there.
        deadline = monotonic() + _KILL
        while self._kill_family() and monotonic() < deadline:
            sleep(_SOON)
        for thread in self._threads:
            thread.join(1)
        _MARKS.discard(self._mark)
        self._killed = True

    def _next(self, deadline: float) -> bytes | _Overlong | _End | None:
        """The next thing that comes; None where nothing does before the deadline."""
        gone: float | None = None
        while (left := deadline - monotonic()) > 0:
            try:
                event = self._events.get(timeout=min(left, _POLL))
            except queue.Empty:
                if self._popen.poll() is not None:
                    gone = gone or monotonic()
                    if monotonic() - gone > _DRAIN:
                        return _End(b"")
                continue
            return event
        return None

    def _ended(self, rest: bytes, when: str) -> Trouble:
        code = self._exit_status(_DRAIN)
        if code is None:
            return Trouble("protocol-error", f"its output ended {when}, and it did not{_unfinished(rest)}")
        if code == 0 and rest:
            return Trouble("protocol-error", f"its output ended within a line: {excerpt(rest)}")
        return Trouble("crash", f"it {_described(code)} {when}{_unfinished(rest)}")

    def _exit_status(self, timeout: float) -> int | None:
        try:
            return self._popen.wait(timeout)
        except subprocess.TimeoutExpired:
            return None

    def _remember(self) -> None:
        # A descendant that gives itself another environment is found only while its parents live.
        if self._popen.poll() is None:
            with contextlib.suppress(psutil.Error):
                self._seen.update(psutil.Process(self._popen.pid).children(recursive=True))

    def _kill_family(self) -> bool:
        """Kills what the process started and still runs; whether there was anything."""
        killed = [process for process in self._seen if _kills(process)]
        return _kill_marked({self._mark}) or bool(killed)

    # Each thread closes its stream, and only then: to close what another thread reads is asking for trouble.

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:  # it reads no more; what it answers says the rest
            while (line := self._requests.get()) is not None:
                while line:
                    line = line[stream.write(line) :]

    def _read_lines(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := _chunk(stream):
                first, *others = chunk.split(b"\n")
                self._begun += first
                for other in others:
                    if len(self._begun) > MAX_LINE or not self._put(bytes(self._begun)):
                        break
                    self._begun = bytearray(other)
                if len(self._begun) > MAX_LINE:
                    self._put(_Overlong(bytes(self._begun[:_CHUNK])))
                    return
                if self._over.is_set():
                    return
            self._put(_End(bytes(self._begun)))

    def _put(self, event: bytes | _End | _Overlong) -> bool:
        while not self._over.is_set():
            with contextlib.suppress(queue.Full):
                self._events.put(event, timeout=_POLL)
                return True
        return False

    def _drain_stderr(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := _chunk(stream):
                room = _HEAD - len(self._stderr_head)
                self._stderr_head += chunk[:room]
                self._stderr_tail += chunk[room:]
                if (surplus := len(self._stderr_tail) - 2 * _TAIL) > 0:
                    del self._stderr_tail[:surplus]
                    self._stderr_left_out += surplus


def kill_the_rest() -> None:
    """Kills what was started here and nobody killed: an interrupt can come while a process is being started."""
    deadline = monotonic() + _KILL
    while _MARKS and _kill_marked(_MARKS) and monotonic() < deadline:
        sleep(_SOON)
    _MARKS.clear()


def _kill_marked(marks: Set[str]) -> bool:
    """Kills whatever has one of some marks in its environment; whether there was anything."""
    killed = False
    # The newest first, and each at once: what forks and ends, over and over, is gone a little later.
    for pid in sorted(psutil.pids(), reverse=True):
        with contextlib.suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            if process.environ().get(MARK) in marks and _kills(process):
                killed = True
    return killed


def _chunk(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), _CHUNK)
    except (OSError, ValueError):
        return b""


def _kills(process: psutil.Process) -> bool:
    """Kills a process; False where it does not run, or is only to be collected by its parent."""
    try:
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return False
        process.kill()
    except psutil.Error:
        return False
    return True


def _overlong(event: _Overlong) -> Trouble:
    return Trouble("protocol-error", f"a line of more than {MAX_LINE} bytes: {excerpt(event.start, 60)}")


def _unfinished(line: bytes) -> str:
    return f", within a line: {excerpt(line)}" if line else ""


def _described(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"died of signal {-code} ({signal.Signals(-code).name})"
        return f"died of signal {-code}"
    return f"ended with status {code if code < 256 else hex(code)}"
