"""What a ledger admits and refuses, and what ``check`` finds."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from field import Bench
from reward_receipts.bulk import Auditor
from reward_receipts.core.codes import catalogue
from reward_receipts.ledger import Head, Ledger, LedgerError, NotAdmitted, SignedHead
from reward_receipts.receipts.receipt_file import Forks

BENCH = Bench()
AUDITOR = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring)


def receipt(n: int, **members: object) -> rr.RewardEvidenceReceiptV1:
    own = {"receipt_id": f"receipt.{n:08}", "nonce": f"nonce.{n:08}", "episode_id": f"episode.{n:08}"}
    return BENCH.receipt(**{**own, **members})


def opened(path: Path, **options: Any) -> Ledger:
    return Ledger.open(path / "receipts.ledger", AUDITOR, **options)


def test_a_receipt_is_recorded_once(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        answers = [ledger.admit(receipt(1)), ledger.admit(receipt(1).model_dump_json(indent=1))]
        assert [(a.status, a.row, bool(a)) for a in answers] == [("admitted", 1, True), ("already-admitted", 1, True)]
    with opened(tmp_path) as ledger:
        assert ledger.admit(receipt(1)).status == "already-admitted"
        assert ledger.head().row == 1


@pytest.mark.parametrize("member", ["receipt_id", "nonce", "episode_id"])
def test_a_conflict_names_both_receipts(tmp_path: Path, member: str) -> None:
    with opened(tmp_path) as ledger:
        first = receipt(1)
        second = receipt(2, **{member: getattr(first, member)})
        assert ledger.admit(first)
        answer = ledger.admit(second)
        assert (answer.status, answer.row, answer.codes) == ("conflict", None, ("admission.conflict",))
        (finding,) = answer.findings
        assert finding.path == (member,)
        for each in (first, second):
            assert each.receipt_id in finding.sentence
            assert each.digest in finding.sentence
        (conflict,) = answer.conflicts
        assert (conflict.row, conflict.receipt_id, conflict.digest, conflict.members) == (
            1,
            first.receipt_id,
            first.digest,
            (member,),
        )
        assert ledger.head().row == 1


def test_a_receipt_can_conflict_with_several(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.admit_many([receipt(1), receipt(2)])
        answer = ledger.admit(receipt(1, episode_id="episode.00000002"))
        assert [(each.row, each.members) for each in answer.conflicts] == [
            (1, ("receipt_id", "nonce")),
            (2, ("episode_id",)),
        ]


def test_the_same_nonce_of_another_key_and_the_same_episode_of_another_contract_are_no_conflict(tmp_path: Path) -> None:
    other = Bench(contract_id="contract.other.0001")
    auditor = Auditor(
        [BENCH.contract, other.contract],
        [BENCH.certificate, other.certificate],
        BENCH.key.keyring | rr.Keyring({"key.test.other": bytes(32)}),
    )
    other.key = BENCH.key
    other.certificate = other.certify()
    auditor = Auditor([BENCH.contract, other.contract], [BENCH.certificate, other.certificate], BENCH.key.keyring)
    with Ledger.open(tmp_path / "l", auditor) as ledger:
        assert ledger.admit(receipt(1))
        same_episode = other.receipt(
            receipt_id="receipt.00000002", nonce="nonce.00000002", episode_id="episode.00000001"
        )
        assert ledger.admit(same_episode).status == "admitted"


def test_a_forged_receipt_blocks_nothing(tmp_path: Path) -> None:
    forged = receipt(1).model_copy(update={"signature": receipt(2).signature})
    with opened(tmp_path) as ledger:
        answer = ledger.admit(forged)
        assert (answer.status, answer.codes) == ("refused", ("signature-invalid",))
        assert ledger.admit(receipt(1)).status == "admitted"
        assert ledger.admit(forged).status == "refused"  # it has the id of an admitted receipt, and other bytes


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b"\xff", b'{"a":1}'])
def test_what_is_not_a_receipt_is_refused(tmp_path: Path, text: bytes) -> None:
    with opened(tmp_path) as ledger:
        answer = ledger.admit(text)
        assert (answer.status, answer.verdict.verdict) == ("refused", "invalid")
        assert answer.codes


def test_an_undecided_receipt_is_not_recorded(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l", Auditor([BENCH.contract], [], BENCH.key.keyring)) as ledger:
        answer = ledger.admit(receipt(1))
        assert answer.status == "undecided"
        assert "receipt-names-another-certificate" in answer.codes
        assert ledger.head().row == 0


def test_an_admitted_receipt_keeps_its_answer_when_its_audit_no_longer_holds(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        assert ledger.admit(receipt(1))
    later = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring, at_update=10**9)
    with Ledger.open(tmp_path / "receipts.ledger", later) as ledger:
        assert ledger.admit(receipt(1)).status == "already-admitted"
        assert ledger.admit(receipt(2)).codes == ("certificate-expired-at-update",)


def test_a_verdict_is_admitted_without_another_audit(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        assert ledger.admit(AUDITOR.receipt(receipt(1))).status == "admitted"
        with pytest.raises(ValueError, match="without an auditor"):
            ledger.admit(receipt(2))


def test_a_batch_is_recorded_whole_or_not_at_all(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        batch = [receipt(1), receipt(2, nonce=receipt(1).nonce), b"{}", receipt(3)]
        with pytest.raises(NotAdmitted) as error:
            ledger.admit_many(batch)
        assert {at: each.status for at, each in error.value.refused.items()} == {1: "conflict", 2: "refused"}
        assert "receipt 1 conflict (admission.conflict)" in str(error.value)
        assert ledger.head().row == 0
        with pytest.raises(NotAdmitted):
            ledger.admit_many([b"{}"])
        assert ledger.admit_many([]) == []
        assert len(ledger.admit_many(map(receipt, range(20)))) == ledger.head().row == 20
        again = ledger.admit_many([receipt(3), receipt(20), receipt(20)])
        assert [(a.status, a.row) for a in again] == [
            ("already-admitted", 4),
            ("admitted", 21),
            ("already-admitted", 21),
        ]
        assert ledger.check() == ()


@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_each_receipt_of_a_stream_has_its_own_answer(tmp_path: Path, batch: int) -> None:
    stream = [receipt(1), b"{}", receipt(2, nonce=receipt(1).nonce), receipt(1), receipt(3)]
    with opened(tmp_path) as ledger:
        answers = [(a.status, a.row) for a in ledger.admit_each(stream, batch=batch)]
        assert answers == [
            ("admitted", 1),
            ("refused", None),
            ("conflict", None),
            ("already-admitted", 1),
            ("admitted", 2),
        ]
        assert ledger.check() == ()


def test_rows_can_be_read_back(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.admit_many(map(receipt, range(7)))
        found = ledger.get("receipt.00000003")
        assert found is not None
        assert (found.row, found.receipt, found.digest) == (4, receipt(3), receipt(3).digest)
        assert ledger.get("receipt.of.nobody") is None
        assert [record.row for record in ledger.chain()] == list(range(1, 8))
        assert [record.row for record in ledger.chain(after=5)] == [6, 7]
        assert ledger.head() == Head(7, list(ledger.chain())[-1].link)
        stats = ledger.stats()
        assert (stats.rows, stats.link, stats.issuers) == (7, ledger.head().link, {"key.test.bench": 7})
        (contract,) = stats.contracts
        assert (contract.receipts, contract.first_update, contract.last_update) == (7, 120, 120)
    with Ledger.open(tmp_path / "receipts.ledger", read_only=True) as reader:
        assert reader.head().row == 7
        assert reader.check() == ()


MOVED = (
    "UPDATE receipts SET row_number = -4 WHERE row_number = 3; "
    "UPDATE receipts SET row_number = 3 WHERE row_number = 4; "
    "UPDATE receipts SET row_number = 4 WHERE row_number = -4"
)
OTHER_TEXT = (
    "UPDATE receipts SET receipt = CAST(replace(CAST(receipt AS TEXT), 'verified', 'refused') AS BLOB) "
    "WHERE row_number = 3"
)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ("UPDATE receipts SET episode_id = 'episode.edited' WHERE row_number = 3", ["columns-edited"]),
        ("UPDATE receipts SET policy_update = 119 WHERE row_number = 3", ["columns-edited"]),
        (OTHER_TEXT, ["row-edited"]),
        ("UPDATE receipts SET receipt = x'00' WHERE row_number = 3", ["row-edited", "columns-edited"]),
        ("DELETE FROM receipts WHERE row_number = 3", ["row-missing"]),
        ("DELETE FROM receipts WHERE row_number < 3", ["row-missing"]),
        (MOVED, ["row-edited"] * 3),
        ("DELETE FROM receipts WHERE row_number > 3", ["rows-cut"]),
        ("DELETE FROM receipts", ["rows-cut"]),
    ],
)
def test_check_finds_a_change(tmp_path: Path, change: str, codes: list[str]) -> None:
    with opened(tmp_path) as ledger:
        ledger.admit_many(map(receipt, range(6)))
        head = ledger.head()
        assert ledger.check(head) == ()
        change_file(tmp_path, change)
        assert [finding.code for finding in ledger.check(head)] == [f"admission.{code}" for code in codes]


def change_file(path: Path, statements: str) -> None:
    database = sqlite3.connect(path / "receipts.ledger")
    database.executescript(statements)
    database.close()


def test_a_chain_that_was_made_anew_differs_from_a_head(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.admit_many(map(receipt, range(6)))
        head = ledger.head()
        ledger.admit(receipt(6))
        assert ledger.check(head) == ()
    (tmp_path / "receipts.ledger").unlink()
    with opened(tmp_path) as ledger:
        ledger.admit_many(map(receipt, reversed(range(7))))
        assert ledger.check() == ()
        assert [finding.code for finding in ledger.check(head)] == ["admission.head-differs"]


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.admit_many(map(receipt, range(200)))
    path = tmp_path / "receipts.ledger"
    data = bytearray(path.read_bytes())
    at = data.index(b"nonce.00000150")  # in a leaf of an index, or in a row
    data[at : at + 14] = b"nonce.00000151"
    path.write_bytes(data)
    with opened(tmp_path) as ledger:
        assert ledger.check()


def test_each_code_of_a_check_is_in_the_catalogue() -> None:
    assert {code for code, each in catalogue().items() if code.startswith("admission.")} == {
        f"admission.{name}"
        for name in [
            "conflict",
            "update-backwards",
            "row-missing",
            "row-edited",
            "columns-edited",
            "rows-cut",
            "head-differs",
            "head-signature-invalid",
            "file-damaged",
        ]
    }


def test_a_head_is_signed_and_read_back(tmp_path: Path) -> None:
    with opened(tmp_path) as ledger:
        ledger.admit(receipt(1))
        signed = ledger.head().signed(BENCH.key)
        read = SignedHead.from_text(signed.text())
        assert read == signed
        assert read.verify(BENCH.key.keyring) is rr.SignatureVerdict.VALID
        assert ledger.check(read) == ()
    other = rr.SigningKey.generate("key.test.bench")
    assert signed.verify(other.keyring) is rr.SignatureVerdict.INVALID
    assert signed.verify(rr.SigningKey.generate("key.test.else").keyring) is rr.SignatureVerdict.SIGNER_UNKNOWN
    edited = SignedHead.from_text(signed.text().replace(b'"row":1', b'"row":2'))
    assert edited.verify(BENCH.key.keyring) is rr.SignatureVerdict.INVALID
    for text in (b"{}", b"[]", b"{", signed.text().replace(b"sha256:", b"sha257:")):
        with pytest.raises(ValueError, match="signed head|json"):
            SignedHead.from_text(text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("PRAGMA user_version = 9", "version 9; this package reads version 1"),
        ("PRAGMA application_id = 9", "is a database, but it is not a ledger"),
        ("DROP INDEX receipts_nonce", "was altered: its receipts_nonce"),
        ("CREATE TRIGGER t AFTER INSERT ON receipts BEGIN DELETE FROM receipts; END", "1 triggers"),
    ],
)
def test_a_file_that_is_not_a_ledger_of_this_version_is_refused_and_unchanged(
    tmp_path: Path, change: str, said: str
) -> None:
    with opened(tmp_path) as ledger:
        ledger.admit(receipt(1))
    change_file(tmp_path, change)
    before = (tmp_path / "receipts.ledger").read_bytes()
    for read_only in (False, True):
        with pytest.raises(LedgerError, match=said):
            opened(tmp_path, read_only=read_only)
    assert (tmp_path / "receipts.ledger").read_bytes() == before


def test_other_files_are_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "receipts.ledger"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (x)")
    other.close()
    for data, said in ((path.read_bytes(), "is a database, but"), (b"x" * 5000, "not a database")):
        path.write_bytes(data)
        with pytest.raises(LedgerError, match=said):
            opened(tmp_path)
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


def test_an_update_that_runs_backwards_is_refused_on_request(tmp_path: Path) -> None:
    with opened(tmp_path, max_backwards=2) as ledger:
        assert ledger.admit(receipt(1, policy_update=110))
        assert ledger.admit(receipt(2, policy_update=108))
        answer = ledger.admit(receipt(3, policy_update=107))
        assert (answer.status, answer.codes) == ("refused", ("admission.update-backwards",))
        assert all(word in answer.findings[0].sentence for word in ("107", "110", "2"))
        assert ledger.admit(receipt(1, policy_update=110)).status == "already-admitted"
    with opened(tmp_path) as ledger:
        assert ledger.admit(receipt(3, policy_update=107)).status == "admitted"
    for wrong in (-1, True, 1.0):
        with pytest.raises(ValueError, match="max_backwards"):
            opened(tmp_path, max_backwards=wrong)


def test_a_receipt_that_is_not_admitted_does_not_raise_the_bar_for_updates(tmp_path: Path) -> None:
    with opened(tmp_path, max_backwards=0) as ledger:
        ahead = receipt(2, policy_update=115, nonce="nonce.00000001")
        answers = ledger.admit_each([receipt(1, policy_update=110), ahead, receipt(3, policy_update=110)])
        assert [answer.status for answer in answers] == ["admitted", "conflict", "admitted"]


def test_a_lock_that_somebody_else_holds(tmp_path: Path) -> None:
    with opened(tmp_path, timeout=0.01) as ledger:
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
    with opened(tmp_path, max_backwards=0) as ledger:
        ledger.admit_many(map(receipt, range(3)))
        assert ledger.check(ledger.head()) == ()


def test_a_closed_ledger_and_a_ledger_after_a_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = opened(tmp_path)
    monkeypatch.setattr(Forks, "count", Forks.count + 1)
    with pytest.raises(LedgerError, match="opened before a fork"):
        ledger.admit(receipt(1))
    monkeypatch.undo()
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        ledger.admit(receipt(1))


def test_importing_the_package_loads_no_database() -> None:
    script = (
        "import sys, reward_receipts.ledger as ledger; assert 'sqlite3' not in sys.modules; "
        "ledger.Ledger; assert 'psycopg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
