"""The callback for Stable-Baselines3, with what it uses of it; python/tests/trainer has the real one."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from reward_receipts.envs import ComposedReward
from reward_receipts.integrations.stable_baselines3 import TermTotals, reward_terms_callback
from scripted_components import spec_of
from tier_two import REGISTRY, Walk, played


class Logger:
    def __init__(self) -> None:
        self.name_to_value: dict[str, float] = {}

    def record(self, name: str, value: float) -> None:
        self.name_to_value[name] = value


class BaseCallback:
    def __init__(self, verbose: int = 0) -> None:
        self.logger = Logger()
        self.locals: dict[str, Any] = {}


@pytest.fixture
def trainer(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("stable_baselines3.common.callbacks")
    module.BaseCallback = BaseCallback  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)


def infos() -> list[dict[str, Any]]:
    env = ComposedReward(Walk(steps=3), spec_of("upright", "steps"), registry=REGISTRY)
    return [info for *_, info in played(env)]


def test_a_term_counts_at_the_steps_at_which_it_was_due() -> None:
    totals = TermTotals()
    for info in [*infos(), {}, {"reward_components": {"a/b": 0.0}}]:
        totals.add(info)
    scalars = totals.scalars()
    assert (scalars["reward/steps/due_steps"], scalars["reward/steps/mean"]) == (1, 3.0)
    assert scalars["reward/upright/due_steps"] == 3
    assert scalars["reward/a%2Fb/zero_steps"] == 1


@pytest.mark.usefixtures("trainer")
def test_each_log_has_the_steps_since_the_one_before() -> None:
    callback: Any = reward_terms_callback()
    for _ in range(2):  # two rollouts, then the logger writes
        for info in infos():
            callback.locals = {"infos": [info, info]}
            assert callback._on_step()
        callback._on_rollout_end()
    assert callback.logger.name_to_value["reward/upright/due_steps"] == 12
    callback.logger.name_to_value.clear()
    callback.locals = {"infos": infos()[:1]}
    callback._on_step()
    callback._on_rollout_end()
    assert callback.logger.name_to_value["reward/upright/due_steps"] == 1


def test_a_trainer_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.callbacks", None)
    with pytest.raises(ModuleNotFoundError, match="pip install stable-baselines3"):
        reward_terms_callback()
