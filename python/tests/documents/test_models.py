"""Models: schema and rules on every way in, frozen all the way down, equal exactly when their digests are."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from collections.abc import Callable
from enum import StrEnum
from types import ModuleType
from typing import Any

import pydantic
import pytest
import reward_receipts as rr
from field import OPENADAPT, VECTORS, WORKED, Bench, field_receipts, plain
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from reward_receipts import rewards
from reward_receipts.core.codes import catalogue
from reward_receipts.core.findings import Finding

RECEIPT = plain(WORKED / "receipt.json")
CONTRACT = plain(WORKED / "contract_as_authored.json")
CERTIFICATE = plain(WORKED / "certificate.json")
EXPECTED = plain(WORKED / "EXPECTED.json")

Receipt = rr.RewardEvidenceReceiptV1

WAYS_IN: dict[str, Callable[[dict[str, Any]], Any]] = {
    "constructor": lambda members: Receipt(**members),
    "model_validate": Receipt.model_validate,
    "model_validate_json": lambda members: Receipt.model_validate_json(json.dumps(members)),
    "model_copy": lambda members: Receipt.model_validate(RECEIPT).model_copy(update=members),
    "TypeAdapter.validate_python": TypeAdapter(Receipt).validate_python,
    "TypeAdapter.validate_json": lambda members: TypeAdapter(Receipt).validate_json(json.dumps(members)),
}

BROKEN: dict[str, dict[str, Any]] = {
    "schema.type": {"oracle_tier": True},
    "schema.pattern": {"nonce": "short"},
    "schema.additionalProperties": {"workflow_digest": EXPECTED["contract_digest"]},
    "receipt.development-only": {"development_only": True},
    "receipt.certified-tier": {"oracle_tier": 0, "development_only": True},
    "receipt.certified-current": {"certificate_state": "expired"},
    "receipt.absent-has-no-reference": {"certificate_state": "absent"},
    "receipt.reference-complete": {"certificate_id": None},
    "receipt.unscored-no-scalar": {"reward_outcome": "failed_platform", "reward_components": {}},
    "receipt.unscored-no-components": {"reward_outcome": "failed_platform", "scalar_reward": None},
    "receipt.scored-needs-scalar": {"scalar_reward": None},
    "receipt.scored-needs-components": {"reward_components": {}},
    "receipt.verified-positive": {"scalar_reward": -0.0},
    "receipt.penalty-not-positive": {"reward_outcome": "wrong_effect"},
    "receipt.verified-certain": {"uncertainty": "effect_uncertain"},
    "receipt.reconciliation-uncertain": {
        "reward_outcome": "reconciliation_required",
        "scalar_reward": None,
        "reward_components": {},
    },
}


@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("code", BROKEN)
def test_every_rule_is_enforced_on_every_way_in(way: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        WAYS_IN[way]({**RECEIPT, **BROKEN[code]})
    assert code in {error["type"] for error in refused.value.errors()}


def test_every_receipt_rule_is_broken_above() -> None:
    rules = {code.id for code in catalogue().values() if code.id.startswith("receipt.")}
    assert rules <= BROKEN.keys()


@pytest.mark.parametrize("way", WAYS_IN)
def test_a_good_document_gets_in_on_every_way(way: str) -> None:
    assert WAYS_IN[way](RECEIPT).digest == EXPECTED["receipt_digest"]


def test_the_digests_of_the_worked_documents() -> None:
    contract = rr.RewardContractV1.model_validate(CONTRACT)
    assert contract.digest == "sha256:4dd42acff78802d1815798dfe04b95fe27847b972d348dcdafa7bbabc5d6be15"
    assert contract == rr.RewardContractV1.model_validate(plain(WORKED / "contract_canonical.json"))
    assert rr.RewardCertificateV1.model_validate(CERTIFICATE).digest == EXPECTED["certificate_digest"]
    backwards = {**CONTRACT, "components": CONTRACT["components"][::-1]}
    assert rr.RewardContractV1.model_validate(dict(reversed(backwards.items()))).digest == contract.digest


def test_rules_that_no_schema_can_hold() -> None:
    component = {"name": "terminal_effect", "weight": 2.0}
    with pytest.raises(ValidationError) as refused:
        rr.RewardContractV1.model_validate({**CONTRACT, "components": [*CONTRACT["components"], component]})
    error = refused.value.errors()[0]
    assert (error["type"], error["loc"]) == ("contract.component-names-unique", ("components", 2, "name"))

    last = {**CERTIFICATE, "issued_at_policy_update": 9007199254740941}
    assert rr.RewardCertificateV1.model_validate(last).expires_at_policy_update == 9007199254740991
    with pytest.raises(ValidationError, match="is at most 9007199254740991"):
        rr.RewardCertificateV1.model_validate({**last, "issued_at_policy_update": 9007199254740942})


def test_all_broken_rules_are_reported_in_the_order_of_the_table() -> None:
    with pytest.raises(ValidationError) as refused:
        Receipt.model_validate({**RECEIPT, "nonce": "x", "oracle_tier": 0, "uncertainty": "effect_uncertain", "z": 1})
    assert [(error["type"], error["loc"]) for error in refused.value.errors()] == [
        ("schema.pattern", ("nonce",)),
        ("schema.additionalProperties", ("z",)),
        ("receipt.development-only", ("development_only",)),
        ("receipt.certified-tier", ("oracle_tier",)),
        ("receipt.verified-certain", ("uncertainty",)),
    ]


def test_a_certified_synthetic_receipt_at_a_development_tier_carries_the_refusal() -> None:
    with pytest.raises(ValidationError) as refused:
        Receipt.model_validate({**RECEIPT, **BROKEN["receipt.certified-tier"]})
    contexts = [error["ctx"] for error in refused.value.errors() if error["type"] == "receipt.certified-tier"]
    assert isinstance(contexts[0]["error"], rr.RewardCertificationRefused)


def test_text_that_no_other_door_could_see_is_refused_at_model_validate_json() -> None:
    text = json.dumps(RECEIPT)
    twice = text[:-1] + ', "non\\u0063e": "nonce.another.0001"}'
    for bad, code in ((twice, "json.duplicate"), ("\ufeff" + text, "json.bom"), (text + "x", "json.trailing")):
        with pytest.raises(ValidationError) as refused:
            Receipt.model_validate_json(bad)
        assert [error["type"] for error in refused.value.errors()] == [code]


def test_integers_and_doubles_follow_the_schemas_type() -> None:
    receipt = Receipt.model_validate({**RECEIPT, "policy_update": 120.0, "oracle_tier": 2.0, "scalar_reward": 1})
    assert (type(receipt.policy_update), type(receipt.scalar_reward)) == (int, float)
    assert receipt.oracle_tier is rr.OracleTier.SYSTEM_OF_RECORD
    assert receipt.digest == EXPECTED["receipt_digest"]


@pytest.mark.parametrize(
    ("member", "value", "code"),
    [
        ("scalar_reward", float("nan"), "json.number"),
        ("scalar_reward", float("inf"), "json.number"),
        ("scalar_reward", "1.0", "schema.anyOf"),
        ("scalar_reward", True, "schema.anyOf"),
        ("certified", 1, "schema.type"),
        ("policy_update", "120", "schema.type"),
        ("policy_update", 9007199254740992, "schema.maximum"),
        ("policy_update", 10**400, "json.number"),
        ("reward_components", [("terminal_effect", 1.0)], "schema.type"),
        ("reward_components", {1: 1.0}, "schema.type"),
        ("reward_components", {"1": 1.0}, "schema.propertyNames"),
        ("nonce", b"nonce.reward.receipt.0001", "schema.type"),
        ("nonce", "nonce.reward.\ud800", "json.surrogate"),
        ("nonce", object(), "schema.type"),
    ],
)
def test_python_values_are_read_as_json_values_are(member: str, value: object, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Receipt.model_validate({**RECEIPT, member: value})
    assert code in {error["type"] for error in refused.value.errors()}


def test_subclasses_of_text_and_numbers_go_in_as_what_json_would_say() -> None:
    class Text(str):
        def __str__(self) -> str:
            return "another"

    class Word(StrEnum):
        NONE = "none"

    receipt = Receipt.model_validate({**RECEIPT, "nonce": Text(RECEIPT["nonce"]), "uncertainty": Word.NONE})
    assert type(receipt.nonce) is str
    assert receipt.uncertainty is rr.RewardUncertaintyStateV1.NONE
    assert receipt.digest == EXPECTED["receipt_digest"]


def test_a_value_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValidationError) as refused:
        Receipt.model_validate({**RECEIPT, "reward_components": endless})
    assert refused.value.errors()[0]["type"] == "json.depth"


def test_frozen_all_the_way_down() -> None:
    receipt, contract = Receipt.model_validate(RECEIPT), rr.RewardContractV1.model_validate(CONTRACT)
    with pytest.raises(ValidationError):
        receipt.scalar_reward = 5.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        receipt.reward_components["terminal_effect"] = 99.0  # type: ignore[index]
    with pytest.raises(AttributeError):
        receipt.reward_components._members = {}  # type: ignore[attr-defined]
    receipt.reward_components.__init__({"terminal_effect": 99.0})  # type: ignore[misc]
    assert receipt.reward_components["terminal_effect"] == 1.0
    with pytest.raises(ValidationError):
        contract.oracle.channel = rr.OracleChannel.VISUAL  # type: ignore[misc]
    assert isinstance(contract.components, tuple)
    assert isinstance(contract.oracle.identity_keys, tuple)
    handed = dict(RECEIPT["reward_components"])
    kept = Receipt.model_validate({**RECEIPT, "reward_components": handed})
    handed["terminal_effect"] = 0.5
    assert kept.reward_components["terminal_effect"] == 1.0


@pytest.mark.parametrize(
    ("model", "members"), [(Receipt, RECEIPT), (rr.RewardContractV1, CONTRACT), (rr.RewardCertificateV1, CERTIFICATE)]
)
def test_equal_hashable_picklable(model: type[pydantic.BaseModel], members: dict[str, Any]) -> None:
    first, second = model.model_validate(members), model.model_validate(json.loads(json.dumps(members)))
    assert first == second
    assert hash(first) == hash(second)
    for again in (pickle.loads(pickle.dumps(first)), copy.copy(first), copy.deepcopy(first), first.model_copy()):
        assert again == first
        assert again.digest == first.digest  # type: ignore[attr-defined]
    assert first != members


def test_equal_exactly_when_digests_are() -> None:
    minus, plus = (rr.RewardContractV1.model_validate(_threshold(zero)) for zero in (-0.0, 0.0))
    assert minus.certificate_policy.threshold == plus.certificate_policy.threshold
    assert minus != plus
    assert minus.digest != plus.digest
    assert minus.certificate_policy != plus.certificate_policy


def _threshold(value: float) -> dict[str, Any]:
    return {**CONTRACT, "certificate_policy": {**CONTRACT["certificate_policy"], "threshold": value}}


FAKE = {"scalar_reward": 5.0, "oracle_tier": 0}
WAYS_OUT: dict[str, Callable[[Receipt], Any]] = {
    "digest": lambda fake: fake.digest,
    "hash": hash,
    "equality": lambda fake: fake == Receipt.model_validate(RECEIPT),
    "model_dump": lambda fake: fake.model_dump(),
    "model_dump_json": lambda fake: fake.model_dump_json(),
    "TypeAdapter.dump_json": TypeAdapter(Receipt).dump_json,
    "canonical_json_bytes": rr.canonical_json_bytes,
    "unsigned_payload": lambda fake: fake.unsigned_payload(),
    "pickle": pickle.dumps,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "model_copy": lambda fake: fake.model_copy(),
    "verify": lambda fake: rr.verify(fake, {}),
    "sign": lambda fake: rr.sign(fake, rr.SigningKey.generate("key.reference.0001")),
    "audit": rr.audit,
    "model_validate": Receipt.model_validate,
    "inside another model": lambda fake: pydantic.create_model("Holder", receipt=Receipt)(receipt=fake).receipt.digest,
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_anything_that_came_past_validation_does_not_get_out_unchecked(way: str) -> None:
    members = dict(Receipt.model_validate(RECEIPT).__dict__)
    constructed = Receipt.model_construct(**{**members, **FAKE})
    # pydantic wraps what its serializers raise; both say which rule is broken.
    with pytest.raises((ValidationError, PydanticSerializationError), match="needs tier 2 or 3"):
        WAYS_OUT[way](constructed)


def test_anything_that_came_past_validation_and_holds_is_completed_like_any_other() -> None:
    loose = Receipt.model_construct(**{**RECEIPT, "reward_components": dict(RECEIPT["reward_components"])})
    assert loose.digest == EXPECTED["receipt_digest"]
    assert loose == Receipt.model_validate(RECEIPT)


def test_parts_are_enforced_on_their_own_and_inside_a_document() -> None:
    with pytest.raises(ValidationError) as refused:
        rr.RewardComponentV1(name="a", weight=0)
    assert refused.value.errors()[0]["type"] == "schema.exclusiveMinimum"
    fake = rr.RewardOracleV1.model_construct(channel="telepathy", identity_keys=("a",), oracle_contract_digest="x")
    with pytest.raises(ValidationError):
        rr.RewardContractV1.model_validate(CONTRACT).model_copy(update={"oracle": fake})
    oracle = rr.RewardOracleV1(channel="db", identity_keys=["b", "a"], oracle_contract_digest=_digest("a"))  # type: ignore[arg-type]
    assert oracle.identity_keys == ("a", "b")
    contract = rr.RewardContractV1.model_validate({**CONTRACT, "oracle": oracle})
    assert contract.oracle.tier is rr.OracleTier.SYSTEM_OF_RECORD


def _digest(letter: str) -> str:
    return "sha256:" + letter * 64


def test_a_document_is_not_of_another_kind() -> None:
    for model, members in ((Receipt, CERTIFICATE), (rr.RewardCertificateV1, CONTRACT), (rr.RewardContractV1, RECEIPT)):
        with pytest.raises(ValidationError) as refused:
            model.model_validate(members)
        assert "schema.const" in {error["type"] for error in refused.value.errors()}


def test_a_subclass_cannot_make_itself_mutable_or_another_document() -> None:
    def frozen() -> None:
        class Loose(rr.RewardEvidenceReceiptV1, frozen=False):
            pass

    def configured() -> None:
        class Loose(rr.RewardOracleV1):
            model_config = pydantic.ConfigDict(frozen=False)

    def setting() -> None:
        class Loose(rr.RewardContractV1):
            def __setattr__(self, name: str, value: object) -> None:
                object.__setattr__(self, name, value)

    def redefined() -> None:
        class Loose(rr.RewardScoringPolicyV1):
            verified_reward: float = 3.0

    def unchecked() -> None:
        class Loose(rr.RewardComponentV1):
            @classmethod
            def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
                return handler(source)

    for define, said in (
        (frozen, "Loose is not frozen"),
        (configured, "Loose is not frozen"),
        (setting, "__setattr__"),
        (redefined, "redefines verified_reward"),
        (unchecked, "__get_pydantic_core_schema__"),
    ):
        with pytest.raises(TypeError, match=said):
            define()


def test_a_validator_of_a_subclass_cannot_undo_a_rule() -> None:
    class OfField(rr.RewardEvidenceReceiptV1):
        @pydantic.field_validator("scalar_reward", mode="after")
        @classmethod
        def more(cls, value: object) -> float:
            return -5.0

    class After(rr.RewardEvidenceReceiptV1):
        @pydantic.model_validator(mode="after")
        def more(self) -> Any:
            object.__setattr__(self, "__dict__", {**self.__dict__, "oracle_tier": 0})
            return self

    class Wrap(rr.RewardEvidenceReceiptV1):
        @pydantic.model_validator(mode="wrap")
        @classmethod
        def _enforce(cls, data: Any, handler: Any) -> Any:
            return cls.model_construct(**{**RECEIPT, "nonce": "short"})

    class Upper(rr.RewardEvidenceReceiptV1):
        model_config = pydantic.ConfigDict(str_to_upper=True)

    class Post(rr.RewardEvidenceReceiptV1):
        def model_post_init(self, context: object) -> None:
            self.__dict__["uncertainty"] = "effect_uncertain"

    class Another(rr.RewardEvidenceReceiptV1):
        @pydantic.model_validator(mode="wrap")
        @classmethod
        def other(cls, data: Any, handler: Any) -> Any:
            return dict(RECEIPT)

    for model in (OfField, After, Wrap, Upper, Post):
        for way in (model.model_validate, lambda members, model=model: model(**members)):
            with pytest.raises(ValidationError):
                way(RECEIPT)
    with pytest.raises(TypeError, match="a validator of Another returned a dict"):
        Another.model_validate(RECEIPT)


def test_a_validator_of_a_subclass_can_refuse_and_can_change_a_member_within_the_rules() -> None:
    class Mine(rr.RewardEvidenceReceiptV1):
        @pydantic.field_validator("reward_components", mode="after")
        @classmethod
        def mutable(cls, value: Any) -> dict[str, float]:
            return {**value, "latency": 0.5}

        @pydantic.field_validator("nonce")
        @classmethod
        def refused(cls, value: str) -> str:
            if value == "nonce.refused.0001":
                raise ValueError("this nonce is refused")
            return value

    mine = Mine.model_validate(RECEIPT)
    with pytest.raises(TypeError):
        mine.reward_components["latency"] = 0.0  # type: ignore[index]
    changed = {**RECEIPT["reward_components"], "latency": 0.5}
    assert mine.digest == Receipt.model_validate({**RECEIPT, "reward_components": changed}).digest
    with pytest.raises(ValidationError, match="this nonce is refused"):
        Mine.model_validate({**RECEIPT, "nonce": "nonce.refused.0001"})


class Row:
    """An object whose attributes are the members of a document, and one more."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.__dict__.update(members, saved_at="yesterday")


