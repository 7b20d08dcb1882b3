"""The forms that a schema under schemas/ can have: the one allow-list, for the lint and for the generator.

A construct is allowed if every validator reads it alike and no emitter drops it. What a later document needs is added
here, with its proof in the tests, and to ``generate/model.py`` before it is used in a schema. ``of_shapes`` and
``of_forms`` check structure only, so that the generator can rely on it; ``lint.texts`` checks what texts say.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from lint.places import BASE, CODES, COMMON, DOCUMENTS, TABLES, UMBRELLA, Findings, Spot, quoted, repeated, schemas

EXACT = 2**53 - 1
"""The greatest integer that every JSON parser keeps."""

LINE_BREAKS = {"pattern": "[\n\r\u0085\u2028\u2029]"}
"""What a text must not match: in Python, Java, .NET and PCRE a $ also matches before a last line break."""

PROTOTYPE = frozenset(("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString"))
PROTOTYPE |= {"toString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__"}
PROTOTYPE |= {"__lookupSetter__"}
"""What every JavaScript object inherits: ajv takes such a member for given."""

SNAKE_CASE = r"[a-z][a-z0-9]*(_[a-z0-9]+)*"
BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


@dataclass(frozen=True)
class Form:
    """Keywords that give one meaning together."""

    must: frozenset[str]
    may: frozenset[str] = frozenset()


def form(must: str, may: str = "") -> Form:
    return Form(frozenset(must.split()), frozenset(may.split()))


FORMS = {
    "reference": form("$ref"),
    "nullable": form("anyOf"),
    "text": form("examples type maxLength pattern not"),
    "free text": form("type minLength maxLength"),
    "constant": form("type const"),
    "words": form("type oneOf"),
    "numbers": form("type oneOf"),
    "integer": form("type minimum maximum"),
    "number": form("type", " ".join(BOUNDS)),
    "boolean": form("type"),
    "array": form("type items maxItems", "minItems uniqueItems"),
    "record": form("type properties additionalProperties", "required"),
    "map": form("type propertyNames additionalProperties maxProperties"),
    "any object": form("type maxProperties"),
}


def form_of(schema: Any) -> str | None:
    """The form that a schema has or comes nearest to; None where it has none."""
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema:
        return "reference"
    if "anyOf" in schema:
        return "nullable"
    match schema.get("type"):
        case "string":
            by_keyword = {"const": "constant", "oneOf": "words", "minLength": "free text"}
            return next((name for word, name in by_keyword.items() if word in schema), "text")
        case "integer":
            return "numbers" if "oneOf" in schema else "integer"
        case "object":
            if "properties" in schema:
                return "record"
            return "map" if "propertyNames" in schema or "additionalProperties" in schema else "any object"
        case "number" | "boolean" | "array" as name:
            return str(name)
    return None


@dataclass(frozen=True)
class Place:
    """Somewhere that a schema can stand: the forms it can have there, and what is reported beside the form."""

    name: str
    forms: tuple[str, ...]
    notes: Form


DOCUMENT = Place("a document", ("record",), form("$schema $id title description", "$defs allOf"))
DEFINITION = Place(
    "a definition",
    ("text", "free text", "constant", "words", "numbers", "integer", "number", "nullable", "array", "record"),
    form("title description"),
)
PROPERTY = Place(
    "a property",
    ("reference", "nullable", "constant", "boolean", "array", "map", "any object"),
    form("description", "default"),
)
MEMBER = Place("a member of an array, a map or an alternative", ("reference",), form(""))

A_RULE = "generators drop it; write a rule, an if and then in the allOf of a document"
REASONS = {
    "allOf": "generators drop what it requires; write the members in one place",
    "contains": "generators drop it; leave it out",
    "dependentRequired": A_RULE,
    "dependentSchemas": A_RULE,
    "else": A_RULE,
    "enum": "generators give its members no names; write type, and oneOf of const and description",
    "format": "some validators assert it, and generators make another type of the text; say it in pattern",
    "if": A_RULE,
    "minLength": "say it in pattern, or leave the pattern out where any text will do",
    "multipleOf": "validators differ on decimals and on large integers; leave it out",
    "not": "generators drop it; it may only keep line breaks out of a text",
    "oneOf": "generators drop that only one may match; it may only list constants",
    "patternProperties": "generators drop its bounds; write propertyNames and additionalProperties",
    "prefixItems": "generators drop it; write an object with named members",
    "then": A_RULE,
    "title": "generators make a class of it; only files, definitions, rules and listed integers have one",
}
"""Why a keyword is refused where no form has it, and what to write instead."""


def has_keywords(spot: Spot, name: str, *forms: Form) -> Findings:
    """A schema has the keywords of the forms together, and says in words what it is."""
    if not isinstance(spot.value, dict):
        yield spot.says(f"is {quoted(spot.value)}; {name} must be an object.")
        return
    must = frozenset[str]().union(*(part.must for part in forms))
    may = must.union(*(part.may for part in forms))
    for word in sorted(must - spot.value.keys()):
        yield spot.says(f"lacks {word}; {name} must have it.")
    for word in sorted(spot.value.keys() - may):
        reason = REASONS.get(word, f"only {', '.join(sorted(may))} are allowed here")
        yield spot.says(f"has {word}, which {name} must not have: {reason}.")
    if spot.value.get("title") == "":
        yield spot.says("has an empty title; name it.")


def has_form(spot: Spot, place: Place) -> Findings:
    """A schema has a form that its place allows, and no keyword beside it."""
    name = form_of(spot.value)
    if name not in place.forms:
        expected = place.notes.must | place.notes.may
        expected |= FORMS[name].must | FORMS[name].may if name else frozenset()
        found = f"is of the form {name}" if name else f"has no known form: {quoted(spot.value)}"
        wanted = f"{place.name} must be of the form {' or '.join(place.forms)}"
        given = frozenset(spot.value) if isinstance(spot.value, dict) else frozenset[str]()
        reasons = [f"; {word}: {REASONS[word]}" for word in sorted(given - expected) if word in REASONS]
        yield spot.says(f"{found}; {wanted}{''.join(reasons)}.")
        return
    wrong = list(has_keywords(spot, f"{place.name} of the form {name}", FORMS[name], place.notes))
    yield from wrong
    if not wrong and name in _CONTENT:
        yield from _CONTENT[name](spot)


def _reference(spot: Spot) -> Findings:
    ref = spot.value["$ref"]
    if not re.fullmatch(r"([a-z-]+\.schema\.json)?#/\$defs/[A-Za-z0-9]+", ref):
        yield spot.says(f"refers to {quoted(ref)}; it must be FILE#/$defs/NAME, or #/$defs/NAME in the same file.")
    yield from _default(spot)


def _nullable(spot: Spot) -> Findings:
    options = spot.value["anyOf"]
    if len(options) != 2 or options[1] != {"type": "null"}:
        yield spot.says(f"has anyOf {quoted(options)}; it must hold a reference, then the type null.")
    else:
        yield from has_form(spot.into("anyOf", 0), MEMBER)
    yield from _default(spot)


def _constant(spot: Spot) -> Findings:
    if type(spot.value["const"]) is not str:
        yield spot.says(f"has const {quoted(spot.value['const'])}; it must be a text.")
    yield from _default(spot)


def _text(spot: Spot) -> Findings:
    if spot.value["not"] != LINE_BREAKS:
        yield spot.says(
            f"has not {quoted(spot.value['not'])}; it may only keep line breaks out: {quoted(LINE_BREAKS)}."
        )
    if (wrong := wrong_in_pattern(spot.value["pattern"])) is not None:
        yield spot.says(f"has a pattern with {wrong}.")
        return
    examples = spot.value["examples"]
    if not isinstance(examples, list) or len(examples) != 1 or not isinstance(examples[0], str):
        yield spot.says(f"has examples {quoted(examples)}; it must be an array of one text, which messages show.")
    elif not re.search(spot.value["pattern"], examples[0]) or len(examples[0]) > spot.value["maxLength"]:
        yield spot.says(f"has the example {quoted(examples[0])}, which the type does not accept; correct one of them.")


_TOKEN = re.compile(
    r"(?P<atom>[A-Za-z0-9:=_/-]|\[(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9+/:._])+-?\])"
    r"|(?P<open>\((?!\?))|(?P<close>\))|(?P<or>\|)|(?P<repeat>\?|\{[0-9]+(?:,[0-9]+)?\})"
)


def wrong_in_pattern(pattern: str) -> str | None:
    r"""What a pattern holds beside literals, ASCII classes, groups, alternatives in groups, and counted repeats.

    So it has no \d, \w, \s, \b, dot, negated class, lookaround, back-reference, flag or endless repeat.
    """
    if not (pattern.startswith("^") and pattern.endswith("$")):
        return "no ^ at its start or no $ at its end; it must match the whole text"
    at, end, depth, repeatable = 1, len(pattern) - 1, 0, False
    while at < end:
        token = _TOKEN.match(pattern, at, end)
        if token is None:
            allowed = "write literals, ASCII classes such as [0-9], groups and counted repeats"
            return (
                f"{quoted(pattern[at : at + 3])} at character {at + 1}, which engines can read differently; {allowed}"
            )
        kind = token.lastgroup
        if kind == "or" and depth == 0:
            return f"an alternative outside a group at character {at + 1}, where ^ and $ bind one side each; group it"
        if kind == "repeat" and not repeatable:
            return f"a repeat of nothing, or of a repeat, at character {at + 1}; engines can read it differently"
        depth += (kind == "open") - (kind == "close")
        repeatable = kind in ("atom", "close")
        at = token.end()
    try:
        re.compile(pattern)
    except re.error as error:
        return f"a fault: {error}"
    return None


def _words_listed(spot: Spot) -> Findings:
    wrong = list(_listed(spot, form("const description")))
    yield from wrong
    for option in [] if wrong else spot.value["oneOf"]:
        const = option["const"]
        if type(const) is not str or not re.fullmatch(SNAKE_CASE, const) or const in PROTOTYPE:
            yield spot.says(
                f"lists const {quoted(const)}; it must be a word in snake_case, and none of Object.prototype."
            )


def _numbers_listed(spot: Spot) -> Findings:
    wrong = list(_listed(spot, form("title const description")))
    yield from wrong
    for option in [] if wrong else spot.value["oneOf"]:
        if type(option["const"]) is not int or abs(option["const"]) > EXACT:
            yield spot.says(f"lists const {quoted(option['const'])}; it must be an integer within 2^53.")
        if not re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*", option["title"]):
            yield spot.says(f"lists title {quoted(option['title'])}; it must be in capitals, as the enum's member.")


def _listed(spot: Spot, member: Form) -> Findings:
    """Constants under oneOf say what they mean, and are told apart by value and by name."""
    options = [spot.into("oneOf", index) for index in range(len(spot.value["oneOf"]))]
    wrong = [line for option in options for line in has_keywords(option, "a listed constant", member)]
    yield from wrong
    for name in sorted(member.must - {"description"}) if not wrong else ():
        for value in repeated([quoted(option.value[name]) for option in options]):
            yield spot.says(f"lists {name} {value} twice, and oneOf then accepts neither; keep one.")


def _integer(spot: Spot) -> Findings:
    for bound in ("minimum", "maximum"):
        if type(spot.value[bound]) is not int or abs(spot.value[bound]) > EXACT:
            yield spot.says(f"has {bound} {quoted(spot.value[bound])}; it must be an integer within 2^53.")


def _number(spot: Spot) -> Findings:
    if not any(bound in spot.value for bound in BOUNDS):
        return  # any double: strict text has no other number
    for bounds in (BOUNDS[:2], BOUNDS[2:]):
        given = [spot.value[bound] for bound in bounds if bound in spot.value]
        if len(given) != 1:
            yield spot.says(f"has {len(given)} of {' and '.join(bounds)}; give one.")
        elif not _is_double(given[0]):
            yield spot.says(f"has the bound {quoted(given[0])}; it must be a double, or an integer within 2^53.")


def _is_double(bound: float) -> bool:
    return abs(bound) <= EXACT if type(bound) is int else math.isfinite(bound)


def _free_text(spot: Spot) -> Findings:
    for bound in ("minLength", "maxLength"):
        if type(spot.value[bound]) is not int or spot.value[bound] < 1:
            yield spot.says(f"has {bound} {quoted(spot.value[bound])}; it must be an integer, at least 1.")


def _array(spot: Spot) -> Findings:
    yield from has_form(spot.into("items"), MEMBER)
    if spot.value.get("uniqueItems", True) is not True:
        yield spot.says("has uniqueItems false; leave it out.")
    if spot.value.get("default", []) != []:
        yield spot.says("has a default with items, which generated objects can share; require the member, or write [].")


def _map(spot: Spot) -> Findings:
    yield from has_form(spot.into("propertyNames"), MEMBER)
    yield from has_form(spot.into("additionalProperties"), MEMBER)
    yield from _default(spot)


def _record(spot: Spot) -> Findings:
    schema = spot.value
    if schema["additionalProperties"] is not False:
        yield spot.says("has additionalProperties other than false; an object must refuse what it does not know.")
    required = schema.get("required", [])
    for name in required:
        if name not in schema["properties"]:
            yield spot.says(f"requires {quoted(name)}, which it does not declare; declare it, or correct the name.")
    for name, value in schema["properties"].items():
        member = spot.into("properties", name)
        if (wrong := wrong_in_name(name)) is not None:
            yield member.says(f"has a name that {wrong}; give the member another.")
        wrong_form = list(has_form(member, PROPERTY))
        yield from wrong_form
        if not wrong_form and name in required and "default" in value:
            yield member.says("is required and has a default, which is then never used; keep one of them.")


def _default(spot: Spot) -> Findings:
    default = spot.value.get("default")
    if isinstance(default, list) or (isinstance(default, dict) and default):
        yield spot.says(
            f"has default {quoted(default)}; it must be a scalar or an empty object, which nobody can change."
        )


def wrong_in_name(name: str) -> str | None:
    """What keeps a member from having one name in every language."""
    if name in PROTOTYPE:
        return "every JavaScript object inherits, so that ajv takes it for given"
    if not re.fullmatch(SNAKE_CASE, name):
        return "is not in snake_case: some languages must rename it, and two names can then fall together"
    if keyword.iskeyword(name):
        return "is a keyword of Python"
    return None


_CONTENT: dict[str, Callable[[Spot], Findings]] = {
    "reference": _reference,
    "nullable": _nullable,
    "constant": _constant,
    "text": _text,
    "free text": _free_text,
    "words": _words_listed,
    "numbers": _numbers_listed,
    "integer": _integer,
    "number": _number,
    "array": _array,
    "map": _map,
    "any object": _default,
    "record": _record,
}


# Rules: branches of the allOf of a document, and the only place for if, then, else, and for a const or an enum alone.

RULE = form("title description if then", "else")
TESTS = (form("const"), form("enum"))
DEMANDS = (
    *TESTS,
    form("type"),
    *(form(f"type {word}") for word in ("minProperties", "maxProperties", *BOUNDS)),
)


def is_rule(spot: Spot, kind: str) -> Findings:
    """A branch is an if and then, with the rule's id as title and its sentence as description."""
    wrong = list(has_keywords(spot, "a rule", RULE))
    yield from wrong
    if not wrong:
        if not re.fullmatch(rf"{kind}\.[a-z]+(-[a-z]+)*", spot.value["title"]):
            yield spot.says(
                f"has title {quoted(spot.value['title'])}; it must be an id of the form {kind}.what-it-says."
            )
        yield from _conditional(spot)


