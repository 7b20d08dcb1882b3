"""Objects and errors of other people's code, as one line of text.

A class of another package can fail when it is printed, have no end, or contain what moves a terminal's cursor.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Final

from .escaping import printable
from .findings import shown
from .redaction import redacted_words

_NOT_ITS_OWN: Final = ("reward_receipts", "gymnasium", "importlib")
"""Packages that call the code of others: an error is not theirs."""


def describe_error(error: BaseException, limit: int = 300, *, place: bool = True) -> str:
    """An exception on one line: its class and message, cut to ``limit`` characters, and where ``raised_at`` puts it."""
    text = f"{class_name(error)}: {_print(lambda: ' '.join(str(error).split()), limit)}"[:limit].removesuffix(": ")
    where = raised_at(error) if place else None
    return text if where is None else f"{text} ({where})"


def raised_at(error: BaseException) -> str | None:
    """FILE:LINE of the last frame outside of this package and of Gymnasium, of the exception or of its cause.

    None if there is no such frame: the call did not reach the code that was called.
    """
    for each in (error, error.__cause__):
        frames = [] if each is None else list(traceback.walk_tb(each.__traceback__))
        for frame, line in reversed(frames):
            file, module = frame.f_code.co_filename, frame.f_globals.get("__name__")
            package = module.partition(".")[0] if isinstance(module, str) else ""
            if package not in _NOT_ITS_OWN and not file.startswith("<frozen "):
                return printable(f"{file}:{line}")
    return None


def class_name(value: object) -> str:
    """The name of a value's class."""
    return _print(lambda: str(type(value).__name__), 80)


def quote(value: object, limit: int = 40) -> str:
    """A value as JSON, or else as Python writes it, cut to ``limit`` characters."""
    return _print(lambda: shown(value, limit), limit)


def quote_repr(value: object) -> str:
    """A value as Python writes it, cut to 80 characters."""
    return _print(lambda: repr(value), 80)


def term_name(name: str) -> str:
    """The name of a term in a sentence: as it is if it is one word, else as JSON."""
    return name if name.isidentifier() else shown(name)


def describe_clip(clip: Sequence[float | None] | None) -> str:
    """A clip in a sentence or a table: ``0.0..1.0``, ``at least 0.0``, ``at most 1.0``, or ``none``."""
    low, high = clip or (None, None)
    if low is not None and high is not None:
        return f"{shown(low)}..{shown(high)}"
    if low is not None:
        return f"at least {shown(low)}"
    return "none" if high is None else f"at most {shown(high)}"


def _print(write: Callable[[], str], limit: int) -> str:
    try:
        text = redacted_words(write())[:limit]
    except KeyboardInterrupt:
        raise
    except BaseException:
        return "(it has no text)"
    return printable(text)
