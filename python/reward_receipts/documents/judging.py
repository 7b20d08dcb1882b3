"""Judging plain JSON values as documents, without loading the models unless one is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ..core.findings import Finding, InvalidDocument, Path
from ..core.strict_json import Places
from ..validation.check import Kind, check, kind_of

if TYPE_CHECKING:
    from .generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1


def judge(value: Any, kind: Kind | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a plain JSON value as a document of a kind, or of the kind it names itself."""
    named = kind or kind_of(value)
    return (named,) if isinstance(named, Finding) else check(named, value)


def checked_document(
    value: Any, kind: Kind | None = None
) -> RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1:
    """The model of a plain JSON value that ``judge`` found nothing wrong with."""
    named = kind or kind_of(value)
    if isinstance(named, Finding):
        raise InvalidDocument((named,))
    document: RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1 = _makers()[named](value)
    return document


@cache
def _makers() -> dict[Kind, Callable[[Any], Any]]:
    # Loaded here, so that judging alone stays fast to start.
    from .generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
    from .model import Judged

    def maker(model: type[RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1]) -> Callable[[Any], Any]:
        validate = model.__pydantic_validator__.validate_python
        return lambda value: validate(Judged(value))

    return {
        "contract": maker(RewardContractV1),
        "certificate": maker(RewardCertificateV1),
        "receipt": maker(RewardEvidenceReceiptV1),
    }


def placed(findings: tuple[Finding, ...], text: str, at: Path = ()) -> tuple[Finding, ...]:
    """Findings with the line and column of their places in a good text; ``at`` is where the document stands in it."""
    where = Places(text).of_all([(*at, *finding.path) for finding in findings])
    return tuple(
        replace(finding, path=(*at, *finding.path), line=line, column=column)
        for finding, (line, column) in zip(findings, where, strict=True)
    )
