"""Many documents: files, folders and streams of them, repeats among them, an auditor of many receipts, a summary."""

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from .auditor import Auditor as Auditor
    from .auditor import Documents as Documents
    from .auditor import Verdict as Verdict
    from .files import Unread as Unread
    from .summary import Summary as Summary
    from .summary_lines import summary_text as summary_text
    from .trust import TrustPolicy as TrustPolicy

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        ".auditor": "Auditor Documents Verdict",
        ".files": "Unread",
        ".summary": "Summary",
        ".summary_lines": "summary_text",
        ".trust": "TrustPolicy",
    },
)
