"""A sweep: one document, an experiment for every combination of settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Shell
from reward_receipts import InvalidDocument
from reward_receipts.experiments.document import Experiment
from reward_receipts.experiments.folder import RunFolder, RunRefused
from reward_receipts.experiments.harness import resume_sweep, run, run_sweep
from small_experiment import MEMBERS

SPEC = {
    "name": "desk",
    "components": [{"type": "fill_rate", "clip": [0.0, 1.0]}, {"type": "throughput", "name": "pace", "weight": 2.0}],
}
SWEPT = {
    "name": "swept",
    "environment": {"class": "reward_receipts.envs:OperationsEnv"},
    "reward": {"spec": SPEC},
    "trainer": {"name": "random"},
    "total_steps": 60,
    "seeds": [1],
    "outputs": {"trace": "jsonl", "window": 10},
    "sweep": {"fill_rate.weight": [1, 2], "pace.weight": [0.5, None]},
}


def quiet(line: str) -> None:
    pass


def test_every_combination_is_an_experiment_without_a_sweep() -> None:
    experiment = Experiment.from_dict(SWEPT)
    variants = experiment.variants()
    assert [dict(each.settings) for each in variants] == [
        {"fill_rate.weight": 1, "pace.weight": 0.5},
        {"fill_rate.weight": 1, "pace.weight": None},
        {"fill_rate.weight": 2, "pace.weight": 0.5},
        {"fill_rate.weight": 2, "pace.weight": None},
    ]
    weights = [[term.weight for term in each.experiment.spec.components] for each in variants if each.experiment.spec]
    assert weights == [[1.0, 0.5], [1.0, None], [2.0, 0.5], [2.0, None]]
    assert len({each.experiment.digest for each in variants} | {experiment.digest}) == 5
    assert all(not each.experiment.sweep for each in variants)
    assert Experiment.from_dict(experiment.to_dict()).digest == experiment.digest


def test_without_a_sweep_the_experiment_is_its_only_variant() -> None:
    experiment = Experiment.from_dict(MEMBERS)
    [variant] = experiment.variants()
    assert (dict(variant.settings), variant.experiment.digest) == ({}, experiment.digest)


@pytest.mark.parametrize(
    ("sweep", "pointer", "message"),
    [
        ({"far.weight": [1]}, "/sweep/far.weight/0", "names no term of the spec"),
        ({"pace.weight": [1, "much"]}, "/sweep/pace.weight/1", 'weight is the string "much"'),
        ({"pace.weight": [1, 2, 1]}, "/sweep/pace.weight/2", "1 is there twice"),
        ({"pace.weight": [*range(40)], "fill_rate.weight": [*range(40)]}, "/sweep", "it has 1600 combinations"),
    ],
)
def test_a_sweep_that_cannot_be_made_is_refused(sweep: Any, pointer: str, message: str) -> None:
    with pytest.raises(InvalidDocument, match=message) as raised:
        Experiment.from_dict({**SWEPT, "sweep": sweep})
    assert [(each.code, each.pointer) for each in raised.value.findings] == [("experiment.sweep-refused", pointer)]


def test_a_sweep_needs_a_reward_spec() -> None:
    members = {name: member for name, member in SWEPT.items() if name != "reward"}
    with pytest.raises(InvalidDocument, match="the reward is the environment's own"):
        Experiment.from_dict(members)


def test_each_variant_runs_in_a_folder_of_its_own_and_is_resumed(tmp_path: Path) -> None:
    experiment = Experiment.from_dict(SWEPT)
    folder = tmp_path / "sweep"
    ran = run_sweep(experiment, folder, say=quiet)
    assert [path.name for path in ran] == ["variant-1", "variant-2", "variant-3", "variant-4"]
    assert all(status.state == "complete" for statuses in ran.values() for status in statuses)
    for path, variant in zip(ran, experiment.variants(), strict=True):
        assert RunFolder(path).experiment().digest == variant.experiment.digest
    assert json.loads((folder / "run.json").read_text())["variants"]["variant-2"] == {
        "fill_rate.weight": 1,
        "pace.weight": None,
    }
    with pytest.raises(RunRefused, match="already has a run of this experiment"):
        run_sweep(experiment, folder, say=quiet)

    for name in ("experiment.json", "run.json"):  # as if it had been cut off before the last variant
        (folder / "variant-4" / name).unlink()
    lines: list[str] = []
    for left in sorted((folder / "variant-4").rglob("*"), reverse=True):
        left.rmdir() if left.is_dir() else left.unlink()
    again = resume_sweep(folder, say=lines.append)
    assert [status.attempt for statuses in again.values() for status in statuses] == [1, 1, 1, 1]
    assert "variant-4: fill_rate.weight=2, pace.weight=None" in lines


def test_a_sweep_is_not_run_as_one_experiment(tmp_path: Path) -> None:
    with pytest.raises(RunRefused, match="run_sweep runs them"):
        run(Experiment.from_dict(SWEPT), tmp_path / "run", say=quiet)
    assert not (tmp_path / "run").exists()


def test_the_commands_on_a_sweep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(tmp_path, capsys, monkeypatch)
    shell.write("e.json", json.dumps({**SWEPT, "sweep": {"pace.weight": [1.0, 2.0]}}))
    shown = shell("experiment", "show", "e.json")
    assert [line.split("  ")[0] for line in shown.out.splitlines()[-2:]] == ["variant-1", "variant-2"]
    ran = shell("experiment", "run", "e.json", "-o", "out")
    assert (ran.status, ran.out) == (
        0,
        "out/variant-1: seed 1 complete, 60 steps\nout/variant-2: seed 1 complete, 60 steps\n",
    )
    resumed = shell("experiment", "resume", "out", "-f", "json")
    assert resumed.status == 0
    assert [each["folder"] for each in json.loads(resumed.out)["results"]] == ["out/variant-1", "out/variant-2"]
    assert shell("experiment", "compare", "out/variant-1", "out/variant-2").status in (0, 1)
