"""Files of trials: what is read, what is refused and where, and the digest of a corpus."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import reward_receipts as rr
from reward_receipts.bulk.files import Unread
from reward_receipts.calibration import InvalidTrials, Trials, read_trials

GOOD: list[dict[str, Any]] = [
    {"trial_id": "t1", "should_accept": True, "score": 0.9},
    {"trial_id": "t2", "should_accept": False, "score": 0.25, "fault_class": "omitted", "task_id": "invoice"},
    {"trial_id": "t3", "should_accept": False, "score": 1, "fault_class": "duplicate", "group_id": "g"},
]
CSV = """trial_id,should_accept,score,fault_class,task_id,group_id
t1,true,0.9,,,
t2,False,0.25,omitted,invoice,
t3,0,1,duplicate,,g
"""


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def refused(rows: Any) -> list[tuple[int | None, str, str]]:
    with pytest.raises(InvalidTrials) as caught:
        Trials(rows)
    return [(each.line, each.pointer, each.code) for each in caught.value.findings]


def test_the_three_formats_give_the_same_trials(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(lines(GOOD))
    (tmp_path / "t.csv").write_text(CSV, encoding="utf-8-sig")
    pq.write_table(pa.Table.from_pylist(GOOD, schema=pa.schema({
        "trial_id": pa.string(), "should_accept": pa.bool_(), "score": pa.float64(), "fault_class": pa.string(),
        "task_id": pa.string(), "group_id": pa.string()})), tmp_path / "t.parquet")  # fmt: skip
    read = [list(read_trials(str(tmp_path / name))) for name in ("t.jsonl", "t.csv", "t.parquet")]
    assert read[0] == read[1] == read[2] == list(Trials(GOOD))
    assert len(read[0]) == 3


def test_the_digest_is_of_the_labels_in_any_order_and_not_of_the_answers() -> None:
    digest = Trials(GOOD).digest
    labels = [{name: value for name, value in row.items() if name != "score"} for row in GOOD]
    assert digest == f"sha256:{hashlib.sha256(rr.canonical_json_bytes(labels)).hexdigest()}"
    assert Trials(reversed(GOOD)).digest == digest
    answers: list[dict[str, Any]] = [{**row, "accepted": True} for row in GOOD]
    for row in answers:
        del row["score"]
    assert Trials(answers).digest == digest
    for name, other in (("trial_id", "t9"), ("fault_class", "other"), ("task_id", "x"), ("group_id", "y")):
        assert Trials([*GOOD[:1], {**GOOD[1], name: other}, GOOD[2]]).digest != digest
    assert Trials([{**GOOD[0], "should_accept": False, "fault_class": "a"}, *GOOD[1:]]).digest != digest


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"should_accept": None}, ("/should_accept", "schema.required")),
        ({"should_accept": "no"}, ("/should_accept", "schema.type")),
        ({"trial_id": ""}, ("/trial_id", "schema.minLength")),
        ({"fault_class": None}, ("", "calibration.label-missing")),
        ({"fault_class": ""}, ("/fault_class", "schema.minLength")),
        ({"score": None}, ("", "calibration.decision-missing")),
        ({"accepted": True}, ("", "calibration.decision-missing")),
        ({"score": None, "accepted": False}, ("", "calibration.decisions-mixed")),
        ({"score": float("nan")}, ("/score", "calibration.score-not-finite")),
        ({"score": np.float32("inf")}, ("/score", "calibration.score-not-finite")),
        ({"score": "0.5"}, ("/score", "schema.type")),
        ({"score": True}, ("/score", "schema.type")),
        ({"evidence_digest": "sha256:0"}, ("/evidence_digest", "schema.pattern")),
        ({"verdict": True}, ("/verdict", "schema.additionalProperties")),
        ({"score": 10**400}, ("/score", "calibration.score-not-finite")),
        ({"score": b"1"}, ("/score", "schema.type")),
        ({"score": object()}, ("/score", "schema.type")),
        ({"trial_id": 5}, ("/trial_id", "schema.type")),
        ({"trial_id": "\ud800"}, ("/trial_id", "json.surrogate")),
        ({7: 1}, ("/7", "schema.additionalProperties")),
        ({"trial_id": "t1"}, ("/trial_id", "calibration.trial-repeated")),
    ],
)
def test_a_row_that_is_not_a_trial_is_refused_by_its_place(changed: dict[str, Any], expected: tuple[str, str]) -> None:
    place, code = expected
    if code == "schema.required":
        place = ""
    assert (2, place, code) in refused([GOOD[0], {**GOOD[1], **changed}, GOOD[2]])


def test_rows_that_are_not_objects_are_refused() -> None:
    assert refused([1, "x", None, [GOOD[0]]]) == [(line, "", "schema.type") for line in (1, 2, 3, 4)]


def test_numbers_and_booleans_of_numpy_are_taken() -> None:
    [trial] = Trials([{"trial_id": "a", "should_accept": np.bool_(True), "score": np.float32(0.5)}])
    assert trial.should_accept is True
    assert trial.score == 0.5
    [trial] = Trials([{"trial_id": np.str_("a"), "should_accept": True, "score": np.int8(1)}])
    assert type(trial.trial_id) is str


def test_bytes_of_a_parquet_that_are_changed_are_refused_or_read(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.Table.from_pylist(GOOD), path)
    data = path.read_bytes()
    random = np.random.default_rng(3)
    for _ in range(200):
        changed = bytearray(data)
        for place in random.integers(0, len(data), 3):
            changed[place] = random.integers(256)
        path.write_bytes(changed)
        try:
            read_trials(str(path))
        except (Unread, InvalidTrials):
            continue


def test_each_bad_line_of_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        lines(GOOD) + '\n{"trial_id": "t4", "should_accept": true, "score": NaN}\n{"trial_id"\n' + lines(GOOD[:1])
    )
    with pytest.raises(InvalidTrials) as caught:
        read_trials(str(path))
    assert [(each.line, each.code) for each in caught.value.findings] == [
        (5, "json.syntax"), (6, "json.syntax"), (7, "calibration.trial-repeated")
    ]  # fmt: skip


def test_a_corpus_is_of_a_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reward_receipts.calibration.trials.MAX_TRIALS", 2)
    endless = ({"trial_id": f"t{number}", "should_accept": True, "accepted": True} for number in range(10**9))
    assert refused(endless) == [(3, "", "calibration.too-many-trials")]
    assert len(Trials(GOOD[:2])) == 2


def test_a_file_full_of_faults_is_given_up() -> None:
    assert len(refused({} for _ in range(10**9))) == 100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("trial_id,trial_id\na,b\n", 'the column "trial_id" is there twice'),
        (CSV + "t4,true\n", ":5: 2 cells; expected 6"),
        ("trial_id,should_accept\n" + "x" * 100_000, "a line of more than"),
        ('trial_id,should_accept\n"a"b,true\n', "is not CSV"),
    ],
)
def test_a_broken_csv_is_not_read(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(Unread, match=said):
        read_trials(str(tmp_path / "t.csv"))


def test_cells_that_are_not_what_their_column_says_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV + "t4,yes,0.5,,,\nt5,true,high,,,\nt6,true,nan,,,\nt7,true,1_0,,,\n")
    with pytest.raises(InvalidTrials) as caught:
        read_trials(str(tmp_path / "t.csv"))
    assert [(each.line, each.pointer, each.code) for each in caught.value.findings] == [
        (5, "/should_accept", "schema.type"),
        (6, "/score", "schema.type"),
        (7, "/score", "calibration.score-not-finite"),
        (8, "/score", "schema.type"),
    ]


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.jsonl"])
def test_anything_that_is_not_text_or_parquet_is_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\xff\xfe\x00")
    with pytest.raises((Unread, InvalidTrials)):
        read_trials(str(tmp_path / name))
    with pytest.raises(Unread, match="cannot read"):
        read_trials(str(tmp_path / "missing" / name))
