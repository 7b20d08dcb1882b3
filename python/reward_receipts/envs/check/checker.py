"""``check_env``: plays whole episodes of an environment and checks every step (spec, section 10).

An exception that the environment raises is a fault of the environment, never of the checker. A requirement that could
not be checked is undecided, never passed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from operator import methodcaller
from typing import Any, Final

import gymnasium

from ...core.counted import counted
from ...core.foreign import describe_error, raised_at
from ...core.numbers import plain_integer
from ..step import TRACE, EpisodeStep
from . import rules
from .digest import digest_of
from .report import EnvReport
from .requirements import REQUIREMENTS
from .tally import Place, Tally

_FIRST_NUMBERS: Final = (0, 1)
"""Numbers that an environment can give the first step of an episode: it may count the reset as 0."""

_CLOSE: Final = methodcaller("close")


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
    raises is in the report, KeyboardInterrupt apart. Raises VectorEnvRefused for a vector environment, whose steps are
    many at once, when it is closed; ValueError for numbers of episodes or steps below 1, or a seed below 0.
    """
    episodes = _at_least("episodes", episodes, 1)
    max_steps, seed = _at_least("max_steps", max_steps, 1), _at_least("seed", seed, 0)
    check = _Check(max_steps, seed, actions)
    given: Any = env
    if not _is_environment(given) and callable(given):
        made, fault = rules.attempt(given)
        if fault is not None:
            check.look(
                "environment",
                f"it could not be made: {fault}; give an environment, or a function without arguments that makes it",
            )
            return check.report(rules.name_of(given))
        given = made
    name = rules.name_of(given)
    if issubclass(type(given), gymnasium.vector.VectorEnv):
        rules.attempt(_CLOSE, given)
        raise VectorEnvRefused(f"{name} is a vector environment; check one of the environments that it is made of")
    if _is_environment(given):
        check.look("environment", None)
        check.play(given, episodes)
    else:
        check.look("environment", f"{name} is not a subclass of gymnasium.Env")
    return check.report(name)


def _is_environment(env: object) -> bool:
    return issubclass(type(env), (gymnasium.Env, gymnasium.vector.VectorEnv))


def _digests(answer: tuple[Any, ...]) -> dict[str, bytes]:
    """Digests of the parts of what ``reset`` or ``step`` returned, by what they are called."""
    names = ("the observation",) if len(answer) == 2 else ("the observation", "the reward", "terminated", "truncated")
    parts = dict(zip(names, answer, strict=False))
    info = answer[-1]
    if isinstance(info, dict) and isinstance(info.get(TRACE), EpisodeStep):
        parts[f'info["{TRACE}"]'] = info[TRACE]
    return {name: digest_of(part) for name, part in parts.items()}


def _at_least(name: str, value: object, least: int) -> int:
    number = plain_integer(value)
    if number is None or number < least:
        raise ValueError(f"{name} is a whole number of at least {least}, not {value!r}")
    return number