def test_members_from_the_attributes_of_an_object() -> None:
    contract = rr.RewardContractV1.model_validate(CONTRACT)
    nested = {
        **CONTRACT,
        "oracle": Row(CONTRACT["oracle"]),
        "components": [Row(each) for each in CONTRACT["components"]],
        "certificate_policy": Row(CONTRACT["certificate_policy"]),
    }
    for row in (Row(CONTRACT), Row(nested), contract, CONTRACT):
        assert rr.RewardContractV1.model_validate(row, from_attributes=True) == contract
    with pytest.raises(ValidationError, match="contract_id is missing"):
        rr.RewardContractV1.model_validate(Row({}), from_attributes=True)
    with pytest.raises(ValidationError, match="test_models.Row is not a JSON type"):
        rr.RewardContractV1.model_validate(Row(CONTRACT))
    assert rr.RewardContractV1.model_validate(CONTRACT, from_attributes=True) == contract
    assert Receipt.model_validate(Row(RECEIPT), from_attributes=True).digest == EXPECTED["receipt_digest"]


def test_a_subclass_has_the_members_and_the_identity_of_its_document() -> None:
    class Mine(rr.RewardEvidenceReceiptV1):
        def scored(self) -> bool:
            return self.scalar_reward is not None

    class Oracle(rr.RewardOracleV1):
        pass

    receipt, mine = Receipt.model_validate(RECEIPT), Mine.model_validate(RECEIPT)
    assert mine.scored()
    assert mine == receipt
    assert (hash(mine), mine.digest) == (hash(receipt), receipt.digest)
    assert Oracle.model_validate(CONTRACT["oracle"]) == rr.RewardOracleV1.model_validate(CONTRACT["oracle"])
    with pytest.raises(TypeError, match="adds members"):

        class Wider(rr.RewardEvidenceReceiptV1):
            note: str = "x"


