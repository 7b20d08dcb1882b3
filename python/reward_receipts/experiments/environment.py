"""The environments of an experiment: made, with regimes, reward and recorder around them, in that order."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import gymnasium

from ..core.foreign import describe_error
from ..envs import ComposedReward, NamedObservation, RegimeSchedule, TraceRecorder
from ..envs.compose import TraceMissing
from ..envs.step import REGIME
from ..rewards.components.registry import REGISTRY
from .document import Experiment
from .task import named_object

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper

_ABSENT: Final = object()


class EnvironmentRefused(ValueError):
    """An experiment's environment cannot be made, or does not have what a regime sets."""


def made(experiment: Experiment) -> Any:
    """The bare environment. Raises EnvironmentRefused, which names the id or class."""
    said = experiment.environment
    most = said["max_episode_steps"]
    named = said.get("id") or said["class"]
    try:
        if "id" in said:
            given = {} if most is None else {"max_episode_steps": most}
            env: Any = gymnasium.make(said["id"], **given, **copy.deepcopy(dict(said["kwargs"])))
        else:
            if ":" not in said["class"]:
                raise EnvironmentRefused(f"the class {named!r} has no module; expected module:name")
            env = named_object(said["class"])(**copy.deepcopy(dict(said["kwargs"])))
            if most is not None:
                env = gymnasium.wrappers.TimeLimit(env, most)
    except EnvironmentRefused:
        raise
    except Exception as error:  # it is not known what an environment does
        raise EnvironmentRefused(f"the environment {named!r} cannot be made: {describe_error(error)}") from error
    if not isinstance(env, gymnasium.Env):
        raise EnvironmentRefused(f"{named!r} makes a {type(env).__name__}; expected a gymnasium.Env")
    names = said["observation"]
    if names is None:
        return env
    try:
        return NamedObservation(env, names)
    except (TypeError, ValueError) as error:
        raise EnvironmentRefused(f"the observation of {named!r} cannot be named: {error}") from error


class Settings:
    """Puts the settings of regimes into force in one environment; what one does not set gets its first value back."""

    def __init__(self, experiment: Experiment, env: Any) -> None:
        self._env = env.unwrapped
        self._of = {each.label: each.settings for each in experiment.regimes}
        first: dict[str, Any] = {}
        for regime in experiment.regimes:
            if dict(self._of[regime.label]) != dict(regime.settings):
                raise EnvironmentRefused(f"the regime {regime.label!r} is listed twice with different settings")
            for name in regime.settings:
                value = getattr(self._env, name, _ABSENT)
                if value is _ABSENT:
                    kind = type(self._env).__name__
                    raise EnvironmentRefused(f"the regime {regime.label!r} sets {name!r}, which {kind} does not have")
                first.setdefault(name, copy.deepcopy(value))
        self._first = first

    def apply(self, label: str) -> None:
        """Puts a regime into force."""
        for name, value in {**self._first, **self._of[label]}.items():
            setattr(self._env, name, copy.deepcopy(value))


def training_environment(experiment: Experiment, trace: Path, place: int) -> TraceRecorder:
    """Environment ``place`` of those that train, which writes its rows to ``trace``.

    A start in steps counts those of all environments: each of n of them changes after start / n steps, rounded up.
    """
    return TraceRecorder(_scheduled(experiment), trace, environment=place)


def try_out(experiment: Experiment) -> None:
    """Makes an environment with its regimes and its reward, and takes one step in it, in every regime's settings.

    Raises EnvironmentRefused for what would fail at the first step of a seed: a spec and an environment of Tier 1, say.
    """
    named = experiment.environment.get("id") or experiment.environment["class"]
    env = _scheduled(experiment)
    try:
        env.reset(seed=0)
        env.action_space.seed(0)
        env.step(env.action_space.sample())
        settings = Settings(experiment, env)
        for regime in experiment.regimes:
            settings.apply(regime.label)
    except EnvironmentRefused:
        raise
    except TraceMissing as error:
        raise EnvironmentRefused(
            f"the environment {named!r} is Tier 1, and the experiment has a reward spec: {error}. Or name the entries "
            "of its observation: environment.observation"
        ) from error
    except Exception as error:  # it is not known what an environment does
        raise EnvironmentRefused(f"the environment {named!r} cannot take a step: {describe_error(error)}") from error
    finally:
        env.close()


def _scheduled(experiment: Experiment) -> Any:
    """An environment with its regimes and its reward."""
    env = made(experiment)
    if experiment.regimes:
        settings = Settings(experiment, env)
        number = experiment.environments if experiment.unit == "steps" else 1
        schedule = [(-(-each.start // number), each.label) for each in experiment.regimes]
        unit: Any = experiment.unit
        try:
            env = RegimeSchedule(env, schedule, unit=unit, on_boundary=lambda _, label: settings.apply(label))
        except ValueError as error:
            raise EnvironmentRefused(f"the schedule of regimes is refused: {error}") from error
    return _rewarded(experiment, env)


class InRegime(Wrapper):
    """An environment in one regime at a time, for evaluation: ``enter`` changes it before a reset."""

    def __init__(self, env: Any, settings: Settings) -> None:
        super().__init__(env)
        self._settings = settings
        self._label: str | None = None
        self._begins = False

    def enter(self, label: str | None) -> None:
        """Puts a regime into force from the next reset on; None where the experiment has none."""
        if label is not None:
            self._settings.apply(label)
        self._begins = label != self._label
        self._label = label

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, self._said(info)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = self._said(info)
        self._begins = False
        return observation, reward, terminated, truncated, info

    def _said(self, info: Mapping[str, Any]) -> dict[str, Any]:
        if self._label is None:
            return dict(info)
        return {**info, REGIME: {"label": self._label, "boundary": self._begins}}


def evaluation_environment(experiment: Experiment, trace: Path) -> tuple[TraceRecorder, InRegime]:
    """The environment that evaluates, which writes its rows to ``trace``, and what changes its regime."""
    env = made(experiment)
    regime = InRegime(env, Settings(experiment, env))
    return TraceRecorder(_rewarded(experiment, regime), trace, evaluation=True), regime


def _rewarded(experiment: Experiment, env: Any) -> Any:
    return env if experiment.spec is None else ComposedReward(env, experiment.spec, registry=REGISTRY)
