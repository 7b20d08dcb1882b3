"""The extension ``reward_receipts_core``, which accepts good documents quickly.

It is optional. Whatever it does not accept is judged by the package itself, which gives the message: each sentence has
one source. REWARD_RECEIPTS_CORE=0 turns it off.
"""

from __future__ import annotations

import os
import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

SWITCH: Final = "REWARD_RECEIPTS_CORE"


class ExtensionRefused(RuntimeWarning):
    """The extension is installed in another version than the package, and is not used."""


@cache
def extension() -> Any:
    """The module, or None if it is not installed, not of this version, or turned off.

    Warns ExtensionRefused, once, if it is of another version.
    """
    if os.environ.get(SWITCH) == "0":
        return None
    try:
        module = import_module("reward_receipts_core")
    except ImportError:
        return None
    package, found = _package_version(), getattr(module, "VERSION", "unknown")
    if found != package:
        warnings.warn(
            f"reward_receipts_core {found} is not used: the package is reward-receipts {package}; install both in the "
            "same version",
            ExtensionRefused,
            stacklevel=2,
        )
        return None
    return module


def _package_version() -> str:
    try:
        return version("reward-receipts")
    except PackageNotFoundError:  # run from an archive or a frozen program, without the package's metadata
        return "unknown"


def accept(data: object, kind: str | None) -> tuple[str, str, str] | None:
    """Kind, canonical text and digest of the document in a text; None if the package has to judge it."""
    module = extension()
    if module is None:
        return None
    if type(data) is str:
        try:
            data = data.encode()
        except UnicodeEncodeError:
            return None
    if type(data) is not bytes:
        return None
    accepted: tuple[str, str, str] | None = module.accept(data, kind)
    return accepted
