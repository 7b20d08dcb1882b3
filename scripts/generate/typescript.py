"""Writes generated/typescript: types, tables, codes and the schemas as data.

Each definition and each document gives a type of the completed value. If a member has a default there is a second
one, ``...Input``, in which that member may be left out. A rule narrows: the member that it asks about becomes the tag
of a union.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from generate import COMMAND
from generate.json_schema import Writer
from generate.model import (
    ABSENT,
    CERTIFIED_MINIMUM_TIER,
    AnyObject,
    Array,
    Boolean,
    Constant,
    Definition,
    Demand,
    FreeText,
    Integer,
    Integers,
    Map,
    Member,
    Model,
    Nullable,
    Number,
    Record,
    Reference,
    Rule,
    Scalar,
    Text,
    Type,
    Words,
    references,
)
from generate.texts import block_comment

HEADER = """/*
 * {title}
 *
 * Generated from schemas/. Do not edit: change the schemas, then run
 *
 *     {command}
 */

"""

SCHEMA_KINDS = ("contract", "certificate", "receipt", "spec")
"""The documents that the package checks."""


def emit(model: Model) -> dict[str, str]:
    """The text of each file, by its path under generated/."""
    bodies = {
        "types": ("The reward documents and their parts: types.", types(model)),
        "tables": ("What follows from an outcome and from a channel, and the limits.", tables(model)),
        "codes": ("Every rule and code.", codes(model)),
        "schemas": ("The schemas as data, without what only people read.", schemas(model)),
    }
    return {
        f"typescript/{name}.ts": HEADER.format(title=title, command=COMMAND) + body
        for name, (title, body) in bodies.items()
    }


# Types


def types(model: Model) -> str:
    """Declarations for all definitions and documents."""
    documents = {document.definition.name: document for document in model.documents}
    blocks = []
    for name, definition in model.definitions.items():
        for emitter in (Emitter(model, lenient=False), Emitter(model, lenient=True)):
            if not emitter.lenient or has_defaults(model, definition.type):
                blocks.append(emitter.declaration(definition, documents[name].rules if name in documents else ()))
        if name == model.umbrella.documents[-1].definition.name:
            blocks += [Emitter(model, lenient=lenient).umbrella() for lenient in (False, True)]
    if any(isinstance(member.type, AnyObject) for member in all_members(model)):
        blocks.insert(0, PLAIN_JSON)
    return "\n".join(blocks)


PLAIN_JSON: Final = """/** Any JSON value. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [name: string]: PlainJson };
"""


def all_members(model: Model) -> Iterator[Member]:
    """The members of all records."""
    for definition in model.definitions.values():
        if isinstance(definition.type, Record):
            yield from definition.type.members


def has_defaults(model: Model, type_: Type) -> bool:
    """Whether something may be left out of a value, at any depth."""
    resolved = model.resolved(type_)
    if isinstance(resolved, Record) and any(member.default is not ABSENT for member in resolved.members):
        return True
    return any(has_defaults(model, reference) for reference in references(resolved))


@dataclass(frozen=True)
class Emitter:
    """Writes the types of completed values, or, ``lenient``, of those whose defaults may be left out."""

    model: Model
    lenient: bool

    def name(self, name: str) -> str:
        """The name of the type of a definition."""
        return name + ("Input" if self.lenient and has_defaults(self.model, Reference(name)) else "")

    def description(self, description: str) -> str:
        """The comment of a type."""
        return comment(description + (" What has a default may be left out." if self.lenient else ""))

    def declaration(self, definition: Definition, rules: tuple[Rule, ...]) -> str:
        """The exported type of a definition or a document."""
        name = self.name(definition.name)
        written = self.expression(definition.type)
        unions = self.unions(definition.type, rules) if isinstance(definition.type, Record) else {}
        if not unions:
            space = "" if written.startswith("\n") else " "
            return self.description(definition.description) + f"export type {name} ={space}{written};\n"
        text = comment(f"The members of {name}, before its rules.") + f"type {name}Members = {written};\n\n"
        parts = [f"{name}Members"]
        for tag, (description, cases) in unions.items():
            parts.append(f"{name}By{''.join(word.capitalize() for word in tag.split('_'))}")
            text += comment(f"What follows from {tag}. {description}")
            text += f"type {parts[-1]} ={alternatives(cases)};\n\n"
        return text + self.description(definition.description) + f"export type {name} = {' & '.join(parts)};\n"

    def umbrella(self) -> str:
        """The type of any document of the umbrella."""
        umbrella = self.model.umbrella
        versions = union([json.dumps(document.schema_version) for document in umbrella.documents])
        label = block([comment(umbrella.label_description) + line("schema_version", versions, optional=False)])
        documents = union([self.name(document.definition.name) for document in umbrella.documents])
        name = umbrella.name + ("Input" if self.lenient else "")
        return self.description(umbrella.description) + f"export type {name} = {label} & ({documents});\n"

    def expression(self, type_: Type) -> str:
        """The type of a value."""
        match type_:
            case Reference(name):
                return self.name(name)
            case Nullable(of):
                return union([self.expression(of), "null"])
            case Constant(value):
                return json.dumps(value)
            case Words(words):
                return alternatives([comment(word.description) + json.dumps(word.value) for word in words])
            case Integers(integers):
                described = ((each, f"{each.name}: {each.description}") for each in integers)
                return alternatives([comment(text) + json.dumps(each.value) for each, text in described])
            case Text() | FreeText():
                return "string"
            case Integer() | Number():
                return "number"
            case Boolean():
                return "boolean"
            case Array(items) if type_.length is not None:
                return f"readonly [{', '.join([self.expression(items)] * type_.length)}]"
            case Array(items):
                return f"readonly {self.expression(items)}[]"
            case AnyObject():
                return map_of("string", "PlainJson")
            case Map(names, values):
                return map_of(self.expression(names), self.expression(values))
            case Record(members):
                return block(self.member(member) for member in members)

    def member(self, member: Member) -> str:
        """A member of an object type."""
        has_default = member.default is not ABSENT
        description = member.description
        if self.lenient and has_default:
            description += f" Left out, it is {json.dumps(member.default)}."
        optional = not member.required and (self.lenient or not has_default)
        return comment(description) + line(member.name, self.expression(member.type), optional=optional)

    # Rules

    def unions(self, record: Record, rules: tuple[Rule, ...]) -> dict[str, tuple[str, list[str]]]:
        """By each member that rules ask about: its description, and the cases of a union that it tells apart."""
        found = {}
        for tag in dict.fromkeys(rule.member for rule in rules):
            cases = self.cases(record, tag, [rule for rule in rules if rule.member == tag])
            if len(cases) > 1:
                found[tag] = record.by_name[tag].description, cases
        return found

    def cases(self, record: Record, tag: str, rules: list[Rule]) -> list[str]:
        """The union over a tag's values, those of equal effect together."""
        by_effect: dict[str, list[str]] = {}
        for value in self.model.values_of(record.by_name[tag].type) or ():
            demands = [(rule, demand) for rule in rules for demand in demands_for(rule, value)]
            by_effect.setdefault(self.effect(record, demands), []).append(json.dumps(value))
        head = comment(record.by_name[tag].description)
        return [
            block([head + line(tag, union(values), optional=False), effect]) for effect, values in by_effect.items()
        ]

    def effect(self, record: Record, demands: list[tuple[Rule, Demand]]) -> str:
        """The members of a document that demands narrow, as they make them."""
        text = ""
        for member in record.members:
            asked = [(rule, demand) for rule, demand in demands if demand.member == member.name]
            narrow = self.narrowed(member, [demand for _, demand in asked])
            needed = any(demand.required for _, demand in asked)
            optional = self.lenient and member.default is not ABSENT
            if narrow != self.expression(member.type) or (optional and needed):
                reasons = " ".join(f"{rule.id}: {rule.sentence}" for rule, _ in asked)
                text += comment(reasons) + line(member.name, narrow, optional=optional and not needed)
        return text

    def narrowed(self, member: Member, demands: list[Demand]) -> str:
        """The type of a member that also meets demands."""
        options, listed = self.options(member.type), None
        for demand in demands:
            if demand.types:
                options = [(found, text) for found, text in options if found & json_types(demand.types)]
            if demand.max_members == 0 and isinstance(member.type, Map):
                options = [(frozenset(demand.types), map_of(self.expression(member.type.names), "never"))]
            if demand.values:
                values = [json.dumps(value) for value in demand.values]
                listed = values if listed is None else [value for value in listed if value in values]
        return union([text for _, text in options] if listed is None else listed)

    def options(self, type_: Type) -> list[tuple[frozenset[str], str]]:
        """The alternatives of a type: which JSON types each has, and its type here."""
        if isinstance(type_, Nullable):
            return [*self.options(type_.of), (frozenset(("null",)), "null")]
        return [(json_types((JSON_TYPES[type(self.model.resolved(type_))],)), self.expression(type_))]


JSON_TYPES: dict[type, str] = {
    **dict.fromkeys((Text, FreeText, Constant, Words), "string"),
    **dict.fromkeys((Integers, Integer), "integer"),
    **dict.fromkeys((AnyObject, Map, Record), "object"),
    Number: "number",
    Boolean: "boolean",
    Array: "array",
}


def json_types(names: Iterable[str]) -> frozenset[str]:
    """JSON types by name; a number can be an integer."""
    given = frozenset(names)
    return given | {"integer"} if "number" in given else given


def demands_for(rule: Rule, value: Scalar) -> tuple[Demand, ...]:
    """What a rule asks of a document in which its member has a value."""
    return next((case.demands for case in rule.cases if value in case.values), ())


# Tables, codes and schemas


def tables(model: Model) -> str:
    """What follows from an outcome and a channel, the names of the kinds, the default scoring and the limits."""
    text = 'import type { OracleChannel, OracleTier, RewardOutcomeV1, RewardScoringPolicyV1 } from "./types.js";\n\n'
    text += "/** How an outcome is scored. */\nexport type RewardScoringClassV1 ="
    for each in model.tables.scoring_classes:
        text += f'\n  | {comment(each.description)}    "{each.name}"'
    text += ";\n\n"
    for document in model.umbrella.documents:
        described = f"The schema_version of {document.definition.name}."
        text += constant(f"{document.constant_name}_SCHEMA", document.schema_version, "", described)
    kinds = [document.kind for document in model.umbrella.documents]
    text += "/** The kind of a document that names its kind itself. */\n"
    text += f"export type Kind = {union(map(json.dumps, kinds))};\n\n"
    data = [kind for kind in SCHEMA_KINDS if kind not in kinds]
    text += "/** The kind of a document about a reward as data; the caller names it. */\n"
    text += f"export type DataKind = {union(map(json.dumps, data))};\n\n"
    text += "/** The kinds of documents. */\n"
    text += f"export const KINDS: readonly Kind[] = Object.freeze({json.dumps(kinds)} as const);\n\n"
    outcomes = frozen(model.tables.scoring_class_of_outcome, "Readonly<Record<RewardOutcomeV1, RewardScoringClassV1>>")
    text += f"/** The scoring class of each outcome. */\nexport const REWARD_SCORING_CLASS = {outcomes}"
    channels = frozen(model.tables.tier_of_channel, "Readonly<Record<OracleChannel, OracleTier>>")
    text += f"/** The tier of each channel. */\nexport const TIER_OF_CHANNEL = {channels}"
    minimum = model.tables.certified_minimum_tier
    text += constant("REWARD_CERTIFIED_MINIMUM_TIER", minimum, "OracleTier", CERTIFIED_MINIMUM_TIER)
    scoring = model.definitions["RewardScoringPolicyV1"].type
    assert isinstance(scoring, Record)
    defaults = {member.name: member.default for member in scoring.members}
    text += "/** What outcomes score under a contract that says nothing about it. */\n"
    text += f"export const DEFAULT_REWARD_SCORING = {frozen(defaults, 'RewardScoringPolicyV1')}"
    text += (
        "/** The arrays that are sorted in the canonical form, by a member of their items, or by the items (null). */\n"
    )
    text += "export const CANONICAL_ORDER: Readonly<Record<string, Readonly<Record<string, string | null>>>> = "
    text += "Object.freeze({"
    for name in dict.fromkeys(order.definition for order in model.tables.canonical_order):
        sorted_by = {each.member: each.by for each in model.tables.canonical_order if each.definition == name}
        text += f"\n  {name}: Object.freeze({json.dumps(sorted_by)}),"
    text += "\n});\n\n"
    for limit in model.tables.limits:
        text += constant(limit.name, limit.value, "", limit.description)
    return text.rstrip("\n") + "\n"


