"""Lints schemas/: what stands there is read alike by every validator, survives every generator, and fits together.

python scripts/lint_schemas.py      exit 0 where nothing is wrong, 1 with a line for each finding
"""

from __future__ import annotations

import json
import re
import string
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath
from typing import Any

import jsonschema
import jsonschema_rs
from reward_receipts.catalogue import CODES_FILE as CODES
from reward_receipts.catalogue import SCHEMA_FILES
from reward_receipts.catalogue import TABLES_FILE as TABLES
from reward_receipts.findings import InvalidText, Path, json_pointer, shown
from reward_receipts.shape import KINDS
from reward_receipts.text import read_json
from schema_forms import (
    DEFINITION,
    DOCUMENT,
    SNAKE_CASE,
    Findings,
    Spot,
    form,
    form_of,
    has_keywords,
    is_rule,
    repeated,
    stands,
)

SCHEMAS = FilePath(__file__).resolve().parent.parent / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://reward-receipts.example/schemas/v1/"
COMMON = SCHEMA_FILES["common"]
UMBRELLA = SCHEMA_FILES["document"]
DOCUMENTS = {file: kind for kind, file in SCHEMA_FILES.items() if file not in (COMMON, UMBRELLA)}
IN_UMBRELLA = [file for file, kind in DOCUMENTS.items() if kind in KINDS]

IDS = {
    "text": r"(json|yaml)\.[a-z0-9]+",
    "schema": r"schema\.[a-zA-Z]+",
    "rules": rf"({'|'.join(DOCUMENTS.values())})\.[a-z]+(-[a-z]+)*",
    "warnings": r"spec\.[a-z]+(-[a-z0-9]+)*",
    "certification": r"[a-z]+(-[a-z]+)*",
    "audit": r"[a-z]+(-[a-z]+)*",
    "compose": r"compose\.[a-z]+(-[a-z]+)*",
    "trace": r"trace\.[a-z]+(-[a-z]+)*",
    "admission": r"[a-z]+(-[a-z]+)*",
}
"""The form of the ids in each layer of codes."""

CODES_SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1},
        "description": {"type": "string", "pattern": r"\.$"},
        "codes": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "field": {"type": "string"},
                    "layer": {"enum": list(IDS)},
                    "sentence": {"type": "string", "pattern": r"[.}]$"},
                    "fix": {"type": "string", "pattern": r"\.$"},
                },
                "required": ["id", "layer", "sentence", "fix"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["title", "description", "codes"],
    "additionalProperties": False,
}

WORDS_SCHEMA = {"type": "array", "items": {"type": "string"}, "minItems": 1}
TABLES_SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1},
        "description": {"type": "string", "pattern": r"\.$"},
        "scoring_classes": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "scoring_class": {"type": "string", "pattern": f"^{SNAKE_CASE}$"},
                    "description": {"type": "string", "pattern": r"\.$"},
                    "outcomes": WORDS_SCHEMA,
                },
                "required": ["scoring_class", "description", "outcomes"],
                "additionalProperties": False,
            },
        },
        "tiers": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"tier": {"type": "integer"}, "channels": WORDS_SCHEMA},
                "required": ["tier", "channels"],
                "additionalProperties": False,
            },
        },
        "text_limits": {
            "type": "object",
            "properties": {
                "bytes": {"type": "integer", "minimum": 1},
                "open_containers": {"type": "integer", "minimum": 1},
            },
            "required": ["bytes", "open_containers"],
            "additionalProperties": False,
        },
    },
    "required": ["title", "description", "scoring_classes", "tiers", "text_limits"],
    "additionalProperties": False,
}

SHAPES = {CODES: CODES_SCHEMA, TABLES: TABLES_SCHEMA}
"""The files that are no schemas, and their own."""


