"""Times the extension reward_receipts_core, and the package without it, beside openadapt-types in one run.

    python scripts/bench/core.py [--rounds N] [--receipts N] [--lines N] [--json]

Rounds alternate between the two sides, and a figure is the median over the rounds of the ratio in each, so that load
moves both. The other side does the same work on the same receipts:

    (a)  RewardEvidenceReceiptV1.model_validate_json
    (b)  that, and the digest
    (c)  that, PyNaCl over the receipt's and the certificate's signature, and certification_refusals
    (c1) the same without the certificate's signature, which our side verifies once

Needs the dependency group test, and the extension (pip install ./rust/python). A figure is a measurement and no test:
the exit status is 0, or 2 if the extension is not in use.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openadapt_types.reward as peer
import reward_receipts as ours
from nacl.signing import VerifyKey
from reward_receipts.core import extension

VECTORS = Path(__file__).resolve().parents[2] / "conformance" / "vectors" / "openadapt"
KIND = "receipt"


@dataclass(frozen=True)
class Row:
    """A figure: what is done, how many times faster than which work of the other side it should at least be."""

    name: str
    least: float
    against: str
    run: Callable[[], Any]


@contextmanager
def without_extension() -> Iterator[None]:
    """The package as if the extension were not installed."""
    found = extension.extension
    extension.extension = lambda: None  # type: ignore[assignment]
    try:
        yield
    finally:
        extension.extension = found


class Work:
    """The receipts, and what both sides hold."""

    def __init__(self, receipts: int, lines: int) -> None:
        field = json.loads((VECTORS / "receipts.json").read_bytes())
        contract, certificate = (VECTORS / name for name in ("contract.json", "certificate.json"))
        key = base64.b64decode((VECTORS / "public_key.txt").read_text().strip())
        self.texts = [json.dumps(field[place % len(field)]).encode() for place in range(receipts)]
        self.buffer = b"".join(json.dumps(field[place % len(field)]).encode() + b"\n" for place in range(lines))
        self.lines = lines
        self.contract = ours.RewardContractV1.model_validate_json(contract.read_bytes())
        self.certificate = ours.RewardCertificateV1.model_validate_json(certificate.read_bytes())
        self.key_id = self.certificate.issuer_key_id
        self.keyring = ours.Keyring({self.key_id: key})
        with without_extension():
            self.plain_keyring = ours.Keyring({self.key_id: key})
        auditor = extension.auditor([self.contract], [self.certificate], {self.key_id: key})
        assert auditor is not None
        self.auditor = auditor
        self.peer_contract = peer.RewardContractV1.model_validate_json(contract.read_bytes())
        self.peer_certificate = peer.RewardCertificateV1.model_validate_json(certificate.read_bytes())
        self.verify_key = VerifyKey(key)
        self.canonical = ours.canonical_json_bytes(ours.read_document(self.texts[0]))
        signed = ours.read_document(self.texts[0])
        assert isinstance(signed, ours.RewardEvidenceReceiptV1)
        self.message = ours.canonical_json_bytes(signed.unsigned_payload())
        self.signature = base64.b64decode(signed.signature)
        self.table = extension.verifying_key(key)
        for _ in range(32):  # its table is made
            assert self.table.verifies(self.signature, self.message)

    def each(self, call: Callable[[bytes], Any]) -> Callable[[], None]:
        """A run over the receipts, one text at a time."""

        def run() -> None:
            for text in self.texts:
                call(text)

        return run

    def peer_verified(self, document: Any) -> None:
        """PyNaCl over the signature of a document of the other package."""
        message = json.dumps(document.unsigned_payload(), sort_keys=True, separators=(",", ":")).encode()
        self.verify_key.verify(message, base64.b64decode(document.signature))

    def peer_audit(self, text: bytes, certificate: bool) -> None:
        """Work (c), or (c1)."""
        receipt = peer.RewardEvidenceReceiptV1.model_validate_json(text)
        assert receipt.digest
        self.peer_verified(receipt)
        if certificate:
            self.peer_verified(self.peer_certificate)
        receipt.certification_refusals(self.peer_contract, self.peer_certificate)

    def audit(self, text: bytes, keyring: ours.Keyring) -> None:
        """Text to audit, by the package's functions."""
        receipt = ours.read_document(text, KIND)
        assert isinstance(receipt, ours.RewardEvidenceReceiptV1)
        assert ours.audit(receipt, self.contract, self.certificate, keyring=keyring)


def others(work: Work) -> dict[str, Callable[[], None]]:
    """The work of the other side."""
    parse = peer.RewardEvidenceReceiptV1.model_validate_json
    return {
        "a": work.each(parse),
        "b": work.each(lambda text: parse(text).digest),
        "c": work.each(lambda text: work.peer_audit(text, certificate=True)),
        "c1": work.each(lambda text: work.peer_audit(text, certificate=False)),
    }


