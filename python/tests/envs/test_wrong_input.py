"""What callers hand over by mistake: the message says what was expected and what to do."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import pytest
import reward_receipts as rr
from field import WORKED
from pydantic import ValidationError
from reward_receipts import envs, rewards
from reward_receipts.rewards import RewardSpec, StepContext

SPEC = RewardSpec.from_dict({"name": "one", "components": [{"type": "throughput"}]})


class Environment(gymnasium.Env[Any, Any]):
    observation_space = gymnasium.spaces.Discrete(2)
    action_space = gymnasium.spaces.Discrete(2)


@pytest.mark.parametrize("read", [RewardSpec.from_yaml, RewardSpec.from_json, rr.read_json, rr.read_document])
def test_a_path_in_place_of_a_text_says_to_read_the_file(read: Callable[[Any], Any], tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=re.escape("path.read_bytes()")):
        read(tmp_path / "walk.yaml")
    for name in ("walk.yaml", "walk.yml", "receipt.json", str(tmp_path / "x.json")):
        with pytest.raises(rr.InvalidDocument, match="looks like the path of a file; give what the file contains"):
            read(name)
    with pytest.raises(TypeError, match="a dict; it is parsed already"):
        read({"name": "x"})
    with pytest.raises(rr.InvalidDocument) as refused:
        read("walk")
    assert "path" not in str(refused.value)


def test_a_path_in_place_of_a_document_says_to_read_the_file() -> None:
    with pytest.raises(TypeError, match="path"):
        rr.RewardEvidenceReceiptV1.model_validate_json(WORKED / "receipt.json")  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="looks like the path of a file"):
        rr.RewardEvidenceReceiptV1.model_validate_json("receipt.json")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: envs.EpisodeStep({"a": 1}), r"a dict; expected a StepContext: EpisodeStep.of\(step, extras="),  # type: ignore[arg-type]
        (lambda: envs.ComposedReward(Environment, SPEC), "is the class Environment; make one"),  # type: ignore[arg-type]
        (lambda: envs.EpisodeMetrics(Environment), "is the class Environment; make one"),  # type: ignore[arg-type]
        (lambda: envs.TraceRecorder(Environment, "x.jsonl"), "is the class Environment; make one"),  # type: ignore[arg-type]
        (lambda: envs.RegimeSchedule(Environment, {}), "is the class Environment; make one"),  # type: ignore[arg-type]
        (lambda: SPEC.diff({}), "after is a dict; expected a RewardSpec"),  # type: ignore[arg-type]
        (lambda: rewards.diff_specs({}, SPEC), "before is a dict; expected a RewardSpec"),  # type: ignore[arg-type]
        (lambda: rewards.CompositionEngine({}), "dict"),  # type: ignore[arg-type]
        (lambda: rewards.contract_components({}), "dict"),  # type: ignore[arg-type]
        (lambda: rewards.component_vector({}, []), "dict"),  # type: ignore[arg-type]
        (lambda: StepContext({"a": 1}), "whole number"),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_are_type_errors(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        call()


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)


def test_environments_without_the_extra_say_what_to_install() -> None:
    program = """
import sys
sys.modules.update(gymnasium=None, numpy=None)
from reward_receipts import envs, rewards
assert envs.EpisodeStep.of(0, extras={}).context.step == 0
for name in ("check_env", "ComposedReward"):
    try:
        getattr(envs, name)
    except ModuleNotFoundError as error:
        print(error)
components = [rewards.RewardSpecComponent(type="throughput", weight=1.0)]
spec = rewards.RewardSpec(name="demo", components=components)
try:
    rewards.BatchedEngine(spec, 2)
except ImportError as error:
    print(error)
"""
    done = run(program)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.endswith(": pip install 'reward-receipts[envs]'") for line in lines)
    assert lines[0].startswith("reward_receipts.envs.check_env needs ")


def test_python_m_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "reward_receipts", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"reward-receipts {rr.__version__}\n")
    done = subprocess.run(
        [sys.executable, "-m", "reward_receipts", "lint", "absent.json"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "absent.json" in done.stderr


def test_without_the_metadata_of_the_package_the_version_is_unknown() -> None:
    program = """
import importlib.metadata, sys
def missing(name):
    raise importlib.metadata.PackageNotFoundError(name)
importlib.metadata.version = missing
from reward_receipts.cli import main
sys.exit(main(["--version"]))
"""
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "reward-receipts unknown\n", "")


def test_a_class_that_cannot_be_made_says_what_check_env_takes() -> None:
    class Desk(Environment):
        def __init__(self, desk: str) -> None:
            pass

    found = envs.check_env(Desk).capabilities[0]  # type: ignore[arg-type]
    assert found.seen.endswith("give an environment, or a function without arguments that makes it")
