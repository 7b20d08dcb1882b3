"""Python's numbers and booleans, whichever package made them, as the plain values that documents and rewards store.

Nothing here imports NumPy. Its scalars are recognised by the abstract base classes that they are registered with, and
its boolean by looking for a NumPy that the program has loaded itself.
"""

from __future__ import annotations

import numbers
import sys
from decimal import Decimal
from operator import index


def plain_boolean(value: object) -> bool | None:
    """``value`` as a bool if it is a bool or a ``numpy.bool_``, else None."""
    if isinstance(value, bool):
        return value
    kind = getattr(sys.modules.get("numpy"), "bool_", None)
    return bool(value) if isinstance(kind, type) and isinstance(value, kind) else None


def plain_integer(value: object) -> int | None:
    """``value`` as an int if Python can use it as an index and it is not a boolean, else None.

    IntEnum members and NumPy's integers are integers. True, 2.0 and a boolean array of one element are not.

    >>> import enum
    >>> plain_integer(enum.IntEnum("Tier", ["LOW", "HIGH"]).HIGH), plain_integer(True), plain_integer(2.0)
    (2, None, None)
    """
    if type(value) is int:
        return value
    try:
        if isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool"):
            return None
        return int(index(value))  # type: ignore[arg-type]
    except Exception:  # what others made can fail at any question
        return None


def plain_double(value: object) -> float | None:
    """``value`` as a float if it is a real number and not a boolean, else None.

    Integers and other real numbers become the nearest double: a float32 is exactly that double. A Decimal has to be
    exactly a double, because its digits are what its author wrote. The result can be NaN or an infinity. Raises
    OverflowError for an integer or a fraction beyond any double.

    >>> from decimal import Decimal
    >>> plain_double(Decimal("0.5")), plain_double(Decimal("0.1"))
    (0.5, None)
    """
    if type(value) is float:
        return value
    try:
        if isinstance(value, Decimal):
            return _double_of_decimal(value)
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return None
        # NumPy registers its time spans as integers; they have a unit, and cannot be an index.
        if isinstance(value, numbers.Integral) and plain_integer(value) is None:
            return None
        return float.__pos__(float(value))
    except OverflowError:
        raise
    except Exception:  # what others made can fail at any question
        return None


def finite_double(value: object, what: str) -> float:
    """``value`` as a finite float. Raises ValueError, whose message begins with ``what``, for anything else.

    >>> finite_double(1, "the score")
    1.0
    """
    try:
        number = plain_double(value)
    except OverflowError:
        number = float("inf")
    if number is None or number - number != 0.0:
        found = f"a {type(value).__name__}" if number is None else str(number)
        raise ValueError(f"{what} is {found}; expected a finite number")
    return number


def _double_of_decimal(value: Decimal) -> float | None:
    if value.is_nan():
        return float("nan")
    double = float(value)
    return double if value.is_infinite() or Decimal(double) == value else None
