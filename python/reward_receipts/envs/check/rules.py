"""The checks of single values that an environment returned, one function each.

A check returns the value that it found valid, or raises Fault; ``attempt`` runs one, since reading such a value can
raise anything.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env as gymnasium_check_env

from ...core.canonical import canonical_json_bytes
from ...core.findings import shown
from ...core.foreign import describe_error
from ...rewards.components.context import PROVIDABLE
from ...validation.names import LONGEST_LABEL, is_label
from ..step import REGIME, TRACE, EpisodeStep


class Fault(Exception):
    """A value breaks a requirement; the message says how."""


def attempt(check: Callable[..., Any], *values: Any) -> tuple[Any, str | None]:
    """The result of a check and None, or None and the fault that it found.

    Anything that the check raises counts as a fault of the values; KeyboardInterrupt is the user's.
    """
    try:
        return check(*values), None
    except KeyboardInterrupt:
        raise
    except Fault as fault:
        return None, str(fault)
    except BaseException as error:  # an environment that ends the process is faulty like any other
        return None, describe_error(error)


def action_space(env: gymnasium.Env[Any, Any], seed: int) -> gymnasium.Space[Any]:
    """The space that actions are drawn from, seeded."""
    space = env.action_space
    if not isinstance(space, gymnasium.Space):
        raise Fault(f"action_space is {_shown(space)}, no gymnasium space")
    space.seed(seed)
    return space


def drawn(space: gymnasium.Space[Any]) -> tuple[Any]:
    """An action of a space."""
    action = space.sample()
    if action not in space:
        raise Fault(f"the sample {_shown(action)} is not in {space}")
    return (action,)


def values(answer: Any, number: int) -> tuple[Any, ...]:
    """The values that were returned, which have to be so many."""
    if not issubclass(type(answer), tuple):
        raise Fault(f"it returned {type(answer).__name__}, no tuple")
    if len(answer) != number:
        raise Fault(f"it returned {len(answer)} values")
    return tuple(answer)


def observation(env: gymnasium.Env[Any, Any], seen: Any) -> None:
    """Whether an observation is in the observation_space."""
    space = env.observation_space
    if seen not in space:
        raise Fault(f"{_shown(seen)} is not in {space}")


def reward(value: Any) -> None:
    """Whether a reward is a finite number."""
    if isinstance(value, (bool, numpy.bool_)) or not isinstance(value, Real):
        raise Fault(f"the reward is {type(value).__name__} {_shown(value)}, not a number")
    double = float(value)
    if double - double != 0.0:
        raise Fault(f"the reward is {double}")


def flags(terminated: Any, truncated: Any) -> None:
    """Whether the flags of a step are booleans."""
    wrong = [
        f"{name} is {type(flag).__name__} {_shown(flag)}"
        for name, flag in {"terminated": terminated, "truncated": truncated}.items()
        if not isinstance(flag, (bool, numpy.bool_))
    ]
    if wrong:
        raise Fault(" and ".join(wrong))


def info(given: Any) -> dict[Any, Any]:
    """The info of a reset or a step."""
    if not issubclass(type(given), dict):
        raise Fault(f"info is {_shown(given)}")
    members: dict[Any, Any] = given
    return members


def kept_info(given: dict[Any, Any], was: dict[Any, Any]) -> None:
    """Whether an info still has the members that it had, each the same object."""
    now = dict.copy(given)
    if [(id(name), id(value)) for name, value in now.items()] != [(id(name), id(value)) for name, value in was.items()]:
        raise Fault(f"it was changed after it was given: its members were {_shown([*was])} and are {_shown([*now])}")


def trace(members: dict[Any, Any], numbers: tuple[int, ...]) -> EpisodeStep:
    """The record of a step in its info. ``numbers`` are those that the step can have, in its episode."""
    if TRACE not in members:
        raise Fault(f'info has no member "{TRACE}"')
    step = members.get(TRACE)  # as the wrappers ask for it
    if not isinstance(step, EpisodeStep):
        raise Fault(f'info["{TRACE}"] is {type(step).__name__}, no EpisodeStep')
    context = step.context
    if context.step not in numbers:
        expected = " or ".join(map(str, numbers))
        raise Fault(f"the EpisodeStep is of step {context.step}, and this is step {expected} of the episode")
    if not context.provided:
        raise Fault(f"the EpisodeStep provides nothing: none of {', '.join(PROVIDABLE)}")
    return step


def regime(members: dict[Any, Any]) -> tuple[Mapping[str, Any], str, bool]:
    """The regime of a step in its info, its label, and whether it begins there."""
    if REGIME not in members:
        raise Fault(f'info has no member "{REGIME}"')
    given = members.get(REGIME)
    if not isinstance(given, Mapping):
        raise Fault(f'info["{REGIME}"] is {type(given).__name__}, no mapping')
    label, boundary = given.get("label"), given.get("boundary")
    if not is_label(label):
        due = f"text of 1 to {LONGEST_LABEL} characters, without half a surrogate pair"
        raise Fault(f"its label is {_shown(label)}; it must be {due}")
    if not isinstance(boundary, (bool, numpy.bool_)):
        raise Fault(f"its boundary is {_shown(boundary)}, no bool")
    return given, label, bool(boundary)


def kept_regime(given: Mapping[str, Any], label: str, boundary: bool) -> None:
    """Whether a regime still says what it said."""
    now = [given.get("label"), given.get("boundary")]
    if now != [label, boundary]:
        raise Fault(f"it said {_shown([label, boundary])}, and later on {_shown(now)}")


def described(env: gymnasium.Env[Any, Any]) -> None:
    """Whether an environment says what it was configured with."""
    describe, _ = attempt(env.get_wrapper_attr, "describe")  # a wrapper need not have one itself
    if describe is None:
        raise Fault("there is no describe()")
    members = describe()
    if not isinstance(members, Mapping):
        raise Fault(f"it returned {_shown(members)}, no mapping")
    if not members:
        raise Fault("it returned an empty mapping")
    canonical_json_bytes(dict(members))


def gymnasium_says(env: gymnasium.Env[Any, Any]) -> None:
    """Whether gymnasium's own checker says something: its warnings, and the exception that ended it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _, ended = attempt(_gymnasium_checked, env)
    messages = [
        re.sub(r"\x1b\[[0-9;]*m", "", str(warning.message)) for warning in caught if warning.category is UserWarning
    ]
    # A wrapper is what was asked about; gymnasium would rather see what is in it.
    messages = [message for message in messages if "is different from the unwrapped version" not in message]
    if ended is not None:
        messages.append(ended)
    if messages:
        raise Fault("; ".join(dict.fromkeys(messages)))


def _gymnasium_checked(env: gymnasium.Env[Any, Any]) -> None:
    gymnasium_check_env(env, skip_render_check=True, skip_close_check=True)


def is_true(flag: Any) -> bool:
    """Whether a flag, of whatever type, says yes."""
    return attempt(bool, flag)[0] is True


def name_of(env: Any) -> str:
    """What an environment is called: its class, and the outermost wrapper around it."""
    kind = env if isinstance(env, type) else type(env)
    if issubclass(kind, gymnasium.Wrapper) and env is not kind:
        inner, _ = attempt(lambda: name_of(env.unwrapped))
        if inner is not None:
            return f"{inner} in {_text(kind.__qualname__)}"
    return f"{_text(kind.__module__)}.{_text(kind.__qualname__)}"


def _shown(value: Any) -> str:
    """A value on one line, also where it cannot say what it is."""
    text, _ = attempt(lambda: " ".join(shown(value, 60).split()))
    return f"a {type(value).__name__}" if text is None else str(text)


def _text(name: Any) -> str:
    return str(name).encode("utf-8", "backslashreplace").decode("utf-8")