def main() -> int:
    files, findings = {}, []
    for path in sorted(SCHEMAS.glob("*.json")):
        try:
            files[path.name] = read_json(path.read_bytes())
        except InvalidText as error:
            findings.append(f"schemas/{path.name}:{error.findings[0]}")
    findings = findings or lint(files)
    for line in findings:
        print(line)
    print(f"{len(files)} files under schemas/, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


def lint(files: dict[str, Any]) -> list[str]:
    """What is wrong with the content of schemas/, given by file name.

    A line for each finding: ``schemas/FILE:/json/pointer``, what is wrong there, and what to write instead.
    A later stage presumes what the ones before it have found to be so, and does not run where they found a fault.
    """
    for stage in (of_files, of_forms, of_names, of_meaning):
        if findings := list(stage(files)):
            return findings
    return []


def of_files(files: dict[str, Any]) -> Findings:
    """The files are those that the package reads, and each is valid against its metaschema."""
    expected = {*SCHEMA_FILES.values(), *SHAPES}
    for file in sorted(expected - files.keys()):
        yield Spot(file, (), None).says("is missing, and the package reads it; add it.")
    for file, content in files.items():
        root = Spot(file, (), content)
        if file not in expected:
            yield root.says("is read by nothing; enter it in catalogue.SCHEMA_FILES, or remove it.")
        elif file in SHAPES:
            for error in jsonschema.Draft202012Validator(SHAPES[file]).iter_errors(content):
                yield Spot(file, tuple(error.absolute_path), None).says(f"is malformed: {error.message}.")
        elif not isinstance(content, dict) or content.get("$schema") != DRAFT:
            yield root.says(f"is no schema of draft 2020-12; give it $schema {DRAFT}.")
        else:
            for path, message in _against_metaschema(json.dumps(content)):
                yield Spot(file, path, None).says(f"breaks the metaschema of draft 2020-12: {message}.")


@cache
def _against_metaschema(text: str) -> tuple[tuple[Path, str], ...]:
    """Where a schema breaks its metaschema, in the eyes of two engines. Slow, so a text is judged once."""
    schema = json.loads(text)
    metaschema = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    found: dict[Path, str] = {tuple(error.absolute_path): error.message for error in metaschema.iter_errors(schema)}
    try:
        jsonschema_rs.meta.validate(schema)
    except jsonschema_rs.ValidationError as error:
        found.setdefault(tuple(error.instance_path), error.message)
    return tuple(found.items())


def of_forms(files: dict[str, Any]) -> Findings:
    """Every schema has one of the known forms, in a place for it, and says what it is."""
    for root in _schemas(files):
        if root.value.get("$id") != BASE + root.file:
            yield root.says(f"has $id {shown(root.value.get('$id'))}; it must be {BASE}{root.file}.")
        if root.file == COMMON:
            yield from has_keywords(root, "the file of shared definitions", form("$schema $id title description $defs"))
        elif root.file == UMBRELLA:
            yield from has_keywords(root, "the umbrella", form("$schema $id title description allOf oneOf"))
        else:
            yield from stands(root, DOCUMENT)
            for index in range(len(root.value.get("allOf", ()))):
                yield from is_rule(root.into("allOf", index), DOCUMENTS[root.file])
        for name in root.value.get("$defs", {}):
            definition = root.into("$defs", name)
            wrong = list(stands(definition, DEFINITION))
            yield from wrong
            if not wrong and definition.value["title"] != name:
                yield definition.says(f"has title {shown(definition.value['title'])}; it must be {shown(name)}.")
            if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
                yield definition.says("has no name for a class; write letters and digits, the first a capital.")


def of_names(files: dict[str, Any]) -> Findings:
    """Ids and names stand once over all files, references lead somewhere, codes are about something."""
    yield from _definitions(files)
    yield from _codes(files)
    yield from _tables(files)
    for file, content in files.items():
        for spot in _texts(Spot(file, (), content)):
            if re.search(r"\bcertif(ied|ication)\b", spot.value, re.IGNORECASE) and "synthetic" not in spot.value:
                yield spot.says(
                    "says certified without the word synthetic beside it; version 1 knows no other. Add it."
                )


def _definitions(files: dict[str, Any]) -> Findings:
    names = [name for root in _schemas(files) for name in (root.value["title"], *root.value.get("$defs", {}))]
    twice = repeated(names)
    referred = set()
    for root in _schemas(files):
        for spot in _subschemas(root):
            if "$ref" in spot.value:
                file, name = _target(spot)
                referred.add((file, name))
                if name not in files.get(file, {}).get("$defs", {}):
                    yield spot.says(f"refers to {shown(spot.value['$ref'])}, and nothing is there; correct it.")
    for root in _schemas(files):
        for name in root.value.get("$defs", {}):
            if name in twice:
                yield root.into("$defs", name).says("has a name that stands twice over all files; rename one of them.")
            if (root.file, name) not in referred:
                yield root.into("$defs", name).says("is referred to by nothing; remove it.")


def _codes(files: dict[str, Any]) -> Findings:
    codes = Spot(CODES, (), files[CODES]).into("codes")
    entries = [codes.into(index) for index in range(len(codes.value))]
    ids = [entry.value["id"] for entry in entries]
    rules = [rule["title"] for file in DOCUMENTS for rule in files[file].get("allOf", ())]
    for code in repeated([*rules, *ids]):
        yield codes.says(
            f"and the rules of the schemas have the id {code} twice; an id stands once. Rename or remove one."
        )
    reported = {f"schema.{word}" for root in _schemas(files) for word in _asserted(root.value)}
    for code in sorted(reported.difference(ids)):
        yield codes.says(f"has no {code}, and a schema has that keyword; add it.")
    for entry in entries:
        code, layer = entry.value["id"], entry.value["layer"]
        if not re.fullmatch(IDS[layer], code):
            yield entry.says(
                f"has id {shown(code)} in layer {layer}, where ids match {IDS[layer]}; correct one of them."
            )
        elif layer == "schema" and code not in reported:
            yield entry.says(f"has id {shown(code)}, and no schema has that keyword; remove it.")
        receipt = files[SCHEMA_FILES["receipt"]]["properties"]
        if entry.value.get("field", next(iter(receipt))) not in receipt:
            yield entry.says(f"has field {shown(entry.value['field'])}, no member of a receipt; correct it.")
        try:
            names = [name for _, name, _, _ in string.Formatter().parse(entry.value["sentence"]) if name is not None]
        except ValueError as error:
            yield entry.says(f"has a sentence with a broken placeholder: {error}; correct it.")
        else:
            for name in names:
                if not name.isidentifier():
                    yield entry.says(f"has a sentence with the placeholder {shown(name)}; it must be a name.")


def _tables(files: dict[str, Any]) -> Findings:
    """Each outcome and channel stands in its table once, and each tier is one."""
    root = Spot(TABLES, (), files[TABLES])
    words = files[COMMON]["$defs"]
    listed = {name: [each["const"] for each in words[name].get("oneOf", ())] for name in words}
    for table, member, name in (
        ("scoring_classes", "outcomes", "RewardOutcomeV1"),
        ("tiers", "channels", "OracleChannel"),
    ):
        found = [word for each in root.value[table] for word in each[member]]
        for word in sorted({*found}.symmetric_difference(listed[name])) + repeated(found):
            yield root.into(table).says(f"must have each {name} once; look at {shown(word)}.")
    tiers = [each["tier"] for each in root.value["tiers"]]
    if sorted(tiers) != sorted(listed["OracleTier"]):
        yield root.into("tiers").says(f"has the tiers {shown(tiers)}; it must have {shown(listed['OracleTier'])}.")
    for scoring in repeated([each["scoring_class"] for each in root.value["scoring_classes"]]):
        yield root.into("scoring_classes").says(f"has {shown(scoring)} twice; keep one.")


def _asserted(schema: Any) -> set[str]:
    """The keywords that a finding can name.

    A rule is named by its id instead, an alternative by the keyword around it, and what a ``not`` keeps out by the
    pattern beside it.
    """
    if not isinstance(schema, dict) or "if" in schema:
        return set()
    below = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("allOf", ())]
    below += [schema.get("items"), schema.get("additionalProperties")]
    silent = {
        "$schema",
        "$id",
        "$defs",
        "$ref",
        "title",
        "description",
        "examples",
        "default",
        "properties",
        "items",
        "allOf",
        "not",
    }
    return (schema.keys() - silent).union(*map(_asserted, below))


