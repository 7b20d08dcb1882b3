"""``env check``: which tier an environment reaches, and what is missing."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ...core.escaping import printable_line, without_surrogates
from ...core.exit_status import ExitStatus
from ...core.findings import InvalidText, shown
from ...core.foreign import describe_error
from ...core.strict_json import read_json
from ..components import module_of, search_current_folder
from ..formats.json import print_envelope
from ..options import MAX_COUNT, TextOrJson
from ..terminal import say, stdout_to_stderr

if TYPE_CHECKING:
    from ...envs.check.report import EnvReport

_STATUS: Final = {"pass": ExitStatus.GOOD, "fail": ExitStatus.FINDING, "undecided": ExitStatus.UNDECIDED}


class _Undecided(Exception):
    """What keeps the command from looking at the environment."""


def env_check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="MODULE:CLASS, an id that Gymnasium knows, or MODULE:ID for one that the module registers.",
        ),
    ],
    kwargs: Annotated[
        str | None, typer.Option("--kwargs", metavar="JSON", help="An object: the arguments that it is made with.")
    ] = None,
    imports: Annotated[
        list[str] | None,
        typer.Option("--import", metavar="MODULE", help="Import a module that registers environments. Repeatable."),
    ] = None,
    tier: Annotated[int, typer.Option("--tier", min=1, max=2, help="The tier that is asked for.")] = 1,
    episodes: Annotated[
        int, typer.Option("--episodes", metavar="N", min=1, max=MAX_COUNT, help="How many to play.")
    ] = 3,
    max_steps: Annotated[
        int,
        typer.Option(
            "--max-steps", metavar="N", min=1, max=MAX_COUNT, help="Where an episode is left that does not end."
        ),
    ] = 1000,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, max=MAX_COUNT, help="The seed of the first episode.")
    ] = 0,
    form: TextOrJson = "text",
) -> ExitStatus:
    """Modules are looked for in this folder too. Whole episodes are played, with actions drawn from the action space.
    Exit status: 0 it reaches the tier that is asked for; 1 something is missing; 2 it cannot be made, or too little
    was seen.
    """
    try:
        with stdout_to_stderr():
            report = _report(target, _arguments(kwargs), imports or [], episodes, max_steps, seed)
    except _Undecided as error:
        say(f"reward-receipts: {error}")
        if form == "json":
            problem = {"name": target, "message": str(error)}
            print_envelope("env check", ExitStatus.UNDECIDED, problems=[problem])
        return ExitStatus.UNDECIDED
    status = _STATUS[report.verdict(tier)]
    if form == "json":
        result = {"target": without_surrogates(target), "asked_tier": tier, **report.to_dict()}
        print_envelope("env check", status, [result])
    else:
        for line in str(report).splitlines():
            print(printable_line(line))
    return status


def _arguments(kwargs: str | None) -> dict[str, Any]:
    try:
        arguments = {} if kwargs is None else read_json(kwargs)
    except InvalidText as error:
        raise _Undecided(f"--kwargs is not JSON: {error}") from None
    if not isinstance(arguments, dict):
        raise _Undecided(f"--kwargs is an object of arguments by name, not {shown(arguments)}")
    return arguments


def _report(
    target: str, arguments: dict[str, Any], imports: Sequence[str], episodes: int, max_steps: int, seed: int
) -> EnvReport:
    try:
        from ...envs.check.checker import VectorEnvRefused, check_env
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("gymnasium", "numpy"):
            raise
        raise _Undecided(
            f"environments need {error.name}, which is not installed; pip install 'reward-receipts[envs]'"
        ) from None
    search_current_folder()
    for module in imports:
        try:
            _imported(module)
        except (_Undecided, KeyboardInterrupt):
            raise
        except BaseException as error:  # it is not known what a module does
            raise _Undecided(f"--import {module} cannot be imported: {describe_error(error)}") from None
    try:
        environment = _made(target, arguments)
    except (_Undecided, KeyboardInterrupt):
        raise
    except BaseException as error:  # it is not known what makes an environment
        raise _Undecided(f"{target} cannot be made: {describe_error(error)}") from None
    try:
        return check_env(environment, episodes=episodes, max_steps=max_steps, seed=seed)
    except VectorEnvRefused as error:
        raise _Undecided(str(error)) from None


def _made(target: str, arguments: dict[str, Any]) -> Any:
    module, colon, name = target.partition(":")
    if not colon:
        return _registered(target, arguments)
    if not module or not name:
        raise _Undecided(f"{target} names no class; give MODULE:CLASS, or the id of an environment of Gymnasium's")
    made: Any = _imported(module, f":{name}")
    for part in name.split("."):
        if not hasattr(made, part):
            return _registered_by(module, name, arguments)
        made = getattr(made, part)
    if not callable(made):
        raise _Undecided(f"{target} is {shown(made)}, which makes nothing; name a class or a function")
    return made(**arguments)


def _imported(module: str, rest: str = "") -> ModuleType:
    if module.endswith(".py"):
        raise _Undecided(f"{module} is a file; name the module: {module_of(module)}{rest}")
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, and imports one that is not
        raise _Undecided(f"module {error.name} was not found in this folder or among the installed packages") from None


def _registered_by(module: str, name: str, arguments: dict[str, Any]) -> Any:
    """The environment of an id that a module registered, given as ``gymnasium.make`` takes it: MODULE:ID."""
    import gymnasium

    try:
        gymnasium.spec(name)
    except gymnasium.error.Error as error:
        raise _Undecided(
            f"{module} has no {name}, and Gymnasium has no environment of that id after importing it: "
            f"{describe_error(error).rstrip('.')}"
        ) from None
    return _registered(name, arguments)


def _registered(target: str, arguments: dict[str, Any]) -> Any:
    import gymnasium

    try:
        # Its passive checker would raise at the first fault, and this one wants to see them all.
        return gymnasium.make(target, disable_env_checker=True, **arguments)
    except gymnasium.error.Error as error:
        module = module_of(target) if target.endswith(".py") else target
        hint = (
            f"a class of your own is MODULE:CLASS, such as {module}:MyEnv; an id that another package registers needs "
            "--import MODULE, or MODULE:ID"
        )
        raise _Undecided(f"{target} cannot be made: {describe_error(error).rstrip('.')}; {hint}") from None
