"""From text to documents: the boundary where they enter a system."""

from __future__ import annotations

from ..core.findings import InvalidDocument
from ..core.strict_json import decode, read_json
from ..validation.check import KINDS, Kind
from .generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from .judging import checked_document, judge, placed


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
    value = read_json(data)
    findings = judge(value, kind)
    if findings:
        raise InvalidDocument(placed(findings, decode(data)))
    return checked_document(value, kind)
