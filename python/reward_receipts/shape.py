"""Running the schemas themselves: is this plain JSON value a contract, a receipt, a reward spec?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, Literal, TypeGuard

import jsonschema_rs

from .catalogue import SCHEMA_FILES, catalogue, read_schema_file, sentence
from .findings import Finding, Path, member_at, shown
from .generated.tables import MAX_POLICY_UPDATE
from .spec_rules import spec_findings

Kind = Literal["contract", "certificate", "receipt"]
"""The kind of a document that the audit reads."""

KINDS: Final[tuple[Kind, ...]] = ("contract", "certificate", "receipt")

DataKind = Literal["spec", "trace-row", "regime-report"]
"""The kind of a document about a reward as data; the caller names it, no reader has to find it out."""

DATA_KINDS: Final[tuple[DataKind, ...]] = ("spec", "trace-row", "regime-report")


@cache
def schema_of(name: str) -> Any:
    """The parsed schema file of a kind, of ``common`` or of ``document``. Shared: not to be changed."""
    return read_schema_file(SCHEMA_FILES[name])


REWARD_CONTRACT_SCHEMA: Final[str] = schema_of("contract")["properties"]["schema_version"]["const"]
REWARD_CERTIFICATE_SCHEMA: Final[str] = schema_of("certificate")["properties"]["schema_version"]["const"]
REWARD_EVIDENCE_RECEIPT_SCHEMA: Final[str] = schema_of("receipt")["properties"]["schema_version"]["const"]
_NAMED: Final[dict[str, Kind]] = {
    REWARD_CONTRACT_SCHEMA: "contract",
    REWARD_CERTIFICATE_SCHEMA: "certificate",
    REWARD_EVIDENCE_RECEIPT_SCHEMA: "receipt",
}


MOST_MEMBERS: Final = 1000
"""How many undeclared members of an object, and items of an array, are looked at in a document that does not hold.

Of an array that may have more items than that, one more than it may have."""


def kind_of(value: Any) -> Kind | Finding:
    """The kind that a plain JSON value says it is, or what keeps it from saying so."""
    if type(value) is not dict:
        return Finding("schema.type", f"Found {_typed(value)}, where a document, an object, is due.")
    if "schema_version" not in value:
        return Finding("schema.required", f"schema_version is missing; a document names its kind. {_known()}")
    version = value["schema_version"]
    kind = _NAMED.get(version) if type(version) is str else None
    if kind is None:
        return Finding("schema.enum", f"Found {shown(version)}, no known kind. {_known()}", ("schema_version",))
    return kind


def check(kind: Kind | DataKind, value: Any, part: str | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value as a document of a kind: shape, then rules; () where nothing is.

    ``part`` names a definition inside the kind's schema to check against instead (``RewardOracleV1``).
    """
    validator = _validator(kind, part)
    if validator.is_valid(value):
        findings: tuple[Finding, ...] = ()
    else:
        whole, value = value, _trimmed(value, max(MOST_MEMBERS, _longest_array(kind) + 1))
        findings = tuple(sorted(_findings(validator.iter_errors(value), whole), key=_order))
    beyond = _BEYOND_SCHEMA.get(kind) if part is None else None
    return findings if beyond is None else (*findings, *beyond(value))


def _trimmed(value: Any, most_items: int) -> Any:
    """A value that does not hold, with at most MOST_MEMBERS, or ``most_items``, of what no schema lets in so often.

    The engine makes all errors at once, and takes the square of their number where member names are wrong: a text of
    1 MiB could keep it busy for minutes. What is dropped only repeats what is kept.
    """
    if type(value) is dict:
        names = [name for name in value if name not in _declared()]
        dropped = set(names[MOST_MEMBERS:])
        return {name: _trimmed(member, most_items) for name, member in value.items() if name not in dropped}
    if type(value) is list:
        return [_trimmed(item, most_items) for item in value[:most_items]]
    return value