def _conditional(spot: Spot, member: str | None = None) -> Findings:
    condition = spot.into("if")
    wrong = list(_half_of_rule(condition, TESTS))
    yield from wrong
    if not wrong:
        asked = list(condition.value["properties"])
        if len(asked) != 1 or member not in (None, *asked):
            expected = "one member" if member is None else f"{member}, as the condition before it does"
            yield condition.says(f"asks about {', '.join(asked) or 'nothing'}; it must ask about {expected}.")
            return
        member = asked[0]
        if condition.value.get("required") != asked:
            yield condition.says(f"must have required {quoted(asked)}; else a document without the member meets it.")
    yield from _half_of_rule(spot.into("then"), DEMANDS)
    if "else" in spot.value:
        # A bare else would also check a document whose member is missing or malformed: a second, false finding.
        wrong = list(has_keywords(spot.into("else"), "the else of a rule", form("if then")))
        yield from wrong or _conditional(spot.into("else"), member)


def _half_of_rule(spot: Spot, forms: tuple[Form, ...]) -> Findings:
    """Half of a rule: members of the document, and what each must be."""
    wrong = list(has_keywords(spot, f"the {spot.path[-1]} of a rule", form("properties", "required")))
    yield from wrong
    for name, demand in spot.value["properties"].items() if not wrong else ():
        bounded = isinstance(demand, dict) and any(bound in demand for bound in BOUNDS)
        types = ("number", "integer", ["number", "null"]) if bounded else ("null", "string", "number", "object")
        known = isinstance(demand, dict) and any(demand.keys() == part.must for part in forms)
        if not known or demand.get("type", types[0]) not in types:
            allowed = ", or ".join(" and ".join(sorted(part.must)) for part in forms)
            yield spot.into("properties", name).says(
                f"is {quoted(demand)}; it must have {allowed}, of one type or null."
            )


