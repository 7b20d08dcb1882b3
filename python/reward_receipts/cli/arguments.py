"""A private key among the arguments of the command line, where the name of its file belongs."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..core.redaction import is_key_spelling

_HOLD_ANYTHING = ("--kwargs",)
"""Options whose values are data and can well contain a digest in hex. What quotes them redacts."""


def key_among(arguments: Sequence[str]) -> str | None:
    """A sentence about the first argument that is a private key in any spelling, without the key; None if none is.

    It is looked for before any command reads the arguments, so that nothing can quote it. The name of a file that
    exists is not a key, and neither is what follows ``conformance run --``: the arguments of another program.
    """
    own = list(arguments)
    if own[:2] == ["conformance", "run"] and "--" in own:
        own = own[: own.index("--")]
    for place, argument in enumerate(own):
        option, equals, value = argument.partition("=") if argument.startswith("--") else ("", "", "")
        if not equals:
            before = own[place - 1] if place else ""
            option, value = (before if before.startswith("-") and not is_key_spelling(before) else ""), argument
        if option not in _HOLD_ANYTHING and is_key_spelling(value) and not _exists(value):
            what = f"the value of {option}" if option else f"argument {place + 1}"
            return (
                f"{what} could be a private key, so it is not shown; give a file that holds the key, not the key "
                "itself (if it is the name of a file, put ./ before it)"
            )
    return None


def _exists(name: str) -> bool:
    try:
        return os.path.lexists(name)
    except ValueError:  # it contains NUL
        return False
