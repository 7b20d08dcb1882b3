"""Receipts in record batches of Arrow: audited, counted, admitted. What Spark and Ray Data have in common.

A batch has a column of texts. Rows that are blank are left out, as blank lines of a file are. Each function pickles
with its auditor, so that an engine can carry it to its workers; the package has to be installed there.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..bulk.auditor import Auditor, Documents, Verdict
from ..bulk.documents import entry_of_text
from ..bulk.files import WHITE_SPACE, Text
from ..bulk.summary import Summary
from ..ledger import Ledger

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

VERDICTS: Final = "verdict string, receipt_id string, findings array<string>, unchecked array<string>"
"""The columns of audited rows, as Spark writes a schema."""
ADMISSIONS: Final = "status string, receipt_id string, row bigint, codes array<string>"
"""The columns of admitted rows, as Spark writes a schema."""
SUMMARY: Final = "summary binary"
"""The column of summaries: each a pickled Summary of a part of the rows."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of columns."""

    text: str = "value"
    """The texts of the receipts: strings or bytes."""
    source: str | None = None
    """The file that each is from, for the places of findings."""
    line: str | None = None
    """The line in that file, from 1."""


def audited(
    batches: Iterable[pyarrow.RecordBatch], auditor: Auditor, columns: Columns
) -> Iterator[pyarrow.RecordBatch]:
    """For each receipt its verdict, its id (null if it is invalid) and the codes of its findings and unchecked checks.

    The columns ``source`` and ``line`` are kept if they are named. Repeats are not looked for.
    """
    import pyarrow as pa

    for batch in batches:
        kept = [name for name in (columns.source, columns.line) if name is not None]
        rows: dict[str, list[Any]] = {name: [] for name in (*kept, "verdict", "receipt_id", "findings", "unchecked")}
        for verdict in verdicts(batch, auditor, columns):
            if columns.source is not None:
                rows[columns.source].append(verdict.source)
            if columns.line is not None:
                rows[columns.line].append(verdict.line)
            rows["verdict"].append(verdict.verdict)
            rows["receipt_id"].append(None if verdict.receipt is None else verdict.receipt.receipt_id)
            rows["findings"].append(_codes(verdict.findings))
            not_given = [code for codes in verdict.not_given.values() for code in codes]
            rows["unchecked"].append([*_codes(verdict.unchecked), *not_given])
        types = {"findings": pa.list_(pa.string()), "unchecked": pa.list_(pa.string()), columns.line: pa.int64()}
        arrays = [pa.array(values, types.get(name, pa.string())) for name, values in rows.items()]
        yield pa.RecordBatch.from_arrays(arrays, list(rows))


def summarized(
    batches: Iterable[pyarrow.RecordBatch], auditor: Auditor, documents: Documents | None, columns: Columns
) -> Iterator[pyarrow.RecordBatch]:
    """One row: the pickled summary of all of the batches."""
    import pyarrow as pa

    summary = Summary(documents)
    for batch in batches:
        for verdict in verdicts(batch, auditor, columns):
            summary.add(verdict)
    yield pa.RecordBatch.from_arrays([pa.array([pickle.dumps(summary)], pa.binary())], ["summary"])


def merged(pickled: Iterable[bytes], documents: Documents | None) -> Summary:
    """The summary of all parts. They come from workers of one's own: who can write them can run code here."""
    whole = Summary(documents)
    for part in pickled:
        whole.merge(pickle.loads(part))  # noqa: S301
    return whole


def admitted(
    batches: Iterable[pyarrow.RecordBatch], auditor: Auditor, place: str, max_backwards: int | None, columns: Columns
) -> Iterator[pyarrow.RecordBatch]:
    """For each receipt the answer of a ledger that all workers can reach: PostgreSQL, unless they are on one machine.

    Each batch is one transaction or more. A task that an engine runs again gets the same answers again:
    ``already-admitted`` in place of ``admitted``.
    """
    import pyarrow as pa

    with Ledger.open(place, auditor, max_backwards=max_backwards) as ledger:
        for batch in batches:
            answers = list(ledger.admit_each(verdicts(batch, auditor, columns)))
            receipts = [answer.verdict.receipt for answer in answers]
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array([answer.status for answer in answers], pa.string()),
                    pa.array([None if each is None else each.receipt_id for each in receipts], pa.string()),
                    pa.array([answer.row for answer in answers], pa.int64()),
                    pa.array([list(answer.codes) for answer in answers], pa.list_(pa.string())),
                ],
                ["status", "receipt_id", "row", "codes"],
            )


def verdicts(batch: pyarrow.RecordBatch, auditor: Auditor, columns: Columns) -> Iterator[Verdict]:
    """The verdict of each receipt in a batch. Raises KeyError for a column that is not there."""
    texts = batch.column(columns.text).to_pylist()
    sources = [""] * len(texts) if columns.source is None else batch.column(columns.source).to_pylist()
    lines: Sequence[int | None] = [None] * len(texts)
    if columns.line is not None:
        lines = batch.column(columns.line).to_pylist()
    for text, source, line in zip(texts, sources, lines, strict=True):
        data = text.encode() if isinstance(text, str) else b"" if text is None else text
        if text is None or data.strip(WHITE_SPACE):
            yield auditor.entry(entry_of_text(Text(source or "", data, line), "receipt"), None)


def _codes(findings: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(finding.code for finding in findings))
