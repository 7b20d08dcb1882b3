"""The schemas: their lint, what their constructs mean to every reader, the umbrella, and the bundles."""

from __future__ import annotations

import ast
import copy
import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from checkout import ROOT, scripts
from field import WORKED, plain
from pydantic import ValidationError
from random_documents import document
from referencing import Registry, Resource
from reward_data import REWARD_DATA
from reward_receipts.core.schema_files import SCHEMA_FILES
from reward_receipts.core.strict_json import read_json
from reward_receipts.documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from reward_receipts.validation.bundle import BUNDLES, bundle
from reward_receipts.validation.schemas import DATA_KINDS, schema_of

lint, places = scripts("lint", "command", "places")

FILES = {path.name: read_json(path.read_bytes()) for path in (ROOT / "schemas").glob("*.json")}
SHORT = {**SCHEMA_FILES, "codes": "codes.json", "tables": "tables.json", "other": "other.schema.json"}
MODELS = {"contract": RewardContractV1, "certificate": RewardCertificateV1, "receipt": RewardEvidenceReceiptV1}
GONE = object()


def altered(value: Any, pointer: str, new: Any) -> Any:
    """A copy with another value at a JSON pointer; GONE takes the member away, ``-`` adds to an array."""
    if not pointer:
        return new
    value = copy.deepcopy(value)
    *steps, last = pointer[1:].split("/")
    holder = value
    for step in steps:
        holder = holder[int(step) if isinstance(holder, list) else step]
    if new is GONE:
        del holder[last]
    elif last == "-":
        holder.append(new)
    else:
        holder[int(last) if isinstance(holder, list) else last] = new
    return value


# The lint


def test_the_schemas_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert lint.main() == 0
    assert capsys.readouterr().out == ""


def test_a_finding_is_a_line_with_its_place_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "SCHEMAS", tmp_path)
    for file, content in FILES.items():
        (tmp_path / file).write_text(json.dumps(content))
    common = altered(FILES["common.schema.json"], "/$defs/Name/maxLength", GONE)
    (tmp_path / "common.schema.json").write_text(json.dumps(common))
    assert lint.main() == 1
    said = capsys.readouterr().out
    assert (
        said == "schemas/common.schema.json:/$defs/Name lacks maxLength; a definition of the form text must have it.\n"
    )

    (tmp_path / "codes.json").write_text('{"title": "a", "title": "b"}')
    assert lint.main() == 1
    assert capsys.readouterr().out.startswith("schemas/codes.json:1:16 (document) json.duplicate ")


# What is changed, and into what; where the lint then finds a fault, and words of what it says. A place starts with the
# short name of its file.
Fault = tuple[str, Any, str, str]

NAME = "common/$defs/Name"
TYPE = "common/$defs/ComponentType"
SCHEMA_TYPE = "codes/codes/18"
TIER = "common/$defs/OracleTier"
STATE = "common/$defs/RewardCertificateStateV1"
PROBABILITY = "common/$defs/Probability"
UPDATE = "common/$defs/PolicyUpdate"
NONCE = "receipt/properties/nonce"
SCALAR = "receipt/properties/scalar_reward"
MAP = "receipt/properties/reward_components"
COMPONENTS = "contract/properties/components"
SCORING = "contract/$defs/RewardScoringPolicyV1/properties"
LABEL = "document/allOf/0"
CLASSES = "tables/scoring_classes"

SAID = {"description": "Something."}
RULE = {
    "title": "receipt.another-rule",
    "description": "An episode that failed is certain.",
    "if": {"properties": {"reward_outcome": {"const": "failed_platform"}}, "required": ["reward_outcome"]},
    "then": {"properties": {"uncertainty": {"const": "none"}}, "required": ["uncertainty"]},
}


def referring(to: str, **more: Any) -> dict[str, Any]:
    return {"$ref": f"common.schema.json#/$defs/{to}", **SAID, **more}


def listed(title: str, type_: str, **more: Any) -> dict[str, Any]:
    return {"title": title, **SAID, "type": type_, **more}


def asking(name: str, test: Any) -> dict[str, Any]:
    """Half of a rule."""
    return {"properties": {name: test}, "required": [name]}


def code(name: str, layer: str) -> dict[str, str]:
    return {"id": name, "layer": layer, "sentence": "It is so.", "fix": "Change it."}


def pattern(text: str, words: str = "engines can read differently") -> Fault:
    return f"{NAME}/pattern", text, NAME, words


def nonce(schema: Any, words: str) -> Fault:
    return NONCE, schema, NONCE, words


def called(name: str, words: str) -> Fault:
    return f"receipt/properties/{name}", referring("Name", default="a"), f"receipt/properties/{name}", words


def rule(at: str, new: Any, place: str, words: str) -> Fault:
    """A rule more than the receipt has, changed at a place in it."""
    return "receipt/allOf/-", altered(RULE, at, new), f"receipt/allOf/13{place}", words


