"""The Rust workspace, built where there is cargo."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT

WORKSPACE = ROOT / "rust"


def cargo(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs cargo in the workspace with the locked dependencies; what is built stays in its folder target.

    Where there is no cargo the test is skipped, or fails if CI is set.
    """
    program = shutil.which("cargo")
    if program is None:
        why = "there is no cargo here; install Rust to build and test the crate in rust/"
        if os.environ.get("CI"):
            pytest.fail(f"CI is set, and {why}")
        pytest.skip(why)
    return subprocess.run([program, *arguments], cwd=WORKSPACE, capture_output=True, text=True)


def example(name: str) -> Path:
    """The program of an example, built."""
    done = cargo("build", "--locked", "--quiet", "--example", name)
    assert done.returncode == 0, done.stderr
    folder = Path(os.environ.get("CARGO_TARGET_DIR", WORKSPACE / "target"))
    return (WORKSPACE / folder / "debug" / "examples" / name).with_suffix(".exe" if os.name == "nt" else "")


def extension_folder(parent: Path) -> Path:
    """A new folder with the extension ``reward_receipts_core`` in it, built as the tests are: not optimised."""
    done = cargo("build", "--locked", "--quiet", "--package", "reward-receipts-python")
    assert done.returncode == 0, done.stderr
    built = (WORKSPACE / os.environ.get("CARGO_TARGET_DIR", "target") / "debug").glob("*reward_receipts_core.*")
    library = next(each for each in built if each.suffix in (".so", ".dylib", ".dll"))
    folder = parent / "extension"
    folder.mkdir()
    shutil.copyfile(library, folder / f"reward_receipts_core{'.pyd' if library.suffix == '.dll' else '.abi3.so'}")
    return folder


def answers(program: Path, asked: Iterable[dict[str, Any]]) -> list[Any]:
    """What the example compare answers to each question."""
    lines = "".join(json.dumps(question) + "\n" for question in asked)
    done = subprocess.run([program], input=lines, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]
