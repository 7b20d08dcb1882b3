"""The tier checker: which tier an environment reaches, and what speaks for it and against it (spec, section 10).

It plays whole episodes and looks at every step. What the environment raises is a fault of the environment, never of the
check; what could not be looked at is undecided, never passed.
"""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, Final, NamedTuple

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env as gymnasium_check_env

from ..canonical import canonical_json_bytes
from ..findings import shown
from ..rewards.component import StepContext
from .step import REGIME, TRACE, EpisodeStep
from .tier_report import Capability, EnvReport, Verdict


class VectorEnvRefused(TypeError):
    """A vector environment was given to the checker, which looks at one environment."""


def check_env(
    env: gymnasium.Env[Any, Any] | Callable[[], gymnasium.Env[Any, Any]],
    *,
    episodes: int = 3,
    max_steps: int = 1000,
    seed: int = 0,
    actions: Callable[[Any], Any] | None = None,
) -> EnvReport:
    """Which tier an environment reaches, seen over whole episodes. The environment is closed at the end.

    ``env`` is an environment, or what makes one without arguments. ``actions`` gives the action for an observation; by
    default they are drawn from the action space. An episode is left after ``max_steps`` steps. What the environment
    raises is in the report. Raises VectorEnvRefused for a vector environment, whose steps are many at once; ValueError
    for numbers of episodes or steps below 1, or a seed below 0.
    """
    for name, value, least in (("episodes", episodes, 1), ("max_steps", max_steps, 1), ("seed", seed, 0)):
        if type(value) is not int or value < least:
            raise ValueError(f"{name} is a whole number of at least {least}, not {value!r}")
    check = _Check(max_steps, seed, actions)
    if not isinstance(env, (gymnasium.Env, gymnasium.vector.VectorEnv)) and callable(env):
        try:
            env = env()
        except _RAISED as error:
            check.look("environment", f"it could not be made: {said(error)}")
            return check.report(_name(env))
    if isinstance(env, gymnasium.vector.VectorEnv):
        raise VectorEnvRefused(
            f"{_name(env)} is a vector environment; check one of the environments that it is made of"
        )
    if isinstance(env, gymnasium.Env):
        check.look("environment", None)
        check.play(env, episodes)
    else:
        check.look("environment", f"{_name(env)} is no subclass of gymnasium.Env")
    return check.report(_name(env))


