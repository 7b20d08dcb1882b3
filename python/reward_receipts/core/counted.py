"""Numbers of things, in words."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number of things, for people.

    >>> counted(1, "case"), counted(2, "case")
    ('1 case', '2 cases')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
