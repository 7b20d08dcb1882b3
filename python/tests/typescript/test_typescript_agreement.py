"""Python and TypeScript agree: see language_agreement. Beside that, JavaScript values are checked as texts are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
import random_specs
from language_agreement import DOCUMENTS, SPECS, Agreement, Ask, Figure, Question
from random_documents import document
from reward_receipts.validation.check import check, check_document
from typescript_package import answers, built


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("typescript") / "house")


@pytest.fixture
def ask(package: Path) -> Ask:
    return lambda questions: answers(package, questions)


class TestTypeScript(Agreement):
    not_finite: ClassVar = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}

    def test_signatures_at_the_edge_in_a_browser(self, package: Path, figure: Figure) -> None:
        """The platform computes the equation for the one build, JavaScript for the other."""

        def ask(questions: Iterable[Question]) -> list[Any]:
            return answers(package, questions, "--browser")

        self.test_signatures_at_the_edge(ask, figure)


def test_values(ask: Ask) -> None:
    """A JavaScript value, whose numbers have no type of their own: the same codes at the same places."""
    made = [document(number) for number in range(DOCUMENTS // 3)]
    found = ask({"value": each.value, "kind": each.kind} for each in made)
    for each, answer in zip(made, found, strict=True):
        # Two whole doubles beyond 2**53 can differ as integers; here no document lists such items twice.
        expected = [(finding.code, finding.pointer) for finding in check_document(each.value, each.kind)]
        assert [(code, pointer) for code, pointer, *_ in answer["findings"]] == expected, str(each)


def test_reward_specs_as_values(ask: Ask) -> None:
    """A JavaScript value as a reward spec: the same codes at the same places."""
    made = []
    for number in range(SPECS // 3):
        rng = Random(f"agreement/spec/value/{number}")
        value = json.loads(json.dumps(random_specs.spoilt(rng, random_specs.spec(rng))), parse_int=float)
        made.append(value)
    found = ask({"spec_value": value} for value in made)
    for value, answer in zip(made, found, strict=True):
        expected = [(finding.code, finding.pointer) for finding in check("spec", value)]
        assert [(code, pointer) for code, pointer, *_ in answer["findings"]] == expected, repr(value)[:2000]
