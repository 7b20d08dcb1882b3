"""Bases of the rows of a trace and of the report over one. They hold their members, and do nothing else."""

from __future__ import annotations

from typing import ClassVar

from ..documents.model import Document, Part
from ..validation.schemas import DataKind


class TraceRowPart(Part):
    """Base of RewardTermDetail."""

    __slots__ = ()
    _kind: ClassVar[DataKind] = "trace-row"


class TraceRowDocument(Document):
    """Base of RewardTraceRow."""

    __slots__ = ()
    _kind: ClassVar[DataKind] = "trace-row"


class RegimeReportPart(Part):
    """Base of the parts of RegimeReport."""

    __slots__ = ()
    _kind: ClassVar[DataKind] = "regime-report"


class RegimeReportDocument(Document):
    """Base of RegimeReport."""

    __slots__ = ()
    _kind: ClassVar[DataKind] = "regime-report"
