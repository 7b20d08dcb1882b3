"""From a spec to the components of a contract, and from an episode to the component vector of a receipt."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import reward_receipts as rr
from field import WORKED, plain
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.rewards import (
    Cadence,
    CompositionEngine,
    NotForAContract,
    Registry,
    StepContext,
    component_vector,
    contract_components,
)
from scripted_components import scripted, spec_of

REGISTRY = Registry(
    {
        "effect_match": scripted("effect_match"),
        "latency": scripted("latency", default_weight=0.25),
        "bonus": scripted("bonus", cadence=Cadence.EPISODE_END),
        "on time": scripted("on time"),
    }
)


def test_each_term_of_positive_weight_becomes_a_component_of_the_contract() -> None:
    found = contract_components(spec_of({"type": "latency"}, {"type": "effect_match", "weight": 2}), REGISTRY)
    assert [(each.name, each.weight) for each in found] == [("effect_match", 2.0), ("latency", 0.25)]
    contract = plain(WORKED / "contract_as_authored.json")
    assert rr.RewardContractV1.model_validate({**contract, "components": found}).components == found


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ({"type": "latency", "weight": -0.5}, "has the weight -0.5"),
        ({"type": "latency", "weight": 0.0}, "has the weight 0.0"),
        ({"type": "latency", "weight": 1000000.5}, "has the weight 1000000.5"),
        ({"type": "on time"}, "is not a name of a contract's component"),
    ],
)
def test_any_other_term_is_refused_with_the_reason(term: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotForAContract, match=reason):
        contract_components(spec_of({"type": "effect_match"}, term), REGISTRY)


def test_all_reasons_are_named_and_an_unknown_type_is_refused() -> None:
    with pytest.raises(NotForAContract, match="latency.*on time"):
        contract_components(spec_of({"type": "latency", "weight": -1}, {"type": "on time"}), REGISTRY)
    with pytest.raises(InvalidDocument, match="No component is registered"):
        contract_components(spec_of({"type": "other"}), REGISTRY)


def test_an_episode_s_contributions_become_a_receipt_s_vector() -> None:
    engine = CompositionEngine(
        spec_of({"type": "effect_match"}, {"type": "latency"}, {"type": "bonus"}), registry=REGISTRY
    )
    steps = [
        StepContext(0, extras={"effect_match": 0.1, "latency": -1.0}),
        StepContext(1, extras={"effect_match": 0.2, "latency": 0.0}),
        StepContext(2, extras={"effect_match": 0.3, "latency": 0.5, "bonus": 4}, truncated=True),
    ]
    results = [engine.compute_step(step) for step in steps]
    vector = component_vector(engine.resolved, results)
    assert vector == {"bonus": 4.0, "effect_match": 0.1 + 0.2 + 0.3, "latency": -0.25 + 0.125}
    assert vector == component_vector(engine.resolved, [result.contributions for result in results])
    receipt = {**plain(WORKED / "receipt.json"), "reward_components": vector}
    assert rr.RewardEvidenceReceiptV1.model_validate(receipt).reward_components == vector


def test_anything_that_a_receipt_cannot_say_is_refused() -> None:
    resolved = CompositionEngine(spec_of({"type": "latency"}), registry=REGISTRY).resolved
    with pytest.raises(NotForAContract, match=r"adds up to 1000001\.0"):
        component_vector(resolved, [{"latency": 1e6}, {"latency": 1.0}])
    with pytest.raises(NotForAContract, match='name the term "other"'):
        component_vector(resolved, [{"other": 1.0}])
    with pytest.raises(NotForAContract, match="adds up to inf"):
        component_vector(resolved, [{"latency": 1e308}, {"latency": 1e308}])


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([{"latency": 1.0}, None], "step 1, from 0, is null; give what the engine gave, or its contributions"),
        (["latency"], 'step 0, from 0, is "latency"'),
        ({"latency": 1.0}, 'step 0, from 0, is "latency"'),
        ([{"latency": None}], 'Component "latency" gave None at step 0, which is not a number'),
        ([{"latency": 1.0}, {"latency": True}], 'Component "latency" gave bool true at step 1, which is not a number'),
        ([{"latency": "1"}], 'gave str "1" at step 0'),
        ([{"latency": 10**400}], "gave a number beyond any double at step 0, which is not finite"),
        ([{"latency": float("nan")}], "gave nan at step 0, which is not finite"),
        ([{1: 1.0}], "the steps name the term 1; the spec "),
        ([{f"t{place}": 1.0 for place in range(5000)}], 'name the term "t0"'),
    ],
)
def test_anything_that_is_not_a_contribution_is_refused_with_its_step(steps: Any, reason: str) -> None:
    resolved = CompositionEngine(spec_of({"type": "latency"}), registry=REGISTRY).resolved
    with pytest.raises(NotForAContract) as caught:
        component_vector(resolved, steps)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 10_000


def test_other_real_numbers_go_in_as_doubles() -> None:
    resolved = CompositionEngine(spec_of({"type": "latency"}), registry=REGISTRY).resolved
    vector = component_vector(resolved, [{"latency": Fraction(1, 4)}, {"latency": 2}])  # type: ignore[dict-item]
    assert vector == {"latency": 2.25}
    assert type(vector["latency"]) is float


def test_a_term_whose_type_no_receipt_can_name_has_no_vector() -> None:
    resolved = CompositionEngine(spec_of({"type": "on time"}), registry=REGISTRY).resolved
    with pytest.raises(NotForAContract, match=r'"on time" has a type that is not a name of a contract.s component'):
        component_vector(resolved, [{"on time": 1.0}])


def test_anything_that_is_not_a_resolved_spec_or_no_contributions_is_reported() -> None:
    with pytest.raises(TypeError, match=r"give spec\.resolve\(\)"):
        component_vector(spec_of({"type": "latency"}), [{"latency": 1.0}])  # type: ignore[arg-type]
    resolved = CompositionEngine(spec_of({"type": "latency"}), registry=REGISTRY).resolved
    with pytest.raises(TypeError, match="give its reward_components"):
        component_vector(resolved, [{"reward_components": {}, "reward": 1.0}])  # type: ignore[dict-item]


def test_an_episode_without_a_scored_step_has_no_vector() -> None:
    resolved = CompositionEngine(spec_of({"type": "latency"}), registry=REGISTRY).resolved
    with pytest.raises(NotForAContract, match="no component vector"):
        component_vector(resolved, [])