def with_extension(work: Work) -> list[Row]:
    """The rows of one receipt at a time."""
    read = ours.read_document
    audit = work.each(lambda text: work.audit(text, work.keyring))
    holds = work.each(work.auditor.holds)
    return [
        Row("text to verdict", 8, "a", work.each(lambda text: extension.kind_of(text, KIND))),
        Row("text to verdict and digest", 12, "b", work.each(lambda text: extension.accept(text, KIND))),
        Row("text to a frozen model", 3, "a", work.each(lambda text: read(text, KIND))),
        Row("text to model and digest", 6, "b", work.each(lambda text: read(text, KIND).digest)),
        Row("text to audit: read_document, audit", 8, "c", audit),
        Row("text to audit: read_document, audit", 8, "c1", audit),
        Row("text to audit: whether it holds", 8, "c", holds),
        Row("text to audit: whether it holds", 8, "c1", holds),
    ]


def over_buffers(work: Work) -> list[Row]:
    """The rows of a buffer."""

    def digests(threads: int) -> None:
        checked = extension.check_lines(work.buffer, KIND, threads=threads)
        assert checked is not None
        assert len(checked.digests()) == checked.accepted == work.lines

    def audits(threads: int) -> None:
        assert work.auditor.audit_lines(work.buffer, threads=threads).accepted == work.lines

    names = {1: "one thread", 2: "two threads"}
    rows = [
        Row(f"JSON Lines, digests, {names[threads]}", least, "b", lambda threads=threads: digests(threads))
        for threads, least in ((1, 12), (2, 16))
    ]
    return rows + [
        Row(f"JSON Lines, audits, {names[threads]}", least, against, lambda threads=threads: audits(threads))
        for threads, least in ((1, 9), (2, 13))
        for against in ("c", "c1")
    ]


def without(work: Work) -> list[Row]:
    """The rows of the package without the extension."""
    return [
        Row("without: text to a frozen model", 0.9, "a", work.each(lambda text: ours.read_document(text, KIND))),
        Row("without: text to audit", 1.25, "c", work.each(lambda text: work.audit(text, work.plain_keyring))),
        Row("without: text to audit", 1.25, "c1", work.each(lambda text: work.audit(text, work.plain_keyring))),
    ]


def floors(work: Work) -> dict[str, Callable[[], None]]:
    """What no implementation that does the work can be faster than."""
    return {
        "json.loads alone": work.each(json.loads),
        "SHA-256 alone": work.each(lambda text: hashlib.sha256(work.canonical).hexdigest()),
        "libsodium alone": work.each(lambda text: work.verify_key.verify(work.message, work.signature)),
        "a table per key alone": work.each(lambda text: work.table.verifies(work.signature, work.message)),
    }


def seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@dataclass(frozen=True)
class Figure:
    """A row as it was measured: microseconds a receipt of both sides, and the median of the ratios."""

    name: str
    against: str
    ours: float
    other: float
    ratio: float
    least: float

    def __str__(self) -> str:
        met = "" if self.ratio >= self.least else "  missed"
        return (
            f"{self.name:40} {self.ours:9.2f} us {self.other:9.2f} us {self.ratio:7.2f} x ({self.against})"
            f"   at least {self.least:g}{met}"
        )


def compare(
    rows: Sequence[Row], other: dict[str, Callable[[], None]], counts: tuple[int, int], rounds: int
) -> list[Figure]:
    """Each row beside the work of the other side, in rounds that alternate."""
    mine: list[list[float]] = [[] for _ in rows]
    theirs: list[list[float]] = [[] for _ in rows]
    count, other_count = counts
    for turn in range(rounds + 1):
        for place, row in enumerate(rows):
            taken = seconds(other[row.against]) / other_count, seconds(row.run) / count
            if turn:  # the first round warms both up
                theirs[place].append(taken[0] * 1e6)
                mine[place].append(taken[1] * 1e6)
    figures = []
    for row, one, two in zip(rows, mine, theirs, strict=True):
        ratio = statistics.median(their / my for my, their in zip(one, two, strict=True))
        figures.append(Figure(row.name, row.against, statistics.median(one), statistics.median(two), ratio, row.least))
    return figures


