"""Environments of two tiers (spec, section 10): wrappers, traces, regimes, and the checker.

A name's module is loaded when the name is first used, as in the package above. Needs ``reward-receipts[envs]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .step import EpisodeStep as EpisodeStep

# The same names again, for use at run time; a test compares the two.
_MODULES = {
    ".step": "EpisodeStep",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name], __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
