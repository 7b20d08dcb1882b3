"""Each refused case has one cause: without the keyword or the rule that it names, its document is accepted.

What is taken away is what the case's first code names, where it refuses: a keyword of the subschema that refused (of
``required`` the one name, with ``pattern`` or ``type`` the ``not`` that says it again), or a whole rule. Where that is
not enough the case has to name more than one code, and all that it names are taken away, nothing else. That happens at
one place, where one fault breaks several keywords (a text that is too long and so matches no pattern; a number among
words; a missing member that a rule asks for too), and in the few cases that are about the order of several faults, or
about documents of another kind.

Where the caller names no kind, the label is what is looked at first. It is taken away by naming the kind.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema_rs
import pytest
from corpus_engines import Question, Schemas, cases, questions
from reward_receipts.validation import check as shape
from reward_receipts.validation import schemas

Figure = Callable[[str], None]
Cause = tuple[str, tuple[str | int, ...]]


class Cut:
    """The schemas, and what was taken away from them."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.schemas = Schemas()
        self.schemas.by_name = copy.deepcopy(self.schemas.by_name)
        self.plain_rule = True

    def errors(self, value: Any) -> list[jsonschema_rs.ValidationError]:
        resources = [(schema["$id"], schema) for schema in self.schemas.by_name.values()]
        registry = jsonschema_rs.Registry(resources)
        validator = jsonschema_rs.Draft202012Validator(self.schemas.by_name[self.kind], registry=registry)
        return list(validator.iter_errors(value))

    def broken_rules(self, value: Any) -> list[Cause]:
        rule = shape._BEYOND_SCHEMA.get(self.kind) if self.plain_rule else None  # type: ignore[call-overload]
        return [(finding.code, finding.path) for finding in rule(value)] if rule else []

    def take_away(self, value: Any, wanted: Callable[[Cause], bool]) -> bool:
        """Takes away whatever refuses for a wanted cause. Says whether the value is accepted then."""
        rules = self.broken_rules(value)
        for error in self.errors(value):
            if any(map(wanted, causes(error, value))):
                self._cut(error)
        if any(map(wanted, rules)):
            self.plain_rule = False
        return not self.errors(value) and not self.broken_rules(value)

    def _cut(self, error: jsonschema_rs.ValidationError) -> None:
        if rule_of(error):
            self.schemas.by_name["receipt"]["allOf"][error.evaluation_path[1]] = {}
            return
        uri, _, pointer = str(error.absolute_keyword_location).partition("#")
        schema = next(each for each in self.schemas.by_name.values() if each["$id"] == uri)
        *steps, keyword = pointer.split("/")[1:]
        if keyword_of(error) == "propertyNames":  # what refused is in the schema of the names
            schema = self.schemas.by_name["receipt"]["properties"]["reward_components"]
            steps, keyword = [], "propertyNames"
        for step in steps:
            schema = schema[int(step) if isinstance(schema, list) else step]
        if keyword == "required":
            schema["required"] = [name for name in schema["required"] if name != error.kind.property]  # type: ignore[attr-defined]
            return
        schema.pop(keyword, None)
        if keyword in ("pattern", "type"):
            schema.pop("not", None)  # refuses line ends once more, and what is not text


def causes(error: jsonschema_rs.ValidationError, value: Any) -> Iterator[Cause]:
    """The codes of an error, and where: as the package reports them."""
    if error.schema_path[-1] == "not":
        return
    code = rule_of(error) or f"schema.{keyword_of(error)}"
    path: tuple[str | int, ...] = tuple(error.instance_path)
    kind: Any = error.kind  # what it has depends on the keyword
    if hasattr(kind, "unexpected"):
        for unexpected in kind.unexpected:
            yield code, (*path, unexpected)
    elif hasattr(kind, "error"):
        yield code, (*path, kind.error.instance)
    else:
        yield code, path


def rule_of(error: jsonschema_rs.ValidationError) -> str | None:
    """The id of the rule whose branch of ``allOf`` refused, if one did."""
    steps = error.evaluation_path
    if steps[0] != "allOf":
        return None
    title: str = schemas.schema_of("receipt")["allOf"][steps[1]]["title"]
    return title


def keyword_of(error: jsonschema_rs.ValidationError) -> str:
    """The keyword that refused."""
    return "propertyNames" if hasattr(error.kind, "error") else str(error.schema_path[-1])


def separate(question: Question, codes: list[str]) -> str:
    """How a document becomes good: what was enough to take away."""
    kind = question.kind or schemas.kind_of(question.value)
    if not isinstance(kind, str):
        return _without_label(question, kind.code)
    findings = shape.check(kind, question.value)  # type: ignore[arg-type]
    first = (findings[0].code, findings[0].path)
    if Cut(kind).take_away(question.value, lambda cause: cause == first):
        return "one keyword or rule"
    assert len(codes) > 1, question.id
    accepted = Cut(kind).take_away(question.value, lambda cause: cause[0] in codes)
    assert accepted, f"{question.id} is refused for more than {', '.join(codes)}"
    places = {finding.path for finding in findings}
    return "one fault that breaks several" if len(places) == 1 else "several faults, all named"


def _without_label(question: Question, code: str) -> str:
    """A document that does not say what it is: good as one of the kinds, or good but for what the label is."""
    label: set[Cause] = {(code.replace("enum", "const"), path) for path in ((), ("schema_version",))}
    label |= {("schema.type", path) for _, path in label}
    good = [kind for kind in schemas.KINDS if Cut(kind).take_away(question.value, lambda cause: cause in label)]
    assert good, question.id
    return "one keyword or rule"


@pytest.mark.slow
def test_without_the_keyword_or_rule_that_it_names_a_refused_case_is_accepted(figure: Figure) -> None:
    named = {case.id: list(case.expect.get("codes", ())) for case in cases()}
    ways, wrong = Counter[str](), []
    for question in questions():
        if not question.valid:
            try:
                ways[separate(question, named[question.id])] += 1
            except AssertionError as error:
                wrong.append(str(error).splitlines()[0])
    assert wrong == []
    assert ways["several faults, all named"] <= 50
    figure(f"{ways.total()} refused documents: " + ", ".join(f"{count} by {way}" for way, count in ways.most_common()))
