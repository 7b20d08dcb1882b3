"""score(), certificate states and refusals: section 7, line by line."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import pytest
import reward_receipts as rr
from field import Bench
from reward_receipts.receipts import score as scoring

LAST = 9007199254740991
TIERS = list(rr.OracleTier)


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench()


def codes(refusals: tuple[Any, ...]) -> list[str]:
    return [refusal.code for refusal in refusals]


@pytest.mark.parametrize(
    ("outcome", "scalar"),
    [
        ("verified", 2.5),
        ("halted_before_effect", -0.25),
        ("refused", -0.5),
        ("rejected_policy", -0.75),
        ("wrong_effect", -3.0),
        ("reconciliation_required", None),
        ("failed_platform", None),
    ],
)
def test_the_scalar_is_the_contracts(outcome: str, scalar: float | None) -> None:
    scored = {
        "verified_reward": 2.5,
        "halted_before_effect_reward": -0.25,
        "refused_reward": -0.5,
        "rejected_policy_reward": -0.75,
        "wrong_effect_reward": -3.0,
    }
    bench = Bench(scoring=scored)
    for spelled in (outcome, rr.RewardOutcomeV1(outcome)):
        for certificate in (None, bench.certificate):
            got = rr.score(spelled, 2, certificate, 120, contract=bench.contract)
            assert got.scalar == scalar
            assert got.scalar is None or type(got.scalar) is float
    assert bench.contract.scoring.scalar_for(outcome) == scalar


def test_an_unscored_episode_may_be_certified_synthetic_and_has_no_scalar(bench: Bench) -> None:
    got = rr.score("failed_platform", 2, bench.certificate, 120, contract=bench.contract)
    assert got == rr.RewardScoreV1(None, True, False, ())
    assert got.scalar != 0.0


@pytest.mark.parametrize(
    ("update", "state", "certified"),
    [
        (0, "not_yet_valid", False),
        (99, "not_yet_valid", False),
        (100, "current", True),
        (149, "current", True),
        (150, "expired", False),
        (LAST, "expired", False),
    ],
)
def test_a_certificate_is_current_from_issue_to_the_update_before_expiry(
    bench: Bench, update: int, state: str, certified: bool
) -> None:
    certificate = bench.certificate
    assert certificate.state_at(update) == state
    assert rr.certificate_state(certificate, update) == state
    assert certificate.is_current(update) is certified
    assert certificate.expires_at_policy_update == 150
    got = rr.score("verified", 2, certificate, update, contract=bench.contract)
    assert got.certified is certified
    code = {"not_yet_valid": ["certificate-not-yet-valid"], "current": [], "expired": ["certificate-expired"]}[state]
    assert codes(got.certification_refusals) == code
    assert rr.certificate_state(None, update) is rr.RewardCertificateStateV1.ABSENT


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("channel", list(rr.OracleChannel))
def test_a_tier_counts_at_most_as_much_as_the_contracts_channel(tier: rr.OracleTier, channel: rr.OracleChannel) -> None:
    oracle = {"channel": channel, "identity_keys": ["a"], "oracle_contract_digest": "sha256:" + "a" * 64}
    bench = Bench(oracle=oracle)
    effective = min(tier, rr.tier_of(channel))
    got = rr.score("verified", tier, bench.certificate, 120, contract=bench.contract)
    assert got.development_only is (effective < 2)
    assert got.certified is (effective >= 2)
    assert codes(got.certification_refusals) == ([] if effective >= 2 else ["tier-development-only"])


def test_refusals_come_all_and_in_order(bench: Bench) -> None:
    other = bench.certify(
        reward_contract_digest="sha256:" + "0" * 64,
        epsilon=0.248885,
        delta=0.06,
        threshold=0.1 + 0.2,
        calibration_corpus_digest="sha256:" + "f" * 64,
        expiry_policy_updates=51,
    )
    got = rr.score("verified", 1, other, 151, contract=bench.contract).certification_refusals
    shortfalls = [
        "epsilon-exceeds-policy",
        "delta-exceeds-policy",
        "threshold-differs",
        "calibration-corpus-differs",
        "expiry-exceeds-policy",
    ]
    assert codes(got) == [
        "tier-development-only",
        "certificate-expired",
        "certificate-names-another-contract",
        *shortfalls,
    ]
    assert codes(other.unmet(bench.contract.certificate_policy)) == shortfalls
    assert not other.satisfies(bench.contract.certificate_policy)
    assert bench.certificate.satisfies(bench.contract.certificate_policy)
    by_code = {refusal.code: refusal for refusal in got}
    assert "0.248885" in by_code["epsilon-exceeds-policy"]
    assert "0.0114" in by_code["epsilon-exceeds-policy"]
    assert "0.30000000000000004" in by_code["threshold-differs"]
    assert codes(rr.score("verified", 0, None, 0, contract=bench.contract).certification_refusals) == [
        "tier-development-only",
        "certificate-absent",
    ]


def test_a_bound_that_is_met_exactly_is_met(bench: Bench) -> None:
    policy = bench.contract.certificate_policy
    exact = bench.certify(epsilon=policy.epsilon, delta=policy.delta, expiry_policy_updates=50)
    assert rr.score("verified", 2, exact, 120, contract=bench.contract).certified
    import math

    above = bench.certify(epsilon=math.nextafter(policy.epsilon, 1))
    assert codes(rr.score("verified", 2, above, 120, contract=bench.contract).certification_refusals) == [
        "epsilon-exceeds-policy"
    ]


def test_a_refusal_is_a_sentence_with_its_code(bench: Bench) -> None:
    (refusal,) = rr.score("verified", 2, None, 120, contract=bench.contract).certification_refusals
    assert isinstance(refusal, str)
    again = pickle.loads(pickle.dumps(refusal))
    assert (again, again.code) == (refusal, "certificate-absent")


NO_TIERS = [True, False, 2.0, 4, -1, 7, "2", None, float("nan"), [2]]
NO_UPDATES = [True, 120.0, -1, LAST + 1, "120", None, float("nan"), float("inf"), [120]]
NO_OUTCOMES = ["VERIFIED", "", "unscored", None, 0, 1.0, True, ["verified"], {"verified": 1}]


@pytest.mark.parametrize("warm", [False, True])
def test_anything_that_is_not_an_outcome_tier_or_update_is_a_value_error(warm: bool) -> None:
    bench = Bench()
    if warm:  # what is remembered never lets True pass for 1 or 2.0 for 2
        for outcome, tier in itertools.product(rr.RewardOutcomeV1, TIERS):
            rr.score(outcome, tier, bench.certificate, 120, contract=bench.contract)
            rr.score(outcome, int(tier), bench.certificate, 100, contract=bench.contract)
    for tier in NO_TIERS:
        with pytest.raises(ValueError, match="oracle tier"):
            rr.score("verified", tier, bench.certificate, 120, contract=bench.contract)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="oracle tier"):
            rr.refuse_development_certification(tier)  # type: ignore[arg-type]
    for update in NO_UPDATES:
        with pytest.raises(ValueError, match="policy update"):
            rr.score("verified", 2, bench.certificate, update, contract=bench.contract)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="policy update"):
            rr.certificate_state(None, update)  # type: ignore[arg-type]
    for outcome in NO_OUTCOMES:
        with pytest.raises(ValueError, match="reward outcome"):
            rr.score(outcome, 2, bench.certificate, 120, contract=bench.contract)  # type: ignore[arg-type]


def test_anything_that_is_remembered_is_what_the_plain_way_says() -> None:
    first, second = Bench(), Bench(scoring={"verified_reward": 7.0})
    pairs = [
        (contract, certificate)
        for contract in (first.contract, second.contract)
        for certificate in (first.certificate, second.certificate, first.certify(epsilon=0.5), None)
    ]
    asked = list(itertools.product(pairs, rr.RewardOutcomeV1, TIERS, (99, 100, 149, 150)))
    for (contract, certificate), outcome, tier, update in asked + asked[::-1]:
        got = rr.score(outcome, tier, certificate, update, contract=contract)
        fresh = rr.RewardContractV1.model_validate(contract.model_dump())
        assert got == scoring._score(outcome, tier, certificate, update, fresh)


def test_refuse_development_certification() -> None:
    for tier in (0, 1):
        with pytest.raises(rr.RewardCertificationRefused, match="synthetic"):
            rr.refuse_development_certification(tier)
    for tier in (2, 3):
        rr.refuse_development_certification(tier)
    assert issubclass(rr.RewardCertificationRefused, ValueError)


def test_receipts_say_what_speaks_against_certifying_them_synthetic(bench: Bench) -> None:
    receipt, contract, certificate = bench.receipt(), bench.contract, bench.certificate
    for _ in range(2):  # worked out, and remembered
        assert receipt.certification_refusals(contract, certificate) == ()
    assert codes(receipt.certification_refusals(contract, None)) == [
        "receipt-certificate-not-given",
        "certificate-absent",
    ]
    other = bench.certify(certificate_id="reward.certificate.0002")
    assert codes(receipt.certification_refusals(contract, other)) == ["receipt-names-another-certificate"]
    elsewhere = Bench(contract_id="reward.contract.0002")
    assert codes(receipt.certification_refusals(elsewhere.contract, certificate)) == [
        "receipt-names-another-contract",
        "certificate-names-another-contract",
    ]
    absent = {"certificate_id": None, "certificate_digest": None, "calibration_corpus_digest": None}
    bare = bench.receipt(**absent, calibration_scope=None, certificate_state="absent", certified=False)
    assert codes(bare.certification_refusals(contract, None)) == ["certificate-absent"]
    assert codes(bare.certification_refusals(contract, certificate)) == ["receipt-names-another-certificate"]


def test_other_documents_in_place_of_contract_and_certificate_are_type_errors(bench: Bench) -> None:
    for contract in (None, bench.certificate, bench.contract.model_dump()):
        with pytest.raises(TypeError, match="expected a RewardContractV1"):
            rr.score("verified", 2, bench.certificate, 120, contract=contract)  # type: ignore[arg-type]
    for certificate in (bench.contract, "x"):
        with pytest.raises(TypeError, match="expected a RewardCertificateV1"):
            rr.score("verified", 2, certificate, 120, contract=bench.contract)  # type: ignore[arg-type]


def test_a_contract_that_came_past_validation_is_checked_first(bench: Bench) -> None:
    fake = rr.RewardContractV1.model_construct(**{**bench.contract.__dict__, "contract_id": "x"})
    with pytest.raises(ValueError, match="contract_id"):
        rr.score("verified", 2, bench.certificate, 120, contract=fake)
    forged = rr.RewardCertificateV1.model_construct(**{**bench.certificate.__dict__, "epsilon": 2.0})
    with pytest.raises(ValueError, match="epsilon"):
        rr.score("verified", 2, forged, 120, contract=bench.contract)


def test_a_certificates_signature_is_checked_with_a_keyring(bench: Bench) -> None:
    """A weak certificate whose epsilon was edited scores certified (synthetic) only if nobody checks it."""
    forged = bench.certify(epsilon=0.4).model_copy(update={"epsilon": 0.0001})
    other = rr.SigningKey.generate("key.other.0001")
    renamed = forged.model_copy(update={"issuer_key_id": other.key_id})

    def score(certificate: rr.RewardCertificateV1 | None, **options: Any) -> rr.RewardScoreV1:
        return rr.score("verified", 2, certificate, 120, contract=bench.contract, **options)

    for keys in (bench.key.keyring, bench.key.public_key, {bench.key.key_id: bench.key.public_key}):
        for _ in range(2):  # the second answer is one that was remembered
            assert score(bench.certificate, certificate_keyring=keys) == score(bench.certificate)
            assert score(forged).certified
            with pytest.raises(rr.InvalidDocument, match="certificate-signature-invalid"):
                score(forged, certificate_keyring=keys)
        assert not score(None, certificate_keyring=keys).certified
    for keys in (bench.key.keyring, {other.key_id + ".b": other.public_key}):
        with pytest.raises(ValueError, match="certificate-signer-unknown"):
            score(renamed, certificate_keyring=keys)
    for certificate in (bench.certificate, None):
        for malformed in ("x", {"short": bench.key.public_key}, b""):
            with pytest.raises(rr.KeyFormatError):
                score(certificate, certificate_keyring=malformed)
    assert rr.RewardScoreV1._fields == ("scalar", "certified", "development_only", "certification_refusals")