@cache
def _longest_array(kind: Kind | DataKind) -> int:
    """How many items the longest array of a document of a kind can have."""
    return max((member.get("maxItems", 0) for member in schema_of(kind)["properties"].values()), default=0)


@cache
def _declared() -> frozenset[str]:
    """Every member name that a schema declares."""
    return frozenset(name for kind in (*KINDS, *DATA_KINDS) for name in schema_of(kind)["properties"])


@cache
def _validator(kind: Kind | DataKind, part: str | None) -> jsonschema_rs.Draft202012Validator:
    schema = schema_of(kind)
    common = schema_of("common")
    registry = jsonschema_rs.Registry([(schema["$id"], schema), (common["$id"], common)])
    target = schema if part is None else {"$ref": f"{schema['$id']}#/$defs/{part}"}
    return jsonschema_rs.Draft202012Validator(target, registry=registry)


# Rules that JSON Schema cannot say. Each looks only where the shape is right: what is not is another finding.


def _component_names_unique(contract: Any) -> Iterator[Finding]:
    components = contract.get("components") if type(contract) is dict else None
    seen: dict[str, int] = {}
    for index, component in enumerate(components if type(components) is list else ()):
        name = component.get("name") if type(component) is dict else None
        if type(name) is not str:
            continue
        first = seen.setdefault(name, index)
        if first != index:
            code = "contract.component-names-unique"
            found = f"{shown(name)} is named at /components/{first} and again here."
            yield Finding(code, f"{sentence(code)} {found}", ("components", index, "name"))


def _expiry_fits(certificate: Any) -> Iterator[Finding]:
    if type(certificate) is not dict:
        return
    issued, updates = certificate.get("issued_at_policy_update"), certificate.get("expiry_policy_updates")
    if not (_whole(issued) and _whole(updates)):
        return
    if int(issued) + int(updates) > MAX_POLICY_UPDATE:
        code = "certificate.expiry-fits"
        found = f"{int(issued)} + {int(updates)} is {int(issued) + int(updates)}."
        yield Finding(code, f"{sentence(code)} {found}", ("expiry_policy_updates",))


def _whole(value: Any) -> TypeGuard[int | float]:
    return type(value) is int or (type(value) is float and value.is_integer())


_BEYOND_SCHEMA: Final[dict[Kind | DataKind, Callable[[Any], Iterable[Finding]]]] = {
    "contract": _component_names_unique,
    "certificate": _expiry_fits,
    "spec": spec_findings,
}


def _order(finding: Finding) -> tuple[int, str, str]:
    return _rule_order().get(finding.code, -1), finding.pointer, finding.code


@cache
def _rule_order() -> dict[str, int]:
    return {code.id: place for place, code in enumerate(catalogue().values()) if code.layer == "rules"}


def _findings(errors: Iterable[jsonschema_rs.ValidationError], whole: Any) -> Iterator[Finding]:
    """One finding for each keyword that refuses, and each place it refuses; under its rule, where it is part of one."""
    for error in errors:
        if error.schema_path[-1] == "not":  # says again what the pattern beside it says, to engines with another $
            continue
        rule = _rule_of(error)
        for path, found in _described(error, whole):
            yield Finding(rule or f"schema.{_keyword(error)}", f"{sentence(rule)} {found}" if rule else found, path)


def _rule_of(error: jsonschema_rs.ValidationError) -> str | None:
    """The id of the rule whose branch of ``allOf`` refused, if one did."""
    steps = error.evaluation_path
    if steps[0] != "allOf":
        return None
    title: str = schema_of("receipt")["allOf"][steps[1]]["title"]
    return title


def _keyword(error: jsonschema_rs.ValidationError) -> str:
    return "propertyNames" if hasattr(error.kind, "error") else str(error.schema_path[-1])


