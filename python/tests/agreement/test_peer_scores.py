"""The same calls of score(), here and in openadapt-types 0.24.0, which is run and never read.

Where the two differ, the call itself shows why, and the specification (section 7) wants it: a tier or a policy update
that is none, or a tier above the contract's channel. REWARD_RECEIPTS_DEEP=1 makes five times as many calls.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import openadapt_types.reward as peer
from document_space import MAX_UPDATE, SCORED, STATES, UNSCORED, digest
from random_documents import certificate, contract, receipt, set_state, set_tier
from reward_receipts.core.canonical import canonical_json_bytes
from reward_receipts.core.generated import vocabulary
from reward_receipts.documents.generated import models
from reward_receipts.documents.oracle import tier_of
from reward_receipts.receipts.score import score

Figure = Callable[[str], None]

PAIRS = 2_000 if os.environ.get("REWARD_RECEIPTS_DEEP") == "1" else 400
CALLS = 10

NO_OUTCOMES = ("nope", "VERIFIED", "", None, 1, True, b"verified")
NO_TIERS = (True, False, 2.0, 1.5, -1, 4, 2**70, math.nan, math.inf, "2", "x", None)
NO_UPDATES = (True, False, 120.0, 120.5, -1, MAX_UPDATE + 1, 2**70, math.nan, math.inf, "120", None)

CODES = {
    "is development only": "tier-development-only",
    "no reward certificate was presented": "certificate-absent",
    "the certificate is not_yet_valid": "certificate-not-yet-valid",
    "the certificate is expired": "certificate-expired",
    "the certificate names a different reward contract": "certificate-names-another-contract",
    "certificate epsilon": "epsilon-exceeds-policy",
    "certificate delta": "delta-exceeds-policy",
    "certificate threshold": "threshold-differs",
    "calibration corpus": "calibration-corpus-differs",
    "certificate expiry": "expiry-exceeds-policy",
    "the receipt names a different reward contract": "receipt-names-another-contract",
    "the receipt references a certificate that was not given": "receipt-certificate-not-given",
    "the receipt references a different certificate": "receipt-names-another-certificate",
}
"""The code that says what a sentence of theirs says, by words of the sentence."""

TIER_CAPPED = "a tier counts at most as much as the contract's channel"
NO_TIER = "a tier that is not an integer from 0 to 3 is an error"
NO_UPDATE = "a policy update that is not an integer from 0 to 9007199254740991 is an error"


def code_there(sentence: str) -> str:
    (code,) = (code for words, code in CODES.items() if words in sentence)
    return code


def there(model: Any) -> Any:
    """The same document in the other package; nothing for nothing."""
    if model is None:
        return None
    return getattr(peer, type(model).__name__).model_validate_json(canonical_json_bytes(model))


@dataclass
class Pair:
    """A contract and a certificate, or none, in both packages."""

    contract: models.RewardContractV1
    certificate: models.RewardCertificateV1 | None
    contract_there: Any
    certificate_there: Any

    def score_here(self, outcome: Any, tier: Any, update: Any) -> Any:
        """What score() gives here, its refusals by their codes; the name of what it raises."""
        try:
            given = score(outcome, tier, self.certificate, update, contract=self.contract)
        except ValueError:
            return "ValueError"
        return repr(given.scalar), *given[1:3], tuple(refusal.code for refusal in given.certification_refusals)

    def score_there(self, outcome: Any, tier: Any, update: Any) -> Any:
        """What score() gives there, its refusals by our codes; the name of what it raises."""
        try:
            given = peer.score(outcome, tier, self.certificate_there, update, contract=self.contract_there)
        except (ValueError, TypeError, OverflowError) as error:
            return "ValueError" if isinstance(error, ValueError) else type(error).__name__
        return repr(given.scalar), *given[1:3], tuple(map(code_there, given.certification_refusals))

    def refusals_here(self, value: dict[str, Any]) -> list[str]:
        """The codes of a receipt's certification_refusals() here."""
        held = models.RewardEvidenceReceiptV1.model_validate(value)
        return [refusal.code for refusal in held.certification_refusals(self.contract, self.certificate)]

    def refusals_there(self, value: dict[str, Any]) -> list[str]:
        """The codes of a receipt's certification_refusals() there."""
        held = there(models.RewardEvidenceReceiptV1.model_validate(value))
        return list(map(code_there, held.certification_refusals(self.contract_there, self.certificate_there)))


def random_pair(rng: Random) -> Pair:
    """A contract, and a certificate that gives what it asks for, or something else in some respects."""
    held = models.RewardContractV1.model_validate(contract(rng))
    asked = held.certificate_policy._plain()
    value = certificate(rng)
    others = {**{key: value[key] for key in asked}, "reward_contract_digest": digest(rng)}
    value.update(asked, reward_contract_digest=held.digest)
    for key in rng.sample(list(others), rng.choice((0, 0, 0, 1, 2, 6))):
        value[key] = rng.choice((others[key], _near(rng, key, value[key])))
    # The last update for which it is valid is often the very last one.
    value["expiry_policy_updates"] = int(value["expiry_policy_updates"])
    room = MAX_UPDATE - value["expiry_policy_updates"]
    value["issued_at_policy_update"] = rng.choice((0, min(100, room), room))
    issued = None if rng.random() < 0.15 else models.RewardCertificateV1.model_validate(value)
    return Pair(held, issued, there(held), there(issued))


def _near(rng: Random, key: str, asked: Any) -> Any:
    """A value a little off what the contract asks for, on either side."""
    if key in ("epsilon", "delta"):
        near = math.nextafter(asked, rng.choice((0, 1)))
        return near if 0 < near < 1 else asked
    if key == "expiry_policy_updates":
        return min(max(1, asked + rng.choice((-1, 1, 10))), MAX_UPDATE)
    return math.nextafter(asked, 0) if key == "threshold" else digest(rng)


