"""The checkout that the tests run from: its scripts as modules, and copies of it that a test may change."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]

_LEFT_OUT = (".git", ".tox", ".venv*", "venv", "*.egg-info", "build", "dist", "node_modules", "__pycache__", ".*_cache")


def copy_of_checkout(to: Path) -> Path:
    """A copy of everything but what is built, at a place that is not there yet."""
    shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    return to


def scripts(package: str, *names: str) -> list[ModuleType]:
    """Modules of a package under scripts/."""
    if str(ROOT / "scripts") not in sys.path:
        sys.path.append(str(ROOT / "scripts"))
    return [importlib.import_module(f"{package}.{name}") for name in names]


def script(name: str) -> ModuleType:
    """A script of the checkout as a module. It is read anew at each call."""
    if str(ROOT / "scripts") not in sys.path:
        sys.path.append(str(ROOT / "scripts"))  # a script can be several modules
    spec = importlib.util.spec_from_file_location(f"scripts_{name.replace('/', '_')}", ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module
