"""Python and Rust agree: see language_agreement."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_agreement import DOCUMENTS, Agreement, Ask, told
from random_documents import document
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.validation.check import check_document
from rust_workspace import answers, example


@pytest.fixture(scope="module")
def program() -> Path:
    return example("compare")


@pytest.fixture
def ask(program: Path) -> Ask:
    return lambda questions: answers(program, questions)


class TestRust(Agreement):
    pass


def test_values(ask: Ask) -> None:
    """A value that came from no text: the same findings in the same words, without a place."""
    made = [each for each in map(document, range(DOCUMENTS // 3)) if each.kind is not None]
    found = ask({"value": each.value, "kind": each.kind} for each in made)
    for each, answer in zip(made, found, strict=True):
        expected = told(InvalidDocument(check_document(each.value, each.kind)))
        assert answer["findings"] == expected, str(each)
