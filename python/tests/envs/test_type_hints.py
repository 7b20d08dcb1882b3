"""Frameworks (LangChain, MCP, FastAPI's Depends) look up types at run time: those of all public callables are found."""

from __future__ import annotations

import importlib
import inspect
import json
import typing
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import pydantic
import pytest
import reward_receipts as rr
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient
from field import Bench
from pydantic import ConfigDict, TypeAdapter

PACKAGES = ("reward_receipts", "reward_receipts.rewards", "reward_receipts.envs", "reward_receipts.conformance")
SPECIAL = ("__init__", "__call__", "__post_init__")


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, and every public method of a public class, by its name."""
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isfunction(value):
                yield f"{package}.{name}", value
            if inspect.isclass(value):
                yield from methods(f"{package}.{name}", value)


def methods(name: str, cls: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for base in cls.__mro__:
        if base.__module__.startswith("reward_receipts"):
            for member, value in vars(base).items():
                if member.startswith("_") and member not in SPECIAL:
                    continue
                function = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
                function = getattr(function, "func", function)  # of a cached property
                if inspect.isfunction(function):
                    yield f"{name}.{member}", function


FUNCTIONS = dict(public_functions())


def test_there_are_public_functions_of_every_kind() -> None:
    assert len(FUNCTIONS) > 150
    assert {"reward_receipts.score", "reward_receipts.RewardCertificateV1.unmet"} <= FUNCTIONS.keys()
    assert {"reward_receipts.rewards.RewardSpec.diff", "reward_receipts.envs.check_env"} <= FUNCTIONS.keys()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_types_of_every_public_callable_are_found(name: str) -> None:
    function = FUNCTIONS[name]
    typing.get_type_hints(function)
    signature = inspect.signature(function, eval_str=True)
    assert not any(isinstance(each.annotation, str) for each in signature.parameters.values())


def test_the_types_of_every_named_tuple_are_found() -> None:
    named_tuples = [
        value
        for package in PACKAGES
        for name in getattr(importlib.import_module(package), "__all__", ())
        if inspect.isclass(value := getattr(importlib.import_module(package), name)) and issubclass(value, tuple)
    ]
    assert rr.RewardScoreV1 in named_tuples
    for each in named_tuples:
        assert typing.get_type_hints(each).keys() == set(each._fields)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name.rpartition(".")[0] in PACKAGES])
def test_every_public_function_can_be_wrapped_by_validate_call(name: str) -> None:
    config = ConfigDict(arbitrary_types_allowed=True)  # as LangChain and MCP have it: bytearray, gymnasium.Env
    assert callable(pydantic.validate_call(FUNCTIONS[name], config=config))


def test_a_wrapped_function_does_what_it_does_unwrapped() -> None:
    bench = Bench()
    contract, certificate, receipt = bench.contract, bench.certificate, bench.receipt()
    assert pydantic.validate_call(rr.score)("verified", 2, certificate, 120, contract=contract) == rr.score(
        "verified", 2, certificate, 120, contract=contract
    )
    from_members = pydantic.validate_call(rr.audit)(receipt.model_dump(), contract.model_dump())  # type: ignore[arg-type]
    assert from_members == rr.audit(receipt, contract)
    for keys in (bench.key.keyring, bench.key.public_key, {bench.key.key_id: bench.key.public_key}):
        assert pydantic.validate_call(rr.verify)(receipt, keys) is rr.SignatureVerdict.VALID
    assert pydantic.validate_call(rr.sign)(receipt, bench.key) == receipt


def test_scores_are_a_type_of_pydantic_and_fastapi() -> None:
    bench = Bench()
    refused = rr.score("verified", 1, None, 0, contract=bench.contract)
    assert len(refused.certification_refusals) == 2
    adapter = TypeAdapter(rr.RewardScoreV1)
    text = adapter.dump_json(refused)
    assert json.loads(text) == [1.0, False, True, [str(each) for each in refused.certification_refusals]]
    for again in (
        adapter.validate_json(text),
        adapter.validate_python(refused),
        adapter.validate_python(tuple(refused)),
    ):
        assert again == refused
        codes = [each.code for each in again.certification_refusals]
        assert codes == ["tier-development-only", "certificate-absent"]
    with pytest.raises(pydantic.ValidationError, match="not a refusal"):
        adapter.validate_python((1.0, False, True, ("because",)))
    items = adapter.json_schema()["prefixItems"]
    assert items[3]["items"] == {"type": "string"}

    class Row(pydantic.BaseModel):
        score: rr.RewardScoreV1

    assert Row.model_validate_json(Row(score=refused).model_dump_json()).score == refused

    app = FastAPI()

    @app.post("/score")
    def scored(contract: rr.RewardContractV1, outcome: rr.RewardOutcomeV1, tier: int) -> rr.RewardScoreV1:
        return rr.score(outcome, tier, None, 0, contract=contract)

    @app.post("/state")
    def state(found: Annotated[rr.RewardCertificateStateV1, Depends(rr.certificate_state)]) -> str:
        return found

    client = TestClient(app)
    answer = client.post("/score?outcome=verified&tier=1", json=bench.contract.model_dump(mode="json"))
    assert (answer.status_code, answer.json()) == (200, json.loads(text))
    answer = client.post("/state?policy_update=120", json=bench.certificate.model_dump(mode="json"))
    assert (answer.status_code, answer.json()) == (200, "current")
    assert client.get("/openapi.json").status_code == 200


def test_every_refusal_gets_its_code_back_from_its_text() -> None:
    bench = Bench()
    weak = bench.certify(
        epsilon=0.9,
        delta=0.9,
        threshold=0.123,
        calibration_corpus_digest="sha256:" + "0" * 64,
        expiry_policy_updates=10**6,
        reward_contract_digest="sha256:" + "1" * 64,
    )
    found = set()
    for update in (0, 120, 10**7):
        refusals = rr.score("verified", 0, weak, update, contract=bench.contract).certification_refusals
        again = TypeAdapter(rr.RewardScoreV1).validate_python((None, False, True, [str(each) for each in refusals]))
        assert [each.code for each in again.certification_refusals] == [each.code for each in refusals]
        found |= {each.code for each in refusals}
    assert len(found) == 9


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"scalar_reward": 1.0', '"scalar_reward": NaN'),
        ('"scalar_reward": 1.0', '"scalar_reward": -1e999'),
        ('"nonce": "', '"nonce": "\\ud800'),
    ],
)
def test_a_service_answers_a_number_or_a_text_that_json_cannot_hold_with_422(before: str, after: str) -> None:
    app = FastAPI()

    @app.post("/receipt")
    def take(receipt: rr.RewardEvidenceReceiptV1) -> str:
        return receipt.digest

    body = json.dumps(Bench().receipt().model_dump(mode="json"))
    assert before in body
    client = TestClient(app, raise_server_exceptions=False)
    answer = client.post(
        "/receipt", content=body.replace(before, after, 1), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["type"] in ("json.number", "json.surrogate")
