"""Settings of a spec by the names of its terms."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from reward_receipts.rewards import Cadence, Registry, RewardComponent, RewardSignal, RewardSpec, StepContext

SPEC = RewardSpec.from_dict(
    {
        "name": "a reward",
        "components": [
            {"type": "near", "name": "near_goal", "params": {"target": 1.5}, "weight": 2.0},
            {"type": "a.b", "clip": [0.0, 1.0]},
            {"type": "a"},
        ],
    }
)


@pytest.mark.parametrize(
    ("settings", "place", "after"),
    [
        ({"near_goal.weight": 0.1}, 0, {"weight": 0.1}),
        ({"near_goal.params.target": 3}, 0, {"params": {"target": 3.0}}),
        ({"near_goal.params.a.b": "x"}, 0, {"params": {"a.b": "x", "target": 1.5}}),
        ({"near_goal.type": "far"}, 0, {"type": "far"}),
        ({"a.b.clip": None}, 1, {"clip": None}),
        ({"a.weight": 1, "a.clip": [None, 0]}, 2, {"weight": 1.0, "clip": [None, 0.0]}),
        ({"a.params.k": [1]}, 2, {"params": {"k": [1.0]}}),
    ],
)
def test_a_setting_changes_its_term_and_no_other(settings: dict[str, Any], place: int, after: dict[str, Any]) -> None:
    changed = SPEC.with_(settings).to_dict()["components"]
    wanted = SPEC.to_dict()["components"]
    wanted[place] |= after
    assert changed == wanted


def test_none_removes_a_weight_and_a_parameter() -> None:
    changed = SPEC.with_({"near_goal.weight": None, "near_goal.params.target": None})
    assert changed.to_dict()["components"][0] == {"type": "near", "name": "near_goal", "params": {}}


def test_without_settings_the_spec_stays_the_same() -> None:
    assert SPEC.with_({}) == SPEC


@pytest.mark.parametrize("setting", ["near.weight", "near_goal", "weight", "", ".weight"])
def test_a_setting_that_names_no_term_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match='names no term of the spec; .*"near_goal", "a.b", "a"'):
        SPEC.with_({setting: 1})


@pytest.mark.parametrize("member", ["wieght", "params", "params.", "name"])
def test_a_setting_of_another_member_is_refused(member: str) -> None:
    with pytest.raises(ValueError, match=r"expected weight, clip, type or params\.NAME"):
        SPEC.with_({f"a.{member}": 1})


def test_a_value_that_the_schema_refuses_is_refused() -> None:
    with pytest.raises(ValidationError, match="weight is the string"):
        SPEC.with_({"a.weight": "much"})


class Ends(RewardComponent):
    name = "ends"
    cadence = Cadence.EPISODE_END

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(1.0)


class Often(Ends):
    cadence = Cadence.STEP
    default_weight = 4.0


def test_weights_per_second_are_multiplied_by_the_length_of_a_step_but_for_the_end_of_an_episode() -> None:
    registry = Registry({"ends": Ends, "often": Often})
    terms = [{"type": "often", "name": "given", "weight": 10.0}, {"type": "often"}, {"type": "ends", "weight": 3.0}]
    spec = RewardSpec.from_dict({"name": "per second", "components": terms})
    made = spec.with_weights_per_second(0.5, registry)
    assert [term.weight for term in made.components] == [5.0, 2.0, 3.0]


@pytest.mark.parametrize("seconds", [0, -1.0, float("inf"), float("nan"), "1", True, None])
def test_a_step_takes_some_seconds(seconds: Any) -> None:
    with pytest.raises(ValueError, match="a step takes a finite number of seconds, above 0"):
        SPEC.with_weights_per_second(seconds)
