"""What a reader can prove of a receipt with its contract, its certificate and a key in hand.

schemas/codes.json lists the checks, their order and what each needs; here is a function for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple

from ..core.codes import AuditCheck, audit_checks, catalogue, note, sentence
from ..core.findings import shown
from ..core.generated.vocabulary import RewardCertificateStateV1
from ..core.pointer import json_pointer
from ..documents.certificate import require_policy_update
from ..documents.certification import Refusals
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..documents.model import expected
from .direct import holds
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
    """What was found and what was expected, or why the check could not run."""
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


NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    code: check.needs for check in audit_checks() for code in (check.code, check.signer_unknown) if code is not None
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
    names_certificate = receipt.certificate_state is not RewardCertificateStateV1.ABSENT
    certificate = None if certificate is None or not names_certificate else certificate._settled()

    has = {"certificate"} if names_certificate else set()
    if at_update is not None:
        has.add("update")
    if holds(receipt, contract, certificate, keyring, at_update):
        return AuditReport(AuditVerdict.HOLDS, (), _applying(frozenset(has)), ())
    given = _Given(receipt, contract, certificate, keyring, at_update)
    absent = {name for name, document in (("contract", contract), ("certificate", certificate)) if document is None}
    run = _Run()
    for check in audit_checks():
        if check.applies_with <= has:
            run.check(check, given, next((each for each in check.needs if each in absent), None) if absent else None)
    return run.report()


def audit_signature(receipt: RewardEvidenceReceiptV1, keyring: PublicKey | None) -> AuditReport:
    """The part of ``audit`` that is about the receipt's own signature. Raises KeyFormatError for a malformed key."""
    run = _Run()
    (check,) = (check for check in audit_checks() if check.code == "signature-invalid")
    run.check(check, _Given(receipt._settled(), None, None, keyring, None), None)
    return run.report()


def applying_checks(certificate_state: str, at_update: int | None) -> tuple[str, ...]:
    """The codes of the checks that apply to a receipt with a state of its certificate, if everything is given."""
    has = set() if certificate_state == RewardCertificateStateV1.ABSENT else {"certificate"}
    return _applying(frozenset(has | ({"update"} if at_update is not None else set())))


@cache
def _applying(has: frozenset[str]) -> tuple[str, ...]:
    """The codes of the checks that apply with some inputs beside the receipt."""
    return tuple(check.code for check in audit_checks() if check.applies_with <= has)


class _Given(NamedTuple):
    """What an audit looks at. A check reads only what it needs."""

    receipt: RewardEvidenceReceiptV1
    contract: Any
    """A RewardContractV1, if the check needs one."""
    certificate: Any
    """A RewardCertificateV1, if the check needs one."""
    keyring: PublicKey | None
    at_update: Any
    """An int, if the check applies with an update."""


class _SignerUnknown(Exception):
    """No key is held for the issuer_key_id of a document."""


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

    def check(self, check: AuditCheck, given: _Given, missing: str | None) -> None:
        """Runs a check, or lists it as unchecked because an input is missing or the signer is unknown."""
        code = check.code
        if missing is not None:
            sentence = note("not-given", input=missing)
            self.unchecked.append(AuditFinding(code, sentence, catalogue()[code].field))
            return
        try:
            self.findings += [_finding(code, values) for values in _CHECKS[code](given)]
        except _SignerUnknown as unknown:
            assert check.signer_unknown is not None  # scripts/lint sees to it
            self.unchecked.append(_finding(check.signer_unknown, {"key_id": str(unknown)}))
        else:
            self.checked.append(code)


Values = dict[str, object]
"""What fills the sentence of a finding."""

_CHECKS: Final[dict[str, Callable[[_Given], Iterator[Values]]]] = {}
"""What makes each check: the values of each of its findings."""


def _check(code: str) -> Callable[[Callable[[_Given], Iterator[Values]]], Callable[[_Given], Iterator[Values]]]:
    """Enters a function as the check of a code."""

    def enter(function: Callable[[_Given], Iterator[Values]]) -> Callable[[_Given], Iterator[Values]]:
        _CHECKS[code] = function
        return function

    return enter


def _finding(code: str, values: Values) -> AuditFinding:
    return AuditFinding(code, str(sentence(code, **values)), catalogue()[code].field)


