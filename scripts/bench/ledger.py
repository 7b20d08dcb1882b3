"""Measures admissions to a ledger: receipts a second, beside the floors of the same run.

    python scripts/bench/ledger.py                          # 1,000,000 receipts to SQLite
    python scripts/bench/ledger.py --count 200000 --batch 10000 --folder /var/tmp
    python scripts/bench/ledger.py --verdicts-only          # without the second ledger, which audits
    python scripts/bench/ledger.py --postgres               # 4 clients, and a server that is started for it
    python scripts/bench/ledger.py --postgres URL --clients 4 --batch 100

All receipts are distinct, with ids in random order, of 8 pairs of contract and certificate. 1 in 200 is broken in each
of 10 ways, so 1 in 20 is not admitted. The work takes turns, a chunk of receipts at a time, so that load moves all of
it, and the receipts of a chunk are made before it is timed:

    audit            the verdict of each text; nothing is recorded
    admit verdicts   Ledger.admit_each of those verdicts: already verified
    admit texts      Ledger.admit_each of the texts, to a second ledger: with verification
    SQLite alone     rows of the same length inserted into a third file with the same settings and tables
    SHA-256 alone    the hash chain over the same bytes

A figure is a measurement and no test: the exit status is 0, or 1 if the ledgers disagree or are not intact. Seconds are
of the wall clock, because an admission waits for the disk.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import platform
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import reward_receipts as rr
from reward_receipts.bulk import Auditor, Verdict
from reward_receipts.core import extension
from reward_receipts.ledger import Ledger, Record
from reward_receipts.ledger.sqlite import SqliteStore

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "tests" / "support"))

from field import Bench
from many_receipts import signed_texts

Argument = TypeVar("Argument")
Result = TypeVar("Result")

PAIRS = 8
WAYS = 10
CHUNK = 10_000


class Receipts:
    """Texts of receipts, in chunks, and the auditor of them."""

    def __init__(self) -> None:
        self.key = rr.SigningKey.generate("key.bench.0001")
        self.pairs = []
        for number in range(PAIRS):
            pair = Bench(contract_id=f"contract.bench.{number:04}")
            pair.key = self.key
            pair.certificate = pair.certify()
            self.pairs.append(pair)
        stranger = Bench(contract_id="contract.of.a.stranger")
        stranger.key = self.key
        self.stranger = stranger
        contracts, certificates = ([getattr(each, name) for each in self.pairs] for name in ("contract", "certificate"))
        self.auditor = Auditor(contracts, certificates, self.key.keyring)

    def chunk(self, first: int, count: int) -> list[bytes]:
        """Receipts ``first`` to ``first + count``: the same numbers give receipts of the same ids."""
        texts = []
        for at, pair in enumerate(self.pairs):
            suffixes = (_suffix(number) for number in range(first + at, first + count, PAIRS))
            texts.append(list(signed_texts(pair.receipt(), self.key, suffixes)))
        mixed = [text for row in zip(*texts, strict=True) for text in row]
        for at in range(0, len(mixed), 20):
            mixed[at] = self._broken(mixed[at], (first + at) // 20 % WAYS, mixed[at - 1] if at else None)
        return mixed

    def _broken(self, text: bytes, way: int, other: bytes | None) -> bytes:
        members = json.loads(text)
        if way == 0:
            return text[:-1]
        if way == 1:
            return _dump({**members, "execution_id": "execution.0001"})
        if way == 2:
            return _dump({name: value for name, value in members.items() if name != "evidence_digest"})
        if way == 3:
            return _dump({**members, "development_only": not members["development_only"]})
        if way == 4:
            return _dump({**members, "policy_update": members["policy_update"] + 1})
        if way == 5:
            return _dump({**members, "issuer_key_id": "key.of.a.stranger"})
        if way == 6:
            return self._signed({**members, "reward_contract_digest": self.stranger.contract.digest})
        if way == 7:
            return self._signed({**members, "certificate_digest": self.stranger.certificate.digest})
        if way == 8:
            return self._signed({**members, "scalar_reward": 0.25})
        nonce = members["nonce"] if other is None else json.loads(other)["nonce"]
        return self._signed({**members, "nonce": nonce, "receipt_id": f"{members['receipt_id']}.again"})

    def _signed(self, members: dict[str, Any]) -> bytes:
        return rr.sign(members, self.key).model_dump_json().encode()


def _suffix(number: int) -> str:
    """A part of an id, of which the next number has no neighbour."""
    return hashlib.sha256(b"%d" % number).hexdigest()[:24]


def _dump(members: dict[str, Any]) -> bytes:
    return json.dumps(members).encode()


class Clock:
    """Wall and CPU seconds of each piece of work."""

    def __init__(self) -> None:
        self.wall: Counter[str] = Counter()
        self.cpu: Counter[str] = Counter()
        self.tail: dict[str, float] = {}
        """The wall seconds of the latest chunk."""

    def time(self, name: str, work: Callable[[Argument], Result], argument: Argument) -> Result:
        """What ``work`` returns; its seconds are added to those of the name."""
        start, cpu = time.perf_counter(), time.process_time()
        result = work(argument)
        self.tail[name] = time.perf_counter() - start
        self.wall[name] += self.tail[name]
        self.cpu[name] += time.process_time() - cpu
        return result

    def report(self, count: int, last: int) -> None:
        """A table of receipts a second."""
        print(f"{'work':<16}{'a second':>10}{'last chunk':>12}{'wall s':>9}{'CPU s':>9}")
        for name, wall in self.wall.items():
            figures = f"{count / wall:>10,.0f}{last / self.tail[name]:>12,.0f}{wall:>9.1f}{self.cpu[name]:>9.1f}"
            print(f"{name:<16}{figures}")


class Places:
    """The ledgers in files that take turns."""

    def __init__(self, folder: Path, receipts: Receipts, batch: int) -> None:
        self.verified = Ledger.open(folder / "verified.ledger")
        self.audited = Ledger.open(folder / "audited.ledger", receipts.auditor)
        self.alone = SqliteStore(str(folder / "alone.ledger"), read_only=False, timeout=30)
        self._auditor, self._batch = receipts.auditor, batch

    def audit(self, texts: Sequence[bytes]) -> list[Verdict]:
        """The verdicts, and nothing recorded."""
        return list(map(self._auditor.receipt, texts))

    def admit_verdicts(self, verdicts: Sequence[Verdict]) -> Counter[str]:
        """Already verified."""
        return Counter(answer.status for answer in self.verified.admit_each(verdicts, batch=self._batch))

    def admit_texts(self, texts: Sequence[bytes]) -> Counter[str]:
        """With verification."""
        return Counter(answer.status for answer in self.audited.admit_each(texts, batch=self._batch))

    def insert(self, records: Sequence[Record]) -> None:
        """SQLite alone."""
        for at in range(0, len(records), self._batch):
            with self.alone.writing():
                self.alone.insert(records[at : at + self._batch])

    def hash(self, records: Sequence[Record]) -> None:
        """SHA-256 alone."""
        link = bytes(32)
        for record in records:
            link = hashlib.sha256(link + record.row.to_bytes(8, "big") + record.text).digest()


def sqlite(arguments: argparse.Namespace, receipts: Receipts, folder: Path) -> int:
    """Files that take turns, a chunk at a time."""
    clock = Clock()
    places = Places(folder, receipts, arguments.batch)
    statuses: Counter[str] = Counter()
    for first in range(0, arguments.count, CHUNK):
        texts = receipts.chunk(first, min(CHUNK, arguments.count - first))
        before = places.verified.head().row
        verdicts = clock.time("audit", places.audit, texts)
        statuses += clock.time("admit verdicts", places.admit_verdicts, verdicts)
        if not arguments.verdicts_only:
            clock.time("admit texts", places.admit_texts, texts)
        records = list(places.verified.chain(before))
        clock.time("SQLite alone", places.insert, records)
        clock.time("SHA-256 alone", places.hash, records)
    clock.report(arguments.count, len(texts))
    stats = places.verified.stats()
    agree = arguments.verdicts_only or places.verified.head() == places.audited.head()
    start = time.perf_counter()
    findings = places.verified.check()
    checked = stats.rows / (time.perf_counter() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"answers          {dict(statuses)}")
    print(f"on disk          {stats.bytes / stats.rows:,.0f} bytes a row, of {_mean(places.verified):,.0f} of receipt")
    print(f"check            {checked:,.0f} rows a second; {len(findings)} findings; the same chain: {agree}")
    print(f"memory           {memory:,.0f} MB, with the chunk of {CHUNK:,} receipts and three files open")
    return int(bool(findings) or not agree)


def _mean(ledger: Ledger) -> float:
    lengths = [len(record.text) for _, record in zip(range(1000), ledger.chain(), strict=False)]
    return sum(lengths) / len(lengths)


def _client(url: str, verdicts: Sequence[Verdict], batch: int, ready: Any, go: Any, answers: Any) -> None:
    with Ledger.open(url) as ledger:
        ledger.head()
        ready.release()
        go.wait()
        start = time.perf_counter()
        found = Counter(answer.status for answer in ledger.admit_each(verdicts, batch=batch))
        answers.put((time.perf_counter() - start, found))


def postgres(arguments: argparse.Namespace, receipts: Receipts, url: str) -> int:
    """Clients in processes of their own, each with its part of the receipts already verified."""
    with Ledger.open(url) as ledger:
        before = ledger.head().row
    rounds = [arguments.batch] if arguments.batch != 5000 else [1000, 100, 10, 1]
    first = before * 2
    for batch in rounds:
        count = min(arguments.count, {1: 8_000, 10: 40_000}.get(batch, 200_000)) // (8 * arguments.clients)
        count *= 8
        parts = []
        for _ in range(arguments.clients):
            parts.append([receipts.auditor.receipt(text) for text in receipts.chunk(first, count)])
            first += count
        context = multiprocessing.get_context("fork")
        ready, go, answers = context.Semaphore(0), context.Event(), context.Queue()
        work = [context.Process(target=_client, args=(url, part, batch, ready, go, answers)) for part in parts]
        for each in work:
            each.start()
        for _ in work:
            ready.acquire()
        start = time.perf_counter()
        go.set()
        found = [answers.get() for _ in work]
        wall = time.perf_counter() - start
        for each in work:
            each.join()
        total = sum((each for _, each in found), Counter())
        print(
            f"PostgreSQL, {arguments.clients} clients, {batch} receipts a transaction: "
            f"{count * arguments.clients / wall:,.0f} receipts a second {dict(total)}",
            flush=True,
        )
    with Ledger.open(url, read_only=True) as ledger:
        findings = ledger.check()
        print(f"rows {ledger.head().row - before}, findings of the check {len(findings)}")
    return int(bool(findings))


def main() -> int:
    """Runs what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="receipts, a multiple of 8")
    parser.add_argument("--batch", type=int, default=5000, help="receipts a transaction")
    parser.add_argument("--folder", help="where the files are made; by default the system's folder for temporary files")
    parser.add_argument("--verdicts-only", action="store_true", help="leave out the second ledger")
    parser.add_argument("--postgres", nargs="?", const="", metavar="URL", help="PostgreSQL in place of SQLite")
    parser.add_argument("--clients", type=int, default=4, help="processes that admit to PostgreSQL")
    arguments = parser.parse_args()
    if arguments.count < PAIRS or arguments.count % PAIRS:
        parser.error("--count is a multiple of 8")
    core = "with the extension" if extension.extension() is not None else "without the extension"
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {core}, {os.cpu_count()} cores, load {load}"
    )
    receipts = Receipts()
    if arguments.postgres is None:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            return sqlite(arguments, receipts, Path(folder))
    if arguments.postgres:
        return postgres(arguments, receipts, arguments.postgres)
    from postgres_server import server

    with server() as running:
        return postgres(arguments, receipts, running.url)


if __name__ == "__main__":
    sys.exit(main())
