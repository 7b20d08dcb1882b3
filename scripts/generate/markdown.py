"""Writes generated/markdown: a reference of all documents, their types and rules, and of every code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import groupby

from generate import COMMAND
from generate.model import (
    ABSENT,
    AnyObject,
    Array,
    Boolean,
    Bounds,
    Code,
    Constant,
    Default,
    Definition,
    Document,
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
    Text,
    Type,
    Words,
)
from generate.texts import one_line, printable

HEADER = f"<!-- Generated from schemas/. Do not edit: change the schemas, then run {COMMAND} -->\n"

LAYERS = {
    "text": "Whether a text is JSON, or YAML, that is read alike everywhere.",
    "schema": "Keywords of the schemas. The message names the place, the value and what is expected there.",
    "rules": "Rules over a whole document, once its schema accepts it.",
    "warnings": "What a reward spec is allowed to do and probably should not.",
    "certification": "Why a reward is not certified (synthetic).",
    "audit": "Where a receipt contradicts the documents that it names.",
    "compose": "Why a reward spec gives no reward for a step.",
    "trace": "Where the trace of a run contradicts its spec or its manifest.",
    "calibration": "Why trials of a checker give no certificate (synthetic), or another one.",
    "experiment": "What is wrong with an experiment.",
    "admission": "Why a receipt is not counted.",
}
"""What is decided in each layer of codes."""

APPLIES = {"certificate": "if the receipt names a certificate", "update": "if the trainer's policy update is given"}
"""When a check of an audit applies."""


def emit(model: Model) -> dict[str, str]:
    """The text of each file, by its path under generated/."""
    pages = {
        "README": index(model),
        "tables": tables(model),
        "types": types(model),
        "codes": codes(model),
        **{document.kind: page(model, document) for document in model.documents},
    }
    return {f"markdown/{name}.md": f"{HEADER}\n{text.rstrip()}\n" for name, text in pages.items()}


# Pages


def index(model: Model) -> str:
    """The documents, and where the rest is."""
    text = "# Reference\n\n" + table(
        ("document", "`schema_version`", "what it is"),
        (
            (f"[{document.definition.name}]({document.kind}.md)", code(document.schema_version), described(document))
            for document in model.documents
        ),
    )
    return text + (
        "\n[Types](types.md) that several documents share; [codes](codes.md) of everything that can be wrong;"
        " [tables](tables.md) of outcomes, channels and limits.\n"
    )


def tables(model: Model) -> str:
    """What follows from an outcome and from a channel, and the limits."""
    text = "# Tables\n\n## Outcomes and what they score\n\n" + table(
        ("class", "what an episode of it scores", "outcomes"),
        (
            (code(each.name), escaped(each.description), ", ".join(map(code, each.outcomes)))
            for each in model.tables.scoring_classes
        ),
    )
    channels = groupby(model.tables.tier_of_channel.items(), key=lambda item: item[1])
    text += "\n## Channels and their tiers\n\n" + table(
        ("tier", "channels"),
        ((str(tier), ", ".join(code(channel) for channel, _ in group)) for tier, group in channels),
    )
    text += f"\nA reward can be certified (synthetic) from tier {model.tables.certified_minimum_tier} on.\n"
    text += "\n## Arrays that the canonical form sorts\n\n" + table(
        ("array", "sorted by"),
        (
            (code(f"{each.definition}.{each.member}"), f"its member {code(each.by)}" if each.by else "the items")
            for each in model.tables.canonical_order
        ),
    )
    text += "\n## Limits\n\n" + table(
        ("name", "value", "what it limits"),
        ((code(limit.name), str(limit.value), escaped(limit.description)) for limit in model.tables.limits),
    )
    return text


def types(model: Model) -> str:
    """The definitions that several documents share."""
    shared = [definition for definition in model.definitions.values() if is_shared(model, definition.name)]
    return "# Types\n\n" + "\n".join(section(model, definition, "types") for definition in shared)


def page(model: Model, document: Document) -> str:
    """One document: its members, its rules and the types that only it uses."""
    name = document.definition.name
    text = f"# {name}\n\n{described(document)}\n\n"
    text += f"Schema: `schemas/{document.definition.file}`, {code(document.id)}\n\n"
    text += members(model, document.record, document.kind)
    if document.rules or document.rules_beyond:
        text += "\n## Rules\n\n" + table(
            ("rule", "what it says"),
            (
                *((code(rule.id), escaped(rule.sentence)) for rule in document.rules),
                *((code(rule.id), escaped(f"{rule.sentence} {rule.fix}")) for rule in document.rules_beyond),
            ),
        )
    own = [each for each in model.in_file_order(name) if not is_shared(model, each.name) and each.name != name]
    return text + "".join("\n" + section(model, definition, document.kind) for definition in own)


def codes(model: Model) -> str:
    """Every rule and code by layer: what it says, and what to do."""
    text = "# Codes\n\nEvery finding, error and refusal carries one of these ids, which never change."
    text += " `{name}` is where the message has a value.\n"
    found = {each.keyword: each.found.replace("{form}", each.form or "{form}") for each in model.keywords}
    for layer in dict.fromkeys(each.layer for each in model.codes):
        text += f"\n## {layer}\n\n{LAYERS.get(layer, '')}\n\n"
        rows = [each for each in model.codes if each.layer == layer]
        text += table(("code", "what it says", "what to do"), (code_row(each, found) for each in rows))
    text += "\n## The checks of an audit, in their order\n\n" + table(
        ("code", "applies", "needs besides the receipt"),
        (
            (
                code(each.code),
                " and ".join(APPLIES[word] for word in each.applies_with) or "always",
                ", ".join(map(code, each.needs)),
            )
            for each in model.audit.checks
        ),
    )
    return text


def code_row(each: Code, found: dict[str, str]) -> tuple[str, str, str]:
    """A code as a row, with what a message adds to its sentence."""
    about = f" (points to {code(each.field)})" if each.field else ""
    added = each.found or found.get(each.id.removeprefix("schema."), "") * (each.layer == "schema")
    return code(each.id), escaped(f"{each.sentence} {added}") + about, escaped(each.fix)


# Definitions


def section(model: Model, definition: Definition, page_name: str) -> str:
    """A definition under its own heading."""
    text = f"## {definition.name}\n\n{paragraph(definition.description)}\n\n"
    match definition.type:
        case Record() as record:
            return text + members(model, record, page_name)
        case Words(words):
            return text + table(("word", "meaning"), ((code(each.value), escaped(each.description)) for each in words))
        case Integers(listed):
            numbers = ((str(each.value), code(each.name), escaped(each.description)) for each in listed)
            return text + table(("number", "name", "meaning"), numbers)
        case Text(most, pattern, example):
            rows = (("pattern", code(pattern)), ("longest", f"{most} characters"), ("example", code(example)))
            return text + table(("text", ""), rows)
        case other:
            written = phrase(model, other, page_name)
            return text + f"{written[0].upper()}{written[1:]}.\n"


def members(model: Model, record: Record, page_name: str) -> str:
    """The members of a record as a table."""
    return table(
        ("member", "type", "given", "what it is"),
        (
            (code(member.name), phrase(model, member.type, page_name), given(member), escaped(member.description))
            for member in record.members
        ),
    )


def given(member: Member) -> str:
    """Whether a member must be given, or what it is if it is left out."""
    if member.required:
        return "always"
    return "can be left out" if member.default is ABSENT else f"default {code(json_text(member.default))}"


def json_text(default: Default) -> str:
    """A default as JSON."""
    return json.dumps([] if default == () else default)


def phrase(model: Model, type_: Type, page_name: str) -> str:
    """What a value can be, in words and links."""
    match type_:
        case Reference(name):
            return link(model, name, page_name)
        case Nullable(of):
            return f"{phrase(model, of, page_name)} or null"
        case Constant(value):
            return code(json.dumps(value))
        case Boolean():
            return "boolean"
        case Integer(least, most):
            return f"integer from {least} to {most}"
        case Number(bounds):
            return f"number{limits(bounds)}"
        case FreeText(least, most):
            return f"text of {least} to {most} characters"
        case Array(items, least, most, unique):
            length = f"{type_.length}" if type_.length is not None else f"{least} to {most}"
            return f"array of {length} {link(model, items.name, page_name)}{', each once' if unique else ''}"
        case Map(names, values, most):
            names_of = f"{link(model, values.name, page_name)} by {link(model, names.name, page_name)}"
            return f"map of {names_of}, at most {most}"
        case AnyObject(most):
            return f"object of at most {most} members, each any JSON"
    raise AssertionError(type_)  # the others have a section of their own


def limits(bounds: Bounds) -> str:
    """The bounds of a number in words."""
    named = {
        "at least": bounds.minimum,
        "above": bounds.exclusive_minimum,
        "at most": bounds.maximum,
        "below": bounds.exclusive_maximum,
    }
    return ", ".join(f" {word} {bound}" for word, bound in named.items() if bound is not None).replace(",  ", ", ")


def link(model: Model, name: str, page_name: str) -> str:
    """A link to the section of a definition, which is on the page of shared types or on this one."""
    target = "types.md" if is_shared(model, name) and page_name != "types" else ""
    return f"[{name}]({target}#{name.lower()})"


def is_shared(model: Model, name: str) -> bool:
    """Whether a definition is in the file of no document."""
    return model.definitions[name].file not in {document.definition.file for document in model.documents}


def described(document: Document) -> str:
    """The description of a document."""
    return paragraph(document.definition.description)


# Source text


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table; what is in a cell is escaped already."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: str) -> str:
    """A text as code, in a table too."""
    text = printable(text).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"


def escaped(text: str) -> str:
    """A text on one line in which nothing is markup."""
    text = re.sub(r"([\\`*\[\]<>|~&$])", r"\\\1", one_line(text))
    return printable(re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", text))


def paragraph(text: str) -> str:
    """A text as a paragraph: its beginning is not a heading, a list or a rule."""
    return re.sub(r"^([#+=-]|[0-9]+[.)])", r"\\\1", escaped(text))
