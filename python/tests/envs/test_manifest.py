"""The manifest: what was this trained on, answered by files."""

from __future__ import annotations

import hashlib
import json
import platform
import random
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import SyncVectorEnv
from reward_receipts import __version__, canonical_json_bytes
from reward_receipts.core.canonical import sha256_digest
from reward_receipts.envs import (
    ComposedReward,
    EpisodeStep,
    ManifestRefused,
    RegimeSchedule,
    TraceRecorder,
    VectorComposedReward,
    read_trace,
    run_manifest,
    summarise,
    write_manifest,
)
from reward_receipts.rewards import RewardSpec
from reward_receipts.traces.manifest import sealed
from scripted_components import spec_of
from tier_two import REGISTRY, SPEC, Plain, Rows, Walk, played

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
        "environment": {
            "id": None,
            "kwargs": None,
            "max_episode_steps": None,
            "environments": 1,
            "describe": {"environment": "walk", "steps": 3},
            "regimes": None,
        },
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
                    "component": {"class": "tier_two:Steps", "distribution": None, "version": None},
                },
                {
                    "type": "upright",
                    "cadence": "step",
                    "weight": 1.0,
                    "clip": [0.0, 1.0],
                    "reads": ["extras"],
                    "requires": [],
                    "component": {"class": "tier_two:Upright", "distribution": None, "version": None},
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
        "run": None,
        "traces": [],
        "manifest_digest": manifest["manifest_digest"],
    }
    content = {name: value for name, value in manifest.items() if name != "manifest_digest"}
    in_doubles = json.loads(json.dumps(content), parse_int=float)
    assert manifest["manifest_digest"] == sha256_digest(canonical_json_bytes(in_doubles))
    assert json.loads(json.dumps(manifest)) == manifest


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_recorder_writes_the_manifest_beside_its_trace_with_the_digest_of_the_file(
    tmp_path: Path, suffix: str
) -> None:
    trace = tmp_path / f"run{suffix}"
    env = TraceRecorder(composed(), trace)
    assert names_in(tmp_path) == []
    env.reset(seed=5)
    path = tmp_path / f"run{suffix}.manifest.json"
    begun = json.loads(path.read_bytes())
    assert begun["run"]["finished"] is False
    assert begun["traces"] == [{"name": trace.name, "sha256": None, "bytes": None}]
    played(env, 2)
    env.close()
    manifest = json.loads(path.read_bytes())
    data = trace.read_bytes()
    assert manifest["traces"] == [
        {"name": trace.name, "sha256": f"sha256:{hashlib.sha256(data).hexdigest()}", "bytes": len(data)}
    ]
    assert manifest["run"] == {
        "finished": True,
        "steps": 6,
        "episodes": 2,
        "refused_steps": 0,
        "seeds": [5],
        "seeded_resets": 1,
    }
    assert {**begun, "run": None, "traces": None, "manifest_digest": None} == {
        **manifest,
        "run": None,
        "traces": None,
        "manifest_digest": None,
    }
    assert names_in(tmp_path) == [trace.name, path.name]
    assert str(tmp_path) not in path.read_text()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_traces_of_one_stem_have_a_manifest_each(tmp_path: Path) -> None:
    for suffix in (".jsonl", ".parquet"):
        env = TraceRecorder(composed(), tmp_path / f"run{suffix}")
        played(env)
        env.close()
    assert names_in(tmp_path) == [
        "run.jsonl",
        "run.jsonl.manifest.json",
        "run.parquet",
        "run.parquet.manifest.json",
    ]


def test_a_manifest_says_how_gymnasium_made_the_environment_and_when_its_regimes_change() -> None:
    env = RegimeSchedule(
        gymnasium.make("CartPole-v1", sutton_barto_reward=True, max_episode_steps=7), [(0, "calm"), (5, "storm")]
    )
    found = run_manifest(env)["environment"]
    assert found["id"] == "CartPole-v1"
    assert found["kwargs"]["sutton_barto_reward"] is True
    assert found["max_episode_steps"] == 7
    assert found["regimes"] == {"unit": "steps", "schedule": [[0, "calm"], [5, "storm"]]}
    venv = SyncVectorEnv([lambda: RegimeSchedule(Walk(), [(0, "calm")])] * 2)
    assert run_manifest(venv)["environment"]["regimes"] == {"unit": "steps", "schedule": [[0, "calm"]]}
    env.close()


def test_an_argument_that_json_does_not_have_is_named_by_its_type() -> None:
    env = Plain(1.0)
    env.spec = EnvSpec("Plain-v0", kwargs={"map": object(), "size": np.int64(3)})
    assert run_manifest(env)["environment"]["kwargs"] == {"map": "(builtins.object)", "size": 3}


