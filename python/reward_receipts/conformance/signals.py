"""SIGTERM and SIGHUP end a run as an interrupt does: after its driver, and not instead of it."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Final

_ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class _Ended(BaseException):
    """A signal ends the process, once everything on the way out has cleaned up."""

    def __init__(self, number: int) -> None:
        self.number = number


@contextlib.contextmanager
def raised_as_exceptions() -> Iterator[None]:
    """Turns a signal that would end this process at once into an exception, and then ends it by that signal.

    A signal that somebody handles or ignores is left alone (``nohup`` ignores SIGHUP), and so is every signal outside
    the main thread, where Python cannot handle any. After the first one others are ignored: cleaning up takes a moment.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, frame: FrameType | None) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise _Ended(number)

    for number in ours:
        signal.signal(number, end)
    try:
        yield
    except _Ended as ended:
        signal.signal(ended.number, signal.SIG_DFL)
        os.kill(os.getpid(), ended.number)
        raise SystemExit(128 + ended.number) from None  # if the signal takes its time
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
