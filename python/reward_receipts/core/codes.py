"""Every rule and code by its id, read from the schemas and from codes.json, where each appears once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .findings import Finding
from .pointer import Path
from .redaction import redacted_words
from .schema_files import CODES_FILE, SCHEMA_FILES, read_schema_file


@dataclass(frozen=True, slots=True)
class Code:
    """A rule or code that a message can carry."""

    id: str
    """The id, which never changes."""
    layer: str
    """Where it is decided: text, schema, rules, certification, audit, compose, trace,
    experiment, calibration or admission."""
    sentence: str
    """What it says; ``{name}`` stands for a value that the message names."""
    fix: str
    """What the reader of the message can do; empty where the sentence says it."""
    source: str
    """The file under ``schemas/`` that states it."""
    field: str = ""
    """The member of the receipt that an audit's finding with this code points to; empty where no audit has it."""
    found: str = ""
    """What a message says after the sentence: what is there, with its values. Empty unless a rule beyond a schema."""


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """A check of an audit."""

    code: str
    """The code of its findings."""
    applies_with: frozenset[str]
    """When it applies: ``certificate`` if the receipt names one, ``update`` if the trainer's update is given."""
    needs: tuple[str, ...]
    """The inputs that it needs besides the receipt: ``contract``, ``certificate``, ``key``."""
    signer_unknown: str | None = None
    """The code under which a check of a signature is unchecked if no key of the signer is held."""


class CodedSentence(str):
    """A sentence that also carries the ``code`` it belongs to."""

    __slots__ = ("code",)
    code: str

    def __new__(cls, sentence: str, code: str) -> CodedSentence:
        self = super().__new__(cls, sentence)
        self.code = code
        return self

    def __reduce__(self) -> tuple[type[CodedSentence], tuple[str, str]]:
        return CodedSentence, (str(self), self.code)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Text, in JSON too. Text that comes in gets its code back if it is a refusal of certification (synthetic)."""
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(
            refusal,
            core_schema.union_schema([core_schema.is_instance_schema(cls), core_schema.str_schema()]),
            serialization=core_schema.to_string_ser_schema(),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string"}


@cache
def catalogue() -> dict[str, Code]:
    """All codes by id. Rules come in the order in which findings are reported."""
    return codes_in(read_schema_file)


def codes_in(read: Callable[[str], Any]) -> dict[str, Code]:
    """All codes by id, as ``catalogue()`` has them, from files that ``read`` gives parsed, by their names."""
    codes: dict[str, Code] = {}
    for name in SCHEMA_FILES.values():
        for branch in read(name).get("allOf", ()):
            if "if" in branch:
                codes[branch["title"]] = Code(branch["title"], "rules", branch["description"], "", name)
    for entry in read(CODES_FILE)["codes"]:
        codes[entry["id"]] = Code(**entry, source=CODES_FILE)
    return codes


@cache
def audit_checks() -> tuple[AuditCheck, ...]:
    """The checks of an audit, in their order."""
    return tuple(
        AuditCheck(each["code"], frozenset(each["applies_with"]), tuple(each["needs"]), each.get("signer_unknown"))
        for each in read_schema_file(CODES_FILE)["audit"]["checks"]
    )


@cache
def audit_inputs() -> dict[str, str]:
    """The inputs that checks of an audit need, and the options that give them on the command line."""
    return {each["input"]: each["options"] for each in read_schema_file(CODES_FILE)["audit"]["inputs"]}


def note(name: str, **values: object) -> str:
    """A sentence that belongs to no code, with its values filled in."""
    return _templates()["notes", name].format(**values)


def keyword_found(keyword: str, **values: object) -> str:
    """What a keyword of JSON Schema refuses, and what it expects: a sentence."""
    return _templates()["found", keyword].format(**values)


def keyword_form(keyword: str, **values: object) -> str:
    """The part of the same sentence that also goes with the name of a member."""
    return _templates()["form", keyword].format(**values)


@cache
def _templates() -> dict[tuple[str, str], str]:
    file = read_schema_file(CODES_FILE)
    texts = {("notes", each["id"]): each["text"] for each in file["notes"]}
    for each in file["keywords"]:
        texts |= {(word, each["keyword"]): each[word] for word in ("found", "form") if word in each}
    return texts


def refusal(text: str) -> CodedSentence:
    """A refusal of certification (synthetic) with its code, from the sentence alone. Raises ValueError for others."""
    if isinstance(text, CodedSentence):
        return text
    for code, pattern in _refusals():
        if pattern.fullmatch(text) is not None:
            return CodedSentence(text, code)
    raise ValueError("the text is not a refusal of certification (synthetic)")


@cache
def _refusals() -> tuple[tuple[str, re.Pattern[str]], ...]:
    codes = (code for code in catalogue().values() if code.layer == "certification")
    return tuple((code.id, re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(code.sentence)), re.S)) for code in codes)


def broken(rule: str, path: Path, **values: object) -> Finding:
    """The finding that a document breaks a rule beyond its schema: the rule's sentence, then what was found."""
    return Finding(rule, f"{sentence(rule)} {catalogue()[rule].found.format(**values)}", path)


def sentence(code: str, **values: object) -> CodedSentence:
    """The sentence of a code with its values filled in. A word of theirs that could be a private key is not quoted."""
    quoted = {name: redacted_words(value) if isinstance(value, str) else value for name, value in values.items()}
    return CodedSentence(catalogue()[code].sentence.format(**quoted), code)