def of_meaning(files: dict[str, Any]) -> Findings:
    """Defaults are valid, rules can be met and let nothing slip, the kinds are told apart."""
    yield from _umbrella(files)
    registry = jsonschema_rs.Registry([(root.value["$id"], root.value) for root in _schemas(files)])
    for root in _schemas(files):
        for spot in _subschemas(root):
            default = spot.value.get("default")
            if "default" in spot.value and not _holds(spot, default, registry):
                yield spot.says(f"has default {shown(default)}, which it does not accept; correct one of them.")
            yield from _compared(spot, files)
        if root.file in DOCUMENTS:
            for index in range(len(root.value.get("allOf", ()))):
                yield from _slips(root, root.into("allOf", index), registry)


def _umbrella(files: dict[str, Any]) -> Findings:
    """The umbrella tells the kinds apart by schema_version and requires it; a kind by itself does not require it."""
    versions = []
    for file in DOCUMENTS:
        version = files[file]["properties"].get("schema_version", {})
        versions += [version.get("const")] if file in IN_UMBRELLA else []
        if version.get("const") is None or version.get("default") != version["const"]:
            yield Spot(file, ("properties", "schema_version"), None).says(
                "must be a constant and its own default; write it."
            )
    root = Spot(UMBRELLA, (), files[UMBRELLA])
    for version in repeated([shown(version) for version in versions]):
        yield root.says(f"cannot tell two kinds apart, both of schema_version {version}; change one.")
    documents = [{"$ref": file} for file in IN_UMBRELLA]
    if root.value["oneOf"] != documents:
        yield root.into("oneOf").says(f"must refer to each document once; write {shown(documents, 400)}.")
    label = {
        "type": "object",
        "properties": {"schema_version": {"type": "string", "enum": versions}},
        "required": ["schema_version"],
    }
    if [_unnoted(branch) for branch in root.value["allOf"]] != [label]:
        yield root.into("allOf").says(f"must hold one branch, which asks for the kind; write {shown(label, 400)}.")
        return
    branch = root.into("allOf", 0)
    yield from has_keywords(branch, "the branch that asks for the kind", form("title description", " ".join(label)))
    asked = branch.into("properties", "schema_version")
    yield from has_keywords(asked, "the label of a document", form("description type enum"))