def _described(error: jsonschema_rs.ValidationError, whole: Any) -> Iterator[tuple[Path, str]]:
    """Where a keyword refuses, and what it found there against what is due.

    A member that must not be there, or not under that name, is itself the place.
    """
    path: Path = tuple(error.instance_path)
    kind: Any = error.kind  # what it has depends on the keyword
    found = member_at(whole, path)
    name = path[-1] if path else "the document"
    match _keyword(error):
        case "type":
            yield path, f"{name} is {_typed(found)}; it must be {' or '.join(_an(t) for t in kind.types)}."
        case "required":
            yield path, f"{kind.property} is missing; it must be given."
        case "additionalProperties":
            for unexpected in kind.unexpected:
                yield (
                    (*path, unexpected),
                    f"{shown(unexpected)} is no member of this object; correct its name, or remove it.",
                )
        case "propertyNames":
            inner = kind.error
            yield (*path, inner.instance), f"The member name {shown(inner.instance)} {_form(inner)}."
        case "maxProperties" | "minProperties" as word:
            bound = "at most" if word == "maxProperties" else "at least"
            yield path, f"{name} has {len(found)} members; it must have {bound} {kind.limit}."
        case "const":
            yield path, f"{name} is {shown(found)}; it must be {shown(kind.expected_value)}."
        case "enum":
            yield path, f"{name} is {shown(found)}; it must be {' or '.join(map(shown, kind.options))}."
        case "oneOf" | "anyOf":
            yield path, f"{name} is {shown(found)}; it must be {_alternatives(error)}."
        case "pattern" | "minLength" | "maxLength":
            yield path, f"{name} is {shown(found)}, which {_form(error)}."
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" as word:
            bound = {"minimum": "at least", "maximum": "at most"}.get(word) or (
                "above" if word == "exclusiveMinimum" else "below"
            )
            yield path, f"{name} is {shown(found)}; it must be {bound} {shown(kind.limit)}."
        case "minItems" | "maxItems" as word:
            bound = "at most" if word == "maxItems" else "at least"
            yield path, f"{name} has {len(found)} items; it must have {bound} {kind.limit}."
        case "uniqueItems":
            yield path, f"{name} is {shown(found)}; no item may stand in it twice."
        case _:  # a keyword that the lint of the schemas does not let in
            yield path, f"{error.message}."


def _form(error: jsonschema_rs.ValidationError) -> str:
    kind: Any = error.kind
    if error.schema_path[-1] in ("minLength", "maxLength"):
        bound = "most" if error.schema_path[-1] == "maxLength" else "least"
        return f"has {len(str(error.instance))} characters; it must have at {bound} {kind.limit}"
    return f"is no {_at(error).get('title')}; it must match {kind.pattern}"


def _alternatives(error: jsonschema_rs.ValidationError) -> str:
    options = []
    for option in _at(error)[str(error.schema_path[-1])]:
        if "const" in option:
            options.append(shown(option["const"]))
        else:
            options.append(option["$ref"].rpartition("/")[2] if "$ref" in option else _an(option["type"]))
    return " or ".join(options)


def _at(error: jsonschema_rs.ValidationError) -> Any:
    """The subschema whose keyword refused, found by its absolute location."""
    document, _, pointer = str(error.absolute_keyword_location).partition("#")
    for name in SCHEMA_FILES:
        if schema_of(name)["$id"] == document:
            schema = schema_of(name)
            for step in pointer.split("/")[1:-1]:
                step = step.replace("~1", "/").replace("~0", "~")
                schema = schema[int(step) if isinstance(schema, list) else step]
            return schema
    return {}


def _typed(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    if value is None:
        return "null"
    word = names.get(type(value))
    shape = word in ("array", "object") or word is None
    return _an(word or type(value).__name__) if shape else f"the {word} {shown(value)}"


def _an(word: str) -> str:
    return word if word == "null" else f"{'an' if word[0] in 'aio' else 'a'} {word}"


def _known() -> str:
    return f"Known are {', '.join(_NAMED)}."
