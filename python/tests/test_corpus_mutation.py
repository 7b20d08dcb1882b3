"""The corpus proves itself: whatever is taken out of the schemas or of the package, some case fails.

A mutant of a schema is killed by a case whose verdict changes, or else by one whose first code changes, or else by a
case that an engine with another ``$`` gets wrong. What no case can kill stands in equivalent_mutants.toml, with why.
"""

from __future__ import annotations

import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from corpus_engines import JAVA, KINDS, PYTHON, Question, Schemas, first_wrong, questions, questions_with_line_ends
from reward_receipts import shape
from schema_mutants import SchemaMutant, schema_mutants

Figure = Callable[[str], None]

DEEP = os.environ.get("REWARD_RECEIPTS_DEEP") == "1"
EQUIVALENT: dict[str, str] = {
    name: entry["why"]
    for entry in tomllib.loads(Path(__file__).with_name("equivalent_mutants.toml").read_text("utf-8"))["equivalent"]
    for name in entry["mutants"]
}


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


def test_every_mutant_of_the_schemas_makes_a_case_fail(figure: Figure) -> None:
    mutants = list(schema_mutants())
    names = [mutant.name for mutant in mutants]
    assert len(set(names)) == len(names)
    corpus = SchemaCorpus()
    deaths = Counter[str]()
    survivors, alive = [], set()
    for mutant in mutants:
        death = corpus.killer(mutant)
        if death is not None:
            deaths[death] += 1
        elif mutant.name in EQUIVALENT:
            alive.add(mutant.name)
        else:
            survivors.append(mutant.name)
    assert survivors == []
    assert sorted(name for name in EQUIVALENT if "#" in name and name not in alive) == [], "killed, or gone"
    figure(
        f"{len(mutants)} mutants of the schemas, {len(survivors)} survivors, {len(alive)} equivalent; killed by "
        + ", ".join(f"{way} {count}" for way, count in sorted(deaths.items()))
    )