def test_a_component_of_a_distribution_is_named_with_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reward_receipts.traces.manifest._distributions", lambda: {"tier_two": ["numpy"]})
    [term] = run_manifest(composed(spec_of("upright")))["reward"]["terms"]
    assert term["component"] == {"class": "tier_two:Upright", "distribution": "numpy", "version": version("numpy")}


def test_the_spec_of_a_subclass_is_in_the_manifest() -> None:
    class Mine(ComposedReward):
        pass

    class VectorMine(VectorComposedReward):
        pass

    assert run_manifest(Mine(Walk(), SPEC, registry=REGISTRY))["reward"]["spec_digest"] == SPEC.digest
    venv = VectorMine(SyncVectorEnv([Walk]), SPEC, registry=REGISTRY)
    assert run_manifest(venv)["reward"]["spec_digest"] == SPEC.digest


def test_environments_of_which_only_some_say_something_have_no_manifest() -> None:
    with pytest.raises(ManifestRefused, match="environment 1 has no resolved_spec, and others have"):
        run_manifest(SyncVectorEnv([composed, Walk]))
    with pytest.raises(ManifestRefused, match="environment 0 has no describe, and others have"):
        run_manifest(SyncVectorEnv([lambda: Plain(1.0), lambda: Describing({})]))


def test_specs_that_differ_only_as_written_are_different() -> None:
    spelled_out = RewardSpec.from_dict(
        {"name": SPEC.name, "components": [{"type": "upright", "weight": 1.0}, {"type": "steps"}]}
    )
    assert spelled_out.resolve(REGISTRY).digest == SPEC.resolve(REGISTRY).digest
    assert spelled_out.digest != SPEC.digest
    with pytest.raises(ManifestRefused, match="different specs"):
        run_manifest(SyncVectorEnv([composed, lambda: composed(spelled_out)]))


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


SAVING = """
import sys
sys.path[:0] = sys.argv[2:]
from reward_receipts.envs import write_manifest
from tier_two import Plain
write_manifest(sys.argv[1], Plain(1.0))
print("goes on", flush=True)
while True:
    write_manifest(sys.argv[1], Plain(1.0))
"""


def test_a_manifest_is_whole_whenever_its_process_is_killed_and_what_is_left_stops_no_other(tmp_path: Path) -> None:
    path = tmp_path / "run.manifest.json"
    moments = random.Random(4)
    for end in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        command = [sys.executable, "-c", SAVING, path, Path(__file__).parents[1] / "support"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
            assert running.stdout is not None
            running.stdout.readline()
            time.sleep(0.05 + moments.uniform(0.0, 0.2))
            running.send_signal(end)
        assert json.loads(path.read_bytes())["run"] is None
    write_manifest(path, Plain(1.0))


def test_anything_that_a_tier_1_environment_does_not_say_is_null() -> None:
    manifest = run_manifest(Plain(1.0))
    assert manifest["environment"] == {
        "id": None,
        "kwargs": None,
        "max_episode_steps": None,
        "environments": 1,
        "describe": None,
        "regimes": None,
    }
    assert manifest["reward"] is None


class Describing(Plain):
    def __init__(self, described: Any) -> None:
        super().__init__(1.0)
        self.described = described

    def describe(self) -> Any:
        if isinstance(self.described, Exception):
            raise self.described
        return self.described


def test_anything_that_describe_says_with_numpy_is_written_plain() -> None:
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


def test_a_describe_that_is_not_a_method_is_refused() -> None:
    env = Plain(1.0)
    env.describe = {"steps": 3}  # type: ignore[attr-defined]
    with pytest.raises(ManifestRefused, match="describe is not a method"):
        run_manifest(env)


def test_a_vector_environment_is_described_once_where_all_say_the_same() -> None:
    venv = VectorComposedReward(SyncVectorEnv([Walk, Walk]), SPEC, registry=REGISTRY)
    manifest = run_manifest(venv)
    assert manifest["environment"]["environments"] == 2
    assert manifest["environment"]["describe"] == {"environment": "walk", "steps": 3}
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


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("environment", "describe", "steps"), 4),
        (("versions", "python"), "2.7"),
        (("reward", "terms", 1, "cadence"), "episode_end"),
        (("reward", "terms", 1, "reads"), []),
        (("reward", "ceiling", "per_step"), 9.0),
        (("reward", "terms", 0, "component", "class"), "other:Steps"),
        (("traces",), [{"name": "a.jsonl", "sha256": "sha256:" + "0" * 64, "bytes": 1}]),
        (("more",), 1),
        (("manifest_digest",), None),
    ],
)
def test_anything_that_was_changed_in_a_manifest_is_found_out(place: tuple[Any, ...], value: Any) -> None:
    manifest = run_manifest(composed(GATED))
    assert summarise([], manifest).spec_digest == GATED.digest
    inner: Any = manifest
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(ManifestRefused, match="was changed" if place[0] != "reward" else "its ceiling|was changed"):
        summarise([], manifest)