FAULTS: dict[str, Fault] = {
    # files
    "a file that nothing reads": ("other", {}, "other", "is not read by anything"),
    "a file that is missing": ("certificate", GONE, "certificate", "is missing"),
    "no schema": ("receipt", [], "receipt", "not a schema of draft 2020-12"),
    "another draft": ("receipt/$schema", "http://json-schema.org/draft-07/schema#", "receipt", "draft 2020-12"),
    "what the metaschema refuses": (f"{NAME}/type", "text", f"{NAME}/type", "breaks the metaschema"),
    "a code without a fix": ("codes/codes/0/fix", GONE, "codes/codes/0", 'is malformed: "fix" is a required property'),
    "a code of no layer": ("codes/codes/0/layer", "other", "codes/codes/0/layer", "is malformed"),
    "a table without a limit": ("tables/limits/0/value", GONE, "tables/limits/0", "is malformed"),
    "a limit twice": ("tables/limits/1/name", "MAX_TEXT_BYTES", "tables/limits", "has MAX_TEXT_BYTES twice"),
    "an order of no array": ("tables/canonical_order/0/member", "task_id", "tables/canonical_order/0", "no array"),
    "an order of no definition": (
        "tables/canonical_order/0/definition",
        "Other",
        "tables/canonical_order/0",
        "no array",
    ),
    "an order by no member": ("tables/canonical_order/0/by", "size", "tables/canonical_order/0", 'sorts by "size"'),
    "an order by numbers": ("tables/canonical_order/0/by", "weight", "tables/canonical_order/0", "is not a text"),
    "a check of no code": ("codes/audit/checks/1/code", "other", "codes/audit", '"other", which is not the id'),
    "a check twice": ("codes/audit/checks/1/code", "scalar-differs-from-contract", "codes/audit", "twice"),
    "a code without a check": ("codes/audit/checks", [], "codes/audit", 'no check for the code "tier-exceeds'),
    "a check with another input": ("codes/audit/checks/1/needs", ["sleep"], "codes/audit/checks/1", 'needs "sleep"'),
    "a key without an unknown signer": (
        "codes/audit/checks/1/needs",
        ["key"],
        "codes/audit/checks/1",
        "must have signer_unknown",
    ),
    "a note without a stop": ("codes/notes/0/text", "Text", "codes/notes/0/text", "must be a sentence"),
    "a table of its own": ("tables/colours", [], "tables", "is malformed"),
    "a code without a sentence": ("codes/codes/0/sentence", "Text", "codes/codes/0/sentence", "must be a sentence"),
    # what files and definitions say of themselves
    "another $id": ("receipt/$id", "https://reward-receipts.example/receipt.json", "receipt", "has $id"),
    "no title": ("document/title", GONE, "document", "lacks title"),
    "an empty title": ("document/title", "", "document", "empty title"),
    "a file without description": ("common/description", GONE, "common", "lacks description"),
    "a definition without description": (f"{NAME}/description", GONE, NAME, "lacks description"),
    "a member without description": (f"{NONCE}/description", GONE, NONCE, "lacks description"),
    "a word without description": (f"{STATE}/oneOf/0/description", GONE, f"{STATE}/oneOf/0", "lacks description"),
    "no sentence": (f"{NONCE}/description", "Used once", f"{NONCE}/description", "must be a sentence"),
    "a title that is not the name": (f"{NAME}/title", "Nom", NAME, 'must be "Name"'),
    "a name that is not a class": (
        "common/$defs/a",
        listed("a", "string", const="a"),
        "common/$defs/a",
        "cannot be a class's",
    ),
    "a keyword of no use": ("common/examples", [], "common", "has examples"),
    "a constraint on the umbrella": ("document/properties", {}, "document", "has properties"),
    # patterns
    "digits of any script": pattern(r"^\d{4}$"),
    "word characters": pattern(r"^\w{1,8}$"),
    "white space": pattern(r"^a\s{1,8}$"),
    "a word boundary": pattern(r"^a\b$"),
    "any character": pattern("^.$"),
    "a negated class": pattern("^[^a]{1,8}$"),
    "a lookahead": pattern("^(?!tmp)[a-z]{1,8}$"),
    "a lookbehind": pattern("^[a-z]{1,8}(?<!tmp)$"),
    "a flag": pattern("^(?i)a$"),
    "a back-reference": pattern(r"^(a)\1$"),
    "a property of characters": pattern(r"^\p{L}$"),
    "a POSIX class": pattern("^[[:alpha:]]$"),
    "a set operation": pattern("^[a&&b]$"),
    "a range of punctuation": pattern("^[+--]$"),
    "beyond ASCII": pattern("^é$"),
    "an endless repeat": pattern("^[a-z]+$"),
    "an endless counted repeat": pattern("^[a-z]{1,}$"),
    "a repeat without a least": pattern("^[a-z]{,8}$"),
    "a dollar that is escaped": pattern(r"^a\$"),
    "a lazy repeat": pattern("^[a-z]{1,8}?$", "a repeat of nothing, or of a repeat"),
    "a repeat of nothing": pattern("^?a$", "a repeat of nothing, or of a repeat"),
    "a pattern without start": pattern("[a-z]{1,8}$", "no ^ at its start"),
    "a pattern without end": pattern("^[a-z]{1,8}", "no $ at its end"),
    "an alternative that is half anchored": pattern("^a|b$", "outside a group"),
    "an open group": pattern("^(a$", "a fault"),
    "a range that is none": pattern("^[z-a]$", "a fault"),
    "no greatest length": (f"{NAME}/maxLength", GONE, NAME, "lacks maxLength"),
    "line breaks let in": (f"{NAME}/not", GONE, NAME, "lacks not"),
    "something else kept out": (f"{NAME}/not", {"pattern": "x"}, NAME, "may only keep line breaks out"),
    "a least length": (f"{NAME}/minLength", 1, NAME, "has not, which"),
    "a text of any length": (f"{TYPE}/maxLength", GONE, TYPE, "lacks maxLength"),
    "a length that is none": (f"{TYPE}/minLength", 0, TYPE, "at least 1"),
    "a format beside a pattern": (f"{NAME}/format", "date-time", NAME, "has format"),
    # numbers
    "a number without a bound": (f"{PROBABILITY}/exclusiveMaximum", GONE, PROBABILITY, "has 0 of maximum and exclu"),
    "a number with two bounds": (f"{PROBABILITY}/maximum", 1, PROBABILITY, "has 2 of maximum and exclusiveMaximum"),
    "a bound without a type": (f"{PROBABILITY}/type", GONE, PROBABILITY, "no known form"),
    "a multiple of a decimal": (f"{PROBABILITY}/multipleOf", 0.01, PROBABILITY, "has multipleOf"),
    "a bound of a number that doubles lose": (f"{PROBABILITY}/exclusiveMaximum", 2**53, PROBABILITY, "within 2^53"),
    "a multiple": (f"{UPDATE}/multipleOf", 11.0, UPDATE, "has multipleOf"),
    "a bound that doubles lose": (f"{UPDATE}/maximum", 2**53, UPDATE, "an integer within 2^53"),
    "an integer's bound with a fraction": (f"{UPDATE}/minimum", 0.5, UPDATE, "an integer within 2^53"),
    "an integer without a bound": (f"{UPDATE}/minimum", GONE, UPDATE, "lacks minimum"),
    # listed constants
    "an enum of integers": (TIER, listed("OracleTier", "integer", enum=[0, 1]), TIER, "has enum"),
    "an enum of words": (STATE, listed("RewardCertificateStateV1", "string", enum=["a"]), STATE, "has enum"),
    "true among integers": (f"{TIER}/oneOf/1/const", True, TIER, "an integer within 2^53"),
    "an integer without a name": (f"{TIER}/oneOf/1/title", GONE, f"{TIER}/oneOf/1", "lacks title"),
    "an integer's name in small letters": (f"{TIER}/oneOf/1/title", "other", TIER, "in capitals"),
    "an integer twice": (f"{TIER}/oneOf/1/const", 0, TIER, "lists const 0 twice"),
    "an integer's name twice": (f"{TIER}/oneOf/1/title", "VISUAL", TIER, 'lists title "VISUAL" twice'),
    "a word twice": (f"{STATE}/oneOf/1/const", "absent", STATE, 'lists const "absent" twice'),
    "a word with capitals": (f"{STATE}/oneOf/1/const", "Absent", STATE, "snake_case"),
    "a number among words": (f"{STATE}/oneOf/1/const", 1, STATE, "snake_case"),
    "a word of Object.prototype": (f"{STATE}/oneOf/1/const", "constructor", STATE, "Object.prototype"),
    "an alternative that is not a constant": (f"{STATE}/oneOf/1", {"type": "string"}, f"{STATE}/oneOf/1", "has type"),
    "an alternative that takes all": (f"{STATE}/oneOf/1", True, f"{STATE}/oneOf/1", "must be an object"),
    # members
    "a format": nonce({"type": "string", "format": "date-time", **SAID}, "format: some validators assert it"),
    "an enum": nonce({"enum": ["a"], **SAID}, "enum: generators give its members no names"),
    "an enum of several types": nonce({"enum": [0, "a", None], **SAID}, "no known form"),
    "a list of types": nonce({"type": ["string", "null"], **SAID}, "no known form"),
    "anything at all": nonce(True, "no known form"),
    "an object without a name": nonce({"type": "object", "properties": {}, **SAID}, "form record"),
    "a text without a name": nonce({"type": "string", "maxLength": 8, "pattern": "^a$", **SAID}, "form text"),
    "a number without a name": nonce({"type": "number", **SAID}, "form number"),
    "alternatives of objects": nonce({"oneOf": [{"type": "object"}], **SAID}, "oneOf: generators drop that only one"),
    "a reference with a constraint": nonce(referring("Probability", maximum=0.5), "has maximum"),
    "a reference to another place": nonce({"$ref": "https://reward-receipts.example/a", **SAID}, "refers to"),
    "a reference to an anchor": nonce({"$ref": "#nonce", **SAID}, "refers to"),
    "a reference to nothing": nonce(referring("Nonce"), "nothing is there"),
    "a member with a title": (f"{NONCE}/title", "Nonce", NONCE, "has title"),
    "null first": (f"{SCALAR}/anyOf", [{"type": "null"}, referring("Name")], SCALAR, "must hold a reference, then"),
    "three alternatives": (
        f"{SCALAR}/anyOf/-",
        {"type": "string"},
        SCALAR,
        "must hold a reference, then the type null",
    ),
    "an alternative without a name": (f"{SCALAR}/anyOf/0", {"type": "string"}, f"{SCALAR}/anyOf/0", "form reference"),
    "a constant that is not text": (
        "receipt/properties/schema_version/const",
        1,
        "receipt/properties/schema_version",
        "text",
    ),
    # arrays and maps
    "a tuple": (f"{COMPONENTS}/prefixItems", [{}], COMPONENTS, "has prefixItems"),
    "an item that must be there": (f"{COMPONENTS}/contains", {}, COMPONENTS, "has contains"),
    "an array without an end": (f"{COMPONENTS}/maxItems", GONE, COMPONENTS, "lacks maxItems"),
    "items without a name": (f"{COMPONENTS}/items", {"type": "number"}, f"{COMPONENTS}/items", "the form reference"),
    "items that may repeat": (f"{COMPONENTS}/uniqueItems", False, COMPONENTS, "has uniqueItems false"),
    "objects that must differ": (
        f"{COMPONENTS}/uniqueItems",
        True,
        COMPONENTS,
        "V1, which is not a text",
    ),
    "an array with a default": (f"{COMPONENTS}/default", [1], COMPONENTS, "has a default with items"),
    "a map without a limit": (f"{MAP}/maxProperties", GONE, MAP, "lacks maxProperties"),
    "a map of anything": (f"{MAP}/additionalProperties", True, f"{MAP}/additionalProperties", "no known form"),
    "a map by patterns": (f"{MAP}/patternProperties", {"^a$": True}, MAP, "has patternProperties"),
    "names by a pattern": (f"{MAP}/propertyNames", {"pattern": "^a$"}, f"{MAP}/propertyNames", "form reference"),
    "names that are numbers": (
        f"{MAP}/propertyNames/$ref",
        "common.schema.json#/$defs/PolicyUpdate",
        MAP,
        "is not a text",
    ),
    "a default with members": (f"{MAP}/default", {"a": 1.0}, MAP, "a scalar or an empty object"),
    # objects
    "unknown members let in": ("certificate/additionalProperties", True, "certificate", "other than false"),
    "unknown members not spoken of": ("certificate/additionalProperties", GONE, "certificate", "lacks additionalProp"),
    "unevaluated members": ("certificate/unevaluatedProperties", False, "certificate", "has unevaluatedProperties"),
    "a required member that nobody declares": ("certificate/required/-", "constructor", "certificate", "not declare"),
    "members that depend on others": (
        "receipt/dependentRequired",
        {"nonce": ["signature"]},
        "receipt",
        "has dependent",
    ),
    "a condition outside a rule": ("receipt/if", {}, "receipt", "has if"),
    "alternatives at the root": ("receipt/oneOf", [{}], "receipt", "has oneOf"),
    "a branch that only requires": ("receipt/allOf/0", {"required": ["nonce"]}, "receipt/allOf/0", "has required"),
    "a branch that refers": ("receipt/allOf/0", referring("Name"), "receipt/allOf/0", "has $ref"),
    "a branch that takes all": ("receipt/allOf/0", True, "receipt/allOf/0", "must be an object"),
    "a required member with a default": (f"{NONCE}/default", "nonce.00", NONCE, "is required and has a default"),
    "an optional member without one": (f"{SCALAR}/default", GONE, SCALAR, "has no default"),
    "a member constructor": called("constructor", "every JavaScript object inherits"),
    "a member __proto__": called("__proto__", "every JavaScript object inherits"),
    "a member class": called("class", "a keyword of Python"),
    "a member copy": called("copy", "an attribute of pydantic's models"),
    "a member json": called("json", "an attribute of pydantic's models"),
    "a member schema": called("schema", "an attribute of pydantic's models"),
    "a member model_dump": called("model_dump", "an attribute of pydantic's models"),
    "a member model_anything": called("model_anything", "an attribute of pydantic's models"),
    "a member digest": called("digest", "or of the documents"),
    "a member _private": called("_private", "not in snake_case"),
    "a member a-b": called("a-b", "not in snake_case"),
    "a member aB": called("aB", "not in snake_case"),
    # rules
    "a rule without an id": rule("/title", GONE, "", "lacks title"),
    "a rule without a sentence": rule("/description", GONE, "", "lacks description"),
    "a rule of another kind": rule("/title", "contract.another-rule", "", "of the form receipt.what-it-says"),
    "a rule with a sentence as id": rule("/title", "receipt.Another rule", "", "of the form receipt.what-it-says"),
    "a rule without a then": rule("/then", GONE, "", "lacks then"),
    "a condition that a missing member meets": rule("/if/required", GONE, "/if", 'required ["reward_outcome"]'),
    "a condition on a type": rule(
        "/if/properties/reward_outcome", {"type": "string"}, "/if/properties/reward_outcome", "must have const"
    ),
    "a condition that is always met": rule("/if", True, "/if", "must be an object"),
    "a condition on nothing": rule("/if", {"required": ["nonce"]}, "/if", "lacks properties"),
    "a demand for a pattern": rule(
        "/then/properties/uncertainty", {"pattern": "^a$"}, "/then/properties/uncertainty", "must have const"
    ),
    "a demand for one of two types": rule(
        "/then/properties/uncertainty", {"type": ["string", "null"]}, "/then/properties/uncertainty", "of one type"
    ),
    "a demand for a bound alone": rule(
        "/then/properties/uncertainty", {"maximum": 0}, "/then/properties/uncertainty", "must have const"
    ),
    "a demand that nothing meets": rule("/then", False, "/then", "must be an object"),
    "an else without a condition": rule("/else", {"properties": {}}, "/else", "lacks if"),
    "an else that nothing meets": rule("/else", False, "/else", "must be an object"),
    # names and ids
    "a name twice": ("contract/$defs/Name", FILES["common.schema.json"]["$defs"]["Name"], NAME, "is defined twice"),
    "a definition of no use": ("common/$defs/A", listed("A", "string", const="a"), "common/$defs/A", "is not used"),
    "a rule twice": ("receipt/allOf/0/title", "receipt.certified-tier", "codes/codes", "receipt.certified-tier twice"),
    "a code twice": ("codes/codes/0/id", "json.utf8", "codes/codes", "json.utf8 twice"),
    "a rule among the codes": ("codes/codes/-", code("receipt.certified-tier", "rules"), "codes/codes", "tier twice"),
    "a keyword without a code": (SCHEMA_TYPE, code("schema.format", "schema"), "codes/codes", "has no schema.type"),
    "a code without a keyword": (SCHEMA_TYPE, code("schema.not", "schema"), SCHEMA_TYPE, "no schema has that"),
    "an id of another layer": ("codes/codes/0/layer", "audit", "codes/codes/0", "in layer audit"),
    "a broken placeholder": ("codes/codes/0/sentence", "A {.", "codes/codes/0", "broken placeholder"),
    "a field of no receipt": (
        "codes/codes/0/field",
        "sense",
        "codes/codes/0",
        '"sense", which is not a member of a receipt',
    ),
    "an outcome without a class": ("tables/scoring_classes/0/outcomes/0", "refused", CLASSES, 'look at "verified"'),
    "an outcome of two classes": ("tables/scoring_classes/0/outcomes/-", "refused", CLASSES, 'look at "refused"'),
    "an outcome that is none": ("tables/scoring_classes/0/outcomes/-", "late", CLASSES, 'look at "late"'),
    "a class twice": ("tables/scoring_classes/0/scoring_class", "unscored", CLASSES, '"unscored" twice'),
    "a channel without a tier": ("tables/tiers/2/channels", ["db", "file", "ack"], "tables/tiers", 'look at "api"'),
    "a tier twice": ("tables/tiers/0/tier", 1, "tables/tiers", "has the tiers [1, 1, 2, 3]"),
    "a placeholder without a name": ("codes/codes/0/sentence", "A {0}.", "codes/codes/0", 'placeholder "0"'),
    "certified, alone": (
        f"{NONCE}/description",
        "It is certified.",
        f"{NONCE}/description",
        "without the word synthetic",
    ),
    "certification, alone": ("codes/codes/0/fix", "Seek certification.", "codes/codes/0/fix", "without the word synth"),
    # meaning
    "a default out of bounds": (f"{SCORING}/verified_reward/default", 0.0, f"{SCORING}/verified_reward", "not accept"),
    "a constant with another default": (
        f"{SCORING}/platform_failures/default",
        "a",
        f"{SCORING}/platform_failures",
        "not",
    ),
    "a condition that is never met": rule(
        "/if", asking("reward_outcome", {"const": "failed"}), "/if/properties/reward_outcome", "can never be"
    ),
    "a demand that is never met": rule(
        "/then", asking("uncertainty", {"enum": ["none", "no"]}), "/then/properties/uncertainty", 'names "no"'
    ),
    "a demand for 0 instead of false": rule(
        "/then", asking("certified", {"const": 0}), "/then/properties/certified", "can never be"
    ),
    "a condition on an unknown member": rule(
        "/if", asking("other", {"const": 1}), "/if/properties/other", "not a member"
    ),
    "a condition on an optional member": rule(
        "/if",
        asking("calibration_scope", {"const": "synthetic"}),
        "/if/properties/calibration_scope",
        "may be left out",
    ),
    "a required member that slips through": rule(
        "/then/required", GONE, "/then/properties/uncertainty", "slips through where uncertainty is left out"
    ),
    "an optional member that slips through": rule(
        "/then/properties/certificate_id", {"type": "string"}, "/then/properties/certificate_id", "slips through"
    ),
    "an empty map that slips through": rule(
        "/then/properties/reward_components",
        {"type": "object", "minProperties": 1},
        "/then/properties/reward_components",
        "slips through",
    ),
    "a member that slips through an else": rule(
        "/else",
        {"if": RULE["if"], "then": {"properties": {"uncertainty": {"const": "none"}}}},
        "/else/then/properties/uncertainty",
        "slips through",
    ),
    "a default that is not good enough": rule(
        "/then", asking("certificate_id", {"type": "null"}), "/then/properties/certificate_id", "is met by the default"
    ),
    "a demand to be there": rule("/then/required/-", "nonce", "/then", 'requires "nonce" and says nothing of it'),
    # the umbrella
    "an umbrella that needs no label": (f"{LABEL}/required", [], "document/allOf", "asks for the kind"),
    "an umbrella of fewer labels": (
        f"{LABEL}/properties/schema_version/enum",
        ["a"],
        "document/allOf",
        "asks for the kind",
    ),
    "an umbrella with a rule": ("document/allOf/-", RULE, "document/allOf", "must hold one branch"),
    "a label without description": (f"{LABEL}/description", GONE, LABEL, "lacks description"),
    "a label's member without description": (
        f"{LABEL}/properties/schema_version/description",
        GONE,
        f"{LABEL}/properties/schema_version",
        "lacks description",
    ),
    "an umbrella of fewer kinds": (
        "document/oneOf",
        [{"$ref": "reward-contract.schema.json"}],
        "document/oneOf",
        "must refer to each document once",
    ),
    "a kind that does not name itself": (
        "contract/properties/schema_version",
        referring("Name", default="a"),
        "contract/properties/schema_version",
        "a constant and its own default",
    ),
    "two kinds of one label": (
        "contract/properties/schema_version",
        FILES["reward-certificate.schema.json"]["properties"]["schema_version"],
        "document",
        "cannot tell two kinds apart",
    ),
}


