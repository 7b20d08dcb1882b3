"""Python and Rust agree: see language_agreement."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from language_agreement import DEEP, DOCUMENTS, Agreement, Ask, Figure, told
from nacl.bindings import crypto_sign_open
from nacl.exceptions import BadSignatureError
from random_documents import document
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.validation.check import check_document
from rust_workspace import answers, example

RANDOM_SIGNATURES = 1_000_000 if DEEP else 5_000


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


def test_signatures(figure: Figure) -> None:
    """Random ones, laced with small order, other encodings and unreduced S: libsodium's verdicts."""
    verdicts: Counter[tuple[bool, bool]] = Counter()
    command = [example("signatures"), "11", str(RANDOM_SIGNATURES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        while record := process.stdout.read(32 + 32 + 64 + 1):
            key, message, signature, valid = record[:32], record[32:64], record[64:128], record[128:] == b"\x01"
            try:
                crypto_sign_open(signature + message, key)
                verdicts[valid, True] += 1
            except BadSignatureError:
                verdicts[valid, False] += 1
            assert verdicts[True, False] + verdicts[False, True] == 0, record.hex()
    assert process.returncode == 0
    figure(f"{verdicts.total()} signatures, no difference; {verdicts[True, True]} valid")
    assert verdicts.total() == RANDOM_SIGNATURES
    assert min(verdicts[True, True], verdicts[False, False]) > RANDOM_SIGNATURES / 10
