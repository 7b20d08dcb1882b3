"""Experiments with trainers that learn: Stable-Baselines3, and the loop of the example. Run by tox -e trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from reward_receipts.experiments.document import Experiment
from reward_receipts.experiments.folder import RunFolder
from reward_receipts.experiments.harness import run
from reward_receipts.experiments.policy_folder import check_policy, export_policy
from reward_receipts.experiments.summary import evaluations_of, summarise_run

SMALL: dict[str, Any] = {
    "name": "small",
    "environment": {"id": "CartPole-v1"},
    "regimes": {
        "schedule": [{"start": 0, "label": "earth"}, {"start": 600, "label": "heavy", "set": {"gravity": 19.6}}]
    },
    "total_steps": 1200,
    "seeds": [1],
    "evaluation": {"every": 600, "episodes": 1},
    "outputs": {"window": 100, "trace": "jsonl"},
}
TRAINERS: dict[str, dict[str, Any]] = {
    "PPO": {"name": "stable-baselines3", "arguments": {"algorithm": "PPO", "n_steps": 200, "batch_size": 50}},
    "DQN": {"name": "stable-baselines3", "arguments": {"algorithm": "DQN", "learning_starts": 100}},
    "reinforce": {"name": "reinforce:Reinforce"},
}


@pytest.mark.parametrize("name", TRAINERS)
def test_a_trainer_gives_a_trace_evaluations_and_a_policy(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "experiments"))
    experiment = Experiment.from_dict({**SMALL, "trainer": TRAINERS[name]})
    for folder in ("one", "two"):
        (status,) = run(experiment, tmp_path / folder, say=lambda line: None)
        assert (status.state, status.error, status.steps) == ("complete", None, 1200)
    one, two = (RunFolder(tmp_path / folder) for folder in ("one", "two"))
    traces = [place.traces(place.status(1))[0].read_bytes() for place in (one, two)]
    assert traces[0] == traces[1]
    points = evaluations_of(one.attempt_folder(one.status(1)))
    assert {point.regime for point in points} == {"earth", "heavy"}
    assert points[-1].training_steps == 1200
    assert [visit.label for visit in summarise_run(tmp_path / "one").visits] == ["earth", "heavy"]
    manifest = export_policy(tmp_path / "one", 1, tmp_path / "policy")
    assert "torch" in manifest["versions"]
    assert len(manifest["files"]) == 1
    assert check_policy(tmp_path / "policy").problems == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "needs the argument algorithm"),
        ({"algorithm": "PPPO"}, "no algorithm 'PPPO'"),
        ({"algorithm": "PPO", "n_stepz": 1}, "n_stepz"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], said: str, tmp_path: Path) -> None:
    trainer = {"name": "stable-baselines3", "arguments": arguments}
    (status,) = run(Experiment.from_dict({**SMALL, "trainer": trainer}), tmp_path / "run", say=lambda line: None)
    assert status.state == "failed"
    assert said in str(status.error)
