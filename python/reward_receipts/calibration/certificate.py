"""A certificate (synthetic) from trials, and a certificate checked against its trials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..core.codes import CodedSentence, sentence
from ..documents.generated.models import RewardCertificateV1, RewardContractV1
from ..documents.model import expected
from ..receipts.issue import issue_certificate
from ..receipts.keys import SigningKey
from ..receipts.lifetime import DEFAULT_VACUITY_LIMIT
from .bound import trials_needed
from .measurement import CalibrationRefused, GroupBy, Measurement, measure
from .threshold import ThresholdChoice, choose_threshold
from .trials import Trials

_ROUNDING: Final = 1e-5
"""How far, relative to the bound, a certificate's epsilon may be below it: certificates are written with six digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateCheck:
    """A certificate, computed again from its trials."""

    measurement: Measurement
    """At the certificate's threshold and delta."""
    findings: tuple[CodedSentence, ...]
    """Where the certificate is not what its trials support; () if it is."""

    @property
    def holds(self) -> bool:
        """Whether the certificate is what it claims to be."""
        return not self.findings


def certify(
    trials: Trials,
    contract: RewardContractV1,
    *,
    checker_configuration_digest: str,
    issued_at_policy_update: int,
    signing_key: SigningKey,
    delta: float | None = None,
    group_by: GroupBy | None = None,
    thresholds: Sequence[float] | None = None,
    required_classes: Iterable[str] = (),
    failed_controls_allowed: int = 0,
    vacuity_limit: float = DEFAULT_VACUITY_LIMIT,
    expiry_policy_updates: int | None = None,
) -> RewardCertificateV1:
    """A signed certificate (synthetic) of a checker for a contract, from the trials that the contract names.

    Trials with scores are decided at the contract's threshold. Its epsilon is the exact bound of the counts there, at
    ``delta`` or, if that is left out, at the contract's. ``thresholds`` says that the contract's threshold was chosen
    with these trials: they are tested in their order, as ``choose_threshold`` does, the contract's has to be one that
    passed, and the certificate's epsilon is then the contract's, for which they were tested.

    Raises CalibrationRefused, with every reason, if the measurement supports no certificate, if the trials are not the
    contract's corpus, or if the contract's policy is not met (by how much, and how many more trials would do).
    Raises as ``measure`` and ``issue_certificate`` do.

        certificate = certify(trials, contract, checker_configuration_digest=digest, issued_at_policy_update=0,
            signing_key=SigningKey.from_file("issuer.private.json"))
    """
    contract = expected(contract, RewardContractV1, "contract")._settled()
    policy = contract.certificate_policy
    level = policy.delta if delta is None else delta
    found = measure(trials, delta=level, threshold=policy.threshold if trials.scored else None, group_by=group_by)
    choice = None
    if thresholds is not None:
        choice = choose_threshold(trials, thresholds, epsilon=policy.epsilon, delta=level, group_by=group_by)
    refusals = (
        *found.refusals(
            required_classes=required_classes,
            failed_controls_allowed=failed_controls_allowed,
            vacuity_limit=vacuity_limit,
        ),
        *policy_refusals(found, contract, choice),
    )
    if refusals:
        raise CalibrationRefused(refusals)
    return certificate_of(
        found,
        contract,
        choice,
        checker_configuration_digest=checker_configuration_digest,
        issued_at_policy_update=issued_at_policy_update,
        signing_key=signing_key,
        expiry_policy_updates=expiry_policy_updates,
    )


def certificate_of(
    found: Measurement,
    contract: RewardContractV1,
    choice: ThresholdChoice | None,
    *,
    checker_configuration_digest: str,
    issued_at_policy_update: int,
    signing_key: SigningKey,
    expiry_policy_updates: int | None = None,
) -> RewardCertificateV1:
    """The certificate (synthetic) of a measurement that nothing speaks against. Raises as ``issue_certificate``."""
    return issue_certificate(
        contract=contract,
        epsilon=found.epsilon if choice is None else choice.epsilon,
        delta=found.delta,
        checker_configuration_digest=checker_configuration_digest,
        issued_at_policy_update=issued_at_policy_update,
        signing_key=signing_key,
        expiry_policy_updates=expiry_policy_updates,
    )


