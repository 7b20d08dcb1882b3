"""Measures the gate on loopback, one worker: receipts admitted a second, and the latency at half of that rate.

    python scripts/bench/gate.py                     # SQLite in a temporary folder
    python scripts/bench/gate.py --ledger postgresql://USER@HOST/DATABASE --seconds 20 --rounds 3

Each request is one signed receipt that is new. Saturation is measured with connections that each send the next
receipt when the last is answered. Half of it is then sent at fixed times whatever the answers do, and a latency counts
from the time at which a receipt should have been sent. Beside them, in the same run: requests that admit nothing
(a 404), the audit alone, SHA-256 alone, and fsync alone, for which an admission waits at least once. The client takes
CPU time from the gate where both have few cores.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from reward_receipts.bulk import Auditor

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "tests" / "support"))
from field import Bench
from gate_process import running
from many_receipts import signed_texts

GOAL = 20.0
"""Milliseconds: the 99th percentile at half of saturation."""


class Connection:
    """A connection to the gate that is kept open."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        """Connects."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def status(self, request: bytes) -> int:
        """The status of the answer to a request."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await self._reader.readexactly(length)
        return int(head[9:12])

    def close(self) -> None:
        """Disconnects."""
        self._writer.close()


def post(text: bytes) -> bytes:
    """A request that admits a receipt."""
    head = (
        f"POST /receipts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    )
    return head.encode() + text


async def saturation(port: int, requests: Iterator[bytes], expected: int, seconds: float, connections: int) -> float:
    """Answers a second, as many as the gate gives."""
    opened = [Connection(port) for _ in range(connections)]
    for connection in opened:
        await connection.open()
    answered = 0
    started = time.perf_counter()

    async def send(connection: Connection) -> None:
        nonlocal answered
        while time.perf_counter() - started < seconds:
            status = await connection.status(next(requests))
            assert status == expected, status
            answered += 1

    await asyncio.gather(*(send(connection) for connection in opened))
    took = time.perf_counter() - started
    for connection in opened:
        connection.close()
    return answered / took


async def latencies(port: int, requests: Iterator[bytes], rate: float, seconds: float) -> list[float]:
    """Milliseconds from when each request should have been sent to its answer, at a fixed rate."""
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(256):
        connection = Connection(port)
        await connection.open()
        free.put_nowait(connection)
    found: list[float] = []
    started = time.perf_counter() + 0.1

    async def send(due: float, request: bytes) -> None:
        connection = await free.get()
        status = await connection.status(request)
        assert status == 201, status
        found.append((time.perf_counter() - due) * 1000)
        free.put_nowait(connection)

    async with asyncio.TaskGroup() as tasks:
        for number in range(int(rate * seconds)):
            due = started + number / rate
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            tasks.create_task(send(due, next(requests)))
    while not free.empty():
        free.get_nowait().close()
    return found


def each_second(act: Callable[[bytes], object], texts: Sequence[bytes]) -> float:
    """How often a second something can be done, in CPU time of one core."""
    started = time.process_time()
    for text in texts:
        act(text)
    return len(texts) / (time.process_time() - started)


def fsyncs(folder: str, count: int = 300) -> list[float]:
    """Milliseconds that it takes to get 4 KiB to the disk, in ascending order."""
    found = []
    with open(os.path.join(folder, "fsync"), "wb", buffering=0) as file:
        for _ in range(count):
            file.write(b"x" * 4096)
            started = time.perf_counter()
            os.fsync(file.fileno())
            found.append((time.perf_counter() - started) * 1000)
    return sorted(found)


def main() -> int:
    """Prints a table. Exit status 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ledger", help="the place of the ledger; by default a file in a temporary folder")
    parser.add_argument("--folder", help="where temporary ledgers are made: /dev/shm leaves the disk out")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    bench = Bench()
    auditor = Auditor([bench.contract], [bench.certificate], bench.key.keyring)
    sample = list(signed_texts(bench.receipt(), bench.key, (f"sample.{number}" for number in range(2000))))
    figures: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        figures.setdefault(name, []).append(value)

    for number in range(given.rounds):
        with (
            tempfile.TemporaryDirectory(dir=given.folder) as folder,
            running(Path(folder), bench, ["--no-access-log"], given.ledger) as gate,
        ):
            unique = f"{os.getpid()}.{number}"
            made = (
                post(text)
                for text in signed_texts(bench.receipt(), bench.key, (f"{unique}.{n}" for n in itertools.count()))
            )
            warm = list(itertools.islice(made, 200))
            asyncio.run(saturation(gate.port, iter([*warm]), 201, 0.0, 1))
            ready = list(itertools.islice(made, int(given.seconds * 6000)))
            nothing = itertools.repeat(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
            note("answers 404 a second", asyncio.run(saturation(gate.port, nothing, 404, 3.0, given.connections)))
            requests = iter(ready)
            most = asyncio.run(saturation(gate.port, requests, 201, given.seconds, given.connections))
            note("receipts admitted a second, at most", most)
            found = sorted(asyncio.run(latencies(gate.port, requests, most / 2, given.seconds)))
            note("median at half of that, ms", statistics.median(found))
            note("p99 at half of that, ms", found[int(len(found) * 0.99)])
            note("p99.9 at half of that, ms", found[int(len(found) * 0.999)])
            disk = fsyncs(folder)
            note("median of fsync alone, ms", statistics.median(disk))
            note("p99 of fsync alone, ms", disk[int(len(disk) * 0.99)])
            del ready
        note("audits a second, alone", each_second(auditor.receipt, sample))
        note("json.loads a second, alone", each_second(json.loads, sample))
        note("SHA-256 a second, alone", each_second(lambda text: hashlib.sha256(text).digest(), sample))
    medians = {name: statistics.median(values) for name, values in figures.items()}
    load = os.getloadavg()
    if given.json:
        print(json.dumps({"medians": medians, "rounds": figures, "load": load}, indent=2))
    else:
        print(
            f"medians of {given.rounds} rounds of {given.seconds:g} s; load {load[0]:.1f} {load[1]:.1f} {load[2]:.1f}"
        )
        for name, value in medians.items():
            print(f"{value:12,.1f}  {name}  ({', '.join(f'{each:,.1f}' for each in figures[name])})")
    return int(medians["p99 at half of that, ms"] > GOAL)


if __name__ == "__main__":
    sys.exit(main())
