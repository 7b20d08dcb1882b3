"""Batches and workers: the same verdicts in the same order as one receipt after the other, and the same counts."""

from __future__ import annotations

import gzip
import json
import pickle
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import reward_receipts as rr
from field import Bench
from reward_receipts.bulk import Auditor, Summary, Unread, Verdict
from reward_receipts.bulk import batches as batches_module
from reward_receipts.bulk import repeats as repeats_module
from reward_receipts.bulk.auditor import Documents, Good, Level
from reward_receipts.bulk.documents import Damaged, damaged_entry, entries
from reward_receipts.bulk.repeats import Seen
from reward_receipts.bulk.workers import WorkerLost, in_order

BENCH = Bench()
STRANGER = rr.SigningKey.generate("key.of.a.stranger")
UNHELD = Bench(task_id="task.of.another.contract")
UNHELD.key = BENCH.key
UNHELD.certificate = UNHELD.certify()
MIB = 1024 * 1024


def text(receipt: rr.RewardEvidenceReceiptV1) -> bytes:
    return receipt.model_dump_json().encode()


def numbered(number: int, bench: Bench = BENCH, **members: object) -> rr.RewardEvidenceReceiptV1:
    ids = {"receipt_id": f"receipt.{number:04}", "nonce": f"nonce.{number:04}", "episode_id": f"episode.{number:04}"}
    return bench.receipt(**{**ids, **members})


def signed_by_a_stranger(number: int) -> bytes:
    plain = json.loads(text(numbered(number)))
    unsigned = rr.RewardEvidenceReceiptV1.model_validate({**plain, "issuer_key_id": STRANGER.key_id})
    return text(rr.sign(unsigned, STRANGER))


def mixed(count: int, seed: int) -> list[bytes]:
    """Lines of every kind: good, invalid, forged, undecided, repeated, blank."""
    rng = random.Random(seed)
    lines: list[bytes] = []
    for number in range(count):
        kind = rng.choice(
            ["good"] * 8 + ["bad", "forged", "stranger", "unheld", "blank", "nul", "cr", "escaped", "utf8"]
        )
        good = text(numbered(number, policy_update=100 + number % 3))
        lines.append(
            {
                "good": good,
                "bad": good[: rng.randrange(1, len(good))],
                "forged": good.replace(b"episode.", b"Episode."),
                "stranger": signed_by_a_stranger(number),
                "unheld": text(numbered(number, UNHELD)),
                "blank": rng.choice([b"", b" \t", b"\r"]),
                "nul": b"\0" * 20,
                "cr": good + b"\r",
                "escaped": good.replace(b"receipt.", b"\\u0072eceipt.", 1),
                "utf8": good.replace(b"episode", b"\xff"),
            }[kind]
        )
        if number and rng.random() < 0.15:
            repeated = numbered(rng.randrange(number))
            same = {"receipt_id": repeated.receipt_id} if rng.random() < 0.5 else {"nonce": repeated.nonce}
            lines.append(text(numbered(5000 + number, **same)))
            if rng.random() < 0.5:
                lines.append(rng.choice(lines))
    return lines


def folder_of(tmp_path: Path, seed: int) -> list[str]:
    """Files of every kind."""
    lines = mixed(90, seed)
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b"\r\n".join(lines[:30]) + b"\n"))
    (tmp_path / "c.json").write_bytes(b"[" + text(numbered(0)) + b",\n " + text(numbered(9001)) + b", 1, 2]")
    for number in range(9100, 9105):
        (tmp_path / f"d{number}.json").write_bytes(text(numbered(number)))
    (tmp_path / "e.json").write_bytes(b"[]")
    (tmp_path / "f.jsonl").write_bytes(b"\n \n")
    (tmp_path / "g.jsonl.gz").write_bytes(gzip.compress(text(numbered(9200)) + b"\n" + text(numbered(9201)))[:-9])
    long = text(numbered(9300))
    long_lines = [long + b" " * MIB, text(numbered(9301)), b" " * (MIB + 1), b"x" * (3 * MIB), text(numbered(9302))]
    (tmp_path / "h.jsonl").write_bytes(b"\n".join(long_lines) + b"\n")
    return [str(tmp_path), str(tmp_path / "missing.jsonl"), str(tmp_path / "a.jsonl")]


def auditor(level: Level = "audit") -> Auditor:
    return Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring, level=level)


def one_by_one(names: list[str], level: Level) -> Iterator[Verdict | Unread]:
    """The verdicts without batches."""
    one, seen = auditor(level), Seen()
    for entry in entries(names, "receipt"):
        yield entry if isinstance(entry, Unread) else one.entry(entry, seen)


def form(found: Verdict | Unread) -> object:
    return str(found) if isinstance(found, Unread) else found


@pytest.fixture(params=[300, 2000, 10_000_000])
def batch_bytes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(batches_module, "BATCH_BYTES", request.param)
    return int(request.param)


