"""A spec's reward in the place of an environment's own."""

from __future__ import annotations

import json
import warnings
from typing import Any

import gymnasium
import pytest
from reward_receipts import InvalidDocument
from reward_receipts.envs import ComposedReward, EpisodeMetrics, StepRefused, TraceMissing, TraceRecorder, WrapperOrder
from reward_receipts.rewards import CompositionError, RewardReadsNothing, RewardSpecRequired
from tier_two import REGISTRY, SPEC, Plain, Rows, Walk, played, spec_of


def composed(env: gymnasium.Env[Any, Any], *types: str) -> ComposedReward:
    return ComposedReward(env, spec_of(*types), registry=REGISTRY)


def test_the_total_of_the_spec_is_the_reward() -> None:
    assert [step[1] for step in played(composed(Walk(), "upright", "steps"))] == [0.5, 1.0, 1.0 + 3.0]


def test_info_says_how_the_reward_came_about() -> None:
    env = composed(Walk(), "upright", "steps")
    first, _, last = played(env)
    info = first[4]
    assert info["reward_components"] == {"upright": 0.5, "steps": 0.0}
    assert info["reward_detail"] == {
        "upright": {"raw": 0.5, "zero": None, "terms": {"half": 0.25}},
        "steps": {"raw": None, "zero": "skipped", "terms": {}},
    }
    assert info["environment_reward"] == 0.25
    assert info["spec_digest"] == env.reward_spec.digest
    assert info["resolved_spec_digest"] == env.resolved_spec.digest != env.reward_spec.digest
    assert list(last[4]["reward_components"].items()) == [("upright", 1.0), ("steps", 3.0)]
    assert last[4]["reward_detail"]["upright"] == {"raw": 1.5, "zero": None, "terms": {"half": 0.75}}


def test_info_is_plain_and_names_every_term_at_every_step() -> None:
    infos = [step[4] for step in played(composed(Walk(), "steps", "upright"))]
    for info in infos:
        assert json.loads(json.dumps(info["reward_components"])) == info["reward_components"]
        assert json.loads(json.dumps(info["reward_detail"])) == info["reward_detail"]
        assert type(info["reward_components"]) is type(info["reward_detail"]) is dict
        assert list(info["reward_components"]) == list(info["reward_detail"]) == ["steps", "upright"]
        assert {tuple(term) for term in info["reward_detail"].values()} == {("raw", "zero", "terms")}
    assert [info["reward_components"] for info in infos] == [
        {"steps": 0.0, "upright": 0.5},
        {"steps": 0.0, "upright": 1.0},
        {"steps": 3.0, "upright": 1.0},
    ]


def test_changing_what_info_says_changes_no_later_step() -> None:
    expected = [step[4]["reward_components"] for step in played(composed(Walk(), "upright", "steps"))]
    env = composed(Walk(), "upright", "steps")
    env.reset()
    for each in expected:
        info = env.step(0)[4]
        assert info["reward_components"] == each
        info["reward_detail"]["upright"]["terms"]["half"] = 9.0
        info["reward_components"].clear()
        info["reward_detail"].clear()


@pytest.mark.parametrize("truncated", [False, True])
def test_anything_that_is_due_at_the_end_is_due_once_whichever_flag_ends_it(truncated: bool) -> None:
    steps = played(composed(Walk(truncated=truncated), "ends"), episodes=3)
    assert [step[1] for step in steps] == [0.0, 0.0, 1.0] * 3


def test_a_step_after_the_end_is_refused_before_the_environment_takes_it() -> None:
    walk = Walk()
    env = composed(walk, "ends")
    played(env)
    for _ in range(2):
        with pytest.raises(CompositionError, match="Step 3 was taken after the end of the episode") as caught:
            env.step(0)
        assert caught.value.code == "compose.episode-over"
    assert walk.taken == 3
    env.reset()
    assert [env.step(0)[1] for _ in range(3)] == [0.0, 0.0, 1.0]


def test_components_forget_the_episode_that_was_left() -> None:
    env = composed(Walk(), "ends")
    env.reset()
    env.step(0)
    assert [step[1] for step in played(env)] == [0.0, 0.0, 1.0]


def test_there_is_no_default_reward() -> None:
    with pytest.raises(RewardSpecRequired, match=r"RewardSpec\.from_dict"):
        ComposedReward(Walk())


def test_a_type_that_is_not_registered_is_refused_at_the_start() -> None:
    with pytest.raises(InvalidDocument, match=r"compose\.component-unknown"):
        ComposedReward(Walk(), spec_of("upright", "nowhere"), registry=REGISTRY)


@pytest.mark.parametrize(
    ("info", "found"),
    [({}, 'info has no "trace"'), ({"trace": {"step": 0}}, r'info\["trace"\] is dict, no EpisodeStep')],
)
def test_a_tier_1_environment_gets_a_list_of_what_to_add_and_its_own_reward_is_not_a_fallback(
    info: dict[str, Any], found: str
) -> None:
    env = composed(Plain(7.0, info=info), "upright")
    env.reset()
    with pytest.raises(TraceMissing, match=rf"{found}.*Tier 1.*EpisodeStep\.of"):
        env.step(0)


def test_a_component_that_gives_no_number_stops_the_step() -> None:
    env = composed(Walk(), "upright", "broken")
    env.reset()
    env.step(0)
    with pytest.raises(CompositionError, match="broken.* step 1"):
        env.step(0)


class Own(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Gives another reward of its own."""

    def __init__(self, env: gymnasium.Env[Any, Any], reward: Any) -> None:
        super().__init__(env)
        self.reward = reward

    def step(self, action: Any) -> Any:
        observation, _, *rest = self.env.step(action)
        return (observation, self.reward, *rest)


def test_an_own_reward_that_is_not_finite_is_refused_naming_the_step() -> None:
    env = Own(Walk(), 0.0)
    spec_env = composed(env, "upright")
    played(spec_env)
    spec_env.reset()
    spec_env.step(0)
    env.reward = float("nan")
    with pytest.raises(StepRefused, match="environment 0, episode 1, step 1: the environment's own reward is nan"):
        spec_env.step(0)


def test_an_own_reward_that_is_none_is_left_out() -> None:
    assert "environment_reward" not in played(composed(Own(Walk(), None), "upright"))[0][4]


@pytest.mark.parametrize(
    ("below", "message"),
    [
        (lambda: composed(Walk(), "upright"), "composes the reward already"),
        (lambda: TraceRecorder(Walk(), Rows()), "TraceRecorder is inside the composed reward"),
        (lambda: EpisodeMetrics(Walk()), "put EpisodeMetrics outside"),
        (lambda: gymnasium.wrappers.Autoreset(Walk()), "Autoreset is inside the composed reward"),
    ],
)
def test_an_order_of_wrappers_that_would_be_wrong_without_a_word_is_refused(below: Any, message: str) -> None:
    with pytest.raises(WrapperOrder, match=message):
        composed(gymnasium.Wrapper(below()), "upright")


def test_a_spec_that_reads_nothing_the_environment_provides_warns_once_naming_both_sides() -> None:
    env = composed(Walk(), "verified")
    with pytest.warns(RewardReadsNothing, match="verified reads verifications.*provides extras, state_after") as seen:
        steps = played(env, episodes=2)
    assert len(seen) == 1
    assert steps[0][4]["reward_detail"]["verified"]["zero"] == "reads_missing"


def test_a_spec_that_reads_something_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        played(ComposedReward(Walk(), SPEC, registry=REGISTRY), episodes=2)
