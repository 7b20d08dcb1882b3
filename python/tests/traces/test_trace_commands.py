"""The commands on traces beside ``trace summary``: check, rescore, measures and export."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Shell
from reward_receipts.envs import ComposedReward, TraceRecorder
from reward_receipts.envs.order_desk import OPERATIONS_SPEC, OperationsEnv
from reward_receipts.rewards import RewardSpec
from reward_receipts.rewards.spec.settings import with_settings
from reward_receipts.traces.export import scalars
from reward_receipts.traces.read import read_trace
from reward_receipts.traces.rescore import RescoreRefused, rescore

STEPS = 120


def recorded(path: Path, spec: RewardSpec) -> None:
    env = TraceRecorder(ComposedReward(OperationsEnv(), spec), path)
    env.reset(seed=7)
    for step in range(STEPS):
        if any(env.step(step % 3)[2:4]):
            env.reset()
    env.close()


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell(tmp_path, capsys, monkeypatch)
    recorded(tmp_path / "trace.jsonl", OPERATIONS_SPEC)
    recorded(tmp_path / "trace.parquet", OPERATIONS_SPEC)
    return shell


def test_rescore_gives_what_the_other_spec_pays(tmp_path: Path, shell: Shell) -> None:
    """The desk's dynamics do not depend on the reward: a run under the other spec has its totals, bit by bit."""
    other = with_settings(
        OPERATIONS_SPEC, {"fill_rate.weight": 0.3, "throughput.clip": [0.1, 0.4], "operating_cost.weight": 7.0}
    )
    recorded(tmp_path / "other.jsonl", other)
    (tmp_path / "other.json").write_text(other.to_json(), encoding="utf-8")
    found = rescore(read_trace("trace.jsonl"), OPERATIONS_SPEC.resolve(), other.resolve())
    paid = 0.0
    for row in read_trace("other.jsonl"):
        paid += row["reward"]
    assert found.after == paid != found.before
    assert found.rows == STEPS
    for name in ("trace.jsonl", "trace.parquet"):
        said = shell.results("trace", "rescore", name, "--spec", "other.json")[0]
        assert said["after"] == paid
    assert shell("trace", "rescore", "trace.jsonl", "--spec", "other.json").status == 0


def test_rescore_is_refused_without_raw_values(tmp_path: Path, shell: Shell) -> None:
    resolved = OPERATIONS_SPEC.resolve()
    unknown = RewardSpec.from_dict({"name": "x", "components": [{"type": "survival"}]})
    with pytest.raises(RescoreRefused, match='no term "survival"'):
        rescore(read_trace("trace.jsonl"), resolved, unknown.resolve())
    other = with_settings(OPERATIONS_SPEC, {"fill_rate.weight": 0.3})
    with pytest.raises(RescoreRefused, match="environment 0, episode 0, step 0 is of the spec"):
        rescore(read_trace("trace.jsonl"), other.resolve(), resolved)
    (tmp_path / "unknown.json").write_text(unknown.to_json(), encoding="utf-8")
    for form in ("text", "json"):
        assert shell("trace", "rescore", "trace.jsonl", "--spec", "unknown.json", "-f", form).status == 2
    (tmp_path / "trace.jsonl.manifest.json").unlink()
    assert "no manifest" in shell("trace", "rescore", "trace.jsonl", "--spec", "unknown.json").err


def _changed(path: Path, place: int, **members: Any) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[place] = json.dumps({**json.loads(lines[place]), **members})
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_check(tmp_path: Path, shell: Shell) -> None:
    for form in ("text", "json"):
        ran = shell("trace", "check", "trace.jsonl", "trace.parquet", "-f", form)
        assert (ran.status, ran.err) == (0, "")
    assert shell("trace", "check", "missing.jsonl").status == 2
    _changed(tmp_path / "trace.jsonl", 4, reward=99.0)
    found = shell.results("trace", "check", "trace.jsonl")[0]["findings"]
    assert len(found) == 2
    assert "trace.jsonl:5:" in found[0]
    assert "trace.reward-differs" in found[0]
    assert "digest" in found[1]
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(path.read_text(encoding="utf-8").splitlines()[:50]) + "\n", encoding="utf-8")
    ran = shell("trace", "check", "trace.jsonl")
    assert ran.status == 1
    assert "it has 50 steps; the manifest counts 120" in ran.out


def test_csv_has_every_row_and_no_zero_for_what_is_absent(tmp_path: Path, shell: Shell) -> None:
    assert shell("trace", "export", "trace.parquet", "--to", "csv", "-o", "trace.csv").status == 0
    rows = list(read_trace("trace.parquet"))
    with open(tmp_path / "trace.csv", encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert len(written) == len(rows) == STEPS
    for row, cells in zip(rows, written, strict=True):
        assert float(cells["reward"]) == row["reward"]
        assert cells["regime"] == row["regime"]
        assert cells["truncated"] == str(row["truncated"]).lower()
        for name, detail in row["reward_detail"].items():
            assert cells[f"raw.{name}"] == ("" if detail["raw"] is None else repr(detail["raw"]))
            contribution = row["reward_components"].get(name)
            assert cells[f"contribution.{name}"] == ("" if contribution is None else repr(contribution))
    again = shell("trace", "export", "trace.parquet", "--to", "csv", "-o", "trace.csv")
    assert again.status == 2
    assert "exists" in again.err


def test_scalars_are_the_means_of_windows(shell: Shell) -> None:
    """40 steps of a shift, the first 20 steady: two windows of 10 in each visit."""
    found = list(scalars(["trace.parquet"], window=10))
    rewards = [(step, value) for name, step, value in found if name == "reward"]
    rows = [row["reward"] for row in read_trace("trace.parquet")]
    assert rewards == [(end, pytest.approx(sum(rows[end - 10 : end]) / 10)) for end in range(10, STEPS + 1, 10)]
    assert [value for name, _, value in found if name == "regime/visit"] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert {name for name, _, _ in found if name.startswith("components/")} == {
        f"components/{each.type}" for each in OPERATIONS_SPEC.components
    }


def test_measures(shell: Shell) -> None:
    said = shell.results("trace", "measures", "trace.parquet", "--window", "10", "--basis", "reward")[0]
    assert [visit["regime"] for visit in said["visits"]][:3] == ["steady", "surge", "steady"]
    assert said["visits"][0]["gap"]["value"] > 0
    text = shell("trace", "measures", "trace.jsonl", "--window", "10", "--basis", "reward")
    assert text.status == 0
    assert "undefined: no boundary begins the first visit" in text.out
    assert shell("trace", "measures", "missing.parquet").status == 2
    both = shell("trace", "measures", "trace.jsonl", "trace.parquet", "--window", "10")
    assert both.status == 0
