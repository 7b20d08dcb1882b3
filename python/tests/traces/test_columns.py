"""Traces without Gymnasium: columns follow from the schema, and files of earlier versions read as before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from reward_receipts.traces.columns import COLUMNS
from reward_receipts.traces.read import read_trace
from reward_receipts.traces.write import open_trace
from reward_receipts.validation.schemas import schema_of

BEFORE = Path(__file__).parent / "written_before"
SUFFIXES = (".jsonl", ".parquet")
DIGEST = "sha256:" + "0a" * 32
DETAIL = {
    "b": {"raw": 0.5, "zero": None, "terms": {"x": 1.0}},
    "a": {"raw": None, "zero": "skipped", "terms": {}},
}


def expected_rows() -> list[dict[str, Any]]:
    """The rows of the files in written_before, which commit 6714302 wrote."""
    return [
        {
            "schema_version": "reward-receipts.trace-row/v1",
            "environment": 0,
            "episode": step // 3,
            "step": step % 3,
            "reward": None if step == 1 else 0.5,
            "environment_reward": -0.0,
            "reward_components": {} if step == 2 else {"b": 0.5, "a": -0.0},
            "reward_detail": {} if step == 2 else DETAIL,
            "terminated": step % 3 == 2,
            "truncated": False,
            "evaluation": step > 3,
            "regime": "calm" if step < 3 else None,
            "regime_boundary": step == 0,
            "spec_digest": DIGEST,
            "resolved_spec_digest": None if step == 4 else DIGEST,
        }
        for step in range(5)
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_of_an_earlier_version_reads_as_before(suffix: str) -> None:
    assert json.dumps(list(read_trace(BEFORE / f"trace{suffix}"))) == json.dumps(expected_rows())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_new_file_has_the_columns_and_values_of_an_earlier_one(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    with open_trace(path) as sink:
        for row in expected_rows():
            sink.write(row)
    before = BEFORE / f"trace{suffix}"
    if suffix == ".jsonl":
        assert path.read_bytes() == before.read_bytes()
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        old, new = parquet.ParquetFile(before), parquet.ParquetFile(path)
        assert new.schema_arrow.equals(old.schema_arrow, check_metadata=True)
        assert new.read().equals(old.read())
        encodings = [[file.metadata.row_group(0).column(at).encodings for at in range(18)] for file in (old, new)]
        assert encodings[0] == encodings[1]


def test_every_member_of_the_schema_is_a_column_but_the_version() -> None:
    assert ["schema_version", *COLUMNS] == list(schema_of("trace-row")["properties"])


ADDED = """
import json, sys
from reward_receipts.validation.schemas import schema_of
schema = schema_of("trace-row")
number = {"$ref": "common.schema.json#/$defs/FiniteNumber"}
schema["properties"]["energy"] = {"anyOf": [number, {"type": "null"}], "default": None}
schema["properties"]["phase"] = {"anyOf": [{"$ref": "common.schema.json#/$defs/RegimeLabel"}, {"type": "null"}],
                                 "default": None}
schema["properties"]["lives"] = {"$ref": "#/$defs/TraceCount", "default": 3}
schema["properties"]["costs"] = {"type": "object", "additionalProperties": number, "default": {}}
schema["$defs"]["RewardTermDetail"]["properties"]["clipped"] = {"type": "boolean", "default": False}
from reward_receipts.traces.read import read_trace
from reward_receipts.traces.write import open_trace
row = {"environment": 0, "episode": 0, "step": 0, "reward": 1.0, "terminated": False, "truncated": False}
detail = {"a": {"raw": 1.0, "clipped": True}, "b": {"raw": None}}
with open_trace(sys.argv[1]) as sink:
    sink.write({**row, "energy": 2, "phase": "idle", "lives": 1, "costs": {"fuel": 0.5}, "reward_detail": detail})
    sink.write({**row, "step": 1})
members = ("energy", "phase", "lives", "costs", "reward_detail")
print(json.dumps([[row[name] for name in members] for row in read_trace(sys.argv[1])]))
print(json.dumps([[row[name] for name in members] for row in read_trace(sys.argv[2])][:1]))
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_member_that_is_added_to_the_schema_is_written_and_read_back(tmp_path: Path, suffix: str) -> None:
    command = [sys.executable, "-c", ADDED, str(tmp_path / f"trace{suffix}"), str(BEFORE / f"trace{suffix}")]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.stderr == ""
    written, before = map(json.loads, ran.stdout.splitlines())
    detail = {
        "a": {"raw": 1.0, "zero": None, "terms": {}, "clipped": True},
        "b": {"raw": None, "zero": None, "terms": {}, "clipped": False},
    }
    assert written == [[2.0, "idle", 1, {"fuel": 0.5}, detail], [None, None, 3, {}, {}]]
    old = {name: {**term, "clipped": False} for name, term in DETAIL.items()}
    assert before == [[None, None, 3, {}, old]]


def test_traces_are_written_and_read_without_gymnasium(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "from reward_receipts.traces import manifest, read, summary, write\n"
        "rows = list(read.read_trace(sys.argv[1]))\n"
        "sink = write.open_trace(sys.argv[2]); [sink.write(row) for row in rows]; sink.close()\n"
        "print(summary.summarise(rows[:4]).overall.scored_steps)"
    )
    command = [sys.executable, "-c", code, str(BEFORE / "trace.jsonl"), str(tmp_path / "trace.jsonl")]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "3\n", "")
    assert (tmp_path / "trace.jsonl").read_bytes() == (BEFORE / "trace.jsonl").read_bytes()
