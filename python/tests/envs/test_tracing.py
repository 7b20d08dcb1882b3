"""Traces: rows for steps, and the files that hold them."""

from __future__ import annotations

import copy
import errno
import gc
import json
import math
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from gymnasium.vector import AsyncVectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_receipts import InvalidDocument, InvalidText
from reward_receipts.bulk.files import Unread
from reward_receipts.envs import (
    ComposedReward,
    EpisodeMetrics,
    JsonLinesTrace,
    ParquetTrace,
    RewardTraceRow,
    StepRefused,
    TraceRecorder,
    WrapperOrder,
    open_trace,
    read_trace,
)
from reward_receipts.rewards import CompositionError, Registry, RewardComponent
from reward_receipts.traces import formats, write
from reward_receipts.traces.read import trace_entries
from reward_receipts.traces.row import is_known, valid_row
from reward_receipts.validation.check import check
from scripted_components import spec_of
from tier_two import REGISTRY, SPEC, Plain, Rows, Walk, played

SUFFIXES = (".jsonl", ".parquet")
ROW: dict[str, Any] = {
    "schema_version": "reward-receipts.trace-row/v1",
    "environment": 0,
    "episode": 0,
    "step": 0,
    "reward": 0.5,
    "environment_reward": None,
    "reward_components": {"b": 0.5, "a": -0.0},
    "reward_detail": {
        "b": {"raw": 0.5, "zero": None, "terms": {"x": 1.0}},
        "a": {"raw": None, "zero": "skipped", "terms": {}},
    },
    "terminated": False,
    "truncated": True,
    "evaluation": False,
    "regime": "calm",
    "regime_boundary": True,
    "spec_digest": "sha256:" + "a" * 64,
    "resolved_spec_digest": None,
}


def composed(**options: Any) -> ComposedReward:
    return ComposedReward(Walk(**options), SPEC, registry=REGISTRY)


def traced(env: Any, episodes: int = 1) -> list[dict[str, Any]]:
    sink = Rows()
    played(TraceRecorder(env, sink), episodes)
    return sink.rows


# Rows.


def test_a_row_says_what_the_step_was_rewarded_with_and_why() -> None:
    env = composed()
    row = traced(env)[2]
    assert row == {
        "schema_version": "reward-receipts.trace-row/v1",
        "environment": 0,
        "episode": 0,
        "step": 2,
        "reward": 4.0,
        "environment_reward": 0.25,
        "reward_components": {"upright": 1.0, "steps": 3.0},
        "reward_detail": {
            "upright": {"raw": 1.5, "zero": None, "terms": {"half": 0.75}},
            "steps": {"raw": 3.0, "zero": None, "terms": {}},
        },
        "terminated": True,
        "truncated": False,
        "evaluation": False,
        "regime": "episode 1",
        "regime_boundary": False,
        "spec_digest": env.reward_spec.digest,
        "resolved_spec_digest": env.resolved_spec.digest,
    }
    assert RewardTraceRow.model_validate(row).reward == 4.0


def test_the_contributions_of_a_row_add_up_to_its_reward() -> None:
    for row in traced(composed(steps=5), episodes=2):
        assert sum(row["reward_components"].values()) == row["reward"]


def test_a_tier_1_environment_is_traced_with_its_own_reward() -> None:
    rows = traced(Plain(1, np.float32(0.5), np.int64(-2)))
    assert [row["reward"] for row in rows] == [1.0, 0.5, -2.0]
    assert all(type(row["reward"]) is float for row in rows)
    assert all(row["environment_reward"] is row["regime"] is row["spec_digest"] is None for row in rows)
    assert all(row["reward_components"] == row["reward_detail"] == {} for row in rows)
    assert [check("trace-row", row) for row in rows] == [()] * 3


def test_episodes_and_steps_are_counted() -> None:
    assert [(row["episode"], row["step"]) for row in traced(Plain(1.0, 2.0), episodes=2)] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    ]


def test_a_reset_that_follows_a_reset_begins_no_other_episode() -> None:
    sink = Rows()
    env = TraceRecorder(Plain(1.0, 2.0), sink)
    env.reset()
    env.reset()
    env.step(0)
    env.reset()  # the first is left before its end
    env.step(0)
    assert [(row["episode"], row["step"]) for row in sink.rows] == [(0, 0), (1, 0)]


def test_a_regime_that_a_reset_begins_begins_with_the_first_step() -> None:
    class Announcing(Plain):
        def reset(self, **options: Any) -> Any:
            observation, _ = super().reset(**options)
            return observation, {"regime": {"label": "calm", "boundary": True}}

    rows = traced(Announcing(1.0, 2.0, info={"regime": {"label": "calm", "boundary": np.bool_(False)}}))
    assert [(row["regime"], row["regime_boundary"]) for row in rows] == [("calm", True), ("calm", False)]
    other = traced(Announcing(1.0, info={"regime": {"label": "storm", "boundary": False}}))
    assert [row["regime_boundary"] for row in other] == [False]


def test_rows_are_marked_as_evaluation_from_a_reset_on() -> None:
    sink = Rows()
    env = TraceRecorder(Plain(1.0, 2.0), sink)
    env.reset()
    env.step(0)
    env.evaluation = True
    env.step(0)
    played(env)
    env.evaluation = False
    played(env)
    assert [row["evaluation"] for row in sink.rows] == [False, False, True, True, False, False]
    played(TraceRecorder(Plain(3.0), other := Rows(), evaluation=True))
    assert other.rows[0]["evaluation"] is True


