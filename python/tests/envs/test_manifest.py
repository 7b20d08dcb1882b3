"""The manifest: what was this trained on, answered by files."""

from __future__ import annotations

import hashlib
import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from reward_receipts import __version__
from reward_receipts.envs import (
    ComposedReward,
    ManifestRefused,
    TraceRecorder,
    VectorComposedReward,
    run_manifest,
    summarise,
    write_manifest,
)
from reward_receipts.rewards import RewardSpec
from tier_two import REGISTRY, SPEC, Plain, Rows, Walk, played, spec_of

GATED = RewardSpec.from_dict(
    {
        "name": "walk",
        "components": [{"type": "steps", "weight": 0.5, "clip": None}, {"type": "upright"}],
        "gates": [{"component": "steps", "requires": "upright"}],
    }
)


def composed(spec: RewardSpec = SPEC) -> ComposedReward:
    return ComposedReward(Walk(), spec, registry=REGISTRY)


def test_a_manifest_says_what_the_run_was_rewarded_with() -> None:
    env = composed(GATED)
    manifest = run_manifest(env)
    assert manifest == {
        "schema_version": "reward-receipts.run-manifest/v1",
        "environment": {"id": None, "environments": 1, "describe": {"environment": "walk", "steps": 3}},
        "reward": {
            "spec": GATED.to_dict(),
            "spec_digest": GATED.digest,
            "resolved_spec_digest": env.resolved_spec.digest,
            "terms": [
                {
                    "type": "steps",
                    "cadence": "episode_end",
                    "weight": 0.5,
                    "clip": None,
                    "reads": ["state_after"],
                    "requires": ["upright"],
                },
                {
                    "type": "upright",
                    "cadence": "step",
                    "weight": 1.0,
                    "clip": [0.0, 1.0],
                    "reads": ["extras"],
                    "requires": [],
                },
            ],
            "ceiling": {"per_step": 1.0, "at_end": None, "unbounded": ["steps"]},
        },
        "versions": {
            "python": platform.python_version(),
            "reward-receipts": __version__,
            "gymnasium": version("gymnasium"),
            "numpy": version("numpy"),
        },
        "traces": [],
    }
    assert json.loads(json.dumps(manifest)) == manifest


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_recorder_writes_the_manifest_beside_its_trace_with_the_digest_of_the_file(
    tmp_path: Path, suffix: str
) -> None:
    trace = tmp_path / f"run{suffix}"
    env = TraceRecorder(composed(), trace)
    played(env)
    assert not (tmp_path / "run.manifest.json").exists()
    env.close()
    manifest = json.loads((tmp_path / "run.manifest.json").read_bytes())
    data = trace.read_bytes()
    assert manifest["traces"] == [
        {"name": trace.name, "sha256": f"sha256:{hashlib.sha256(data).hexdigest()}", "bytes": len(data)}
    ]
    assert {path.name for path in tmp_path.iterdir()} == {trace.name, "run.manifest.json"}
    assert str(tmp_path) not in (tmp_path / "run.manifest.json").read_text()


def test_a_manifest_is_written_whole_over_an_older_one_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.manifest.json"
    path.write_text("older")
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            write_manifest(path, Plain(1.0))
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {"run.manifest.json": "older"}
    assert write_manifest(path, Plain(1.0)) == json.loads(path.read_bytes())


def test_what_a_tier_1_environment_does_not_say_is_null() -> None:
    manifest = run_manifest(Plain(1.0))
    assert manifest["environment"] == {"id": None, "environments": 1, "describe": None}
    assert manifest["reward"] is None


class Describing(Plain):
    def __init__(self, described: Any) -> None:
        super().__init__(1.0)
        self.described = described

    def describe(self) -> Any:
        if isinstance(self.described, Exception):
            raise self.described
        return self.described


def test_what_describe_says_with_numpy_is_written_plain() -> None:
    described = {"speed": np.float32(0.5), "ids": np.arange(2), "pair": (1, np.int64(2))}
    found = run_manifest(Describing(described))["environment"]["describe"]
    assert found == {"speed": 0.5, "ids": [0, 1], "pair": [1, 2]}
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (RuntimeError("not now"), r"describe\(\) failed: RuntimeError: not now"),
        ({"speed": float("nan")}, "/speed"),
        ({"made": object()}, "/made"),
    ],
)
def test_a_describe_that_cannot_be_written_is_refused_before_the_run(described: Any, message: str) -> None:
    with pytest.raises(ManifestRefused, match=message):
        TraceRecorder(Describing(described), Rows())
    TraceRecorder(Describing(described), Rows(), manifest=False).close()


def test_a_vector_environment_is_described_once_where_all_say_the_same() -> None:
    venv = VectorComposedReward(SyncVectorEnv([Walk, Walk]), SPEC, registry=REGISTRY)
    manifest = run_manifest(venv)
    assert manifest["environment"] == {
        "id": None,
        "environments": 2,
        "describe": {"environment": "walk", "steps": 3},
    }
    assert manifest["reward"]["spec_digest"] == SPEC.digest
    other = run_manifest(SyncVectorEnv([Walk, lambda: Walk(steps=5)]))
    assert [each["steps"] for each in other["environment"]["describe"]] == [3, 5]
    assert other["reward"] is None
    assert run_manifest(SyncVectorEnv([lambda: Plain(1.0)]))["environment"]["describe"] is None


def test_the_spec_inside_a_vector_environment_is_found_where_all_have_the_same() -> None:
    assert run_manifest(SyncVectorEnv([composed, composed]))["reward"]["spec_digest"] == SPEC.digest
    with pytest.raises(ManifestRefused, match="different specs"):
        run_manifest(SyncVectorEnv([composed, lambda: composed(GATED)]))


def test_a_summary_needs_no_more_than_the_manifest() -> None:
    sink = Rows()
    env = composed(GATED)
    played(TraceRecorder(env, sink), 2)
    manifest = json.loads(json.dumps(run_manifest(env)))
    assert summarise(sink.rows, manifest) == summarise(sink.rows, env.resolved_spec)


@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("spec_digest", "sha256:" + "0" * 64, "its spec_digest is"),
        ("resolved_spec_digest", "sha256:" + "0" * 64, "its resolved_spec_digest is"),
        ("terms", [], "compose.component-unknown"),
        ("terms", [{"type": "steps"}], "not as run_manifest"),
        ("spec", {"name": ""}, "not as run_manifest"),
    ],
)
def test_a_manifest_that_contradicts_itself_is_refused(member: str, value: Any, message: str) -> None:
    manifest = run_manifest(composed())
    manifest["reward"][member] = value
    with pytest.raises(ManifestRefused, match=message):
        summarise([], manifest)


def test_terms_that_were_changed_are_found_out() -> None:
    for change in ({"weight": 9.0}, {"clip": None}, {"requires": ["steps"]}):
        manifest = run_manifest(composed(GATED))
        manifest["reward"]["terms"][1].update(change)
        with pytest.raises(ManifestRefused):
            summarise([], manifest)


@pytest.mark.parametrize("value", [{}, {"schema_version": "reward-receipts.run-manifest/v1"}, {"reward": None}])
def test_what_is_no_manifest_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(ManifestRefused):
        summarise([], value)


def test_a_spec_of_other_components_has_another_manifest() -> None:
    assert run_manifest(composed(spec_of("upright")))["reward"] != run_manifest(composed())["reward"]