def in_files(place: str) -> tuple[str, str]:
    """The file and the pointer of a place."""
    short, slash, pointer = place.partition("/")
    return SHORT[short], slash + pointer


@pytest.mark.slow
@pytest.mark.parametrize(("at", "new", "place", "words"), FAULTS.values(), ids=FAULTS.keys())
def test_the_lint_refuses(at: str, new: Any, place: str, words: str) -> None:
    file, pointer = in_files(at)
    files = {**FILES, file: altered(FILES.get(file), pointer, new)}
    found = lint.lint({name: content for name, content in files.items() if content is not GONE})
    start = "schemas/{}:{} ".format(*in_files(place))
    assert [line for line in found if line.startswith(start) and words in line], found


# What the constructs mean: two engines and the models read them alike

WORKED_DOCUMENTS = {
    "contract": plain(WORKED / "contract_as_authored.json"),
    "certificate": plain(WORKED / "certificate.json"),
    "receipt": plain(WORKED / "receipt.json"),
}
FAILED = {
    **WORKED_DOCUMENTS["receipt"],
    **dict.fromkeys(("certificate_id", "certificate_digest", "calibration_corpus_digest", "calibration_scope")),
    "reward_outcome": "failed_platform",
    "scalar_reward": None,
    "reward_components": {},
    "certificate_state": "absent",
    "certified": False,
}
DOCUMENTS = {**WORKED_DOCUMENTS, "failed": FAILED}


