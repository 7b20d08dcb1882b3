"""A ledger in a file: what is refused as one, damage, and locks."""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path

import pytest
from ledger_places import AUDITOR, File, opened, receipt
from reward_receipts.ledger import Ledger, LedgerError


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    with opened(File(tmp_path / "receipts.ledger")) as ledger:
        ledger.admit_many(map(receipt, range(200)))
    path = tmp_path / "receipts.ledger"
    data = bytearray(path.read_bytes())
    at = data.index(b"nonce.00000150")  # in a leaf of an index, or in a row
    data[at : at + 14] = b"nonce.00000151"
    path.write_bytes(data)
    with opened(File(tmp_path / "receipts.ledger")) as ledger:
        assert ledger.check()


def test_pages_that_were_overwritten_are_findings_and_not_errors(tmp_path: Path) -> None:
    place = File(tmp_path / "receipts.ledger")
    with opened(place) as ledger:
        ledger.admit_many(map(receipt, range(300)))
    whole = place.path.read_bytes()
    chance = random.Random(4)
    for _ in range(20):
        at = chance.randrange(8, len(whole) // 4096) * 4096  # the first pages have the tables
        place.path.write_bytes(whole[:at] + chance.randbytes(4096) + whole[at + 4096 :])
        with opened(place, read_only=True) as ledger:
            assert {finding.code for finding in ledger.check()} >= {"admission.file-damaged"}
    place.path.write_bytes(whole[: len(whole) // 2])
    for read_only in (False, True):
        with pytest.raises(LedgerError, match="is damaged"):
            opened(place, read_only=read_only)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_removed_while_it_is_open_acknowledges_nothing(tmp_path: Path, replaced: bool) -> None:
    place = File(tmp_path / "receipts.ledger")
    with opened(place) as ledger:
        ledger.admit(receipt(1))
        for path in tmp_path.iterdir():
            path.unlink()
        if replaced:
            opened(place).close()
        with pytest.raises(LedgerError, match="was removed, or replaced"):
            ledger.admit(receipt(2))
    with opened(place) as ledger:
        assert ledger.head().row == 0


@pytest.mark.parametrize(
    "change",
    [
        "receipt = CAST('{' AS TEXT)",
        "receipt = 7",
        "receipt = CAST(x'ff' AS TEXT)",
        "link = 'x'",
        "receipt_id = x'ff00'",
        "receipt_id = CAST(x'ff' AS TEXT)",
        "nonce = 1.5",
        "policy_update = 'many'",
        "policy_update = 1e300",
    ],
)
def test_a_value_of_any_type_is_found(tmp_path: Path, change: str) -> None:
    place = File(tmp_path / "receipts.ledger")
    with opened(place) as ledger:
        ledger.admit_many(map(receipt, range(3)))
        place.change(f"UPDATE reward_receipts SET {change} WHERE row_number = 2")
        assert {finding.code for finding in ledger.check()} <= {"admission.row-edited", "admission.columns-edited"}
        assert ledger.check()
        assert ledger.admit(receipt(1)).status in ("already-admitted", "conflict")
        assert ledger.stats().rows == 3
        assert list(ledger.chain())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("PRAGMA user_version = 9", "version 9; this package reads version 1"),
        ("PRAGMA application_id = 9", "is a database, but it is not a ledger"),
        ("DROP INDEX reward_receipts_nonce", "was altered: its reward_receipts_nonce"),
        ("CREATE TRIGGER t AFTER INSERT ON reward_receipts BEGIN DELETE FROM reward_receipts; END", "1 triggers"),
    ],
)
def test_a_file_that_is_not_a_ledger_of_this_version_is_refused_and_unchanged(
    tmp_path: Path, change: str, said: str
) -> None:
    with opened(File(tmp_path / "receipts.ledger")) as ledger:
        ledger.admit(receipt(1))
    File(tmp_path / "receipts.ledger").change(change)
    before = (tmp_path / "receipts.ledger").read_bytes()
    for read_only in (False, True):
        with pytest.raises(LedgerError, match=said):
            opened(File(tmp_path / "receipts.ledger"), read_only=read_only)
    assert (tmp_path / "receipts.ledger").read_bytes() == before


def test_other_files_are_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "receipts.ledger"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (x)")
    other.close()
    for data, said in ((path.read_bytes(), "is a database, but"), (b"x" * 5000, "not a database")):
        path.write_bytes(data)
        with pytest.raises(LedgerError, match=said):
            opened(File(tmp_path / "receipts.ledger"))
        assert path.read_bytes() == data
    with pytest.raises(LedgerError, match="folder must exist"):
        Ledger.open(tmp_path / "missing" / "l", AUDITOR)
    with pytest.raises(LedgerError):
        Ledger.open(tmp_path, AUDITOR)
    with pytest.raises(LedgerError, match="no such file"):
        Ledger.open(tmp_path / "none", read_only=True)
    with pytest.raises(LedgerError, match="mysql://"):
        Ledger.open("mysql://user:secret@host/d", AUDITOR)


def test_a_name_is_a_file_whatever_sqlite_reads_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:x?mode=memory", "100% #1?.ledger"):
        with Ledger.open(name, AUDITOR) as ledger:
            ledger.admit(receipt(1))
        assert (tmp_path / name).stat().st_size
        with Ledger.open(name, read_only=True) as ledger:
            assert ledger.head().row == 1


def test_a_lock_that_somebody_else_holds(tmp_path: Path) -> None:
    with opened(File(tmp_path / "receipts.ledger"), timeout=0.01) as ledger:
        other = sqlite3.connect(tmp_path / "receipts.ledger", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="another process"):
            ledger.admit(receipt(1))
        assert ledger.head().row == 0  # readers do not wait
        other.execute("ROLLBACK")
        other.close()
        assert ledger.admit(receipt(1))


def test_no_clock_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def clock(*arguments: object) -> float:
        raise AssertionError("the clock was read")

    for name in ("time", "time_ns", "monotonic", "monotonic_ns", "localtime", "gmtime"):
        monkeypatch.setattr(time, name, clock)
    with opened(File(tmp_path / "receipts.ledger"), max_backwards=0) as ledger:
        ledger.admit_many(map(receipt, range(3)))
        assert ledger.check(ledger.head()) == ()