# codes.json and tables.json

IDS = {
    "text": r"(json|text|yaml)\.[a-z0-9]+",
    "schema": r"schema\.[a-zA-Z]+",
    "rules": rf"({'|'.join(DOCUMENTS.values())})\.[a-z]+(-[a-z]+)*",
    "warnings": r"spec\.[a-z]+(-[a-z0-9]+)*",
    "certification": r"[a-z]+(-[a-z]+)*",
    "audit": r"[a-z]+(-[a-z]+)*",
    "compose": r"compose\.[a-z]+(-[a-z]+)*",
    "trace": r"trace\.[a-z]+(-[a-z]+)*",
    "experiment": r"experiment\.[a-z]+(-[a-z]+)*",
    "calibration": r"calibration\.[a-z]+(-[a-z]+)*",
    "admission": r"(admission\.)?[a-z]+(-[a-z]+)*",
}
"""The form of the ids in each layer of codes."""

CODES_SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1},
        "description": {"type": "string"},
        "codes": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "field": {"type": "string"},
                    "layer": {"enum": list(IDS)},
                    "sentence": {"type": "string"},
                    "fix": {"type": "string"},
                    "found": {"type": "string"},
                },
                "required": ["id", "layer", "sentence", "fix"],
                "additionalProperties": False,
            },
        },
        "audit": {
            "type": "object",
            "properties": {
                "inputs": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"input": {"type": "string"}, "options": {"type": "string"}},
                        "required": ["input", "options"],
                        "additionalProperties": False,
                    },
                },
                "checks": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "code": {"type": "string"},
                            "applies_with": {"type": "array", "items": {"enum": ["certificate", "update"]}},
                            "needs": {"type": "array", "items": {"type": "string"}},
                            "signer_unknown": {"type": "string"},
                        },
                        "required": ["code", "applies_with", "needs"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["inputs", "checks"],
            "additionalProperties": False,
        },
        "keywords": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "keyword": {"type": "string"},
                    "found": {"type": "string"},
                    "form": {"type": "string"},
                },
                "required": ["keyword", "found"],
                "additionalProperties": False,
            },
        },
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"}, "text": {"type": "string"}},
                "required": ["id", "text"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["title", "description", "audit", "notes", "keywords", "codes"],
    "additionalProperties": False,
}

