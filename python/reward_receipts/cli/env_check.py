"""``env check``: which tier an environment reaches, and what is missing."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final, Literal

from ..findings import InvalidText, shown
from ..text import read_json
from .terminal import printable, say

if TYPE_CHECKING:
    from ..envs.tier_report import EnvReport

_STATUS: Final = {"pass": 0, "fail": 1, "undecided": 2}


class _Undecided(Exception):
    """What keeps the command from looking at the environment."""


def check_environment(
    target: str,
    kwargs: str | None,
    tier: int,
    episodes: int,
    max_steps: int,
    seed: int,
    form: Literal["text", "json"],
) -> int:
    """Makes an environment, plays it, and says what was seen. Returns the exit status."""
    try:
        # What the environment prints is no result of the command.
        with contextlib.redirect_stdout(sys.stderr):
            report = _report(target, _arguments(kwargs), episodes, max_steps, seed)
    except _Undecided as error:
        say(f"reward-receipts: {error}")
        if form == "json":
            _print_json([], [{"name": target, "message": str(error)}], 2)
        return 2
    status = _STATUS[report.verdict(tier)]
    if form == "json":
        _print_json([{"target": target, "asked_tier": tier, **report.to_dict()}], [], status)
    else:
        for line in str(report).splitlines():
            print(printable(line))
    return status


def _print_json(results: list[dict[str, Any]], problems: list[dict[str, str]], status: int) -> None:
    summary = {"command": "env check", "exit_status": status}
    text = json.dumps({"results": results, "problems": problems, "summary": summary})
    print(text.replace("\x7f", "\\u007f"))  # the one character that a terminal acts on and JSON leaves as it is


def _arguments(kwargs: str | None) -> dict[str, Any]:
    try:
        arguments = {} if kwargs is None else read_json(kwargs)
    except InvalidText as error:
        raise _Undecided(f"--kwargs is no JSON: {error}") from None
    if not isinstance(arguments, dict):
        raise _Undecided(f"--kwargs is an object of arguments by name, not {shown(arguments)}")
    return arguments


def _report(target: str, arguments: dict[str, Any], episodes: int, max_steps: int, seed: int) -> EnvReport:
    try:
        from ..envs.checking import VectorEnvRefused, check_env, said
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("gymnasium", "numpy"):
            raise
        raise _Undecided(
            f"environments need {error.name}, which is not installed; pip install 'reward-receipts[envs]'"
        ) from None
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        environment = _made(target, arguments)
    except _Undecided:
        raise
    except (Exception, SystemExit) as error:
        raise _Undecided(f"{target} cannot be made: {said(error, __file__)}") from None
    try:
        return check_env(environment, episodes=episodes, max_steps=max_steps, seed=seed)
    except VectorEnvRefused as error:
        raise _Undecided(str(error)) from None


def _made(target: str, arguments: dict[str, Any]) -> Any:
    module, colon, name = target.partition(":")
    if not colon:
        import gymnasium

        # Its passive checker would raise at the first fault, and this one wants to see them all.
        return gymnasium.make(target, disable_env_checker=True, **arguments)
    if not module or not name:
        raise _Undecided(f"{target} names no class; give MODULE:CLASS, or the id of an environment of Gymnasium's")
    try:
        made: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, and imports one that is not
        raise _Undecided(f"there is no module {error.name}, neither in this folder nor installed") from None
    for part in name.split("."):
        if not hasattr(made, part):
            raise _Undecided(f"{module} has no {name}")
        made = getattr(made, part)
    if not callable(made):
        raise _Undecided(f"{target} is {shown(made)}, which makes nothing; name a class or a function")
    return made(**arguments)
