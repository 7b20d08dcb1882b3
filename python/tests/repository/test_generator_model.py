"""The generator's intermediate model: it has everything that the schemas say, and refuses what it has no place for."""

from __future__ import annotations

import copy
import importlib
import json
import sys
from typing import Any

import pytest
from checkout import ROOT

sys.path.append(str(ROOT / "scripts"))
model, read = (importlib.import_module(f"generate.{name}") for name in ("model", "read"))

FILES = {path.name: json.loads(path.read_text("utf-8")) for path in (ROOT / "schemas").glob("*.json")}
MODEL = read.read(ROOT / "schemas")
RECEIPT = "reward-evidence-receipt.schema.json"


def schema_of(type_: Any) -> Any:
    """The schema that a type in the model stands for, without descriptions: written anew, to compare with the file."""
    match type_:
        case model.Reference(name):
            file = MODEL.definitions[name].file
            return {"$ref": f"{file}#/$defs/{name}"}
        case model.Nullable(of):
            return {"anyOf": [schema_of(of), {"type": "null"}]}
        case model.Text(most, pattern, example):
            breaks = {"pattern": f"[{model.LINE_BREAKS}]"}
            return {"type": "string", "maxLength": most, "pattern": pattern, "not": breaks, "examples": [example]}
        case model.FreeText(least, most):
            return {"type": "string", "minLength": least, "maxLength": most}
        case model.Constant(value):
            return {"type": "string", "const": value}
        case model.Words(words):
            return {"type": "string", "oneOf": [{"const": word.value} for word in words]}
        case model.Integers(integers):
            return {"type": "integer", "oneOf": [{"const": each.value, "title": each.name} for each in integers]}
        case model.Integer(least, most):
            return {"type": "integer", "minimum": least, "maximum": most}
        case model.Number(bounds):
            return {"type": "number", **schema_of_bounds(bounds)}
        case model.Boolean():
            return {"type": "boolean"}
        case model.Array(items, least, most, unique):
            schema = {"type": "array", "items": schema_of(items), "maxItems": most}
            return schema | ({"minItems": least} if least else {}) | ({"uniqueItems": True} if unique else {})
        case model.Map(names, values, most):
            schema = {"type": "object", "propertyNames": schema_of(names), "additionalProperties": schema_of(values)}
            return schema | {"maxProperties": most}
        case model.Record(members):
            schema = {"type": "object", "additionalProperties": False, "properties": {}}
            for member in members:
                default = [] if member.default == () else member.default
                given = {} if default is model.ABSENT else {"default": default}
                schema["properties"][member.name] = schema_of(member.type) | given
            required = [member.name for member in members if member.required]
            return schema | ({"required": required} if required else {})
    raise AssertionError(type_)


def schema_of_bounds(bounds: Any) -> dict[str, Any]:
    words = ("minimum", "exclusive_minimum", "maximum", "exclusive_maximum")
    names = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
    given = ((name, getattr(bounds, word)) for name, word in zip(names, words, strict=True))
    return {name: value for name, value in given if value is not None}


