"""Many documents: files, folders and streams of them, repeats among them, and an auditor of many receipts."""

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from .auditor import Auditor as Auditor
    from .auditor import Documents as Documents
    from .auditor import Verdict as Verdict
    from .files import Unread as Unread

__getattr__, __dir__, __all__ = lazy_names(__name__, {".auditor": "Auditor Documents Verdict", ".files": "Unread"})
