"""Audits and admits receipts in a DataFrame of Spark, with ``mapInArrow``.

    documents = Documents.from_folder("contracts/")
    auditor = Auditor(documents.contracts.values(), documents.certificates.values(), keyring)
    lines = session.read.text("s3://receipts/*.jsonl")
    print(summary_text(spark.summarize(lines, auditor, documents)))

Spark's own session reads the files, so it also says which of them cannot be read. Each executor needs this package and
pyarrow. Repeats among receipts are not looked for: the ledger refuses them at admission.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ..bulk.auditor import Auditor, Documents
from ..bulk.summary import Summary
from . import arrow_batches
from .arrow_batches import Columns


def audit(frame: Any, auditor: Auditor, columns: Columns | None = None) -> Any:
    """A DataFrame with the verdict of each receipt: ``verdict``, ``receipt_id``, ``findings`` and ``unchecked``.

    The last two are codes. The columns ``source`` and ``line`` come first if ``columns`` names them.
    """
    columns = columns or Columns()
    kept = [(columns.source, "string"), (columns.line, "bigint")]
    first = "".join(f"`{name}` {kind}, " for name, kind in kept if name is not None)
    run = partial(arrow_batches.audited, auditor=auditor, columns=columns)
    return frame.mapInArrow(run, first + arrow_batches.VERDICTS)


def summarize(
    frame: Any, auditor: Auditor, documents: Documents | None = None, columns: Columns | None = None
) -> Summary:
    """The summary of all receipts: each partition makes one, and the driver merges them."""
    run = partial(arrow_batches.summarized, auditor=auditor, documents=documents, columns=columns or Columns())
    rows = frame.mapInArrow(run, arrow_batches.SUMMARY).toLocalIterator()
    return arrow_batches.merged((bytes(row["summary"]) for row in rows), documents)


def admit(
    frame: Any, auditor: Auditor, ledger: str, *, max_backwards: int | None = None, columns: Columns | None = None
) -> Any:
    """A DataFrame with the answer for each receipt: ``status``, ``receipt_id``, ``row`` and ``codes``.

    ``ledger`` is a place that all executors can reach, as for ``Ledger.open``. Nothing is admitted before an action of
    the DataFrame, and each action asks again: write it to a table, and read that.
    """
    run = partial(
        arrow_batches.admitted,
        auditor=auditor,
        place=ledger,
        max_backwards=max_backwards,
        columns=columns or Columns(),
    )
    return frame.mapInArrow(run, arrow_batches.ADMISSIONS)
