"""The example that trains: it learns, and its files answer what it was trained on. Run by tox -e trainer."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from checkout import ROOT
from reward_receipts.envs import check_env, read_trace, summarise
from reward_receipts.rewards import RewardSpec
from reward_receipts.traces.generated.regime_report import RegimeReport

EXAMPLE = ROOT / "examples" / "cartpole"
SPEC = RewardSpec.from_yaml((EXAMPLE / "reward.yaml").read_bytes())
STEPS = 30_000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, float | str]]:
    """The folder of a run, and what it printed."""
    folder = tmp_path_factory.mktemp("run")
    command = [sys.executable, str(EXAMPLE / "train.py"), "--steps", str(STEPS), "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == [
        "summary.json",
        "summary.png",
        "trace.parquet",
        "trace.parquet.manifest.json",
    ]
    return folder, json.loads(done.stdout)


def test_the_policy_learns(run: tuple[Path, dict[str, float]]) -> None:
    _, said = run
    assert said["best mean return of a tenth"] > 3 * said["mean return of the first tenth"]
    assert said["best mean return of a tenth"] <= said["ceiling of an episode"] == 645.0


def test_the_trace_has_every_step_and_adds_up(run: tuple[Path, dict[str, float]]) -> None:
    folder, said = run
    rows = list(read_trace(folder / "trace.parquet"))
    assert len(rows) >= STEPS
    for row in rows:
        total = 0.0
        for component in SPEC.components:
            total += row["reward_components"].get(component.type, 0.0)
        assert total == row["reward"]
        assert ("survival" in row["reward_components"]) == (row["terminated"] or row["truncated"])
    assert sum(row["terminated"] or row["truncated"] for row in rows) == said["episodes"]
    assert {row["spec_digest"] for row in rows} == {SPEC.digest} == {said["spec"]}


def test_the_regime_changes_once_and_the_summary_has_both(run: tuple[Path, dict[str, float]]) -> None:
    folder, _ = run
    rows = list(read_trace(folder / "trace.parquet"))
    assert [(n, row["regime"]) for n, row in enumerate(rows) if row["regime_boundary"]] == [
        (0, "earth"),
        (2 * STEPS // 3, "heavy"),
    ]
    written = RegimeReport.model_validate_json((folder / "summary.json").read_bytes())
    assert [regime.label for regime in written.regimes] == ["earth", "heavy"]
    manifest = json.loads((folder / "trace.parquet.manifest.json").read_text())
    assert summarise(iter(rows), manifest) == written  # the files are enough: no component is registered here


def test_the_manifest_answers_what_it_was_trained_on(run: tuple[Path, dict[str, float]]) -> None:
    folder, _ = run
    manifest = json.loads((folder / "trace.parquet.manifest.json").read_text())
    assert RewardSpec.from_dict(manifest["reward"]["spec"]) == SPEC
    assert manifest["reward"]["spec_digest"] == SPEC.digest
    assert manifest["environment"]["describe"]["gravity"] == {"earth": 9.8, "heavy": 19.6}
    assert manifest["environment"]["regimes"]["schedule"] == [[0, "earth"], [2 * STEPS // 3, "heavy"]]
    assert [term["component"]["class"] for term in manifest["reward"]["terms"]][:2] == [
        "cartpole:Upright",
        "cartpole:Centred",
    ]
    assert manifest["run"]["finished"] is True
    assert manifest["run"]["steps"] >= STEPS
    assert [file["name"] for file in manifest["traces"]] == ["trace.parquet"]


def test_too_few_steps_are_a_wrong_usage_and_leave_nothing(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLE / "train.py"), "--steps", "1", "--folder", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--steps is at least 1024" in done.stderr
    assert not (tmp_path / "run").exists()


def test_the_environment_reaches_tier_2_by_its_schedule_of_regimes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    cartpole = import_module("cartpole")
    assert check_env(cartpole.DescribedCartPole()).tier == 1
    assert check_env(cartpole.tier_two()).tier == 2
