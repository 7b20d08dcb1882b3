"""Receipts in a column of Parquet."""

from __future__ import annotations

from pathlib import Path

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from field import Bench
from reward_receipts.bulk import Auditor, Unread, Verdict
from reward_receipts.bulk.documents import Entry, entries

BENCH = Bench()
TEXTS = [
    BENCH.receipt(receipt_id=f"receipt.{number:04}", nonce=f"nonce.{number:04}").model_dump_json()
    for number in range(200)
]


def write(name: Path, columns: dict[str, arrow.Array], **options: object) -> str:
    parquet.write_table(arrow.table(columns), name, **options)
    return str(name)


def verdicts(name: str, column: str | None = None) -> list[tuple[int | None, str]]:
    found = list(entries([name], "receipt", column=column))
    assert not [each for each in found if isinstance(each, Unread)]
    return [(each.line, each.findings[0].code if each.findings else "") for each in found if isinstance(each, Entry)]


@pytest.mark.parametrize("kind", [arrow.string(), arrow.large_string(), arrow.binary(), arrow.large_binary()])
def test_the_only_column_of_text(tmp_path: Path, kind: arrow.DataType) -> None:
    numbers = arrow.array(range(200))
    texts = arrow.array(TEXTS).cast(kind)
    name = write(tmp_path / "a.parquet", {"step": numbers, "whatever": texts}, row_group_size=30)
    assert verdicts(name) == [(row, "") for row in range(1, 201)]
    auditor = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring)
    found = [each for each in auditor.files([str(tmp_path / "*.parquet")]) if isinstance(each, Verdict)]
    assert [(each.line, each.verdict) for each in found] == [(row, "holds") for row in range(1, 201)]


def test_dictionaries_nulls_and_bad_rows(tmp_path: Path) -> None:
    texts = arrow.array([TEXTS[0], None, "{", "", TEXTS[0]])
    name = write(tmp_path / "a.parquet", {"receipt": texts.dictionary_encode()})
    assert verdicts(name) == [(1, ""), (2, "json.syntax"), (3, "json.syntax"), (4, "json.syntax"), (5, "")]


def test_which_column_is_read(tmp_path: Path) -> None:
    name = write(tmp_path / "a.parquet", {"note": arrow.array(["{"]), "receipt": arrow.array(TEXTS[:1])})
    assert verdicts(name) == [(1, "")]
    assert verdicts(name, "note") == [(1, "json.syntax")]
    other = write(tmp_path / "b.parquet", {"note": arrow.array(["{"]), "raw": arrow.array(TEXTS[:1])})
    (unread,) = entries([other], "receipt")
    assert isinstance(unread, Unread)
    assert "note, raw" in str(unread)
    assert "--column" in str(unread)
    (unread,) = entries([other], "receipt", column="row")
    assert isinstance(unread, Unread)
    assert "'row'" in str(unread)
    (unread,) = entries([write(tmp_path / "c.parquet", {"step": arrow.array([1])})], "receipt")
    assert isinstance(unread, Unread)


def test_a_damaged_file_is_a_finding(tmp_path: Path) -> None:
    name = tmp_path / "a.parquet"
    write(name, {"receipt": arrow.array(TEXTS)}, row_group_size=50, compression="snappy")
    data = name.read_bytes()
    name.write_bytes(data[:-100])
    assert verdicts(str(name)) == [(1, "text.damaged")]
    middle = len(data) * 3 // 4
    name.write_bytes(data[:middle] + bytes(1000) + data[middle + 1000 :])
    found = verdicts(str(name))
    assert found[-1][1] == "text.damaged" or "json.syntax" in [code for _, code in found]
    assert found[0] == (1, "")


def test_a_text_is_at_most_as_long_as_the_limit(tmp_path: Path) -> None:
    long = TEXTS[0] + " " * (1024 * 1024)
    name = write(tmp_path / "a.parquet", {"receipt": arrow.array([TEXTS[1], long, TEXTS[2]])})
    assert verdicts(name) == [(1, ""), (2, "json.size"), (3, "")]
