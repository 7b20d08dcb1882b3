"""The operations of given cases that are about rewards as data and environments, for scripts/handed_cases.py."""

from __future__ import annotations

import importlib.util
import json
import resource
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from pydantic import ValidationError
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.rewards import (
    Cadence,
    CompositionEngine,
    CompositionError,
    Registry,
    RewardComponent,
    RewardSignal,
    RewardSpec,
    StepContext,
)

Case = dict[str, Any]
Answer = Any


class Given(RewardComponent):
    """Gives what a case states under its type."""

    def compute(self, ctx: StepContext) -> RewardSignal:
        value = ctx.extras.get(self.name) if "extras" in self.reads else 0.0
        return self._signal(float("nan") if value == "NaN" else value)  # type: ignore[arg-type]


class Change(Given):
    """Gives how much the stated value has changed within the episode."""

    def __init__(self) -> None:
        self.before = 0.0

    def reset(self) -> None:
        self.before = 0.0

    def compute(self, ctx: StepContext) -> RewardSignal:
        before, self.before = self.before, ctx.extras[self.name]
        return self._signal(self.before - before)


def registry(components: dict[str, Any]) -> Registry:
    """A component class for each that a case declares."""
    known = Registry()
    for name, declared in components.items():
        clip = declared["clip"]
        attributes = {
            "name": name,
            "cadence": Cadence[declared["cadence"]],
            "clip": None if clip is None else tuple(clip),
            "default_weight": declared["default_weight"],
            "reads": tuple(declared["reads"]),
        }
        known.register(name, type(name, (Change if "stateful" in declared.get("note", "") else Given,), attributes))
    return known


def engine(case: Case, folder: Path) -> Answer:
    stated = json.loads((folder / "engine.json").read_text())
    try:
        running = CompositionEngine(RewardSpec.from_dict(stated["spec"]), registry=registry(stated["components"]))
    except ValidationError as error:
        return case["expected"].get("raises") is True, str(error)
    answers = [step_answer(running, number, step) for number, step in enumerate(stated["steps"])]
    return not case["expected"].get("raises") and all(right for right, _ in answers), [got for _, got in answers]


def step_answer(running: CompositionEngine, number: int, step: dict[str, Any]) -> tuple[bool, str]:
    if step.get("reset"):
        running.reset()
        return True, "reset"
    context = StepContext(number, extras=step["raw"], terminated=step["terminated"], truncated=step["truncated"])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = running.compute_step(context)
        except CompositionError as error:
            return step.get("expect_error") is True, str(error)
    right = "expect" in step and dict(result.contributions) == step["expect"]["contributions"]
    right = right and result.total == step["expect"]["total"]
    said = [str(each.message) for each in warned]
    right = right and len(said) == ("expect_warning" in step)
    right = right and all(step["expect_warning"] in message for message in said)
    return right, f"{result!r} {said}"


def ceiling(case: Case, folder: Path) -> Answer:
    stated = json.loads((folder / "engine.json").read_text())
    found = RewardSpec.from_dict(stated["spec"]).ceiling(registry(stated["components"]))
    got = {"step_ceiling": found.per_step, "episode_ceiling": found.per_episode(stated["episode_steps"])}
    return got == case["expected"], got


def reward_yaml(case: Case, folder: Path) -> Answer:
    wanted = case["expected"]
    begun = time.monotonic()
    try:
        spec = RewardSpec.from_yaml((folder / "spec.yaml").read_bytes())
    except InvalidDocument as error:
        placed = all(finding.line is not None and finding.column is not None for finding in error.findings)
        quick = time.monotonic() - begun < wanted.get("max_seconds", 60)
        mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        small = mib < wanted.get("max_mib", 1000)
        return wanted["verdict"] == "reject" and placed and quick and small, str(error)
    right = wanted["verdict"] == "accept" and spec.name == wanted.get("name", spec.name)
    weight = spec.components[0].weight
    return right and weight == wanted.get("weight", weight) and not Path("case-marker").exists(), repr(spec)


def reward_yaml_roundtrip(case: Case, folder: Path) -> Answer:
    spec = RewardSpec.from_json((folder / "spec.json").read_bytes())
    again = RewardSpec.from_yaml(spec.to_yaml())
    return (again, again.digest) == (spec, spec.digest), spec.to_yaml()


def summary(case: Case, folder: Path) -> Answer:
    from reward_receipts.envs import mean_of_scored

    found = mean_of_scored(json.loads((folder / "scalars.json").read_text()))
    got = {"mean": found.mean, "scored": found.scored, "unscored": found.unscored}
    return got == case["expected"], got


def gym(case: Case, folder: Path) -> Answer:
    from reward_receipts.envs import EpisodeStep, check_env

    module = loaded(folder / "env.py")
    report = check_env(module.make(SimpleNamespace(episode_step=EpisodeStep.of)))
    got = {f"tier{tier}": "pass" if report.tier >= tier else "fail" for tier in (1, 2)}
    return got == case["expected"], f"{got}: {report}"


def gym_vector(case: Case, folder: Path) -> Answer:
    from reward_receipts.envs import EpisodeStep

    environment = loaded(folder / "env.py")
    environment.make(SimpleNamespace(episode_step=EpisodeStep.of))
    rewards, episodes = loaded(folder / "vec.py").run(SimpleNamespace(collect=collected), environment.Env)
    wanted = case["expected"]
    return (list(rewards), episodes) == (wanted["scored_rewards"], wanted["episodes"]), (rewards, episodes)


def collected(steps: list[Any]) -> tuple[list[float], int]:
    """The scored rewards and finished episodes in what a vector environment returned under NEXT_STEP autoreset."""
    from reward_receipts.envs import vector_rows

    rows = list(vector_rows(steps, "NextStep"))
    return [row["reward"] for row in rows], sum(row["terminated"] or row["truncated"] for row in rows)


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OPS: dict[str, Callable[[Case, Path], Answer]] = {
    "engine": engine,
    "ceiling": ceiling,
    "reward-yaml": reward_yaml,
    "reward-yaml-roundtrip": reward_yaml_roundtrip,
    "summary": summary,
    "gym": gym,
    "gym-vector": gym_vector,
}
