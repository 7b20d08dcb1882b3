"""A virtual environment in the checkout for each of the two commands, made where it is missing or out of date.

This runs before anything is installed: on the standard library alone, in syntax that Python 3.8 still reads, so that
an interpreter which is too old gets as far as the message about it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)


class SetUpError(Exception):
    """The environment could not be made. The message says what is missing and what to do."""


def run(name: str, install: list[str], command: list[str]) -> int:
    """Runs Python with ``command`` in the environment ``name`` of the checkout, and gives its exit code.

    ``install`` is what pip installs when the environment is made, as it is on pip's command line. Gives 2, with
    a message on stderr, where the environment cannot be made. The working directory is the checkout.
    """
    try:
        require_version(sys.version_info[:2])
        python = ready(ROOT / name, install)
    except SetUpError as failed:
        print(failed, file=sys.stderr)
        return 2
    return subprocess.run([str(python), *command], cwd=ROOT).returncode


def require_version(found: tuple[int, ...]) -> None:
    """Raises SetUpError where the interpreter is too old."""
    if found < OLDEST:
        raise SetUpError(
            "Python {}.{} or newer is needed; this is {}.{} ({}). Run the same command with a newer one.".format(
                *OLDEST, *found, sys.executable
            )
        )


def ready(place: Path, install: list[str]) -> Path:
    """The interpreter of the environment at ``place``: the one that is there, if it is current, else a new one.

    Current is one that was made whole, by this interpreter, in this checkout, for this pyproject.toml. Raises
    SetUpError.
    """
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = place / "made-for.json"
    wanted = fingerprint(install)
    if python.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    version = ".".join(map(str, sys.version_info[:3]))
    started = time.monotonic()
    say(f"Setting up {place.name} with Python {version}, once. This takes about half a minute.")
    shutil.rmtree(place, ignore_errors=True)
    make(place, python)
    say("Installing into it, from the package index:")
    if pip([str(python), "-I", "-m", "pip"], install) != 0:
        raise SetUpError(f"pip could not install {' '.join(install)}: see its message above. Then run this again.")
    stamp.write_text(wanted, encoding="utf-8")
    say(f"{place.name} is ready after {time.monotonic() - started:.0f} s.")
    return python


def fingerprint(install: list[str]) -> str:
    """What an environment depends on: where one of these differs, it is made anew."""
    made_for = {
        "checkout": str(ROOT),
        "pyproject.toml": hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest(),
        "python": [sys.version, sys.base_prefix],
        "install": install,
    }
    return json.dumps(made_for, indent=1)


def make(place: Path, python: Path) -> None:
    """A virtual environment with pip in it. Raises SetUpError."""
    if find_spec("venv") is None:
        raise SetUpError(f"This Python has no venv module. {advice()}")
    if find_spec("ensurepip") is not None:
        venv(place)
        return
    # Debian without python3-venv. Its pip, if it is there, can still put a pip into the environment.
    if find_spec("pip") is None:
        raise SetUpError(f"This Python has neither ensurepip nor pip, one of which is needed. {advice()}")
    venv(place, "--without-pip")
    if pip([sys.executable, "-m", "pip", "--python", str(python)], ["pip"]) != 0:
        raise SetUpError(f"This Python has no ensurepip, and its pip could not stand in for it. {advice()}")


def advice() -> str:
    """What to install, by the name that Debian gives it."""
    return (
        f"On Debian and Ubuntu, install it with: apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv "
        "(or python3-venv, where this is the system's own Python). Then run this again."
    )


def venv(place: Path, *options: str) -> None:
    """Runs the venv module. Raises SetUpError."""
    made = subprocess.run(
        [sys.executable, "-I", "-m", "venv", *options, str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    if made.returncode != 0:
        raise SetUpError(f"{made.stdout.strip()}\nThe virtual environment could not be made. {advice()}")


def pip(command: list[str], install: list[str]) -> int:
    """Runs a pip, and names each package on stderr as pip collects it. Returns pip's exit code.

    pip reads its own configuration and the PIP_ variables; its errors go to stderr.
    """
    options = ["--disable-pip-version-check", "--progress-bar", "off"]
    running = subprocess.Popen(
        [*command, "install", *options, *install],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    assert running.stdout is not None
    with running:
        for line in running.stdout:
            action, _, package = line.strip().partition(" ")
            if action == "Obtaining":
                say("    this checkout")
            elif action == "Collecting":
                say(f"    {package.partition(' (from ')[0]}")
    return running.returncode


def say(line: str) -> None:
    """Prints a line of progress."""
    print(line, file=sys.stderr, flush=True)