def codes(model: Model) -> str:
    """Every rule and code, in the order in which findings are reported."""
    layers = " | ".join(json.dumps(layer) for layer in dict.fromkeys(code.layer for code in model.codes))
    text = f"/** Where a rule or code is decided. */\nexport type Layer = {layers};\n\n"
    text += """/** What is known of a rule or code. */
export interface CodeEntry {
  /** Where it is decided. */
  readonly layer: Layer;
  /** What it says; `{name}` stands for a value that the message names. */
  readonly sentence: string;
  /** What the reader of the message can do; empty where the sentence says it. */
  readonly fix: string;
  /** The file under schemas/ that states it. */
  readonly source: string;
  /** The member of the receipt that an audit's finding with this code points to; empty where no audit has it. */
  readonly field: string;
}

/** Every rule and code by its id; the rules in the order in which findings are reported. Frozen, entries too. */
export const CODES = frozen({
"""
    for code in model.codes:
        members = ("layer", "sentence", "fix", "source", "field")
        text += f"  {json.dumps(code.id)}: {{\n"
        text += "".join(f"    {name}: {json.dumps(getattr(code, name))},\n" for name in members)
        text += "  },\n"
    text += """} as const satisfies Readonly<Record<string, CodeEntry>>);

/** The id of a rule or code. */
export type Code = keyof typeof CODES;

/** The ids that are decided in a layer. */
export type CodeOf<L extends Layer> = { [C in Code]: (typeof CODES)[C]["layer"] extends L ? C : never }[Code];

/** The id of a rule. */
export type RuleId = CodeOf<"rules">;

function frozen<T extends Readonly<Record<string, CodeEntry>>>(table: T): T {
  for (const entry of Object.values(table)) Object.freeze(entry);
  return Object.freeze(table);
}

"""
    found = {code.id: code.found for code in model.codes if code.found}
    text += texts("RULE_FOUND", "What a message says after the sentence of a rule beyond the schemas.", found)
    found = {each.keyword: each.found for each in model.keywords}
    text += texts("KEYWORD_FOUND", "What a message says of a value that a keyword refuses.", found)
    forms = {each.keyword: each.form for each in model.keywords if each.form}
    text += texts("KEYWORD_FORM", "The part of it that also goes with the name of a member.", forms)
    text += texts("NOTES", "Sentences that belong to no code.", model.notes)
    options = "The inputs that checks of an audit need, and the options of the command that give them."
    text += texts("AUDIT_INPUTS", options, model.audit.inputs)
    checks = "".join(
        f"  {{ code: {json.dumps(check.code)}, applies_with: {json.dumps(check.applies_with)}, "
        f"needs: {json.dumps(check.needs)}, signer_unknown: {json.dumps(check.signer_unknown)} }},\n"
        for check in model.audit.checks
    )
    text += "/** The checks of an audit, in their order. */\n"
    return text + f"export const AUDIT_CHECKS = [\n{checks}] as const;\n"


