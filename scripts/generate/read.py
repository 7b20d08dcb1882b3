"""Reads the files under schemas/, once, into the intermediate model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lint.files import of_files
from lint.forms import form_of, of_forms, of_shapes
from lint.places import BASE, CODES, COMMON, SCHEMA_FILES, TABLES, UMBRELLA, Spot, schemas, subschemas, target

from generate.model import (
    ABSENT,
    AnyObject,
    Array,
    Audit,
    AuditCheck,
    Boolean,
    Bounds,
    CanonicalOrder,
    Case,
    Code,
    Constant,
    Default,
    Definition,
    Demand,
    Document,
    FreeText,
    Integer,
    Integers,
    Keyword,
    Limit,
    ListedInteger,
    Map,
    Member,
    Model,
    Nullable,
    Number,
    Record,
    Reference,
    Rule,
    Scalar,
    ScoringClass,
    Tables,
    Text,
    Type,
    Umbrella,
    Word,
    Words,
)

MINIMUM_TIER_RULE = "receipt.certified-tier"


class Refused(Exception):
    """The files under schemas/ are not as the generator needs them. One line for each finding."""


def read(folder: Path) -> Model:
    """The model of the files in a folder. Raises Refused, also for a file that is not JSON."""
    files = {}
    for path in sorted(folder.glob("*.json")):
        try:
            files[path.name] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise Refused(f"schemas/{path.name}: is not JSON: {error}") from None
    return model_of(files)


def model_of(files: dict[str, Any]) -> Model:
    """The model of parsed files, given by name. Raises Refused."""
    for stage in (of_files, of_shapes, of_forms, _references):
        if findings := list(stage(files)):
            raise Refused("\n".join(findings))
    definitions = {}
    for root in schemas(files):
        for name in root.value.get("$defs", {}):
            definitions[name] = _definition(root.into("$defs", name))
        if root.file not in (COMMON, UMBRELLA):
            definitions[root.value["title"]] = _definition(root)
    documents = tuple(
        _document(kind, Spot(file, (), files[file]), definitions, files)
        for kind, file in SCHEMA_FILES.items()
        if file not in (COMMON, UMBRELLA)
    )
    by_file = {document.definition.file: document for document in documents}
    umbrella = files[UMBRELLA]
    codes = [
        Code(rule.id, "rules", rule.sentence, "", document.definition.file)
        for document in documents
        for rule in document.rules
    ]
    return Model(
        documents=documents,
        umbrella=Umbrella(
            umbrella["title"],
            umbrella["description"],
            umbrella["allOf"][0]["properties"]["schema_version"]["description"],
            tuple(by_file[each["$ref"]] for each in umbrella["oneOf"]),
        ),
        definitions=definitions,
        codes=(*codes, *_codes(files)),
        keywords=tuple(Keyword(**each) for each in files[CODES]["keywords"]),
        notes={each["id"]: each["text"] for each in files[CODES]["notes"]},
        audit=_audit(files[CODES]["audit"]),
        tables=_tables(files, documents, definitions),
    )


def _references(files: dict[str, Any]) -> Iterator[str]:
    """References lead to a definition, no name is defined twice, and no definition uses itself."""
    uses: dict[str, set[str]] = {}
    for root in schemas(files):
        for name in (*root.value.get("$defs", {}), *([] if root.file in (COMMON, UMBRELLA) else [root.value["title"]])):
            spot = root.into("$defs", name) if name in root.value.get("$defs", {}) else root
            if name in uses:
                yield spot.says(f"defines {name}, which another place defines too; rename one of them.")
            here = Spot(spot.file, spot.path, {key: value for key, value in spot.value.items() if key != "$defs"})
            uses[name] = set()
            for each in subschemas(here):
                if "$ref" in each.value:
                    file, to = target(each)
                    uses[name].add(to)
                    if to not in files.get(file, {}).get("$defs", {}):
                        yield each.says(f"refers to {each.value['$ref']}, and nothing is there; correct it.")
    open_ = {name for name, used in uses.items() if used}
    while closed := {name for name in open_ if not uses[name] & open_}:
        open_ -= closed
    for name in sorted(open_):
        yield f"schemas/: {name} uses itself, directly or through {', '.join(sorted(open_))}; take a member out."


def _definition(spot: Spot) -> Definition:
    name = spot.value.get("title", "")
    return Definition(name, spot.value["description"], _type(spot), spot.file)


def _type(spot: Spot) -> Type:
    schema = spot.value
    match form_of(schema):
        case "reference":
            return _reference(spot)
        case "nullable":
            return Nullable(_reference(spot.into("anyOf", 0)))
        case "text":
            return Text(schema["maxLength"], schema["pattern"], schema["examples"][0])
        case "free text":
            return FreeText(schema["minLength"], schema["maxLength"])
        case "constant":
            return Constant(schema["const"])
        case "words":
            return Words(tuple(Word(each["const"], each["description"]) for each in schema["oneOf"]))
        case "numbers":
            listed = (ListedInteger(each["const"], each["title"], each["description"]) for each in schema["oneOf"])
            return Integers(tuple(listed))
        case "integer":
            return Integer(schema["minimum"], schema["maximum"])
        case "number":
            return Number(_bounds(schema))
        case "boolean":
            return Boolean()
        case "array":
            least, unique = schema.get("minItems", 0), schema.get("uniqueItems", False)
            return Array(_reference(spot.into("items")), least, schema["maxItems"], unique)
        case "map":
            names, values = (_reference(spot.into(word)) for word in ("propertyNames", "additionalProperties"))
            return Map(names, values, schema["maxProperties"])
        case "any object":
            return AnyObject(schema["maxProperties"])
        case "record":
            required = schema.get("required", ())
            members = (_member(spot.into("properties", name), name in required) for name in schema["properties"])
            return Record(tuple(members))
        case other:  # forms.py has a form that is not known here
            raise Refused(spot.says(f"is of the form {other}, which generate/read.py does not know; add it there."))


def _reference(spot: Spot) -> Reference:
    return Reference(target(spot)[1])


def _bounds(schema: Any) -> Bounds:
    words = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
    return Bounds(*(schema.get(word) for word in words))


def _member(spot: Spot, required: bool) -> Member:
    type_ = _type(spot)
    assert not isinstance(type_, Text | FreeText | Words | Integers | Integer | Number | Record)  # forms.PROPERTY
    default = _default(spot.value["default"]) if "default" in spot.value else ABSENT
    return Member(str(spot.path[-1]), type_, spot.value["description"], required, default)


def _default(value: Any) -> Default:
    return () if isinstance(value, list) else value  # forms.py allows [], {} and scalars


def _document(kind: str, root: Spot, definitions: dict[str, Definition], files: dict[str, Any]) -> Document:
    definition = definitions[root.value["title"]]
    record = definition.type
    assert isinstance(record, Record)  # forms.DOCUMENT
    version = record.by_name["schema_version"].type if "schema_version" in record.by_name else None
    if not isinstance(version, Constant):
        raise Refused(root.says("must have a schema_version that is a constant; write it."))
    return Document(
        kind=kind,
        schema_version=version.value,
        id=BASE + root.file,
        definition=definition,
        record=record,
        rules=tuple(_rule(rule, record, definitions) for rule in root.each("allOf")),
        rules_beyond=tuple(code for code in _codes(files) if code.layer == "rules" and code.id.startswith(f"{kind}.")),
    )


def _rule(spot: Spot, record: Record, definitions: dict[str, Definition]) -> Rule:
    cases = tuple(_cases(spot, record))
    (member,) = spot.value["if"]["properties"]
    asked = record.by_name.get(member)
    type_ = definitions[asked.type.name].type if asked and isinstance(asked.type, Reference) else asked and asked.type
    if asked is None or not asked.required or not isinstance(type_, Words | Integers | Boolean):
        raise Refused(
            spot.into("if").says(f"asks about {member}; it must ask about a required member of a few listed values.")
        )
    return Rule(spot.value["title"], spot.value["description"], member, cases)


def _cases(spot: Spot, record: Record) -> Iterator[Case]:
    (asked,) = spot.value["if"]["properties"].values()
    then = spot.into("then")
    required = then.value.get("required", ())
    for name in (*then.value["properties"], *required):
        if name not in record.by_name:
            raise Refused(then.says(f"names {name}, and the document has no such member; correct it."))
    demands = {name: _demand(name, schema, name in required) for name, schema in then.value["properties"].items()}
    for name in required:
        demands.setdefault(name, Demand(name, required=True))
    yield Case(_listed(asked), tuple(demands.values()))
    if "else" in spot.value:
        yield from _cases(spot.into("else"), record)


def _listed(schema: Any) -> tuple[Scalar, ...]:
    if "const" in schema:
        return (schema["const"],)
    return tuple(schema.get("enum", ()))


def _demand(name: str, schema: Any, required: bool) -> Demand:
    types = schema.get("type", [])
    return Demand(
        member=name,
        required=required,
        values=_listed(schema),
        types=(types,) if isinstance(types, str) else tuple(types),
        bounds=_bounds(schema),
        min_members=schema.get("minProperties"),
        max_members=schema.get("maxProperties"),
    )


def _codes(files: dict[str, Any]) -> list[Code]:
    return [Code(**entry, source=CODES) for entry in files[CODES]["codes"]]


def _audit(audit: Any) -> Audit:
    checks = (
        AuditCheck(each["code"], tuple(each["applies_with"]), tuple(each["needs"]), each.get("signer_unknown"))
        for each in audit["checks"]
    )
    return Audit({each["input"]: each["options"] for each in audit["inputs"]}, tuple(checks))


def _tables(files: dict[str, Any], documents: tuple[Document, ...], definitions: dict[str, Definition]) -> Tables:
    tables = files[TABLES]
    update = definitions["PolicyUpdate"].type
    assert isinstance(update, Integer)
    rule = next(rule for document in documents for rule in document.rules if rule.id == MINIMUM_TIER_RULE)
    return Tables(
        scoring_classes=tuple(
            ScoringClass(each["scoring_class"], each["description"], tuple(each["outcomes"]))
            for each in tables["scoring_classes"]
        ),
        tier_of_channel={channel: each["tier"] for each in tables["tiers"] for channel in each["channels"]},
        certified_minimum_tier=min(tier for tier in rule.cases[0].demands[0].values if isinstance(tier, int)),
        canonical_order=tuple(CanonicalOrder(**each) for each in tables["canonical_order"]),
        limits=(
            Limit("MAX_POLICY_UPDATE", update.maximum, "The greatest number of a policy update."),
            *(Limit(**each) for each in tables["limits"]),
        ),
    )
