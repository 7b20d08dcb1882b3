"""Checks the direction of imports in the package, those for types included, against the contracts in .importlinter.

python scripts/lint/imports.py      exit 0 if every contract is kept, 1 with a line for each import that breaks one

import-linter reads a package from one folder. The generated modules are in another one until the package is built, so
this lays a copy of both in a temporary folder, as pyproject.toml maps them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folders: dict[str, str] = settings["package-dir"]
    with tempfile.TemporaryDirectory() as scratch:
        for package, folder in sorted(folders.items()):  # reward_receipts itself comes first
            shutil.copytree(
                ROOT / folder,
                Path(scratch, *package.split(".")),
                ignore=lambda _, names: [name for name in names if "." in name and not name.endswith(".py")],
                dirs_exist_ok=True,
            )
        command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
        command += [str(ROOT / ".importlinter"), "--no-cache"]
        return subprocess.run(command, cwd=scratch, env={**os.environ, "PYTHONPATH": scratch}).returncode


if __name__ == "__main__":
    sys.exit(main())