_MEMORY = """
import resource, sys
from reward_receipts.core import extension
import reward_receipts as ours
from pathlib import Path
vectors, path, what = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
read = lambda name: ours.read_document((vectors / name).read_bytes())
contract, certificate = read("contract.json"), read("certificate.json")
import base64
key = base64.b64decode((vectors / "public_key.txt").read_text().strip())
auditor = extension.auditor([contract], [certificate], key)
data = open(path, "rb").read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
checked = auditor.audit_lines(data, threads=2) if what == "audits" else extension.check_lines(data, threads=2)
assert checked.accepted == len(checked), (checked.accepted, len(checked))
print(len(checked), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def memory(work: Work, copies: int) -> Iterator[str]:
    """How much the peak of a process grows while it takes in a buffer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "receipts.jsonl")
        with path.open("wb") as file:
            for _ in range(copies):
                file.write(work.buffer)
        for what in ("digests", "audits"):
            command = [sys.executable, "-c", _MEMORY, str(VECTORS), str(path), what]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            count, kibibytes = map(int, done.stdout.split())
            most = 16 + 64 * count / 1024**2
            yield (
                f"memory over {count} lines ({path.stat().st_size / 1024**2:.0f} MiB), {what}, two threads: "
                f"{kibibytes / 1024:.1f} MiB   at most {most:.1f} MiB (16 MiB and 64 B a receipt)"
            )


def command(work: Work, rounds: int) -> Iterator[str]:
    """CPU time of `reward-receipts audit` a line beside that of the library's functions, with and without."""
    program = shutil.which("reward-receipts", path=str(Path(sys.executable).parent))
    if program is None:
        yield "the command reward-receipts is not installed beside this Python"
        return
    with tempfile.TemporaryDirectory() as folder:
        keyring, lines, one = (Path(folder, name) for name in ("keyring.json", "receipts.jsonl", "one.jsonl"))
        signer = ours.SigningKey.generate("bench.key:1")
        held = work.keyring | signer.keyring
        held.write(keyring)
        with without_extension():
            plain_held = work.plain_keyring | ours.Keyring.from_file(keyring)
        field = json.loads((VECTORS / "receipts.json").read_bytes())
        texts = []
        for place in range(20_000):
            ids = {"receipt_id": f"receipt.bench:{place}", "nonce": f"nonce.bench:{place}"}
            receipt = ours.sign({**field[place % len(field)], **ids, "issuer_key_id": signer.key_id}, signer)
            texts.append(ours.canonical_json_bytes(receipt))
        lines.write_bytes(b"\n".join(texts) + b"\n")
        one.write_bytes(texts[0] + b"\n")
        given = ["--contract", VECTORS / "contract.json", "--certificate", VECTORS / "certificate.json"]
        for switch in ("0", "1"):
            environment = {**os.environ, "REWARD_RECEIPTS_CORE": switch}

            def taken(path: Path, environment: dict[str, str] = environment) -> float:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                run = [program, "audit", str(path), *map(str, given), "--keyring", str(keyring)]
                subprocess.run(run, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

            def library(switch: str = switch) -> float:
                def run() -> None:
                    for text in texts[:2000]:
                        receipt = ours.read_document(text, KIND)
                        keys = held if switch == "1" else plain_held
                        assert isinstance(receipt, ours.RewardEvidenceReceiptV1)
                        ours.audit(receipt, work.contract, work.certificate, keyring=keys)

                start = time.process_time()
                if switch == "0":
                    with without_extension():
                        run()
                else:
                    run()
                return time.process_time() - start

            a_line = [(taken(lines) - taken(one)) / len(texts) for _ in range(rounds)]
            a_call = [library() / 2000 for _ in range(rounds)]
            ratio = statistics.median(call / line for call, line in zip(a_call, a_line, strict=True))
            yield (
                f"{'with' if switch == '1' else 'without'} it: audit command over {len(texts)} lines, CPU a line "
                f"{statistics.median(a_line) * 1e6:.1f} us; read_document and audit "
                f"{statistics.median(a_call) * 1e6:.1f} us; {ratio:.2f} of the library's rate"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--receipts", type=int, default=420, help="receipts in a round, one text at a time")
    parser.add_argument("--lines", type=int, default=8400, help="lines of the buffer")
    parser.add_argument("--json", action="store_true", help="the figures of the tables as JSON, and nothing else")
    options = parser.parse_args()
    if extension.extension() is None:
        print("reward_receipts_core is not in use here; pip install ./rust/python", file=sys.stderr)
        return 2
    work = Work(options.receipts, options.lines)
    other = others(work)
    figures = compare(with_extension(work), other, (options.receipts, options.receipts), options.rounds)
    figures += compare(over_buffers(work), other, (options.lines, options.receipts), options.rounds)
    with without_extension():
        figures += compare(without(work), other, (options.receipts, options.receipts), options.rounds)
    if options.json:
        print(json.dumps([figure.__dict__ for figure in figures], indent=1))
        return 0
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load}; {options.rounds} rounds of")
    print(f"{options.receipts} receipts or {options.lines} lines; ours, openadapt-types, median of the ratios")
    print(*figures, sep="\n")
    for name, run in floors(work).items():
        taken = statistics.median(seconds(run) for _ in range(options.rounds)) / options.receipts * 1e6
        print(f"floor: {name:33} {taken:9.2f} us")
    for line in memory(work, copies=24):
        print(line)
    for line in command(work, rounds=3):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
