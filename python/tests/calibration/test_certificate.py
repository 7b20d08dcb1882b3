"""Measurements, the certificates (synthetic) that they give, and those computed again."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import reward_receipts as rr
from calibration_corpora import CHECKER, KEY, contract, rows, scored
from reward_receipts.calibration import (
    CalibrationRefused,
    Trials,
    certify,
    clopper_pearson_upper,
    measure,
    recheck,
    trials_needed,
)


def certified(trials: Trials, held: rr.RewardContractV1 | None = None, **options: Any) -> rr.RewardCertificateV1:
    given = {"checker_configuration_digest": CHECKER, "issued_at_policy_update": 100, "signing_key": KEY}
    return certify(trials, contract(trials) if held is None else held, **{**given, **options})


def codes(error: pytest.ExceptionInfo[CalibrationRefused]) -> list[str]:
    return [each.code for each in error.value.refusals]


def test_counts_and_bound() -> None:
    found = measure(Trials(rows(300, 62, controls=20, failed=3)), delta=0.05)
    assert (found.false_accepts, found.trials, found.unit) == (62, 300, "trials")
    assert found.epsilon == clopper_pearson_upper(62, 300, 0.05)
    assert (found.controls, found.failed_controls) == (20, 3)
    assert [(each.fault_class, each.trials, each.false_accepts) for each in found.classes] == [
        ("duplicate", 100, 21), ("extra", 100, 20), ("omitted", 100, 21)
    ]  # fmt: skip


def test_a_certificate_is_signed_and_meets_the_policy() -> None:
    trials = Trials(rows(261))
    held = contract(trials)
    certificate = certified(trials, held)
    assert certificate.epsilon == pytest.approx(0.0114123, abs=1e-6)
    assert certificate.delta == 0.05
    assert certificate.calibration_corpus_digest == trials.digest
    assert certificate.checker_configuration_digest == CHECKER
    assert certificate.satisfies(held.certificate_policy)
    assert rr.verify(certificate, KEY.keyring)
    assert certificate.reward_contract_digest == held.digest


def test_delta_is_what_was_asked_for() -> None:
    trials = Trials(rows(261, 1))
    certificate = certified(trials, delta=0.01)
    assert certificate.delta == 0.01
    assert certificate.epsilon == clopper_pearson_upper(1, 261, 0.01)


def test_a_score_at_the_threshold_is_accepted() -> None:
    trials = Trials(scored(0.5, 0.4999, *[0.1] * 100))
    assert measure(trials, delta=0.05, threshold=0.5).false_accepts == 1
    with pytest.raises(ValueError, match="give the threshold"):
        measure(trials, delta=0.05)
    with pytest.raises(ValueError, match="threshold is nan"):
        measure(trials, delta=0.05, threshold=float("nan"))


@pytest.mark.parametrize(
    ("trials", "options", "expected"),
    [
        (rows(0), {}, ["calibration.nothing-to-refuse"]),
        (rows(100, controls=0), {}, ["calibration.controls-absent"]),
        (rows(100, failed=1), {}, ["calibration.controls-failed"]),
        (rows(100, failed=3), {"failed_controls_allowed": 2}, ["calibration.controls-failed"]),
        (rows(100, 100), {}, ["calibration.all-accepted"]),
        (rows(100), {"required_classes": ["omitted", "claimed"]}, ["calibration.class-empty"]),
        (rows(100), {"delta": 0.06}, ["calibration.delta-exceeds-policy"]),
        (rows(100, 6), {}, ["calibration.bound-exceeds-policy"]),
        (rows(100), {"vacuity_limit": 0.01}, ["calibration.bound-vacuous"]),
        (rows(10, 6, failed=1), {}, [f"calibration.{each}" for each in ("controls-failed", "bound-vacuous",
            "bound-exceeds-policy")]),
    ],
)  # fmt: skip
def test_no_certificate(trials: Any, options: dict[str, Any], expected: list[str]) -> None:
    with pytest.raises(CalibrationRefused) as caught:
        certified(Trials(trials), **options)
    assert codes(caught) == expected


def test_failed_controls_can_be_allowed() -> None:
    assert certified(Trials(rows(100, failed=2)), failed_controls_allowed=2).epsilon < 0.05


def test_how_much_is_missing_and_how_many_more_trials_would_do() -> None:
    trials = Trials(rows(100, 2))
    with pytest.raises(CalibrationRefused) as caught:
        certified(trials)
    more = trials_needed(0.05, 0.05, 2) - 100
    excess = clopper_pearson_upper(2, 100, 0.05) - 0.05
    assert more == 24
    assert f"exceeds the contract's epsilon 0.05 by {excess:.6g}. With {more} more trials" in str(caught.value)
    assert certified(Trials(rows(100 + more, 2))).epsilon <= 0.05
    with pytest.raises(CalibrationRefused):
        certified(Trials(rows(100 + more - 1, 2)))


def test_another_corpus_than_the_contracts_is_refused() -> None:
    trials = Trials(rows(100))
    with pytest.raises(CalibrationRefused, match=trials.digest) as caught:
        certified(trials, contract(Trials(rows(101))))
    assert codes(caught) == ["calibration.other-corpus"]


def grouped(groups: int, each: int, wrong: list[tuple[int, int]], member: str = "group_id") -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {
            "trial_id": f"{g}.{i}",
            "should_accept": False,
            "fault_class": "a",
            "accepted": (g, i) in wrong,
            member: f"g{g}",
        }
        for g in range(groups)
        for i in range(each)
    ]
    return [*made, {"trial_id": "control", "should_accept": True, "accepted": True, member: "control"}]


def test_the_bound_is_over_groups_if_there_are_any() -> None:
    found = measure(Trials(grouped(60, 5, [(0, 1), (0, 2), (7, 0)])), delta=0.05)
    assert (found.false_accepts, found.trials, found.unit) == (2, 60, "groups")
    assert found.epsilon == clopper_pearson_upper(2, 60, 0.05)
    assert found.classes[0].trials == 300


def test_repeats_are_refused_without_a_group() -> None:
    repeated = Trials(grouped(60, 5, [], "task_id"))
    with pytest.raises(
        CalibrationRefused, match='5 trials that should have been refused share the task_id "g0"'
    ) as caught:
        measure(repeated, delta=0.05)
    assert codes(caught) == ["calibration.repeats-without-group"]
    assert measure(repeated, delta=0.05, group_by="task_id").trials == 60
    same = [{**row, "evidence_digest": CHECKER} for row in rows(10)]
    with pytest.raises(CalibrationRefused, match="evidence_digest"):
        measure(Trials(same), delta=0.05)
    different_tasks = Trials(grouped(60, 1, [], "task_id"))
    assert measure(different_tasks, delta=0.05).unit == "trials"


def test_groups_are_complete_or_refused() -> None:
    some = grouped(10, 2, [])
    del some[3]["group_id"]
    with pytest.raises(
        CalibrationRefused, match="1 of 20 trials that should have been refused have no group_id"
    ) as caught:
        measure(Trials(some), delta=0.05)
    assert codes(caught) == ["calibration.groups-incomplete"]
    with pytest.raises(ValueError, match="not grouped by"):
        measure(Trials(rows(10)), delta=0.05, group_by="episode")  # type: ignore[arg-type]


def test_a_certificate_is_what_its_trials_say() -> None:
    trials = Trials(rows(300, 2))
    held = contract(trials)
    certificate = certified(trials, held)
    checked = recheck(certificate, trials, contract=held, checker_configuration_digest=CHECKER)
    assert checked.holds
    assert checked.measurement.epsilon == certificate.epsilon


def test_a_certificate_rounded_to_six_digits_or_weaker_is_still_what_it_claims() -> None:
    trials = Trials(rows(261))
    for epsilon in (0.0114123, 0.0114122, 0.04):
        certificate = rr.issue_certificate(
            contract=contract(trials), epsilon=epsilon, checker_configuration_digest=CHECKER,
            issued_at_policy_update=0, signing_key=KEY,
        )  # fmt: skip
        assert recheck(certificate, trials).holds


def test_anything_that_a_certificate_does_not_say_of_its_trials() -> None:
    trials = Trials(rows(300, 2))
    held = contract(trials)
    certificate = certified(trials, held)
    more_wrong = Trials(rows(300, 3))  # the same labels, other answers
    assert [each.code for each in recheck(certificate, more_wrong).findings] == ["calibration.epsilon-understated"]
    fewer = recheck(certificate, Trials(rows(299, 2)))
    assert [each.code for each in fewer.findings] == ["calibration.other-corpus", "calibration.epsilon-understated"]
    other = recheck(certificate, trials, checker_configuration_digest="sha256:" + "d" * 64)
    assert [each.code for each in other.findings] == ["calibration.checker-differs"]
    strict = recheck(certificate, trials, contract=contract(trials, epsilon=0.001))
    assert [each.code for each in strict.findings] == ["certificate-names-another-contract", "epsilon-exceeds-policy"]


def test_a_threshold_chosen_with_the_trials_certifies_the_epsilon_that_was_tested() -> None:
    trials = Trials(scored(*[0.1] * 198, 0.55, 0.65))
    for threshold, passes in ((0.5, True), (0.9, True), (0.05, False), (0.6, False)):
        held = contract(trials, threshold=threshold)
        if passes:
            certificate = certified(trials, held, thresholds=[0.9, 0.7, 0.5, 0.05])
            assert certificate.epsilon == held.certificate_policy.epsilon
            assert recheck(certificate, trials, contract=held).holds
        else:
            with pytest.raises(CalibrationRefused) as caught:
                certified(trials, held, thresholds=[0.9, 0.7, 0.5, 0.05])
            assert "calibration.threshold-untested" in codes(caught)


def test_a_vacuous_certificate_has_no_lifetime() -> None:
    trials = Trials(rows(300))
    held = contract(trials, epsilon=0.7)
    certificate = rr.issue_certificate(
        contract=held, epsilon=0.6, checker_configuration_digest=CHECKER, issued_at_policy_update=0, signing_key=KEY
    )
    with pytest.raises(rr.CertificateVacuous, match=r"\(synthetic\) bounds P\(false accept\) by 0.6"):
        rr.CertificateLifetime(certificate, on_end="uncertified")
    lifetime = rr.CertificateLifetime(certificate, vacuity_limit=0.61, warn_within=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lifetime.require(47)
    with pytest.warns(rr.CertificateEnding, match="expires in 2 updates"):
        lifetime.require(48)
    with pytest.raises(ValueError, match="vacuity_limit is 0"):
        rr.CertificateLifetime(certificate, vacuity_limit=0.0)