def random_call(rng: Random, pair: Pair) -> tuple[Any, Any, Any]:
    """An outcome, a tier and a policy update; one in ten of each is none."""
    held = pair.certificate
    edges = [] if held is None else [held.issued_at_policy_update, held.expires_at_policy_update]
    near = [edge + step for edge in edges for step in (-1, 0, 1) if 0 <= edge + step <= MAX_UPDATE]
    outcome = rng.choice(NO_OUTCOMES if rng.random() < 0.1 else SCORED + UNSCORED)
    tier = rng.choice(NO_TIERS if rng.random() < 0.1 else range(4))
    update = rng.choice(NO_UPDATES if rng.random() < 0.1 else (0, 120, MAX_UPDATE, *near))
    return outcome, tier, update


def is_integer(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def declared_difference(pair: Pair, tier: Any, update: Any) -> str | None:
    """Why a call may differ there, by the call alone."""
    if not is_integer(tier, 3):
        return NO_TIER
    if not is_integer(update, MAX_UPDATE):
        return NO_UPDATE
    return TIER_CAPPED if tier > pair.contract.oracle.tier else None


def test_calls_of_score_give_the_same_there(figure: Figure) -> None:
    same: Counter[str] = Counter()
    declared: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for number in range(PAIRS):
        rng = Random(f"pairs/{number}")
        pair = random_pair(rng)
        for _ in range(CALLS):
            outcome, tier, update = random_call(rng, pair)
            as_member = is_integer(tier, 3) and rng.random() < 0.5
            here = pair.score_here(outcome, vocabulary.OracleTier(tier) if as_member else tier, update)
            other = pair.score_there(outcome, tier, update)
            call = f"pair {number}, {outcome!r}, {tier!r}, {update!r}: {here} here, {other} there"
            if here == other:
                same["an error" if here == "ValueError" else "a score"] += 1
                codes.update(here[3] if here != "ValueError" else ())
                continue
            why = declared_difference(pair, tier, update)
            assert why, call
            declared[why] += 1
            capped = why is TIER_CAPPED
            expected = pair.score_there(outcome, int(pair.contract.oracle.tier), update) if capped else "ValueError"
            assert here == expected, call
    figure(f"{PAIRS * CALLS} calls of score(), the same on both sides: {dict(same)}")
    figure(f"their refusals: {dict(codes.most_common())}")
    for name, count in declared.most_common():
        figure(f"{count:6} differ: {name}")
    assert set(declared) == {TIER_CAPPED, NO_TIER, NO_UPDATE}
    assert set(codes) == {code for code in CODES.values() if not code.startswith("receipt-")}
    assert same["a score"] > PAIRS * CALLS / 3


def test_the_refusals_of_a_receipt_are_the_same_there(figure: Figure) -> None:
    codes: Counter[str] = Counter()
    clear, capped = 0, 0
    for number in range(PAIRS):
        rng = Random(f"refusals/{number}")
        pair = random_pair(rng)
        value = receipt(rng)
        set_state(rng, value, rng.choice(STATES))
        if rng.random() < 0.7:
            value["reward_contract_digest"] = pair.contract.digest
        if pair.certificate is not None:
            first = pair.certificate.issued_at_policy_update
            value["policy_update"] = rng.choice((first, first, first, max(0, first - 1), first + 1))
            if value["certificate_state"] != "absent" and rng.random() < 0.7:
                value["certificate_digest"] = pair.certificate.digest
        here, other = pair.refusals_here(value), pair.refusals_there(value)
        codes.update(here)
        clear += not here
        if here != other:
            assert declared_difference(pair, int(value["oracle_tier"]), 0) is TIER_CAPPED, f"{number}: {here}, {other}"
            set_tier(rng, value, int(pair.contract.oracle.tier))
            assert here == pair.refusals_there(value), f"pair {number}"
            capped += 1
    figure(f"{PAIRS} receipts with contract and certificate, {clear} without refusals: {dict(codes.most_common())}")
    figure(f"{capped:6} differ: {TIER_CAPPED}")
    assert set(codes) == set(CODES.values())
    assert clear > 0
    assert capped > 0


def test_certificates_are_the_same_there(figure: Figure) -> None:
    compared = 0
    for number in range(PAIRS):
        rng = Random(f"standing/{number}")
        pair = random_pair(rng)
        here, other = pair.certificate, pair.certificate_there
        policy, policy_there = pair.contract.certificate_policy, pair.contract_there.certificate_policy
        if here is None:
            continue
        assert here.expires_at_policy_update == other.expires_at_policy_update
        assert [said.code for said in here.unmet(policy)] == [code_there(said) for said in other.unmet(policy_there)]
        assert here.satisfies(policy) == other.satisfies(policy_there)
        for _ in range(CALLS):
            _, _, update = random_call(rng, pair)
            if is_integer(update, MAX_UPDATE):
                assert here.state_at(update).value == other.state_at(update).value
                assert here.is_current(update) == other.is_current(update)
                compared += 1
    figure(f"{compared} states of certificates, the same on both sides")


def test_both_packages_have_the_same_words() -> None:
    for name in (
        *("RewardOutcomeV1", "RewardCertificateStateV1", "RewardUncertaintyStateV1"),
        *("RewardCalibrationScopeV1", "RewardCertificateIssuerV1", "OracleChannel", "OracleTier"),
    ):
        here, other = getattr(vocabulary, name), getattr(peer, name)
        assert {member.name: member.value for member in here} == {member.name: member.value for member in other}
    for channel in vocabulary.OracleChannel:
        assert int(tier_of(channel)) == int(peer.tier_of(peer.OracleChannel(channel.value)))
