"""A report of an audit as one HTML file that opens without the network."""

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from .page import write_report as write_report

__getattr__, __dir__, __all__ = lazy_names(__name__, {".page": "write_report"})
