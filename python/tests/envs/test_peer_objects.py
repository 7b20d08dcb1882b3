"""Objects of openadapt-types 0.24.0, which is run and never read, passed in here and objects from here passed in there.

README promises that only the import line changes. What nevertheless differs is listed under that sentence; each of
those lines is a test here, so that the list is neither too long nor out of date.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import openadapt_types.oracle as peer_oracle
import openadapt_types.reward as peer
import pytest
import reward_receipts as rr
from field import OPENADAPT, Bench, plain
from openadapt_types.process_capability import canonical_json_bytes as peer_canonical
from test_python_values import issued

DOCUMENTS: dict[str, list[dict[str, Any]]] = {
    "RewardContractV1": [plain(OPENADAPT / "contract.json")],
    "RewardCertificateV1": [plain(OPENADAPT / "certificate.json")],
    "RewardEvidenceReceiptV1": plain(OPENADAPT / "receipts.json"),
}
PAIRS = [(name, number) for name, documents in DOCUMENTS.items() for number in range(len(documents))]
ENUMS = ("RewardOutcomeV1", "RewardCertificateStateV1", "RewardUncertaintyStateV1", "RewardScoringClassV1")


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize(("name", "number"), PAIRS)
def test_models_of_either_package_become_models_of_the_other(name: str, number: int) -> None:
    members = DOCUMENTS[name][number]
    here, there = getattr(rr, name), getattr(peer, name)
    own, theirs = here.model_validate(members), there.model_validate(members)
    assert own.digest == theirs.digest
    for again in (
        here.model_validate(theirs.model_dump()),
        here.model_validate(theirs.model_dump(mode="json")),
        here.model_validate(theirs, from_attributes=True),
        here.model_validate_json(theirs.model_dump_json()),
        here(**theirs.model_dump()),
    ):
        assert again == own
        assert again.digest == theirs.digest
    for again in (
        there.model_validate(own.model_dump()),
        there.model_validate(own.model_dump(mode="json")),
        there.model_validate(own, from_attributes=True),
        there.model_validate_json(own.model_dump_json()),
    ):
        assert again == theirs
    assert rr.canonical_json_bytes(own.model_dump()) == rr.canonical_json_bytes(own)
    assert rr.canonical_json_bytes(theirs.model_dump()) == peer_canonical(own.model_dump())
    assert own.model_dump(mode="json") == theirs.model_dump(mode="json")
    assert json.loads(own.model_dump_json()) == json.loads(theirs.model_dump_json())


@pytest.mark.parametrize("name", ENUMS)
def test_enums_of_either_package_are_equal_and_become_each_other(name: str) -> None:
    here, there = getattr(rr, name), getattr(peer, name)
    assert [member.name for member in here] == [member.name for member in there]
    for own, theirs in zip(here, there, strict=True):
        assert own == theirs
        assert hash(own) == hash(theirs)
        assert here(theirs) is own
        assert there(own) is theirs
        assert own.value == theirs.value


def test_channels_and_tiers_of_either_package_go_into_the_other() -> None:
    for theirs in peer_oracle.OracleChannel:
        own = rr.OracleChannel(theirs)
        assert rr.tier_of(theirs) == peer_oracle.tier_of(theirs) == rr.tier_of(own)
        assert rr.OracleTier(peer_oracle.tier_of(theirs)) is rr.tier_of(own)
        digest = "sha256:" + "a" * 64
        oracle = rr.RewardOracleV1(channel=theirs, identity_keys=("id",), oracle_contract_digest=digest)  # type: ignore[arg-type]
        assert oracle.channel is own
        assert (
            oracle.tier == peer.RewardOracleV1(channel=own, identity_keys=("id",), oracle_contract_digest=digest).tier
        )


def test_scores_take_the_enums_of_either_package() -> None:
    own = rr.RewardContractV1.model_validate(DOCUMENTS["RewardContractV1"][0])
    theirs = peer.RewardContractV1.model_validate(DOCUMENTS["RewardContractV1"][0])
    certificate = rr.RewardCertificateV1.model_validate(DOCUMENTS["RewardCertificateV1"][0])
    certificate_there = peer.RewardCertificateV1.model_validate(DOCUMENTS["RewardCertificateV1"][0])
    for outcome in peer.RewardOutcomeV1:
        assert own.scoring.scalar_for(outcome) == theirs.scoring.scalar_for(rr.RewardOutcomeV1(outcome))
        for tier in peer_oracle.OracleTier:
            capped = min(tier, theirs.oracle.tier)  # there a tier above the channel counts whole
            for update in (0, 7, 10**6):
                here = rr.score(outcome, tier, certificate, update, contract=own)
                there = peer.score(outcome, capped, certificate_there, update, contract=theirs)
                assert here[:3] == there[:3]
                assert len(here.certification_refusals) == len(there.certification_refusals)
            if tier < 2:
                with pytest.raises(rr.RewardCertificationRefused):
                    rr.refuse_development_certification(tier)
            else:
                rr.refuse_development_certification(tier)


def test_a_tier_that_an_observation_gives_is_taken(bench: Bench) -> None:
    tier = peer_oracle.OracleObservation(channel="file", identity={"record_id": "1"}, value={}).tier
    receipt = issued(
        bench, tier=tier, outcome=peer.RewardOutcomeV1.VERIFIED, uncertainty=peer.RewardUncertaintyStateV1.NONE
    )
    assert receipt.oracle_tier is rr.OracleTier.SYSTEM_OF_RECORD
    assert peer.RewardEvidenceReceiptV1.model_validate(receipt.model_dump()).digest == receipt.digest


def test_a_model_of_the_other_package_in_place_of_a_document_says_how_to_convert_it() -> None:
    theirs = peer.RewardContractV1.model_validate(DOCUMENTS["RewardContractV1"][0])
    message = r"contract is a RewardContractV1 of openadapt_types.reward; .*model_validate\(contract.model_dump\(\)\)"
    with pytest.raises(TypeError, match=message):
        rr.score("verified", 2, None, 0, contract=theirs)
    with pytest.raises(ValueError, match="from_attributes=True"):
        rr.RewardContractV1.model_validate(theirs)


RECEIPT = DOCUMENTS["RewardEvidenceReceiptV1"][6]


def of(package: Any, **changes: Any) -> Any:
    return package.RewardEvidenceReceiptV1.model_validate({**RECEIPT, **changes})


def refused(call: Callable[[], Any]) -> bool:
    try:
        call()
    except Exception:
        return True
    return False


def error_types(package: Any) -> list[str]:
    with pytest.raises(ValueError, match="nonce") as caught:
        of(package, nonce="x")
    return [error["type"] for error in caught.value.errors()]  # type: ignore[attr-defined]


DIFFERENCES: dict[str, tuple[str, Callable[[Any], Any], Any, Any]] = {
    "str": ("`str()` of an outcome", lambda p: str(p.RewardOutcomeV1.VERIFIED), "verified", "RewardOutcomeV1.VERIFIED"),
    "map": (
        "`reward_components` is a read-only mapping",
        lambda p: isinstance(of(p).reward_components, dict),
        False,
        True,
    ),
    "dumps": (
        "write `json.dumps(dict(receipt.reward_components))`",
        lambda p: refused(lambda: json.dumps(of(p).reward_components)),
        True,
        False,
    ),
    "sets": (
        "sets and generators are refused",
        lambda p: refused(
            lambda: p.RewardOracleV1(
                channel="db", identity_keys={"a", "b"}, oracle_contract_digest="sha256:" + "a" * 64
            )
        ),
        True,
        False,
    ),
    "check_level": ("`OracleTier.check_level`", lambda p: hasattr(p.OracleTier(2), "check_level"), False, True),
    "decimal": (
        "`Decimal` must be exactly a double",
        lambda p: refused(lambda: of(p, scalar_reward=Decimal("0.1"))),
        True,
        False,
    ),
    "whole": ("`120.0` in an integer member", lambda p: refused(lambda: of(p, policy_update=7.0)), False, True),
    "numpy": (
        "NumPy's integers are accepted in integer members",
        lambda p: refused(lambda: of(p, policy_update=np.int64(7))),
        False,
        True,
    ),
    "boolean": (
        "`numpy.bool_` is a boolean",
        lambda p: refused(lambda: of(p, scalar_reward=np.bool_(True))),
        True,
        False,
    ),
    "codes": (
        "error's `type` is the code of the rule",
        lambda p: error_types(p)[0],
        "schema.pattern",
        "string_pattern_mismatch",
    ),
    "copy": (
        "`model_copy(update=...)` checks every rule",
        lambda p: refused(lambda: of(p).model_copy(update={"oracle_tier": 0})),
        True,
        False,
    ),
    "sentences": (
        "Refusals have other sentences",
        lambda p: (
            p.score(
                p.RewardOutcomeV1.VERIFIED, 2, None, 0, contract=p.RewardContractV1(**DOCUMENTS["RewardContractV1"][0])
            ).certification_refusals
        ),
        ("No certificate was presented.",),
        ("no reward certificate was presented",),
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_anything_that_differs_is_listed_in_the_readme(name: str) -> None:
    listed, call, here, there = DIFFERENCES[name]
    assert call(rr) == here
    assert call(peer) == there
    readme = " ".join((Path(__file__).resolve().parents[3] / "docs" / "manual.md").read_text("utf-8").split())
    promise = readme.index("change the import line")
    assert listed in readme[promise : promise + 1800]