def test_strict_changes_nothing() -> None:
    for model, members in ((Receipt, RECEIPT), (rr.RewardContractV1, CONTRACT)):
        assert model.model_validate(members, strict=True) == model.model_validate(members)
        assert model.model_validate_json(json.dumps(members), strict=True) == model.model_validate(members)


def test_the_union_of_the_documents_needs_the_label() -> None:
    from reward_receipts.documents.generated.models import RewardDocument

    union: TypeAdapter[Any] = TypeAdapter(RewardDocument)
    for members in (CONTRACT, CERTIFICATE, RECEIPT):
        assert union.validate_python(members).digest
        with pytest.raises(ValidationError, match="schema_version"):
            union.validate_python({key: value for key, value in members.items() if key != "schema_version"})


def test_the_refusal_is_carried_for_a_tier_written_as_a_double() -> None:
    with pytest.raises(ValidationError) as refused:
        Receipt.model_validate({**RECEIPT, **BROKEN["receipt.certified-tier"], "oracle_tier": 0.0})
    (context,) = [error["ctx"] for error in refused.value.errors() if error["type"] == "receipt.certified-tier"]
    assert isinstance(context["error"], rr.RewardCertificationRefused)


def test_a_large_document_is_refused_with_its_first_findings() -> None:
    names = {f"a name {number}": 1.0 for number in range(20_000)}
    with pytest.raises(ValidationError) as refused:
        Receipt.model_validate({**RECEIPT, **names, "reward_components": names})
    errors = refused.value.errors()
    assert [error["type"] for error in errors] == ["schema.additionalProperties"] * 1000
    assert errors[-1]["msg"].endswith("remove it. Findings that are not listed: 20001.")
    with pytest.raises(ValidationError, match="has 20000 members") as refused:
        Receipt.model_validate({**RECEIPT, "reward_components": names})
    assert {error["type"] for error in refused.value.errors()} == {"schema.maxProperties", "schema.propertyNames"}
    with pytest.raises(ValidationError, match="has 50000 items") as refused:
        rr.RewardContractV1.model_validate({**CONTRACT, "components": [{}] * 50_000})
    assert refused.value.errors()[0]["input"].startswith("[{}, {}, ")


