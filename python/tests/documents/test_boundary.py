"""Hostile texts at the boundary: bounded memory and time, findings that point at the values they are about.

REWARD_RECEIPTS_DEEP=1 reads 200 texts of scripts/bench/boundary.py in three sizes; the script by itself reads all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import jsonschema_rs
import pytest
import reward_receipts as rr
from checkout import ROOT, script
from pydantic import ValidationError
from random_documents import document
from reward_receipts.cli import main
from reward_receipts.core.pointer import member_at
from reward_receipts.validation import check as shape
from reward_receipts.validation.schemas import schema_of
from reward_receipts.validation.sentences import Fault, faults

sweep = script("bench/boundary")

DEEP = os.environ.get("REWARD_RECEIPTS_DEEP") == "1"
RECEIPT = json.loads((ROOT / "conformance/vectors/worked/receipt.json").read_text("utf-8"))
Figure = Callable[[str], None]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="peak memory of a child process needs wait4")
def test_a_text_of_1_mib_takes_at_most_200_mib_and_5_cpu_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--sample", "200"] if DEEP else ["--sample", "12", "--seed", "1", "--size", "1"]
    status = sweep.main(arguments)
    assert status == 0, capsys.readouterr().out


def test_items_that_python_hashes_alike_are_compared_in_linear_time() -> None:
    counts = [20_000, 40_000]
    seconds = []
    for count in counts:
        started = process_time()
        found = [*faults({"uniqueItems": True}, [number * (2**61 - 1) for number in range(count)], dict)]
        seconds.append(process_time() - started)
        assert found == []
    assert seconds[-1] < 2.0, seconds  # comparing them pair by pair took 17 s


def test_equal_numbers_are_equal_items_however_large_they_are() -> None:
    for one, other in ((1, 1.0), (2**70, float(2**70)), (-(2**61), -float(2**61)), (0.0, -0.0)):
        assert [each.keyword for each in faults({"uniqueItems": True}, [one, other], dict)] == ["uniqueItems"]
    for one, other in ((2**70, 2**70 + 1), (1, True), (0, False), (1, "1"), (0.5, 1.5)):
        assert [*faults({"uniqueItems": True}, [one, other], dict)] == []


def test_a_thousand_findings_below_long_names_are_checked_in_linear_time(tmp_path: Path) -> None:
    below = {f"u{number}": 1 for number in range(150)}
    row = {"reward_detail": {"x" * 990 + str(number): below for number in range(400)}}
    started = process_time()
    assert len(shape.check("trace-row", row)) == shape.MAX_FINDINGS
    assert process_time() - started < 5.0  # 28 s when each pointer was searched for keys
    path = tmp_path / "trace.jsonl"
    path.write_text(json.dumps(row), "utf-8")
    started = process_time()
    assert main(["trace", "summary", str(path)]) == 1
    assert process_time() - started < 5.0  # over 60 s when each finding walked through the text


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="peak memory of a child process needs wait4")
@pytest.mark.parametrize(
    ("kind", "place", "fill", "reader"),
    [
        ("receipt", "members of reward_components", "nested objects", "errors"),
        ("receipt", "an unknown member", "members", "lint -f json"),
        ("contract", "an array of documents", "objects", "lint -f junit"),
        ("spec", "items of gates", "objects", "from_yaml"),
    ],
)
def test_texts_that_once_took_gigabytes_or_minutes(
    tmp_path: Path, kind: str, place: str, fill: str, reader: str
) -> None:
    hostile = sweep.Hostile(kind, place, fill, 1.0)
    path = tmp_path / f"hostile{sweep.suffix(hostile, reader)}"
    path.write_bytes(hostile.text())
    found = sweep.measured(sweep.readers(kind)[reader](path))
    assert sweep.within_bounds(found), found


def test_the_sweep_reports_what_is_beyond_the_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = sweep.Hostile("receipt", "an unknown member", "numbers", 1.0)
    good = sweep.Measured(100.0, 1.0, 1, False)
    assert sweep.report([(good, hostile, "lint")], 5) == 0
    for bad in (
        sweep.Measured(201.0, 1.0, 1, False),
        sweep.Measured(100.0, 5.1, 1, False),
        sweep.Measured(100.0, 1.0, 1, True),
    ):
        assert sweep.report([(good, hostile, "lint"), (bad, hostile, "lint")], 5) == 1
    assert "1 beyond 200 MiB or 5 s" in capsys.readouterr().out
    half = sweep.Hostile("receipt", "an unknown member", "numbers", 0.5)
    assert sweep.report([(good, half, "lint"), (sweep.Measured(100.0, 3.4, 1, False), hostile, "lint")], 5) == 0
    assert sweep.report([(good, half, "lint"), (sweep.Measured(100.0, 3.6, 1, False), hostile, "lint")], 5) == 1


@pytest.mark.slow
def test_every_text_of_the_sweep_is_as_long_as_it_says_and_parses() -> None:
    every = list(sweep.cases(sweep.KINDS, (0.25,)))
    for hostile in every if DEEP else Random("texts").sample(every, 40):
        text = hostile.text()
        assert 0.24 * sweep.MEBIBYTE < len(text) <= 0.25 * sweep.MEBIBYTE
        if hostile.shape != "the document cut off":
            json.loads(text)


# The walker against the engine.


def by_engine(schema: Any, value: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each keyword that jsonschema-rs says refuses, and where; steps as text, since it does not tell 0 from "0"."""
    registry = jsonschema_rs.Registry([(each["$id"], each) for each in (schema, schema_of("common"))])
    for error in jsonschema_rs.Draft202012Validator(schema, registry=registry).iter_errors(value):
        if error.schema_path[-1] == "not":
            continue
        path = tuple(map(str, error.instance_path))
        if hasattr(error.kind, "error"):
            yield "propertyNames", (*path, error.kind.error.instance)
        elif error.schema_path[-1] == "additionalProperties":
            yield from (("additionalProperties", (*path, name)) for name in error.kind.unexpected)
        else:
            yield str(error.schema_path[-1]), path


