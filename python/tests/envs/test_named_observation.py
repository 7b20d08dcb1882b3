"""Any environment with a Box observation, made Tier 2 in one line, and the components that fit it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from reward_receipts.envs import (
    ComposedReward,
    NamedObservation,
    RegimeSchedule,
    RewardParts,
    TraceRecorder,
    WrapperOrder,
    check_env,
)
from reward_receipts.envs.record import StepRefused
from reward_receipts.rewards import CompositionEngine, CompositionError, RewardSpec, StepContext

NAMES = ("x", "v", "angle", "spin")


def cartpole() -> gymnasium.Env[Any, Any]:
    return NamedObservation(gymnasium.make("CartPole-v1"), NAMES)


def spec(*components: dict[str, Any]) -> RewardSpec:
    return RewardSpec.from_dict({"name": "generic", "components": list(components)})


def test_a_spec_scores_a_tier_1_environment() -> None:
    written = spec(
        {"type": "env_reward", "weight": 0.5},
        {"type": "survival", "weight": 2.0},
        {"type": "action_norm", "weight": 0.25},
        {"type": "observation_entry", "name": "tilt", "params": {"entry": "angle"}, "weight": -1.0},
        {"type": "potential_difference", "name": "drift", "params": {"entry": "x", "discount": 0.5}},
    )
    env = ComposedReward(cartpole(), written)
    before, _ = env.reset(seed=1)
    after, reward, _, _, info = env.step(1)
    parts = {
        "env_reward": 0.5,
        "survival": 2.0,
        "action_norm": -0.25,
        "tilt": -float(after[2]),
        "drift": 0.5 * float(after[0]) - float(before[0]),
    }
    assert info["reward_components"] == parts
    assert reward == sum(parts.values())
    assert info["environment_reward"] == 1.0


def test_it_is_tier_2_for_the_checker() -> None:
    assert check_env(gymnasium.make("CartPole-v1")).tier == 1
    assert check_env(cartpole()).tier == 2


def test_a_schedule_of_regimes_outside_replaces_its_regime() -> None:
    env = RegimeSchedule(cartpole(), [(0, "calm"), (2, "surge")])
    env.reset(seed=0)
    assert [env.step(0)[4]["regime"]["label"] for _ in range(3)] == ["calm", "calm", "surge"]
    bare = cartpole()
    assert bare.reset(seed=0)[1]["regime"] == {"label": "only", "boundary": True}
    assert [bare.step(0)[4]["regime"]["boundary"] for _ in range(2)] == [True, False]


def test_observation_reward_and_flags_stay_as_they_are() -> None:
    bare, named = gymnasium.make("CartPole-v1"), cartpole()
    assert np.array_equal(bare.reset(seed=3)[0], named.reset(seed=3)[0])
    for _ in range(5):
        one, other = bare.step(0), named.step(0)
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]


def test_names_are_made_up_if_they_are_left_out() -> None:
    env = NamedObservation(gymnasium.make("CartPole-v1"))
    assert env.observation_names == ("obs_0", "obs_1", "obs_2", "obs_3")
    assert env.describe() == {"observation_names": ["obs_0", "obs_1", "obs_2", "obs_3"]}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("x", "v"), "the observation has 4 entries; expected as many names, not 2"),
        (("x", "x", "y", "z"), "different names"),
        ("abcd", "expected as many names, not 0"),
        (("x", "v", "angle", ""), "1 to 128 characters"),
    ],
)
def test_names_that_do_not_fit_are_refused(names: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NamedObservation(gymnasium.make("CartPole-v1"), names)


def test_another_space_than_a_box_is_refused() -> None:
    with pytest.raises(TypeError, match="is a Discrete; expected a Box"):
        NamedObservation(gymnasium.make("FrozenLake-v1"))


def test_it_goes_inside_of_a_composed_reward_and_a_recorder(tmp_path: Any) -> None:
    with pytest.raises(WrapperOrder):
        NamedObservation(ComposedReward(cartpole(), spec({"type": "survival"})))
    with pytest.raises(WrapperOrder):
        NamedObservation(TraceRecorder(cartpole(), tmp_path / "a.jsonl"))


def test_a_step_before_the_first_reset_is_refused() -> None:
    env = NamedObservation(Still(), ["x"])
    with pytest.raises(StepRefused, match="before the first reset"):
        env.step(0)


def test_an_observation_of_another_size_is_refused() -> None:
    env = NamedObservation(Still(), ["x"])
    env.reset()
    env.unwrapped.size = 2  # type: ignore[attr-defined]
    with pytest.raises(StepRefused, match="the observation has 2 entries, and there are 1 names"):
        env.step(0)


class Still(gymnasium.Env[Any, Any]):
    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,))
    action_space = gymnasium.spaces.Discrete(2)
    size = 1

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return np.zeros(self.size), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return np.zeros(self.size), 0.0, False, False, {}


def one(component: dict[str, Any], **context: Any) -> float:
    return CompositionEngine(spec(component)).compute_step(StepContext(0, **context)).total


@pytest.mark.parametrize(
    ("action", "norm"), [(3, -3.0), (np.float32(0.5), -0.5), ([3.0, 4.0], -5.0), (np.array([[3.0], [4.0]]), -5.0)]
)
def test_the_norm_of_an_action(action: Any, norm: float) -> None:
    assert one({"type": "action_norm"}, extras={"action": action}) == norm


def test_survival_is_0_at_the_step_that_terminates() -> None:
    flags = [{}, {"truncated": True}, {"terminated": True}]
    assert [one({"type": "survival"}, **each) for each in flags] == [1.0, 1.0, 0.0]


def test_the_potential_after_a_terminating_step_is_0() -> None:
    term = {"type": "potential_difference", "params": {"entry": "x"}}
    states: dict[str, Any] = {"state_before": {"x": 2.0}, "state_after": {"x": 5.0}}
    assert (one(term, **states), one(term, **states, terminated=True)) == (3.0, -2.0)


@pytest.mark.parametrize(
    ("component", "context", "message"),
    [
        ({"type": "env_reward"}, {"extras": {"r": 1}}, 'extras has no "reward"; it has "r"'),
        ({"type": "env_reward"}, {"extras": {"reward": None}}, "extras has the reward null, which is not a number"),
        ({"type": "action_norm"}, {"extras": {"action": "left"}}, "which is not a number and not numbers"),
        (
            {"type": "observation_entry", "params": {"entry": "y"}},
            {"state_after": {"x": 1.0}},
            'state_after has no "y"; it has "x"',
        ),
    ],
)
def test_anything_that_is_missing_is_an_error_and_never_0(
    component: dict[str, Any], context: Any, message: str
) -> None:
    with pytest.raises(CompositionError, match=message):
        one(component, **context)


def test_parts_of_a_reward_stay_beside_it() -> None:
    with pytest.raises(WrapperOrder):
        RewardParts(ComposedReward(cartpole(), spec({"type": "survival"})), ["a"])
