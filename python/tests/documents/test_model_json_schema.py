"""What pydantic publishes of the models is what the schema files state, keyword by keyword."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import reward_receipts as rr
from pydantic import TypeAdapter
from random_documents import document
from reward_receipts.envs import RegimeReport, RewardTraceRow
from reward_receipts.rewards import RewardSpec
from reward_receipts.validation.bundle import bundle

SUITE = Path(__file__).resolve().parents[3] / "conformance" / "json-schema-test-suite" / "tests" / "draft2020-12"
MODELS: dict[str, Any] = {
    "contract": rr.RewardContractV1,
    "certificate": rr.RewardCertificateV1,
    "receipt": rr.RewardEvidenceReceiptV1,
}
DATA_MODELS: dict[str, Any] = {"spec": RewardSpec, "trace-row": RewardTraceRow, "regime-report": RegimeReport}
MODES = ("validation", "serialization")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", MODELS)
def test_the_exported_suite_has_the_same_verdicts(kind: str, mode: Any) -> None:
    validator = jsonschema_rs.Draft202012Validator(MODELS[kind].model_json_schema(mode=mode))
    groups = json.loads((SUITE / f"{kind}.json").read_text("utf-8"))
    tests = [test for group in groups for test in group["tests"]]
    assert len(tests) > 50
    assert {test["valid"] for test in tests} == {True, False}
    assert [t["description"] for t in tests if validator.is_valid(t["data"]) != t["valid"]] == []


def test_the_exported_suite_of_the_union_has_the_same_verdicts() -> None:
    union = rr.RewardContractV1 | rr.RewardCertificateV1 | rr.RewardEvidenceReceiptV1
    validator = jsonschema_rs.Draft202012Validator(TypeAdapter(union).json_schema())
    for kind in MODELS:
        for group in json.loads((SUITE / f"{kind}.json").read_text("utf-8")):
            for test in group["tests"]:
                if test["valid"]:
                    assert validator.is_valid(test["data"]), test["description"]


def test_random_documents_get_the_verdict_of_the_schema_file() -> None:
    published = {kind: jsonschema_rs.Draft202012Validator(model.model_json_schema()) for kind, model in MODELS.items()}
    stated = {kind: jsonschema_rs.Draft202012Validator(bundle(kind)) for kind in MODELS}
    verdicts = set()
    for number in range(1000):
        made = document(number)
        verdict = stated[made.kind].is_valid(made.value)
        verdicts.add(verdict)
        assert published[made.kind].is_valid(made.value) == verdict, made
    assert verdicts == {True, False}


_ANNOTATIONS = ("title", "description", "examples", "default", "$schema", "$id", "$defs")


def stated(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema with its references replaced and its annotations left out; an enum is written one way."""
    if isinstance(schema, list):
        return [stated(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return stated(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "oneOf" in schema and all("const" in each for each in schema["oneOf"]):
        return {"type": schema["type"], "enum": [each["const"] for each in schema["oneOf"]]}
    return {
        key: {name: stated(member, definitions) for name, member in value.items()}
        if key == "properties"
        else stated(value, definitions)
        for key, value in schema.items()
        if key not in _ANNOTATIONS
    }


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [*MODELS, *DATA_MODELS])
def test_every_keyword_is_that_of_the_schema_file(kind: str, mode: Any) -> None:
    published = {**MODELS, **DATA_MODELS}[kind].model_json_schema(mode=mode)
    source = bundle(kind)
    assert stated(published, published["$defs"]) == stated(source, source["$defs"])


def test_the_bound_of_a_map_and_unique_items_are_published() -> None:
    receipt = rr.RewardEvidenceReceiptV1.model_json_schema()["properties"]["reward_components"]
    assert receipt["maxProperties"] == 64
    assert "maxLength" not in receipt
    oracle = rr.RewardContractV1.model_json_schema()["$defs"]["RewardOracleV1"]
    assert oracle["properties"]["identity_keys"]["uniqueItems"] is True
    weight = RewardSpec.model_json_schema()["$defs"]["RewardSpecComponent"]["properties"]["weight"]
    assert weight["$ref"] == "#/$defs/FiniteNumber"
