"""The names in schemas/: each is defined once, references lead somewhere, and codes are about something."""

from __future__ import annotations

import re
import string
from typing import Any

from reward_receipts.documents.model import SignedDocument

from lint.forms import IDS
from lint.places import (
    CODES,
    COMMON,
    DOCUMENTS,
    SCHEMA_FILES,
    TABLES,
    Findings,
    Spot,
    quoted,
    repeated,
    schemas,
    subschemas,
    target,
)


def of_names(files: dict[str, Any]) -> Findings:
    """Ids and names are defined once, each definition is used, and each code is about something."""
    yield from _definitions(files)
    yield from _codes(files)
    yield from _audit(files)
    yield from _tables(files)
    yield from _attributes(files)


def _definitions(files: dict[str, Any]) -> Findings:
    names = [name for root in schemas(files) for name in (root.value["title"], *root.value.get("$defs", {}))]
    twice = repeated(names)
    referred = set()
    for root in schemas(files):
        for spot in subschemas(root):
            if "$ref" in spot.value:
                file, name = target(spot)
                referred.add((file, name))
                if name not in files.get(file, {}).get("$defs", {}):
                    yield spot.says(f"refers to {quoted(spot.value['$ref'])}, and nothing is there; correct it.")
    for root in schemas(files):
        for name in root.value.get("$defs", {}):
            if name in twice:
                yield root.into("$defs", name).says("has a name that is defined twice; rename one of them.")
            if (root.file, name) not in referred:
                yield root.into("$defs", name).says("is not used; remove it.")


def _codes(files: dict[str, Any]) -> Findings:
    codes = Spot(CODES, (), files[CODES]).into("codes")
    entries = [codes.into(index) for index in range(len(codes.value))]
    ids = [entry.value["id"] for entry in entries]
    rules = [rule["title"] for file in DOCUMENTS for rule in files[file].get("allOf", ())]
    for code in repeated([*rules, *ids]):
        yield codes.says(f"and the rules of the schemas have the id {code} twice; rename or remove one.")
    reported = {f"schema.{word}" for root in schemas(files) for word in _asserted(root.value)}
    for code in sorted(reported.difference(ids)):
        yield codes.says(f"has no {code}, and a schema has that keyword; add it.")
    for entry in entries:
        code, layer = entry.value["id"], entry.value["layer"]
        if not re.fullmatch(IDS[layer], code):
            yield entry.says(
                f"has id {quoted(code)} in layer {layer}, where ids match {IDS[layer]}; correct one of them."
            )
        elif layer == "schema" and code not in reported:
            yield entry.says(f"has id {quoted(code)}, and no schema has that keyword; remove it.")
        receipt = files[SCHEMA_FILES["receipt"]]["properties"]
        if entry.value.get("field", next(iter(receipt))) not in receipt:
            yield entry.says(
                f"has field {quoted(entry.value['field'])}, which is not a member of a receipt; correct it."
            )
        try:
            names = [name for _, name, _, _ in string.Formatter().parse(entry.value["sentence"]) if name is not None]
        except ValueError as error:
            yield entry.says(f"has a sentence with a broken placeholder: {error}; correct it.")
        else:
            for name in names:
                if not name.isidentifier():
                    yield entry.says(f"has a sentence with the placeholder {quoted(name)}; it must be a name.")


def _audit(files: dict[str, Any]) -> Findings:
    """The checks of an audit have codes that name a member of the receipt, each once, and known inputs."""
    audit = Spot(CODES, (), files[CODES]).into("audit")
    fields = {entry["id"] for entry in files[CODES]["codes"] if "field" in entry}
    inputs = [each["input"] for each in audit.value["inputs"]]
    codes = []
    for check in audit.each("checks"):
        codes += [check.value[key] for key in ("code", "signer_unknown") if key in check.value]
        for needed in check.value["needs"]:
            if needed not in inputs:
                yield check.says(f"needs {quoted(needed)}, which is not one of the inputs; correct it.")
        if ("signer_unknown" in check.value) != ("key" in check.value["needs"]):
            yield check.says("must have signer_unknown exactly if it needs the key; add or remove it.")
    for code in sorted({*codes} - fields):
        yield audit.says(f"has {quoted(code)}, which is not the id of a code with a field; correct it.")
    for code in repeated(codes):
        yield audit.says(f"has {quoted(code)} twice; keep one.")
    for code in sorted({entry["id"] for entry in files[CODES]["codes"] if entry["layer"] == "audit"}.difference(codes)):
        yield audit.says(f"has no check for the code {quoted(code)} of the layer audit; add it.")


def _tables(files: dict[str, Any]) -> Findings:
    """Each outcome and channel is in its table once, and each tier is one of the listed ones."""
    root = Spot(TABLES, (), files[TABLES])
    words = files[COMMON]["$defs"]
    listed = {name: [each["const"] for each in words[name].get("oneOf", ())] for name in words}
    for table, member, name in (
        ("scoring_classes", "outcomes", "RewardOutcomeV1"),
        ("tiers", "channels", "OracleChannel"),
    ):
        found = [word for each in root.value[table] for word in each[member]]
        for word in sorted({*found}.symmetric_difference(listed[name])) + repeated(found):
            yield root.into(table).says(f"must have each {name} once; look at {quoted(word)}.")
    tiers = [each["tier"] for each in root.value["tiers"]]
    if sorted(tiers) != sorted(listed["OracleTier"]):
        yield root.into("tiers").says(f"has the tiers {quoted(tiers)}; it must have {quoted(listed['OracleTier'])}.")
    for name in repeated([each["name"] for each in root.value["limits"]]):
        yield root.into("limits").says(f"has {name} twice; keep one.")
    yield from _canonical_order(root, files)
    for scoring in repeated([each["scoring_class"] for each in root.value["scoring_classes"]]):
        yield root.into("scoring_classes").says(f"has {quoted(scoring)} twice; keep one.")


def _canonical_order(root: Spot, files: dict[str, Any]) -> Findings:
    """Each sorted array is an array of the schemas, of texts or of records with a required text to sort by."""
    records = {
        spot.value["title"]: spot for each in schemas(files) for spot in subschemas(each) if "title" in spot.value
    }
    for order in root.each("canonical_order"):
        record = records.get(order.value["definition"])
        member = record.value.get("properties", {}).get(order.value["member"]) if record else None
        if record is None or member is None or member.get("type") != "array":
            yield order.says("names no array of the schemas; correct the definition or the member.")
            continue
        items = records[target(record.into("properties", order.value["member"], "items"))[1]]
        by = order.value["by"]
        if by is not None and by in items.value.get("required", ()):
            items = records[target(items.into("properties", by))[1]]
        elif by is not None:
            yield order.says(f"sorts by {quoted(by)}, which is not a required member of the items; correct it.")
            continue
        if items.value.get("type") != "string":
            yield order.says("sorts by what is not a text; languages can compare others differently.")


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


def _attributes(files: dict[str, Any]) -> Findings:
    """No member has the name of an attribute that the Python models have."""
    for root in schemas(files):
        for spot in subschemas(root):
            for name in spot.value.get("properties", {}):
                if name.startswith("model_") or hasattr(SignedDocument, name):
                    yield spot.into("properties", name).says(
                        "has a name that is an attribute of pydantic's models, or of the documents; "
                        "give the member another."
                    )
