"""The command line: ``reward-receipts``. ``app`` has the table of commands, ``commands`` one module for each."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import StringIO

from ..core.exit_status import ExitStatus
from .arguments import key_among
from .terminal import OutputLost, StdoutLost, end_results, guarded, say, silence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line, by default on the process's own arguments, and returns the exit status.

    0 good; 1 a finding; 2 usage, or what cannot be decided; 130 interrupted.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it lasts as long as the process
    if sys.stdout is None:
        say("reward-receipts: standard output is closed")
        return ExitStatus.UNDECIDED
    stdout = sys.stdout
    sys.stdout = guarded(stdout)
    try:
        status = _run(arguments)
        sys.stdout.flush()
        if arguments is None:
            end_results(stdout)
    except StdoutLost as lost:
        silence(stdout)
        say(f"reward-receipts: {lost}")
        status = ExitStatus.UNDECIDED
    except OutputLost as lost:
        say(f"reward-receipts: {lost}")
        status = ExitStatus.UNDECIDED
    except KeyboardInterrupt:
        status = ExitStatus.INTERRUPTED
    except OSError as error:  # standard error is full, say
        say(f"reward-receipts: {error}")
        status = ExitStatus.UNDECIDED
    finally:
        sys.stdout = stdout
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            silence(sys.stderr)
    return status


def _run(arguments: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    key = key_among(given)
    if key is not None:
        say(f"reward-receipts: {key}")
        return ExitStatus.UNDECIDED
    from .app import app

    try:
        status = app(given, prog_name="reward-receipts", standalone_mode=False)
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        say(f"reward-receipts: {ended.code}")
        return ExitStatus.UNDECIDED
    except Exception as error:
        show = getattr(error, "show", None)
        if show is None:
            raise
        usage = StringIO()
        show(usage)  # a usage error, which quotes the arguments: say() does not show what could be a key
        for line in usage.getvalue().splitlines():
            say(line)
        return ExitStatus.UNDECIDED
    return status if isinstance(status, int) else 0
