"""The two streams of a command: results to standard output, messages to standard error."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, BinaryIO, Never, Protocol, TextIO, cast

from ..core.escaping import file_label, printable_line
from ..core.redaction import redacted_words
from ..core.whole_files import replace_file, write_new_file


class Output(Protocol):
    """Where results are written: standard output, or a file."""

    def write(self, text: str, /) -> object: ...
    def isatty(self) -> bool: ...


class OutputLost(Exception):
    """Results cannot be written: a closed pipe, a full disk. The message names where, and why."""


class StdoutLost(OutputLost):
    """Standard output does not take what is written to it."""


class _Stdout:
    """Standard output that raises StdoutLost and not OSError, to distinguish it from trouble with a file."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except (OSError, ValueError) as error:
            self._lost(error)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._lost(error)

    def _lost(self, error: OSError | ValueError) -> Never:
        if not isinstance(error, OSError) and not self._stream.closed:
            raise error
        reason = getattr(error, "strerror", None) or str(error)
        raise StdoutLost(f"cannot write to standard output: {reason}") from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class OutputFile:
    """A file of results that ``complete`` puts in its place, whole.

    Until then the results are in a temporary file without a name, so a run that ends before leaves nothing behind and
    what was there as it was.
    """

    def __init__(self, name: str, option: str = "-o") -> None:
        """``option`` is what named the file. Raises OutputLost."""
        self._name = name
        self._option = option
        self._place = os.path.realpath(name)
        folder = os.path.dirname(self._place)
        for is_wrong, code in (
            (os.path.isdir(self._place), errno.EISDIR),
            (not os.path.isdir(folder), errno.ENOENT),
            (not os.access(self._place if os.path.exists(self._place) else folder, os.W_OK), errno.EACCES),
        ):
            if is_wrong:  # it is known now, and not only after an hour's work
                raise self._lost(OSError(code, os.strerror(code)))
        try:
            self._file: BinaryIO = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 - it lasts as long as this
        except OSError as error:
            raise self._lost(error) from None

    def write(self, text: str, /) -> None:
        try:
            self._file.write(text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise self._lost(error) from None

    def isatty(self) -> bool:
        return False

    @property
    def label(self) -> str:
        """The file as messages show it."""
        return file_label(self._name)

    @property
    def place(self) -> str:
        """The file, with every link followed."""
        return self._place

    def must_not_replace(self, name: str) -> None:
        """Raises OutputLost if a file that is read is the one to be written."""
        if os.path.isfile(self._place) and os.path.realpath(name) == self._place:
            raise OutputLost(
                f"{self._option} {file_label(self._name)} would replace a file that is read; name another file"
            )

    def discard(self) -> None:
        """Lets go of what was written and not completed."""
        with contextlib.suppress(OSError):
            self._file.close()

    def complete(self) -> None:
        """Puts the file in its place. Raises OutputLost."""
        try:
            self._file.flush()
            self._file.seek(0)
            replace_file(self._name, self._file)
        except OSError as error:
            raise self._lost(error) from None
        finally:
            self.discard()

    def _lost(self, error: OSError) -> OutputLost:
        return OutputLost(f"cannot write {file_label(self._name)}: {error.strerror or error}")


def write_document(output: str | None, data: bytes) -> None:
    """Writes a document to a new file, or to standard output where ``output`` is None or ``-``. Raises OutputLost."""
    if output is None or output == "-":
        print(data.decode("utf-8"), end="")
        return
    try:
        write_new_file(output, data)
    except OSError as error:
        raise OutputLost(f"cannot write {output}: {error.strerror or error}") from None


def guarded(stream: TextIO) -> TextIO:
    """A stream that raises StdoutLost where writing fails, and escapes what its encoding does not have."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return cast(TextIO, _Stdout(stream))


class _Lent:
    """Standard error, lent to whoever takes it for standard output: closing it does nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def close(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Sends to standard error what code of others writes to standard output while it runs: it is not a result.

    File descriptor 1 leads where 2 does, so that what programs and libraries in C write is caught too. Not caught are
    threads and programs that go on afterwards, duplicates of descriptor 1 of their own making, and what a library in C
    holds back in a buffer. Who ends the process (``os._exit``) ends the command without an answer.
    """
    stdout, stderr = sys.stdout, sys.stderr
    stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # it is closed, and the stream is another
        kept = None
    try:
        if kept is not None:
            with contextlib.suppress(OSError):  # standard error is closed
                os.dup2(2, 1)
        sys.stdout = cast(TextIO, _Lent(stderr))
        yield
    finally:
        sys.stdout, sys.stderr = stdout, stderr
        with contextlib.suppress(AttributeError, OSError, ValueError):
            cast(TextIO, sys.__stdout__).flush()  # its writer may have had it by this name
        if kept is not None:
            os.dup2(kept, 1)
            os.close(kept)


def end_results(stream: TextIO) -> None:
    """Sends to standard error what is written to a stream as the process ends: exit handlers give no results."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(2, stream.fileno())


def silence(stream: TextIO) -> None:
    """Lets go of a lost stream, or the interpreter tries it once more as it ends, and reports it."""
    with contextlib.suppress(ValueError):  # it is closed
        descriptor = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


def say(message: str) -> None:
    """Writes one line to standard error, if there is one that takes it. No word that could be a key is shown."""
    with contextlib.suppress(OSError, ValueError):
        print(printable_line(redacted_words(message)), file=sys.stderr)


def in_colour(stream: Output) -> bool:
    """Whether results go to a terminal and nobody asked for no colour (NO_COLOR)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()