def texts(name: str, described: str, by_key: dict[str, str]) -> str:
    """An exported table of texts."""
    lines = "".join(f"  {json.dumps(key)}: {json.dumps(text)},\n" for key, text in by_key.items())
    return f"{comment(described)}export const {name} = {{\n{lines}}} as const;\n\n"


def schemas(model: Model) -> str:
    """The documents that the package checks, and all that they use, by name."""
    documents = {kind: model.document(kind) for kind in SCHEMA_KINDS}
    by_name = {document.definition.name: document for document in documents.values()}
    used = {definition.name for definition in model.in_order_of_use(*by_name)}
    writer = Writer(reference=lambda name: name, describe=lambda text: None)
    found = {}
    for name in (name for name in model.definitions if name in used):
        found[name] = writer.document(by_name[name]) if name in by_name else writer.definition(model.definitions[name])
        found[name].pop("not", None)  # it says again what the pattern says, to engines with another $
    kinds = {kind: document.definition.name for kind, document in documents.items()}
    return f"""import type {{ DataKind, Kind, Schema }} from "../validation/schema.js";

/** Every definition of the schemas by its name. */
export const DEFINITIONS: Readonly<Record<string, Schema>> = {json.dumps(found, indent=2)};

/** The definition of each kind of document. */
export const DOCUMENT_DEFINITIONS: Readonly<Record<Kind | DataKind, string>> = {json.dumps(kinds, indent=2)};
"""


