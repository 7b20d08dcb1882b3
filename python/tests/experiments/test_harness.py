"""The harness: folders, resume after any kill, and nothing that mixes two runs."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from gymnasium.envs.classic_control import CartPoleEnv
from reward_receipts.envs import EpisodeStep
from reward_receipts.experiments.document import Experiment
from reward_receipts.experiments.environment import EnvironmentRefused
from reward_receipts.experiments.folder import RunFolder, RunRefused
from reward_receipts.experiments.harness import resume, run
from reward_receipts.experiments.policy_folder import check_policy, export_policy
from reward_receipts.experiments.summary import compare_runs, evaluations_of, summarise_run
from reward_receipts.experiments.task import Policy, Task, UnknownTrainer
from reward_receipts.traces.read import read_trace
from small_experiment import MEMBERS, Write, writer

SPEC = {"name": "s", "components": [{"type": "fill_rate", "clip": [0.0, 1.0]}, {"type": "throughput"}]}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return writer(tmp_path)


def quiet(line: str) -> None:
    pass


def experiment(**members: Any) -> Experiment:
    return Experiment.from_dict({**MEMBERS, **members})


def test_each_seed_has_a_folder_with_everything(tmp_path: Path) -> None:
    lines: list[str] = []
    statuses = run(experiment(), tmp_path / "run", say=lines.append)
    assert [(each.seed, each.state, each.attempt, each.steps) for each in statuses] == [
        (3, "complete", 1, 1200),
        (1, "complete", 1, 1200),
    ]
    assert lines == ["seed 3: complete: 1200 steps", "seed 1: complete: 1200 steps"]
    attempt = tmp_path / "run" / "seed-3" / "attempt-1"
    assert {path.name for path in attempt.iterdir()} == {
        "evaluation.jsonl",
        "evaluation.jsonl.manifest.json",
        "log.txt",
        "metrics.jsonl",
        "policy",
        "trace-0.jsonl",
        "trace-0.jsonl.manifest.json",
        "trainer",
    }
    rows = list(read_trace(attempt / "trace-0.jsonl"))
    assert [sum(row["regime"] == label for row in rows) for label in ("earth", "heavy")] == [800, 400]
    points = evaluations_of(attempt)
    assert [(point.training_steps, point.regime) for point in points] == [
        (steps, label) for steps in (0, 1000, 1200) for label in ("earth", "heavy")
    ]
    evaluated = list(read_trace(attempt / "evaluation.jsonl"))
    assert all(row["evaluation"] for row in evaluated)
    assert sum(row["reward"] for row in evaluated) == sum(sum(point.returns) for point in points)


def test_the_same_experiment_and_seed_give_the_same_trace(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(experiment(seeds=[5]), tmp_path / name, say=quiet)
    traces = [(tmp_path / name / "seed-5" / "attempt-1" / "trace-0.jsonl").read_bytes() for name in ("a", "b")]
    assert traces[0] == traces[1]
    run(experiment(seeds=[6]), tmp_path / "c", say=quiet)
    assert (tmp_path / "c" / "seed-6" / "attempt-1" / "trace-0.jsonl").read_bytes() != traces[0]


def test_environments_in_parallel_share_the_steps_of_the_schedule(tmp_path: Path) -> None:
    run(experiment(environments=3, seeds=[1]), tmp_path / "run", say=quiet)
    place = RunFolder(tmp_path / "run")
    traces = place.traces(place.status(1))
    assert [trace.name for trace in traces] == ["trace-0.jsonl", "trace-1.jsonl", "trace-2.jsonl"]
    rows = [list(read_trace(trace)) for trace in traces]
    assert [{row["environment"] for row in each} for each in rows] == [{0}, {1}, {2}]
    assert [sum(row["regime"] == "heavy" for row in each) for each in rows] == [133, 133, 133]
    assert [visit.measures["performance"].count for visit in summarise_run(place.path).visits] == [1, 1, 1]


def test_a_run_is_never_mixed_with_another(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(experiment(), folder, say=quiet)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(RunRefused, match="already has a run"):
        run(experiment(), folder, say=quiet)
    with pytest.raises(RunRefused, match="another experiment"):
        run(experiment(total_steps=1300), folder, say=quiet)
    resume(folder, say=quiet)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    said = json.loads((folder / "experiment.json").read_text())
    (folder / "experiment.json").write_text(json.dumps({**said, "total_steps": 1300}))
    with pytest.raises(RunRefused, match="was changed"):
        resume(folder, say=quiet)


def test_a_folder_that_is_not_a_run_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunRefused, match="not a run"):
        run(experiment(), tmp_path, say=quiet)
    with pytest.raises(RunRefused, match="has no run"):
        resume(tmp_path, say=quiet)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("members", "error", "said"),
    [
        ({"environment": {"id": "NoSuchThing-v0"}}, EnvironmentRefused, "NoSuchThing"),
        ({"environment": {"class": "no.such:Thing"}}, EnvironmentRefused, "no.such:Thing"),
        (
            {"environment": {"class": "json:dumps", "kwargs": {"obj": 1}}},
            EnvironmentRefused,
            "expected a gymnasium.Env",
        ),
        ({"environment": {"id": "CartPole-v1", "kwargs": {"nonsense": 1}}}, EnvironmentRefused, "nonsense"),
        ({"reward": {"spec": SPEC}}, EnvironmentRefused, "Tier 1.*environment.observation"),
        (
            {"environment": {"id": "CartPole-v1", "observation": ["x"]}, "reward": {"spec": SPEC}},
            EnvironmentRefused,
            "4 entries",
        ),
        ({"environments": 1000}, EnvironmentRefused, "starts"),
        ({"trainer": {"name": "nobody"}}, UnknownTrainer, "random"),
        ({"trainer": {"name": "json:dumps"}}, UnknownTrainer, "json:dumps"),
        ({"components": ["no_such_module"]}, RunRefused, "no_such_module"),
        (
            {"regimes": {"schedule": [{"start": 0, "label": "a", "set": {"gravitas": 1}}]}},
            EnvironmentRefused,
            "'gravitas', which CartPoleEnv does not have",
        ),
    ],
)
def test_anything_that_cannot_be_run_is_refused_before_anything_is_written(
    tmp_path: Path, members: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        run(experiment(**members), tmp_path / "run", say=quiet)
    assert not (tmp_path / "run").exists()


class Failing:
    """A trainer that fails in its second seed."""

    def versions(self) -> dict[str, str]:
        return {}

    def train(self, task: Task) -> Policy:
        if task.seed == 1 and not os.environ.get("MENDED"):
            task.environments[0].reset()
            task.environments[0].step(0)
            raise RuntimeError("out of luck")
        from reward_receipts.experiments.baselines import RandomTrainer

        return RandomTrainer().train(task)


def test_a_seed_that_fails_is_named_and_runs_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = experiment(trainer={"name": f"{__name__}:Failing"})
    statuses = run(made, tmp_path / "run", say=quiet)
    assert [each.state for each in statuses] == ["complete", "failed"]
    assert "out of luck" in str(statuses[1].error)
    assert [each.count for each in (summarise_run(tmp_path / "run").visits[0].measures["performance"],)] == [1]
    monkeypatch.setenv("MENDED", "1")
    statuses = resume(tmp_path / "run", say=quiet)
    assert [(each.state, each.attempt) for each in statuses] == [("complete", 1), ("complete", 2)]
    first = tmp_path / "run" / "seed-1" / "attempt-1" / "trace-0.jsonl"
    assert len(list(read_trace(first))) == 1


def test_a_folder_that_another_process_runs_is_refused(tmp_path: Path) -> None:
    run(experiment(), tmp_path / "run", say=quiet)
    with RunFolder(tmp_path / "run").locked(), pytest.raises(RunRefused, match="another process"):
        resume(tmp_path / "run", say=quiet)


@pytest.mark.slow
def test_killed_at_random_moments_and_resumed(write: Write, tmp_path: Path) -> None:
    """Kill -9 at 20 random moments: each seed is complete once, and no row is lost that a manifest counts."""
    name = write(total_steps=8000, seeds=[1, 2, 3], outputs={"trace": "parquet", "window": 100})
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "reward_receipts", "experiment"]
    chance = random.Random(14)
    kills = 0
    begun: dict[Path, int] = {}
    for _ in range(20):
        verb = ["resume", str(folder)] if (folder / "experiment.json").exists() else ["run", name, "-o", str(folder)]
        attempts = len([*folder.glob("seed-*/attempt-*")])
        process = subprocess.Popen([*command, *verb], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Some are killed while they start, the others while they train, however slow the machine is.
        while chance.random() > 0.05 and process.poll() is None and attempts == len([*folder.glob("seed-*/attempt-*")]):
            time.sleep(0.2)
        time.sleep(chance.uniform(0.0, 0.4))
        kills += process.poll() is None
        process.kill()
        process.wait()
        for manifest in folder.glob("seed-*/attempt-*/*.manifest.json"):
            said = json.loads(manifest.read_bytes())["run"]
            if said["finished"]:
                begun[manifest] = said["steps"]
    assert kills >= 3
    statuses = resume(folder, say=quiet)
    assert [(each.seed, each.state, each.steps) for each in statuses] == [
        (seed, "complete", 8000) for seed in (1, 2, 3)
    ]
    for manifest, steps in begun.items():
        trace = manifest.with_name(manifest.name.removesuffix(".manifest.json"))
        assert len(list(read_trace(trace))) == steps
    run(Experiment.from_file(name), tmp_path / "whole", say=quiet)
    whole, resumed = RunFolder(tmp_path / "whole"), RunFolder(folder)
    for seed in (1, 2, 3):
        one, other = ([*read_trace(place.traces(place.status(seed))[0])] for place in (whole, resumed))
        assert one == other
    assert summarise_run(folder).visits == summarise_run(tmp_path / "whole").visits


def test_seeds_in_processes_give_what_one_after_another_gives(tmp_path: Path) -> None:
    made = experiment(components=[])
    run(made, tmp_path / "one", say=quiet)
    run(made, tmp_path / "two", jobs=2, say=quiet)
    for seed in made.seeds:
        name = f"seed-{seed}/attempt-1/trace-0.jsonl"
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


class Described(CartPoleEnv):
    """CartPole that says what a step did."""

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        before = {"units_ordered": 0, "units_filled": 0, "units_completed": 0, "capacity": 2}
        after = {"units_ordered": 4, "units_filled": 3, "units_completed": 1, "capacity": 2}
        record = EpisodeStep.of(0, state_before=before, state_after=after)
        return observation, reward, terminated, truncated, {**info, "trace": record}


def test_a_spec_is_what_is_trained_on_and_policies_say_so(tmp_path: Path) -> None:
    environment = {"class": f"{__name__}:Described", "max_episode_steps": 40}
    made = experiment(environment=environment, reward={"spec": SPEC})
    run(made, tmp_path / "run", say=quiet)
    found = summarise_run(tmp_path / "run")
    assert list(found.visits[0].components) == ["fill_rate", "throughput"]
    assert found.visits[1].measures["performance"].value is not None
    manifest = export_policy(tmp_path / "run", 3, tmp_path / "policy")
    assert manifest["reward"]["spec"]["name"] == "s"
    assert set(manifest["components"]) == {"fill_rate", "throughput"}
    assert all(digest.startswith("sha256:") for digest in manifest["components"].values())
    assert [regime["label"] for regime in manifest["regimes_seen"]] == ["earth", "heavy", "earth"]
    assert check_policy(tmp_path / "policy").problems == ()
    compared = compare_runs(found, found)
    assert compared.differences == ()
    with pytest.raises(RunRefused, match="there already"):
        export_policy(tmp_path / "run", 3, tmp_path / "policy")
    with pytest.raises(RunRefused, match="no seed 9"):
        export_policy(tmp_path / "run", 9, tmp_path / "other")


def test_a_policy_that_was_swapped_is_found(tmp_path: Path) -> None:
    run(experiment(), tmp_path / "run", say=quiet)
    for seed in (3, 1):
        export_policy(tmp_path / "run", seed, tmp_path / f"policy-{seed}")
    swapped = tmp_path / "policy-3" / "model" / "policy.json"
    swapped.write_bytes((tmp_path / "policy-1" / "model" / "policy.json").read_bytes())
    assert "another file" in check_policy(tmp_path / "policy-3").problems[0]
    swapped.unlink()
    (tmp_path / "policy-3" / "model" / "extra").write_text("x")
    assert len(check_policy(tmp_path / "policy-3").problems) == 2
    manifest = tmp_path / "policy-1" / "policy.json"
    manifest.write_text(manifest.read_text().replace('"seed": 1', '"seed": 2', 1))
    assert "was changed" in check_policy(tmp_path / "policy-1").problems[0]
    manifest.write_text("{}")
    assert check_policy(tmp_path / "policy-1").manifest is None
    with pytest.raises(FileNotFoundError, match="not an exported policy"):
        check_policy(tmp_path)
    inside = tmp_path / "run" / "seed-3" / "attempt-1" / "policy" / "model" / "policy.json"
    inside.write_text("{}")
    with pytest.raises(RunRefused, match="not the one that was trained"):
        export_policy(tmp_path / "run", 3, tmp_path / "again")


def test_a_trace_that_was_changed_is_not_summarised(tmp_path: Path) -> None:
    run(experiment(), tmp_path / "run", say=quiet)
    trace = tmp_path / "run" / "seed-3" / "attempt-1" / "trace-0.jsonl"
    trace.write_bytes(trace.read_bytes() + trace.read_bytes()[:100])
    with pytest.raises(RunRefused, match="was changed"):
        summarise_run(tmp_path / "run")
    trace.unlink()
    with pytest.raises(RunRefused, match="is missing"):
        summarise_run(tmp_path / "run")


def test_other_versions_are_never_mixed_in(tmp_path: Path) -> None:
    run(experiment(), tmp_path / "run", say=quiet)
    said = json.loads((tmp_path / "run" / "run.json").read_text())
    said["versions"]["numpy"] = "0.1"
    (tmp_path / "run" / "run.json").write_text(json.dumps(said))
    with pytest.raises(RunRefused, match=r"numpy 0\.1 then"):
        resume(tmp_path / "run", say=quiet)


def test_constant_actions(tmp_path: Path) -> None:
    run(experiment(trainer={"name": "constant", "arguments": {"action": 1}}, seeds=[1]), tmp_path / "run", say=quiet)
    for arguments, said in (
        ({}, "needs the argument"),
        ({"action": 7}, "not in the action space"),
        ({"x": 1}, "not take x"),
    ):
        made = experiment(trainer={"name": "constant", "arguments": arguments}, seeds=[1])
        status = run(made, tmp_path / f"run-{len(said)}", say=quiet)[0]
        assert status.state == "failed"
        assert said in str(status.error)
