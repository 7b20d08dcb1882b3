"""The TypeScript types: what the emitter makes of each construct, and what the compiler then knows of our documents."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from checkout import ROOT, scripts
from javascript import installed, tsc
from reward_receipts.core.codes import catalogue
from reward_receipts.core.generated import tables
from reward_receipts.core.schema_files import SCHEMA_FILES, read_schema_file

GENERATED = ROOT / "generated" / "typescript"
TYPES, CODES, TABLES = ((GENERATED / f"{name}.ts").read_text("utf-8") for name in ("types", "codes", "tables"))
FILES = {name: read_schema_file(name) for name in SCHEMA_FILES.values()}
RECEIPT = SCHEMA_FILES["receipt"]

model, read, typescript = scripts("generate", "model", "read", "typescript")
MODEL = read.model_of({path.name: json.loads(path.read_text("utf-8")) for path in (ROOT / "schemas").glob("*.json")})

TEXT = model.FreeText(1, 8)
NUMBER = model.Number(model.Bounds())
NULLABLE = model.Nullable(model.Reference("Text"))
STATES = model.Words(tuple(model.Word(word, f"{word}.") for word in ("absent", "late", "current")))
PART = model.Record((model.Member("a", model.Reference("Number"), "", required=True),))
PARTS = {"Text": TEXT, "Number": NUMBER, "Null": NULLABLE, "State": STATES, "Part": PART}


def declared(members: dict[str, Any], *rules: Any, **definitions: Any) -> str:
    """The types of a document Doc: of members that must be given, if their type comes alone, and of definitions."""
    listed = []
    for name, of in members.items():
        type_, default, description = of if isinstance(of, tuple) else (of, None, "")
        type_ = model.Reference(type_) if isinstance(type_, str) else type_
        optional = {} if default is None else {"default": default}
        listed.append(model.Member(name, type_, description, required=default is None, **optional))
    found = {**PARTS, **definitions, "Doc": model.Record(tuple(listed))}
    named = {name: model.Definition(name, "", type_, "doc.schema.json") for name, type_ in found.items()}
    doc = replace(MODEL.documents[0], definition=named["Doc"], record=found["Doc"], rules=rules)
    return typescript.types(replace(MODEL, documents=(doc,), definitions=named))


def rule(*cases: tuple[tuple[Any, ...], str]) -> Any:
    """A rule that demands a JSON type of ref for values of state."""
    demanded = [
        model.Case(values, (model.Demand("ref", required=type_ != "null", types=(type_,)),)) for values, type_ in cases
    ]
    return model.Rule("doc.ref", "A sentence.", "state", tuple(demanded))


# A construct: its types, TypeScript values that Doc must take, and values that it must not take.
REF = {"state": "State", "ref": NULLABLE}
ENDS_A_COMMENT = {"a": ("Text", None, "ends */ here; drop")}
HANDLED: dict[str, tuple[str, list[str], list[str]]] = {
    "left out is not null": (
        declared({"note": ("Text", model.ABSENT, "")}),
        ["{}", '{ note: "x" }'],
        ["{ note: null }", "{ note: undefined }"],
    ),
    "listed integers": (
        declared(
            {"tier": "Tier"}, Tier=model.Integers(tuple(model.ListedInteger(n, f"T{n}", "") for n in (0, 1, 2, 3)))
        ),
        ["{ tier: 2 }"],
        ["{ tier: 4 }", "{ tier: true }", '{ tier: "2" }'],
    ),
    "what can be null": (
        declared({"e": model.Nullable(model.Reference("State"))}),
        ['{ e: "late" }', "{ e: null }"],
        ['{ e: "b" }', "{ e: undefined }", "{}"],
    ),
    "words": (declared({"e": "State"}), ['{ e: "late" }', '{ e: "absent" }'], ['{ e: "c" }', "{ e: null }"]),
    "a constant": (declared({"e": model.Constant("a")}), ['{ e: "a" }'], ['{ e: "c" }', "{}"]),
    "a closed object": (declared({"a": "Text"}), ['{ a: "x" }'], ['{ a: "x", zz: 1 }', "{}"]),
    "a reference": (
        declared({"p": ("Part", None, "x"), "q": "Part"}),
        ["{ p: { a: 1 }, q: { a: 2 } }"],
        ["{ p: {}, q: { a: 1 } }", "{ p: { a: 1 }, q: { a: 1, b: 1 } }"],
    ),
    "a rule": (
        declared(REF, rule((("current",), "string"), (("absent", "late"), "null"))),
        ['{ state: "current", ref: "x" }', '{ state: "absent", ref: null }', '{ state: "late", ref: null }'],
        ['{ state: "current", ref: null }', '{ state: "absent", ref: "x" }', '{ state: "other", ref: null }'],
    ),
    "a rule whose second case has a value of the first": (
        declared(REF, rule((("current",), "string"), (("late", "current"), "null"))),
        ['{ state: "current", ref: "x" }', '{ state: "late", ref: null }', '{ state: "absent", ref: "x" }'],
        ['{ state: "current", ref: null }', '{ state: "late", ref: "x" }'],
    ),
    "a description that ends a comment": (declared(ENDS_A_COMMENT), ['{ a: "x" }'], ["{ a: 1 }", "{}"]),
    "an array": (
        declared({"t": model.Array(model.Reference("Text"), 0, 9, unique=True)}),
        ["{ t: [] }", '{ t: ["a"] }'],
        ["{ t: new Set<string>() }", "{ t: [1] }", '{ t: "a" }'],
    ),
    "an array of a fixed length": (
        declared({"t": model.Array(model.Reference("Null"), 2, 2, unique=False)}),
        ['{ t: ["a", null] }'],
        ["{ t: [null] }", "{ t: [1, null] }", "{ t: null }"],
    ),
    "a map": (
        declared({"m": model.Map(model.Reference("Text"), model.Reference("Number"), 9)}),
        ["{ m: {} }", "{ m: { a: 1 } }"],
        ['{ m: { a: "1" } }', '{ m: ["a"] }', "{ m: null }"],
    ),
}


def test_the_compiler_takes_what_each_construct_allows_and_nothing_else(
    package: Path, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    for number, (declarations, good, bad) in enumerate(HANDLED.values()):
        lines = [declarations]
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
    assert re.findall(r"type (P\w*) =", HANDLED["a reference"][0]) == ["Part"]


def test_a_description_cannot_end_its_comment() -> None:
    assert "/** ends *\\/ here; drop */" in HANDLED["a description that ends a comment"][0]


def test_every_case_of_a_rule_is_in_the_types_once() -> None:
    text = declared(REF, rule((("current",), "string"), (("absent", "late"), "null")))
    assert text.count('readonly state: "absent" | "late";') == text.count('readonly state: "current";') == 1
    assert text.count("/** doc.ref: A sentence. */") == 2


# The generated files


def test_the_types_are_those_of_the_schemas() -> None:
    assert TYPES.endswith(typescript.types(MODEL))


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
    plain_json = re.compile(r"export type PlainJson =.*?;\n.*?;\n", re.DOTALL)  # the one type of any JSON
    assert plain_json.search(code)
    code = plain_json.sub("", code)
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
    rules = {entry["id"]: text for entry in wanted if (text := entry.pop("found"))}
    found = literal(CODES, "CODES")
    assert [{"id": code, **entry} for code, entry in found.items()] == wanted
    assert literal(CODES, "RULE_FOUND") == rules
    assert literal(CODES, "KEYWORD_FOUND") == {each.keyword: each.found for each in MODEL.keywords}
    assert literal(CODES, "NOTES") == MODEL.notes


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


def test_anything_that_must_compile_compiles_and_what_must_not_does_not(
    package: Path, figure: Callable[[str], None]
) -> None:
    done = tsc(package, "--project", "test-types")
    assert (done.returncode, done.stdout) == (0, "")
    text = "".join(path.read_text("utf-8") for path in (package / "test-types").glob("*.ts"))
    compiles = len(re.findall(r"\bis<|\bsatisfies\b", text))
    figure(f"{compiles} statements that compile, {text.count('@ts-expect-error')} that must not and do not")


def without_rules(_: str) -> str:
    documents = tuple(replace(document, rules=()) for document in MODEL.documents)
    return typescript.types(replace(MODEL, documents=documents))


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
