"""What calibration takes from SciPy and Altair, imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def extra_module(name: str, purpose: str) -> Any:
    """A module of the extra 'calibration'. Raises ModuleNotFoundError, which names the extra, if it is not there."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        raise ModuleNotFoundError(
            f"{purpose} needs {missing}: pip install 'reward-receipts[calibration]'", name=missing
        ) from None