def test_errors_travel() -> None:
    with pytest.raises(ValidationError) as refused:
        Receipt.model_validate({})
    if tuple(map(int, pydantic.VERSION.split(".")[:3])) >= (2, 14, 3):  # older ones do not read their own pickle
        assert pickle.loads(pickle.dumps(refused.value)).error_count() == refused.value.error_count()
    with pytest.raises(rr.InvalidDocument) as told:
        rr.read_document("{}", "receipt")
    again = pickle.loads(pickle.dumps(told.value))
    assert again.findings == told.value.findings
    assert all(isinstance(finding, Finding) for finding in again.findings)


def test_dumps_are_plain_and_come_back() -> None:
    for receipt in field_receipts():
        assert json.loads(receipt.model_dump_json()) == receipt.model_dump(mode="json")
        assert type(receipt.model_dump()["reward_components"]) is dict
        assert receipt.model_dump_json(serialize_as_any=True) == receipt.model_dump_json()
        assert Receipt.model_validate_json(receipt.model_dump_json()) == receipt
    contract = rr.RewardContractV1.model_validate(CONTRACT)
    assert rr.RewardContractV1.model_validate(contract.model_dump()) == contract


def test_json_schema_of_the_models_is_usable_in_both_directions() -> None:
    schema = Receipt.model_json_schema()
    assert schema["properties"].keys() == RECEIPT.keys()
    assert schema == Receipt.model_json_schema(mode="serialization")