# Source text


def comment(text: str) -> str:
    """A doc comment on a line of its own; empty if the text is."""
    return f"/** {block_comment(text)} */\n" if text else ""


def constant(name: str, value: Scalar, type_: str, described: str) -> str:
    """An exported constant with a comment."""
    satisfies = f" satisfies {type_}" if type_ else ""
    return f"{comment(described)}export const {name} = {json.dumps(value)}{satisfies};\n\n"


def frozen(members: dict[str, Any], type_: str) -> str:
    """A frozen object of scalars."""
    lines = "".join(f"  {name}: {json.dumps(value)},\n" for name, value in members.items())
    return f"Object.freeze({{\n{lines}}} as const satisfies {type_});\n\n"


def map_of(names: str, values: str) -> str:
    """The type of an object with any members."""
    return f"Readonly<Record<{names}, {values}>>"


def union(texts: Iterable[str]) -> str:
    """A union on one line."""
    return " | ".join(texts) or "never"


def alternatives(texts: list[str]) -> str:
    """A union with a line or more for each of its types."""
    return "".join(f"\n  | {textwrap.indent(text, '    ').lstrip()}" for text in texts)


def block(members: Iterable[str]) -> str:
    """An object type."""
    return "{\n" + textwrap.indent("".join(members), "  ") + "}"


def line(name: str, text: str, *, optional: bool) -> str:
    """A member of an object type."""
    key = name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else json.dumps(name)
    return f"readonly {key}{'?' if optional else ''}: {text};\n"