def engines(schema: Any) -> Iterator[tuple[str, Callable[[Any], bool]]]:
    """Whether two engines accept a document, given the schema files and nothing else."""
    files = [(each["$id"], each) for each in map(schema_of, SCHEMA_FILES)]
    rust = jsonschema_rs.Draft202012Validator(schema, registry=jsonschema_rs.Registry(files))
    yield "jsonschema-rs", rust.is_valid
    registry = Registry().with_resources((identity, Resource.from_contents(each)) for identity, each in files)
    yield "jsonschema", jsonschema.Draft202012Validator(schema, registry=registry).is_valid


# Which document is changed, where, into what; and whether it then is still one.
MEANINGS = {
    # pattern, maxLength
    "a line feed at the end": ("receipt", "/nonce", "nonce.0001\n", False),
    "a line feed at the end of a name": ("receipt", "/reward_components", {"a\n": 1.0}, False),
    "a line feed at the end of a digest": ("receipt", "/evidence_digest", f"sha256:{'0' * 64}\n", False),
    "a line feed at the end of a timestamp": ("receipt", "/issued_at", "2026-08-25T10:00:00Z\n", False),
    "a line feed at the end of what may be null": ("receipt", "/certificate_id", "certificate\n", False),
    "a line separator at the end": ("receipt", "/nonce", "nonce.0001\u2028", False),
    "a line before": ("receipt", "/nonce", "x\nnonce.0001", False),
    "digits of another script": ("receipt", "/issued_at", "\u0662\u0660\u0662\u0666-08-25T10:00:00Z", False),
    "a letter beyond 16 bits": ("receipt", "/nonce", "nonce.\U0001d7d8\U0001d7d9\U0001d7da", False),
    "a combining accent": ("receipt", "/reward_components", {"e\u0301": 1.0}, False),
    "128 characters": ("receipt", "/nonce", "n" * 128, True),
    "129 characters": ("receipt", "/nonce", "n" * 129, False),
    "a number as text": ("receipt", "/nonce", 12345678, False),
    # integer
    "an integer with a zero fraction": ("receipt", "/policy_update", 120.0, True),
    "an integer with a fraction": ("receipt", "/policy_update", 120.5, False),
    "true as an integer": ("receipt", "/policy_update", True, False),
    "the greatest integer": ("failed", "/policy_update", 2**53 - 1, True),
    "one more": ("failed", "/policy_update", 2**53, False),
    "two more": ("failed", "/policy_update", 2**53 + 1, False),
    # number
    "true as a number": ("contract", "/components/0/weight", True, False),
    "text as a number": ("contract", "/components/0/weight", "1.5", False),
    "an integer as a number": ("contract", "/components/0/weight", 1, True),
    "an open bound": ("contract", "/components/0/weight", 0, False),
    "a closed bound": ("contract", "/components/0/weight", 1000000.0, True),
    "infinity": ("contract", "/components/0/weight", math.inf, False),
    "the largest integer that is a double": ("contract", "/certificate_policy/threshold", 2**1024 - 2**970 - 1, True),
    # listed constants
    "an integer that is listed": ("receipt", "/oracle_tier", 3, True),
    "an integer that is not": ("receipt", "/oracle_tier", 4, False),
    "a double that equals a listed integer": ("receipt", "/oracle_tier", 3.0, True),
    "true where 1 is listed": ("receipt", "/oracle_tier", True, False),
    "text where an integer is listed": ("receipt", "/oracle_tier", "2", False),
    "a word that is not listed": ("receipt", "/uncertainty", "maybe", False),
    # boolean, and a const in a rule
    "0 for false": ("receipt", "/development_only", 0, False),
    "1 for true": ("receipt", "/certified", 1, False),
    # array
    "a text twice": ("contract", "/oracle/identity_keys", ["b", "a", "b"], False),
    "texts that differ, in no order": ("contract", "/oracle/identity_keys", ["b", "a"], True),
    "texts that differ in case": ("contract", "/oracle/identity_keys", ["a", "A"], True),
    "no item": ("contract", "/oracle/identity_keys", [], False),
    "33 items": ("contract", "/oracle/identity_keys", [f"k{number}" for number in range(33)], False),
    # map
    "64 members": ("receipt", "/reward_components", {f"c{number}": 1.0 for number in range(64)}, True),
    "65 members": ("receipt", "/reward_components", {f"c{number}": 1.0 for number in range(65)}, False),
    "a member with a bad name": ("receipt", "/reward_components", {"-a": 1.0}, False),
    "a member with a bad value": ("receipt", "/reward_components", {"a": True}, False),
    "members that objects inherit": ("receipt", "/reward_components", {"constructor": 1.0, "toString": 1.0}, True),
    # record
    "an unknown member": ("receipt", "/execution_id", "execution.0001", False),
    "an unknown member that objects inherit": ("receipt", "/constructor", 1, False),
    "a missing member": ("receipt", "/nonce", GONE, False),
    "a default left out": ("receipt", "/signature_algorithm", GONE, True),
    "null for an optional member": ("receipt", "/signature_algorithm", None, False),
    "null for an optional object": ("contract", "/scoring", None, False),
    "an empty optional object": ("contract", "/scoring", {}, True),
    # null
    "null by default, left out": ("failed", "/certificate_digest", GONE, True),
    "null by default, null": ("failed", "/certificate_digest", None, True),
    "a bad text beside null": ("receipt", "/certificate_digest", "sha256:zz", False),
    # rules
    "a member that a then requires, left out": ("receipt", "/certificate_id", GONE, False),
    "a member that a then requires, null": ("receipt", "/certificate_id", None, False),
    "a member that a then forbids": ("failed", "/certificate_id", "certificate.0001", False),
    "a member that an else decides": ("receipt", "/development_only", True, False),
    "a scalar of nothing": ("failed", "/scalar_reward", 0.0, False),
    # timestamps are texts
    "an offset": ("receipt", "/issued_at", "2026-08-25T10:00:00+00:00", True),
    "seconds since 1970": ("receipt", "/issued_at", 1756116000, False),
    "a space for the T": ("receipt", "/issued_at", "2026-08-25 10:00:00+00:00", False),
    "29 February of a common year": ("receipt", "/issued_at", "2026-02-29T10:00:00Z", False),
}


