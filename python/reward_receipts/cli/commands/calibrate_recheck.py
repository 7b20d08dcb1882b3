"""``calibrate recheck``: a certificate (synthetic) computed again from its trials."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...calibration.certificate import recheck
from ...core.codes import CodedSentence, sentence
from ...core.exit_status import ExitStatus
from ...receipts.sign import CERTIFICATE_CODES, SignatureVerdict, verify
from ..calibration import (
    CheckerOption,
    ContractOption,
    GroupByOption,
    Refused,
    TrialsFile,
    certificate_in,
    checker_digest,
    contract_in,
    findings_of,
    lines_of,
    reporting,
    subject,
    trials_in,
)
from ..keys import public_keys
from ..options import Keys, TextOrJson
from ..report import Report
from ..results import Result


def calibrate_recheck(
    certificate: Annotated[str, typer.Argument(metavar="CERTIFICATE", help="A certificate.")],
    trials: TrialsFile,
    contract: ContractOption = None,
    checker: CheckerOption = None,
    group_by: GroupByOption = None,
    *,
    keys: Keys,
    form: TextOrJson = "text",
) -> ExitStatus:
    """The trials must have the certificate's corpus digest, and their bound, at its threshold and delta, must be at
    most its epsilon. Contract, checker and signature are checked if they are given. Exit status: 0 it is what it
    claims; 1 it is not; 2 something cannot be read, or the signer's key is not held.
    """
    report = Report("calibrate recheck", form)
    try:
        with reporting(report, trials):
            held = certificate_in(report, certificate)
            policy = None if contract is None else contract_in(report, contract)
            configuration = checker_digest(report, checker)
            public_key = public_keys(report, keys)
            if keys.given and public_key is None:
                raise Refused
            corpus = trials_in(report, trials)
            checked = recheck(
                held, corpus, contract=policy, checker_configuration_digest=configuration, group_by=group_by
            )
    except Refused:
        return report.close()
    signature = "not checked"
    findings = list(checked.findings)
    unchecked: list[CodedSentence] = []
    if public_key is not None:
        verdict = verify(held, public_key)
        signature = verdict.value
        if verdict is not SignatureVerdict.VALID:
            about = sentence(CERTIFICATE_CODES[verdict], key_id=held.issuer_key_id)
            (findings if verdict is SignatureVerdict.INVALID else unchecked).append(about)
    members: dict[str, Any] = {
        "kind": "certificate",
        "certificate_digest": held.digest,
        "certificate_signature": signature,
        "epsilon": held.epsilon,
        "measurement": checked.measurement.to_dict(),
    }
    lines = (
        f"certificate       {held.certificate_id} (synthetic): epsilon {held.epsilon}",
        f"signature         {signature}{'' if keys.given else '; give --keyring or --public-key'}",
        *lines_of(checked.measurement),
    )
    verdict_word = "fails" if findings else "undecided" if unchecked else "holds"
    result = Result(subject(certificate), verdict_word, lines, members, findings_of(findings), findings_of(unchecked))
    report.add(result)
    return report.close()
