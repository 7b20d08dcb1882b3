"""What schemas/ mean: defaults are valid, rules can be met and let nothing slip, the kinds are told apart."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
from reward_receipts.core.pointer import json_pointer
from reward_receipts.validation.schemas import KINDS

from lint.forms import form, form_of, has_keywords
from lint.places import BASE, DOCUMENTS, UMBRELLA, Findings, Spot, quoted, repeated, schemas, subschemas, target

_IN_UMBRELLA = [file for file, kind in DOCUMENTS.items() if kind in KINDS]


def of_meaning(files: dict[str, Any]) -> Findings:
    """Defaults are valid, rules can be met and let nothing slip, the kinds are told apart."""
    yield from _umbrella(files)
    registry = jsonschema_rs.Registry([(root.value["$id"], root.value) for root in schemas(files)])
    for root in schemas(files):
        for spot in subschemas(root):
            default = spot.value.get("default")
            if "default" in spot.value and not _accepts(spot, default, registry):
                yield spot.says(f"has default {quoted(default)}, which it does not accept; correct one of them.")
            yield from _compared(spot, files)
        if root.file in DOCUMENTS:
            for index in range(len(root.value.get("allOf", ()))):
                yield from _slips(root, root.into("allOf", index), registry)


def _umbrella(files: dict[str, Any]) -> Findings:
    """The umbrella tells the kinds apart by schema_version and requires it; a kind by itself does not require it."""
    versions = []
    for file in DOCUMENTS:
        version = files[file]["properties"].get("schema_version", {})
        versions += [version.get("const")] if file in _IN_UMBRELLA else []
        if version.get("const") is None or version.get("default") != version["const"]:
            yield Spot(file, ("properties", "schema_version"), None).says(
                "must be a constant and its own default; write it."
            )
    root = Spot(UMBRELLA, (), files[UMBRELLA])
    for version in repeated([quoted(version) for version in versions]):
        yield root.says(f"cannot tell two kinds apart, both of schema_version {version}; change one.")
    documents = [{"$ref": file} for file in _IN_UMBRELLA]
    if root.value["oneOf"] != documents:
        yield root.into("oneOf").says(f"must refer to each document once; write {quoted(documents, 400)}.")
    label = {
        "type": "object",
        "properties": {"schema_version": {"type": "string", "enum": versions}},
        "required": ["schema_version"],
    }
    if [_unnoted(branch) for branch in root.value["allOf"]] != [label]:
        yield root.into("allOf").says(f"must hold one branch, which asks for the kind; write {quoted(label, 400)}.")
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
            file, name = target(spot.into(compared))
            if form_of(files[file]["$defs"][name]) not in ("text", "free text"):
                yield spot.says(f"has {word} of {name}, which is not a text; validators can differ on others.")


def _slips(root: Spot, rule: Spot, registry: jsonschema_rs.Registry) -> Findings:
    """A rule checks the completed document: a member left out counts as its default, and as wrong without one."""
    members = root.value["properties"]
    required = rule.value["then"].get("required", [])
    for half in ("if", "then"):
        for name, demand in rule.value[half]["properties"].items():
            spot = rule.into(half, "properties", name)
            if name not in members:
                yield spot.says("is not a member of the document; correct the name.")
                continue
            for value in demand.get("enum", [demand["const"]] if "const" in demand else []):
                if not _accepts(root.into("properties", name), value, registry):
                    yield spot.says(f"names {quoted(value)}, which {name} can never be; correct it.")
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
            yield rule.into("then").says(f"requires {quoted(name)} and says nothing of it; say what it must be.")
    if "else" in rule.value:
        yield from _slips(root, rule.into("else"), registry)


def _accepts(spot: Spot, value: Any, registry: jsonschema_rs.Registry) -> bool:
    here = {"$ref": f"{BASE}{spot.file}#{json_pointer(spot.path)}"}
    return jsonschema_rs.Draft202012Validator(here, registry=registry).is_valid(value)
