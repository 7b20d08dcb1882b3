"""Gymnasium environments whose reward is a contract's."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import reward_receipts as rr
from gymnasium.utils.env_checker import check_env
from reward_receipts.integrations.gymnasium import ReceiptReward, UnscoredEpisode
from reward_receipts.integrations.scoring import Drop
from training import Desk, episode, reading

STEPS = 3


class Line(gymnasium.Env[Any, Any]):
    """Episodes of three steps with rewards of their own; the last info says what the oracle is to find."""

    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, outcomes: list[str], truncate: bool = False) -> None:
        self._outcomes = outcomes
        self._truncate = truncate
        self._episode = -1

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self._step = 0
        self._episode += 1
        return np.zeros(1, np.float32), {}

    def step(self, action: Any) -> Any:
        self._step += 1
        over = self._step == STEPS
        info = {"outcome": self._outcomes[self._episode % len(self._outcomes)]} if over else {}
        return np.zeros(1, np.float32), 5.0, over and not self._truncate, over and self._truncate, info


def read(observation: Any, info: dict[str, Any]) -> Any:
    return reading(info["outcome"])


def played(env: gymnasium.Env[Any, Any]) -> list[tuple[float, dict[str, Any]]]:
    """The rewards and infos of an episode."""
    env.reset(seed=1)
    steps = []
    for _ in range(STEPS):
        _, reward, terminated, truncated, info = env.step(0)
        steps.append((float(reward), info))
    assert terminated or truncated
    return steps


@pytest.mark.parametrize("truncate", [False, True])
def test_the_reward_is_the_contracts_at_the_end(truncate: bool) -> None:
    env = ReceiptReward(Line(["verified", "wrong_effect"], truncate), Desk().scoring(), read)
    assert [reward for reward, _ in played(env)] == [0.0, 0.0, 1.0]
    steps = played(env)
    assert [reward for reward, _ in steps] == [0.0, 0.0, -1.0]
    assert [set(info) for _, info in steps[:-1]] == [set(), set()]
    assert steps[-1][1]["receipts"] == {
        "scalar": -1.0,
        "components": {"halt_on_uncertainty": 0.1},
        "certified_synthetic": True,
        "refusals": [],
        "dropped": "",
        "why": "",
        "own_reward": 5.0,
    }


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
def test_gymnasiums_own_checker_finds_nothing() -> None:
    check_env(ReceiptReward(Line(["verified"]), Desk().scoring(), read), skip_render_check=True)


def test_an_unscored_episode_raises_by_default() -> None:
    env = ReceiptReward(Line(["failed_platform", "verified"]), Desk().scoring(), read)
    with pytest.raises(
        UnscoredEpisode, match=r"unscored: the outcome is failed_platform.*no number for that"
    ) as raised:
        played(env)
    assert raised.value.drop.code == "unscored"
    assert [reward for reward, _ in played(env)] == [0.0, 0.0, 1.0]  # a reset goes on
    again = pickle.loads(pickle.dumps(raised.value))  # as it crosses from a process of a vector environment
    assert (str(again), again.drop) == (str(raised.value), raised.value.drop)


def test_nan_has_to_be_asked_for() -> None:
    env = ReceiptReward(Line(["reconciliation_required"]), Desk().scoring(), read, unscored="nan")
    rewards, infos = zip(*played(env), strict=True)
    assert rewards[:2] == (0.0, 0.0)
    assert math.isnan(rewards[2])
    assert "scalar" not in infos[2]["receipts"]
    assert infos[2]["receipts"]["components"] == {}
    assert infos[2]["receipts"]["dropped"] == "unscored"
    with pytest.raises(ValueError, match="expected raise or nan"):
        ReceiptReward(Line([]), Desk().scoring(), read, unscored="zero")  # type: ignore[arg-type]


def test_receipts_expire_at_the_trainers_own_update(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    with desk.issuer(path) as issuer:
        issuer.issue(episode(1))
    told: list[Drop] = []
    scoring = desk.scoring(
        receipts=path, certified_only=True, when_certificate_ends="uncertified", warn_within=0, on_drop=told.append
    )
    env = ReceiptReward(Line(["verified"]), scoring, lambda observation, info: "episode.00000001")
    env.set_policy_update(49)
    assert played(env)[-1][0] == 1.0
    env.set_policy_update(50)
    with pytest.warns(rr.CertificateEnding), pytest.raises(UnscoredEpisode, match="certificate-expired"):
        played(env)
    assert [drop.code for drop in told] == ["uncertified"]
    with pytest.raises(ValueError, match="policy update -1"):
        env.set_policy_update(-1)


def test_a_bad_reading_raises_and_names_it() -> None:
    env = ReceiptReward(Line(["verified"]), Desk().scoring(), lambda o, i: reading(terminal_effect=math.nan))
    with pytest.raises(ValueError, match="component terminal_effect is nan"):
        played(env)


def test_each_environment_of_a_vector_has_its_own() -> None:
    outcomes = ["failed_platform", "verified", "refused"]
    scoring = Desk().scoring()
    made = [lambda each=each: ReceiptReward(Line([each]), scoring, read, unscored="nan") for each in outcomes]
    vector = gymnasium.vector.SyncVectorEnv(made)
    vector.reset()
    for _ in range(STEPS):
        _, rewards, terminated, _, infos = vector.step(np.zeros(3, int))
    assert terminated.all()
    assert np.isnan(rewards[0])
    assert list(rewards[1:]) == [1.0, 0.0]
    assert list(infos["receipts"]["dropped"]) == ["unscored", "", ""]
    assert list(infos["receipts"]["_scalar"]) == [False, True, True]
