"""What code of others raises, on one line: its type, what it says, and where."""

from __future__ import annotations

import traceback
from typing import Final

from .escaping import without_surrogates
from .redaction import redacted_words

_NOT_ITS_OWN: Final = ("reward_receipts", "gymnasium", "importlib")
"""Packages that lead to the code of others, and are not where its fault is."""


def said(error: BaseException, limit: int = 300) -> str:
    """An exception on one line: its type, what it says, cut to ``limit`` characters, and ``raised_at``."""
    try:
        message = redacted_words(" ".join(str(error).split()))
    except KeyboardInterrupt:
        raise
    except BaseException:
        message = "(it cannot say what)"
    text = f"{type(error).__name__}: {message}"[:limit].removesuffix(": ")
    place = raised_at(error)
    return without_surrogates(text if place is None else f"{text} ({place})")


def raised_at(error: BaseException) -> str | None:
    """FILE:LINE of the last frame outside of this package and of Gymnasium, of the exception or of its cause.

    None where there is no such frame: a call that did not get as far as the code that was called.
    """
    for each in (error, error.__cause__):
        frames = [] if each is None else list(traceback.walk_tb(each.__traceback__))
        for frame, line in reversed(frames):
            file, module = frame.f_code.co_filename, frame.f_globals.get("__name__")
            package = module.partition(".")[0] if isinstance(module, str) else ""
            if package not in _NOT_ITS_OWN and not file.startswith("<frozen "):
                return without_surrogates(f"{file}:{line}")
    return None