WORDS_SCHEMA = {"type": "array", "items": {"type": "string"}, "minItems": 1}

TABLES_SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1},
        "description": {"type": "string"},
        "scoring_classes": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "scoring_class": {"type": "string", "pattern": f"^{SNAKE_CASE}$"},
                    "description": {"type": "string"},
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
        "canonical_order": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "definition": {"type": "string"},
                    "member": {"type": "string"},
                    "by": {"type": ["string", "null"]},
                },
                "required": ["definition", "member", "by"],
                "additionalProperties": False,
            },
        },
        "limits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "pattern": "^MAX(_[A-Z]+)+$"},
                    "value": {"type": "integer", "minimum": 1},
                    "description": {"type": "string"},
                },
                "required": ["name", "value", "description"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["title", "description", "scoring_classes", "tiers", "canonical_order", "limits"],
    "additionalProperties": False,
}

_SHAPES = {CODES: CODES_SCHEMA, TABLES: TABLES_SCHEMA}


def of_shapes(files: dict[str, Any]) -> Findings:
    """codes.json and tables.json have the members that are read, and no others."""
    for file, schema in _SHAPES.items():
        for error in jsonschema_rs.Draft202012Validator(schema).iter_errors(files[file]):
            yield Spot(file, tuple(error.instance_path), None).says(f"is malformed: {error.message}.")


