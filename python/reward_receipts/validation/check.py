"""Running the schemas themselves: is this plain JSON value a contract, a receipt, a reward spec?"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final

import jsonschema_rs

from ..core.codes import catalogue, note, sentence
from ..core.findings import Finding
from ..core.generated.tables import MAX_FINDINGS
from ..core.schema_files import read_schema_file
from .document_rules import component_names_unique, expiry_fits
from .schemas import DataKind, Kind, kind_of, schema_of
from .sentences import Definitions, faults
from .spec_rules import spec_findings

MAX_VALUES: Final = 20_000
"""More values than any document of bounded arrays has, containers among them."""


def check_document(value: Any, kind: Kind | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value as a document of a kind, or of the kind that it names."""
    named = kind or kind_of(value)
    return (named,) if isinstance(named, Finding) else check(named, value)


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
    return found if beyond is None else (*found, *islice(beyond(value), MAX_FINDINGS))


def is_valid(kind: Kind | DataKind, value: Any) -> bool:
    """Whether the schema of a kind accepts a value that the caller knows to be small. Rules beyond it are not run."""
    return _validator(kind, None)[0].is_valid(value)


def fits(file: str, value: Any) -> bool:
    """Whether a plain JSON value is valid under a file of ``schemas/`` that defines no document: a keyring, say."""
    return _file_validator(file).is_valid(value)


def check_file(file: str, value: Any) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value under a file of ``schemas/`` that defines no document."""
    try:
        if is_small(value) and fits(file, value):
            return ()
    except (TypeError, ValueError):  # the engine takes only what JSON has; the walker says what it is
        pass
    schema = read_schema_file(file)
    named = {**schema_of("common")["$defs"], **schema.get("$defs", {})}
    return _first(_shape_findings(schema, value, lambda reference: named[reference.rpartition("/")[2]]))


@cache
def _file_validator(file: str) -> jsonschema_rs.Draft202012Validator:
    schema, common = read_schema_file(file), schema_of("common")
    registry = jsonschema_rs.Registry([(schema["$id"], schema), (common["$id"], common)])
    return jsonschema_rs.Draft202012Validator(schema, registry=registry)


def is_small(value: Any) -> bool:
    """Whether a value has at most MAX_VALUES values."""
    left = MAX_VALUES
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
    """The first MAX_FINDINGS in their order; the last of them says how many more there are."""
    total = 0

    def counted() -> Iterator[Finding]:
        nonlocal total
        for finding, also in found:
            total += 1 + also
            yield finding

    kept = heapq.nsmallest(MAX_FINDINGS, counted(), key=_order)
    return with_more(kept, total - len(kept))


def with_more(findings: Sequence[Finding], more: int) -> tuple[Finding, ...]:
    """Findings, the last of which says how many more there are."""
    if not more:
        return tuple(findings)
    *others, last = findings
    return (*others, replace(last, sentence=f"{last.sentence} {note('more-findings', count=more)}"))


@cache
def _validator(kind: Kind | DataKind, part: str | None) -> tuple[jsonschema_rs.Draft202012Validator, Any, Definitions]:
    """The engine, the schema, and what finds its definitions."""
    schema, common = schema_of(kind), schema_of("common")
    registry = jsonschema_rs.Registry([(schema["$id"], schema), (common["$id"], common)])
    target = schema if part is None else {"$ref": f"{schema['$id']}#/$defs/{part}"}
    named = {**common["$defs"], **schema.get("$defs", {})}  # a name appears once over all files
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


_BEYOND_SCHEMA: Final[dict[Kind | DataKind, Callable[[Any], Iterable[Finding]]]] = {
    "contract": component_names_unique,
    "certificate": expiry_fits,
    "spec": spec_findings,
}


def _order(finding: Finding) -> tuple[int, str, str]:
    return _rule_order().get(finding.code, -1), finding.pointer, finding.code


@cache
def _rule_order() -> dict[str, int]:
    return {code.id: place for place, code in enumerate(catalogue().values()) if code.layer == "rules"}