def _unnoted(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {key: _unnoted(value) for key, value in schema.items() if key not in ("title", "description")}


def _compared(spot: Spot, files: dict[str, Any]) -> Findings:
    """Items that must differ and names of members are texts, which compare alike everywhere; 1, 1.0 and true do not."""
    for word, compared in (("uniqueItems", "items"), ("propertyNames", "propertyNames")):
        if word in spot.value:
            file, name = _target(spot.into(compared))
            if form_of(files[file]["$defs"][name]) not in ("text", "free text"):
                yield spot.says(f"has {word} of {name}, which is no text; validators can compare others differently.")


def _slips(root: Spot, rule: Spot, registry: jsonschema_rs.Registry) -> Findings:
    """A rule judges the completed document: a member left out counts as its default, and as wrong without one."""
    members = root.value["properties"]
    required = rule.value["then"].get("required", [])
    for half in ("if", "then"):
        for name, demand in rule.value[half]["properties"].items():
            spot = rule.into(half, "properties", name)
            if name not in members:
                yield spot.says("is no member of the document; correct the name.")
                continue
            for value in demand.get("enum", [demand["const"]] if "const" in demand else []):
                if not _holds(root.into("properties", name), value, registry):
                    yield spot.says(f"names {shown(value)}, which {name} can never be; correct it.")
            if half == "if":
                if name not in root.value.get("required", ()):
                    yield spot.says("may be left out; a rule can only ask for a member that is always given.")
                continue
            default_holds = "default" in members[name] and jsonschema_rs.is_valid(demand, members[name]["default"])
            if not default_holds and name not in required:
                yield spot.says(f"slips through where {name} is left out; name it in the required of this then.")
            if default_holds and name in required:
                yield spot.says(f"is met by the default of {name}; leave it out of the required of this then.")
    for name in required:
        if name not in rule.value["then"]["properties"]:
            yield rule.into("then").says(f"requires {shown(name)} and says nothing of it; say what it must be.")
    if "else" in rule.value:
        yield from _slips(root, rule.into("else"), registry)


def _holds(spot: Spot, value: Any, registry: jsonschema_rs.Registry) -> bool:
    here = {"$ref": f"{BASE}{spot.file}#{json_pointer(spot.path)}"}
    return jsonschema_rs.Draft202012Validator(here, registry=registry).is_valid(value)


def _schemas(files: dict[str, Any]) -> list[Spot]:
    return [Spot(file, (), files[file]) for file in SCHEMA_FILES.values()]


def _subschemas(spot: Spot) -> Iterator[Spot]:
    """A file and all schemas of a known form in it, rules and the umbrella's own branches left aside."""
    yield spot
    below: list[tuple[str | int, ...]] = []
    for word in ("properties", "$defs"):
        below += [(word, name) for name in spot.value.get(word, {})]
    below += [("anyOf", index) for index in range(len(spot.value.get("anyOf", ())))]
    for word in ("items", "propertyNames", "additionalProperties"):
        below += [(word,)] if isinstance(spot.value.get(word), dict) else []
    for steps in below:
        yield from _subschemas(spot.into(*steps))


def _texts(spot: Spot) -> Iterator[Spot]:
    """Everything that is written to be read."""
    if isinstance(spot.value, dict):
        for key, value in spot.value.items():
            if key in ("description", "sentence", "fix") and isinstance(value, str):
                yield spot.into(key)
            else:
                yield from _texts(spot.into(key))
    elif isinstance(spot.value, list):
        for index in range(len(spot.value)):
            yield from _texts(spot.into(index))


def _target(spot: Spot) -> tuple[str, str]:
    file, _, name = spot.value["$ref"].partition("#/$defs/")
    return file or spot.file, name


if __name__ == "__main__":
    sys.exit(main())
