"""The callback and the rollout buffers for receipts in Stable-Baselines3. Importing it imports the trainer.

NaN is the reward of an episode that was dropped (``ReceiptReward(..., unscored="nan")``). The buffers leave out all
steps of such an episode before the policy learns; where something else would take them, the callback raises.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..core.numbers import plain_integer
from .gymnasium import RECEIPTS, UnscoredEpisode
from .scoring import Drop

if TYPE_CHECKING:

    class BaseCallback:
        """As mypy sees it without the trainer."""

        model: Any
        training_env: Any
        logger: Any
        locals: dict[str, Any]

        def __init__(self, verbose: int = 0) -> None: ...

    class RolloutBuffer:
        """As mypy sees it without the trainer."""

        buffer_size: int
        n_envs: int
        full: bool
        rewards: Any
        values: Any
        returns: Any
        advantages: Any
        episode_starts: Any

        def reset(self) -> None: ...
        def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None: ...
        def get(self, batch_size: int | None = None) -> Iterator[Any]: ...
        def _get_samples(self, batch_inds: Any, env: Any = None) -> Any: ...

    DictRolloutBuffer = RolloutBuffer

    class VecEnvWrapper:
        """As mypy sees it without the trainer."""

        venv: Any

    class VecNormalize(VecEnvWrapper):
        """As mypy sees it without the trainer."""

        norm_reward: bool
else:
    from stable_baselines3.common.buffers import DictRolloutBuffer, RolloutBuffer
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecEnvWrapper, VecNormalize

_BUFFERS: Final = "rollout_buffer_class=ScoredRolloutBuffer (ScoredDictRolloutBuffer for observations that are dicts)"


class _LeavesOutUnscored(RolloutBuffer):
    """A rollout buffer whose minibatches have no step of an episode with a NaN reward."""

    _scored: Any = None

    def reset(self) -> None:
        super().reset()
        self._scored = None

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """As the trainer's, for the steps that are left. Raises ValueError if none is."""
        dropped = steps_of_unscored(self.rewards, self.episode_starts)
        self.rewards[dropped] = 0.0  # it is not trained on; NaN would spread over the whole column
        super().compute_returns_and_advantage(last_values, dones)
        self.advantages[dropped] = 0.0
        self.returns[dropped] = self.values[dropped]
        self._scored = np.flatnonzero(~dropped.swapaxes(0, 1).reshape(-1))
        if not len(self._scored):
            raise ValueError(
                f"every one of the {dropped.size} steps of this rollout is of an unscored episode; there is nothing to "
                "train on"
            )

    def get(self, batch_size: int | None = None) -> Iterator[Any]:
        """Minibatches of scored steps, in random order."""
        next(super().get(batch_size=1))  # flattens the arrays
        places = np.random.permutation(self._scored)
        size = len(places) if batch_size is None else batch_size
        for start in range(0, len(places), size):
            yield self._get_samples(places[start : start + size])


class ScoredRolloutBuffer(_LeavesOutUnscored):
    """For ``PPO(..., rollout_buffer_class=ScoredRolloutBuffer)`` and A2C: leaves out episodes without a reward.

    The part of such an episode that an earlier rollout had was trained on already, with the value that the policy
    expected of the rest.
    """


class ScoredDictRolloutBuffer(_LeavesOutUnscored, DictRolloutBuffer):
    """ScoredRolloutBuffer for observations that are dicts."""


def steps_of_unscored(rewards: Any, episode_starts: Any) -> Any:
    """The steps of the episodes that have a NaN reward: booleans of the shape (steps, environments) of both arrays."""
    episodes = np.cumsum(episode_starts != 0, axis=0)
    dropped = np.zeros(rewards.shape, dtype=bool)
    for step, env in np.argwhere(np.isnan(rewards)):
        dropped[:, env] |= episodes[:, env] == episodes[step, env]
    return dropped


