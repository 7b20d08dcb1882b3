"""The TypeScript types: what the emitter makes of each construct, and what the compiler then knows of our documents."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from checkout import ROOT, script
from javascript import installed, tsc
from reward_receipts.core.codes import SCHEMA_FILES, catalogue, read_schema_file
from reward_receipts.core.generated import tables

GENERATED = ROOT / "generated" / "typescript"
TYPES, CODES, TABLES = ((GENERATED / f"{name}.ts").read_text("utf-8") for name in ("types", "codes", "tables"))
FILES = {name: read_schema_file(name) for name in SCHEMA_FILES.values()}
RECEIPT = SCHEMA_FILES["receipt"]

types: Callable[[dict[str, Any]], str] = script("typescript_types").types


def record(properties: dict[str, Any], **others: Any) -> dict[str, Any]:
    """A closed object; all its members are required, unless ``required`` says which."""
    return {
        "title": "Doc",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": list(properties),
        **others,
    }


# A construct: its schema, TypeScript values that the type must take, and values that it must not take.
PART = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"], "additionalProperties": False}
TEXT = {"type": "string"}
SWITCH = {
    "if": {"properties": {"state": {"const": "current"}}},
    "then": {"properties": {"ref": {"type": "string"}}},
    "else": {"properties": {"ref": {"type": "null"}}},
}
CHAIN = {
    **{word: SWITCH[word] for word in ("if", "then")},
    "else": {
        "if": {"properties": {"state": {"enum": ["late", "current"]}}},
        "then": {"properties": {"ref": {"type": "null"}}},
    },
}
STATES = {"state": {"enum": ["absent", "late", "current"]}, "ref": {"type": ["string", "null"]}}
HANDLED: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "left out is not null": (
        record({"note": TEXT}, required=[]),
        ["{}", '{ note: "x" }'],
        ["{ note: null }", "{ note: undefined }"],
    ),
    "an enum of integers": (
        record({"tier": {"type": "integer", "enum": [0, 1, 2, 3]}}),
        ["{ tier: 2 }"],
        ["{ tier: 4 }", "{ tier: true }", '{ tier: "2" }'],
    ),
    "an enum with null": (
        record({"e": {"enum": ["a", None]}}),
        ['{ e: "a" }', "{ e: null }"],
        ['{ e: "b" }', "{ e: undefined }", "{}"],
    ),
    "constants under oneOf": (
        record({"e": {"type": "string", "oneOf": [{"const": "a", "description": "A."}, {"const": "b"}]}}),
        ['{ e: "a" }', '{ e: "b" }'],
        ['{ e: "c" }', "{ e: null }"],
    ),
    "a closed object": (record({"a": TEXT}), ['{ a: "x" }'], ['{ a: "x", zz: 1 }', "{}"]),
    "a reference with a description": (
        record({"p": {"$ref": "#/$defs/P", "description": "x"}, "q": {"$ref": "#/$defs/P"}}, **{"$defs": {"P": PART}}),
        ["{ p: { a: 1 }, q: { a: 2 } }"],
        ["{ p: {}, q: { a: 1 } }", "{ p: { a: 1 }, q: { a: 1, b: 1 } }"],
    ),
    "if, then and else": (
        record(STATES, **SWITCH),
        ['{ state: "current", ref: "x" }', '{ state: "absent", ref: null }', '{ state: "late", ref: null }'],
        ['{ state: "current", ref: null }', '{ state: "absent", ref: "x" }', '{ state: "other", ref: null }'],
    ),
    "the same as a rule": (
        record(STATES, allOf=[{"title": "doc.ref", "description": "A sentence.", **SWITCH}]),
        ['{ state: "current", ref: "x" }', '{ state: "late", ref: null }'],
        ['{ state: "current", ref: null }', '{ state: "absent", ref: "x" }'],
    ),
    "a rule with a condition in its else": (
        record(STATES, allOf=[{"title": "doc.ref", "description": "A sentence.", **CHAIN}]),
        ['{ state: "current", ref: "x" }', '{ state: "late", ref: null }', '{ state: "absent", ref: "x" }'],
        ['{ state: "current", ref: null }', '{ state: "late", ref: "x" }'],
    ),
    "a description that ends a comment": (
        record({"a": {**TEXT, "description": "ends */ here; drop"}}),
        ['{ a: "x" }'],
        ["{ a: 1 }", "{}"],
    ),
    "items that differ": (
        record({"t": {"type": "array", "items": TEXT, "uniqueItems": True}}),
        ["{ t: [] }", '{ t: ["a"] }'],
        ["{ t: new Set<string>() }", "{ t: [1] }", '{ t: "a" }'],
    ),
    "items of two kinds": (
        record({"t": {"type": "array", "items": {"anyOf": [TEXT, {"type": "null"}]}}}),
        ['{ t: ["a", null] }'],
        ["{ t: [1] }", "{ t: null }"],
    ),
    "a map": (
        record({"m": {"type": "object", "additionalProperties": {"type": "number"}}}),
        ["{ m: {} }", "{ m: { a: 1 } }"],
        ['{ m: { a: "1" } }', '{ m: ["a"] }', "{ m: null }"],
    ),
    "a name that is no identifier": (record({"a-b": TEXT}), ['{ "a-b": "x" }'], ['{ ab: "x" }']),
}


def test_the_compiler_takes_what_each_construct_allows_and_nothing_else(
    package: Path, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    for number, (schema, good, bad) in enumerate(HANDLED.values()):
        lines = [types({"doc.schema.json": schema})]
        lines += [f"export const good{index}: Doc = {value};" for index, value in enumerate(good)]
        for index, value in enumerate(bad):
            lines += ["// @ts-expect-error", f"export const bad{index}: Doc = {value};"]
        (tmp_path / f"construct{number}.ts").write_text("\n".join(lines), encoding="utf-8")
    flags = ("--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022", "--ignoreConfig")
    done = tsc(package, *flags, *sorted(tmp_path.glob("*.ts")))
    assert (done.returncode, done.stdout) == (0, "")
    values = [(len(good), len(bad)) for _, good, bad in HANDLED.values()]
    figure(f"{len(HANDLED)} constructs: takes {sum(g for g, _ in values)} values, refuses {sum(b for _, b in values)}")


def test_a_reference_with_a_description_gives_one_type() -> None:
    text = types({"doc.schema.json": HANDLED["a reference with a description"][0]})
    assert re.findall(r"type (P\w*) =", text) == ["P"]


def test_a_description_cannot_end_its_comment() -> None:
    text = types({"doc.schema.json": HANDLED["a description that ends a comment"][0]})
    assert "/** ends *\\/ here; drop */" in text


REFUSED = {
    "prefixItems": {"type": "array", "prefixItems": [TEXT, {"type": "number"}], "items": False, "minItems": 2},
    "items": {"type": "array", "items": True},
    "contains": {"type": "array", "items": TEXT, "contains": TEXT},
    "unevaluatedItems": {"type": "array", "items": TEXT, "unevaluatedItems": False},
    "format": {"type": "string", "format": "date-time"},
    "contentEncoding": {"type": "string", "contentEncoding": "base64"},
    "not": {"type": "string", "not": {"const": "a"}},
    "multipleOf": {"type": "number", "multipleOf": 0.5},
    "patternProperties": {"type": "object", "patternProperties": {"^a": TEXT}, "additionalProperties": False},
    "dependentRequired": record({"a": TEXT, "b": TEXT}, required=[], dependentRequired={"a": ["b"]}),
    "dependentSchemas": record({"a": TEXT}, dependentSchemas={"a": {"required": ["b"]}}),
    "unevaluatedProperties": {"type": "object", "properties": {"a": TEXT}, "unevaluatedProperties": False},
    "additionalProperties": {"type": "object", "properties": {"a": TEXT}, "additionalProperties": True},
    "required": record({"a": TEXT}, required=["a", "b"]),
    "$dynamicRef": {"$dynamicRef": "#node"},
    "$anchor": {**TEXT, "$anchor": "here"},
    "$defs": record({"a": TEXT}, **{"$defs": {"P": PART}}),
    "x-order": {**TEXT, "x-order": 1},
    "allOf": {**TEXT, "allOf": [{"maxLength": 1}]},
    "if": {**TEXT, "if": {"const": "a"}, "then": {"maxLength": 1}},
    "then": {**TEXT, "then": {"maxLength": 1}},
}
"""A keyword, and a schema of a member in which it stands where it has no meaning here."""


@pytest.mark.parametrize("keyword", REFUSED)
def test_a_keyword_without_meaning_stops_the_script_by_name_and_place(keyword: str) -> None:
    name = re.escape(keyword)
    wanted = rf"^schemas/doc\.schema\.json#/properties/m/{name}: no TypeScript type for the keyword {name}: "
    with pytest.raises(SystemExit, match=wanted):
        types({"doc.schema.json": record({"m": REFUSED[keyword]})})


def test_a_member_without_any_type_stops_the_script() -> None:
    with pytest.raises(SystemExit, match="#/properties/m/type: no TypeScript type for the keyword type"):
        types({"doc.schema.json": record({"m": {"description": "Anything."}})})


@pytest.mark.parametrize(
    ("steps", "value", "named"),
    [
        (("properties", "nonce"), {"format": "uuid"}, "/properties/nonce/format"),
        (("allOf", 1), {"dependentRequired": {}}, "/allOf/1/dependentRequired"),
        (("allOf", 1, "if"), {"minProperties": 1}, "/allOf/1/if/minProperties"),
        (("allOf", 1, "if", "properties"), {"nonce": {"const": "nonce.0001"}}, "/allOf/1/if"),
        (("allOf", 1, "if", "properties", "certified"), {"type": "boolean"}, "/allOf/1/if/properties/certified/type"),
        (("allOf", 1, "then"), {"not": {}}, "/allOf/1/then/not"),
        (("allOf", 1, "then", "properties"), {"tier": {"const": 2}}, "/allOf/1/then/properties/tier"),
        (("allOf", 1, "then", "properties", "oracle_tier"), {"multipleOf": 2}, "oracle_tier/multipleOf"),
        (("allOf", 0, "else"), {"anyOf": []}, "/allOf/0/else/anyOf"),
        ((), {"patternProperties": {}}, "#/patternProperties"),
    ],
)
def test_nothing_is_dropped_from_a_document_or_its_rules(steps: tuple[Any, ...], value: Any, named: str) -> None:
    files = copy.deepcopy(FILES)
    schema = files[RECEIPT]
    for step in steps:
        schema = schema[step]
    schema.update(value)
    with pytest.raises(SystemExit, match=re.escape(named) + ": no TypeScript type for the keyword "):
        types(files)


def test_a_condition_on_what_may_be_left_out_stops_the_script() -> None:
    schema = record(STATES, required=["ref"], **SWITCH)
    with pytest.raises(SystemExit, match="#/if: .* state must be given, and one of a few values"):
        types({"doc.schema.json": schema})


def test_a_condition_in_an_else_on_another_member_stops_the_script() -> None:
    schema = record({**STATES, "late": {"type": "boolean"}})
    other = {**SWITCH, "if": {"properties": {"late": {"const": True}}}}
    schema["allOf"] = [{"title": "doc.ref", **SWITCH, "else": other}]
    with pytest.raises(SystemExit, match="#/allOf/0/else/if: .* must ask about that too"):
        types({"doc.schema.json": schema})


# The generated files


def test_the_types_are_those_of_the_schemas() -> None:
    assert TYPES.endswith(types(FILES))


def test_every_type_property_and_listed_value_is_documented() -> None:
    lines = TYPES.splitlines()
    declared = [at for at, line in enumerate(lines) if re.match(r"\s*(export )?(type|readonly) ", line)]
    assert [lines[at] for at in declared if not lines[at - 1].strip().startswith("/** ")] == []
    assert [line for line in lines if re.search(r"/\*\*\s*\*/", line)] == []
    assert sum(" readonly " in lines[at] for at in declared) > 100
    documented = [line for line in lines if re.match(r"  \| /\*\* .+ \*/$", line)]
    definitions = [each for schema in FILES.values() for each in schema.get("$defs", {}).values()]
    assert len(documented) == sum(len(each.get("oneOf", ())) for each in definitions)


def test_the_sentences_are_those_of_the_schemas() -> None:
    sentences = set(re.findall(r"/\*\* (.*) \*/", TYPES))
    for name, member in FILES[RECEIPT]["properties"].items():
        assert member["description"] in sentences, name
    for rule in FILES[RECEIPT]["allOf"]:
        assert f"{rule['title']}: {rule['description']}" in TYPES


def test_nothing_is_any_or_has_an_index_signature_or_can_be_changed() -> None:
    code = re.sub(r"/\*.*?\*/", "", TYPES, flags=re.DOTALL)
    assert re.findall(r"\b(any|unknown|object|undefined|interface|enum)\b", code) == []
    assert re.findall(r"\[\w+\s*(?::|in\b)", code) == []
    assert [line for line in code.splitlines() if re.match(r"\s+\"?\w+\"?\??:", line)] == []
    assert set(re.findall(r"(\w* ?)\w+\[\]", code)) == {"readonly "}


def literal(source: str, name: str) -> Any:
    """The value of a constant in a generated module: JSON, but for bare names and last commas."""
    found = re.search(
        rf"^export const {name} = (?:\w[\w.]*\()?(.*?)(?: as const)?(?: satisfies [^;)]+)?\)?;$", source, re.S | re.M
    )
    assert found is not None
    text = re.sub(r"^(\s*)(\w+):", r'\1"\2":', found[1], flags=re.M)
    return json.loads(re.sub(r",(\s*})", r"\1", text))


def test_the_codes_are_those_of_python_in_the_same_order() -> None:
    wanted = [asdict(entry) for entry in catalogue().values()]
    found = literal(CODES, "CODES")
    assert [{"id": code, **entry} for code, entry in found.items()] == wanted


def test_the_tables_are_those_of_python() -> None:
    assert literal(TABLES, "REWARD_SCORING_CLASS") == dict(rr.REWARD_SCORING_CLASS)
    assert literal(TABLES, "TIER_OF_CHANNEL") == {channel: rr.tier_of(channel) for channel in rr.OracleChannel}
    assert literal(TABLES, "REWARD_CERTIFIED_MINIMUM_TIER") == rr.REWARD_CERTIFIED_MINIMUM_TIER
    assert literal(TABLES, "DEFAULT_REWARD_SCORING") == rr.RewardScoringPolicyV1().model_dump(mode="json")
    for name in ("REWARD_CONTRACT_SCHEMA", "REWARD_CERTIFICATE_SCHEMA", "REWARD_EVIDENCE_RECEIPT_SCHEMA"):
        assert literal(TABLES, name) == getattr(rr, name)
    for name in ("MAX_POLICY_UPDATE", "MAX_TEXT_BYTES", "MAX_TEXT_DEPTH"):
        assert literal(TABLES, name) == getattr(tables, name)


# What the compiler knows of our documents: typescript/test-types


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The TypeScript package with what it needs installed, in a copy of the checkout's folders around it."""
    place = installed(ROOT / "typescript", tmp_path_factory.mktemp("checkout") / "typescript")
    shutil.copytree(GENERATED, place.parent / "generated" / "typescript")
    return place


