"""The extension reward_receipts_core changes no answer: what it accepts is what the package accepts, and the same."""

from __future__ import annotations

import importlib
import json
import os
import pickle
import subprocess
import sys
import types
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import reward_receipts as rr
from language_agreement import DEEP, Figure, told
from pydantic import BaseModel, ValidationError, field_validator
from random_documents import document
from random_texts import spell, spoilt
from reward_receipts.conformance.protocol import LAYERS
from reward_receipts.core import extension
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.validation.schemas import KINDS

TEXTS = 1_000_000 if DEEP else 5_000


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The extension is looked for again, before and after."""
    extension.extension.cache_clear()
    yield
    extension.extension.cache_clear()


def answer(data: bytes | str, kind: Any) -> dict[str, Any]:
    """All that can be seen of a document, or of its refusal."""
    try:
        read = rr.read_document(data, kind)
    except InvalidDocument as refused:
        return {"findings": told(refused)}
    return {
        "type": type(read),
        "digest": read.digest,
        "canonical": rr.canonical_json_bytes(read),
        "members": read.model_dump(),
        "given": read.model_dump_json(exclude_unset=True),
        "repr": repr(read),
        "hash": hash(read),
    }


def text(rng: Random, value: Any) -> bytes | str:
    """A text of a value: as a program writes it, or spelt in any way; some are spoilt."""
    written = json.dumps(value, indent=rng.choice((None, None, 1, 2))) if rng.random() < 0.7 else spell(rng, value)
    data = written.encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        return spoilt(rng, data)
    return written if rng.random() < 0.2 else data


@pytest.mark.usefixtures("installed")
def test_every_answer_is_the_same(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[str] = Counter()
    module = extension.extension()
    for number in range(TEXTS):
        rng = Random(f"extension/{number}")
        made = document(number)
        data = text(rng, made.value)
        kind = rng.choice((made.kind, made.kind, made.kind, None, rng.choice(KINDS)))
        quick = answer(data, kind)
        with monkeypatch.context() as without:
            without.setattr(extension, "extension", lambda: None)
            plain = answer(data, kind)
        assert quick == plain, repr(data)
        accepted = isinstance(data, bytes) and module.accept(data, kind) is not None
        assert not accepted or "digest" in plain
        seen["accepted" if accepted else "valid" if "digest" in plain else "refused"] += 1
    figure(f"{TEXTS} texts with and without, no difference: {dict(seen)}")
    assert min(seen["accepted"], seen["refused"]) > TEXTS / 10


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "name",
    [
        "traces.generated.reward_trace_row.RewardTraceRow",
        "traces.generated.regime_report.RegimeReport",
        "rewards.RewardSpec",
    ],
)
def test_documents_of_other_kinds_are_the_package_s(name: str) -> None:
    module, _, cls = name.rpartition(".")
    model = getattr(importlib.import_module(f"reward_receipts.{module}"), cls)
    with pytest.raises(ValidationError):
        model.model_validate_json(b"{}")


@pytest.mark.usefixtures("installed")
def test_subclasses_keep_their_own_validators() -> None:
    class Refusing(rr.RewardEvidenceReceiptV1):
        @field_validator("nonce")
        @classmethod
        def refuse(cls, value: str) -> str:
            raise ValueError("no nonce is good enough")

    text = json.dumps(document_of_kind("receipt"))
    assert type(rr.RewardEvidenceReceiptV1.model_validate_json(text)) is rr.RewardEvidenceReceiptV1
    with pytest.raises(ValidationError, match="no nonce is good enough"):
        Refusing.model_validate_json(text)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("kind", KINDS)
def test_models_are_those_of_validation(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Down to what pydantic keeps of an instance; and no two share what could change."""
    text = json.dumps(document_of_kind(kind)).encode()
    quick = rr.read_document(text, kind)
    with monkeypatch.context() as without:
        without.setattr(extension, "extension", lambda: None)
        plain = rr.read_document(text, kind)
    for one, other in pairs(quick, plain):
        assert (type(one), list(one.__dict__)) == (type(other), list(other.__dict__))
        assert [type(value) for value in one.__dict__.values()] == [type(value) for value in other.__dict__.values()]
        for name in ("__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__"):
            assert getattr(one, name) == getattr(other, name)
    assert pickle.loads(pickle.dumps(quick)) == plain
    given = set(plain.model_fields_set)
    quick.model_fields_set.clear()
    assert rr.read_document(text, kind).model_fields_set == given
    with pytest.raises(ValidationError, match="frozen"):
        quick.schema_version = "another"  # type: ignore[assignment,misc]


