"""The corpus proves itself: whatever is taken out of the schemas or of the package, some case fails.

A mutant of a schema is killed by a case whose verdict changes, or else by one whose first code changes, or else by a
case that an engine with another ``$`` gets wrong. What no case can kill is in equivalent_mutants.toml, with why.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from code_mutants import NOT_VISIBLE, CodeMutant, code_mutants
from corpus_engines import (
    JAVA,
    KINDS,
    PYTHON,
    Question,
    Schemas,
    first_wrong,
    questions,
    questions_with_line_ends,
    requests,
)
from reward_receipts.conformance import driver
from reward_receipts.conformance.compare import accepts, same
from reward_receipts.conformance.corpus import Case
from reward_receipts.conformance.protocol import LAYERS
from reward_receipts.core.codes import catalogue
from reward_receipts.validation import check as shape
from schema_mutants import SchemaMutant, schema_mutants

Figure = Callable[[str], None]

EQUIVALENT: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("equivalent_mutants.toml").read_text("utf-8")
)["equivalent"]


def equivalent(name: str) -> int | None:
    """The place of the entry that a mutant is listed under; None where it is not."""
    found = [place for place, entry in enumerate(EQUIVALENT) if any(fnmatchcase(name, e) for e in entry["mutants"])]
    return found[0] if found else None


@pytest.fixture(autouse=True)
def unchanged() -> Any:
    """Leaves no mutated validator behind."""
    yield
    shape._validator.cache_clear()


class SchemaCorpus:
    """The cases of the layers schema and rules, those that killed lately first."""

    def __init__(self) -> None:
        self.by_kind: dict[str | None, list[Question]] = {
            kind: [question for question in questions() if question.kind == kind] for kind in (*KINDS, None)
        }
        self.kinds: list[str | None] = [*KINDS]

    def killer(self, mutant: SchemaMutant) -> str | None:
        """How a mutant dies: verdict, code, python or java; None where it survives."""
        schemas = Schemas(mutant.file, mutant.schema())
        kinds: Iterable[str | None] = tuple(self.kinds)
        if mutant.file != "common":
            kinds = [None if mutant.file == "document" else mutant.file]
        for kind in kinds:
            if self._wrong(kind, schemas.verdicts(kind)):
                return "verdict"
        if mutant.file == "document":  # the package finds the kind by itself
            return None
        with pytest.MonkeyPatch.context() as patch:
            first_code = schemas.first_codes(patch)
            for kind in kinds:
                if self._wrong_code(kind, first_code):
                    return "code"
        if mutant.file != "common" or not any(word in mutant.name for word in ("/pattern:", "/not", "/maxLength:")):
            return None  # a text decides nothing here
        for name, engine in (("python", PYTHON), ("java", JAVA)):
            for kind in kinds:
                asked = [question for question in questions_with_line_ends() if question.kind == kind]
                if first_wrong(schemas.python_verdicts(kind, engine), asked):
                    return name
        return None

    def _wrong(self, kind: str | None, verdict: Callable[[Any], bool]) -> bool:
        found = first_wrong(verdict, self.by_kind[kind])
        return found is not None and self._remember(kind, found)

    def _wrong_code(self, kind: str | None, first_code: Callable[[Question], str | None]) -> bool:
        for question in self.by_kind[kind]:
            if not question.valid and first_code(question) != question.code:
                return self._remember(kind, question)
        return False

    def _remember(self, kind: str | None, question: Question) -> bool:
        asked = self.by_kind[kind]
        asked.remove(question)
        asked.insert(0, question)
        if kind in self.kinds:
            self.kinds.remove(kind)
            self.kinds.insert(0, kind)
        return True


def test_the_schemas_as_they_are_fail_no_case() -> None:
    schemas = Schemas()
    for kind in (*KINDS, None):
        asked = [question for question in questions() if question.kind == kind]
        assert first_wrong(schemas.verdicts(kind), asked) is None
        for engine in (PYTHON, JAVA):
            ended = [question for question in questions_with_line_ends() if question.kind == kind]
            assert first_wrong(schemas.python_verdicts(kind, engine), ended) is None
    with pytest.MonkeyPatch.context() as patch:
        first_code = schemas.first_codes(patch)
        assert [q.id for q in questions() if first_code(q) != q.code] == []


@pytest.mark.slow
def test_every_mutant_of_the_schemas_makes_a_case_fail(figure: Figure) -> None:
    mutants = list(schema_mutants())
    names = [mutant.name for mutant in mutants]
    assert len(set(names)) == len(names)
    corpus = SchemaCorpus()
    deaths = Counter[str]()
    survivors, alive, killed = [], Counter[int](), []
    for mutant in mutants:
        death, listed = corpus.killer(mutant), equivalent(mutant.name)
        if death is not None:
            deaths[death] += 1
            killed += [mutant.name] if listed is not None else []
        elif listed is None:
            survivors.append(mutant.name)
        else:
            alive[listed] += 1
    assert survivors == [], "\n".join(survivors)
    assert killed == [], "listed as equivalent"
    assert [(alive[place], e["why"]) for place, e in enumerate(EQUIVALENT)] == [
        (e["count"], e["why"]) for e in EQUIVALENT
    ]
    figure(
        f"{len(mutants)} mutants of the schemas, {len(survivors)} survivors, {alive.total()} equivalent; killed by "
        + ", ".join(f"{way} {count}" for way, count in sorted(deaths.items()))
    )


# The package: whatever has a code, switched off; whatever decides a value, bent.


class Requests:
    """The cases of each layer as the driver gets them, those that killed lately first."""

    def __init__(self) -> None:
        self.by_layer = {layer: list(requests(layer)) for layer in LAYERS}

    def killer(self, mutant: CodeMutant) -> str | None:
        """The case that kills a mutant, by a wrong answer or by none; None where it survives."""
        with pytest.MonkeyPatch.context() as patch:
            mutant.apply(patch)
            for layer in mutant.layers:
                asked = self.by_layer[layer]
                near = [each for each in asked if each[0].id.startswith(mutant.first or layer)]
                for each in (*near, *(other for other in asked if other not in near)) if mutant.first else asked:
                    if not right(*each):
                        asked.remove(each)
                        asked.insert(0, each)
                        return each[0].id
        return None


def right(case: Case, request: dict[str, Any]) -> bool:
    """Whether the package answers a case rightly, the first code included."""
    given = driver.answer(request).get("answer")
    if given is None or "valid" not in case.expect:
        return same(dict(case.expect), given)
    codes = [(answer.get("codes") or [None])[0] for answer in (given, case.expect)]
    return accepts(given) == accepts(case.expect) and codes[0] == codes[1]


def test_the_package_as_it_is_fails_no_case(figure: Figure) -> None:
    asked = list(requests(*LAYERS))
    assert [case.id for case, request in asked if not right(case, request)] == []
    figure(f"{len(asked)} cases, each answered as it must be")


def test_everything_that_has_a_code_has_a_mutant() -> None:
    about = {mutant.name.partition(":")[0] for mutant in code_mutants()}
    about |= {
        code
        for mutant in schema_mutants()
        if mutant.name.startswith("receipt#/allOf: without branch")
        for code in mutant.name.split()[-1:]
    }
    codes = {code.id for code in catalogue().values() if code.layer != "schema"}
    assert codes - about == set(NOT_VISIBLE)


@pytest.mark.slow
def test_every_mutant_of_the_package_makes_a_case_fail(figure: Figure) -> None:
    mutants = list(code_mutants())
    names = [mutant.name for mutant in mutants]
    assert len(set(names)) == len(names)
    corpus = Requests()
    survivors = [mutant.name for mutant in mutants if corpus.killer(mutant) is None]
    assert survivors == [], "\n".join(survivors)
    figure(f"{len(mutants)} mutants of the package, {len(survivors)} survivors")
