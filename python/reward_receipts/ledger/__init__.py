"""Admission: each receipt that holds is recorded once, in a chain, and stays recorded."""

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from .answers import Admission as Admission
    from .answers import Conflict as Conflict
    from .answers import LedgerError as LedgerError
    from .answers import NotAdmitted as NotAdmitted
    from .answers import Stats as Stats
    from .chain import Record as Record
    from .head import Head as Head
    from .head import SignedHead as SignedHead
    from .ledger import Ledger as Ledger

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        ".answers": "Admission Conflict LedgerError NotAdmitted Stats",
        ".chain": "Record",
        ".head": "Head SignedHead",
        ".ledger": "Ledger",
    },
)