def schema_of_rule(rule: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for case in reversed(rule.cases):
        asked = {rule.member: listed(case.values)}
        then: dict[str, Any] = {"properties": {demand.member: schema_of_demand(demand) for demand in case.demands}}
        if required := [demand.member for demand in case.demands if demand.required]:
            then["required"] = required
        branch: dict[str, Any] = {"if": {"properties": asked, "required": [rule.member]}, "then": then}
        schema = branch | ({"else": schema} if schema else {})
    return {"title": rule.id, "description": rule.sentence, **schema}


def schema_of_demand(demand: Any) -> dict[str, Any]:
    schema = listed(demand.values) if demand.values else {}
    if demand.types:
        schema["type"] = demand.types[0] if len(demand.types) == 1 else list(demand.types)
    schema |= schema_of_bounds(demand.bounds)
    limits = (("minProperties", demand.min_members), ("maxProperties", demand.max_members))
    return schema | {word: limit for word, limit in limits if limit is not None}


def listed(values: tuple[Any, ...]) -> dict[str, Any]:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def undescribed(schema: Any, file: str) -> Any:
    """A schema of a file without descriptions and titles, its references with the names of files."""
    if isinstance(schema, list):
        return [undescribed(each, file) for each in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {}
    for key, value in schema.items():
        if key in ("$schema", "$id", "$defs", "allOf", "description") or (
            key == "title" and set(schema) != {"title", "const", "description"}
        ):
            continue
        copied[key] = f"{file}{value}" if key == "$ref" and value.startswith("#") else undescribed(value, file)
    return copied


@pytest.mark.parametrize("name", MODEL.definitions)
def test_the_model_has_all_of_a_definition(name: str) -> None:
    definition = MODEL.definitions[name]
    content = FILES[definition.file]
    schema = content if content["title"] == name else content["$defs"][name]
    assert schema_of(definition.type) == undescribed(schema, definition.file)
    assert definition.description == schema["description"]
    if isinstance(definition.type, model.Record):
        described = {member.name: member.description for member in definition.type.members}
        assert described == {name: member["description"] for name, member in schema["properties"].items()}
    for kind, each in (("words", "value"), ("integers", "value")):
        for entry, option in zip(getattr(definition.type, kind, ()), schema.get("oneOf", ()), strict=False):
            assert (getattr(entry, each), entry.description) == (option["const"], option["description"])


def test_the_model_has_every_definition_and_rule_once() -> None:
    documents = [content["title"] for content in FILES.values() if "properties" in content]
    assert sorted(MODEL.definitions) == sorted([*documents, *(n for f in FILES.values() for n in f.get("$defs", {}))])
    assert [document.definition.name for document in MODEL.documents] == [
        name for name in MODEL.definitions if name in documents
    ]
    for document in MODEL.documents:
        rules = FILES[document.definition.file].get("allOf", [])
        assert [schema_of_rule(rule) for rule in document.rules] == rules
        assert document.id == FILES[document.definition.file]["$id"]
    ids = [code.id for code in MODEL.codes]
    assert len(set(ids)) == len(ids) == len(FILES["codes.json"]["codes"]) + len(FILES[RECEIPT]["allOf"])
    assert MODEL.umbrella.kinds == ("contract", "certificate", "receipt")


def test_in_order_of_use_puts_each_definition_after_those_that_it_uses() -> None:
    for document in MODEL.documents:
        listed = MODEL.in_order_of_use(document.definition.name)
        seen = set[str]()
        for definition in listed:
            assert {reference.name for reference in model.references(definition.type)} <= seen
            seen.add(definition.name)
        assert listed[-1] is document.definition
        assert len(seen) == len(listed)


def test_no_value_of_the_model_can_be_changed() -> None:
    with pytest.raises(AttributeError):
        MODEL.definitions["Name"].type.max_length = 1


NONCE = ("properties", "nonce")


@pytest.mark.parametrize(
    ("steps", "value", "place"),
    [
        (NONCE, {"format": "uuid"}, "/properties/nonce has format"),
        (NONCE, {"x-order": 1}, "/properties/nonce has x-order"),
        ((), {"patternProperties": {}}, ":(document)? has patternProperties"),
        ((), {"dependentRequired": {}}, "has dependentRequired"),
        (("allOf", 1), {"dependentRequired": {}}, "/allOf/1 has dependentRequired"),
        (("allOf", 1, "if"), {"minProperties": 1}, "/allOf/1/if has minProperties"),
        (
            ("allOf", 1, "if", "properties"),
            {"nonce": {"const": "nonce.0001"}},
            "/if asks about certified, nonce",
        ),
        (("allOf", 1, "if", "properties", "certified"), {"type": "boolean"}, "/allOf/1/if/properties/certified is"),
        (("allOf", 1, "then"), {"not": {}}, "/allOf/1/then has not"),
        (("allOf", 1, "then", "properties"), {"tier": {"const": 2}}, "/allOf/1/then names tier"),
        (("allOf", 1, "then", "properties", "oracle_tier"), {"multipleOf": 2}, "/then/properties/oracle_tier is"),
        (("allOf", 0, "else"), {"anyOf": [{}]}, "/allOf/0/else has anyOf"),
        (("allOf", 0, "else", "if"), {"properties": {"certified": {"const": True}}}, "it must ask about oracle_tier"),
        (("allOf", 1, "if"), {"properties": {"nonce": {"const": "a"}}, "required": ["nonce"]}, "a few listed values"),
        (("properties", "certified"), {"default": True}, "is required and has a default"),
        ((*NONCE,), {"$ref": "common.schema.json#/$defs/Other"}, "/properties/nonce refers to"),
        ((*NONCE,), {"$ref": "reward-contract.schema.json#/$defs/Other"}, "/properties/nonce refers to"),
        ((), {"title": "Name"}, "defines Name, which another place defines too"),
        ((), {"title": "X = 1; evil"}, "cannot be a class's"),
        ((), {"title": "x\n"}, "cannot be a class's"),
        ((), {"title": "None"}, "cannot be a class's"),
        ((), {"title": "*/"}, "cannot be a class's"),
        ((), {"title": ""}, "cannot be a class's"),
        ((), {"title": "\u00dcnicode"}, "cannot be a class's"),
    ],
)
def test_what_the_model_has_no_place_for_is_refused_by_name_and_place(
    steps: tuple[Any, ...], value: dict[str, Any], place: str
) -> None:
    files = copy.deepcopy(FILES)
    schema = files[RECEIPT]
    for step in steps:
        schema = schema[step]
    schema.update(value)
    with pytest.raises(read.Refused, match=place.replace("*", r"\*")) as refused:
        read.model_of(files)
    assert all(line.startswith("schemas/") for line in str(refused.value).splitlines())


def test_a_definition_that_uses_itself_is_refused() -> None:
    files = copy.deepcopy(FILES)
    files["reward-spec.schema.json"]["$defs"]["ClipBound"]["anyOf"][0]["$ref"] = "#/$defs/ClipBounds"
    with pytest.raises(read.Refused, match="ClipBound uses itself"):
        read.model_of(files)


def test_a_file_that_is_not_json_is_named(tmp_path: Any) -> None:
    (tmp_path / "codes.json").write_text("{")
    with pytest.raises(read.Refused, match=r"schemas/codes\.json: is not JSON"):
        read.read(tmp_path)