def test_a_parquet_trace_without_the_column_that_marks_evaluation_is_of_training(tmp_path: Path) -> None:
    path = tmp_path / "trace.parquet"
    with open_trace(path) as sink:
        sink.write(ROW)
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.drop_columns(["evaluation"]), path)
    assert list(read_trace(path)) == [ROW]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_unscored_step_is_none_and_never_0(tmp_path: Path, suffix: str) -> None:
    env = TraceRecorder(Plain(1.0, None, 0.0), tmp_path / f"trace{suffix}", manifest=False)
    played(env)
    env.close()
    assert [row["reward"] for row in read_trace(tmp_path / f"trace{suffix}")] == [1.0, None, 0.0]
    if suffix == ".jsonl":
        assert '"reward":null' in (tmp_path / "trace.jsonl").read_text().splitlines()[1]
    else:
        assert pyarrow.parquet.read_table(tmp_path / "trace.parquet")["reward"].null_count == 1


@pytest.mark.parametrize(
    "reward", [math.nan, math.inf, -math.inf, np.float32("nan"), True, "1", np.array(1.0), 10**400]
)
def test_a_reward_that_is_not_a_finite_number_is_refused_naming_the_step(reward: Any) -> None:
    sink = Rows()
    env = TraceRecorder(Plain(0.0, reward), sink)
    env.reset()
    env.step(0)
    with pytest.raises(StepRefused, match="environment 0, episode 0, step 1: the reward is") as refused:
        env.step(0)
    assert (refused.value.environment, refused.value.episode, refused.value.step) == (0, 0, 1)
    assert len(sink.rows) == 1


@pytest.mark.parametrize("flag", [1, None, "False"])
def test_a_flag_that_is_not_a_boolean_is_refused(flag: Any) -> None:
    class Flagged(Plain):
        def step(self, action: Any) -> Any:
            return (*super().step(action)[:2], flag, False, {})

    env = TraceRecorder(Flagged(1.0), Rows())
    env.reset()
    with pytest.raises(StepRefused, match="terminated is"):
        env.step(0)


def test_a_step_needs_a_reset_first_and_after_each_end() -> None:
    env = TraceRecorder(Plain(1.0), Rows())
    with pytest.raises(StepRefused, match="was not reset"):
        env.step(0)
    played(env)
    env.unwrapped.taken = 0
    with pytest.raises(StepRefused, match="has ended"):
        env.step(0)


@pytest.mark.parametrize("regime", ["calm", {"boundary": True}, {"label": 3}, {"label": "calm", "boundary": 1}])
def test_a_regime_of_another_form_is_refused(regime: Any) -> None:
    env = TraceRecorder(Plain(1.0, info={"regime": regime}), Rows())
    env.reset()
    with pytest.raises(StepRefused, match=r'info\["regime"\]'):
        env.step(0)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("info", "pointer"),
    [
        ({"reward_components": {"a": math.nan}}, "/reward_components/a"),
        ({"reward_components": {"a": True}}, "/reward_components/a"),
        ({"reward_components": {"": 1.0}}, "/reward_components"),
        ({"reward_components": [1.0]}, "/reward_components"),
        ({"reward_detail": {"a": {"raw": "1", "zero": None, "terms": {}}}}, "/reward_detail/a/raw"),
        ({"reward_detail": {"a": {"raw": 1.0, "zero": "tired", "terms": {}}}}, "/reward_detail/a/zero"),
        ({"reward_detail": {"a": {"raw": 1.0, "zero": ["tired"], "terms": {}}}}, "/reward_detail/a/zero"),
        ({"reward_detail": {"a": {"raw": 1.0, "zero": None, "terms": [], "more": 1}}}, "/reward_detail/a"),
        ({"reward_detail": {"a": {"raw": 1.0, "terms": {"x": math.inf}}}}, "/reward_detail/a/terms/x"),
        ({"spec_digest": "sha256:ab"}, "/spec_digest"),
        ({"spec_digest": ["sha256:ab"]}, "/spec_digest"),
        ({"regime": {"label": ""}}, "/regime"),
        ({"regime": {"label": "\ud800"}}, "/regime"),
    ],
)
def test_anything_that_no_row_can_hold_is_refused_and_not_written(
    tmp_path: Path, suffix: str, info: dict[str, Any], pointer: str
) -> None:
    path = tmp_path / f"trace{suffix}"
    env = TraceRecorder(Plain(1.0, 2.0, info=info), path, manifest=False)
    env.reset()
    with pytest.raises(InvalidDocument) as refused:
        env.step(0)
    assert refused.value.findings[0].pointer.startswith(pointer)
    env.close()
    assert list(read_trace(path)) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("names", [["\ud800"], [""], ["x" * 129], [str(number) for number in range(65)]])
def test_a_sub_term_whose_name_no_row_can_hold_costs_its_own_row_and_no_other(
    tmp_path: Path, suffix: str, names: list[str]
) -> None:
    class Naming(RewardComponent):
        name = "naming"

        def compute(self, ctx: Any) -> Any:
            return self._signal(1.0, dict.fromkeys(names if ctx.step == 1 else ["x"], 1.0))

    path = tmp_path / f"trace{suffix}"
    env = TraceRecorder(ComposedReward(Walk(), spec_of("naming"), registry=Registry({"naming": Naming})), path)
    env.reset()
    env.step(0)
    with pytest.raises((InvalidDocument, CompositionError)):  # the recorder's, or the engine's
        env.step(0)
    env.step(0)
    env.close()
    assert [row["reward"] for row in read_trace(path)] == [1.0] * 2
    assert json.loads((tmp_path / f"trace{suffix}.manifest.json").read_text())["run"]["finished"] is True


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_anything_that_an_environment_says_with_numpy_is_written_as_plain_numbers(tmp_path: Path, suffix: str) -> None:
    info = {"reward_components": {"a": np.float32(0.5)}, "reward_detail": {"a": {"raw": np.int64(2)}}}
    env = TraceRecorder(Plain(1.0, info=info), tmp_path / f"trace{suffix}", manifest=False)
    played(env)
    env.close()
    [row] = read_trace(tmp_path / f"trace{suffix}")
    assert row["reward_components"] == {"a": 0.5}
    assert row["reward_detail"] == {"a": {"raw": 2.0, "zero": None, "terms": {}}}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_anything_that_an_environment_changes_afterwards_does_not_change_the_trace(tmp_path: Path, suffix: str) -> None:
    components, detail = {"a": 1.0}, {"a": {"raw": 1.0, "zero": None, "terms": {"x": 1.0}}}
    env = TraceRecorder(
        Plain(1.0, info={"reward_components": components, "reward_detail": detail}),
        tmp_path / f"trace{suffix}",
        manifest=False,
    )
    played(env)
    components["a"] = detail["a"]["raw"] = detail["a"]["terms"]["x"] = 9.0  # type: ignore[index]
    env.close()
    [row] = read_trace(tmp_path / f"trace{suffix}")
    assert row["reward_components"] == {"a": 1.0}
    assert row["reward_detail"] == {"a": {"raw": 1.0, "zero": None, "terms": {"x": 1.0}}}


