"""What happens to a ledger in a file when processes are killed, disks are full and files cannot be written.

REWARD_RECEIPTS_DEEP=1 (tox -e deep) kills a client 60 times in the middle of 10,000 admissions.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import ledger_client
import pytest
from command_line import COMMAND
from ledger_places import AUDITOR, BENCH, File, opened, receipt
from many_receipts import signed_texts
from reward_receipts.ledger import Ledger, LedgerError

DEEP = os.environ.get("REWARD_RECEIPTS_DEEP") == "1"
RECEIPTS, KILLS = (10_000, 60) if DEEP else (600, 4)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The receipts that clients admit."""
    path = tmp_path_factory.mktemp("work") / "receipts.jsonl"
    keyring = {BENCH.key.key_id: BENCH.key.public_key}
    texts = list(signed_texts(receipt(0), BENCH.key, (f"{number:08}" for number in range(RECEIPTS))))
    ledger_client.write_work(path, BENCH.contract, BENCH.certificate, keyring, texts)
    return path


def client(place: File, work: Path, first: int = 0, batch: int = 1, *limit: int) -> subprocess.Popen[bytes]:
    """A client that has everything at hand, and opens the ledger next."""
    command = [sys.executable, ledger_client.__file__, place.name, str(work), *map(str, (first, batch, *limit))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def answers(lines: Sequence[bytes]) -> dict[int, tuple[str, int]]:
    """Status and row of each receipt that was acknowledged; the last line can have been cut off."""
    whole = (line.split() for line in lines if line.endswith(b"\n"))
    return {int(number): (status.decode(), int(row)) for number, status, row in whole}


def require_all(place: File, acknowledged: dict[int, int]) -> int:
    """Checks that the ledger is intact and has each receipt in the row that was acknowledged. Returns its last row."""
    with opened(place) as ledger:
        assert ledger.check() == ()
        rows = {record.receipt_id: record.row for record in ledger.chain()}
        last = ledger.head().row
    assert len(rows) == last
    for number, row in acknowledged.items():
        assert rows[f"receipt_id.{number:08}"] == row
    return last


@pytest.mark.slow
def test_a_client_that_is_killed_loses_nothing_at_the_boundary_of_each_transaction(tmp_path: Path, work: Path) -> None:
    place = File(tmp_path / "receipts.ledger")
    chance = random.Random(12)
    acknowledged: dict[int, int] = {}
    for kill in range(KILLS):
        first = len(acknowledged)
        process = client(place, work, first, chance.choice([1, 1, 3, 20, 150]))
        with process, closing(process.stdout) as out:  # type: ignore[type-var]
            assert out is not None
            most = (RECEIPTS - first) * 2 // (KILLS - kill + 1)
            lines = [out.readline() for _ in range(chance.randrange(most + 1))]
            time.sleep(chance.random() / 200)
            process.kill()
            lines += out.readlines()
        assert process.returncode == -signal.SIGKILL
        found = answers(lines)
        assert list(found) == list(range(first, first + len(found)))
        acknowledged |= {number: row for number, (_, row) in found.items()}
        if place.path.exists():
            assert require_all(place, acknowledged) >= len(acknowledged)
    with client(place, work, 0, 500) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    everything = answers(out.splitlines(keepends=True))
    assert len(everything) == RECEIPTS
    assert all(everything[number][1] == row for number, row in acknowledged.items())
    assert require_all(place, {number: row for number, (_, row) in everything.items()}) == RECEIPTS


def test_a_client_that_is_killed_while_it_makes_the_file(tmp_path: Path, work: Path) -> None:
    chance = random.Random(7)
    for kill in range(4):
        place = File(tmp_path / f"{kill}.ledger")
        with client(place, work) as process:
            time.sleep(chance.random() / 50)
            process.kill()
            out, _ = process.communicate()
        found = answers(out.splitlines(keepends=True))
        assert require_all(place, {number: row for number, (_, row) in found.items()}) >= len(found)


def test_two_processes_admit_the_same_receipts_once(tmp_path: Path, work: Path) -> None:
    place = File(tmp_path / "receipts.ledger")
    with client(place, work, 0, 7) as one, client(place, work, 0, 11) as other:
        both = [each.communicate() for each in (one, other)]
    assert [err for _, err in both] == [b"", b""]
    first, second = (answers(out.splitlines(keepends=True)) for out, _ in both)
    assert len(first) == RECEIPTS
    assert {number: row for number, (_, row) in first.items()} == {number: row for number, (_, row) in second.items()}
    statuses = [status for found in (first, second) for status, _ in found.values()]
    assert statuses.count("admitted") == statuses.count("already-admitted") == RECEIPTS
    assert require_all(place, {number: row for number, (_, row) in first.items()}) == RECEIPTS


@pytest.mark.parametrize("batch", [1, 20])
def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path, work: Path, batch: int) -> None:
    place = File(tmp_path / "receipts.ledger")
    with client(place, work, 0, batch, 300_000) as process:
        out, err = process.communicate()
    assert process.returncode == 3
    assert err.decode().startswith(place.name)
    assert b"disk" in err
    found = answers(out.splitlines(keepends=True))
    assert 0 < len(found) < RECEIPTS
    assert require_all(place, {number: row for number, (_, row) in found.items()}) >= len(found)
    with client(place, work) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert require_all(place, {}) == RECEIPTS


