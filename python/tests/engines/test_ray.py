"""Ray Data on a local cluster finds what one process finds."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import ray
from engine_receipts import Many
from reward_receipts.integrations import ray_data
from reward_receipts.integrations.arrow_batches import Columns
from reward_receipts.ledger import Ledger

COUNT = 200_000
TEXT = Columns("text")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=512 * 1024 * 1024, configure_logging=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Many:
    return Many(tmp_path_factory.mktemp("many") / "receipts.jsonl", COUNT)


def test_the_same_verdicts_and_counts(many: Many, figure: Callable[[str], None]) -> None:
    started = time.perf_counter()
    summary, verdicts = many.expected()
    alone = time.perf_counter() - started
    lines = ray.data.read_binary_files(str(many.path)).flat_map(
        lambda row: [{"text": line} for line in row["bytes"].splitlines()]
    )
    started = time.perf_counter()
    whole = ray_data.summarize(lines, many.auditor, many.documents, TEXT)
    took = time.perf_counter() - started
    here, there = summary.to_json(), whole.to_json()
    for found in (here, there):
        for part in ("findings", "unchecked"):
            for code in found[part].values():
                del code["example"]  # a row has no line
    assert there == here
    found_rows = Counter(
        (row["verdict"], row["receipt_id"], tuple(sorted({*row["findings"], *row["unchecked"]})))
        for row in ray_data.audit(lines, many.auditor, TEXT).iter_rows()
    )
    assert found_rows == verdicts
    figure(f"{COUNT:,} receipts: {alone:.0f} s in one process, {took:.0f} s in Ray with two workers")


def test_receipts_are_admitted_once(many: Many, tmp_path: Path) -> None:
    many.head(tmp_path / "head.jsonl", 2_000)
    rows = [{"text": line} for line in (tmp_path / "head.jsonl").read_bytes().splitlines()]
    lines = ray.data.from_items(rows, override_num_blocks=4)
    place = str(tmp_path / "receipts.ledger")
    first, again = (
        Counter(row["status"] for row in ray_data.admit(lines, many.auditor, place, columns=TEXT).iter_rows())
        for _ in range(2)
    )
    with Ledger.open(place, read_only=True) as ledger:
        assert ledger.check() == ()
        assert ledger.stats().rows == first["admitted"] == again["already-admitted"] > 1_800
    assert first["refused"] == again["refused"] > 0
    assert first["undecided"] == again["undecided"] > 0


def test_blank_rows_are_left_out_and_null_is_invalid(many: Many) -> None:
    lines = ray.data.from_items([{"text": text} for text in ("", " \r", None, "{")])
    assert ray_data.summarize(lines, many.auditor, columns=TEXT).verdicts["invalid"] == 2
