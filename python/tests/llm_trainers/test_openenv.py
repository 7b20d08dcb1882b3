"""The rubric of a contract in OpenEnv's own environments."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from reward_receipts.integrations.openenv import receipt_rubric
from training import Desk, episode, reading

pytestmark = pytest.mark.filterwarnings("default")  # what OpenEnv and what it uses warn of is not ours


class Book(Action):
    outcome: str = "verified"
    last: bool = True


class DeskEnv(Environment[Book, Observation, State]):
    """An episode ends with the first action that is its last."""

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> Observation:
        self._reset_rubric()
        return Observation()

    def step(self, action: Book, timeout_s: float | None = None, **kwargs: Any) -> Observation:
        observation = Observation(done=action.last)
        observation.reward = self._apply_rubric(action, observation)
        return observation

    async def step_async(self, action: Book, timeout_s: float | None = None, **kwargs: Any) -> Observation:
        observation = Observation(done=action.last)
        observation.reward = await self._apply_rubric_async(action, observation)
        return observation

    @property
    def state(self) -> State:
        return State()


def read(action: Book, observation: Observation) -> Any:
    return reading(action.outcome, terminal_effect=0.5)


def test_the_reward_comes_with_the_end_of_the_episode() -> None:
    env = DeskEnv(rubric=receipt_rubric(Desk().scoring(), read, policy_update=lambda: 3))
    env.reset()
    assert env.step(Book(last=False)).reward is None
    observation = env.step(Book())
    assert observation.reward == 1.0
    assert observation.metadata["receipts"] == {"certified_synthetic": True, "refusals": [], "dropped": None}
    assert env.rubric is not None
    assert {name: each.last_score for name, each in env.rubric.named_rubrics()} == {
        "halt_on_uncertainty": None,
        "terminal_effect": 0.5,
    }
    env.reset()
    assert [each.last_score for _, each in env.rubric.named_rubrics()] == [None, None]


def test_an_unscored_episode_has_no_reward_anywhere() -> None:
    rubric = receipt_rubric(Desk().scoring(), lambda a, o: reading(a.outcome), policy_update=lambda: 3)
    env = DeskEnv(rubric=rubric)
    env.reset()
    env.step(Book())
    observation = env.step(Book(outcome="reconciliation_required"))
    assert observation.reward is None
    assert rubric.last_score is None
    assert [each.last_score for _, each in rubric.named_rubrics()] == [None, None]
    assert observation.metadata["receipts"]["dropped"]["code"] == "unscored"
    assert observation.model_dump(mode="json")["reward"] is None


def test_an_asynchronous_reading_is_awaited() -> None:
    async def later(action: Book, observation: Observation) -> Any:
        await asyncio.sleep(0)
        return reading(action.outcome)

    env = DeskEnv(rubric=receipt_rubric(Desk().scoring(), later, policy_update=lambda: 3))

    async def run() -> list[Any]:
        actions = [Book(last=False), Book(), Book(outcome="wrong_effect"), Book(outcome="failed_platform")]
        return [(await env.step_async(action)).reward for action in actions]

    assert asyncio.run(run()) == [None, 1.0, -1.0, None]


def test_receipts_of_a_file_expire_at_the_trainers_update(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    with desk.issuer(path) as issuer:
        issuer.issue(episode(1))
    scoring = desk.scoring(receipts=path, when_certificate_ends="uncertified", warn_within=0)
    update = [49]
    rubric = receipt_rubric(scoring, lambda a, o: "episode.00000001", policy_update=lambda: update[0])
    env = DeskEnv(rubric=rubric)
    assert env.step(Book()).metadata["receipts"]["certified_synthetic"] is True
    update[0] = 50
    with pytest.warns(rr.CertificateEnding):
        observation = env.step(Book())
    assert observation.reward == 1.0
    assert observation.metadata["receipts"]["refusals"] == ["certificate-expired"]


def test_bad_readings_raise() -> None:
    def bad(action: Book, observation: Observation) -> Any:
        return reading(terminal_effect=float("nan"))

    env = DeskEnv(rubric=receipt_rubric(Desk().scoring(), bad, policy_update=lambda: 0))
    with pytest.raises(ValueError, match="terminal_effect is nan"):
        env.step(Book())