def pairs(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """Two models and the parts inside them."""
    yield one, other
    for mine, theirs in zip(one.__dict__.values(), other.__dict__.values(), strict=True):
        for a, b in zip(*((each if isinstance(each, tuple) else (each,)) for each in (mine, theirs)), strict=True):
            if isinstance(a, BaseModel):
                yield from pairs(a, b)


def document_of_kind(kind: str) -> Any:
    """A random document that the extension accepts."""
    values = (document(number).value for number in range(1000))
    return next(value for value in values if extension.kind_of(json.dumps(value), kind) == kind)


@pytest.mark.usefixtures("installed")
def test_the_corpus_with_it() -> None:
    driver = [sys.executable, "-m", "reward_receipts.conformance.driver"]
    command = [sys.executable, "-m", "reward_receipts", "conformance", "run", "--", *driver]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith(f"conformant at {', '.join(LAYERS)} of corpus"), done.stdout


@pytest.mark.usefixtures("installed")
def test_the_command_says_that_it_is_in_use() -> None:
    command = [sys.executable, "-m", "reward_receipts", "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == f"reward-receipts {rr.__version__}\nwith the extension reward_receipts_core\n"
    environment = {**os.environ, "REWARD_RECEIPTS_CORE": "0"}
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert said == f"reward-receipts {rr.__version__}\n"


@pytest.mark.usefixtures("fresh")
def test_another_version_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    other = types.ModuleType("reward_receipts_core")
    other.VERSION = "0.0.9"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "reward_receipts_core", other)
    monkeypatch.delenv("REWARD_RECEIPTS_CORE", raising=False)
    with pytest.warns(extension.ExtensionRefused, match=r"reward_receipts_core 0\.0\.9 is not used: the package is"):
        assert extension.extension() is None
    assert extension.accept(b"{}", None) is None


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("given", [{}, {"ROW": list(extension.ROW)}, {"ROW": extension.ROW, "SHAPE": ("certified",)}])
def test_an_older_build_of_the_same_version_is_refused_with_a_sentence(
    given: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = types.ModuleType("reward_receipts_core")
    vars(other).update({"VERSION": rr.__version__, **given})
    monkeypatch.setitem(sys.modules, "reward_receipts_core", other)
    monkeypatch.delenv("REWARD_RECEIPTS_CORE", raising=False)
    with pytest.warns(extension.ExtensionRefused, match="is not used: it was built from other sources"):
        assert extension.extension() is None


@pytest.mark.usefixtures("fresh")
def test_it_can_be_turned_off_and_need_not_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("reward_receipts_core")
    module.VERSION = rr.__version__  # type: ignore[attr-defined]
    module.ROW, module.SHAPE = extension.ROW, extension.SHAPE  # type: ignore[attr-defined]
    module.accept = lambda text, kind: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "reward_receipts_core", module)
    monkeypatch.setenv("REWARD_RECEIPTS_CORE", "0")
    assert extension.extension() is None
    extension.extension.cache_clear()
    monkeypatch.delenv("REWARD_RECEIPTS_CORE")
    assert extension.extension() is module
    assert extension.accept("\ud800", None) is None
    assert extension.accept(bytearray(b"{}"), None) is None
    extension.extension.cache_clear()
    monkeypatch.setitem(sys.modules, "reward_receipts_core", None)
    assert extension.extension() is None