# The files


def of_forms(files: dict[str, Any]) -> Findings:
    """Every schema has one of the known forms, in a place for it, and says what it is."""
    for root in schemas(files):
        if root.value.get("$id") != BASE + root.file:
            yield root.says(f"has $id {quoted(root.value.get('$id'))}; it must be {BASE}{root.file}.")
        if root.file == COMMON:
            yield from has_keywords(root, "the file of shared definitions", form("$schema $id title description $defs"))
        elif root.file == UMBRELLA:
            yield from has_keywords(root, "the umbrella", form("$schema $id title description allOf oneOf"))
        else:
            yield from has_form(root, DOCUMENT)
            for index in range(len(root.value.get("allOf", ()))):
                yield from is_rule(root.into("allOf", index), DOCUMENTS[root.file])
        for name in root.value.get("$defs", {}):
            definition = root.into("$defs", name)
            wrong = list(has_form(definition, DEFINITION))
            yield from wrong
            if not wrong and definition.value["title"] != name:
                yield definition.says(f"has title {quoted(definition.value['title'])}; it must be {quoted(name)}.")
            yield from _names_a_class(definition, name)
        if root.file != COMMON:
            yield from _names_a_class(root, root.value.get("title", ""))


def _names_a_class(spot: Spot, name: str) -> Findings:
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name) or keyword.iskeyword(name):
        yield spot.says(
            f"has the name {quoted(name)}, which cannot be a class's; write letters and digits, the first a capital."
        )
