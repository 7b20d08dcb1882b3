"""The generator's intermediate model: it has everything that the schemas say, and refuses what it has no place for."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from checkout import ROOT, scripts
from reward_receipts.core.schema_files import SCHEMA_FILES

json_schema, model, read = scripts("generate", "json_schema", "model", "read")

FILES = {path.name: json.loads(path.read_text("utf-8")) for path in (ROOT / "schemas").glob("*.json")}
MODEL = read.read(ROOT / "schemas")
RECEIPT = "reward-evidence-receipt.schema.json"


def with_files(schema: Any, file: str) -> Any:
    """A schema of a file with the names of files in its references, and without what is read apart."""
    if isinstance(schema, list):
        return [with_files(each, file) for each in schema]
    if not isinstance(schema, dict):
        return schema
    left = {key: value for key, value in schema.items() if key not in ("$schema", "$id", "$defs")}
    return {
        key: f"{file}{value}" if key == "$ref" and value.startswith("#") else with_files(value, file)
        for key, value in left.items()
    }


@pytest.mark.parametrize("name", MODEL.definitions)
def test_the_model_has_all_of_a_definition(name: str) -> None:
    """Written as a schema again, it is the schema that was read."""
    definition = MODEL.definitions[name]
    content = FILES[definition.file]
    schema = content if content["title"] == name else content["$defs"][name]
    writer = json_schema.Writer(lambda to: f"{MODEL.definitions[to].file}#/$defs/{to}")
    document = next((each for each in MODEL.documents if each.definition is definition), None)
    written = writer.definition(definition) if document is None else writer.document(document)
    assert written == with_files(schema, definition.file)


def test_the_model_has_every_definition_and_rule_once() -> None:
    files = [FILES[name] for name in SCHEMA_FILES.values()]
    documents = [content["title"] for content in files if "properties" in content]
    assert sorted(MODEL.definitions) == sorted([*documents, *(n for f in files for n in f.get("$defs", {}))])
    assert [document.definition.name for document in MODEL.documents] == [
        name for name in MODEL.definitions if name in documents
    ]
    for document in MODEL.documents:
        assert document.id == FILES[document.definition.file]["$id"]
    ids = [code.id for code in MODEL.codes]
    assert len(set(ids)) == len(ids) == len(FILES["codes.json"]["codes"]) + len(FILES[RECEIPT]["allOf"])
    assert tuple(document.kind for document in MODEL.umbrella.documents) == ("contract", "certificate", "receipt")


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
KEYWORDS: dict[str, Any] = {
    "$anchor": "here",
    "$dynamicRef": "#node",
    "allOf": [{"maxLength": 1}],
    "const": "a",
    "contains": {},
    "contentEncoding": "base64",
    "dependentRequired": {"a": ["b"]},
    "dependentSchemas": {"a": {"required": ["b"]}},
    "enum": ["a"],
    "format": "date-time",
    "if": {"const": "a"},
    "minLength": 1,
    "multipleOf": 0.5,
    "not": {"const": "a"},
    "oneOf": [{"const": "a"}],
    "patternProperties": {"^a": {}},
    "prefixItems": [{}],
    "then": {},
    "unevaluatedItems": False,
    "unevaluatedProperties": False,
    "x-order": 1,
}


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_a_keyword_that_the_model_has_no_place_for_is_refused_by_name_and_place(keyword: str) -> None:
    files = copy.deepcopy(FILES)
    files[RECEIPT]["properties"]["nonce"][keyword] = KEYWORDS[keyword]
    with pytest.raises(read.Refused, match=re.escape(f"schemas/{RECEIPT}:/properties/nonce has {keyword}, which")):
        read.model_of(files)


@pytest.mark.parametrize(
    ("steps", "value", "place"),
    [
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
def test_anything_that_the_model_has_no_place_for_is_refused_by_name_and_place(
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
