"""Mutants of the hand-written schemas: every keyword left out, loosened and tightened by the smallest step there is."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pattern_mutants
from reward_receipts.validation.schemas import schema_of

FILES: Final = ("common", "contract", "certificate", "receipt", "document", "spec")
"""The files that the corpus speaks about: trace rows and regime reports are written and read by the package only."""

# What says nothing of a document. A default is mutated where it acts: in the models, see default_mutants.
_ANNOTATIONS: Final = ("$schema", "$id", "description", "default", "examples")
_TYPES: Final = ("null", "boolean", "number", "string", "array", "object")
_LIMITS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_LISTS: Final = ("allOf", "anyOf", "oneOf")

Steps = tuple[str | int, ...]


@dataclass(frozen=True)
class SchemaMutant:
    """A schema file with one subschema replaced."""

    name: str
    """The file, the place of the keyword, and what was done to it: stable, unique."""
    file: str
    at: Steps
    replacement: Any

    def schema(self) -> Any:
        """The whole file, mutated."""
        return _replaced(schema_of(self.file), self.at, self.replacement)


def schema_mutants() -> Iterator[SchemaMutant]:
    """All mutants of all files, in the order of the files."""
    for file in FILES:
        yield from _of_schema(file, (), schema_of(file))


def _replaced(schema: Any, at: Steps, replacement: Any) -> Any:
    if not at:
        return replacement
    changed = copy.copy(schema)
    changed[at[0]] = _replaced(schema[at[0]], at[1:], replacement)
    return changed


def _of_schema(file: str, at: Steps, schema: dict[str, Any]) -> Iterator[SchemaMutant]:
    for keyword, value in schema.items():
        rule = file == "receipt" and at[:1] == ("allOf",)  # the title of a rule is its id
        if keyword in _ANNOTATIONS or keyword == "$defs" or (keyword == "title" and not rule):
            continue
        for words, changed in _changes(file, at, keyword, value, schema):
            pointer = "/".join(map(str, (*at, keyword)))
            yield SchemaMutant(f"{file}#/{pointer}: {words}", file, at, changed)
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs"):
            for name, inner in value.items():
                yield from _of_schema(file, (*at, keyword, name), inner)
        elif keyword in _LISTS:
            for index, inner in enumerate(value):
                if set(inner) - {"const", "title", "description"}:  # a const is mutated as a member of the list
                    yield from _of_schema(file, (*at, keyword, index), inner)
        elif isinstance(value, dict) and keyword != "default":
            yield from _of_schema(file, (*at, keyword), value)


def _changes(
    file: str, at: Steps, keyword: str, value: Any, schema: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is done to a keyword, and the schema that it then is in."""
    rest = {name: other for name, other in schema.items() if name != keyword}

    def with_(changed: Any) -> dict[str, Any]:
        return {**schema, keyword: changed}

    if keyword == "title":
        yield "that of the next rule", with_(_next_title(value))
        return
    yield "left out", rest
    if keyword == "type":
        yield from ((words, with_(changed)) for words, changed in _types(value))
    elif keyword == "const":
        for other in _others(at, [value]):
            yield f"or {other!a}", {**rest, "enum": [value, other]}
            yield f"{other!a} for it", with_(other)
    elif keyword == "enum":
        for index, member in enumerate(value):
            if len(value) > 1:
                yield f"without {member!a}", with_(value[:index] + value[index + 1 :])
        for other in _others(at, value):
            yield f"with {other!a}", with_([*value, other])
    elif keyword in _LISTS:
        yield from ((words, with_(changed)) for words, changed in _members(keyword, value))
    elif keyword in _LIMITS:
        yield from ((f"{value + step}", with_(value + step)) for step in (-1, 1) if value + step >= 0)
    elif keyword in _BOUNDS:
        yield from _bounds(keyword, value, schema, rest)
    elif keyword == "pattern":
        for words, changed in _patterns(value):
            yield words, with_(changed)
    elif keyword == "required":
        for index, name in enumerate(value):
            yield f"without {name}", with_(value[:index] + value[index + 1 :])
        for name in schema.get("properties", {}):
            if name not in value:
                yield f"with {name}", with_([*value, name])
    elif keyword == "properties":
        for name in value:
            yield f"without {name}", with_({other: inner for other, inner in value.items() if other != name})
            yield f"anything for {name}", with_({**value, name: {}})
    elif keyword in ("additionalProperties", "items", "propertyNames", "if", "then", "else", "not"):
        if value is not False and keyword != "then":
            yield "false", with_(False)
        if keyword in ("if", "not"):
            yield "true", with_(True)
    elif keyword == "uniqueItems":
        yield "false", with_(False)
    elif keyword == "$ref":
        for other in _siblings(file, value):
            yield f"to {other}", with_(other)
    else:
        raise ValueError(f"no mutants for the keyword {keyword}")