def by_walker(schema: Any, value: Any, kind: Any) -> Iterator[Fault]:
    definitions = shape._validator(kind, None)[2]
    yield from faults(schema, value, definitions)
    for rule in schema.get("allOf", ()):
        yield from faults(rule, value, definitions)


@pytest.mark.slow
def test_the_walker_and_the_engine_refuse_the_same_by_the_same_keyword(figure: Figure) -> None:
    compared = 0
    for number in range(20_000 if DEEP else 1_500):
        made = document(number)
        schema = schema_of(made.kind)
        walked = sorted((each.keyword, tuple(map(str, each.path))) for each in by_walker(schema, made.value, made.kind))
        assert walked == sorted(by_engine(schema, made.value)), made
        compared += len(walked)
    figure(f"{compared} faults, no difference")
    assert compared


# Places and pointers.


@pytest.mark.parametrize("name", ["0", "00", "-1", "", "a/b", "m~n", "1" * 30, "\u00e9", "schema_version/0"])
def test_a_finding_finds_the_member_whose_name_looks_like_something_else(name: str) -> None:
    text = json.dumps({**RECEIPT, name: ["the", "value"], "reward_components": {name: "x"}})
    with pytest.raises(rr.InvalidDocument) as refused:
        rr.read_document(text)
    by_path = {finding.path: finding for finding in refused.value.findings}
    unknown, component = by_path[(name,)], by_path[("reward_components", name)]
    assert unknown.code == "schema.additionalProperties"
    assert unknown.column == text.index(json.dumps(name) + ': ["the"') + 1
    assert component.column == text.index(json.dumps(name) + ': "x"') + 1
    with pytest.raises(ValidationError) as invalid:
        rr.RewardEvidenceReceiptV1.model_validate_json(text)
    inputs = {error["loc"]: error["input"] for error in invalid.value.errors()}
    assert inputs[(name,)] == ["the", "value"]
    assert inputs[("reward_components", name)] == "x"


def test_names_lead_into_objects_and_indexes_into_arrays() -> None:
    value = {"0": ["a"], "": {"": 1}, "list": [{"0": True}]}
    assert member_at(value, ("0", 0)) == "a"
    assert member_at(value, ("", "")) == 1
    assert member_at(value, ("list", 0, "0")) is True
    assert member_at(value, (0,)) is member_at(value, ("0", "0")) is member_at(value, ("list", 1)) is None


def test_the_last_finding_says_how_many_more_there_are() -> None:
    names = {f"name{number:05}": 0 for number in range(2_000)}
    findings = shape.check("receipt", {**RECEIPT, **names})
    assert len(findings) == shape.MAX_FINDINGS == 1000
    assert [finding.path for finding in findings] == [(name,) for name in sorted(names)[:1000]]
    assert findings[-1].sentence.endswith(" Findings that are not listed: 1000.")
    one_more = shape.check("receipt", {**RECEIPT, **dict.fromkeys(sorted(names)[:1001], 0)})
    assert one_more[-1].sentence.endswith(" Findings that are not listed: 1.")


def test_anything_that_is_missing_is_the_first_finding_whatever_else_there_is() -> None:
    value = {f"a{number}": 0 for number in range(5_000)} | RECEIPT
    del value["nonce"]
    first = shape.check("receipt", value)[0]
    assert (first.code, first.sentence) == ("schema.required", "nonce is missing; it must be given.")


# Sentences.


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        ("issued_at", 'which is not a valid Timestamp; a valid one is "2026-01-31T12:00:00Z".'),
        ("nonce", 'which is not a valid OpaqueId; a valid one is "receipt.2026-01-31:0001".'),
        ("evidence_digest", f'which is not a valid Sha256Digest; a valid one is "sha256:{"0123456789abcdef" * 4}".'),
    ],
)
def test_a_text_of_the_wrong_form_is_answered_with_an_example(member: str, sentence: str) -> None:
    (finding,) = shape.check("receipt", {**RECEIPT, member: "today"})
    assert finding.sentence == f'{member} is "today", {sentence}'


def test_every_example_is_accepted() -> None:
    for name, definition in schema_of("common")["$defs"].items():
        for example in definition.get("examples", ()):
            assert not list(faults(definition, example, {}.__getitem__)), name


def test_an_array_of_invalid_documents_is_checked_up_to_a_thousand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{}] * 1500), "utf-8")
    assert main(["lint", str(path)]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1000
    assert "after 1000 invalid documents, the other 500 are not checked" in said.err


def test_an_array_that_is_too_long_says_how_to_split_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps([RECEIPT] * 1500), "utf-8")
    assert main(["lint", str(path)]) == 1
    assert "in a .jsonl file" in capsys.readouterr().out


def test_trace_summary_keeps_a_bounded_number_of_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random("sentences")
    row = {"environment": 0, "episode": 0, "reward": 0.0, "terminated": False, "truncated": False}
    path = tmp_path / "trace.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for step in range(60):
            components = {f"name {rng.random()}": 0.0 for _ in range(64)}
            print(json.dumps({**row, "step": step, "reward_components": components}), file=file)
    assert main(["trace", "summary", str(path)]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1000
    assert "59 of its 60 rows" in said.err
