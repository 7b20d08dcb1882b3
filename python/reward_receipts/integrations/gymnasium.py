"""Gymnasium: an environment whose reward is a contract's, at the end of each episode.

A reward of Gymnasium is a number, so there is none for an unscored episode: by default the wrapper raises. NaN has to
be asked for, and somebody has to drop the episode before a policy learns from it: for Stable-Baselines3 the callback
and the rollout buffer of ``integrations.stable_baselines3`` do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar, get_args

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"integrations.gymnasium needs Gymnasium ({error.name} is not installed): pip install 'reward-receipts[envs]'",
        name=error.name,
    ) from None

from ..documents.certificate import require_policy_update
from .scoring import Drop, Sample, Scoring

Observation = TypeVar("Observation")
Action = TypeVar("Action")

WhenUnscored = Literal["raise", "nan"]
RECEIPTS: Final = "receipts"
"""The member of the last step's ``info`` that the wrapper adds."""


class UnscoredEpisode(RuntimeError):
    """An episode ended without a reward, and there is no number for that."""

    def __init__(self, message: str, drop: Drop) -> None:
        super().__init__(message)
        self.drop = drop
        """Why there is no reward."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.drop)


class ReceiptReward(gymnasium.Wrapper[Observation, Action, Observation, Action]):
    """An environment whose reward is 0.0 until an episode ends, and then the contract's scalar.

    ``read`` is called with the observation and the info of the last step, terminated or truncated, and returns a
    Reading or the episode_id of a receipt. The policy update at which expiry is evaluated is the one that
    ``set_policy_update`` last got (0 at first).

    The last step's ``info["receipts"]`` has ``components``, ``certified_synthetic``, ``refusals`` (codes), ``dropped``
    (the code of why, or ""), ``why`` (its sentence), ``own_reward``, the environment's own of that step, and ``scalar``
    unless the episode was dropped.

    If an episode was dropped, ``step`` raises UnscoredEpisode, and the next call is ``reset``. With ``unscored="nan"``
    the reward is NaN instead: whoever takes it drops the whole episode.

        env = ReceiptReward(OrderDesk(), Scoring(contract, certificate, keyring=keyring), read_file)
    """

    def __init__(
        self,
        env: gymnasium.Env[Observation, Action],
        scoring: Scoring,
        read: Callable[[Observation, dict[str, Any]], Sample],
        *,
        unscored: WhenUnscored = "raise",
    ) -> None:
        if unscored not in get_args(WhenUnscored):
            raise ValueError(
                f"unscored is {unscored!r}; expected raise or nan (there is no number for such an episode)"
            )
        super().__init__(env)
        self.unscored: WhenUnscored = unscored
        self._scoring = scoring
        self._read = read
        self._update = 0

    def set_policy_update(self, policy_update: int) -> None:
        """Takes the trainer's own policy update. Raises ValueError if it is not an integer of its range."""
        self._update = require_policy_update(policy_update)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """A step. Raises UnscoredEpisode, and whatever ``Scoring.score`` raises."""
        observation, own, terminated, truncated, info = self.env.step(action)
        if not (terminated or truncated):
            return observation, 0.0, terminated, truncated, info
        (row,) = self._scoring.score([self._read(observation, info)], self._update).rows
        drop = row.drop
        info[RECEIPTS] = {
            # Of the same types for each episode, because vector environments merge the infos of theirs into arrays.
            "components": dict(row.components),
            "certified_synthetic": row.certified,
            "refusals": [each.code for each in row.refusals],
            "dropped": "" if drop is None else drop.code,
            "why": "" if drop is None else drop.sentence,
            "own_reward": float(own),
        }
        if row.scalar is not None:
            info[RECEIPTS]["scalar"] = row.scalar
        if drop is not None and self.unscored == "raise":
            named = "the episode" if drop.episode_id is None else f"episode {drop.episode_id}"
            raise UnscoredEpisode(
                f"{named} has no reward ({drop.code}: {drop.sentence}), and Gymnasium has no number for that. Reset "
                'and go on, or take NaN with unscored="nan" and drop the episode before a policy learns from it',
                drop,
            )
        return observation, math.nan if row.scalar is None else row.scalar, terminated, truncated, info
