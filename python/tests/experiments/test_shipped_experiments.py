"""The experiments of examples/experiments are valid, and each runs in small with the random trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from reward_receipts.experiments.document import Experiment
from reward_receipts.experiments.harness import run
from reward_receipts.experiments.summary import summarise_run

EXAMPLES = sorted((ROOT / "examples" / "experiments").glob("*.yaml"))


def small(experiment: Experiment) -> Experiment:
    """The same with a hundredth of the steps, and a trainer that needs no other package."""
    said: dict[str, Any] = experiment.to_dict()
    said["total_steps"] //= 100
    for regime in said["regimes"]["schedule"]:
        regime["start"] //= 100
    said["trainer"] = {"name": "random"}
    said["evaluation"] = {"every": 300, "episodes": 1}
    said["outputs"]["window"] = 40
    return Experiment.from_dict(said)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_shipped_experiments_run_in_small(path: Path, tmp_path: Path) -> None:
    experiment = Experiment.from_file(str(path))
    assert len(experiment.seeds) == 3
    statuses = run(small(experiment), tmp_path / "run", say=lambda line: None)
    assert [status.error for status in statuses] == [None] * 3
    found = summarise_run(tmp_path / "run")
    labels = [regime.label for regime in experiment.regimes]
    assert [visit.label for visit in found.visits] == labels
    assert labels[0] == labels[2] != labels[1]
    if experiment.tier == 2:
        assert list(found.visits[2].components) == [
            each.term_name for each in (experiment.spec.components if experiment.spec else ())
        ]
        assert all(visit.measures["gap"].value is not None for visit in found.visits)


def test_there_is_an_experiment_of_each_tier() -> None:
    assert {Experiment.from_file(str(path)).tier for path in EXAMPLES} == {1, 2}
