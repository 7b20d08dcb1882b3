"""Measures over a long Parquet trace: time and memory, beside DuckDB and Arrow reading the same columns.

    python scripts/bench/measures.py --rows 10000000

Both sides run in processes of their own, one after the other, interleaved; printed are medians and the ratio of each
pair. DuckDB has to be installed for its floor (pip install duckdb); Arrow's is measured without it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reward_receipts.traces.curves import COLUMNS

EPISODE = 200
BATCH = 1_000_000


def write(path: Path, rows: int) -> None:
    """A trace of 16 visits of two regimes, with three terms."""
    import numpy
    import pyarrow
    from pyarrow import parquet
    from reward_receipts.traces.columns import arrow_schema, text_columns

    schema = arrow_schema(pyarrow)
    random = numpy.random.default_rng(0)
    with parquet.ParquetWriter(path, schema, use_dictionary=text_columns()) as writer:
        for start in range(0, rows, BATCH):
            size = min(BATCH, rows - start)
            place = numpy.arange(start, start + size)
            terms = random.random((size, 3))
            keys = pyarrow.array(["upright", "centred", "effort"] * size)
            offsets = pyarrow.array(numpy.arange(0, 3 * size + 1, 3, dtype=numpy.int32))
            visit = place * 16 // rows
            given = {
                "environment": numpy.zeros(size, numpy.int64),
                "episode": place // EPISODE,
                "step": place % EPISODE,
                "reward": terms.sum(axis=1),
                "terminated": place % EPISODE == EPISODE - 1,
                "truncated": numpy.zeros(size, bool),
                "evaluation": numpy.zeros(size, bool),
                "regime": pyarrow.array(numpy.where(visit % 2, "heavy", "earth")),
                "regime_boundary": numpy.zeros(size, bool),
                "reward_components": pyarrow.MapArray.from_arrays(offsets, keys, pyarrow.array(terms.ravel())),
            }
            arrays = [
                pyarrow.array(given[field.name], field.type)
                if field.name in given and not isinstance(given[field.name], pyarrow.Array)
                else given[field.name].cast(field.type)
                if field.name in given
                else _empty(pyarrow, field, size)
                for field in schema
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), row_group_size=10_000)


def _empty(pyarrow: object, field: object, size: int) -> object:
    if str(field.type).startswith("map"):  # type: ignore[attr-defined]
        return pyarrow.array([{}] * size, field.type)  # type: ignore[attr-defined]
    return pyarrow.nulls(size, field.type)  # type: ignore[attr-defined]


def measures(path: Path) -> None:
    from reward_receipts.traces.curves import read_curves
    from reward_receipts.traces.measures import measure

    assert len(measure(read_curves([path], window=1000))) == 16


def duck(path: Path) -> None:
    import duckdb

    duckdb.sql("SET threads = 2")
    reader = duckdb.sql(f"SELECT {', '.join(COLUMNS)} FROM read_parquet('{path}')").fetch_arrow_reader(65_536)
    assert sum(batch.num_rows for batch in reader)


def arrow(path: Path) -> None:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        assert sum(batch.num_rows for batch in file.iter_batches(batch_size=65_536, columns=[*COLUMNS]))


SIDES = {"measures": measures, "duckdb": duck, "arrow": arrow}


def child(side: str, path: Path) -> None:
    started = time.perf_counter()
    SIDES[side](path)
    took = time.perf_counter() - started
    # Not getrusage: what it gives is never below what the parent had when this process was made.
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    print(json.dumps({"seconds": took, "megabytes": int(status["VmHWM"].split()[0]) / 1024}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--side", choices=SIDES)
    parser.add_argument("--trace", type=Path)
    given = parser.parse_args()
    if given.side:
        child(given.side, given.trace)
        return
    sides = [side for side in SIDES if side != "duckdb" or _has_duckdb()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.parquet"
        write(path, given.rows)
        found: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
        for _ in range(given.rounds):
            for side in sides:
                command = [sys.executable, __file__, "--side", side, "--trace", str(path)]
                said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                found[side].append(json.loads(said))
    for side in sides:
        seconds = statistics.median(each["seconds"] for each in found[side])
        memory = max(each["megabytes"] for each in found[side])
        ratios = [mine["seconds"] / each["seconds"] for mine, each in zip(found["measures"], found[side], strict=True)]
        print(f"{side:9} {seconds:7.2f} s  {memory:6.0f} MB  measures / this: {statistics.median(ratios):.2f}")


def _has_duckdb() -> bool:
    try:
        import duckdb  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


if __name__ == "__main__":
    main()
