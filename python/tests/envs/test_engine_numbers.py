"""The engines take numbers and counts of other packages, and store plain doubles; booleans are neither."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from reward_receipts.rewards import RewardComponent, RewardSignal, RewardSpec, StepContext, VectorisedReward
from scripted_components import engine_of, scripted, spec_of, step_of


@pytest.mark.parametrize("half", [np.float32(0.5), np.float64(0.5), Decimal("0.5"), Fraction(1, 2)])
def test_numbers_of_other_packages_are_values_and_weights(half: Any) -> None:
    class Given(RewardComponent):
        name = "given"
        default_weight = half
        clip = (np.float32(0.0), half)  # type: ignore[assignment]

        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(half, {"part": half})

    engine = engine_of("given", classes={"given": Given})
    result = engine.compute_step(StepContext(np.int64(3)))  # type: ignore[arg-type]
    assert (result.total, type(result.total)) == (0.25, float)
    assert type(result.raw["given"]) is type(result.detail["given"]["part"]) is float
    spec = RewardSpec.from_dict({"name": "x", "components": [{"type": "given", "weight": half, "clip": (0, half)}]})
    assert (spec.components[0].weight, type(spec.components[0].weight)) == (0.5, float)


def test_counts_are_integers_of_any_package() -> None:
    spec = spec_of({"type": "a", "clip": [0.0, 1.0]})
    registry = {"a": scripted("a")}
    assert VectorisedReward(spec, np.int64(2), registry).environments == 2  # type: ignore[arg-type]
    assert engine_of("a", environments=np.int64(2)).environments == 2  # type: ignore[arg-type]
    assert engine_of("a").compute_step(step_of(a=1.0), np.int64(0)).total == 1.0  # type: ignore[arg-type]
    assert spec.ceiling(registry).per_episode(np.int64(3)) == 3.0  # type: ignore[arg-type]
    for wrong in (True, np.bool_(True), 2.0):
        with pytest.raises(ValueError, match="whole number"):
            spec.ceiling(registry).per_episode(wrong)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="whole number"):
            VectorisedReward(spec, wrong, registry)  # type: ignore[arg-type]


def test_booleans_are_neither_environments_nor_weights() -> None:
    for wrong in (True, np.bool_(True), 2.0):
        with pytest.raises(ValueError, match="whole number of environments"):
            engine_of("a", environments=wrong)  # type: ignore[arg-type]
        with pytest.raises(IndexError, match="no environment"):
            engine_of("a").compute_step(StepContext(), wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a number"):
        RewardSpec.from_dict({"name": "x", "components": [{"type": "a", "weight": np.bool_(True)}]})
