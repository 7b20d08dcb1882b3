"""What the harness gives to a trainer, and what it gets back: the protocol of trainers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

ENTRY_POINTS: Final = "reward_receipts.trainers"
"""The group of entry points under which packages offer trainers, by name."""


class UnknownTrainer(ValueError):
    """No trainer has a name, or what has it is not a trainer."""


@runtime_checkable
class Policy(Protocol):
    """What chooses actions."""

    def act(self, observation: Any) -> Any:
        """The action for one observation, the best one that it knows: evaluations use it."""

    def save(self, folder: Path) -> None:
        """Writes the policy to an empty folder, in the trainer's own format."""


@dataclass(frozen=True)
class Task:
    """One seed of an experiment, ready to be trained."""

    seed: int
    total_steps: int
    """Training steps in all environments together."""
    environments: Sequence[Any]
    """Gymnasium environments that are traced, with regimes and reward in place. Reset and step them as they are; reset
    environment i for the first time with ``seed=task.seed + i``."""
    arguments: Mapping[str, Any]
    """The trainer's arguments."""
    progress: Callable[[int, Policy], None]
    """To be called with the steps so far and the current policy, at least once in a rollout and before the first one:
    it evaluates if that is due, and says how far the run is."""
    folder: Path
    """Where the trainer can write its own logs."""


class Trainer(Protocol):
    """Trains a policy. A class is made without arguments; ``train`` gets everything."""

    def train(self, task: Task) -> Policy:
        """Trains and returns the policy. Raises ValueError for arguments that it does not know."""

    def versions(self) -> Mapping[str, str]:
        """The versions of the packages that it trains with."""


_BUILT_IN: Final = {
    "random": "reward_receipts.experiments.baselines:RandomTrainer",
    "constant": "reward_receipts.experiments.baselines:ConstantTrainer",
    "stable-baselines3": "reward_receipts.experiments.stable_baselines3:StableBaselines3",
}


def trainer_of(name: str) -> Trainer:
    """The trainer of a name: one of the package, of an entry point, or module:name. Raises UnknownTrainer."""
    place = _BUILT_IN.get(name)
    try:
        if place is None:
            found = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
            if name in found:
                made = found[name].load()()
                return _required(name, made)
            if ":" not in name:
                known = ", ".join(sorted({*_BUILT_IN, *found}))
                raise UnknownTrainer(
                    f"no trainer is called {name!r}; expected {known}, or module:name of a class of your own"
                )
            place = name
        return _required(name, named_object(place)())
    except UnknownTrainer:
        raise
    except (ImportError, AttributeError, TypeError) as error:
        raise UnknownTrainer(f"the trainer {name!r} cannot be loaded: {error}") from error


def named_object(place: str) -> Any:
    """What ``module:name`` names. Raises ImportError and AttributeError."""
    module, _, name = place.partition(":")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _required(name: str, made: Any) -> Trainer:
    if not callable(getattr(made, "train", None)) or not callable(getattr(made, "versions", None)):
        raise UnknownTrainer(f"{name!r} is not a trainer: expected the methods train(task) and versions()")
    trainer: Trainer = made
    return trainer
