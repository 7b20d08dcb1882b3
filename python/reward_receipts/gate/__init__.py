"""A service that admits receipts into a ledger over HTTP: an ASGI application, which needs the extra ``gate``."""

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from .app import gate_app as gate_app
    from .limits import Limits as Limits

__getattr__, __dir__, __all__ = lazy_names(__name__, {".app": "gate_app", ".limits": "Limits"})
