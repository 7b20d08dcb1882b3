"""The order desk: a Tier-2 environment on which all seven components and a change of regime show."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_receipts.envs import OPERATIONS_SPEC, DeskAction, OperationsEnv, check_env
from reward_receipts.rewards import CompositionEngine, RewardSpec
from reward_receipts.rewards.components.operations import COMPONENTS


def simple(observation: Any) -> int:
    """Repair what is broken, hurry if many orders are waiting, else ship."""
    if observation[2] > 0:
        return DeskAction.REPAIR
    return DeskAction.EXPEDITE if observation[1] > 0.08 else DeskAction.SHIP


def shift(env: OperationsEnv, seed: int, actions: Any = simple) -> list[tuple[Any, ...]]:
    """The steps of one shift, whole."""
    observation, _ = env.reset(seed=seed)
    steps: list[tuple[Any, ...]] = []
    while not steps or not (steps[-1][2] or steps[-1][3]):
        steps.append(env.step(actions(observation)))
        observation = steps[-1][0]
    return steps


def test_it_reaches_tier_2_with_nothing_to_note() -> None:
    report = check_env(OperationsEnv())
    assert report.tier == 2
    assert {each.verdict for each in report.capabilities} == {"pass"}


def test_gymnasiums_own_checker_has_nothing_to_say() -> None:
    spec = EnvSpec("Desk-v0", entry_point="reward_receipts.envs.order_desk:OperationsEnv", kwargs={"horizon": 25})
    gymnasium_check_env(gymnasium.make(spec, disable_env_checker=True).unwrapped)  # its warnings are errors here


def test_all_seven_components_and_both_regimes_show_in_one_shift() -> None:
    env, engine = OperationsEnv(), CompositionEngine(OPERATIONS_SPEC)
    shown: set[str] = set()
    by_regime: dict[str, set[str]] = {"steady": set(), "surge": set()}
    for step in shift(env, 0):
        info = step[4]
        result = engine.compute_step(info["trace"].ending(step[2], step[3]))
        there = {name for name, contribution in result.contributions.items() if contribution != 0.0}
        shown |= there
        by_regime[info["regime"]["label"]] |= there
    assert shown == set(COMPONENTS)
    assert by_regime["steady"]
    assert "fill_rate" in by_regime["surge"]


def test_the_regime_changes_once_at_its_step_and_each_begins_with_a_boundary() -> None:
    env = OperationsEnv(horizon=12, surge_from=7)
    assert env.reset(seed=1)[1]["regime"] == {"label": "steady", "boundary": True}
    regimes = [step[4]["regime"] for step in shift(env, 1)]
    assert [regime["label"] for regime in regimes] == ["steady"] * 7 + ["surge"] * 5
    assert [place for place, regime in enumerate(regimes) if regime["boundary"]] == [0, 7]


def test_more_comes_in_a_surge() -> None:
    ordered = {"steady": 0, "surge": 0}
    for seed in range(10):
        for step in shift(OperationsEnv(), seed):
            context = step[4]["trace"].context
            units = context.state_after["units_ordered"] - context.state_before["units_ordered"]
            ordered[step[4]["regime"]["label"]] += units
    assert ordered["surge"] > 1.5 * ordered["steady"]


def test_the_same_seed_and_actions_give_the_same_shift_and_another_seed_another() -> None:
    first, again, other = (shift(OperationsEnv(), seed) for seed in (5, 5, 6))
    assert [step[4] for step in first] == [step[4] for step in again]
    assert [step[1] for step in first] == [step[1] for step in again]
    assert [step[4] for step in first] != [step[4] for step in other]


def test_a_shift_ends_truncated_and_no_step_comes_after_it() -> None:
    env = OperationsEnv(horizon=3, surge_from=3)
    steps = shift(env, 0)
    assert [step[2:4] for step in steps] == [(False, False), (False, False), (False, True)]
    assert [step[4]["trace"].context.truncated for step in steps] == [False, False, True]
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step(0)


def test_no_step_comes_before_a_reset_and_no_action_beside_the_three() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        OperationsEnv().step(0)
    env = OperationsEnv()
    env.reset(seed=0)
    with pytest.raises(gymnasium.error.InvalidAction, match="0 to 2"):
        env.step(3)


@pytest.mark.parametrize("members", [{"horizon": 0}, {"surge_from": 41}, {"surge_from": -1}, {"horizon": 2.5}])
def test_a_shift_that_cannot_be_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="surge_from"):
        OperationsEnv(**members)


def test_describe_says_what_it_was_made_with() -> None:
    described = OperationsEnv(30, 10).describe()
    assert (described["horizon"], described["surge_from"]) == (30, 10)


@settings(max_examples=25)
@given(st.integers(0, 2**31), st.lists(st.integers(0, 2), min_size=20, max_size=20))
def test_the_books_add_up_whatever_is_done(seed: int, actions: list[int]) -> None:
    env = OperationsEnv(horizon=20, surge_from=10)
    engine = CompositionEngine(OPERATIONS_SPEC)
    left = iter(actions)
    before: Any = None
    open_incident: str | None = None
    kept: list[tuple[Any, Any]] = []
    for step in shift(env, seed, lambda observation: next(left)):
        assert step[0] in env.observation_space
        context = step[4]["trace"].context
        if before is not None:
            assert all(context.state_before[name] == before[name] for name in before if name not in ("capacity",))
        before = context.state_after
        assert before["units_filled"] <= before["units_ordered"]
        assert before["units_completed"] <= before["units_ordered"]
        for incident in context.incidents:
            assert (incident["status"] == "opened") == (open_incident != incident["id"])
            open_incident = incident["id"]
        kept.append((context, copy.deepcopy(context)))
        assert numpy.isfinite(engine.compute_step(context).total)
    assert all(now == then for now, then in kept)  # no step reaches into an earlier one's records


def test_the_spec_is_over_all_seven_with_two_gates_and_survives_yaml() -> None:
    assert {each.type for each in OPERATIONS_SPEC.components} == set(COMPONENTS)
    assert len(OPERATIONS_SPEC.gates) == 2
    assert RewardSpec.from_yaml(OPERATIONS_SPEC.to_yaml()).digest == OPERATIONS_SPEC.digest
    assert OPERATIONS_SPEC.ceiling().per_episode(40) is not None
