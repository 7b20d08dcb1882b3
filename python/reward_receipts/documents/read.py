"""From text to documents: the boundary where they enter a system."""

from __future__ import annotations

from typing import Any

from ..core.findings import Finding, InvalidDocument
from ..core.strict_json import decode, locate, read_json
from ..validation.check import check_document
from ..validation.schemas import KINDS, Kind, kind_of
from .direct import accepted_document
from .generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1

Document = RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1

_MODELS: tuple[type[Document], ...] = (RewardContractV1, RewardCertificateV1, RewardEvidenceReceiptV1)
_CLASSES = {each._kind: each for each in _MODELS}


def read_document(
    data: bytes | bytearray | memoryview | str, kind: Kind | None = None
) -> RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1:
    """The document in a strict JSON text, checked against its schema and every rule.

    Without a ``kind`` (``"contract"``, ``"certificate"`` or ``"receipt"``) the text has to name it, by its
    schema_version. Raises InvalidDocument, whose findings have line and column; InvalidText (one of its kind) if the
    text itself is refused; ValueError for an unknown kind, TypeError if ``data`` is neither bytes nor text.
    """
    if kind is not None and kind not in KINDS:
        raise ValueError(f"unknown kind of document {kind!r}; expected one of: {', '.join(KINDS)}")
    accepted: Document | None = accepted_document(data, kind, _MODELS)
    if accepted is not None:
        return accepted
    value = read_json(data)
    findings = check_document(value, kind)
    if findings:
        raise InvalidDocument(locate(findings, decode(data)))
    return checked_document(value, kind)


def checked_document(value: Any, kind: Kind | None = None) -> Document:
    """The model of a plain JSON value in which ``check_document`` found nothing wrong."""
    named = kind or kind_of(value)
    if isinstance(named, Finding):
        raise InvalidDocument((named,))
    return _CLASSES[named].of_checked(value)