@pytest.mark.parametrize(("start", "pointer", "new", "valid"), MEANINGS.values(), ids=MEANINGS.keys())
def test_all_read_a_construct_alike(start: str, pointer: str, new: Any, valid: bool) -> None:
    kind = "receipt" if start == "failed" else start
    document = altered(DOCUMENTS[start], pointer, new)
    verdicts = {name: accepts(document) for name, accepts in engines(schema_of(kind))}
    assert verdicts == {"jsonschema-rs": valid, "jsonschema": valid}

    if not valid:
        with pytest.raises(ValidationError):
            MODELS[kind].model_validate(document)
        return
    dumped = MODELS[kind].model_validate(document).model_dump(mode="json")
    assert all(accepts(dumped) for _, accepts in engines(schema_of(kind)))
    texts = {name: value for name, value in document.items() if isinstance(value, str)}
    assert {name: dumped[name] for name in texts} == texts  # a timestamp too, whatever its offset


@pytest.mark.parametrize("start", DOCUMENTS)
def test_the_documents_that_are_changed_above_are_valid(start: str) -> None:
    kind = "receipt" if start == "failed" else start
    assert [accepts(DOCUMENTS[start]) for _, accepts in engines(schema_of(kind))] == [True, True]


# The umbrella


@pytest.mark.parametrize("kind", MODELS)
def test_the_umbrella_needs_the_label_that_the_kind_by_itself_does_not(kind: str) -> None:
    version = schema_of(kind)["properties"]["schema_version"]["const"]
    labelled = {**WORKED_DOCUMENTS[kind], "schema_version": version}
    unlabelled = altered(labelled, "/schema_version", GONE)
    other = next(schema_of(each)["properties"]["schema_version"]["const"] for each in MODELS if each != kind)
    for (_, single), (_, umbrella) in zip(engines(schema_of(kind)), engines(schema_of("document")), strict=True):
        assert single(labelled)
        assert umbrella(labelled)
        assert single(unlabelled)
        assert not umbrella(unlabelled)
        assert not umbrella({**labelled, "schema_version": other})
        assert not umbrella({**labelled, "schema_version": version.replace("v1", "v2")})