class _Check:
    """One run of the checker."""

    def __init__(self, max_steps: int, seed: int, actions: Callable[[Any], Any] | None) -> None:
        self._max_steps, self._seed, self._actions = max_steps, seed, actions
        self._tallies = {name: Tally(name) for name in REQUIREMENTS}
        self._episodes = self._ended = self._steps = 0
        self._at: Place = (None, None)
        # What was returned is kept, so that no object gets the identity of an earlier one.
        self._infos: dict[int, tuple[Place, dict[Any, Any], dict[Any, Any]]] = {}
        self._traces: dict[int, Any] = {}
        self._first_number = 0
        self._regimes: list[tuple[Place, tuple[Mapping[str, Any], str, bool]]] = []
        # The first episode: its actions, and digests of what its reset and its steps returned.
        self._played: list[tuple[Any, dict[str, bytes]]] = []

    def look(self, name: str, fault: str | None) -> None:
        """Counts one check of a requirement, and the fault that it found, if any."""
        self._tallies[name].look(fault, self._at)

    def play(self, env: gymnasium.Env[Any, Any], episodes: int) -> None:
        """Plays whole episodes of an environment, and closes it."""
        try:
            space, fault = rules.attempt(rules.action_space, env, self._seed)
            if fault is not None:
                self.look("action-space", fault)
            for episode in range(episodes):
                self._at = (episode, None)
                self._episode(env, space, episode)
            self._at = (None, None)
            self._kept()
            self._looked("describe", rules.described, env)
            self._repeat(env)
            self._looked("gymnasium-checker", rules.gymnasium_says, env)
        finally:
            self._at = (None, None)
            self._looked("close", _CLOSE, env)

    def report(self, environment: str) -> EnvReport:
        """What was seen."""
        capabilities = tuple(tally.capability() for tally in self._tallies.values())
        return EnvReport(environment, self._seed, self._episodes, self._ended, self._steps, capabilities)

    def _looked(self, name: str, check: Callable[..., Any], *values: Any) -> Any:
        """The result of a check of some values; None if it found a fault, which is counted."""
        found, fault = rules.attempt(check, *values)
        self.look(name, fault)
        return found

    def _called(
        self, name: str, env: gymnasium.Env[Any, Any], call: Callable[[Any], Any], number: int
    ) -> tuple[Any, ...] | None:
        """The values that a method of the environment returned; None where it raised, or returned something else."""
        try:
            answer = call(env)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # A TypeError that comes from no place in it: it does not take these arguments.
            is_refused = isinstance(error, TypeError) and raised_at(error) is None
            self.look(name if is_refused else "no-exception", describe_error(error))
            return None
        self.look("no-exception", None)
        values: tuple[Any, ...] | None = self._looked(name, rules.values, answer, number)
        return values

    def _episode(self, env: gymnasium.Env[Any, Any], space: gymnasium.Space[Any] | None, episode: int) -> None:
        self._episodes += 1
        begun = self._called("reset", env, methodcaller("reset", seed=self._seed + episode), 2)
        if begun is None:
            return
        observation, info = begun
        self._looked("observation-space", rules.observation, env, observation)
        self._info(info)
        self._remember(episode, None, begun)
        for step in range(self._max_steps):
            self._at = (episode, step)
            action = self._action(observation, space)
            if action is None:
                return
            self._steps += 1
            kept, _ = rules.attempt(deepcopy, action[0])  # the environment may change what it is given
            taken = self._called("five-values", env, methodcaller("step", *action), 5)
            if taken is None:
                return
            observation, reward, terminated, truncated, info = taken
            self._remember(episode, kept, taken)
            self._looked("observation-space", rules.observation, env, observation)
            self._looked("reward", rules.reward, reward)
            self._looked("flags", rules.flags, terminated, truncated)
            self._described(self._info(info), step)
            if rules.is_true(terminated) or rules.is_true(truncated):
                self._ended += 1
                self.look("episode-end", None)
                return
        self._tallies["episode-end"].unseen(f"the others were left after {counted(self._max_steps, 'step')}")

    def _action(self, observation: Any, space: gymnasium.Space[Any] | None) -> tuple[Any] | None:
        """The next action; None where there is none to be had."""
        if self._actions is not None:
            return (self._actions(observation),)
        action: tuple[Any] | None = None if space is None else self._looked("action-space", rules.drawn, space)
        return action

    def _info(self, given: Any) -> dict[Any, Any]:
        """Looks at an info. Returns it, or one without members where it is none."""
        info: dict[Any, Any] | None = self._looked("info", rules.info, given)
        if info is None:
            return {}
        again = id(info) in self._infos
        self.look("info-distinct", "it is an object that an earlier reset or step returned too" if again else None)
        self._infos.setdefault(id(info), (self._at, info, dict.copy(info)))
        return info

    def _described(self, info: dict[Any, Any], step: int) -> None:
        """Looks at what an info says of the step."""
        numbers = _FIRST_NUMBERS if step == 0 else (self._first_number + step,)
        record = self._looked("trace", rules.trace, info, numbers)
        if step == 0:
            self._first_number = 0 if record is None else record.context.step
        if record is not None:
            again = id(record) in self._traces
            self.look("trace-distinct", "it is an object that an earlier step gave too" if again else None)
            self._traces[id(record)] = record
        regime = self._looked("regime", rules.regime, info)
        if regime is not None:
            self._regimes.append((self._at, regime))

    def _remember(self, episode: int, action: Any, answer: tuple[Any, ...]) -> None:
        """Keeps what the first episode was, up to the first answer that cannot be looked at."""
        if not episode and len(self._played) == (0 if self._at[1] is None else self._at[1] + 1):
            found, _ = rules.attempt(_digests, answer)
            if found is not None:
                self._played.append((action, found))

    def _repeat(self, env: gymnasium.Env[Any, Any]) -> None:
        """Plays the first episode again, from its seed and with its actions, and compares."""
        if len(self._played) < 2:
            return
        for place, (action, expected) in enumerate(self._played):
            call = methodcaller("step", deepcopy(action)) if place else methodcaller("reset", seed=self._seed)
            self._at = (0, place - 1 if place else None)
            answer, fault = rules.attempt(call, env)
            found, differing = rules.attempt(_digests, answer) if fault is None else (None, fault)
            if found is not None:
                names = [name for name in expected if found.get(name) != expected[name]]
                differing = f"the second time, {' and '.join(names)} differ" if names else None
            self.look("repeats", differing)
            if differing is not None:
                return

    def _kept(self) -> None:
        """Whether each info and each regime is still as it was given."""
        for at, info, was in self._infos.values():
            self._still("info-distinct", at, rules.kept_info, info, was)
        for at, regime in self._regimes:
            self._still("regime", at, rules.kept_regime, *regime)

    def _still(self, name: str, at: Place, check: Callable[..., Any], *values: Any) -> None:
        _, fault = rules.attempt(check, *values)
        if fault is not None:
            self._tallies[name].fault(fault, at)
