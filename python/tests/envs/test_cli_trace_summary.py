"""``trace summary``."""

from __future__ import annotations

import json
import math
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from command_line import Shell
from reward_receipts.envs import (
    ComposedReward,
    RegimeSchedule,
    SpecSchedule,
    StepRefused,
    TraceRecorder,
    write_manifest,
)
from reward_receipts.rewards import RewardSpec
from tier_two import REGISTRY, Plain, Walk, played

SPEC = RewardSpec.from_dict({"name": "walk", "components": [{"type": "upright"}, {"type": "steps", "clip": [0, 5]}]})
TABLE = """\
regime  component  steps  zero  total      mean  ceiling  gap
(all)   (reward)       6           11   1.83333       16    5
(all)   upright        6     0      5  0.833333        6    1
(all)   steps          2     0      6         3       10    4
calm    (reward)       4            6       1.5        9    3
calm    upright        4     0      3      0.75        4    1
calm    steps          1     0      3         3        5    2
storm   (reward)       2            5       2.5        7    2
storm   upright        2     0      2         1        2    0
storm   steps          1     0      3         3        5    2

regime  episodes  left out  return  min  max  length  min  max
(all)          2         0     5.5  5.5  5.5       3    3    3
calm           1         0     5.5  5.5  5.5       3    3    3
storm          1         1       -    -    -       -    -    -

episodes         2
scored steps     6
unscored steps   0
missing steps    0
"""


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


def run(path: Path, spec: RewardSpec = SPEC) -> None:
    """A run of two episodes, traced, with its manifest."""
    env = RegimeSchedule(ComposedReward(Walk(), spec, registry=REGISTRY), [(0, "calm"), (4, "storm")])
    recorder = TraceRecorder(env, path)
    played(recorder, 2)
    recorder.close()


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(shell: Shell, name: str, trace: list[dict[str, Any]]) -> str:
    return shell.write(name, "".join(json.dumps(row) + "\n" for row in trace))


@pytest.mark.parametrize("name", ["trace.jsonl", "trace.parquet"])
def test_a_trace_is_summarised_by_the_manifest_beside_it(shell: Shell, name: str) -> None:
    run(shell.folder / name)
    ran = shell("trace", "summary", name)
    assert ran.status == 0
    assert ran.out.startswith(TABLE)
    assert ran.lines[-2] == f"spec digest      {SPEC.digest}"
    assert ran.err == "1 document, 0 findings\n"


@pytest.mark.parametrize("name", ["trace.parquet", "trace.parquet.partial", "trace.parquet.0123abcd.partial"])
def test_an_unfinished_parquet_trace_is_summarised_by_its_manifest(shell: Shell, name: str) -> None:
    env = RegimeSchedule(ComposedReward(Walk(), SPEC, registry=REGISTRY), [(0, "calm"), (4, "storm")])
    recorder = TraceRecorder(env, shell.folder / "trace.parquet")
    played(recorder, 2)
    recorder.flush()
    if "0123abcd" in name:
        for end in ("", ".manifest.json"):
            kept = shell.folder / f"{name}{end}"
            kept.write_bytes((shell.folder / f"trace.parquet{end or '.partial'}").read_bytes())
    ran = shell("trace", "summary", name)
    recorder.close()
    assert ran.status == 0
    assert ran.out.startswith(TABLE)
    assert ("trace.parquet was not finished; reading trace.parquet.partial" in ran.err) == (name == "trace.parquet")
    assert "by its manifest the run goes on, or was cut off" in ran.err