# Bundles


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield from [value] if key == "$ref" else references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def keys(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from keys(value)


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_is_one_file_with_what_is_reached_and_nothing_else(name: str) -> None:
    schema, bundled = schema_of(name), bundle(name)
    assert [bundled[key] for key in ("$schema", "$id", "title")] == [schema[key] for key in ("$schema", "$id", "title")]
    assert set(references(bundled)) == {f"#/$defs/{title}" for title in bundled["$defs"]}
    assert [key for key in keys(bundled) if key in ("$schema", "$id", "$defs")] == ["$schema", "$id", "$defs"]
    assert all(definition["title"] == title for title, definition in bundled["$defs"].items())
    # Nothing else is lost: with the references taken out, each part is what it was.
    own = {**schema_of("common")["$defs"]}
    for kind in (*MODELS, *DATA_KINDS):
        own |= {schema_of(kind)["title"]: schema_of(kind), **schema_of(kind).get("$defs", {})}
    for part, original in [(bundled, schema), *((bundled["$defs"][title], own[title]) for title in bundled["$defs"])]:
        assert unreferred(part) == unreferred(original)


def unreferred(schema: Any) -> Any:
    """A schema without what a bundle changes in it."""
    if isinstance(schema, list):
        return [unreferred(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: unreferred(value) for key, value in schema.items() if key not in ("$schema", "$id", "$defs", "$ref")}


def test_the_bundle_of_the_umbrella_has_the_three_documents() -> None:
    titles = [schema_of(kind)["title"] for kind in MODELS]
    bundled = bundle("document")
    assert bundled["oneOf"] == [{"$ref": f"#/$defs/{title}"} for title in titles]
    assert set(titles) <= bundled["$defs"].keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_gives_the_verdicts_of_its_schema(name: str) -> None:
    bundled = bundle(name)
    # No registry: what a bundle refers to is in it.
    whole = [jsonschema_rs.Draft202012Validator(bundled), jsonschema.Draft202012Validator(bundled)]
    split = [accepts for _, accepts in engines(schema_of(name))]
    random = [document(number) for number in range(300)]
    values = [each.value for each in random if name in ("document", each.kind)] + list(DOCUMENTS.values())
    values += [*REWARD_DATA.values()]
    verdicts = [[engine.is_valid(value) for engine in whole] for value in values]
    assert verdicts == [[accepts(value) for accepts in split] for value in values]
    assert {True, False} == {verdict for pair in verdicts for verdict in pair}


def test_a_bundle_is_a_fresh_copy() -> None:
    before = json.dumps(bundle("receipt"))
    changed = bundle("receipt")
    changed["properties"].clear()
    changed["$defs"]["Name"].clear()
    assert json.dumps(bundle("receipt")) == before
    assert "nonce" in schema_of("receipt")["properties"]
    assert "pattern" in schema_of("common")["$defs"]["Name"]


@pytest.mark.parametrize("name", ["common", "reward-contract.schema.json", ""])
def test_anything_that_cannot_be_bundled_is_named(name: str) -> None:
    with pytest.raises(ValueError, match="known are contract, certificate, receipt, document"):
        bundle(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", BUNDLES)
def test_another_generator_makes_the_classes_from_a_bundle(name: str, tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(bundle(name)))
    command = [sys.executable, "-m", "datamodel_code_generator", "--input", "schema.json", "--output", "models.py"]
    command += [
        "--input-file-type",
        "jsonschema",
        "--output-model-type",
        "pydantic_v2.BaseModel",
        "--formatters",
        "ruff-format",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    classes = {
        node.name: {field.target.id for field in node.body if isinstance(field, ast.AnnAssign)}  # type: ignore[attr-defined]
        for node in ast.parse((tmp_path / "models.py").read_text()).body
        if isinstance(node, ast.ClassDef)
    }
    records = [bundle(name), *bundle(name)["$defs"].values()]
    for record in (each for each in records if "properties" in each):
        assert classes[record["title"]] == record["properties"].keys()
