"""The experiment document: read strictly, completed, digested, compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.experiments.document import Experiment, diff_experiments, experiment_schema, read_experiment_file
from reward_receipts.rewards import RewardSpec
from small_experiment import MEMBERS, Write, writer

SPEC = {"name": "s", "components": [{"type": "fill_rate", "weight": 2.0}]}
DIGEST = RewardSpec.from_dict(SPEC).digest

YAML = """\
name: gravity
environment: {id: CartPole-v1}
regimes:
  schedule:
    - {start: 0, label: earth}
    - {start: 400, label: heavy, set: {gravity: 19.6}}
    - {start: 800, label: earth}
trainer:
  name: random
total_steps: 1200
seeds: [3, 1]
evaluation: {every: 600, episodes: 2}
outputs: {window: 50, trace: jsonl}
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return writer(tmp_path)


def test_yaml_and_json_have_one_digest(write: Write, tmp_path: Path) -> None:
    (tmp_path / "e.yaml").write_text(YAML, encoding="utf-8")
    one, other = Experiment.from_file(write()), Experiment.from_file(str(tmp_path / "e.yaml"))
    assert one.digest == other.digest
    assert diff_experiments(one, other) == []
    again = Experiment.from_dict(json.loads(one.to_json()))
    assert again.digest == one.digest
    assert one.tier == 1
    assert one.outputs == {"trace": "jsonl", "policy": True, "window": 50, "basis": "return"}
    jsonschema_rs.validator_for(experiment_schema()).validate(one.to_dict())


def test_a_spec_in_a_file_has_the_digest_of_the_same_spec_inside(write: Write, tmp_path: Path) -> None:
    (tmp_path / "reward.json").write_text(json.dumps(SPEC), encoding="utf-8")
    inside = Experiment.from_file(write("a.json", reward={"spec": SPEC}))
    beside = Experiment.from_file(write("b.json", reward={"file": "reward.json", "digest": DIGEST}))
    assert inside.digest == beside.digest
    assert inside.tier == 2


@pytest.mark.parametrize(
    ("members", "code", "pointer"),
    [
        ({"environment": {}}, "experiment.environment-named", "/environment"),
        ({"environment": {"id": "a", "class": "b:c"}}, "experiment.environment-named", "/environment"),
        ({"tier": 2}, "experiment.reward-missing", "/tier"),
        ({"tier": 1, "reward": {"spec": SPEC}}, "experiment.reward-unused", "/tier"),
        ({"reward": {"file": "x"}}, "experiment.reward-named", "/reward"),
        ({"reward": {}}, "experiment.reward-named", "/reward"),
        ({"reward": {"spec": {**SPEC, "components": []}}}, "schema.minItems", "/reward/spec/components"),
        ({"seeds": [1, 2, 1]}, "experiment.seed-twice", "/seeds/2"),
        ({"seeds": []}, "schema.minItems", "/seeds"),
        ({"seeds": [True]}, "schema.type", "/seeds/0"),
        ({"total_steps": 0}, "schema.minimum", "/total_steps"),
        ({"sedes": [1]}, "schema.additionalProperties", "/sedes"),
        ({"trainer": None}, "schema.required", ""),
        (
            {"regimes": {"schedule": [{"start": 1, "label": "a"}]}},
            "experiment.schedule-order",
            "/regimes/schedule/0/start",
        ),
        (
            {
                "regimes": {
                    "schedule": [{"start": 0, "label": "a"}, {"start": 9, "label": "b"}, {"start": 9, "label": "c"}]
                }
            },
            "experiment.schedule-order",
            "/regimes/schedule/2/start",
        ),
        (
            {"regimes": {"schedule": [{"start": 0, "label": "a"}, {"start": 1200, "label": "b"}]}},
            "experiment.schedule-late",
            "/regimes/schedule/1/start",
        ),
    ],
)
def test_anything_that_is_wrong_is_named_with_its_place(
    write: Write, members: dict[str, Any], code: str, pointer: str
) -> None:
    file = read_experiment_file(write(**members))
    assert [(finding.code, finding.pointer) for finding in file.findings] == [(code, pointer)]
    assert file.findings[0].line == 1
    with pytest.raises(InvalidDocument):
        file.experiment()


def test_a_spec_that_was_changed_is_refused(write: Write, tmp_path: Path) -> None:
    (tmp_path / "reward.json").write_text(json.dumps({**SPEC, "name": "other"}), encoding="utf-8")
    file = read_experiment_file(write(reward={"file": "reward.json", "digest": DIGEST}))
    assert [finding.code for finding in file.findings] == ["experiment.reward-differs"]
    assert DIGEST in file.findings[0].sentence


def test_diff_says_what_changed_and_compares_specs_in_words() -> None:
    before = Experiment.from_dict({**MEMBERS, "reward": {"spec": SPEC}})
    changed = {**SPEC, "components": [{"type": "fill_rate", "weight": 3.0}]}
    after = Experiment.from_dict({**MEMBERS, "total_steps": 2400, "reward": {"spec": changed}})
    lines = diff_experiments(before, after)
    assert "total_steps: 1200 -> 2400" in lines
    assert any(line.startswith("reward: ") and "2.0" in line and "3.0" in line for line in lines)
    assert (
        diff_experiments(Experiment.from_dict(MEMBERS), before)[-1] == 'reward: the environment\'s own -> the spec "s"'
    )
