"""How the runner compares and explains answers of the layer compose: numbers, forms, differences."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import small_corpus
from reward_receipts.conformance import driver, runner
from reward_receipts.conformance.compare import compare, same
from reward_receipts.conformance.corpus import Case, load
from reward_receipts.conformance.explain import explain
from reward_receipts.conformance.protocol import Answer, answer_fault, read_answer, request_line
from reward_receipts.conformance.results import CaseResult
from reward_receipts.conformance.runner import Settings


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    folder = small_corpus.write(tmp_path_factory.mktemp("compose") / "corpus", small_corpus.composed())
    return {case.id: case for case in load(str(folder)).cases}


@pytest.fixture
def balance(cases: dict[str, Case]) -> Case:
    return cases["compose/balance"]


@pytest.fixture
def right(balance: Case) -> dict[str, Any]:
    """The right answer, to be changed."""
    return copy.deepcopy(dict(balance.expect))


def line(answer: Any) -> Answer:
    return read_answer(json.dumps({"id": "x", "answer": answer}).encode(), "x", "compose")


def test_the_package_answers_rightly(cases: dict[str, Case]) -> None:
    for case in cases.values():
        answer = driver.answer(json.loads(request_line(case, "x")))["answer"]
        assert compare(case, line(answer)).right


@pytest.mark.parametrize(
    ("right", "given", "equal"),
    [
        (1.0, 1, True),
        (1.0, True, False),
        (0.0, 0, True),
        (0.0, -0.0, False),
        (0.0, False, False),
        (0.1 + 0.2, 0.3, False),
        (1e23, 100000000000000000000000, True),
        (9007199254740992.0, 9007199254740993, True),
        (None, 0.0, False),
        (0.0, None, False),
        ("1.0", 1.0, False),
        ([1.0, 2.0], [1, 2], True),
        ([1.0, 2.0], [2.0, 1.0], False),
        ([1.0], [1.0, 1.0], False),
        ({"a": 1.0, "b": 2.0}, {"b": 2, "a": 1}, True),
        ({"a": 1.0}, {"a": 1.0, "b": 0.0}, False),
    ],
)
def test_numbers_are_compared_as_doubles_and_members_in_any_order(right: Any, given: Any, equal: bool) -> None:
    assert same(right, given) is equal


def test_an_integer_token_is_the_double_that_it_is_nearest_to(balance: Case) -> None:
    """JavaScript writes 1 for 1.0."""
    wanted = copy.deepcopy(dict(balance.expect))
    wanted["steps"][0] = {"contributions": {"up": 4.0}, "total": 4.0}
    case = Case(**{name: getattr(balance, name) for name in Case.__slots__} | {"expect": wanted})
    given = copy.deepcopy(wanted)
    given["steps"][0] = {"contributions": {"up": 4}, "total": 4}
    assert compare(case, line(given)).right


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda a: a.update(digest="sha256:0"), 'digest is "sha256:0", expected "sha256:'),
        (lambda a: a["ceiling"].update(per_step=3.5), "ceiling/per_step is 3.5, expected 3.75"),
        (lambda a: a["ceiling"].update(at_end=0.0), "ceiling/at_end is 0.0, expected null"),
        (lambda a: a["ceiling"].update(unbounded=[]), 'ceiling/unbounded is [], expected ["end"]'),
        (
            lambda a: a["steps"][0].update(total=3.7500000000000004),
            "steps/0/total is 3.7500000000000004, expected 3.75",
        ),
        (
            lambda a: a["steps"][0]["contributions"].update(end=0.0),
            "steps/0/contributions/end is 0.0, expected left out",
        ),
        (lambda a: a["steps"][1].update(component="up"), 'steps/1/component is "up", expected "end"'),
        (lambda a: a["steps"].pop(), "steps/2 is left out, expected {"),
        (lambda a: a["steps"].append({"refused": "x", "component": "up"}), "steps/3 is {"),
    ],
)
def test_a_wrong_answer_fails_and_says_where_it_differs(
    balance: Case, right: dict[str, Any], change: Any, said: str
) -> None:
    change(right)
    comparison = compare(balance, line(right))
    assert comparison.kind == "answer"
    assert not comparison.right
    assert comparison.said.startswith(said)


def test_many_differences_are_counted_and_not_listed(balance: Case, right: dict[str, Any]) -> None:
    right["steps"] = []
    right.update(digest="", resolved_digest="", ceiling=dict.fromkeys(right["ceiling"], 9.0) | {"unbounded": []})
    assert compare(balance, line(right)).said.endswith("; and 3 differences more")


def test_a_refusal_is_compared_by_its_verdict(cases: dict[str, Case], right: dict[str, Any]) -> None:
    refused = cases["compose/clip-reversed"]
    for answer in ({"valid": False}, {"valid": False, "codes": ["schema.type"]}):
        assert compare(refused, line(answer)).right
    accepted = compare(refused, line(right))
    assert (accepted.right, accepted.said) == (False, "accepted, expected refused (spec.clip-ordered)")
    wrongly = compare(cases["compose/balance"], line({"valid": False, "codes": ["schema.type"]}))
    assert (wrongly.right, wrongly.said) == (False, "refused (schema.type), expected accepted")


@pytest.mark.parametrize(
    "answer",
    [
        {"valid": True},
        {"valid": 0},
        {"valid": False, "codes": "schema.type"},
        {},
        [],
        None,
    ],
)
def test_anything_that_is_not_an_answer_differs_from_a_wrong_one(answer: Any) -> None:
    assert line(answer).kind == "malformed"
    assert "; it must be {digest: text, " in str(answer_fault("compose", answer))


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.pop("ceiling"),
        lambda a: a.update(more=1),
        lambda a: a.update(valid=True),
        lambda a: a.update(steps={}),
        lambda a: a["ceiling"].pop("at_end"),
        lambda a: a["ceiling"].update(per_step="3.75"),
        lambda a: a["ceiling"].update(per_step=True),
        lambda a: a["ceiling"].update(unbounded=[1]),
        lambda a: a["steps"][0].update(total=None),
        lambda a: a["steps"][0].update(total=True),
        lambda a: a["steps"][0]["contributions"].update(up="3.75"),
        lambda a: a["steps"][0].pop("total"),
        lambda a: a["steps"][1].update(total=0.0),
        lambda a: a["steps"][1].pop("component"),
        lambda a: a["steps"].append({"reset": True}),
    ],
)
def test_an_answer_of_another_form_is_malformed(right: dict[str, Any], change: Any) -> None:
    assert line(right).kind == "answer"
    change(right)
    assert line(right).kind == "malformed"


def test_explain_shows_components_steps_and_what_is_right(balance: Case, right: dict[str, Any]) -> None:
    right["steps"][0]["total"] = 9.0
    answer = line(right)
    comparison = compare(balance, answer)
    text = explain(balance, CaseResult(balance, "fail", comparison.said, answer=answer))
    for said in (
        "arguments:\n",
        '    components/end: {"cadence": "episode_end", "clip": null, "default_weight": 2.5}\n',
        '    steps/1: {"raw": {"up": 0.5, "end": {"double": "nan"}}, "terminated": false, "truncated": true}\n',
        '    steps/2: {"reset": true}\n',
        "    episode_steps: 10\n",
        "expected:\n",
        '    ceiling/unbounded: ["end"]\n',
        '    steps/1: {"refused": "compose.not-finite", "component": "end"}\n',
        "status: fail: steps/0/total is 9.0, expected 3.75\n",
        '    steps/0: {"contributions": {"up": 3.75}, "total": 9.0}\n',
    ):
        assert said in text


def test_a_driver_that_does_not_claim_the_layer_is_not_asked(tmp_path: Path) -> None:
    folder = small_corpus.write(tmp_path / "corpus", [*small_corpus.a_few(), *small_corpus.composed()])
    toy = tmp_path / "toy_driver.py"
    tests = str(Path(__file__).resolve().parents[1] / "support")
    toy.write_text(
        f"import sys; sys.path.append({tests!r})\n"
        "from toy import *\n"
        'hello(layers=["json"], operations=["read"])\n'
        "for request in requests(): answer(request)\n"
    )
    done = runner.run(load(str(folder)), [sys.executable, str(toy), str(folder)], Settings(seed=7))
    assert done.claim == "conformant at json of corpus 1.0.0"
    composed = [result for result in done.results if result.case.layer == "compose"]
    assert {(result.status, result.detail) for result in composed} == {("unsupported", "layer compose is not claimed")}
