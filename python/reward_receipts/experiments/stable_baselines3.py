"""Stable-Baselines3 as a trainer: any of its algorithms, imported when it trains."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from ..integrations.trainers import STABLE_BASELINES3, require
from .task import Policy, Task

_PACKAGES: Final = ("stable-baselines3", "torch")


class StableBaselines3:
    """The argument ``algorithm`` names a class of the package: PPO, A2C, DQN, SAC, TD3, DDPG. ``policy`` is
    MlpPolicy by default; all other arguments go to the class. With ``algorithm: module:Class`` it is a class of
    another package with the same interface, sb3_contrib:TRPO say.
    """

    def versions(self) -> Mapping[str, str]:
        """The versions of the package and of torch. Raises ModuleNotFoundError if it is not installed."""
        require(STABLE_BASELINES3)
        return {name: version(name) for name in _PACKAGES}

    def train(self, task: Task) -> Policy:
        """Trains. Rollouts are whole, so it can take more steps than asked for. Raises ValueError as the class does."""
        require(STABLE_BASELINES3)
        vec_env = import_module("stable_baselines3.common.vec_env")
        arguments = dict(task.arguments)
        name = arguments.pop("algorithm", None)
        if not isinstance(name, str):
            raise ValueError("the trainer stable-baselines3 needs the argument algorithm: PPO, A2C, DQN, SAC, ...")
        module, _, kind = name.rpartition(":")
        algorithm = getattr(import_module(module or "stable_baselines3"), kind, None)
        if algorithm is None:
            raise ValueError(f"{module or 'stable_baselines3'} has no algorithm {kind!r}")
        policy = arguments.pop("policy", "MlpPolicy")
        given = {"seed": task.seed, "device": "cpu", "verbose": 0, **arguments}
        places = [lambda env=env: env for env in task.environments]
        try:
            model = algorithm(policy, vec_env.DummyVecEnv(places), **given)
        except TypeError as error:
            raise ValueError(f"{name} refuses its arguments: {error}") from error
        logger = import_module("stable_baselines3.common.logger").configure(str(task.folder), ["csv"])
        model.set_logger(logger)
        wrapped = _Policy(model)
        try:
            model.learn(task.total_steps, callback=_callback(task, wrapped))
        finally:
            logger.close()
        task.progress(model.num_timesteps, wrapped)
        return wrapped


class _Policy:
    def __init__(self, model: Any) -> None:
        self._model = model

    def act(self, observation: Any) -> Any:
        return self._model.predict(observation, deterministic=True)[0]

    def save(self, folder: Path) -> None:
        self._model.save(folder / "model.zip")


def _callback(task: Task, policy: Policy) -> Any:
    base = import_module("stable_baselines3.common.callbacks").BaseCallback

    class Progress(base):  # type: ignore[misc,valid-type]
        """Tells the harness how far training is, at each rollout."""

        def _on_rollout_start(self) -> None:
            task.progress(self.num_timesteps, policy)

        def _on_step(self) -> bool:
            return True

    return Progress()