class ReceiptsCallback(BaseCallback):
    """Tells the environments the trainer's policy update, logs receipts, and lets no NaN reach the policy.

    The policy update is the trainer's own count of updates (``train/n_updates`` in its logger) plus ``first_update``.
    Each rollout it records, of the episodes that ended since the logger last wrote: ``receipts/episodes``; the shares
    ``receipts/certified_synthetic``, ``receipts/unscored``, ``receipts/dropped/CODE`` and ``receipts/refusals/CODE``;
    the means ``receipts/scalar`` and ``receipts/components/NAME`` over those that have a reward.

    It raises UnscoredEpisode for a NaN reward if the trainer's buffer would take it, and ValueError if the environments
    have no ReceiptReward, or NaN was asked for inside of a VecNormalize that averages rewards.

        PPO("MlpPolicy", env, rollout_buffer_class=ScoredRolloutBuffer).learn(100_000, callback=ReceiptsCallback())
    """

    def __init__(self, first_update: int = 0, verbose: int = 0) -> None:
        super().__init__(verbose)
        number = plain_integer(first_update)
        if number is None or number < 0:
            raise ValueError(f"first_update is {first_update!r}; expected an integer from 0")
        self._first_update = number
        self._tally = Tally()
        self._recorded = False

    def _on_training_start(self) -> None:
        if not self.training_env.has_attr("set_policy_update"):
            raise ValueError(
                "the environments have no ReceiptReward; wrap each in integrations.gymnasium.ReceiptReward"
            )
        unscored = self.training_env.get_attr("unscored")
        env = self.training_env
        while "nan" in unscored and isinstance(env, VecEnvWrapper):
            if isinstance(env, VecNormalize) and env.norm_reward:
                raise ValueError(
                    "VecNormalize(norm_reward=True) averages rewards, and one NaN would make its average NaN for good: "
                    'give norm_reward=False, or ReceiptReward(..., unscored="raise")'
                )
            env = env.venv

    def _on_rollout_start(self) -> None:
        self.training_env.env_method("set_policy_update", self._first_update + self.model._n_updates)

    def _on_step(self) -> bool:
        if self._recorded and "receipts/episodes" not in self.logger.name_to_value:  # it was written
            self._tally, self._recorded = Tally(), False
        for reward, info in zip(self.locals["rewards"], self.locals["infos"], strict=True):
            receipts = info.get(RECEIPTS)
            if receipts is not None:
                self._tally.add(receipts)
            if np.isnan(reward):
                self._require_droppable(receipts)
                info.pop("episode", None)  # the Monitor's return is NaN, and the trainer would average it
        return True

    def _require_droppable(self, receipts: Any) -> None:
        code = "" if receipts is None else receipts["dropped"]
        if not code:
            raise ValueError("a reward is NaN, and no receipt says that its episode was dropped")
        if not isinstance(getattr(self.model, "rollout_buffer", None), _LeavesOutUnscored):
            raise UnscoredEpisode(
                f"an episode has no reward ({code}: {receipts['why']}), and the buffer of "
                f"{type(self.model).__name__} would give NaN to the policy. For PPO and A2C give {_BUFFERS}",
                Drop(0, code, receipts["why"], None),
            )

    def _on_rollout_end(self) -> None:
        for name, value in self._tally.scalars().items():
            self.logger.record(f"receipts/{name}", value)
            self._recorded = True


class Tally:
    """Counts over ``info["receipts"]`` of the episodes that ended."""

    def __init__(self) -> None:
        self._episodes = 0
        self._counts: Counter[str] = Counter()
        self._values: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, receipts: dict[str, Any]) -> None:
        """Takes an episode."""
        self._episodes += 1
        dropped = receipts["dropped"]
        self._counts["certified_synthetic"] += receipts["certified_synthetic"]
        self._counts["unscored"] += dropped == "unscored"
        if dropped not in ("", "unscored"):
            self._counts[f"dropped/{dropped}"] += 1
        self._counts.update(f"refusals/{code}" for code in receipts["refusals"])
        if not dropped:
            self._values["scalar"].append(receipts["scalar"])
            for name, value in receipts["components"].items():
                self._values[f"components/{name}"].append(value)

    def scalars(self) -> dict[str, float]:
        """Flat names and numbers; none before an episode ended."""
        if not self._episodes:
            return {}
        shares = {name: count / self._episodes for name, count in self._counts.items()}
        means = {name: float(np.mean(values)) for name, values in self._values.items()}
        return {"episodes": self._episodes, **shares, **means}