@pytest.mark.parametrize("spilled", [False, True])
@pytest.mark.parametrize("level", ["audit", "signature", "schema"])
def test_batches_change_no_verdict(
    tmp_path: Path, batch_bytes: int, level: Level, spilled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = folder_of(tmp_path, batch_bytes)
    expected = list(map(form, one_by_one(names, level)))
    assert len(expected) > 120
    if spilled:
        monkeypatch.setattr(repeats_module, "_IN_MEMORY", 8)
    assert list(map(form, auditor(level).files(names))) == expected


def test_the_level_of_texts(tmp_path: Path, batch_bytes: int) -> None:
    names = folder_of(tmp_path, batch_bytes)
    found = [each for each in auditor("text").files(names) if isinstance(each, Verdict)]
    assert {each.verdict for each in found} == {"valid", "invalid"}
    assert all(finding.code.startswith(("json.", "text.")) for each in found for finding in each.findings)
    assert not [each for each in found if each]  # valid is not holds
    lines = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    of_a = [each for each in found if each.source.endswith("a.jsonl")]
    assert [each.line for each in of_a] == [number for number, line in enumerate(lines, 1) if line.strip(b" \t\r")]


@pytest.mark.slow
def test_workers_change_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches_module, "BATCH_BYTES", 3000)
    names = folder_of(tmp_path, 7)
    expected = list(map(form, auditor().files(names)))
    assert list(map(form, auditor().files(names, workers=3))) == expected


@pytest.mark.parametrize("level", ["audit", "signature", "schema", "text"])
def test_counts_are_those_of_the_verdicts(tmp_path: Path, batch_bytes: int, level: Level) -> None:
    names = folder_of(tmp_path, batch_bytes)
    documents = Documents({BENCH.contract.digest: BENCH.contract}, {BENCH.certificate.digest: BENCH.certificate})
    expected, counted = Summary(documents), Summary(documents)
    for verdict in auditor(level).files(names):
        expected.add(verdict)
    for _, found in auditor(level).counted(names):
        for each in found:
            if isinstance(each, Good):
                counted.count(each)
            else:
                counted.add(each)
    assert counted.to_json() == expected.to_json()
    assert counted.receipts > 120


def test_short_lines_are_several_batches(tmp_path: Path) -> None:
    name = tmp_path / "a.jsonl"
    name.write_bytes(b"{\n" * 4500 + b"\n" * 2500 + text(numbered(1)) + b"\n[")
    found = list(batches_module.batches([str(name)]))
    counts = [len(list(batch.every_text())) for batch in found]
    assert (sum(counts), max(counts)) == (4502, 2000)
    assert [text.line for text in found[-2].every_text()] == [7001]
    assert [text.line for text in found[-1].every_text()] == [7002]


def test_a_pipe_is_checked_as_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        """Gives one line at a time."""

        def __init__(self) -> None:
            self.given = 0

        def read1(self, size: int) -> bytes:
            self.given += 1
            return text(numbered(self.given)) + b"\n" if self.given < 5 else b""

        def tell(self) -> int:
            return 0

    slow = Slow()
    found = iter(batches_module._pieces(slow))  # type: ignore[arg-type]
    next(found)
    assert slow.given == 1


def test_memory_does_not_grow_with_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats_module, "_IN_MEMORY", 10)
    seen = Seen()
    for number in range(100):
        assert seen.note_lines(number.to_bytes(16, "big") + (number + 1000).to_bytes(16, "big"), "a.jsonl", [number])
    assert not isinstance(seen._first, dict)
    assert not seen.note_lines((5).to_bytes(16, "big") + (5000).to_bytes(16, "big"), "b.jsonl", [1])
    # The second key of a repeat blocks nothing.
    assert seen.note_lines((6000).to_bytes(16, "big") + (5000).to_bytes(16, "big"), "b.jsonl", [2])
    assert seen.knows(((99).to_bytes(16, "big"), b"")) is True


def test_a_temporary_file_that_cannot_be_written_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats_module, "_IN_MEMORY", 4)
    seen = Seen()
    for number in range(10):
        assert seen.note_lines(number.to_bytes(16, "big") + (number + 1000).to_bytes(16, "big"), "a.jsonl", [number])
    assert isinstance(seen._first, repeats_module._Spilled)
    seen._first._database.execute("PRAGMA max_page_count = 1")
    keys = b"".join(number.to_bytes(16, "big") for number in range(10_000, 14_000))
    with pytest.raises(OSError, match="temporary file for finding repeats"):
        seen.note_lines(keys, "a.jsonl", range(2000))


def test_repeats_in_one_batch_do_not_record_the_second(tmp_path: Path) -> None:
    one = numbered(1)
    same_nonce = numbered(2, nonce=one.nonce)
    same_id_as_that = numbered(3, receipt_id=same_nonce.receipt_id)
    name = tmp_path / "a.jsonl"
    name.write_bytes(b"\n".join(map(text, [one, same_nonce, same_id_as_that])))
    assert [each.verdict for each in auditor().files([str(name)]) if isinstance(each, Verdict)] == [
        "holds",
        "fails",
        "holds",
    ]


def test_damage_is_a_verdict() -> None:
    verdict = auditor().entry(damaged_entry(Damaged("a.jsonl.gz", "the gzip stream is cut off", 7), "receipt"), None)
    assert (verdict.verdict, verdict.line, verdict.findings[0].code) == ("invalid", 7, "text.damaged")


def test_no_state_of_a_process_is_pickled(tmp_path: Path) -> None:
    one = auditor()
    (tmp_path / "a.jsonl").write_bytes(text(numbered(1)))
    assert len(list(one.files([str(tmp_path)]))) == 1
    assert len(list(pickle.loads(pickle.dumps(one)).files([str(tmp_path)]))) == 1


def ends(_: object) -> None:
    import os

    os._exit(3)


@pytest.mark.slow
def test_a_worker_that_ends_is_an_error() -> None:
    with pytest.raises(WorkerLost, match="worker process ended"):
        list(in_order(ends, range(10), 2))


def test_errors_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="workers"):
        list(auditor().files([str(tmp_path)], workers=0))
    with pytest.raises(ValueError, match="level"):
        Auditor([], [], level="deep")  # type: ignore[arg-type]
