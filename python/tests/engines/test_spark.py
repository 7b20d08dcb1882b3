"""Spark on a local cluster finds what one process finds."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from engine_receipts import Many
from pyspark.sql import SparkSession
from reward_receipts.integrations import spark
from reward_receipts.integrations.arrow_batches import Columns
from reward_receipts.ledger import Ledger

COUNT = 200_000


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("receipts")
    builder = builder.config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.sql.files.maxPartitionBytes", 8 * 1024 * 1024).getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Many:
    return Many(tmp_path_factory.mktemp("many") / "receipts.jsonl", COUNT)


def test_the_same_verdicts_and_counts(session: SparkSession, many: Many, figure: Callable[[str], None]) -> None:
    started = time.perf_counter()
    summary, verdicts = many.expected()
    alone = time.perf_counter() - started
    lines = session.read.text(str(many.path))
    assert lines.rdd.getNumPartitions() >= 2
    started = time.perf_counter()
    whole = spark.summarize(lines, many.auditor, many.documents)
    took = time.perf_counter() - started
    here, there = summary.to_json(), whole.to_json()
    for found in (here, there):
        for part in ("findings", "unchecked"):
            for code in found[part].values():
                del code["example"]  # a row of Spark has no line
    assert there == here
    rows = spark.audit(lines, many.auditor).toArrow().to_pylist()
    found_rows = Counter(
        (row["verdict"], row["receipt_id"], tuple(sorted({*row["findings"], *row["unchecked"]}))) for row in rows
    )
    assert found_rows == verdicts
    figure(f"{COUNT:,} receipts: {alone:.0f} s in one process, {took:.0f} s in Spark with two workers")


def test_files_and_lines_are_named(session: SparkSession, many: Many) -> None:
    from pyspark.sql.functions import lit

    lines = session.read.text(str(many.path)).limit(30).withColumn("file", lit("a.jsonl")).withColumn("at", lit(4))
    columns = Columns(source="file", line="at")
    rows = spark.audit(lines, many.auditor, columns).collect()
    assert {(row["file"], row["at"]) for row in rows} == {("a.jsonl", 4)}
    summary = spark.summarize(lines, many.auditor, None, columns)
    assert next(iter(summary.findings.values())).example.place.startswith("a.jsonl:4")


def test_receipts_are_admitted_once(session: SparkSession, many: Many, tmp_path: Path) -> None:
    many.head(tmp_path / "head.jsonl", 2_000)
    lines = session.read.text(str(tmp_path / "head.jsonl")).repartition(4)
    place = str(tmp_path / "receipts.ledger")
    first = Counter(row["status"] for row in spark.admit(lines, many.auditor, place).collect())
    again = Counter(row["status"] for row in spark.admit(lines, many.auditor, place).collect())
    with Ledger.open(place, read_only=True) as ledger:
        assert ledger.check() == ()
        assert ledger.stats().rows == first["admitted"] == again["already-admitted"] > 1_800
    assert first["refused"] == again["refused"] > 0
    assert first["undecided"] == again["undecided"] > 0


def test_blank_rows_are_left_out_and_null_is_invalid(session: SparkSession, many: Many) -> None:
    lines = session.createDataFrame([("",), (" \r",), (None,), ("{",)], "value string")
    assert spark.summarize(lines, many.auditor).verdicts["invalid"] == 2