def policy_refusals(
    found: Measurement, contract: RewardContractV1, choice: ThresholdChoice | None = None
) -> tuple[CodedSentence, ...]:
    """Why a measurement does not meet the policy of a contract; () if it does.

    ``choice`` is the test of the thresholds, if the contract's was chosen with the same trials.
    """
    policy = expected(contract, RewardContractV1, "contract")._settled().certificate_policy
    refusals: list[CodedSentence] = []
    if found.corpus_digest != policy.calibration_corpus_digest:
        refusals.append(
            _refusal(
                "other-corpus",
                found=found.corpus_digest,
                document="contract",
                expected=policy.calibration_corpus_digest,
            )
        )
    if found.delta > policy.delta:
        refusals.append(_refusal("delta-exceeds-policy", delta=found.delta, policy=policy.delta))
    if found.threshold is not None and found.threshold != policy.threshold:
        refusals.append(_refusal("threshold-differs", threshold=found.threshold, policy=policy.threshold))
    if choice is not None and policy.threshold not in choice.passed:
        passed = ", ".join(map(str, choice.passed[:20])) or "none passed"
        refusals.append(_refusal("threshold-untested", policy=policy.threshold, passed=passed))
    if found.false_accepts < found.trials and found.epsilon > policy.epsilon:
        more = trials_needed(policy.epsilon, found.delta, found.false_accepts) - found.trials
        refusals.append(
            _refusal(
                "bound-exceeds-policy",
                epsilon=f"{found.epsilon:.6g}",
                policy=policy.epsilon,
                excess=f"{found.epsilon - policy.epsilon:.6g}",
                more=more,
                unit=found.unit,
            )
        )
    return tuple(refusals)


def recheck(
    certificate: RewardCertificateV1,
    trials: Trials,
    *,
    contract: RewardContractV1 | None = None,
    checker_configuration_digest: str | None = None,
    group_by: GroupBy | None = None,
) -> CertificateCheck:
    """Computes a certificate (synthetic) again from its trials, at its threshold and delta.

    It is what it claims to be if the trials have its corpus digest and their bound is at most its epsilon (up to one
    part in 100,000, since certificates are written with six digits), and, where these are given, if it was made for the
    contract and meets its policy, and names the checker's configuration. A certificate may claim less than its trials
    give. Signatures are not checked here: see ``verify``.

    Raises CalibrationRefused and ValueError as ``measure`` does.

        if not recheck(certificate, read_trials("trials.jsonl")).holds: ...
    """
    certificate = expected(certificate, RewardCertificateV1, "certificate")._settled()
    found = measure(
        trials,
        delta=certificate.delta,
        threshold=certificate.threshold if trials.scored else None,
        group_by=group_by,
    )
    findings: list[CodedSentence] = []
    if found.corpus_digest != certificate.calibration_corpus_digest:
        findings.append(
            _refusal(
                "other-corpus",
                found=found.corpus_digest,
                document="certificate",
                expected=certificate.calibration_corpus_digest,
            )
        )
    if certificate.epsilon < found.epsilon * (1.0 - _ROUNDING):
        findings.append(
            _refusal(
                "epsilon-understated",
                certificate=certificate.epsilon,
                found=f"{found.epsilon:.6g}",
                delta=certificate.delta,
            )
        )
    if (
        checker_configuration_digest is not None
        and checker_configuration_digest != certificate.checker_configuration_digest
    ):
        findings.append(
            _refusal(
                "checker-differs",
                found=checker_configuration_digest,
                expected=certificate.checker_configuration_digest,
            )
        )
    if contract is not None:
        contract = expected(contract, RewardContractV1, "contract")._settled()
        if contract.digest != certificate.reward_contract_digest:
            findings.append(
                sentence(
                    "certificate-names-another-contract",
                    certificate=certificate.reward_contract_digest,
                    contract=contract.digest,
                )
            )
        findings += certificate.unmet(contract.certificate_policy)
    return CertificateCheck(measurement=found, findings=tuple(findings))


def _refusal(code: str, **values: object) -> CodedSentence:
    return sentence(f"calibration.{code}", **values)