def _next_title(title: str) -> str:
    titles = [branch["title"] for branch in schema_of("receipt")["allOf"]]
    return titles[(titles.index(title) + 1) % len(titles)]


def _types(value: Any) -> Iterator[tuple[str, Any]]:
    given = [value] if isinstance(value, str) else value
    for name in _TYPES:
        if name not in given and not (name == "number" and "integer" in given):
            yield f"or {name}", [*given, name]
    for index, name in enumerate(given):
        if len(given) > 1:
            yield f"without {name}", [*given[:index], *given[index + 1 :]]
        if name in ("integer", "number"):
            other = "number" if name == "integer" else "integer"
            yield f"{other} for {name}", [*given[:index], other, *given[index + 1 :]]


def _others(at: Steps, values: list[Any]) -> list[Any]:
    """Values that a const or an enum could take in. In a rule, those that the member itself can have."""
    if at[0] != "allOf" or at[-1] == "schema_version":
        return list(_near_all(values))
    ref = schema_of("receipt")["properties"][at[-1]].get("$ref", "")
    known = schema_of("common")["$defs"][ref.rpartition("/")[2]]["oneOf"] if ref else [{"const": not values[0]}]
    return [branch["const"] for branch in known if branch["const"] not in values]


def _near(value: Any) -> Iterator[Any]:
    """Values that are not the given one, and as near to it as such a value can be."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    else:
        yield value.upper()


def _near_all(values: list[Any]) -> Iterator[Any]:
    if isinstance(values[0], bool):
        yield not values[0]
    elif all(isinstance(value, str) for value in values):
        known = set(values)
        yield from (other for value in values for other in _near(value) if other not in known)
    else:
        yield min(values) - 1
        yield max(values) + 1


def _members(keyword: str, branches: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    for index, branch in enumerate(branches):
        if len(branches) > 1:
            yield f"without branch {_shown(branch, index)}", branches[:index] + branches[index + 1 :]
        if keyword != "allOf":
            yield f"branch {_shown(branch, index)} takes anything", [*branches[:index], {}, *branches[index + 1 :]]
    if all("const" in branch for branch in branches):
        for other in _near_all([branch["const"] for branch in branches]):
            yield f"with {other!a}", [*branches, {"const": other}]
    elif keyword != "allOf":
        for name in _TYPES:
            if {"type": name} not in branches:
                yield f"or {name}", [*branches, {"type": name}]


def _shown(branch: Any, index: int) -> Any:
    return branch.get("const", branch.get("title", branch.get("$ref", index)))


def _bounds(
    keyword: str, value: float, schema: dict[str, Any], rest: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    if schema.get("type") == "integer":
        steps: list[float] = [value - 1, value + 1]
    else:
        steps = [math.nextafter(value, -math.inf), math.nextafter(value, math.inf)]
    for step in steps:
        yield f"{step!r}", {**schema, keyword: step}
    strict = keyword.startswith("exclusive")
    yield (
        "inclusive" if strict else "exclusive",
        {**rest, (keyword[9:].lower() if strict else f"exclusive{keyword.capitalize()}"): value},
    )


def _patterns(pattern: str) -> Iterator[tuple[str, str]]:
    if pattern.startswith("^"):
        yield from pattern_mutants.mutants(pattern)
        return
    # The one pattern without anchors: the line ends that no text may hold.
    for char in pattern[1:-1]:
        yield f"without {char!a}", pattern.replace(char, "")
    yield "with 0", f"[0{pattern[1:]}"


def _siblings(file: str, ref: str) -> Iterator[str]:
    """The references to other definitions of the same type."""
    source, _, name = ref.partition("#/$defs/")
    if not name:
        return  # the umbrella names whole documents: its branches are mutated as members of their list
    definitions = schema_of("common" if source else file)["$defs"]
    for other, definition in definitions.items():
        if other != name and _base_type(definition) == _base_type(definitions[name]):
            yield f"{source}#/$defs/{other}"


def _base_type(definition: dict[str, Any]) -> str:
    kind: str = definition.get("type", "alternatives")
    return "number" if kind == "integer" else kind