def test_a_ledger_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    with opened(File(tmp_path / "receipts.ledger")) as ledger:
        ledger.admit(receipt(1))
        pages = ledger._store._pragma("page_count")  # type: ignore[attr-defined]
        ledger._store._execute(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]
        with pytest.raises(LedgerError, match="the disk is full"):
            ledger.admit_many(map(receipt, range(2, 100)))
        assert ledger.head().row == 1
        ledger._store._execute("PRAGMA max_page_count = 1000000")  # type: ignore[attr-defined]
        assert len(ledger.admit_many(map(receipt, range(2, 100)))) == 98
        assert ledger.check() == ()


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    with opened(File(tmp_path / "receipts.ledger")) as ledger:
        settings = {name: ledger._store._pragma(name) for name in ("journal_mode", "synchronous")}  # type: ignore[attr-defined]
    assert settings == {"journal_mode": "wal", "synchronous": 2}


READER = """
import os, sys
from reward_receipts.ledger import Ledger, LedgerError
import reward_receipts.ledger.sqlite
import ledger_client
name, work = sys.argv[1:]
lines = open(work, "rb").read().splitlines()
auditor = ledger_client.auditor_of(lines[0])
auditor.receipt(lines[2])
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    with Ledger.open(name, auditor) as ledger:
        ledger.admit(lines[2])
except LedgerError as error:
    print(error)
else:
    print("it was written")
with Ledger.open(name, read_only=True) as ledger:
    print(ledger.head().row, ledger.check(), len(list(ledger.chain())))
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody can look into."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        os.chmod(folder, 0o755)


@pytest.mark.parametrize("folder_mode", [0o755, 0o555, 0o777])
def test_a_file_that_cannot_be_written_is_read_and_not_written(work: Path, shared: Path, folder_mode: int) -> None:
    place = File(shared / "receipts.ledger")
    with opened(place) as ledger:
        ledger.admit(receipt(1))
    place.path.chmod(0o444)
    shared.chmod(folder_mode)
    support = str(Path(ledger_client.__file__).parent)
    ran = subprocess.run(
        [sys.executable, "-c", READER, place.name, str(work)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": support},
    )
    said, read = ran.stdout.splitlines()
    assert said == f"{place.name}: the file, or its folder, cannot be written; nothing was recorded"
    assert read == "1 () 1"


def test_a_command_that_is_interrupted_can_be_started_again(tmp_path: Path) -> None:
    for name, document in (("contract", BENCH.contract), ("certificate", BENCH.certificate)):
        (tmp_path / f"{name}.json").write_text(document.model_dump_json())
    BENCH.key.keyring.write(tmp_path / "keyring.json")
    lines = [f"{receipt(n).model_dump_json()}\n".encode() for n in range(3)]
    command = [*COMMAND, "ledger", "admit", "a.ledger", "-", "--lines", "--batch", "1", "--keyring", "keyring.json"]
    command += ["--documents", "contract.json", "--documents", "certificate.json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines[0])
        process.stdin.flush()
        assert process.stdout.readline() == b"<stdin>:1  receipt.00000000  admitted  row 1\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in err
    ran = subprocess.run(command, cwd=tmp_path, input=b"".join(lines), capture_output=True, check=True)
    assert [line.split(b"  ")[2] for line in ran.stdout.splitlines()] == [b"already-admitted", b"admitted", b"admitted"]


def test_threads_share_a_ledger(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with Ledger.open(tmp_path / "receipts.ledger", AUDITOR) as ledger, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: ledger.admit(receipt(n // 2)), range(60)))
        assert sorted(answer.row for answer in found if answer.status == "admitted") == list(range(1, 31))
        assert ledger.check() == ()
