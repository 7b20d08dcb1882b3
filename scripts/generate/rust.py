"""Writes generated/rust: codes, tables, vocabulary, the schemas as static tables, and the documents.

The crate's own modules say what a ``Schema`` is, and have the macros that the documents are finished with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from generate import COMMAND
from generate.model import (
    ABSENT,
    Absent,
    AnyObject,
    Array,
    Boolean,
    Bounds,
    Case,
    Constant,
    Default,
    Definition,
    Demand,
    Document,
    FreeText,
    Integer,
    Integers,
    Map,
    Member,
    MemberType,
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
)
from generate.patterns import machine
from generate.texts import printable

KINDS: Final = ("contract", "certificate", "receipt", "spec")
"""The documents that the crate has."""

RESERVED: Final = {"type"}
"""Names of members that are words of the language."""

Orders = dict[tuple[str, str], str]
"""The member by which an array is sorted, or "" if it is by its items, by definition and member."""

HEADER: Final = """// {title}
//
// Generated from schemas/. Do not edit: change the schemas, then run
//
//     {command}

"""


def emit(model: Model) -> dict[str, str]:
    """The text of each file, by its path under generated/."""
    bodies = {
        "audit": ("The checks of an audit.", audit(model)),
        "codes": ("Every rule and code: what it says, and what to do about it.", codes(model)),
        "tables": ("What follows from an outcome and from a channel, and the limits.", tables(model)),
        "vocabulary": ("The words of the documents: enums.", vocabulary(model)),
        "schemas": ("The schemas as tables.", schemas(model)),
        "documents": ("The documents and their parts.", documents(model)),
    }
    return {
        f"rust/{name}.rs": HEADER.format(title=title, command=COMMAND) + body.rstrip("\n") + "\n"
        for name, (title, body) in bodies.items()
    }


def used(model: Model) -> list[Definition]:
    """The definitions that the crate needs, each after what it uses; its documents are among them."""
    return model.in_order_of_use(*(model.document(kind).definition.name for kind in KINDS))


# Names and literals


def camel(words: str) -> str:
    """A name as a type or a variant: ``tier-development-only`` is TierDevelopmentOnly."""
    return "".join(word[0].upper() + word[1:] for word in re.split(r"[-._ ]", words) if word)


def upper(name: str) -> str:
    """A name as a constant: RewardOracleV1 is REWARD_ORACLE_V1."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").upper()


