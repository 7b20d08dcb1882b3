"""Packages of the optional extras, imported when they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def extra_module(name: str, purpose: str, extra: str = "calibration") -> Any:
    """A module of an extra. Raises ModuleNotFoundError, which names the extra, if it is not installed.

    altair = extra_module("altair", "a report", "report")
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        raise ModuleNotFoundError(
            f"{purpose} needs {missing}: pip install 'reward-receipts[{extra}]'", name=missing
        ) from None