def test_what_must_compile_compiles_and_what_must_not_does_not(package: Path, figure: Callable[[str], None]) -> None:
    done = tsc(package, "--project", "test-types")
    assert (done.returncode, done.stdout) == (0, "")
    text = "".join(path.read_text("utf-8") for path in (package / "test-types").glob("*.ts"))
    compiles = len(re.findall(r"\bis<|\bsatisfies\b", text))
    figure(f"{compiles} statements that compile, {text.count('@ts-expect-error')} that must not and do not")


def without_rules(_: str) -> str:
    files = copy.deepcopy(FILES)
    del files[RECEIPT]["allOf"]
    return types(files)


SPOILT: dict[str, tuple[Callable[[str], str], str, int]] = {
    "without the rules": (without_rules, "TS2578", 12),
    "that can be changed": (lambda text: text.replace("readonly ", ""), "TS2578", 5),
    "of any": (lambda text: text.replace("RewardMagnitude = number", "RewardMagnitude = any"), "TS2554", 3),
    "with other members": (lambda text: text.replace("readonly nonce: ", "readonly [name: string]: "), "TS2578", 2),
    "that are always complete": (lambda text: text.replace("?: ", ": "), "TS1360", 5),
}


@pytest.mark.parametrize("how", SPOILT)
def test_the_type_tests_notice_types(package: Path, tmp_path: Path, how: str) -> None:
    spoil, code, least = SPOILT[how]
    for folder in ("generated", "typescript/test-types"):
        shutil.copytree(package.parent / folder, tmp_path / folder)
    path = tmp_path / "generated" / "typescript" / "types.ts"
    text = spoil(path.read_text("utf-8"))
    assert text != path.read_text("utf-8")
    path.write_text(text, encoding="utf-8")
    done = tsc(package, "--project", tmp_path / "typescript" / "test-types")
    assert done.returncode != 0
    assert done.stdout.count(f"error {code}: ") >= least, done.stdout
