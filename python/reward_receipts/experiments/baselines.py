"""Two trainers that do not learn, to compare others with: random actions, and one action."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .task import Policy, Task

_EVERY = 500
"""The steps from one report of progress to the next."""


class RandomTrainer:
    """Actions drawn from the action space; the argument ``seed`` is not needed: it is the task's."""

    def versions(self) -> Mapping[str, str]:
        """Nothing but the environment is used."""
        return {}

    def train(self, task: Task) -> Policy:
        """Steps each environment in turn. Raises ValueError for any argument."""
        _require_known(task.arguments, ())
        spaces = [env.action_space for env in task.environments]
        for place, space in enumerate(spaces):
            space.seed(task.seed + place)
        policy = _RandomPolicy(type(spaces[0]), spaces[0], task.seed)
        _run(task, policy, lambda place, observation: spaces[place].sample())
        return policy


class ConstantTrainer:
    """The same ``action`` at every step; of a Discrete space a number, of a Box a list."""

    def versions(self) -> Mapping[str, str]:
        """Nothing but the environment is used."""
        return {}

    def train(self, task: Task) -> Policy:
        """Steps each environment in turn. Raises ValueError without ``action``, or if the space does not have it."""
        _require_known(task.arguments, ("action",))
        if "action" not in task.arguments:
            raise ValueError("the trainer constant needs the argument action")
        action = task.arguments["action"]
        space = task.environments[0].action_space
        if isinstance(action, list):
            import numpy

            action = numpy.asarray(action, getattr(space, "dtype", None))
        if not space.contains(action):
            raise ValueError(f"the action {action!r} is not in the action space {space}")
        policy = _ConstantPolicy(action)
        _run(task, policy, lambda place, observation: action)
        return policy


class _RandomPolicy:
    def __init__(self, kind: type, space: Any, seed: int) -> None:
        import copy

        self._space = copy.deepcopy(space)  # evaluations draw from their own numbers
        self._space.seed(seed)
        self._seed = seed

    def act(self, observation: Any) -> Any:
        return self._space.sample()

    def save(self, folder: Path) -> None:
        said = {"policy": "random", "action_space": str(self._space), "seed": self._seed}
        (folder / "policy.json").write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")


class _ConstantPolicy:
    def __init__(self, action: Any) -> None:
        self._action = action

    def act(self, observation: Any) -> Any:
        return self._action

    def save(self, folder: Path) -> None:
        action = self._action.tolist() if hasattr(self._action, "tolist") else self._action
        text = json.dumps({"policy": "constant", "action": action}, indent=2)
        (folder / "policy.json").write_text(text + "\n", encoding="utf-8")


def _run(task: Task, policy: Policy, choose: Callable[[int, Any], Any]) -> None:
    environments = task.environments
    observations = [env.reset(seed=task.seed + place)[0] for place, env in enumerate(environments)]
    task.progress(0, policy)
    for step in range(task.total_steps):
        place = step % len(environments)
        observation, _, terminated, truncated, _ = environments[place].step(choose(place, observations[place]))
        observations[place] = environments[place].reset()[0] if terminated or truncated else observation
        if (step + 1) % _EVERY == 0:
            task.progress(step + 1, policy)
    task.progress(task.total_steps, policy)


def _require_known(arguments: Mapping[str, Any], known: tuple[str, ...]) -> None:
    if unknown := [name for name in arguments if name not in known]:
        raise ValueError(
            f"the trainer does not take {', '.join(unknown)}; it takes {', '.join(known) or 'no argument'}"
        )