def test_the_json_is_the_report(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    [result] = shell.results("trace", "summary", "trace.jsonl")
    assert (result["file"], result["verdict"], result["kind"]) == ("trace.jsonl", "summarised", "trace")
    assert result["report"]["overall"]["gap"] == 5.0
    assert [regime["label"] for regime in result["report"]["regimes"]] == ["calm", "storm"]


def test_a_manifest_elsewhere_is_named(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    (shell.folder / "trace.jsonl.manifest.json").rename(shell.folder / "other.json")
    assert shell("trace", "summary", "trace.jsonl", "--manifest", "other.json").out.startswith(TABLE)


def test_a_spec_is_in_the_manifests_place_with_the_module_of_its_components(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    run(shell.folder / "trace.jsonl")
    shell.write("walk.yaml", SPEC.to_yaml())
    ran = shell("trace", "summary", "trace.jsonl", "--spec", "walk.yaml")
    assert ran.status == 2
    assert ran.out.count("compose.component-unknown") == 2
    module = "from reward_receipts.rewards import register\nfrom tier_two import Steps, Upright\n"
    module += "register('upright', Upright, overwrite=True)\nregister('steps', Steps, overwrite=True)\n"
    shell.write("walking_components.py", module)
    from reward_receipts.rewards.components.registry import REGISTRY as SHARED

    monkeypatch.setattr(SHARED, "_components", dict(SHARED._components))
    ran = shell("trace", "summary", "trace.jsonl", "--spec", "walk.yaml", "--components", "walking_components")
    assert ran.status == 0
    assert ran.out.startswith(TABLE)


def test_without_manifest_and_spec_no_ceiling_is_known_and_it_says_so(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    (shell.folder / "trace.jsonl.manifest.json").unlink()
    ran = shell("trace", "summary", "trace.jsonl")
    assert ran.status == 0
    assert "no manifest beside trace.jsonl" in ran.err
    assert ran.lines[1].split() == ["(all)", "(reward)", "6", "11", "1.83333", "-", "-"]


def test_standard_input_is_json_lines(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    data = (shell.folder / "trace.jsonl").read_bytes()
    ran = shell("trace", "summary", "-", "--manifest", "trace.jsonl.manifest.json", stdin=data)
    assert (ran.status, ran.out[: len(TABLE)]) == (0, TABLE)


def test_unscored_steps_are_counted_apart(shell: Shell) -> None:
    recorder = TraceRecorder(Plain(1.0, None, -1.0, None), shell.folder / "trace.parquet")
    played(recorder)
    recorder.close()
    ran = shell("trace", "summary", "trace.parquet")
    assert ran.lines[1].split() == ["(all)", "(reward)", "2", "0", "0", "-", "-"]
    assert {"scored steps     2", "unscored steps   2"} <= set(ran.lines)


def test_a_trace_without_rows_has_no_summary(shell: Shell) -> None:
    shell.write("trace.jsonl", "")
    recorder = TraceRecorder(Plain(1.0), shell.folder / "none.parquet")
    recorder.reset()
    recorder.close()
    for name in ("trace.jsonl", "none.parquet"):
        ran = shell("trace", "summary", name)
        assert (ran.status, ran.out) == (2, "")
        assert f"{name} has no rows" in ran.err


def test_a_trace_without_rows_of_a_run_that_goes_on_is_reported_to_be_one(shell: Shell) -> None:
    recorder = TraceRecorder(Plain(1.0), shell.folder / "trace.jsonl")
    recorder.reset()
    for arguments in (("trace.jsonl",), ("-", "--manifest", "trace.jsonl.manifest.json")):
        ran = shell("trace", "summary", *arguments, stdin=b"")
        assert ran.status == 2
        assert "has no rows" in ran.err
        assert "by its manifest the run goes on, or was cut off" in ran.err
    recorder.close()


def test_members_in_another_order_are_the_same_row(shell: Shell) -> None:
    weights = [{"type": "upright", "weight": 0.1}, {"type": "steps", "weight": 0.2}, {"type": "ends", "weight": 0.3}]
    recorder = TraceRecorder(
        ComposedReward(Walk(), RewardSpec.from_dict({"name": "walk", "components": weights}), registry=REGISTRY),
        shell.folder / "trace.jsonl",
    )
    played(recorder, 5)
    recorder.close()
    trace = [json.loads(json.dumps(row, sort_keys=True)) for row in rows(shell.folder / "trace.jsonl")]
    ends = [row for row in trace if row["terminated"]]
    assert all(sum_of(row) != row["reward"] for row in ends)  # the order decides the last bits
    assert shell("trace", "summary", write(shell, "sorted.jsonl", trace)).status == 0
    own = ("--manifest", "trace.jsonl.manifest.json")
    assert shell("trace", "summary", "-", *own, stdin=(shell.folder / "sorted.jsonl").read_bytes()).status == 0
    ends[0]["reward"] += 1e-9
    ran = shell("trace", "summary", write(shell, "changed.jsonl", trace))
    assert [code for _, code in ran.codes] == ["trace.reward-differs"]


def sum_of(row: dict[str, Any]) -> float:
    total = 0.0
    for contribution in row["reward_components"].values():
        total += contribution
    return total


def test_rows_that_do_not_hold_are_findings_and_there_is_no_summary(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    trace = rows(shell.folder / "trace.jsonl")
    trace[1]["reward"] = "1"
    trace[3]["step"] = -1
    ran = shell("trace", "summary", write(shell, "bad.jsonl", trace))
    assert ran.status == 1
    assert [code for _, code in ran.codes] == ["schema.anyOf", "schema.minimum"]
    assert [place.split(":")[:2] for place, _ in ran.codes] == [["bad.jsonl", "2"], ["bad.jsonl", "4"]]
    assert "no summary of bad.jsonl: 2 of its 6 rows do not hold" in ran.err
    results = shell.results("trace", "summary", "bad.jsonl")
    assert [result["line"] for result in results] == [2, 4]
    assert "report" not in results[0]


def test_a_line_that_was_cut_off_is_a_finding(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    shell.write("cut.jsonl", (shell.folder / "trace.jsonl").read_bytes()[:-40])
    ran = shell("trace", "summary", "cut.jsonl")
    assert (ran.status, [code for _, code in ran.codes]) == (1, ["json.syntax"])
    assert ran.codes[0][0].startswith("cut.jsonl:6:")


def test_the_line_that_a_killed_run_was_writing_is_left_out(shell: Shell) -> None:
    path = shell.folder / "trace.jsonl"
    recorder = TraceRecorder(ComposedReward(Walk(), SPEC, registry=REGISTRY), path)
    played(recorder, 2)
    path.write_bytes(path.read_bytes()[:-40])
    ran = shell("trace", "summary", "trace.jsonl")
    assert ran.status == 0
    assert "scored steps     5" in ran.lines
    path.write_bytes(path.read_bytes() + b"\n")
    assert shell("trace", "summary", "trace.jsonl").status == 1
    recorder.close()


def test_rows_of_another_spec_are_a_finding_once_each(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    other = RewardSpec.from_dict({"name": "other", "components": [{"type": "upright"}]})
    run(shell.folder / "other.jsonl", other)
    data = (shell.folder / "other.jsonl").read_bytes()
    ran = shell("trace", "summary", "-", "--manifest", "trace.jsonl.manifest.json", stdin=data)
    assert ran.status == 1
    assert [code for _, code in ran.codes] == ["trace.spec-differs"] * 2
    assert ran.codes[0][0].startswith("<stdin>:1:")
    assert other.digest in ran.out
    assert SPEC.digest in ran.out
    mixed = rows(shell.folder / "trace.jsonl") + rows(shell.folder / "other.jsonl")
    ran = shell("trace", "summary", write(shell, "mixed.jsonl", mixed))
    assert ran.status == 1
    assert ran.codes[0][0].startswith("mixed.jsonl:7:")


def test_a_trace_that_was_changed_after_its_manifest_is_a_finding(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    trace = rows(shell.folder / "trace.jsonl")
    trace[0]["reward"] = 100.0
    write(shell, "trace.jsonl", trace)
    ran = shell("trace", "summary", "trace.jsonl")
    assert (ran.status, ran.codes) == (1, [("trace.jsonl:1:1", "trace.file-differs")])


def test_a_trace_that_was_renamed_is_known_by_its_digest(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    (shell.folder / "trace.jsonl").rename(shell.folder / "renamed.jsonl")
    [result] = shell.results("trace", "summary", "renamed.jsonl", "--manifest", "trace.jsonl.manifest.json")
    assert result["digest_checked"] is True


def test_the_manifest_of_another_trace_is_none_of_this_one(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    trace = rows(shell.folder / "trace.jsonl")
    ran = shell("trace", "summary", write(shell, "other.jsonl", trace[:3]), "--manifest", "trace.jsonl.manifest.json")
    assert (ran.status, ran.out) == (2, "")
    assert 'is the manifest of "trace.jsonl", not of other.jsonl' in ran.err


def test_where_the_digest_of_the_trace_is_not_checked_it_says_so(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    data = (shell.folder / "trace.jsonl").read_bytes()
    (shell.folder / "trace.jsonl.manifest.json").rename(shell.folder / "own.json")
    write_manifest(shell.folder / "none.json", ComposedReward(Walk(), SPEC, registry=REGISTRY))
    shell.write("walk.yaml", SPEC.to_yaml())
    for arguments, why in (
        (("trace.jsonl",), "there is no manifest to have it"),
        (("trace.jsonl", "--manifest", "none.json"), "the manifest names no trace"),
        (("-", "--manifest", "own.json"), "standard input has no name"),
    ):
        ran = shell("trace", "summary", *arguments, stdin=data)
        assert ran.status == 0
        assert f"is not checked: {why}" in ran.err
        [result] = shell.results("trace", "summary", *arguments, stdin=data)
        assert result["digest_checked"] is False
    [result] = shell.results("trace", "summary", "trace.jsonl", "--manifest", "own.json")
    assert result["digest_checked"] is True


def test_a_run_that_goes_on_is_summarised_and_said_to_be_unchecked(shell: Shell) -> None:
    recorder = TraceRecorder(ComposedReward(Walk(), SPEC, registry=REGISTRY), shell.folder / "trace.jsonl")
    played(recorder, 2)
    ran = shell("trace", "summary", "trace.jsonl")
    recorder.close()
    assert ran.status == 0
    assert "not checked: by its manifest the run goes on, or was cut off" in ran.err
    assert "episodes         2" in ran.lines


def test_a_manifest_that_was_changed_cannot_be_used(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    path = shell.folder / "trace.jsonl.manifest.json"
    path.write_text(path.read_text().replace('"episodes": 2', '"episodes": 9'))
    ran = shell("trace", "summary", "trace.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert "it was changed" in ran.err


def test_rows_that_no_run_of_the_spec_gives_are_findings(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    shell.write("walk.yaml", SPEC.to_yaml())
    trace = rows(shell.folder / "trace.jsonl")
    trace[1]["reward"] = 100.0
    trace[3]["reward_components"]["upright"] = trace[3]["reward"] = 4.0
    trace[4]["step"] = 0
    (shell.folder / "trace.jsonl.manifest.json").unlink()
    ran = shell("trace", "summary", write(shell, "bad.jsonl", trace))
    assert ran.status == 1
    assert [code for _, code in ran.codes] == ["trace.reward-differs", "trace.row-repeated"]
    assert [place.split(":")[1] for place, _ in ran.codes] == ["2", "5"]


def test_a_label_that_could_be_taken_for_the_tables_own_is_in_quotes(shell: Shell) -> None:
    recorder = TraceRecorder(Plain(1.0, info={"regime": {"label": "(all)"}}), shell.folder / "trace.jsonl")
    played(recorder)
    recorder.close()
    assert shell("trace", "summary", "trace.jsonl").lines[2].split()[0] == '"(all)"'


@pytest.mark.parametrize("name", [".", "/", ""])
def test_anything_that_is_not_a_files_name_is_exit_2(shell: Shell, name: str) -> None:
    ran = shell("trace", "summary", name)
    assert (ran.status, ran.out) == (2, "")


def test_anything_that_is_not_a_manifest_cannot_be_used(shell: Shell) -> None:
    run(shell.folder / "trace.jsonl")
    for content, status, message in (
        ("{", 1, "json.syntax"),
        ("[]", 2, "not a JSON object"),
        ("{}", 2, "schema_version is not reward-receipts.run-manifest/v1"),
        ('{"schema_version": "reward-receipts.run-manifest/v1", "reward": {}}', 2, "it says nothing of environment"),
    ):
        shell.write("bad.json", content)
        ran = shell("trace", "summary", "trace.jsonl", "--manifest", "bad.json")
        assert ran.status == status
        assert message in ran.out + ran.err
    assert shell("trace", "summary", "trace.jsonl", "--manifest", "none.json").status == 2
    assert shell("trace", "summary", "trace.jsonl", "--spec", "none.yaml").status == 2


def test_both_a_manifest_and_a_spec_are_one_too_many(shell: Shell) -> None:
    assert shell("trace", "summary", "t.jsonl", "--manifest", "a.json", "--spec", "b.yaml").status == 2


@pytest.mark.parametrize("form", ["text", "json"])
def test_anything_that_cannot_be_read_is_exit_2_in_every_format(shell: Shell, form: str) -> None:
    shell.write("text.parquet", "no parquet")
    for name in ("trace.csv", "none.jsonl", "none.parquet", "text.parquet"):
        ran = shell("trace", "summary", name, "-f", form)
        assert ran.status == 2, name
        assert name in ran.err


def test_without_pyarrow_it_says_what_to_install(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    run(shell.folder / "trace.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = shell("trace", "summary", "trace.parquet")
    assert ran.status == 2
    assert "pip install 'reward-receipts[envs]'" in ran.err


def test_a_sum_that_fits_no_double_is_not_a_summary(shell: Shell) -> None:
    recorder = TraceRecorder(Plain(1e308, 1e308), shell.folder / "trace.jsonl")
    played(recorder)
    recorder.close()
    ran = shell("trace", "summary", "trace.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert "fits no double" in ran.err


def test_steps_whose_row_was_refused_are_counted_with_the_means_they_are_not_in(shell: Shell) -> None:
    recorder = TraceRecorder(Plain(1.0, math.nan, 3.0), shell.folder / "trace.jsonl")
    for _ in range(2):
        recorder.reset()
        recorder.step(0)
        with pytest.raises(StepRefused):
            recorder.step(0)
        recorder.step(0)
    recorder.close()
    ran = shell("trace", "summary", "trace.jsonl")
    assert ran.status == 0
    assert "missing steps    2, refused and not counted in any total or mean" in ran.lines
    assert "(all)          2         2       -    -    -       3    3    3" in ran.lines


def test_evaluation_has_tables_of_its_own(shell: Shell) -> None:
    recorder = TraceRecorder(Plain(1.0, 2.0), shell.folder / "trace.jsonl")
    played(recorder)
    recorder.evaluation = True
    played(recorder)
    recorder.close()
    ran = shell("trace", "summary", "trace.jsonl")
    assert ran.status == 0
    place = ran.lines.index("evaluation, not counted above")
    assert [line for line in ran.lines[:place] if line.startswith("(all)   (reward)")] == [
        "(all)   (reward)       2            3   1.5        -    -"
    ]
    assert "scored steps     2" in ran.lines


def test_specs_that_took_turns_have_a_table_each(shell: Shell) -> None:
    late = RewardSpec.from_dict({"name": "late", "components": [{"type": "upright", "weight": 4.0}]})
    schedule = SpecSchedule([(0, SPEC), (3, late)])
    recorder = TraceRecorder(ComposedReward(Walk(), schedule, registry=REGISTRY), shell.folder / "trace.jsonl")
    played(recorder, 2)
    recorder.close()
    ran = shell("trace", "summary", "trace.jsonl")
    assert ran.status == 0
    assert [line for line in ran.lines if line.startswith("spec ")] == [
        f"spec {SPEC.digest}",
        f"spec {late.digest}",
        "spec digest      2 specs, one after another",
    ]
    assert len([line for line in ran.lines if line.split()[:2] == ["(all)", "(reward)"]]) == 3


def test_labels_do_nothing_to_a_terminal(shell: Shell) -> None:
    recorder = TraceRecorder(
        Plain(1.0, info={"regime": {"label": "\x1b[31mred"}, "reward_components": {"\x1b[2J": 1.0}}),
        shell.folder / "trace.jsonl",
    )
    played(recorder)
    recorder.close()
    ran = shell("trace", "summary", "trace.jsonl")
    assert ran.status == 0
    assert "\x1b" not in ran.out


def test_a_trace_in_json_lines_is_not_held_in_memory(shell: Shell) -> None:
    row = {"environment": 0, "episode": 0, "step": 0, "reward": 1.0, "terminated": False, "truncated": False}
    text = "".join(json.dumps({**row, "step": step}) + "\n" for step in range(20_000))
    size = shell.folder.joinpath(shell.write("long.jsonl", text)).stat().st_size
    shell("trace", "summary", "long.jsonl")  # what is loaded once is not counted
    tracemalloc.start()
    try:
        ran = shell("trace", "summary", "long.jsonl")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "scored steps     20000" in ran.lines
    assert peak < size / 2
