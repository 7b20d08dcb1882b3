"""Words for what others made: a component's name, its values and what it raises, none of which need be printable.

What a class of another package says of itself can fail, be long, or move the cursor of a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .escaping import printable
from .findings import shown
from .redaction import redacted_words


def term_name(name: str) -> str:
    """The type of a term inside a sentence: as it stands where it is one word, else as JSON."""
    return name if name.isidentifier() else shown(name)


def clip_in_words(clip: Sequence[float | None] | None) -> str:
    """A clip in a sentence or a table: ``0.0..1.0``, ``at least 0.0``, ``at most 1.0``, or ``none``."""
    low, high = clip or (None, None)
    if low is not None and high is not None:
        return f"{shown(low)}..{shown(high)}"
    if low is not None:
        return f"at least {shown(low)}"
    return "none" if high is None else f"at most {shown(high)}"


def kind_of_value(value: object) -> str:
    """The name of a value's class."""
    return _printable(lambda: str(type(value).__name__), 80)


def value_shown(value: object, limit: int = 40) -> str:
    """A value, cut to ``limit`` characters."""
    return _printable(lambda: shown(value, limit), limit)


def value_spelt(value: object) -> str:
    """A value as Python spells it, cut to 80 characters."""
    return _printable(lambda: repr(value), 80)


def failure(error: BaseException) -> str:
    """An exception on one line: its class, and up to 200 characters of what it says."""
    return f"{kind_of_value(error)}: {_printable(lambda: ' '.join(str(error).split()), 200)}"


def _printable(spell: Callable[[], str], limit: int) -> str:
    try:
        text = redacted_words(spell())[:limit]
    except KeyboardInterrupt:
        raise
    except BaseException:
        return "(it has no text)"
    return printable(text)
