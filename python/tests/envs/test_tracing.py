"""Traces: rows for steps, and the files that hold them."""

from __future__ import annotations

import gc
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reward_receipts import InvalidDocument, InvalidText
from reward_receipts.envs import (
    ComposedReward,
    RewardTraceRow,
    StepRefused,
    TraceRecorder,
    open_trace,
    read_trace,
    trace_files,
)
from reward_receipts.envs.rows import completed, parts_of
from reward_receipts.shape import check
from reward_receipts.sources import Unread
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
def test_a_reward_that_is_no_finite_number_is_refused_naming_the_step(reward: Any) -> None:
    sink = Rows()
    env = TraceRecorder(Plain(0.0, reward), sink)
    env.reset()
    env.step(0)
    with pytest.raises(StepRefused, match="environment 0, episode 0, step 1: the reward is") as refused:
        env.step(0)
    assert (refused.value.environment, refused.value.episode, refused.value.step) == (0, 0, 1)
    assert len(sink.rows) == 1


@pytest.mark.parametrize("flag", [1, None, "False"])
def test_a_flag_that_is_no_boolean_is_refused(flag: Any) -> None:
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
def test_what_no_row_can_hold_is_refused_and_not_written(
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
def test_what_an_environment_says_with_numpy_is_written_as_plain_numbers(tmp_path: Path, suffix: str) -> None:
    info = {"reward_components": {"a": np.float32(0.5)}, "reward_detail": {"a": {"raw": np.int64(2)}}}
    env = TraceRecorder(Plain(1.0, info=info), tmp_path / f"trace{suffix}", manifest=False)
    played(env)
    env.close()
    [row] = read_trace(tmp_path / f"trace{suffix}")
    assert row["reward_components"] == {"a": 0.5}
    assert row["reward_detail"] == {"a": {"raw": 2.0, "zero": None, "terms": {}}}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_an_environment_changes_afterwards_does_not_change_the_trace(tmp_path: Path, suffix: str) -> None:
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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=400, deadline=None)
@given(places, junk, st.booleans())
def test_what_is_taken_without_asking_the_schema_the_schema_takes(
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
    if parts_of(row) is not None:
        assert check("trace-row", row) == ()
        assert completed(row) == row
    if check("trace-row", row):
        assert parts_of(row) is None


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


def test_another_suffix_is_refused_naming_the_ones_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.jsonl, \.ndjson is JSON Lines, \.parquet is Parquet"):
        open_trace(tmp_path / "trace.csv")
    with pytest.raises(Unread, match=r"\.parquet is Parquet"):
        list(read_trace(tmp_path / "trace.csv"))


def test_a_trace_has_its_own_name_in_parquet_only_when_it_is_whole(tmp_path: Path) -> None:
    sink = open_trace(tmp_path / "trace.parquet")
    sink.write(ROW)
    sink.flush()
    assert [path.name for path in tmp_path.iterdir()] == ["trace.parquet.partial"]
    with pytest.raises(FileExistsError, match=r"trace\.parquet\.partial"):
        open_trace(tmp_path / "trace.parquet")
    sink.close()
    assert [path.name for path in tmp_path.iterdir()] == ["trace.parquet"]


def test_a_name_that_was_taken_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    sink = open_trace(tmp_path / "trace.parquet")
    sink.write(ROW)
    (tmp_path / "trace.parquet").write_text("other")
    with pytest.raises(FileExistsError, match=r"trace\.parquet\.partial"):
        sink.close()
    assert (tmp_path / "trace.parquet").read_text() == "other"
    (tmp_path / "trace.parquet.partial").rename(tmp_path / "saved.parquet")
    assert list(read_trace(tmp_path / "saved.parquet")) == [ROW]


class Interrupting(dict[str, float]):
    """Sub-terms that the user interrupts the taking of."""

    def items(self) -> Any:
        raise KeyboardInterrupt


def test_an_interrupt_in_the_middle_of_a_row_leaves_whole_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "trace.parquet"
    real = trace_files.required_parts

    def interrupted(row: dict[str, Any]) -> Any:
        scalars, names, values, (types, raws, zeros, _) = real(row)
        return scalars, names, values, (types, raws, zeros, [(0, Interrupting(x=1.0))])

    with open_trace(path) as sink:
        sink.write(ROW)
        monkeypatch.setattr(trace_files, "required_parts", interrupted)
        with pytest.raises(KeyboardInterrupt):
            sink.write(ROW)
        monkeypatch.undo()
        sink.write(ROW)
    assert list(read_trace(path)) == [ROW, ROW]


@pytest.mark.parametrize("taken", range(8))
def test_whatever_of_a_row_was_taken_before_an_interrupt_is_dropped(tmp_path: Path, taken: int) -> None:
    columns = trace_files._Columns()
    parts = trace_files.required_parts(ROW)
    columns.append(parts)
    lists = [each for each in vars(columns).values() if type(each) is list]
    before = [list(each) for each in lists]
    scalars, names, contributions, (types, raws, zeros, terms) = parts
    pieces = [[(2, [("x", 1.0)])], scalars, [names], contributions, [types], raws, zeros]
    for each, piece in zip(_in_order(columns)[:taken], pieces, strict=False):
        each += piece
    columns._cut()
    assert [list(each) for each in lists] == before
    assert terms


def _in_order(columns: Any) -> list[list[Any]]:
    """The lists in the order in which a row goes into them."""
    names = ("_terms", "_scalars", "_names", "_contributions", "_detail_names", "_raws", "_zeros")
    return [getattr(columns, name) for name in names]


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


def test_a_crash_keeps_whole_lines_of_what_was_flushed(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    assert subprocess.run([sys.executable, "-c", CRASHING, path], check=False).returncode == 9
    assert path.read_bytes().endswith(b"}\n")
    assert [row["step"] for row in read_trace(path)] == [0, 1, 2]


def test_a_crash_leaves_no_file_that_could_be_taken_for_a_trace_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "trace.parquet"
    assert subprocess.run([sys.executable, "-c", CRASHING, path], check=False).returncode == 9
    assert not path.exists()


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
    command = [sys.executable, "-c", LEAVING, path, Path(__file__).parent]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 1
    assert [row["reward"] for row in read_trace(path)] == [1.0, 2.0]
    assert (tmp_path / "trace.manifest.json").exists()


def test_a_recorder_closes_its_sink_once_and_the_environment_too() -> None:
    sink = Rows()
    env = TraceRecorder(Plain(1.0), sink)
    env.close_trace()
    env.close()
    env.close()
    assert sink.closed == 1


def test_long_traces_are_written_in_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_files, "_CHUNK", 3)
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
    assert [entry.text.line for entry in trace_files.trace_entries(str(path)) if entry.findings] == [3]
    assert len(list(trace_files.trace_entries(str(path)))) == 3


def test_a_line_that_is_no_json_is_a_finding_of_the_trace(tmp_path: Path) -> None:
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
        [entry] = trace_files.trace_entries(str(parquet(tmp_path / f"{name}.parquet", **columns)))
        [finding] = entry.findings
        assert (finding.code, finding.pointer, finding.line) == (code, pointer, 1), name


def test_a_file_that_is_no_trace_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "text.parquet").write_text("no parquet")
    pyarrow.parquet.write_table(pyarrow.table({"reward": [1.0]}), tmp_path / "short.parquet")
    for name, message in (
        ("text.parquet", "as Parquet"),
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
