"""The model as JSON Schema again: for programs that read schemas, and for the check that the model has everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generate.model import (
    ABSENT,
    LINE_BREAKS,
    AnyObject,
    Array,
    Boolean,
    Bounds,
    Constant,
    Definition,
    Demand,
    Document,
    FreeText,
    Integer,
    Integers,
    Map,
    Member,
    Nullable,
    Number,
    Record,
    Reference,
    Rule,
    Scalar,
    Text,
    Type,
    Words,
)

Describe = Callable[[str], str | None]
"""What is written for a description; None leaves it out."""


class Writer:
    """Writes types as schemas."""

    def __init__(self, reference: Callable[[str], str], describe: Describe = lambda text: text) -> None:
        self.reference = reference
        """The $ref to the definition of a name."""
        self.describe = describe

    def definition(self, definition: Definition) -> dict[str, Any]:
        """The schema of a definition, rules left out."""
        return {"title": definition.name, **self._described(definition.description), **self.type(definition.type)}

    def document(self, document: Document) -> dict[str, Any]:
        """The schema of a document, with the rules that a schema can state."""
        schema = self.definition(document.definition)
        return schema | ({"allOf": [self.rule(rule) for rule in document.rules]} if document.rules else {})

    def type(self, type_: Type) -> dict[str, Any]:
        """The schema of a type."""
        schema: dict[str, Any]
        match type_:
            case Reference(name):
                return {"$ref": self.reference(name)}
            case Nullable(of):
                return {"anyOf": [self.type(of), {"type": "null"}]}
            case Text(most, pattern, example):
                kept_out = {"pattern": f"[{LINE_BREAKS}]"}
                form: dict[str, Any] = {"type": "string", "maxLength": most, "pattern": pattern, "not": kept_out}
                return {"examples": [example], **form}
            case FreeText(least, most):
                return {"type": "string", "minLength": least, "maxLength": most}
            case Constant(value):
                return {"type": "string", "const": value}
            case Words(words):
                options = [{"const": word.value, **self._described(word.description)} for word in words]
                return {"type": "string", "oneOf": options}
            case Integers(integers):
                numbers: list[dict[str, Any]] = [
                    {"title": each.name, "const": each.value, **self._described(each.description)} for each in integers
                ]
                return {"type": "integer", "oneOf": numbers}
            case Integer(least, most):
                return {"type": "integer", "minimum": least, "maximum": most}
            case Number(bounds):
                return {"type": "number", **_bounds(bounds)}
            case Boolean():
                return {"type": "boolean"}
            case Array(items, least, most, unique):
                schema = {"type": "array", "items": self.type(items)}
                schema |= {"minItems": least} if least else {}
                schema |= {"maxItems": most}
                return schema | ({"uniqueItems": True} if unique else {})
            case Map(names, values, most):
                members_of = {"propertyNames": self.type(names), "additionalProperties": self.type(values)}
                return {"type": "object", **members_of, "maxProperties": most}
            case AnyObject(most):
                return {"type": "object", "maxProperties": most}
            case Record(members):
                schema = {"type": "object", "properties": {member.name: self.member(member) for member in members}}
                required = [member.name for member in members if member.required]
                return schema | ({"required": required} if required else {}) | {"additionalProperties": False}

    def member(self, member: Member) -> dict[str, Any]:
        """The schema of a member."""
        default: object = [] if member.default == () else member.default
        given = {} if member.default is ABSENT else {"default": default}
        return {**self._described(member.description), **self.type(member.type), **given}

    def rule(self, rule: Rule) -> dict[str, Any]:
        """A rule as a branch of allOf."""
        schema: dict[str, Any] = {}
        for case in reversed(rule.cases):
            asked = {rule.member: _listed(case.values)}
            then: dict[str, Any] = {"properties": {demand.member: _demand(demand) for demand in case.demands}}
            if required := [demand.member for demand in case.demands if demand.required]:
                then["required"] = required
            branch: dict[str, Any] = {"if": {"properties": asked, "required": [rule.member]}, "then": then}
            schema = branch | ({"else": schema} if schema else {})
        return {"title": rule.id, **self._described(rule.sentence), **schema}

    def _described(self, description: str) -> dict[str, str]:
        written = self.describe(description)
        return {} if written is None else {"description": written}


def _bounds(bounds: Bounds) -> dict[str, Any]:
    given = {
        "minimum": bounds.minimum,
        "exclusiveMinimum": bounds.exclusive_minimum,
        "maximum": bounds.maximum,
        "exclusiveMaximum": bounds.exclusive_maximum,
    }
    return {word: bound for word, bound in given.items() if bound is not None}


def _demand(demand: Demand) -> dict[str, Any]:
    schema = _listed(demand.values) if demand.values else {}
    if demand.types:
        schema["type"] = demand.types[0] if len(demand.types) == 1 else list(demand.types)
    limits = {"minProperties": demand.min_members, "maxProperties": demand.max_members}
    return schema | _bounds(demand.bounds) | {word: limit for word, limit in limits.items() if limit is not None}


def _listed(values: tuple[Scalar, ...]) -> dict[str, Any]:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
