"""The tests, all of them: tox with the environments of tox.ini, as many at once as there are cores.

    python3 scripts/test.py                       everything
    python3 scripts/test.py -e py -- -k audit     one environment, and arguments for what it runs

Needs Python 3.11 or newer and nothing else: it makes its own virtual environment, .venv-test.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from environment import ROOT, run, say

TOX = ["-I", "-m", "tox"]
LAST_RUN = ROOT / ".venv-test" / "last-run.json"  # goes with the environment, so a new one starts without
FIRST_ESTIMATE = "about 10 minutes on two free cores, a part of it to install"


def main(arguments: list[str]) -> int:
    """Runs tox with the arguments, or everything without them. Returns tox's exit code, 2 if it cannot be set up."""
    if arguments:
        return run(".venv-test", ["tox"], [*TOX, "run", *arguments])
    say(f"All tests take {estimate(LAST_RUN)}. An environment of tox.ini reports when it ends.")
    quiet = [] if sys.stdout.isatty() else ["--parallel-no-spinner"]
    started = time.monotonic()
    code = run(".venv-test", ["tox"], [*TOX, "run-parallel", "--parallel", str(cores()), *quiet])
    if code == 0:
        LAST_RUN.write_text(json.dumps({"seconds": round(time.monotonic() - started)}), encoding="utf-8")
    return code


def estimate(last_run: Path) -> str:
    """How long everything takes: as long as the last whole run in this checkout, or a first guess."""
    try:
        seconds = int(json.loads(last_run.read_text(encoding="utf-8"))["seconds"])
    except (OSError, ValueError, LookupError, TypeError):
        return FIRST_ESTIMATE
    return f"about {max(1, round(seconds / 60))} min here, as the last time"


def cores() -> int:
    """How many environments run at once: one for each core that this process may use, at most 4."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, 4)  # each of them runs its tests in two processes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