def said(error: BaseException, caller: str = __file__) -> str:
    """An exception on one line: its type, what it says, and where it was raised, unless by the caller itself."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = "(it cannot say what)"
    text = f"{type(error).__name__}: {message}"[:300].removesuffix(": ")
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")  # a lone surrogate, which no JSON can hold
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else caller
    return text if place.startswith(caller) else f"{text} ({place})"


_RAISED: Final = (Exception, SystemExit)  # an environment that ends the process is faulty like any other


class _Asked(NamedTuple):
    tier: int | None
    unit: str
    """What is looked at, one at a time."""
    asks: str
    fix: str


_ASKED: Final = {
    "environment": _Asked(1, "object", "a gymnasium.Env that can be made", "Make it a subclass of gymnasium.Env."),
    "action-space": _Asked(
        1,
        "action",
        "an action_space that actions can be drawn from",
        "Set action_space to a gymnasium space in the constructor.",
    ),
    "reset": _Asked(
        1,
        "reset",
        "reset(seed=...) returns (observation, info)",
        "Write def reset(self, *, seed=None, options=None), and return an observation and a dict.",
    ),
    "five-values": _Asked(
        1,
        "step",
        "step(action) returns (observation, reward, terminated, truncated, info)",
        "Return five values; split an old done into terminated and truncated.",
    ),
    "flags": _Asked(
        1, "step", "terminated and truncated are bool or numpy.bool_", "Return bool(...) for both; None and 0 are none."
    ),
    "reward": _Asked(
        1,
        "step",
        "the reward is a finite real number, and no bool",
        "Return a finite float, or a NumPy scalar, at every step; one NaN spoils every sum that it is in.",
    ),
    "info": _Asked(1, "info", "info is a dict", "Return a dict as info, from reset and from step; {} will do."),
    "info-distinct": _Asked(
        1,
        "info",
        "each info is an object of its own",
        "Make a new dict at each reset and step; whoever kept the last one sees it change otherwise.",
    ),
    "episode-end": _Asked(
        1,
        "episode",
        "episodes end, terminated or truncated",
        "Allow for more steps (max_steps), or limit the episode: gymnasium.wrappers.TimeLimit.",
    ),
    "close": _Asked(1, "close", "close() does not raise", "Let close() be called at any time."),
    "trace": _Asked(
        2,
        "step",
        f'info["{TRACE}"] is an EpisodeStep at every step',
        f'Put EpisodeStep.of(step=..., ...) into info["{TRACE}"]; a wrapper has to hand info on.',
    ),
    "trace-distinct": _Asked(
        2, "step", "each EpisodeStep is an object of its own", "Make a new EpisodeStep at each step."
    ),
    "regime": _Asked(
        2,
        "step",
        f'info["{REGIME}"] has a label (text) and a boundary (bool) at every step, and stays as it was given',
        f'Put a new {{"label": ..., "boundary": ...}} into info["{REGIME}"]; a wrapper has to hand info on.',
    ),
    "describe": _Asked(
        2,
        "call",
        "describe() returns what the run was configured with: a mapping that JSON can hold, not empty",
        "Write describe(), and return plain values: a dict of text, int, finite float, bool, None, list, dict.",
    ),
    "observation-space": _Asked(
        None,
        "observation",
        "each observation is in the observation_space",
        "Correct the space, or the observation's dtype, shape or bounds.",
    ),
    "gymnasium-checker": _Asked(
        None, "run", "gymnasium's own check_env has nothing to say", "See what gymnasium says of it."
    ),
}


class _Tally:
    """How often a capability was looked for, and where it was missing first."""

    def __init__(self) -> None:
        self.looked = self.faults = 0
        self.first: tuple[int | None, int | None, str] = (None, None, "")

    def capability(self, name: str, cut: int) -> Capability:
        """What came of it; ``cut`` is how many episodes were left after the most steps."""
        tier, unit, asks, fix = _ASKED[name]
        episode, step, found = self.first
        number = f"{self.looked} {unit}{'' if self.looked == 1 else 's'}"
        once = self.looked == 1 and episode is None
        if self.faults:
            place = "" if episode is None else f", first at episode {episode}, {_step(step)}"
            verdict, seen = Verdict.FAIL, found if once else f"missing at {self.faults} of {number}{place}: {found}"
        elif self.looked:
            verdict, seen = Verdict.PASS, asks if once else f"{asks} ({number})"
        else:
            verdict, seen = Verdict.UNDECIDED, f"{asks}: none was seen"
        # Too few steps can be mended; what else was not seen comes after something that failed.
        wanted = fix if self.faults or (name == "episode-end" and cut) else None
        return Capability(name, tier, asks, verdict, seen, wanted, self.looked, self.faults, episode, step)


class _Check:
    """One run of the checker."""

    def __init__(self, max_steps: int, seed: int, actions: Callable[[Any], Any] | None) -> None:
        self._max_steps, self._seed, self._actions = max_steps, seed, actions
        self._tallies = {name: _Tally() for name in _ASKED}
        self._episodes = self._ended = self._cut = self._steps = 0
        self._drawn: Any = None
        self._at: tuple[int | None, int | None] = (None, None)
        # What was returned is kept, so that no object gets the identity of an earlier one.
        self._infos: dict[int, Any] = {}
        self._traces: dict[int, Any] = {}
        self._regimes: list[tuple[tuple[int | None, int | None], Mapping[str, Any], str, bool]] = []

    def look(self, name: str, fault: str | None) -> None:
        """Takes that a capability was looked for, and what was wrong there."""
        self._tallies[name].looked += 1
        if fault is not None:
            self._fault(name, fault, self._at)

    def play(self, env: gymnasium.Env[Any, Any], episodes: int) -> None:
        self._at = (None, None)
        space = self._action_space(env)
        for episode in range(episodes):
            self._at = (episode, None)
            self._episode(env, space, episode)
        self._at = (None, None)
        self._kept_regimes()
        self.look("describe", _describe_fault(env))
        self.look("gymnasium-checker", _gymnasium_fault(env))
        try:
            env.close()
            self.look("close", None)
        except _RAISED as error:
            self.look("close", said(error))

    def report(self, environment: str) -> EnvReport:
        capabilities = tuple(tally.capability(name, self._cut) for name, tally in self._tallies.items())
        return EnvReport(environment, self._seed, self._episodes, self._ended, self._steps, capabilities)

    def _fault(self, name: str, fault: str, at: tuple[int | None, int | None]) -> None:
        tally = self._tallies[name]
        if not tally.faults:
            tally.first = (*at, fault)
        tally.faults += 1

    def _action_space(self, env: gymnasium.Env[Any, Any]) -> gymnasium.Space[Any] | None:
        try:
            space = env.action_space
            if not isinstance(space, gymnasium.Space):
                self.look("action-space", f"action_space is {_shown(space)}, no gymnasium space")
                return None
            space.seed(self._seed)
        except _RAISED as error:
            self.look("action-space", said(error))
            return None
        return space

    def _episode(self, env: gymnasium.Env[Any, Any], space: gymnasium.Space[Any] | None, episode: int) -> None:
        self._episodes += 1
        try:
            answer: Any = env.reset(seed=self._seed + episode)
        except _RAISED as error:
            self.look("reset", said(error))
            return
        if not isinstance(answer, tuple) or len(answer) != 2:
            self.look("reset", f"it returned {_values(answer)}")
            return
        self.look("reset", None)
        observation, info = answer
        self._observation(env, observation)
        self._info(info)
        for step in range(self._max_steps):
            self._at = (episode, step)
            if self._actions is not None:
                action = self._actions(observation)
            elif space is not None and self._draws(space):
                action = self._drawn
            else:
                return
            try:
                answer = env.step(action)
            except _RAISED as error:
                self.look("five-values", said(error))
                return
            self._steps += 1
            if not isinstance(answer, tuple) or len(answer) != 5:
                self.look("five-values", f"it returned {_values(answer)}")
                return
            self.look("five-values", None)
            observation, reward, terminated, truncated, info = answer
            self._observation(env, observation)
            self.look("reward", _reward_fault(reward))
            self.look("flags", _flags_fault(terminated, truncated))
            self._info(info)
            self._described(info)
            if _true(terminated) or _true(truncated):
                self._ended += 1
                self.look("episode-end", None)
                return
        self._cut += 1

    def _draws(self, space: gymnasium.Space[Any]) -> bool:
        """Draws the next action, where the space gives one."""
        try:
            self._drawn = space.sample()
            fault = None if self._drawn in space else f"the sample {_shown(self._drawn)} is not in {space}"
        except _RAISED as error:
            fault = said(error)
        self.look("action-space", fault)
        return fault is None

    def _observation(self, env: gymnasium.Env[Any, Any], observation: Any) -> None:
        try:
            space = env.observation_space
            fault = None if observation in space else f"{_shown(observation)} is not in {space}"
        except _RAISED as error:
            fault = said(error)
        self.look("observation-space", fault)

    def _info(self, info: Any) -> None:
        self.look("info", None if isinstance(info, dict) else f"info is {_shown(info)}")
        if not isinstance(info, dict):
            return
        again = id(info) in self._infos
        self.look("info-distinct", "it is an object that an earlier reset or step returned too" if again else None)
        self._infos[id(info)] = info

    def _described(self, info: Any) -> None:
        members = info if isinstance(info, dict) else {}
        step = members.get(TRACE)
        fault = _trace_fault(members)
        self.look("trace", fault)
        if fault is None:
            again = id(step) in self._traces
            self.look("trace-distinct", "it is an object that an earlier step gave too" if again else None)
            self._traces[id(step)] = step
        try:
            fault = _regime_fault(members)
        except _RAISED as error:
            fault = said(error)
        self.look("regime", fault)
        if fault is None:
            regime = members[REGIME]
            self._regimes.append((self._at, regime, regime["label"], bool(regime["boundary"])))

    def _kept_regimes(self) -> None:
        """Whether each regime still says what it said when it was given."""
        for at, regime, label, boundary in self._regimes:
            try:
                now = [regime.get("label"), regime.get("boundary")]
                changed = now != [label, boundary]
            except _RAISED as error:
                now, changed = [said(error)], True
            if changed:
                self._fault("regime", f"it said {_shown([label, boundary])}, and later on {_shown(now)}", at)


def _step(step: int | None) -> str:
    return "reset" if step is None else f"step {step}"


def _reward_fault(reward: Any) -> str | None:
    if isinstance(reward, (bool, numpy.bool_)) or not isinstance(reward, Real):
        return f"the reward is {type(reward).__name__} {_shown(reward)}, no number"
    try:
        value = float(reward)
    except Exception as error:
        return f"the reward is no double: {said(error)}"
    return None if value - value == 0.0 else f"the reward is {value}"


def _flags_fault(terminated: Any, truncated: Any) -> str | None:
    flags = {"terminated": terminated, "truncated": truncated}
    wrong = [
        f"{name} is {type(flag).__name__} {_shown(flag)}"
        for name, flag in flags.items()
        if not isinstance(flag, (bool, numpy.bool_))
    ]
    return " and ".join(wrong) or None


def _true(flag: Any) -> bool:
    """Whether a flag, of whatever type, says yes."""
    try:
        return bool(flag)
    except Exception:
        return False


def _trace_fault(info: Mapping[str, Any]) -> str | None:
    if TRACE not in info:
        return f'info has no member "{TRACE}"'
    step = info[TRACE]
    if not isinstance(step, EpisodeStep):
        return f'info["{TRACE}"] is {type(step).__name__}, no EpisodeStep'
    if not isinstance(step.context, StepContext):
        return f"the EpisodeStep has a {type(step.context).__name__}, no StepContext"
    return None


def _regime_fault(info: Mapping[str, Any]) -> str | None:
    if REGIME not in info:
        return f'info has no member "{REGIME}"'
    regime = info[REGIME]
    if not isinstance(regime, Mapping):
        return f'info["{REGIME}"] is {type(regime).__name__}, no mapping'
    label, boundary = regime.get("label"), regime.get("boundary")
    if not isinstance(label, str) or not 1 <= len(label) <= 128:
        return f"its label is {_shown(label)}, no text of 1 to 128 characters"
    if not isinstance(boundary, (bool, numpy.bool_)):
        return f"its boundary is {_shown(boundary)}, no bool"
    return None


def _describe_fault(env: gymnasium.Env[Any, Any]) -> str | None:
    try:
        describe = env.get_wrapper_attr("describe")  # a wrapper need not have one itself
    except _RAISED:
        return "there is no describe()"
    try:
        described = describe()
        if not isinstance(described, Mapping):
            return f"it returned {_shown(described)}, no mapping"
        if not described:
            return "it returned an empty mapping"
        canonical_json_bytes(dict(described))
    except _RAISED as error:
        return said(error)
    return None


def _gymnasium_fault(env: gymnasium.Env[Any, Any]) -> str | None:
    """What gymnasium's own checker says: every warning, and the exception that ended it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            gymnasium_check_env(env, skip_render_check=True, skip_close_check=True)
            ended = []
        except _RAISED as error:
            ended = [said(error)]
    messages = [
        re.sub(r"\x1b\[[0-9;]*m", "", str(warning.message)) for warning in caught if warning.category is UserWarning
    ]
    # A wrapper is what was asked about; gymnasium would rather see what is in it.
    messages = [message for message in messages if "is different from the unwrapped version" not in message]
    return "; ".join(dict.fromkeys(messages + ended)) or None


def _shown(value: Any) -> str:
    """A value on one line, also where it cannot say what it is."""
    try:
        return " ".join(shown(value, 60).split())
    except Exception:
        return f"a {type(value).__name__}"


def _values(answer: Any) -> str:
    """What was returned, by number where it is a tuple."""
    return f"{len(answer)} values" if isinstance(answer, tuple) else f"{type(answer).__name__}, no tuple"


def _name(env: Any) -> str:
    if isinstance(env, gymnasium.Wrapper):
        try:
            return f"{_name(env.unwrapped)} in {type(env).__qualname__}"
        except _RAISED:
            pass  # what is in it cannot be said
    kind = env if isinstance(env, type) else type(env)
    return f"{kind.__module__}.{kind.__qualname__}"
