"""What the commands on experiments and policies share: how they answer, and how they refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..bulk.files import Unread
from ..core.escaping import printable_line
from ..core.exit_status import ExitStatus
from ..core.findings import InvalidDocument
from ..core.redaction import redacted_words
from .components import search_current_folder
from .formats.json import print_envelope
from .terminal import say, stdout_to_stderr

_OF_EXTRA: Final = ("gymnasium", "numpy", "pyarrow")
Answer = tuple[ExitStatus, Sequence[str], Sequence[Any]]
"""The exit status, the lines for a person, and the results for a program."""


def answered(command: str, name: str, form: str, work: Callable[[], Answer]) -> ExitStatus:
    """Runs the work of a command and prints what it answers. What it refuses is a message, and the status is 2.

    Modules of experiments are looked for in the current folder too. What they print goes to standard error.
    """
    search_current_folder()
    try:
        with stdout_to_stderr():
            status, lines, results = work()
    except InvalidDocument as error:
        return _refused(command, name, form, [f"{name}:{finding}" for finding in error.findings])
    except (Unread, ArithmeticError, ImportError, OSError, ValueError) as error:
        return _refused(command, name, form, [_said(error)])
    if form == "json":
        print_envelope(command, status, results)
    else:
        for line in lines:
            print(printable_line(line))
    return status


def _said(error: Exception) -> str:
    """An error as a message; of a package that is not installed, with the extra that brings it."""
    missing = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if missing in _OF_EXTRA and "[envs]" not in str(error):
        return f"this needs {missing}, which is not installed: pip install 'reward-receipts[envs]'"
    return str(error)


def _refused(command: str, name: str, form: str, messages: Sequence[str]) -> ExitStatus:
    for message in messages:
        say(f"reward-receipts: {message}")
    if form == "json":
        problems = [{"file": name, "message": redacted_words(message)} for message in messages]
        print_envelope(command, ExitStatus.UNDECIDED, problems=problems)
    return ExitStatus.UNDECIDED
