"""Regimes on a schedule."""

from __future__ import annotations

from typing import Any

import pytest
from reward_receipts.envs import ComposedReward, RegimeSchedule, TraceRecorder, WrapperOrder
from tier_two import REGISTRY, SPEC, Plain, Rows, Walk, played


def labels(env: Any, episodes: int) -> list[tuple[str, bool]]:
    return [(step[4]["regime"]["label"], step[4]["regime"]["boundary"]) for step in played(env, episodes)]


def test_a_schedule_in_steps_counts_the_steps_of_all_episodes() -> None:
    env = RegimeSchedule(Plain(0.0, 0.0, 0.0), [(0, "calm"), (4, "storm")])
    assert labels(env, 2) == [
        ("calm", True),
        ("calm", False),
        ("calm", False),
        ("calm", False),
        ("storm", True),
        ("storm", False),
    ]


def test_a_schedule_in_episodes_changes_at_resets() -> None:
    env = RegimeSchedule(Plain(0.0, 0.0), [(0, "calm"), (1, "storm"), (2, "calm")], unit="episodes")
    assert labels(env, 4) == [
        ("calm", True),
        ("calm", False),
        ("storm", True),
        ("storm", False),
        ("calm", True),
        ("calm", False),
        ("calm", False),
        ("calm", False),
    ]


def test_an_episode_in_which_no_step_was_taken_is_not_counted() -> None:
    env = RegimeSchedule(Plain(0.0), [(0, "calm"), (1, "storm")], unit="episodes")
    for _ in range(3):
        assert env.reset()[1]["regime"] == {"label": "calm", "boundary": True}
    assert env.step(0)[4]["regime"] == {"label": "calm", "boundary": True}
    assert env.reset()[1]["regime"] == {"label": "storm", "boundary": True}


def test_anything_that_a_boundary_changes_is_changed_once_before_the_step_that_it_begins_with() -> None:
    calls: list[tuple[str, int]] = []

    def change(env: Any, label: str) -> None:
        calls.append((label, env.unwrapped.taken))
        env.unwrapped.rewards = (len(calls),) * 3

    env = RegimeSchedule(Plain(0, 0, 0), [(0, "calm"), (2, "storm")], on_boundary=change)
    assert env.regime is None
    assert [step[1] for step in played(env, 2)] == [1, 1, 2, 2, 2, 2]
    assert calls == [("calm", 0), ("storm", 2)]
    assert env.regime == "storm"


def test_a_change_that_fails_is_tried_again() -> None:
    tries = iter([RuntimeError("not yet"), None])

    def change(env: Any, label: str) -> None:
        if (error := next(tries)) is not None:
            raise error

    env = RegimeSchedule(Plain(0.0), [(0, "calm")], on_boundary=change)
    with pytest.raises(RuntimeError, match="not yet"):
        env.reset()
    assert env.reset()[1]["regime"]["boundary"] is True


def test_a_schedule_overrides_what_the_environment_says_in_any_order_of_the_wrappers() -> None:
    for wrapped in (
        RegimeSchedule(ComposedReward(Walk(), SPEC, registry=REGISTRY), [(0, "calm"), (2, "storm")]),
        ComposedReward(RegimeSchedule(Walk(), [(0, "calm"), (2, "storm")]), SPEC, registry=REGISTRY),
    ):
        sink = Rows()
        played(TraceRecorder(wrapped, sink))
        rows = [(row["regime"], row["regime_boundary"], row["reward"]) for row in sink.rows]
        assert rows == [("calm", True, 0.5), ("calm", False, 1.0), ("storm", True, 4.0)]


def test_without_a_schedule_the_environments_own_regime_is_traced() -> None:
    sink = Rows()
    played(TraceRecorder(Walk(steps=2), sink), 2)
    assert [(row["regime"], row["regime_boundary"]) for row in sink.rows] == [
        ("episode 1", True),
        ("episode 1", False),
        ("episode 2", True),
        ("episode 2", False),
    ]


@pytest.mark.parametrize(
    "schedule",
    [[], [(1, "calm")], [(0, "calm"), (0, "storm")], [(0, "calm"), (2.0, "storm")], [(0, "calm"), (-1, "x")]],
)
def test_starts_are_whole_numbers_from_0_that_grow(schedule: Any) -> None:
    with pytest.raises(ValueError, match="starts"):
        RegimeSchedule(Plain(0.0), schedule)


@pytest.mark.parametrize("label", ["", "x" * 129, 3, "\ud800"])
def test_a_label_is_a_text_of_1_to_128_characters(label: Any) -> None:
    with pytest.raises(ValueError, match="label"):
        RegimeSchedule(Plain(0.0), [(0, label)])


def test_a_unit_is_steps_or_episodes() -> None:
    with pytest.raises(ValueError, match="'steps' or 'episodes'"):
        RegimeSchedule(Plain(0.0), [(0, "calm")], unit="hours")  # type: ignore[arg-type]


def test_a_schedule_around_a_recorder_which_would_not_see_it_is_refused() -> None:
    with pytest.raises(WrapperOrder, match="TraceRecorder is inside the schedule"):
        RegimeSchedule(TraceRecorder(Plain(0.0), Rows()), [(0, "calm")])
