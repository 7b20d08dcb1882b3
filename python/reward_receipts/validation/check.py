"""Running the schemas themselves: is this plain JSON value a contract, a receipt, a reward spec?"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final, Literal

import jsonschema_rs

from ..core.codes import SCHEMA_FILES, catalogue, read_schema_file, sentence
from ..core.findings import Finding, shown
from ..core.generated.tables import MAX_POLICY_UPDATE
from .sentences import Definitions, faults, is_whole, typed
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


MOST_FINDINGS: Final = 1000
"""How many findings a document gets from its schema, and from each further rule: the first in their order. Whoever
corrects these sees the next; a text of 1 MiB could make half a million."""

MOST_VALUES: Final = 20_000
"""More values than any document of bounded arrays has, containers among them."""


def kind_of(value: Any) -> Kind | Finding:
    """The kind that a plain JSON value says it is, or what keeps it from saying so."""
    if type(value) is not dict:
        return Finding("schema.type", f"Expected a document, which is a JSON object; found {typed(value)}.")
    if "schema_version" not in value:
        what = f"schema_version is missing; a document names its kind. {_known()}"
        return Finding("schema.required", f"{what}{_likely_mistake(value)}")
    version = value["schema_version"]
    kind = _NAMED.get(version) if type(version) is str else None
    if kind is None:
        return Finding("schema.enum", f"Found {shown(version)}, no known kind. {_known()}", ("schema_version",))
    return kind


def _likely_mistake(value: dict[str, Any]) -> str:
    """What an object without a kind may be instead of a document, as one more sentence; "" if there is no sign."""
    for name, member in value.items():
        version = member.get("schema_version") if type(member) is dict else None
        if type(version) is str and version in _NAMED:
            return f" Its member {shown(name)} is a document; take it out of its envelope."
    return " This looks like a private key file, which is not a document." if "private_key" in value else ""


def check(kind: Kind | DataKind, value: Any, part: str | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value as a document of a kind: shape, then rules; () where nothing is.

    ``part`` names a definition inside the kind's schema to check against instead (``RewardOracleV1``).
    """
    engine, schema, definitions = _validator(kind, part)
    # The engine copies a value; one that is too large to hold is left to the walker, which does not.
    small = is_small(value)
    if small and engine.is_valid(value):
        found: tuple[Finding, ...] = ()
    else:
        found = _first(_shape_findings(schema, value, definitions))
        assert found or not small, "the engine refuses what the walker accepts"
    beyond = _BEYOND_SCHEMA.get(kind) if part is None else None
    return found if beyond is None else (*found, *islice(beyond(value), MOST_FINDINGS))


def is_small(value: Any) -> bool:
    """Whether a value has at most MOST_VALUES values."""
    left = MOST_VALUES
    containers = [value]
    for each in containers:
        if type(each) is dict:
            each = each.values()
        elif type(each) is not list:
            continue
        left -= len(each)
        if left < 0:
            return False
        containers += [item for item in each if type(item) is dict or type(item) is list]
    return True


def _shape_findings(schema: Any, value: Any, definitions: Definitions) -> Iterator[tuple[Finding, int]]:
    """A finding for each keyword that refuses, under its rule if it is part of one; how many more each stands for."""
    for fault in faults(schema, value, definitions):
        yield Finding(f"schema.{fault.keyword}", fault.found, fault.path), fault.also
    for rule in schema.get("allOf", ()):
        for fault in faults(rule, value, definitions):
            yield Finding(rule["title"], f"{sentence(rule['title'])} {fault.found}", fault.path), fault.also


def _first(found: Iterable[tuple[Finding, int]]) -> tuple[Finding, ...]:
    """The first MOST_FINDINGS in their order; the last of them says how many more there are."""
    total = 0

    def counted() -> Iterator[Finding]:
        nonlocal total
        for finding, also in found:
            total += 1 + also
            yield finding

    kept = heapq.nsmallest(MOST_FINDINGS, counted(), key=_order)
    return with_more(kept, total - len(kept))


def with_more(findings: Sequence[Finding], more: int) -> tuple[Finding, ...]:
    """Findings, the last of which says how many more there are."""
    if not more:
        return tuple(findings)
    *others, last = findings
    said = f"{last.sentence} And {more} more {'finding' if more == 1 else 'findings'}."
    return (*others, replace(last, sentence=said))


@cache
def _validator(kind: Kind | DataKind, part: str | None) -> tuple[jsonschema_rs.Draft202012Validator, Any, Definitions]:
    """The engine, the schema, and what finds its definitions."""
    schema, common = schema_of(kind), schema_of("common")
    registry = jsonschema_rs.Registry([(schema["$id"], schema), (common["$id"], common)])
    target = schema if part is None else {"$ref": f"{schema['$id']}#/$defs/{part}"}
    named = {**common["$defs"], **schema.get("$defs", {})}  # a name stands once over all files
    definitions = {ref: named[ref.rpartition("/")[2]] for ref in _references([target, named, schema])}
    return jsonschema_rs.Draft202012Validator(target, registry=registry), target, definitions.__getitem__


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from _references(each)
    elif isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        yield from _references([*part.values()])


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
    if not (is_whole(issued) and is_whole(updates)):
        return
    if int(issued) + int(updates) > MAX_POLICY_UPDATE:
        code = "certificate.expiry-fits"
        found = f"{int(issued)} + {int(updates)} is {int(issued) + int(updates)}."
        yield Finding(code, f"{sentence(code)} {found}", ("expiry_policy_updates",))


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


def _known() -> str:
    return f"Known are {', '.join(_NAMED)}."