def text(value: str) -> str:
    """A string literal, in ASCII."""
    escapes = {'"': r"\"", "\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
    spelt = (escapes.get(c, c if " " <= c <= "~" else rf"\u{{{ord(c):x}}}") for c in value)
    return f'"{"".join(spelt)}"'


def comment(value: str, indent: str = "") -> str:
    """A documentation comment, in which nothing is a link, a tag or code."""
    escaped = re.sub(r"([\[\]<>`\\*])", r"\\\1", printable(value))
    return f"{indent}/// {escaped}\n"


def array(values: Iterable[str]) -> str:
    """A static slice."""
    return f"&[{', '.join(values)}]"


def scalar(value: Scalar) -> str:
    """A value that a schema lists."""
    match value:
        case bool():
            return f"Scalar::Boolean({str(value).lower()})"
        case int():
            return f"Scalar::Integer({value})"
        case str():
            return f"Scalar::Text({text(value)})"
        case _:
            raise AssertionError(f"a schema lists {value!r}")


# Codes


def codes(model: Model) -> str:
    """The enum of codes, and what is known of each."""
    layers = list(dict.fromkeys(code.layer for code in model.codes))
    variants: dict[str, str] = {}
    for code in model.codes:
        if (other := variants.setdefault(camel(code.id), code.id)) != code.id:
            raise ValueError(f"the codes {other} and {code.id} have one name in Rust, {camel(code.id)}; rename one")
    out = "/// Where a rule or code is decided.\n///\n/// ```\n/// use reward_receipts::{Code, Layer};\n///\n"
    out += "/// assert_eq!(Code::JsonSyntax.layer(), Layer::Text);\n/// ```\n"
    out += "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\n#[non_exhaustive]\npub enum Layer {\n"
    out += "".join(f"    /// `{layer}`.\n    {camel(layer)},\n" for layer in layers) + "}\n\n"
    out += "/// A rule or code that a message can carry. Its id never changes.\n///\n"
    out += "/// ```\n/// use reward_receipts::Code;\n///\n"
    out += '/// assert_eq!(Code::from_id("json.duplicate"), Some(Code::JsonDuplicate));\n/// ```\n'
    out += "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[non_exhaustive]\npub enum Code {\n"
    for code in model.codes:
        out += comment(f"{code.id}: {code.sentence}", "    ") + f"    {camel(code.id)},\n"
    out += "}\n\n/// What is known of a code.\npub(crate) struct Entry {\n"
    out += "".join(f"    pub(crate) {name}: &'static str,\n" for name in ("id", "sentence", "fix", "field", "found"))
    out += "    pub(crate) layer: Layer,\n    pub(crate) code: Code,\n}\n\n"
    out += "/// Every code, in the order of the enum; rules in the order in which findings are reported.\n"
    out += f"pub(crate) static CODES: [Entry; {len(model.codes)}] = [\n"
    for code in model.codes:
        texts = {"id": code.id, "sentence": code.sentence, "fix": code.fix, "field": code.field, "found": code.found}
        members = "".join(f"{name}: {text(value)}, " for name, value in texts.items())
        out += f"    Entry {{ {members}layer: Layer::{camel(code.layer)}, code: Code::{camel(code.id)} }},\n"
    found = {each.keyword: each.found for each in model.keywords}
    out += "];\n\n" + _texts("found", "What a message says of a value that a keyword refuses.", found)
    forms = {each.keyword: each.form for each in model.keywords if each.form}
    out += _texts("form", "The part of it that also goes with the name of a member.", forms)
    return out + _texts("notes", "Sentences that belong to no code.", model.notes)


def _texts(module: str, about: str, by_name: dict[str, str]) -> str:
    lines = "".join(f"    pub const {upper(name)}: &str = {text(value)};\n" for name, value in by_name.items())
    return f"/// {about}\npub mod {module} {{\n{lines}}}\n\n"


# Audit


def audit(model: Model) -> str:
    """The checks of an audit, in their order."""
    out = "use super::codes::Code;\nuse crate::receipts::audit::{Check, Input};\n\n"
    out += f"/// The checks, in their order.\npub static CHECKS: [Check; {len(model.audit.checks)}] = [\n"
    for check in model.audit.checks:
        needs = array(f"Input::{camel(name)}" for name in check.needs)
        unknown = "None" if check.signer_unknown is None else f"Some(Code::{camel(check.signer_unknown)})"
        applies = ", ".join(
            f"with_{name}: {str(name in check.applies_with).lower()}" for name in ("certificate", "update")
        )
        out += (
            f"    Check {{ code: Code::{camel(check.code)}, {applies}, needs: {needs}, signer_unknown: {unknown} }},\n"
        )
    return out + "];\n"


# Tables


def tables(model: Model) -> str:
    """The scoring classes, the tiers of the channels, and the constants."""
    out = "use super::vocabulary::{OracleChannel, OracleTier, RewardOutcomeV1};\n\n"
    out += "/// How an outcome is scored.\n///\n/// ```\n/// use reward_receipts::RewardScoringClassV1::Unscored;\n"
    out += "/// use reward_receipts::RewardOutcomeV1;\n///\n"
    out += "/// assert_eq!(RewardOutcomeV1::FailedPlatform.scoring_class(), Unscored);\n/// ```\n"
    out += "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\npub enum RewardScoringClassV1 {\n"
    for each in model.tables.scoring_classes:
        out += comment(each.description, "    ") + f"    {camel(each.name)},\n"
    classes = {
        f"RewardScoringClassV1::{camel(each.name)}": [camel(word) for word in each.outcomes]
        for each in model.tables.scoring_classes
    }
    out += "}\n\n" + _match(
        "RewardOutcomeV1",
        "How the outcome is scored.",
        "scoring_class",
        "RewardScoringClassV1",
        'reward_receipts::RewardOutcomeV1::Verified.scoring_class(); // "admitted_positive"',
        classes,
    )
    tiers: dict[str, list[str]] = {}
    for channel, tier in model.tables.tier_of_channel.items():
        tiers.setdefault(_tier(model, tier), []).append(camel(channel))
    out += _match(
        "OracleChannel",
        "The tier of the channel.",
        "tier",
        "OracleTier",
        "assert!(reward_receipts::OracleChannel::Api.tier() > reward_receipts::OracleChannel::Ocr.tier());",
        tiers,
    )
    minimum = _tier(model, model.tables.certified_minimum_tier)
    out += (
        "/// The lowest tier that a certificate can cover: a certified (synthetic) reward needs it or a higher one.\n"
    )
    out += f"pub const REWARD_CERTIFIED_MINIMUM_TIER: OracleTier = {minimum};\n\n"
    for limit in model.tables.limits:
        kind = "u64" if limit.name == "MAX_POLICY_UPDATE" else "usize"
        out += comment(limit.description) + f"pub const {limit.name}: {kind} = {limit.value};\n\n"
    for kind in KINDS:
        document = model.document(kind)
        name = document.definition.file.removesuffix(".schema.json").replace("-", "_").upper()
        out += f"/// The `schema_version` of {document.definition.name}.\n"
        out += f"pub const {name}_SCHEMA: &str = {text(document.schema_version)};\n\n"
    return out


def _tier(model: Model, tier: int) -> str:
    tiers = model.definitions["OracleTier"].type
    assert isinstance(tiers, Integers)
    return f"OracleTier::{next(camel(each.name.lower()) for each in tiers.integers if each.value == tier)}"


def _match(owner: str, about: str, method: str, result: str, example: str, arms: dict[str, list[str]]) -> str:
    out = f"impl {owner} {{\n    /// {about}\n    ///\n    /// ```\n    /// {example}\n    /// ```\n    #[must_use]\n"
    out += f"    pub const fn {method}(self) -> {result} {{\n        match self {{\n"
    for value, variants in arms.items():
        out += f"            {' | '.join(f'Self::{variant}' for variant in variants)} => {value},\n"
    return out + "        }\n    }\n}\n\n"


# Vocabulary


def vocabulary(model: Model) -> str:
    """The enums of words and of listed integers."""
    out = "use crate::documents::vocabulary::{integer_enum, text_enum};\n\n"
    for definition in used(model):
        match definition.type:
            case Words(words):
                members = [(camel(word.value), text(word.value), word.description) for word in words]
                out += _enum(definition, members, "&'static str", "as_str", "text_enum")
            case Integers(integers):
                listed = [(camel(each.name.lower()), str(each.value), each.description) for each in integers]
                out += _enum(definition, listed, "u8", "number", "integer_enum")
    return out


def _enum(definition: Definition, members: list[tuple[str, str, str]], kind: str, method: str, macro: str) -> str:
    name = definition.name
    first, value, _ = members[0]
    out = comment(definition.description) + f"///\n/// ```\n/// use reward_receipts::{name};\n///\n"
    made = f"{name}::try_from({value})" if method == "number" else f"{value}.parse()"
    out += f"/// assert_eq!({made}, Ok({name}::{first}));\n/// ```\n"
    out += "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[non_exhaustive]\n"
    out += f"pub enum {name} {{\n"
    out += "".join(comment(about, "    ") + f"    {variant},\n" for variant, _, about in members)
    out += f"}}\n\nimpl {name} {{\n    /// All members, in the order of the schema.\n"
    out += f"    pub const ALL: &'static [Self] = {array(f'Self::{variant}' for variant, *_ in members)};\n\n"
    out += "    /// The value in a document.\n    ///\n    /// ```\n"
    out += f"    /// assert_eq!(reward_receipts::{name}::{first}.{method}(), {value});\n    /// ```\n    #[must_use]\n"
    out += f"    pub const fn {method}(self) -> {kind} {{\n        match self {{\n"
    out += "".join(f"            Self::{variant} => {value},\n" for variant, value, _ in members)
    return out + f"        }}\n    }}\n}}\n\n{macro}!({name});\n\n"


# Schemas


def schemas(model: Model) -> str:
    """The definitions and documents as static tables, and the forms of texts as tables of states."""
    by_name = {model.document(kind).definition.name: model.document(kind) for kind in KINDS}
    orders = {(each.definition, each.member): each.by or "" for each in model.tables.canonical_order}
    body, forms = "", ""
    for definition in used(model):
        document = by_name.get(definition.name)
        name = upper(definition.name)
        body += f"/// {definition.name}.\npub static {name}: Schema = {_schema(definition, document, orders)};\n\n"
        if isinstance(definition.type, Text):
            forms += f"/// `{definition.type.pattern}`\nstatic {upper(definition.name)}_STATES: States = "
            forms += f"{_states(definition.type.pattern)};\n\n"
    return "use super::codes::Code;\nuse crate::validation::schemas::*;\n\n" + body + forms


def _states(pattern: str) -> str:
    states = machine(pattern)
    following = ", ".join(str(to) for row in states.next for to in row)
    return (
        f"States {{ classes: &[{', '.join(map(str, states.classes))}], width: {len(states.next[0])}, "
        f"start: {states.start}, first_accepting: {states.first_accepting}, next: &[{following}] }}"
    )


def _schema(definition: Definition, document: Document | None, orders: Orders) -> str:
    fields = list(_fields(definition.type, definition.name, orders))
    if document is not None and document.rules:
        rules = "".join(f"        {_rule(rule)},\n" for rule in document.rules)
        fields.append(f"rules: &[\n{rules}    ]")
    return _block(fields)


def _table(fields: Iterable[str]) -> str:
    return f"Schema {{ {''.join(f'{field}, ' for field in fields)}..ANY }}"


def _block(fields: Iterable[str]) -> str:
    """The same, with a line for each field, so that a difference is that of a line."""
    return f"Schema {{\n{''.join(f'    {field},' + chr(10) for field in fields)}    ..ANY\n}}"


def _fields(type_: Type, name: str, orders: Orders) -> Iterator[str]:
    """What a schema says, keyword by keyword."""
    match type_:
        case Nullable(of):
            null = 'Alternative { name: "null", schema: &NULL }'
            yield f"any_of: {array([f'Alternative {{ name: {text(of.name)}, schema: {_reference(of)} }}', null])}"
        case Text(max_length, _, example):
            yield "types: &[Type::String]"
            yield f"max_length: Some({max_length})"
            states = f"states: &{upper(name)}_STATES"
            yield f"form: Some(&Form {{ {states}, title: {text(name)}, example: {text(example)} }})"
        case FreeText(min_length, max_length):
            yield from ("types: &[Type::String]", f"min_length: Some({min_length})", f"max_length: Some({max_length})")
        case Constant(value):
            yield from ("types: &[Type::String]", f"constant: Some({scalar(value)})")
        case Words(words):
            yield "types: &[Type::String]"
            yield f"one_of: {array(scalar(word.value) for word in words)}"
        case Integers(integers):
            yield "types: &[Type::Integer]"
            yield f"one_of: {array(scalar(each.value) for each in integers)}"
        case Integer(minimum, maximum):
            yield "types: &[Type::Integer]"
            yield from _bounds(Bounds(minimum=minimum, maximum=maximum))
        case Number(bounds):
            yield "types: &[Type::Number]"
            yield from _bounds(bounds)
        case Boolean():
            yield "types: &[Type::Boolean]"
        case Array(items, least, most, unique):
            yield "types: &[Type::Array]"
            yield from (f"items: Some({_reference(items)})", f"max_items: Some({most})")
            if least:
                yield f"min_items: Some({least})"
            if unique:
                yield "unique_items: true"
        case Map(names, values, most):
            yield "types: &[Type::Object]"
            yield f"property_names: Some({_reference(names)})"
            yield from (f"others: Others::Are({_reference(values)})", f"max_properties: Some({most})")
        case AnyObject(most):
            yield from ("types: &[Type::Object]", "others: Others::Any", f"max_properties: Some({most})")
        case Record(members):
            assert len(members) <= 64, name  # the walker has a bit for each
            yield "types: &[Type::Object]"
            properties = "".join(
                f"        {_property(member, name, orders)},\n" for member in sorted(members, key=_name)
            )
            yield f"properties: &[\n{properties}    ]"
            yield f"required: {array(text(member.name) for member in members if member.required)}"
            yield "others: Others::Refused"


def _name(member: Member | Demand) -> str:
    return member.name if isinstance(member, Member) else member.member


def _reference(reference: Reference) -> str:
    return f"&{upper(reference.name)}"


def _bounds(bounds: Bounds) -> Iterator[str]:
    for name in ("minimum", "maximum", "exclusive_minimum", "exclusive_maximum"):
        bound = getattr(bounds, name)
        if bound is not None:
            yield f"{name}: Some({float(bound)!r})"


def _property(member: Member, owner: str, orders: Orders) -> str:
    type_ = member.type
    schema = _reference(type_) if isinstance(type_, Reference) else f"&{_table(_fields(type_, member.name, orders))}"
    key = orders.get((owner, member.name))
    order = "Order::Kept" if key is None else f"Order::SortedBy({text(key)})" if key else "Order::Sorted"
    default = "None" if isinstance(member.default, Absent) else f"Some({_default(member.default)})"
    return f"Property {{ name: {text(member.name)}, schema: {schema}, default: {default}, order: {order} }}"


def _default(value: Default) -> str:
    match value:
        case None:
            return "Default::Null"
        case str():
            return f"Default::Text({text(value)})"
        case int() | float():
            return f"Default::Number({float(value)!r})"
        case ():
            return "Default::Array"
        case _:
            assert value == {}, value
            return "Default::Object"


def _rule(rule: Rule) -> str:
    cases = array(_case(case) for case in rule.cases)
    return f"Rule {{ code: Code::{camel(rule.id)}, member: {text(rule.member)}, cases: {cases} }}"


def _case(case: Case) -> str:
    demands = sorted(case.demands, key=_name)
    properties = array(
        f"Property {{ name: {text(demand.member)}, schema: &{_table(_demand(demand))}, default: None, "
        "order: Order::Kept }"
        for demand in demands
    )
    required = array(text(demand.member) for demand in case.demands if demand.required)
    values = array(map(scalar, case.values))
    return f"Case {{ values: {values}, then: &{_table([f'properties: {properties}', f'required: {required}'])} }}"


def _demand(demand: Demand) -> Iterator[str]:
    if demand.types:
        yield f"types: {array(f'Type::{camel(name)}' for name in sorted(demand.types))}"
    if demand.values:
        yield f"options: {array(map(scalar, demand.values))}"
    yield from _bounds(demand.bounds)
    if demand.min_members is not None:
        yield f"min_properties: Some({demand.min_members})"
    if demand.max_members is not None:
        yield f"max_properties: Some({demand.max_members})"


# Documents


def documents(model: Model) -> str:
    """The documents and their parts as types with private fields and accessors."""
    out = "use std::collections::BTreeMap;\n\nuse super::schemas;\nuse super::vocabulary::*;\n"
    out += "use crate::core::value::Json;\nuse crate::documents::kind::Kind;\n"
    out += "use crate::documents::model::{Complete, Facts, Members, document, part};\n"
    out += "use crate::validation::check::Checked;\n\n"
    by_name = {model.document(kind).definition.name: kind for kind in KINDS}
    for definition in used(model):
        if isinstance(definition.type, Record):
            out += _struct(model, definition, definition.type, by_name.get(definition.name))
    return out


def _struct(model: Model, definition: Definition, record: Record, kind: str | None) -> str:
    name = definition.name
    fields = [
        _field(model, member) for member in record.members if not isinstance(model.resolved(member.type), Constant)
    ]
    module = (
        "reward_receipts::rewards" if kind == "spec" or definition.file.startswith("reward-spec") else "reward_receipts"
    )
    out = comment(definition.description)
    if kind is not None:
        out += "///\n/// It is valid: its schema and every rule accept it. It is completed, and cannot change.\n"
    out += f"///\n/// ```\n/// fn of(documents: &[{module}::{name}]) -> usize {{\n///     documents.len()\n/// }}\n"
    out += f"/// assert_eq!(of(&[]), 0);\n/// ```\n#[derive(Debug, Clone{'' if kind else ', PartialEq'})]\n"
    out += f"pub struct {name} {{\n"
    out += "".join(f"    {field.name}: {field.held},\n" for field in fields)
    out += "    pub(crate) facts: Facts,\n" if kind else ""
    out += f"}}\n\nimpl {name} {{\n"
    for field in fields:
        out += comment(field.about, "    ") + f"    ///\n    /// ```\n    /// fn of(value: &{module}::{name}) {{\n"
        out += f"    ///     let _ = value.{field.name}();\n    /// }}\n    /// ```\n    #[must_use]\n"
        allow = "    #[allow(clippy::option_option)] // left out and null are two things\n"
        out += allow if field.shown.startswith("Option<Option") else ""
        out += f"    pub fn {field.name}(&self) -> {field.shown} {{\n        {field.get}\n    }}\n\n"
    out = out.rstrip("\n") + f"\n}}\n\nimpl Complete for {name} {{\n"
    out += "    fn complete(members: &Members<'_, '_>) -> Self {\n        Self {\n"
    out += "".join(f"            {field.name}: {field.make},\n" for field in fields)
    out += "            facts: members.facts(),\n" if kind else ""
    out += "        }\n    }\n}\n\n"
    if kind is None:
        return out + f"part!({name}, schemas::{upper(name)});\n\n"
    checked = "Checked::Spec" if kind == "spec" else f"Checked::Document(Kind::{camel(kind)})"
    return out + f"document!({name}, {text(f'{module}::{name}')}, {checked});\n\n"


@dataclass(frozen=True)
class _Field:
    """How a member is held, made of checked members, and given out."""

    name: str
    about: str
    held: str
    make: str
    shown: str
    get: str


@dataclass(frozen=True)
class _Held:
    """How a value of a type is held."""

    type: str
    shown: str
    reader: str
    """The method of Members that makes it."""
    copied: bool
    generic: str = ""


def _field(model: Model, member: Member) -> _Field:
    name = f"{member.name}_" if member.name in RESERVED else member.name
    nullable = isinstance(member.type, Nullable)
    held = _held(model, member.type.of if isinstance(member.type, Nullable) else member.type)
    options = nullable + (member.default is ABSENT and not member.required)
    reader = ("", "optional_", "maybe_null_")[options] + held.reader
    make = f"members.{reader}{f'::<{held.generic}>' if held.generic else ''}({text(member.name)})"
    whole = "Option<" * options + held.type + ">" * options
    field = f"self.{name}"
    if held.copied:
        shown, get = whole, field
    elif options:
        shown, get = f"Option<{held.shown}>", f"{field}.{'as_ref' if held.reader == 'json' else 'as_deref'}()"
    else:
        shown, get = held.shown, f"&{field}"
    return _Field(name, member.description, whole, make, shown, get)


def _held(model: Model, type_: MemberType) -> _Held:
    resolved = model.resolved(type_)
    name = type_.name if isinstance(type_, Reference) else ""
    match resolved:
        case Words() | Integers():
            return _Held(name, name, "word", True, name)
        case Text() | FreeText():
            return _Held("Box<str>", "&str", "text", False)
        case Number():
            return _Held("f64", "f64", "double", True)
        case Integer():
            return _Held("u64", "u64", "integer", True)
        case Boolean():
            return _Held("bool", "bool", "boolean", True)
        case Record():
            return _Held(name, f"&{name}", "part", False, name)
        case Map():
            return _Held("BTreeMap<Box<str>, f64>", "&BTreeMap<Box<str>, f64>", "doubles", False)
        case AnyObject():
            return _Held("Json<'static>", "&Json<'static>", "json", False)
        case Array(items, 2, 2) if isinstance(model.resolved(items), Nullable):
            return _Held("[Option<f64>; 2]", "[Option<f64>; 2]", "bounds", True)
        case Array(items):
            inner = _held(model, items)
            return _Held(f"Vec<{inner.type}>", f"&[{inner.type}]", f"{inner.reader}s", False, inner.generic)
    raise AssertionError(f"the crate has no type for {resolved}")
