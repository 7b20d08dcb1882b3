"""Rewards with several parts: composed by a spec, or refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from reward_receipts.envs import (
    ComposedReward,
    EpisodeMetrics,
    EpisodeStep,
    RewardParts,
    StepRefused,
    TraceRecorder,
    VectorComposedReward,
    VectorTraceRecorder,
    WrapperOrder,
    check_env,
    part_components,
)
from reward_receipts.rewards import RewardSpec
from tier_two import REGISTRY, SPEC, Plain, Rows, Walk, played

NAMES = ("treasure", "time")
DIVE = RewardSpec.from_dict(
    {
        "name": "dive",
        "components": [{"type": "treasure", "weight": 2.0}, {"type": "time", "weight": 0.5, "clip": [-1.0, 0.0]}],
    }
)


def both(*treasures: float) -> list[Any]:
    return [np.array([treasure, -2.0], np.float32) for treasure in treasures]


def composed(*rewards: Any) -> ComposedReward:
    return ComposedReward(RewardParts(Plain(*rewards), NAMES), DIVE, registry=part_components(NAMES))


@pytest.mark.parametrize("form", [list, tuple, np.array, lambda parts: dict(zip(NAMES, parts, strict=True))])
def test_a_spec_composes_the_parts_of_a_reward(form: Any) -> None:
    sink = Rows()
    returned = played(TraceRecorder(composed(form([1.0, -2.0]), form([3, -0.25])), sink))
    assert [step[1] for step in returned] == [2.0 - 0.5, 6.0 - 0.125]
    assert [row["reward_components"] for row in sink.rows] == [
        {"treasure": 2.0, "time": -0.5},
        {"treasure": 6.0, "time": -0.125},
    ]
    assert [row["reward_detail"]["time"]["raw"] for row in sink.rows] == [-2.0, -0.25]
    assert {row["environment_reward"] for row in sink.rows} == {None}


def test_until_a_spec_composes_them_there_is_no_reward() -> None:
    sink = Rows()
    env = TraceRecorder(RewardParts(Plain(*both(1.0, 3.0)), NAMES), sink)
    assert [step[1] for step in played(env)] == [None, None]
    assert [row["reward"] for row in sink.rows] == [None, None]
    assert env.env.reward_parts == NAMES  # type: ignore[attr-defined]


def test_anything_that_the_environment_says_of_the_step_stays() -> None:
    class Dive(Walk):
        def step(self, action: Any) -> Any:
            observation, _, *rest = super().step(action)
            return (observation, [1.0, 2.0], *rest)

    info = played(RewardParts(Dive(), NAMES))[1][4]
    context = info["trace"].context
    assert context.step == 1
    assert dict(context.extras) == {"upright": 1.0, "reward_parts": {"treasure": 1.0, "time": 2.0}}
    assert context.provided == {"extras", "state_after"}
    assert info["regime"]["label"] == "episode 1"
    assert [step[4]["trace"].context.step for step in played(RewardParts(Plain(*both(1.0, 3.0)), NAMES), 2)] == [
        0,
        1,
    ] * 2


def test_parts_in_a_vector_environment_are_composed_in_arrays() -> None:
    sink = Rows()
    venv = SyncVectorEnv([lambda place=place: RewardParts(Plain(*both(place, 8.0)), NAMES) for place in range(3)])
    recorder = VectorTraceRecorder(VectorComposedReward(venv, DIVE, registry=part_components(NAMES)), sink)
    recorder.reset()
    for _ in range(3):
        recorder.step(np.zeros(3, np.int64))
    assert [row["reward"] for row in sink.rows] == [-0.5, 1.5, 3.5, 15.5, 15.5, 15.5]


@pytest.mark.parametrize(
    ("reward", "words"),
    [
        (np.array([1.0, 2.0, 3.0]), r"has the shape \(3,\), and there are 2 names: treasure, time"),
        (np.array([[1.0, 2.0]]), r"has the shape \(1, 2\)"),
        ([1.0], r"has the shape \(1,\)"),
        ({"treasure": 1.0, "tide": 2.0}, r'has the parts \["treasure", "tide"\]'),
        ({"treasure": 1.0}, r'has the parts \["treasure"\]'),
        ([1.0, np.nan], "the part time of the reward is nan, which is not finite"),
        ([True, 1.0], "the part treasure of the reward is bool true, not a number"),
        ([None, 1.0], "the part treasure of the reward is NoneType"),
        (1.0, "is float 1.0, which does not have parts"),
    ],
)
def test_a_reward_that_does_not_have_these_parts_is_refused_naming_the_step(reward: Any, words: str) -> None:
    env = RewardParts(Plain([1.0, 2.0], reward, [1.0, 2.0]), NAMES)
    env.reset()
    env.reset()
    env.step(0)
    with pytest.raises(StepRefused, match=f"episode 1, step 1: .*{words}"):
        env.step(0)


@pytest.mark.parametrize("names", ["treasure", (), ("a", "a"), ("",), (1,), ("a" * 129,)])
def test_names_that_no_spec_can_use_are_refused(names: Any) -> None:
    for make in (lambda: RewardParts(Plain([1.0]), names), lambda: part_components(names)):
        with pytest.raises(ValueError, match="different names, each a text of 1 to 128 characters"):
            make()


def test_the_parts_are_beside_other_components_and_replace_none() -> None:
    registry: Mapping[str, Any] = part_components(NAMES, registry=REGISTRY)
    assert {*NAMES, "upright"} <= {*registry}
    with pytest.raises(ValueError, match='"upright" is registered already'):
        part_components(["upright"], registry=REGISTRY)


def test_they_are_inside_of_what_composes_and_records() -> None:
    with pytest.raises(WrapperOrder, match="composes the reward already"):
        RewardParts(ComposedReward(Walk(), SPEC, registry=REGISTRY), NAMES)
    with pytest.raises(WrapperOrder, match="put TraceRecorder outside"):
        RewardParts(TraceRecorder(Walk(), Rows()), NAMES)


# Without names they are refused, and what is refused says what to do.


@pytest.mark.parametrize(
    ("reward", "words"),
    [
        (np.array([1.0, -1.0]), r"RewardParts\(env, names\), and compose its parts by a spec"),
        ([1.0, -1.0], r"RewardParts\(env, names\)"),
        ({"a": 1.0, "b": -1.0}, "of several agents, trace each as a place of a vector environment"),
    ],
)
def test_a_reward_with_parts_is_refused_saying_how_to_name_them(reward: Any, words: str) -> None:
    with_trace = Plain(reward, info={"trace": EpisodeStep.of(extras={"upright": 0.5})})
    for env in (
        TraceRecorder(Plain(reward), Rows()),
        EpisodeMetrics(Plain(reward)),
        ComposedReward(with_trace, SPEC, registry=REGISTRY),
    ):
        env.reset()
        with pytest.raises(StepRefused, match=f"episode 0, step 0: .*{words}"):
            env.step(0)


def test_the_checker_says_what_to_do_with_parts() -> None:
    report = check_env(Plain(*both(1.0, 2.0)))
    reward = next(each for each in report.capabilities if each.id == "reward")
    assert "RewardParts" in str(reward.fix)


class Parallel:
    """An environment of several agents, as PettingZoo has them."""

    possible_agents = ("a", "b")
    metadata: dict[str, Any] = {}  # noqa: RUF012 - as PettingZoo declares it


@pytest.mark.parametrize(
    "wrap",
    [
        lambda env: TraceRecorder(env, Rows()),
        EpisodeMetrics,
        lambda env: ComposedReward(env, SPEC, registry=REGISTRY),
    ],
)
def test_an_environment_of_several_agents_is_refused_saying_how_to_bring_them_in(wrap: Any) -> None:
    with pytest.raises(TypeError, match="Parallel is an environment of several agents.*a place for each agent"):
        wrap(Parallel())


def test_the_checker_says_so_too() -> None:
    report = check_env(Parallel())  # type: ignore[arg-type]
    environment = next(each for each in report.capabilities if each.id == "environment")
    assert "several agents (PettingZoo)" in str(environment.fix)
    assert isinstance(Plain(1.0), gymnasium.Env)
