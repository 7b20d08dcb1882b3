"""What can name a component, a sub-term or a regime: text within the bounds that the schemas state."""

from __future__ import annotations

from typing import Final, TypeGuard

from .schemas import schema_of

LONGEST_NAME: Final[int] = schema_of("common")["$defs"]["ComponentType"]["maxLength"]
"""The most characters that the name of a component or a sub-term can have; the least is 1."""
LONGEST_LABEL: Final[int] = schema_of("common")["$defs"]["RegimeLabel"]["maxLength"]
"""The most characters that the label of a regime can have; the least is 1."""


def is_name(text: object) -> TypeGuard[str]:
    """Whether something can name a component or a sub-term."""
    return isinstance(text, str) and 1 <= len(text) <= LONGEST_NAME and is_unicode(text)


def is_label(text: object) -> TypeGuard[str]:
    """Whether something can be the label of a regime."""
    return isinstance(text, str) and 1 <= len(text) <= LONGEST_LABEL and is_unicode(text)


def is_unicode(text: str) -> bool:
    """Whether a text has no unpaired surrogate: no UTF-8, and so no JSON text, can hold one."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