def test_a_reward_that_a_wrapper_changed_after_it_was_composed_is_refused_at_once() -> None:
    env = TraceRecorder(gymnasium.wrappers.TransformReward(composed(), lambda reward: 100 * reward), Rows())
    env.reset()
    with pytest.raises(StepRefused, match="the reward is 50.0, .* add up to 0.5; a wrapper between"):
        env.step(0)


def test_a_time_limit_outside_of_the_composed_reward_which_then_pays_no_end_is_refused() -> None:
    env = TraceRecorder(gymnasium.wrappers.TimeLimit(composed(), 2), Rows())
    env.reset()
    env.step(0)
    with pytest.raises(StepRefused, match=r'step 1: the episode ends here, and "steps", .*TimeLimit.*put it inside'):
        env.step(0)
    sink = Rows()
    inside = ComposedReward(gymnasium.wrappers.TimeLimit(Walk(), 2), SPEC, registry=REGISTRY)
    played(TraceRecorder(inside, sink))
    assert sink.rows[-1]["reward_components"] == {"upright": 1.0, "steps": 2.0}


class Silent(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Hands on nothing of info."""

    def step(self, action: Any) -> Any:
        return (*self.env.step(action)[:4], {})


@pytest.mark.parametrize("wrapper", [lambda env: TraceRecorder(env, Rows(), manifest=False), EpisodeMetrics])
def test_a_wrapper_that_drops_info_below_a_recorder_is_refused_at_the_first_step(wrapper: Any) -> None:
    env = wrapper(Silent(composed()))
    env.reset()
    with pytest.raises(StepRefused, match="step 0: a spec composes the reward, and info does not have .*put that wrap"):
        env.step(0)
    played(wrapper(Silent(Walk())))  # where no spec composes it, there is nothing to hand on


def test_a_reward_of_lower_precision_is_refused_naming_it() -> None:
    spec = spec_of({"type": "upright", "weight": 0.1})
    env = gymnasium.wrappers.TransformReward(ComposedReward(Walk(), spec, registry=REGISTRY), np.float32)
    recorder = TraceRecorder(env, Rows())
    recorder.reset()
    with pytest.raises(StepRefused, match="a lower precision does, float32"):
        recorder.step(0)


def test_gymnasiums_autoreset_below_a_recorder_is_refused() -> None:
    with pytest.raises(WrapperOrder, match="Autoreset is inside the recorder"):
        TraceRecorder(gymnasium.wrappers.Autoreset(Plain(1.0)), Rows())


def test_a_step_whose_row_is_refused_leaves_a_gap() -> None:
    sink = Rows()
    env = TraceRecorder(Plain(1.0, float("nan"), 3.0), sink)
    env.reset()
    for reward in (1.0, None, 3.0):
        if reward is None:
            with pytest.raises(StepRefused):
                env.step(0)
        else:
            env.step(0)
    assert [(row["step"], row["reward"]) for row in sink.rows] == [(0, 1.0), (2, 3.0)]
    env.unwrapped.taken = 0
    with pytest.raises(StepRefused, match="has ended"):
        env.step(0)


# Files.


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_run_reads_back_as_it_was_traced(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    env = TraceRecorder(composed(), path)
    played(env, episodes=2)
    env.close()
    assert list(read_trace(path)) == traced(composed(), episodes=2)


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
doubles = st.floats(allow_nan=False, allow_infinity=False)
digests = st.none() | st.just("sha256:" + "0a" * 32)
rows = st.fixed_dictionaries(
    {
        "schema_version": st.just("reward-receipts.trace-row/v1"),
        "environment": st.integers(0, 2**53 - 1),
        "episode": st.integers(0, 9),
        "step": st.integers(0, 9),
        "reward": st.none() | doubles,
        "environment_reward": st.none() | doubles,
        "reward_components": st.dictionaries(names, doubles, max_size=4),
        "reward_detail": st.dictionaries(
            names,
            st.fixed_dictionaries(
                {
                    "raw": st.none() | doubles,
                    "zero": st.sampled_from([None, "skipped", "gated", "underflow"]),
                    "terms": st.dictionaries(names, doubles, max_size=2),
                }
            ),
            max_size=4,
        ),
        "terminated": st.booleans(),
        "truncated": st.booleans(),
        "evaluation": st.booleans(),
        "regime": st.none() | names,
        "regime_boundary": st.booleans(),
        "spec_digest": digests,
        "resolved_spec_digest": digests,
    }
)


def spelled(trace: list[dict[str, Any]]) -> str:
    """Rows as text, in which -0.0 is not 0.0 and the order of the terms counts, but not that of other members."""
    return json.dumps([_ordered(row) for row in trace])


def _ordered(row: dict[str, Any]) -> dict[str, Any]:
    detail = {
        name: {member: term[member] for member in ("raw", "zero", "terms")}
        for name, term in row["reward_detail"].items()
    }
    return {**{name: row[name] for name in ROW}, "reward_detail": detail}


@settings(max_examples=60)
@given(st.lists(rows, max_size=6), st.lists(st.integers(0, 6), max_size=3))
def test_any_rows_read_back_equal_from_both_formats(trace: list[dict[str, Any]], flushes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for suffix in SUFFIXES:
            path = Path(folder) / f"trace{suffix}"
            with open_trace(path) as sink:
                for place, row in enumerate(trace):
                    sink.write(row)
                    if place in flushes:
                        sink.flush()
            assert spelled(list(read_trace(path))) == spelled(trace)


junk = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2**53) | doubles | st.sampled_from(["", "calm", "sha256:", "x" * 129]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["raw", "zero", "terms", ""]), inner),
    max_leaves=4,
)
places = st.sampled_from(
    [(name,) for name in ROW] + [("reward_detail", "b"), ("reward_detail", "b", "terms", "x")]
) | st.tuples(st.just("reward_detail"), st.just("b"), st.sampled_from(["raw", "zero", "terms", "more"]))


@settings(max_examples=400)
@given(places, junk, st.booleans())
def test_anything_that_is_taken_without_asking_the_schema_the_schema_takes(
    place: tuple[str, ...], value: Any, left_out: bool
) -> None:
    row = json.loads(json.dumps(ROW))
    inner = row
    for step in place[:-1]:
        inner = inner[step]
    if left_out:
        inner.pop(place[-1], None)
    else:
        inner[place[-1]] = value
    findings = check("trace-row", row)
    if findings:
        assert not is_known(row)
        with pytest.raises(InvalidDocument):
            valid_row(row)
    else:
        checked = valid_row(row)
        assert is_known(checked)
        assert valid_row(checked) == checked
        assert checked.items() >= {name: row[name] for name in row if name != "reward_detail"}.items()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_numbers_whose_sum_overflows_are_finite_all_the_same(tmp_path: Path, suffix: str) -> None:
    terms = {"x": 1.7e308, "y": 1.7e308}
    detail = {name: {"raw": 1.7e308, "zero": None, "terms": terms} for name in ("a", "b")}
    row = {**ROW, "reward": None, "reward_components": {"a": -1.7e308, "b": -1.7e308}, "reward_detail": detail}
    with open_trace(tmp_path / f"trace{suffix}") as sink:
        sink.write(row)
    assert list(read_trace(tmp_path / f"trace{suffix}")) == [row]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_row_that_leaves_out_what_has_a_default_is_completed(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    least = {"environment": 0.0, "episode": 0, "step": 0, "reward": 1, "terminated": False, "truncated": False}
    with open_trace(path) as sink:
        sink.write(least)
    [row] = read_trace(path)
    assert row.keys() == ROW.keys()
    assert spelled([row]) == spelled([{**{name: row[name] for name in ROW}, "environment": 0, "reward": 1.0}])
    assert row["reward_components"] == row["reward_detail"] == {}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_closing_twice_is_fine_and_writing_after_it_is_not(tmp_path: Path, suffix: str) -> None:
    sink = open_trace(tmp_path / f"trace{suffix}")
    sink.write(ROW)
    sink.close()
    sink.close()
    assert sink.closed
    with pytest.raises(ValueError, match="is closed"):
        sink.write(ROW)
    assert list(read_trace(sink.path)) == [ROW]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_trace_is_not_written_over_another_one_unasked(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    with open_trace(path) as sink:
        sink.write(ROW)
    with pytest.raises(FileExistsError):
        open_trace(path)
    assert list(read_trace(path)) == [ROW]
    with open_trace(path, overwrite=True):
        pass
    assert list(read_trace(path)) == []


def test_a_folder_that_is_not_there_or_a_name_that_is_one_is_refused_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "folder.parquet").mkdir()
    for overwrite in (False, True):
        with pytest.raises(FileNotFoundError, match="there is no folder .*none for trace.jsonl"):
            TraceRecorder(Plain(1.0), tmp_path / "none" / "trace.jsonl", overwrite=overwrite)
        with pytest.raises(FileExistsError, match="is a folder"):
            open_trace(tmp_path / "folder.parquet", overwrite=overwrite)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_threads_can_share_a_trace(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "_ROW_GROUP", 7)
    path = tmp_path / f"trace{suffix}"
    with open_trace(path) as sink, ThreadPoolExecutor(4) as pool:
        trace = [{**ROW, "environment": number % 4, "step": number} for number in range(2000)]
        list(pool.map(sink.write, trace))
    assert sorted(read_trace(path), key=lambda row: row["step"]) == trace


def test_another_suffix_is_refused_naming_the_ones_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.jsonl, \.ndjson is JSON Lines, \.parquet is Parquet"):
        open_trace(tmp_path / "trace.csv")
    with pytest.raises(Unread, match=r"\.parquet is Parquet"):
        list(read_trace(tmp_path / "trace.csv"))


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_parquet_trace_gets_its_name_when_it_is_whole_and_can_be_read_before(tmp_path: Path) -> None:
    sink = open_trace(tmp_path / "trace.parquet")
    sink.write(ROW)
    sink.flush()
    assert names_in(tmp_path) == ["trace.parquet.partial"]
    for name in ("trace.parquet", "trace.parquet.partial"):
        assert list(read_trace(tmp_path / name)) == [ROW]
    sink.close()
    assert names_in(tmp_path) == ["trace.parquet"]
    assert list(read_trace(tmp_path / "trace.parquet")) == [ROW]


def test_the_second_writer_of_a_parquet_trace_is_refused_at_once(tmp_path: Path) -> None:
    first = open_trace(tmp_path / "trace.parquet")
    first.write(ROW)
    with pytest.raises(FileExistsError, match=r"trace\.parquet\.partial is being written by another run"):
        open_trace(tmp_path / "trace.parquet")
    first.close()
    assert list(read_trace(tmp_path / "trace.parquet")) == [ROW]


def test_a_parquet_trace_that_was_replaced_while_it_was_written_ends_in_an_error(tmp_path: Path) -> None:
    path = tmp_path / "trace.parquet"
    first = open_trace(path)
    with open_trace(path, overwrite=True) as second:
        first.write({**ROW, "step": 7})
        second.write(ROW)
        with pytest.raises(FileExistsError, match=r"trace\.parquet\.partial is another file now"):
            first.close()
    assert list(read_trace(path)) == [ROW]


def test_a_name_that_was_taken_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    sink = open_trace(tmp_path / "trace.parquet")
    sink.write(ROW)
    (tmp_path / "trace.parquet").write_text("other")
    with pytest.raises(FileExistsError, match=r"the rows are in trace\.parquet\.partial"):
        sink.close()
    assert (tmp_path / "trace.parquet").read_text() == "other"
    assert list(read_trace(tmp_path / "trace.parquet.partial")) == [ROW]
    assert names_in(tmp_path) == ["trace.parquet", "trace.parquet.partial"]


def test_a_trace_in_json_lines_that_was_written_over_while_it_went_on_is_not_ended_as_good(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    first, second = open_trace(path), open_trace(path, overwrite=True)
    first.write(ROW)
    second.write({**ROW, "step": 7})
    second.close()
    first.write(ROW)
    with pytest.raises(FileExistsError, match="another file now"):
        first.close()
    assert [row["step"] for row in read_trace(path)] == [7]


class FullDisk:
    """A file that takes some bytes, and no more until there is room."""

    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def write(self, data: Any) -> int:
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self.file.write(data[: self.room])
        self.room -= taken
        return int(taken)

    def write_at(self, descriptor: int, data: bytes, place: int) -> int:
        """In the place of os.pwrite."""
        self.file.seek(place)
        return self.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def fill_disk(sink: Any, monkeypatch: pytest.MonkeyPatch, room: int, *, places: bool = True) -> FullDisk:
    """Leaves some bytes of room for the file of a trace."""
    sink._file._file = disk = FullDisk(sink._file._file, room)
    if places:
        monkeypatch.setattr(os, "pwrite", disk.write_at)
    else:
        monkeypatch.delattr(os, "pwrite")  # as on Windows
    return disk


@pytest.mark.parametrize("places", [True, False])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_anything_that_a_full_disk_did_not_take_is_written_when_there_is_room_and_once(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch, places: bool
) -> None:
    path = tmp_path / f"trace{suffix}"
    sink = open_trace(path)
    disk = fill_disk(sink, monkeypatch, 200, places=places)
    trace = [{**ROW, "step": step} for step in range(4)]
    for row in trace:
        with suppress(OSError):  # in JSON Lines, the row ends its episode and goes to the file at once
            sink.write(row)
        with suppress(OSError):
            sink.flush()
    with pytest.raises(OSError, match=r"cannot write the trace \(No space left on device\).*trace\.") as raised:
        sink.flush()
    assert raised.value.errno == errno.ENOSPC
    disk.room = 10**6
    sink.close()
    assert list(read_trace(path)) == trace


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_trace_that_a_full_disk_cut_short_has_no_manifest_that_says_otherwise(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"trace{suffix}"
    env = TraceRecorder(Plain(*[1.0] * 50), path)
    env.reset()
    fill_disk(env._trace._sink, monkeypatch, 300)
    for _ in range(49):
        env.step(0)
    with pytest.raises(OSError, match="No space left"):
        env.close_trace()
    env.close()
    manifest = json.loads((tmp_path / f"trace{suffix}.manifest.json").read_text())
    assert manifest["run"]["finished"] is False
    assert manifest["traces"] == [{"name": path.name, "sha256": None, "bytes": None}]
    assert path.exists() == (suffix == ".jsonl")


def test_if_the_parquet_file_cannot_be_written_at_the_end_the_rows_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    sink = open_trace(tmp_path / "trace.parquet")
    sink.write(ROW)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device\); its rows are in trace\.parquet\.partial"):
        sink.close()
    assert names_in(tmp_path) == ["trace.parquet.partial"]
    assert list(read_trace(tmp_path / "trace.parquet")) == [ROW]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("writer", [JsonLinesTrace, ParquetTrace])
def test_a_device_that_is_full_is_an_error_that_names_the_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writer: Any
) -> None:
    opened = open

    def full(path: Any, mode: str = "r", **options: Any) -> Any:
        return opened("/dev/full", "wb", **options) if mode == "xb" else opened(path, mode, **options)

    monkeypatch.setattr(write, "open", full, raising=False)
    with (
        pytest.raises(OSError, match=r"cannot write the trace \(No space left on device\)"),
        writer(tmp_path / "trace.x") as sink,
    ):
        sink.write(ROW)


CRASHING = """
import os, sys
from reward_receipts.envs import open_trace
row = {"environment": 0, "episode": 0, "step": 0, "reward": 1.0, "terminated": False, "truncated": False}
sink = open_trace(sys.argv[1])
for step in range(5):
    sink.write({**row, "step": step})
    if step == 2:
        sink.flush()
os._exit(9)
"""


KILLED = """
import os, signal, sys
sys.path[:0] = sys.argv[3:]
from reward_receipts.envs import TraceRecorder
from tier_two import Plain
env = TraceRecorder(Plain(*[1.0] * 1000), sys.argv[1])
env.reset(seed=7)
for step in range(250):
    env.step(0)
os.kill(os.getpid(), getattr(signal, sys.argv[2]))
"""


@pytest.mark.parametrize("signal", ["SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_run_that_is_killed_leaves_its_manifest(tmp_path: Path, suffix: str, signal: str) -> None:
    path = tmp_path / f"trace{suffix}"
    command = [sys.executable, "-c", KILLED, path, signal, Path(__file__).parents[1] / "support"]
    assert subprocess.run(command, check=False).returncode < 0
    manifest = json.loads((tmp_path / f"trace{suffix}.manifest.json").read_text())
    assert manifest["run"] == {
        "finished": False,
        "steps": None,
        "episodes": None,
        "refused_steps": None,
        "seeds": [7],
        "seeded_resets": 1,
    }
    assert manifest["traces"] == [{"name": path.name, "sha256": None, "bytes": None}]
    if suffix == ".jsonl":
        assert [row["step"] for row in read_trace(path)] == list(range(200))


RUNNING = """
import sys
sys.path[:0] = sys.argv[2:]
from reward_receipts.envs import TraceRecorder
from reward_receipts.traces import write
from tier_two import Plain
write._SECONDS = 0.01
env = TraceRecorder(Plain(*[1.0] * 1000), sys.argv[1])
steps = 0
while True:
    env.reset()
    for _ in range(1000):
        env.step(0)
        steps += 1
        if steps % 500 == 0:
            env.flush()
            print(steps, flush=True)
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_run_that_is_killed_at_any_moment_keeps_all_rows_that_were_flushed(tmp_path: Path, suffix: str) -> None:
    moments = random.Random(9)
    for run in range(6):
        path = tmp_path / f"{run}{suffix}"
        command = [sys.executable, "-c", RUNNING, path, Path(__file__).parents[1] / "support"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            flushed = int(running.stdout.readline())
            time.sleep(moments.uniform(0.0, 0.6))
            running.send_signal(signal.SIGKILL)
            said = running.stdout.read().split("\n")
        flushed = max([flushed, *(int(count) for count in said[:-1] if count)])
        places = [(row["episode"], row["step"]) for row in read_trace(path)]
        assert places == [divmod(place, 1000) for place in range(len(places))]
        assert len(places) >= flushed
        assert path.exists() == (suffix == ".jsonl")


def test_a_new_run_moves_the_rows_of_a_killed_one_aside(tmp_path: Path) -> None:
    path = tmp_path / "trace.parquet"
    command = [sys.executable, "-c", KILLED, path, "SIGKILL", Path(__file__).parents[1] / "support"]
    assert subprocess.run(command, check=False).returncode < 0
    manifest = (tmp_path / "trace.parquet.manifest.json").read_bytes()
    with open_trace(path) as sink:
        sink.write(ROW)
    assert list(read_trace(path)) == [ROW]
    [kept] = [name for name in names_in(tmp_path) if name.endswith(".partial")]
    assert re.fullmatch(r"trace\.parquet\.[0-9a-f]{8}\.partial", kept)
    list(read_trace(tmp_path / kept))
    assert (tmp_path / f"{kept}.manifest.json").read_bytes() == manifest


@pytest.mark.parametrize("size", [0, 1, 700, -1, -7, -9, -300])
def test_a_stream_that_was_cut_off_is_read_up_to_the_last_whole_batch(tmp_path: Path, size: int) -> None:
    sink = open_trace(tmp_path / "trace.parquet")
    for step in range(2):
        sink.write({**ROW, "step": step})
        sink.flush()
    data = (tmp_path / "trace.parquet.partial").read_bytes()
    sink.close()
    left = tmp_path / "left.parquet.partial"
    left.write_bytes(data[:size])
    assert [row["step"] for row in read_trace(left)] == ([] if size >= 0 else [0])


NOBODY_CLOSES = """
import atexit, sys
sys.path[:0] = sys.argv[2:]
from reward_receipts.envs import TraceRecorder
from tier_two import Plain
env = TraceRecorder(Plain(*[1.0] * 4), sys.argv[1])
env.reset()
for _ in range(4):
    env.step(0)
class Late:
    def find_spec(self, name, path=None, target=None):
        print("imported at the end:", name, file=sys.stderr)
atexit.register(sys.meta_path.insert, 0, Late())
"""


def test_a_parquet_trace_imports_nothing_as_the_process_ends(tmp_path: Path) -> None:
    """Arrow imports a shim for pandas when it is first needed. As the process ends, that fails."""
    path = tmp_path / "trace.parquet"
    command = [sys.executable, "-c", NOBODY_CLOSES, path, Path(__file__).parents[1] / "support"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(list(read_trace(path))) == 4


COPIES = {"deepcopy": copy.deepcopy, "copy": copy.copy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_made_before_the_first_reset_ends_its_trace_like_the_recorder(
    tmp_path: Path, suffix: str, how: str
) -> None:
    path = tmp_path / f"trace{suffix}"
    env = COPIES[how](TraceRecorder(Plain(1.0, 2.0, 3.0), path))
    played(env)
    env.reset()
    env.step(0)
    del env
    gc.collect()
    assert [row["reward"] for row in read_trace(path)] == [1.0, 2.0, 3.0, 1.0]
    assert json.loads((tmp_path / f"trace{suffix}.manifest.json").read_text())["run"]["finished"] is True


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("how", COPIES)
def test_a_recorder_that_runs_and_its_writer_refuse_to_be_copied(tmp_path: Path, suffix: str, how: str) -> None:
    env = TraceRecorder(Plain(1.0, 2.0), tmp_path / f"trace{suffix}")
    env.reset()
    with pytest.raises(TypeError, match=r"cannot be copied or pickled.*Copy the environment inside of it"):
        COPIES[how](env)
    with pytest.raises(TypeError, match=r"the open trace trace\.\w+ cannot be copied or pickled"):
        COPIES[how](env._trace._sink)
    env.close()


def test_lines_are_in_the_file_at_the_end_of_an_episode_and_after_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trace.jsonl"
    env = TraceRecorder(Plain(1.0, 2.0, 3.0), path)
    env.reset()
    env.step(0)
    assert path.stat().st_size == 0
    now = time.monotonic()
    monkeypatch.setattr("reward_receipts.traces.write.time.monotonic", lambda: now + 2.0)
    env.step(0)
    assert len(list(read_trace(path))) == 2
    env.step(0)
    assert len(list(read_trace(path))) == 3
    env.reset()
    env.step(0)
    env.flush()
    assert len(list(read_trace(path))) == 4
    env.close()


FORKING = """
import os, sys
sys.path[:0] = sys.argv[2:]
from reward_receipts.envs import TraceRecorder
from tier_two import Plain
env = TraceRecorder(Plain(*[1.0] * 9), sys.argv[1])
env.reset()
env.step(0)
if os.fork() == 0:
    try:
        env.flush()
    except ValueError as error:
        assert "another process's" in str(error)
        sys.exit()
    os._exit(1)
assert os.wait()[1] == 0
env.step(0)
env.close()
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_child_that_was_forked_leaves_the_trace_to_its_parent(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    command = [sys.executable, "-W", "ignore", "-c", FORKING, path, Path(__file__).parents[1] / "support"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert [row["step"] for row in read_trace(path)] == [0, 1]
    assert names_in(tmp_path) == [path.name, f"{path.name}.manifest.json"]


def test_a_crash_keeps_whole_lines_of_what_was_flushed(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    assert subprocess.run([sys.executable, "-c", CRASHING, path], check=False).returncode == 9
    assert path.read_bytes().endswith(b"}\n")
    assert [row["step"] for row in read_trace(path)] == [0, 1, 2]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_recorder_that_is_let_go_of_ends_its_trace_and_is_freed_with_its_environment(
    tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"trace{suffix}"
    env = TraceRecorder(Plain(1.0, 2.0), path)
    played(env)
    sink = weakref.ref(env._trace._sink)  # type: ignore[type-var]
    kept = [weakref.ref(env), weakref.ref(env.env), sink]
    del env
    gc.collect()
    assert [each() for each in kept] == [None] * 3
    assert [row["reward"] for row in read_trace(path)] == [1.0, 2.0]
    manifest = json.loads((tmp_path / f"trace{suffix}.manifest.json").read_text())
    assert (manifest["run"]["finished"], manifest["run"]["steps"]) == (True, 2)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_manifest_is_completed_when_the_writer_is_closed_by_whomever(tmp_path: Path, suffix: str) -> None:
    with open_trace(tmp_path / f"trace{suffix}") as sink:
        env = TraceRecorder(Plain(1.0, 2.0), sink)
        played(env)
    written = (tmp_path / f"trace{suffix}.manifest.json").read_text()
    assert json.loads(written)["run"]["finished"] is True
    assert json.loads(written)["traces"][0]["bytes"] == (tmp_path / f"trace{suffix}").stat().st_size
    env.close()
    assert (tmp_path / f"trace{suffix}.manifest.json").read_text() == written


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_older_trace_does_not_lie_beside_the_manifest_of_the_run_that_replaces_it(
    tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"trace{suffix}"
    first = TraceRecorder(Plain(1.0), path)
    played(first)
    first.close()
    second = TraceRecorder(Plain(2.0), path, overwrite=True)
    assert [row["reward"] for row in read_trace(path)] == [1.0]  # until the first reset
    second.reset()
    assert not path.exists() or path.stat().st_size == 0
    second.step(0)
    second.close()
    assert [row["reward"] for row in read_trace(path)] == [2.0]


def test_overwrite_is_for_a_path(tmp_path: Path) -> None:
    with open_trace(tmp_path / "trace.jsonl") as sink, pytest.raises(ValueError, match="overwrite is for the path"):
        TraceRecorder(Plain(1.0), sink, overwrite=True)


LEAVING = """
import sys
sys.path[:0] = sys.argv[2:]
from reward_receipts.envs import TraceRecorder
from tier_two import Plain, played
played(TraceRecorder(Plain(1.0, 2.0), sys.argv[1]))
raise RuntimeError("nobody closed the environment")
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_recorder_that_nobody_closed_ends_its_trace_as_the_process_ends(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    command = [sys.executable, "-c", LEAVING, path, Path(__file__).parents[1] / "support"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 1
    assert [row["reward"] for row in read_trace(path)] == [1.0, 2.0]
    manifest = json.loads((tmp_path / f"trace{suffix}.manifest.json").read_text())
    assert (manifest["run"]["finished"], manifest["run"]["steps"], manifest["run"]["episodes"]) == (True, 2, 1)


def test_the_file_of_a_recorder_is_made_at_the_first_reset(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    env = TraceRecorder(Plain(1.0), path)
    env.close()  # as the one that Gymnasium makes to ask for the spaces
    assert names_in(tmp_path) == []
    with pytest.raises(ValueError, match="the trace is closed"):
        env.reset()
    env = TraceRecorder(Plain(1.0), path)
    env.reset()
    assert names_in(tmp_path) == ["trace.jsonl", "trace.jsonl.manifest.json"]
    env.close()
    with pytest.raises(FileExistsError, match=r"trace\.jsonl is there already: give another name, or overwrite=True"):
        TraceRecorder(Plain(1.0), path)
    TraceRecorder(Plain(1.0), path, overwrite=True).close()


def test_an_environment_in_a_process_of_its_own_is_traced_there(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    venv = AsyncVectorEnv([lambda: TraceRecorder(Plain(1.0, 2.0, 3.0), path)])
    venv.reset(seed=3)
    for _ in range(3):
        venv.step(np.zeros(1, dtype=np.int64))
    venv.close()
    assert [row["reward"] for row in read_trace(path)] == [1.0, 2.0, 3.0]
    assert json.loads((tmp_path / "trace.jsonl.manifest.json").read_text())["run"]["finished"] is True


def test_one_sink_is_of_one_recorder() -> None:
    sink = Rows()
    first = TraceRecorder(Plain(1.0), sink)
    with pytest.raises(ValueError, match="another recorder writes to this sink"):
        TraceRecorder(Plain(1.0), sink)
    first.close()
    TraceRecorder(Plain(1.0), sink).close()


def test_a_recorder_closes_its_sink_once_and_the_environment_too() -> None:
    sink = Rows()
    env = TraceRecorder(Plain(1.0), sink)
    env.close_trace()
    env.close()
    env.close()
    assert sink.closed == 1


def test_long_traces_are_written_in_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "_LINES", 3)
    monkeypatch.setattr(write, "_ROW_GROUP", 3)
    trace = [{**ROW, "step": step} for step in range(8)]
    for suffix in SUFFIXES:
        with open_trace(tmp_path / f"trace{suffix}") as sink:
            for row in trace:
                sink.write(row)
        assert list(read_trace(tmp_path / f"trace{suffix}")) == trace
    file = pyarrow.parquet.ParquetFile(tmp_path / "trace.parquet")
    assert [file.metadata.row_group(place).num_rows for place in range(file.num_row_groups)] == [3, 3, 2]
    file.close()
    gc.collect()


# Reading.


@pytest.mark.parametrize(
    ("line", "code", "place"),
    [
        (b'{"environment": 0, "environment": 0}', "json.duplicate", (3, 20)),
        (b'{"environment": NaN}', "json.syntax", (3, 17)),
        (b'{"environment": 0', "json.syntax", (3, 18)),
        (json.dumps({**ROW, "reward": "0.5"}).encode(), "schema.anyOf", (3, None)),
        (json.dumps({**ROW, "colour": 1}).encode(), "schema.additionalProperties", (3, None)),
        (b"[]", "schema.type", (3, 1)),
    ],
)
def test_a_bad_line_is_refused_with_its_place_and_code(
    tmp_path: Path, line: bytes, code: str, place: tuple[int, int | None]
) -> None:
    path = tmp_path / "trace.jsonl"
    good = json.dumps(ROW).encode()
    path.write_bytes(b"\n".join([good, b"  ", line, good, b""]))
    read = read_trace(path)
    assert next(read) == ROW
    with pytest.raises(InvalidDocument) as refused:
        next(read)
    found = refused.value.findings[0]
    assert (found.code, found.line) == (code, place[0])
    assert place[1] is None or found.column == place[1]
    assert [entry.text.line for entry in trace_entries(str(path)) if entry.findings] == [3]
    assert len(list(trace_entries(str(path)))) == 3


def test_a_line_that_is_not_json_is_a_finding_of_the_trace(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b"{")
    with pytest.raises(InvalidDocument) as refused:
        next(read_trace(path))
    assert not isinstance(refused.value, InvalidText)
    assert refused.value.findings[0].line == 1


def parquet(path: Path, **columns: Any) -> Path:
    table = {
        "environment": [0],
        "episode": [0],
        "step": [0],
        "reward": [1.0],
        "terminated": [False],
        "truncated": [True],
    }
    pyarrow.parquet.write_table(pyarrow.table({**table, **columns}), path)
    return path


def test_a_parquet_file_of_somebody_elses_is_read_as_strictly(tmp_path: Path) -> None:
    assert [row["reward"] for row in read_trace(parquet(tmp_path / "good.parquet"))] == [1.0]
    pairs = pyarrow.array([[("a", 1.0), ("a", 2.0)]], pyarrow.map_(pyarrow.string(), pyarrow.float64()))
    for name, columns, code, pointer in (
        ("nan", {"reward": [math.nan]}, "json.number", "/reward"),
        ("twice", {"reward_components": pairs}, "json.duplicate", "/reward_components"),
        ("more", {"colour": ["red"]}, "schema.additionalProperties", "/colour"),
        ("typed", {"terminated": [1]}, "schema.type", "/terminated"),
    ):
        [entry] = trace_entries(str(parquet(tmp_path / f"{name}.parquet", **columns)))
        [finding] = entry.findings
        assert (finding.code, finding.pointer, finding.line) == (code, pointer, 1), name


def test_a_file_that_is_not_a_trace_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "text.parquet").write_text("no parquet")
    whole = pyarrow.parquet.read_table(parquet(tmp_path / "good.parquet", regime=["calm"]))
    pyarrow.parquet.write_table(whole.append_column("reward", [[2.0]]), tmp_path / "twice.parquet")
    latin = pyarrow.Array.from_buffers(
        pyarrow.string(), 1, [None, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff")]
    )
    parquet(tmp_path / "latin.parquet", regime=latin)
    pyarrow.parquet.write_table(pyarrow.table({"reward": [1.0]}), tmp_path / "short.parquet")
    for name, message in (
        ("text.parquet", "as Parquet"),
        ("twice.parquet", 'the column "reward" twice'),
        ("latin.parquet", "not UTF-8"),
        ("short.parquet", "lacks the column environment, episode"),
        ("none.parquet", "cannot read"),
        ("none.jsonl", "cannot read"),
    ):
        with pytest.raises(Unread, match=message):
            list(read_trace(tmp_path / name))


@pytest.mark.parametrize("make", [open_trace, lambda path: list(read_trace(path))])
def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'reward-receipts\[envs\]'"):
        make(tmp_path / "trace.parquet")


def test_pyarrow_that_refuses_the_numpy_that_is_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(name: str) -> None:
        raise ImportError("pyarrow requires NumPy 2.0 or newer, found 1.26.4")

    monkeypatch.setattr(formats, "import_module", refused)
    with pytest.raises(
        ModuleNotFoundError, match=r"pip install 'reward-receipts\[envs\]' \(pyarrow requires NumPy 2.0"
    ):
        open_trace(tmp_path / "trace.parquet")
