"""What somebody writes who scores by a spec, as mypy --strict sees it with the package installed: tox -e types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, assert_type

import gymnasium
import numpy as np
from numpy.typing import NDArray
from reward_receipts import RewardComponentV1
from reward_receipts.envs import (
    OPERATIONS_SPEC,
    ComposedReward,
    EpisodeMetrics,
    EpisodeStep,
    OperationsEnv,
    RegimeReport,
    RegimeSchedule,
    TraceRecorder,
    check_env,
    read_trace,
    summarise,
)
from reward_receipts.rewards import (
    Cadence,
    Ceiling,
    CompositionEngine,
    Registry,
    RewardComponent,
    RewardResult,
    RewardSignal,
    RewardSpec,
    RewardSpecGate,
    StepContext,
    VectorisedReward,
    ZeroReason,
    compile_reward,
    component_vector,
    contract_components,
)


class Upright(RewardComponent):
    """A component of one's own."""

    name = "upright"
    cadence = Cadence.STEP
    reads = ("extras",)
    clip = (0.0, 1.0)
    default_weight = 1.0

    def compute(self, ctx: StepContext) -> RewardSignal:
        angle: float = ctx.extras["angle"]
        return self._signal(1.0 - angle, {"angle": angle})


def make_spec() -> RewardSpec:
    """A spec from plain members, and back."""
    spec = RewardSpec.from_dict({"name": "balance", "components": [{"type": "upright", "clip": None}]})
    assert_type(spec, RewardSpec)
    assert_type(spec.components[0].weight, float | None)
    assert_type(spec.components[0].clip, tuple[float | None, ...] | None)
    assert_type(spec.gates, tuple[RewardSpecGate, ...])
    assert_type(spec.digest, str)
    assert_type(RewardSpec.from_yaml(spec.to_yaml()), RewardSpec)
    assert_type(RewardSpec.from_json(spec.to_json()), RewardSpec)
    assert_type(spec.to_dict(), dict[str, Any])
    return spec


def score_a_step(spec: RewardSpec, registry: Registry) -> RewardResult:
    """The three engines on one step."""
    engine = CompositionEngine(spec, registry=registry)
    result = engine.compute_step(StepContext(0, extras={"angle": 0.25}))
    assert_type(result.total, float)
    assert_type(dict(result.contributions), dict[str, float])
    assert_type(result.zeros.get("upright"), ZeroReason | None)
    total, contributions = compile_reward(spec, registry).compute_step([0.75])
    assert_type(total, float)
    assert_type(contributions, tuple[float | None, ...])
    arrays = VectorisedReward(spec, 2, registry).compute_step(np.array([[0.75, 0.5]]), np.array([False, False]))
    totals: NDArray[np.float64] = arrays.totals
    assert (result.total, total) == (0.75, totals[0])
    ceiling = spec.ceiling(registry)
    assert_type(ceiling, Ceiling)
    assert_type(ceiling.per_episode(10), float | None)
    components = contract_components(spec, registry)
    assert_type(components, tuple[RewardComponentV1, ...])
    vector: Mapping[str, float] = component_vector(engine.resolved, [result])
    assert dict(vector) == {"upright": 0.75}
    return result


def trace_an_episode(folder: Path) -> RegimeReport:
    """The desk under a spec, traced and summarised."""
    desk: gymnasium.Env[Any, Any] = RegimeSchedule(OperationsEnv(), [(0, "morning"), (10, "noon")])
    metrics = EpisodeMetrics(ComposedReward(desk, OPERATIONS_SPEC))
    env = TraceRecorder(metrics, folder / "desk.jsonl")
    env.reset(seed=0)
    ended = False
    while not ended:
        _, _, terminated, truncated, info = env.step(0)
        assert isinstance(info["trace"], EpisodeStep)
        ended = terminated or truncated
    env.close()
    rows: Iterator[dict[str, Any]] = read_trace(folder / "desk.jsonl")
    report = summarise(rows, OPERATIONS_SPEC)
    assert_type(report.overall.mean, float | None)
    assert report == metrics.report()
    return report


def use_everything(folder: Path) -> int:
    """All of the above. Gives the tier that the desk reaches."""
    score_a_step(make_spec(), Registry({"upright": Upright}))
    assert [regime.label for regime in trace_an_episode(folder).regimes] == ["morning", "noon"]
    return check_env(OperationsEnv()).tier
