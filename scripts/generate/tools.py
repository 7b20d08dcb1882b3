"""The programs that emitters run."""

from __future__ import annotations

import os
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class ToolMissing(Exception):
    """A program that an emitter runs is not installed, or not in the version that gives the committed bytes."""


def require(tool: str, pinned: str) -> None:
    """Raises ToolMissing unless a Python package is installed in one version."""
    try:
        found = version(tool)
    except PackageNotFoundError:
        found = "none"
    if found != pinned:
        raise ToolMissing(f"{tool} {pinned} is needed, {found} is installed: pip install --group generate")


def run(command: list[str], source: str | None = None, cwd: str | None = None) -> str:
    """The output of a program that reads ``source``. Raises ToolMissing if it is not there; stops if it fails."""
    environment = {**os.environ, "RUFF_NO_CACHE": "true", "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(
            command, input=source, cwd=cwd or ROOT, env=environment, capture_output=True, text=True, encoding="utf-8"
        )
    except FileNotFoundError:
        raise ToolMissing(f"{command[0]} is needed and not on the PATH: install it") from None
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command[:4])} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