@_check("receipt-names-another-contract")
def _contract_digest(given: _Given) -> Iterator[Values]:
    if given.receipt.reward_contract_digest != given.contract.digest:
        yield {"receipt": given.receipt.reward_contract_digest, "contract": given.contract.digest}


@_check("tier-exceeds-channel")
def _tier(given: _Given) -> Iterator[Values]:
    receipt, oracle = given.receipt, given.contract.oracle
    if receipt.oracle_tier > oracle.tier:
        tiers: Values = {"receipt": int(receipt.oracle_tier), "contract": int(oracle.tier)}
        yield {"channel": oracle.channel.value, **tiers}


@_check("scalar-differs-from-contract")
def _scalar(given: _Given) -> Iterator[Values]:
    receipt = given.receipt
    scalar = given.contract.scoring.scalar_for(receipt.reward_outcome)
    if receipt.scalar_reward != scalar:
        scalars: Values = {"receipt": shown(receipt.scalar_reward), "contract": shown(scalar)}
        yield {"outcome": receipt.reward_outcome.value, **scalars}


@_check("component-not-in-contract")
def _components(given: _Given) -> Iterator[Values]:
    names = given.contract.component_names
    for name in given.receipt.reward_components:
        if name not in names:
            yield {"receipt": name, "contract": ", ".join(names)}


@_check("receipt-names-another-certificate")
def _certificate_digest(given: _Given) -> Iterator[Values]:
    yield from _differing(given.receipt.certificate_digest, given.certificate.digest)


@_check("certificate-id-differs")
def _certificate_id(given: _Given) -> Iterator[Values]:
    yield from _differing(given.receipt.certificate_id, given.certificate.certificate_id)


@_check("corpus-differs-from-certificate")
def _corpus(given: _Given) -> Iterator[Values]:
    yield from _differing(given.receipt.calibration_corpus_digest, given.certificate.calibration_corpus_digest)


@_check("scope-differs-from-certificate")
def _scope(given: _Given) -> Iterator[Values]:
    yield from _differing(given.receipt.calibration_scope, given.certificate.calibration_scope)


@_check("certificate-state-differs")
def _state(given: _Given) -> Iterator[Values]:
    update = given.receipt.policy_update
    for values in _differing(given.receipt.certificate_state, given.certificate.state_at(update)):
        yield {**values, "policy_update": update}


def _differing(receipt: object, certificate: object) -> Iterator[Values]:
    if receipt != certificate:
        yield {"receipt": str(receipt), "certificate": str(certificate)}


@_check("certified-unsupported")
def _unsupported(given: _Given) -> Iterator[Values]:
    if given.receipt.certified and (refusals := _refusals(given)):
        yield {"refusals": " ".join(refusals)}


@_check("certified-understated")
def _understated(given: _Given) -> Iterator[Values]:
    if not given.receipt.certified and not _refusals(given):
        yield {}


def _refusals(given: _Given) -> Refusals:
    return given.receipt.certification_refusals(given.contract, given.certificate)


@_check("signature-invalid")
def _signature(given: _Given) -> Iterator[Values]:
    yield from _signature_of(given.receipt, given.keyring)


@_check("certificate-signature-invalid")
def _certificate_signature(given: _Given) -> Iterator[Values]:
    yield from _signature_of(given.certificate, given.keyring)


def _signature_of(
    document: RewardCertificateV1 | RewardEvidenceReceiptV1, keyring: PublicKey | None
) -> Iterator[Values]:
    verdict = SignatureVerdict.SIGNER_UNKNOWN if keyring is None else verify(document, keyring)
    if verdict is SignatureVerdict.SIGNER_UNKNOWN:
        raise _SignerUnknown(document.issuer_key_id)
    if verdict is SignatureVerdict.INVALID:
        yield {"key_id": document.issuer_key_id}


@_check("certificate-expired-at-update")
def _expired(given: _Given) -> Iterator[Values]:
    expires = given.certificate.expires_at_policy_update
    if expires <= given.at_update:
        yield {"expires": expires, "at_update": given.at_update}


@_check("policy-update-ahead")
def _ahead(given: _Given) -> Iterator[Values]:
    if given.receipt.policy_update > given.at_update:
        yield {"receipt": given.receipt.policy_update, "at_update": given.at_update}


if differing := {check.code for check in audit_checks()} ^ _CHECKS.keys():
    raise ImportError(f"{', '.join(sorted(differing))}: schemas/codes.json lists the checks that have a function here")
