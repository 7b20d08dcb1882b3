"""The two streams of a command: results to standard output, messages to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any, TextIO, cast


class StdoutLost(Exception):
    """Standard output does not take what is written to it: a closed pipe, a full disk."""


class _Stdout:
    """Standard output that raises StdoutLost and not OSError, so that it is told from a file's trouble."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            raise StdoutLost(error.strerror or str(error)) from None

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            raise StdoutLost(error.strerror or str(error)) from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guarded(stream: TextIO) -> TextIO:
    """A stream that raises StdoutLost where writing fails, and escapes what its encoding does not have."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return cast(TextIO, _Stdout(stream))


def silence(stream: TextIO) -> None:
    """Lets go of a lost stream, or the interpreter tries it once more as it ends, and says so."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def say(message: str) -> None:
    """Writes one line to standard error, if there is one that takes it."""
    with contextlib.suppress(OSError):
        print(printable(message), file=sys.stderr)


def printable(text: str) -> str:
    """A text with every character escaped that a terminal could act on or cannot show."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def in_colour() -> bool:
    """Whether standard output is a terminal and nobody asked for no colour (NO_COLOR)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
