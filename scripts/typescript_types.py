"""TypeScript types from schemas, for scripts/generate.py.

Each definition and each document gives a type of the completed value. Where a member has a default there is a second
one, ``...Input``, in which that member may be left out. A rule (an ``if`` and ``then``) narrows: the member it asks
about becomes the tag of a union. A keyword that has no meaning here stops the script, so that none is ever dropped.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any

from emitted_text import typescript_comment as comment

NOTES = frozenset(("$schema", "$id", "title", "description", "default", "examples"))
"""What says nothing about a value, or is read elsewhere."""

UNSAID = {
    "string": frozenset(("minLength", "maxLength", "pattern", "not")),
    "number": frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")),
    "integer": frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")),
    "array": frozenset(("minItems", "maxItems", "uniqueItems")),
    "object": frozenset(("minProperties", "maxProperties")),
    "boolean": frozenset[str](),
    "null": frozenset[str](),
}
"""What no type can say, by the JSON type it is about: the validators do."""

OF_TYPE = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
CONDITION = ("if", "then", "else")


@dataclass(frozen=True)
class Spot:
    """A schema, and where it is."""

    file: str
    path: tuple[str | int, ...]
    value: Any

    def into(self, *steps: str | int) -> Spot:
        value = self.value
        for step in steps:
            value = value[step]
        return Spot(self.file, (*self.path, *steps), value)

    def each(self, keyword: str) -> list[Spot]:
        """The schemas in the list under a keyword; none where it is not there."""
        return [self.into(keyword, index) for index in range(len(self.value.get(keyword, ())))]

    def stop(self, keyword: str, why: str) -> SystemExit:
        pointer = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in (*self.path, keyword))
        return SystemExit(f"schemas/{self.file}#{pointer}: no TypeScript type for the keyword {keyword}: {why}")

    def only(self, *known: str) -> None:
        """Stops where there is a keyword beside the known ones."""
        for keyword in self.value:
            if keyword not in NOTES and keyword not in known:
                raise self.stop(keyword, "scripts/typescript_types.py does not know it here")


@dataclass(frozen=True)
class Demand:
    """What a rule asks of a document in which ``member`` is one of ``values``."""

    member: str
    values: tuple[Any, ...]
    then: Spot
    reason: str


def types(files: dict[str, Any]) -> str:
    """Declarations for all definitions and documents in schema files, given by file name."""
    blocks: dict[str, str] = {}
    for file, schema in files.items():
        root = Spot(file, (), schema)
        spots = [root.into("$defs", name) for name in schema.get("$defs", {})]
        spots += [root] if schema.keys() - NOTES - {"$defs"} else []
        for spot in spots:
            name = name_of(spot)
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", name) or iskeyword(name):
                raise spot.stop("title", f"{json.dumps(name)} cannot be the name of a type")
            if name in blocks:
                raise spot.stop("title", f"there are two types {name}")
            blocks[name] = Emitter(files, lenient=False).declaration(spot)
            if has_defaults(files, spot):
                blocks[f"{name}Input"] = Emitter(files, lenient=True).declaration(spot)
    return "\n".join(blocks.values())


def described(spot: Spot) -> str:
    """What a listed value means, after the name that it has where it is a number."""
    return ": ".join(spot.value[word] for word in ("title", "description") if word in spot.value)


def name_of(spot: Spot) -> str:
    return str(spot.value.get("title", spot.path[-1] if spot.path else spot.file))


def target(files: dict[str, Any], spot: Spot) -> Spot:
    """What a ``$ref`` refers to."""
    file, _, pointer = spot.value["$ref"].partition("#")
    root = Spot(file or spot.file, (), files[file or spot.file])
    return root.into(*pointer.split("/")[1:])


def has_defaults(files: dict[str, Any], spot: Spot) -> bool:
    """Whether something may be left out of a value, at any depth."""
    if "$ref" in spot.value:
        return has_defaults(files, target(files, spot))
    properties = [spot.into("properties", name) for name in spot.value.get("properties", {})]
    below = [*properties, *spot.each("anyOf"), *spot.each("oneOf")]
    below += [spot.into(word) for word in ("items", "additionalProperties") if isinstance(spot.value.get(word), dict)]
    return any("default" in each.value for each in properties) or any(has_defaults(files, each) for each in below)


class Emitter:
    """Writes the types of completed values, or, ``lenient``, of those whose defaults may be left out."""

    def __init__(self, files: dict[str, Any], *, lenient: bool) -> None:
        self.files = files
        self.lenient = lenient

    def declaration(self, spot: Spot) -> str:
        """The exported type of a definition or a document."""
        name = name_of(spot) + ("Input" if self.lenient else "")
        said = spot.value.get("description", "")
        said += " What has a default may be left out." if self.lenient else ""
        apart = {"allOf", *(CONDITION if "if" in spot.value else ()), *(() if spot.path else ("$defs",))}
        plain = Spot(spot.file, spot.path, {word: value for word, value in spot.value.items() if word not in apart})
        members, unions = self.expression(plain), self.unions(plain, list(self.demands(spot)))
        parts = [self.expression(each, closed=False) for each in spot.each("allOf") if "if" not in each.value]
        text = ""
        if unions:
            text += comment(f"The members of {name}, before its rules.") + f"type {name}Members = {members};\n\n"
            members = f"{name}Members"
        parts.append(f"({members})" if parts and " | " in members else members)
        for tag, cases in unions.items():
            parts.append(f"{name}By{''.join(word.capitalize() for word in tag.split('_'))}")
            means = plain.into("properties", tag).value.get("description", "")
            text += comment(f"What follows from {tag}. {means}")
            text += f"type {parts[-1]} ={alternatives(cases)};\n\n"
        whole = " & ".join(parts)
        return text + comment(said) + f"export type {name} ={'' if whole.startswith(chr(10)) else ' '}{whole};\n"

    def expression(self, spot: Spot, *, closed: bool = True) -> str:
        """The type of a schema."""
        schema = spot.value
        if not isinstance(schema, dict):
            raise Spot(spot.file, spot.path[:-1], None).stop(str(spot.path[-1]), f"it is {json.dumps(schema)}")
        if "$ref" in schema:
            spot.only("$ref")
            to = target(self.files, spot)
            return name_of(to) + ("Input" if self.lenient and has_defaults(self.files, to) else "")
        if "oneOf" in schema and all("const" in each.value for each in spot.each("oneOf")):
            spot.only("type", "oneOf")
            return alternatives([comment(described(each)) + self.expression(each) for each in spot.each("oneOf")])
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema:
                spot.only(keyword)
                return union([self.expression(each) for each in spot.each(keyword)])
        if "const" in schema or "enum" in schema:
            spot.only("type", "const" if "const" in schema else "enum")
            return union(listed_values(schema))
        if "type" not in schema:
            keyword = next(iter(schema.keys() - NOTES), "type")
            raise spot.stop(keyword, "a schema needs $ref, oneOf, anyOf, const, enum or type")
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if unknown := [name for name in names if name not in UNSAID]:
            raise spot.stop("type", f"there is no type {unknown[0]}")
        shapes = {"array": ("items",), "object": ("properties", "required", "propertyNames", "additionalProperties")}
        spot.only("type", *(word for name in names for word in (*UNSAID[name], *shapes.get(name, ()))))
        return union([self.typed(spot, name, closed) for name in names])

    def typed(self, spot: Spot, name: str, closed: bool) -> str:
        schema = spot.value
        if name in OF_TYPE:
            if schema.get("not", {"pattern": ""}).keys() != {"pattern"}:
                raise spot.stop("not", "it can only keep a pattern out of a text")
            return OF_TYPE[name]
        if name == "array":
            if "items" not in schema:
                raise spot.stop("items", "an array must say what its items are")
            item = self.expression(spot.into("items"))
            if schema.get("minItems") == schema.get("maxItems", 0):
                return f"readonly [{', '.join([item] * schema['maxItems'])}]"
            return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
        others = schema.get("additionalProperties")
        if unknown := set(schema.get("required", ())) - schema.get("properties", {}).keys():
            raise spot.stop("required", f"nothing says what {', '.join(sorted(unknown))} is")
        if "properties" in schema and (others is False or not closed):
            return block(self.member(spot, each) for each in schema["properties"])
        if "properties" not in schema and isinstance(others, dict):
            return self.map_of(spot, self.expression(spot.into("additionalProperties")))
        raise spot.stop("additionalProperties", "an object has named members and no others, or is a map")

    def member(self, spot: Spot, name: str) -> str:
        schema = spot.into("properties", name)
        optional = name not in spot.value.get("required", ()) and (self.lenient or "default" not in schema.value)
        said = schema.value.get("description", "")
        if self.lenient and "default" in schema.value:
            said += f" Left out, it is {json.dumps(schema.value['default'])}."
        return comment(said) + line(name, self.expression(schema), optional=optional)

    # Rules

    def demands(self, spot: Spot) -> Iterator[Demand]:
        for each in [spot, *spot.each("allOf")]:
            if "if" in each.value:
                if each is not spot:
                    each.only(*CONDITION)
                reason = ": ".join(each.value[word] for word in ("title", "description") if word in each.value)
                yield from self.branches(spot, each, "" if each is spot else reason)

    def branches(
        self, document: Spot, rule: Spot, reason: str, other_than: tuple[str, list[Any]] | None = None
    ) -> Iterator[Demand]:
        """What a condition asks; in the else of another one, only of the values that the other did not take."""
        condition = rule.into("if")
        condition.only("properties", "required")
        if len(asked := condition.value.get("properties", {})) != 1:
            raise rule.stop("if", "it must ask about one member")
        (member,) = asked
        if not re.fullmatch(r"[a-z][a-z0-9_]*", member):
            raise rule.stop("if", f"{json.dumps(member)} cannot be a part of a type's name")
        everything = self.values(document.into("properties", member))
        if everything is None or member not in document.value.get("required", ()):
            raise rule.stop("if", f"{member} must be given, and one of a few values")
        if other_than is not None and other_than[0] != member:
            raise rule.stop("if", f"in the else of a condition on {other_than[0]} it must ask about that too")
        taken = [] if other_than is None else other_than[1]
        asks = condition.into("properties", member)
        asks.only("const", "enum")
        asked_for = asks.value.get("enum", [asks.value.get("const")])
        values = [value for value in everything if value in asked_for and value not in taken]
        rest = [value for value in everything if value not in asked_for and value not in taken]
        for word, those in (("then", values), ("else", rest)):
            half = rule.into(word) if word in rule.value else Spot(rule.file, (*rule.path, word), {})
            if "if" in half.value:
                if word == "then":
                    raise half.stop("if", "it can only follow in an else")
                half.only(*CONDITION)
                yield from self.branches(document, half, reason, (member, [*taken, *values]))
                continue
            half.only("properties", "required")
            for name in half.value.get("properties", {}):
                if name not in document.value["properties"]:
                    raise half.into("properties").stop(name, "the document has no such member")
            yield Demand(member, tuple(those), half, reason)

    def values(self, spot: Spot) -> list[Any] | None:
        """All values that a schema allows, where they are few."""
        schema = spot.value
        if "$ref" in schema:
            return self.values(target(self.files, spot))
        if "oneOf" in schema:
            return [each.get("const") for each in schema["oneOf"]]
        return [False, True] if schema.get("type") == "boolean" else schema.get("enum")

    def unions(self, document: Spot, demands: list[Demand]) -> dict[str, list[str]]:
        """The cases by the member that tells them apart."""
        tags = dict.fromkeys(demand.member for demand in demands)
        cases = {tag: self.cases(document, tag, [each for each in demands if each.member == tag]) for tag in tags}
        return {tag: found for tag, found in cases.items() if found}

    def cases(self, document: Spot, tag: str, demands: list[Demand]) -> list[str]:
        """The union over a tag's values, those of equal effect together; empty where the values have no effect."""
        by_effect: dict[str, list[Any]] = {}
        for value in self.values(document.into("properties", tag)) or ():
            by_effect.setdefault(self.effect(document, [d for d in demands if value in d.values]), []).append(value)
        if len(by_effect) < 2:
            return []
        head = comment(document.into("properties", tag).value.get("description", ""))
        tagged = {union([json.dumps(value) for value in values]): effect for effect, values in by_effect.items()}
        return [block([head + line(tag, values, optional=False), effect]) for values, effect in tagged.items()]

    def effect(self, document: Spot, demands: list[Demand]) -> str:
        """The members of a document that demands narrow, as they make them."""
        text = ""
        for name in document.value["properties"]:
            asked = [demand for demand in demands if name in demand.then.value.get("properties", {})]
            base = document.into("properties", name)
            narrow = self.narrowed(base, [demand.then.into("properties", name) for demand in asked])
            needed = any(name in demand.then.value.get("required", ()) for demand in demands)
            optional = self.lenient and "default" in base.value
            if narrow != self.expression(base) or (optional and needed):
                reasons = " ".join(demand.reason for demand in asked if demand.reason)
                text += comment(reasons) + line(name, narrow, optional=optional and not needed)
        return text

    def narrowed(self, base: Spot, demands: list[Spot]) -> str:
        """The type of a member that also meets demands."""
        options, listed = self.options(base), None
        for demand in demands:
            types = json_types(demand.value.get("type", []))
            demand.only("type", "const", "enum", *(word for name in types for word in UNSAID[name]))
            if types:
                options = [(found, text) for found, text in options if found & types]
            if demand.value.get("maxProperties") == 0:
                options = [(types, self.map_of(base, "never"))]
            if "const" in demand.value or "enum" in demand.value:
                values = listed_values(demand.value)
                listed = values if listed is None else [value for value in listed if value in values]
        return union([text for _, text in options] if listed is None else listed)

    def options(self, spot: Spot) -> list[tuple[frozenset[str], str]]:
        """The alternatives of a schema: which JSON types each has, and its type here."""
        if "anyOf" in spot.value:
            return [option for each in spot.each("anyOf") for option in self.options(each)]
        if isinstance(names := spot.value.get("type"), list):
            return [(json_types(name), self.typed(spot, name, True)) for name in names]
        to = target(self.files, spot) if "$ref" in spot.value else spot
        return [(json_types(to.value.get("type", list(OF_TYPE))), self.expression(spot))]

    def map_of(self, spot: Spot, values: str) -> str:
        names = self.expression(spot.into("propertyNames")) if "propertyNames" in spot.value else "string"
        return f"Readonly<Record<{names}, {values}>>"


def json_types(names: str | list[str]) -> frozenset[str]:
    """JSON types by name; a number can be an integer."""
    given = frozenset([names] if isinstance(names, str) else names)
    return given | {"integer"} if "number" in given else given


def listed_values(schema: Any) -> list[str]:
    """The literals of ``const`` or ``enum``."""
    return [json.dumps(value) for value in schema.get("enum", [schema.get("const")])]


def union(texts: list[str]) -> str:
    return " | ".join(texts) or "never"


def alternatives(texts: list[str]) -> str:
    """A union with a line or more for each of its types."""
    return "".join(f"\n  | {textwrap.indent(text, '    ').lstrip()}" for text in texts)


def block(members: Iterable[str]) -> str:
    return "{\n" + textwrap.indent("".join(members), "  ") + "}"


def line(name: str, text: str, *, optional: bool) -> str:
    key = name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else json.dumps(name)
    return f"readonly {key}{'?' if optional else ''}: {text};\n"
