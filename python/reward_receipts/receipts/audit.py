"""What a reader can prove of a receipt with its contract, its certificate and a key in hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..core.codes import catalogue, sentence
from ..core.findings import json_pointer, shown
from ..core.generated.vocabulary import RewardCertificateStateV1
from ..documents.certificate import require_policy_update
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..documents.model import expected
from .keys import PublicKey
from .sign import SignatureVerdict, verify


class AuditVerdict(StrEnum):
    """The verdict of an audit. Only ``holds`` is true."""

    HOLDS = "holds"
    """Every check that applies ran and passed."""
    FAILS = "fails"
    """At least one check failed."""
    UNDECIDED = "undecided"
    """No check failed, and some could not run."""

    def __bool__(self) -> bool:
        return self is AuditVerdict.HOLDS


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A check that failed, or that could not run."""

    code: str
    """The code of the check, or of what kept it from running."""
    sentence: str
    """What was found against what is due, or why the check could not run."""
    field: str
    """The member of the receipt that it is about; "" where it is about the whole."""

    @property
    def pointer(self) -> str:
        """The JSON pointer of the field in the receipt."""
        return json_pointer((self.field,)) if self.field else ""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found. True only where the receipt holds."""

    verdict: AuditVerdict
    """``holds``, ``fails`` or ``undecided``."""
    findings: tuple[AuditFinding, ...]
    """The checks that failed."""
    checked: tuple[str, ...]
    """The codes of the checks that ran, passed or failed."""
    unchecked: tuple[AuditFinding, ...]
    """The checks that apply and could not run, and why."""

    def __bool__(self) -> bool:
        return self.verdict is AuditVerdict.HOLDS


# The codes of the checks, by what they need. The order is that of the reports.
_CONTRACT_CHECKS: Final = (
    "receipt-names-another-contract",
    "tier-exceeds-channel",
    "scalar-differs-from-contract",
    "component-not-in-contract",
)
_CERTIFICATE_CHECKS: Final = (
    "receipt-names-another-certificate",
    "certificate-id-differs",
    "corpus-differs-from-certificate",
    "scope-differs-from-certificate",
    "certificate-state-differs",
)
_BOTH_CHECKS: Final = ("certified-unsupported", "certified-understated")
_CERTIFICATE_KEY_CHECKS: Final = ("certificate-signature-invalid",)
_UPDATE_CHECKS: Final = ("policy-update-ahead",)
_CERTIFICATE_UPDATE_CHECKS: Final = ("certificate-expired-at-update",)

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(_CONTRACT_CHECKS, ("contract",)),
    **dict.fromkeys((*_CERTIFICATE_CHECKS, *_CERTIFICATE_UPDATE_CHECKS), ("certificate",)),
    **dict.fromkeys(_BOTH_CHECKS, ("contract", "certificate")),
    **dict.fromkeys(_CERTIFICATE_KEY_CHECKS, ("certificate", "key")),
    "signer-unknown": ("key",),
    "certificate-signer-unknown": ("key",),
}
"""The inputs, besides the receipt, that the check of each code needs; without them the code is ``unchecked``."""


def audit(
    receipt: RewardEvidenceReceiptV1,
    contract: RewardContractV1 | None = None,
    certificate: RewardCertificateV1 | None = None,
    *,
    keyring: PublicKey | None = None,
    at_update: int | None = None,
) -> AuditReport:
    """Checks a receipt against those of its contract, certificate and issuer's key that are given.

    ``at_update`` is the trainer's own policy update; without it the two checks that need it do not apply. With
    certificate_state absent the certificate's checks do not apply. If the signature was not checked, the
    verdict is never ``holds``.

    ``keyring`` says which keys the reader holds, not what they may sign: any of them may have signed the receipt, and
    any the certificate. The two ``issued_at`` are not compared: they are the issuers' own clocks, and the order that
    counts is that of policy updates. Both are for the boundary that admits receipts (docs/decisions/keys.md).

    Raises KeyFormatError for a malformed key, ValueError for an ``at_update`` out of range, pydantic's
    ValidationError for an invalid document that was made without validation, TypeError for a dict or another kind of
    document.
    """
    if at_update is not None:
        at_update = require_policy_update(at_update)
    receipt = expected(receipt, RewardEvidenceReceiptV1, "receipt")._settled()
    contract = None if contract is None else expected(contract, RewardContractV1, "contract")._settled()
    if certificate is not None:
        expected(certificate, RewardCertificateV1, "certificate")
    applies = receipt.certificate_state is not RewardCertificateStateV1.ABSENT
    certificate = None if certificate is None or not applies else certificate._settled()

    run = _Run()
    run.checks(_CONTRACT_CHECKS, None if contract is None else _against_contract(receipt, contract), "contract")
    if applies:
        against = None if certificate is None else _against_certificate(receipt, certificate)
        run.checks(_CERTIFICATE_CHECKS, against, "certificate")
        if contract is None or certificate is None:
            run.checks(_BOTH_CHECKS, None, "contract" if contract is None else "certificate")
        else:
            run.checks(_BOTH_CHECKS, _against_both(receipt, contract, certificate), "")
    run.signature(receipt, keyring, "signature-invalid", "signer-unknown")
    if applies:
        if certificate is None:
            run.checks(_CERTIFICATE_KEY_CHECKS, None, "certificate")
        else:
            run.signature(certificate, keyring, "certificate-signature-invalid", "certificate-signer-unknown")
    if at_update is not None:
        if applies:
            late = None if certificate is None else _expired(certificate, at_update)
            run.checks(_CERTIFICATE_UPDATE_CHECKS, late, "certificate")
        run.checks(_UPDATE_CHECKS, _ahead(receipt, at_update), "")
    return run.report()


class _Run:
    """One audit under way."""

    def __init__(self) -> None:
        self.findings: list[AuditFinding] = []
        self.checked: list[str] = []
        self.unchecked: list[AuditFinding] = []

    def report(self) -> AuditReport:
        decided = AuditVerdict.UNDECIDED if self.unchecked else AuditVerdict.HOLDS
        verdict = AuditVerdict.FAILS if self.findings else decided
        return AuditReport(verdict, tuple(self.findings), tuple(self.checked), tuple(self.unchecked))

    def checks(self, codes: tuple[str, ...], found: Iterator[AuditFinding] | None, missing: str) -> None:
        if found is None:
            self.unchecked += [
                AuditFinding(code, f"No {missing} was given.", catalogue()[code].field) for code in codes
            ]
        else:
            self.checked += codes
            self.findings += found

    def signature(
        self,
        document: RewardCertificateV1 | RewardEvidenceReceiptV1,
        keyring: PublicKey | None,
        invalid: str,
        unknown: str,
    ) -> None:
        key_id = document.issuer_key_id
        verdict = SignatureVerdict.SIGNER_UNKNOWN if keyring is None else verify(document, keyring)
        if verdict is SignatureVerdict.SIGNER_UNKNOWN:
            self.unchecked.append(_finding(unknown, key_id=key_id))
            return
        self.checked.append(invalid)
        if verdict is SignatureVerdict.INVALID:
            self.findings.append(_finding(invalid, key_id=key_id))


def _finding(code: str, **values: object) -> AuditFinding:
    return AuditFinding(code, str(sentence(code, **values)), catalogue()[code].field)


def _against_contract(receipt: RewardEvidenceReceiptV1, contract: RewardContractV1) -> Iterator[AuditFinding]:
    if receipt.reward_contract_digest != contract.digest:
        named = receipt.reward_contract_digest
        yield _finding("receipt-names-another-contract", receipt=named, contract=contract.digest)
    channel = contract.oracle.channel
    if receipt.oracle_tier > contract.oracle.tier:
        tiers = {"receipt": int(receipt.oracle_tier), "contract": int(contract.oracle.tier)}
        yield _finding("tier-exceeds-channel", channel=channel.value, **tiers)
    scalar = contract.scoring.scalar_for(receipt.reward_outcome)
    if receipt.scalar_reward != scalar:
        values = {"receipt": shown(receipt.scalar_reward), "contract": shown(scalar)}
        yield _finding("scalar-differs-from-contract", outcome=receipt.reward_outcome.value, **values)
    names = contract.component_names
    for name in receipt.reward_components:
        if name not in names:
            yield _finding("component-not-in-contract", receipt=name, contract=", ".join(names))


def _against_certificate(receipt: RewardEvidenceReceiptV1, certificate: RewardCertificateV1) -> Iterator[AuditFinding]:
    state = certificate.state_at(receipt.policy_update)
    update = receipt.policy_update
    for code, here, there in (
        ("receipt-names-another-certificate", receipt.certificate_digest, certificate.digest),
        ("certificate-id-differs", receipt.certificate_id, certificate.certificate_id),
        (
            "corpus-differs-from-certificate",
            receipt.calibration_corpus_digest,
            certificate.calibration_corpus_digest,
        ),
        ("scope-differs-from-certificate", receipt.calibration_scope, certificate.calibration_scope),
        ("certificate-state-differs", receipt.certificate_state, state),
    ):
        if here != there:
            yield _finding(code, receipt=str(here), certificate=str(there), policy_update=update)


def _against_both(
    receipt: RewardEvidenceReceiptV1, contract: RewardContractV1, certificate: RewardCertificateV1
) -> Iterator[AuditFinding]:
    refusals = receipt.certification_refusals(contract, certificate)
    if receipt.certified and refusals:
        yield _finding("certified-unsupported", refusals=" ".join(refusals))
    if not receipt.certified and not refusals:
        yield _finding("certified-understated")


def _expired(certificate: RewardCertificateV1, at_update: int) -> Iterator[AuditFinding]:
    expires = certificate.expires_at_policy_update
    if expires <= at_update:
        yield _finding("certificate-expired-at-update", expires=expires, at_update=at_update)


def _ahead(receipt: RewardEvidenceReceiptV1, at_update: int) -> Iterator[AuditFinding]:
    if receipt.policy_update > at_update:
        yield _finding("policy-update-ahead", receipt=receipt.policy_update, at_update=at_update)
