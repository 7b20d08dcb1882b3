"""Documents about rewards as data: schema and rules on every way in, frozen, equal exactly when their digests are."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from reward_data import REPORT, REWARD_DATA, ROW, SPEC
from reward_receipts import canonical_json_bytes
from reward_receipts.core.codes import catalogue
from reward_receipts.core.frozen import FrozenDict
from reward_receipts.documents.model import Document
from reward_receipts.rewards import RewardSpec, RewardSpecComponent, ZeroReason
from reward_receipts.traces.generated.regime_report import RegimeReport
from reward_receipts.traces.generated.reward_trace_row import RewardTraceRow

MODELS: dict[str, type[Document]] = {"spec": RewardSpec, "trace-row": RewardTraceRow, "regime-report": RegimeReport}

WAYS_IN: dict[str, Callable[[dict[str, Any]], Any]] = {
    "constructor": lambda members: RewardSpec(**members),
    "from_dict": RewardSpec.from_dict,
    "model_validate": RewardSpec.model_validate,
    "model_validate_json": lambda members: RewardSpec.model_validate_json(json.dumps(members)),
    "model_copy": lambda members: RewardSpec.from_dict(SPEC).model_copy(update=members),
    "TypeAdapter": TypeAdapter(RewardSpec).validate_python,
}

UPRIGHT, DELIVERY = {"type": "upright"}, {"type": "on_time_delivery"}


def gates(*pairs: tuple[str, str]) -> dict[str, Any]:
    return {"gates": [{"component": component, "requires": requires} for component, requires in pairs]}


BROKEN: dict[str, tuple[dict[str, Any], str, str]] = {
    "no name": ({"name": ""}, "schema.minLength", "/name"),
    "a long name": ({"name": "x" * 129}, "schema.maxLength", "/name"),
    "no component": ({"components": []}, "schema.minItems", "/components"),
    "a weight in quotes": ({"components": [{**UPRIGHT, "weight": "1"}]}, "schema.type", "/components/0/weight"),
    "a weight that is true": ({"components": [{**UPRIGHT, "weight": True}]}, "schema.type", "/components/0/weight"),
    "a weight of null": ({"components": [{**UPRIGHT, "weight": None}]}, "schema.type", "/components/0/weight"),
    "a misspelled member": (
        {"components": [{**UPRIGHT, "wieght": 1}]},
        "schema.additionalProperties",
        "/components/0/wieght",
    ),
    "one bound": ({"components": [{**UPRIGHT, "clip": [0]}]}, "schema.anyOf", "/components/0/clip"),
    "three bounds": ({"components": [{**UPRIGHT, "clip": [0, 1, 2]}]}, "schema.anyOf", "/components/0/clip"),
    "reversed bounds": ({"components": [{**UPRIGHT, "clip": [1.0, 0.0]}]}, "spec.clip-ordered", "/components/0/clip"),
    "a type twice": ({"components": [UPRIGHT, UPRIGHT]}, "spec.component-types-unique", "/components/1/type"),
    "an unknown component": (gates(("other", "upright")), "spec.gate-names-known", "/gates/0/component"),
    "an unknown requirement": (gates(("upright", "other")), "spec.gate-names-known", "/gates/0/requires"),
    "a gate on itself": (gates(("upright", "upright")), "spec.gates-acyclic", "/gates/0"),
    "a cycle of two": (
        gates(("upright", "effort"), ("effort", "upright")),
        "spec.gates-acyclic",
        "/gates/1",
    ),
    "a cycle of three": (
        gates(("upright", "effort"), ("on_time_delivery", "upright"), ("effort", "on_time_delivery")),
        "spec.gates-acyclic",
        "/gates/2",
    ),
}


@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("fault", BROKEN)
def test_every_fault_of_a_spec_is_refused_on_every_way_in(way: str, fault: str) -> None:
    members, code, pointer = BROKEN[fault]
    plain = {**SPEC, "gates": [], **members}
    with pytest.raises(ValidationError) as refused:
        WAYS_IN[way](plain)
    errors = {(error["type"], "".join(f"/{step}" for step in error["loc"])) for error in refused.value.errors()}
    assert (code, pointer) in errors


def test_every_rule_of_a_spec_is_broken_above() -> None:
    rules = {code.id for code in catalogue().values() if code.layer == "rules" and code.id.startswith("spec.")}
    assert rules == {code for _, code, _ in BROKEN.values() if code.startswith("spec.")}


@pytest.mark.parametrize("kind", MODELS)
def test_a_good_document_goes_in_and_comes_out_as_it_was(kind: str) -> None:
    document = MODELS[kind].model_validate(REWARD_DATA[kind])
    assert document.model_dump(mode="json") == REWARD_DATA[kind]
    assert json.loads(canonical_json_bytes(document)) == REWARD_DATA[kind]
    assert json.loads(document.model_dump_json()) == REWARD_DATA[kind]
    assert MODELS[kind].model_validate_json(document.model_dump_json()) == document


@pytest.mark.parametrize("kind", MODELS)
def test_equal_documents_have_equal_digests_and_hashes(kind: str) -> None:
    document = MODELS[kind].model_validate(REWARD_DATA[kind])
    again = MODELS[kind].model_validate(dict(reversed(REWARD_DATA[kind].items())))
    for other in (again, copy.deepcopy(document), pickle.loads(pickle.dumps(document)), document.model_copy()):
        assert (other, other.digest, hash(other)) == (document, document.digest, hash(document))


def test_anything_that_is_left_out_stays_left_out_and_is_not_null() -> None:
    left_out = RewardSpec.from_dict({"name": "x", "components": [{"type": "a"}]})
    null = RewardSpec.from_dict({"name": "x", "components": [{"type": "a", "clip": None}]})
    assert left_out.to_dict()["components"] == [{"type": "a"}]
    assert null.to_dict()["components"] == [{"type": "a", "clip": None}]
    assert left_out != null
    assert left_out.digest != null.digest
    for spec in (left_out, null):
        assert RewardSpec.from_dict(spec.model_dump()) == spec
        assert pickle.loads(pickle.dumps(spec)) == spec
        assert spec.model_copy(update={"name": "y"}).to_dict() == {**spec.to_dict(), "name": "y"}


def test_anything_that_was_given_cannot_be_changed_through_the_set_of_its_names() -> None:
    spec = RewardSpec.from_dict({"name": "x", "components": [{"type": "throughput"}, {"type": "a", "clip": None}]})
    before = (spec.to_dict(), spec.to_yaml(), spec.model_dump(), hash(spec), spec.digest, repr(spec))
    for part in spec.components:
        part.model_fields_set.add("clip")
        part.model_fields_set.add("weight")
        part.model_fields_set.discard("type")
    assert [part.model_fields_set for part in spec.components] == [{"type"}, {"type", "clip"}]
    after = (spec.to_dict(), spec.to_yaml(), spec.model_dump(), hash(spec), spec.digest, repr(spec))
    assert after == before
    assert RewardSpec.from_dict(spec.to_dict()).digest == spec.digest
    assert not spec.diff(RewardSpec.from_dict(spec.to_dict()))
    (term,) = RewardSpec(name="x", components=spec.components[:1]).resolve().terms
    assert term.clip == (0.0, 1.0)


def test_the_digest_is_of_the_spec_as_written_completed_by_the_schema_s_defaults() -> None:
    short = {"name": "x", "components": [{"type": "a", "weight": 1}]}
    full = {**short, "schema_version": "reward-receipts.reward-spec/v1", "gates": []}
    full["components"] = [{"type": "a", "weight": 1.0}]
    assert RewardSpec.from_dict(short).digest == RewardSpec.from_dict(full).digest


def test_the_order_of_the_components_is_part_of_the_meaning() -> None:
    turned = {**SPEC, "components": SPEC["components"][::-1]}
    assert RewardSpec.from_dict(turned).digest != RewardSpec.from_dict(SPEC).digest


@pytest.mark.parametrize("kind", MODELS)
def test_nothing_in_a_document_can_be_changed(kind: str) -> None:
    document = MODELS[kind].model_validate(REWARD_DATA[kind])
    for name in type(document).model_fields:
        with pytest.raises(ValidationError):
            setattr(document, name, None)
    if isinstance(document, RewardTraceRow):
        with pytest.raises(TypeError):
            document.reward_components["x"] = 1.0  # type: ignore[index]
        with pytest.raises(ValidationError):
            document.reward_detail["upright"].raw = 2.0


def test_an_instance_that_came_past_validation_is_validated_before_it_is_used() -> None:
    part = RewardSpecComponent.model_construct(type="a", weight=float("nan"))
    fake = RewardSpec.model_construct(name="x", components=(part,), gates=())
    for use in (lambda: fake.digest, lambda: fake.to_dict(), lambda: hash(fake), lambda: fake.resolve()):
        with pytest.raises(ValidationError):
            use()
    good = RewardSpecComponent.model_construct(type="a")
    assert good == RewardSpecComponent(type="a")


def test_a_row_without_a_reward_is_null_and_not_zero() -> None:
    row = RewardTraceRow.model_validate({**ROW, "reward": None})
    assert row.reward is None
    assert row.model_dump(mode="json")["reward"] is None
    with pytest.raises(ValidationError, match="reward is missing"):
        RewardTraceRow.model_validate({name: value for name, value in ROW.items() if name != "reward"})


def test_a_row_says_why_a_term_is_zero() -> None:
    row = RewardTraceRow.model_validate({**ROW, "reward_detail": {"a": {"raw": 2.0, "zero": "gated"}}})
    assert row.reward_detail["a"].zero is ZeroReason.GATED


def test_a_report_needs_its_summary() -> None:
    with pytest.raises(ValidationError, match="overall is missing"):
        RegimeReport.model_validate({name: value for name, value in REPORT.items() if name != "overall"})


def test_a_frozen_dict_keeps_its_order_and_compares_without_it() -> None:
    one, other = FrozenDict({"b": 1, "a": 2}), FrozenDict({"a": 2, "b": 1})
    assert (list(one), list(other)) == (["b", "a"], ["a", "b"])
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6)


@st.composite
def specs(draw: st.DrawFn) -> dict[str, Any]:
    types = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    components = []
    for name in types:
        component: dict[str, Any] = {"type": name}
        if draw(st.booleans()):
            component["weight"] = draw(numbers)
        if draw(st.booleans()):
            component["clip"] = draw(st.none() | st.tuples(numbers, numbers).map(lambda bounds: sorted(bounds)))
        components.append(component)
    pairs = [(types[later], types[earlier]) for later in range(len(types)) for earlier in range(later)]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=4)) if pairs else []
    return {"name": draw(names), "components": components, **gates(*chosen)}


@settings(max_examples=200)
@given(specs())
def test_any_good_spec_goes_round_with_its_digest(plain: dict[str, Any]) -> None:
    spec = RewardSpec.from_dict(plain)
    for again in (spec.to_dict(), json.loads(canonical_json_bytes(spec)), json.loads(spec.model_dump_json())):
        assert RewardSpec.from_dict(again) == spec
        assert RewardSpec.from_dict(again).digest == spec.digest
    assert canonical_json_bytes(spec) == canonical_json_bytes(spec.to_dict())
