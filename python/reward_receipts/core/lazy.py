"""The public names of a package, each loaded with its module when it is first used (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

_EXTRA: Final = ("gymnasium", "numpy", "pyarrow")
"""The packages of the extra 'envs'."""


def lazy_names(
    package: str, modules: Mapping[str, str], computed: Mapping[str, Callable[[], Any]] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a package assigns to ``__getattr__``, ``__dir__`` and ``__all__``.

    ``modules`` has the names, separated by spaces, by the relative module that they are in; ``computed`` has what
    works out a further name, which ``__all__`` leaves out. Type checkers read the same names from a TYPE_CHECKING block
    of the package; a test compares the two.

        __getattr__, __dir__, __all__ = lazy_names(__name__, {".bridge": "NotForAContract component_vector"})
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}
    others = computed or {}

    def load(name: str) -> Any:
        if name in others:
            value = others[name]()
        elif name in homes:
            try:
                value = getattr(import_module(homes[name], package), name)
            except ModuleNotFoundError as error:
                if error.name not in _EXTRA:
                    raise
                fix = "pip install 'reward-receipts[envs]'"
                raise ModuleNotFoundError(f"{package}.{name} needs {error.name}: {fix}", name=error.name) from error
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        vars(sys.modules[package])[name] = value
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes, *others})

    return load, listed, sorted(homes)
