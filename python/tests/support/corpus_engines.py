"""The corpus, put to schemas in this process: by the package's engine, by Python's, and by one with another ``$``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import jsonschema
import jsonschema_rs
import pytest
from checkout import ROOT
from jsonschema.protocols import Validator
from referencing import Registry, Resource
from reward_receipts.conformance.corpus import Case, load
from reward_receipts.conformance.protocol import request_line
from reward_receipts.core.schema_files import SCHEMA_FILES
from reward_receipts.core.strict_json import read_json
from reward_receipts.validation import check as shape
from reward_receipts.validation.schemas import schema_of

sys.path.append(str(ROOT / "scripts"))  # the second computation of signatures, corpus.ed25519

KINDS: Final = ("receipt", "contract", "certificate", "spec")
LINE_ENDS: Final = "\n\r\x85\u2028\u2029"

_URI: Final = {name: schema_of(name)["$id"] for name in SCHEMA_FILES}
_JAVA_END: Final = "(?=(?:\r\n|[\n\r\x85\u2028\u2029])?\\Z)"


@dataclass(frozen=True)
class Question:
    """A document, and whether it is one of its kind."""

    id: str
    kind: str | None
    value: Any
    valid: bool
    code: str | None
    """The code that refuses it first."""


@cache
def cases() -> tuple[Case, ...]:
    """The whole corpus of the checkout."""
    return load(str(ROOT / "conformance")).cases


@cache
def questions() -> tuple[Question, ...]:
    """The cases of the layers schema and rules, and the specs of the layer compose, their documents read once."""
    asked: dict[tuple[str | None, bytes], Question] = {}
    for case in cases():
        code = case.expect.get("codes", [None])[0]
        if case.layer not in ("schema", "rules", "compose") or (code or "").startswith("json."):
            continue
        is_spec = case.layer == "compose"
        kind, text = ("spec", case.input["spec"]) if is_spec else (case.kind, case.input["document"])
        if (code or "").startswith("compose."):  # a spec that is valid, and that cannot be run
            code = None
        asked.setdefault((kind, text or b""), Question(case.id, kind, read_json(text or b""), code is None, code))
    return tuple(asked.values())


class Schemas:
    """The schema files, one of them perhaps changed."""

    def __init__(self, file: str = "common", changed: Any = None) -> None:
        self.by_name = {name: schema_of(name) for name in SCHEMA_FILES}
        if changed is not None:
            self.by_name[file] = changed

    def verdicts(self, kind: str | None) -> Callable[[Any], bool]:
        """What decides whether a value is a document of a kind, or of the kind it names; with the plain rules."""
        schema = self.by_name[kind or "document"]
        resources = [(_URI[name], each) for name, each in self.by_name.items()]
        validator = jsonschema_rs.Draft202012Validator(schema, registry=jsonschema_rs.Registry(resources))
        return lambda value: validator.is_valid(value) and _holds_plain_rules(kind, value)

    def first_codes(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[Question], str | None]:
        """What says which code refuses first: the package itself, over these schemas."""
        monkeypatch.setattr(shape, "schema_of", self.by_name.__getitem__)
        shape._validator.cache_clear()

        def first_code(question: Question) -> str | None:
            findings = shape.check_document(question.value, question.kind)  # type: ignore[arg-type]
            return findings[0].code if findings else None

        return first_code

    def python_verdicts(self, kind: str | None, engine: type[Validator]) -> Callable[[Any], bool]:
        """Like ``verdicts``, by an engine in Python."""
        resources = [(_URI[name], Resource.from_contents(schema)) for name, schema in self.by_name.items()]
        validator = engine(self.by_name[kind or "document"], registry=Registry().with_resources(resources))
        return lambda value: validator.is_valid(value) and _holds_plain_rules(kind, value)


def _holds_plain_rules(kind: str | None, value: Any) -> bool:
    rule = shape._BEYOND_SCHEMA.get(kind)  # type: ignore[arg-type]
    return rule is None or not any(True for _ in rule(value))


def _is_java_match(validator: Validator, pattern: str, text: Any, schema: Any) -> Iterator[jsonschema.ValidationError]:
    if isinstance(text, str) and not re.search(re.sub(r"\$$", lambda _: _JAVA_END, pattern), text):
        yield jsonschema.ValidationError(f"{text!r} does not match {pattern!r}")


PYTHON: Final = jsonschema.Draft202012Validator
"""An engine whose ``$`` also matches before one trailing newline."""
JAVA: Final = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": _is_java_match})
"""An engine whose ``$`` also matches before one trailing line end of any kind, as in Java."""


@cache
def questions_with_line_ends() -> tuple[Question, ...]:
    """Refused documents with a text that ends a line: those on which engines with another ``$`` can differ."""
    return tuple(q for q in questions() if not q.valid and any(set(text) & set(LINE_ENDS) for text in _texts(q.value)))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def first_wrong(verdict: Callable[[Any], bool], asked: Iterable[Question]) -> Question | None:
    """The first question that a verdict answers wrongly."""
    return next((question for question in asked if verdict(question.value) != question.valid), None)


def requests(*layers: str) -> Iterator[tuple[Case, dict[str, Any]]]:
    """The cases of some layers, each with the request that a driver gets for it."""
    for case in cases():
        if case.layer in layers:
            yield case, json.loads(request_line(case, case.id))