def test_a_manifest_that_a_program_in_javascript_wrote_again_is_the_same() -> None:
    manifest = run_manifest(ComposedReward(Walk(), spec_of("steps", "upright"), registry=REGISTRY))
    manifest["environment"]["describe"] = {"zero": -0.0, "speed": 0.1, "steps": 3.0}
    text = json.dumps(sealed(manifest))
    again = re.sub(r"(?<=[ \[])-?(\d+)\.0(?=[,\]}])", r"\1", text)
    assert again != text
    assert summarise([], json.loads(again)) == summarise([], json.loads(text))
    with pytest.raises(ManifestRefused, match="was changed"):
        summarise([], json.loads(again.replace('"speed": 0.1', '"speed": 0.2')))


class Macro(gymnasium.Env[Any, Any]):
    """Steps another environment, and is not a wrapper of it: its rewards and its info are its own."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.observation_space, self.action_space = env.observation_space, env.action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        return self.env.reset(seed=seed)[0], {}

    def step(self, action: Any) -> Any:
        observation, _, terminated, truncated, _ = self.env.step(action)
        return observation, 7.0, terminated, truncated, {"trace": EpisodeStep.of(0, extras={"upright": 0.5})}


def test_an_environment_that_keeps_another_under_env_has_not_the_others_spec(tmp_path: Path) -> None:
    assert run_manifest(Macro(composed()))["reward"] is None
    recorder = TraceRecorder(Macro(composed()), tmp_path / "trace.jsonl")
    played(recorder)
    recorder.close()
    manifest = json.loads((tmp_path / "trace.jsonl.manifest.json").read_text())
    assert summarise(read_trace(tmp_path / "trace.jsonl"), manifest).overall.total == 21.0
    outer = spec_of("upright", name="outer")
    above = ComposedReward(Macro(TraceRecorder(composed(), Rows())), outer, registry=REGISTRY)
    assert run_manifest(above)["reward"]["spec"]["name"] == "outer"
    assert [returned[1] for returned in played(above)] == [0.5] * 3


def test_an_environment_whose_env_is_itself_is_not_an_endless_one() -> None:
    env = Plain(1.0)
    env.env = env  # type: ignore[attr-defined]
    assert run_manifest(env)["reward"] is None


@pytest.mark.parametrize("vector", [False, True])
def test_anything_that_an_environment_calls_its_regime_schedule_is_its_own(vector: bool) -> None:
    class Scheduling(Plain):
        def regime_schedule(self, day: int) -> list[int]:
            return [day]

    def make() -> Any:
        return Scheduling(1.0)

    assert run_manifest(SyncVectorEnv([make, make]) if vector else make())["environment"]["regimes"] is None
    ours = RegimeSchedule(Scheduling(1.0), [(0, "calm")])
    assert run_manifest(ours)["environment"]["regimes"] == {"unit": "steps", "schedule": [[0, "calm"]]}


@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize(
    "describe", ["a text", lambda what: {}, lambda: {1: "a"}, lambda: {(2, 3): "b"}, lambda: {"a": {1, 2}}]
)
def test_a_describe_of_another_kind_is_refused_saying_how_to_go_on(describe: Any, vector: bool) -> None:
    def make() -> Any:
        env = Plain(1.0)
        env.describe = describe  # type: ignore[attr-defined]
        return env

    if vector and describe == "a text":  # as call() gives it, it is the environment's own text
        assert run_manifest(SyncVectorEnv([make]))["environment"]["describe"] == "a text"
        return
    env = SyncVectorEnv([make]) if vector else make()
    with pytest.raises(ManifestRefused, match="describe.*manifest=False"):
        run_manifest(env)


@pytest.mark.parametrize("value", [{}, {"schema_version": "reward-receipts.run-manifest/v1"}, {"reward": None}])
def test_anything_that_is_not_a_manifest_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(ManifestRefused):
        summarise([], value)


def test_a_spec_of_other_components_has_another_manifest() -> None:
    assert run_manifest(composed(spec_of("upright")))["reward"] != run_manifest(composed())["reward"]
