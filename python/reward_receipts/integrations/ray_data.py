"""Audits and admits receipts in a Dataset of Ray Data, with ``map_batches``.

    documents = Documents.from_folder("contracts/")
    auditor = Auditor(documents.contracts.values(), documents.certificates.values(), keyring)
    lines = ray.data.read_text("s3://receipts/", drop_empty_lines=True)
    print(summary_text(ray_data.summarize(lines, auditor, documents, Columns("text"))))

Each worker needs this package and pyarrow. Repeats among receipts are not looked for: the ledger refuses them at
admission.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..bulk.auditor import Auditor, Documents
from ..bulk.summary import Summary
from . import arrow_batches
from .arrow_batches import Columns


def audit(dataset: Any, auditor: Auditor, columns: Columns | None = None, *, batch_size: int = 4096) -> Any:
    """A Dataset with the verdict of each receipt: ``verdict``, ``receipt_id``, ``findings`` and ``unchecked``.

    The last two are codes. The columns ``source`` and ``line`` come first if ``columns`` names them.
    """
    run = partial(arrow_batches.audited, auditor=auditor, columns=columns or Columns())
    return _mapped(dataset, run, batch_size)


def summarize(
    dataset: Any,
    auditor: Auditor,
    documents: Documents | None = None,
    columns: Columns | None = None,
    *,
    batch_size: int = 4096,
) -> Summary:
    """The summary of all receipts: there is one for each batch, and the driver merges them."""
    run = partial(arrow_batches.summarized, auditor=auditor, documents=documents, columns=columns or Columns())
    rows = _mapped(dataset, run, batch_size).iter_rows()
    return arrow_batches.merged((bytes(row["summary"]) for row in rows), documents)


def admit(
    dataset: Any,
    auditor: Auditor,
    ledger: str,
    *,
    max_backwards: int | None = None,
    columns: Columns | None = None,
    batch_size: int = 4096,
) -> Any:
    """A Dataset with the answer for each receipt: ``status``, ``receipt_id``, ``row`` and ``codes``.

    ``ledger`` is a place that all workers can reach, as for ``Ledger.open``. Nothing is admitted before the Dataset is
    consumed; ``materialize()`` keeps the answers.
    """
    run = partial(
        arrow_batches.admitted,
        auditor=auditor,
        place=ledger,
        max_backwards=max_backwards,
        columns=columns or Columns(),
    )
    return _mapped(dataset, run, batch_size)


def _mapped(dataset: Any, run: Callable[..., Iterator[Any]], batch_size: int) -> Any:
    return dataset.map_batches(
        _each_table, batch_format="pyarrow", batch_size=batch_size, fn_kwargs={"run": run}, zero_copy_batch=True
    )


def _each_table(table: Any, run: Callable[..., Iterator[Any]]) -> Any:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    return pa.Table.from_batches(list(run(table.to_batches())))