def test_fastapi_works_as_usual() -> None:
    fastapi = pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient

    app = fastapi.FastAPI()

    @app.post("/receipts")
    def take(receipt: Receipt) -> Receipt:
        return receipt

    client = TestClient(app)
    assert client.post("/receipts", json=RECEIPT).json()["nonce"] == RECEIPT["nonce"]
    refused = client.post("/receipts", json={**RECEIPT, **BROKEN["receipt.certified-tier"]})
    assert refused.status_code == 422
    assert "receipt.certified-tier" in {error["type"] for error in refused.json()["detail"]}
    assert app.openapi()["components"]["schemas"]["RewardEvidenceReceiptV1"]["properties"].keys() == RECEIPT.keys()


@pytest.mark.parametrize("package", [rr, rewards])
def test_the_package_offers_what_it_lists(package: ModuleType) -> None:
    source = inspect.getsource(package)
    typed = {line.split()[-1] for line in source.splitlines() if line.startswith("    from .")}
    assert typed == set(package.__all__)
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError):
        package.nothing_of_the_kind  # noqa: B018


def test_the_names_that_another_package_offers() -> None:
    peer = pytest.importorskip("openadapt_types.reward")
    ours = set(rr.__all__)
    names = {name for name in ours if hasattr(peer, name)}
    assert len(names) >= 28
    for name in ("RewardOutcomeV1", "RewardCertificateStateV1", "OracleChannel", "OracleTier", "RewardScoringClassV1"):
        assert {m.name: m.value for m in getattr(rr, name)} == {m.name: m.value for m in getattr(peer, name)}
    assert {str(k): str(v) for k, v in rr.REWARD_SCORING_CLASS.items()} == {
        k.value: v.value for k, v in peer.REWARD_SCORING_CLASS.items()
    }
    assert rr.RewardScoreV1._fields == peer.RewardScoreV1._fields
    assert rr.REWARD_CERTIFIED_MINIMUM_TIER == peer.REWARD_CERTIFIED_MINIMUM_TIER
    assert {channel: int(rr.tier_of(channel)) for channel in rr.OracleChannel} == {
        channel.value: int(peer.tier_of(channel)) for channel in peer.OracleChannel
    }


def test_vectors_carry_their_provenance() -> None:
    text = (VECTORS / "README.md").read_text()
    assert all(folder.name in text for folder in (OPENADAPT, WORKED))


def test_a_bench_makes_documents_that_hold() -> None:
    bench = Bench()
    assert bench.audit(bench.receipt()).verdict is rr.AuditVerdict.HOLDS
