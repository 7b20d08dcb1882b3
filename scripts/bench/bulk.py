"""Times bulk audits beside openadapt-types doing the same work on the same receipts, in one run.

    python scripts/bench/bulk.py [--count N] [--rounds N] [--json]

The receipts are distinct, of 8 pairs of contract and certificate; 1 in 200 is broken in each of 10 ways. Rounds
alternate between the two sides, and a figure is the median over the rounds of the ratio in each. The other side reads
one line after the other in one process:

    digests  RewardEvidenceReceiptV1.model_validate_json and the digest; what it refuses is caught
    audits   that, PyNaCl over the signatures of receipt and certificate, and certification_refusals

Both count verdicts, which have to agree with what was broken. Needs the dependency group test; with the extension
(pip install ./rust/python) both rows of it are timed too. The exit status is 0 unless the counts differ.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import openadapt_types.reward as peer
import reward_receipts as ours
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey
from reward_receipts.core.extension import SWITCH, extension

WORKED = Path(__file__).resolve().parents[2] / "conformance" / "vectors" / "worked"
PAIRS = 8
ONE_IN = 200
LEAST = {  # row, extension: at least so many times faster, with one worker and with two
    ("digests", "1"): (12, 18),
    ("digests", "0"): (2, 3.5),
    ("audits", "1"): (9, 14),
    ("audits", "0"): (1.25, 2.2),
}

Plain = dict[str, Any]
Break = Callable[[Plain, "Field"], bytes]


def _line(receipt: Plain) -> bytes:
    return json.dumps(receipt).encode()


def _changed(**members: Any) -> Break:
    """Members changed after it was signed."""
    return lambda receipt, field: _line({**receipt, **members})


def _signed(**members: Any) -> Break:
    """Members changed before it was signed."""
    return lambda receipt, field: _line(field.sign({**receipt, **members}))


BREAKS: dict[str, tuple[str, Break]] = {
    "torn": ("invalid", lambda receipt, field: _line(receipt)[:-40]),
    "member twice": ("invalid", lambda receipt, field: _line(receipt)[:-1] + b', "nonce": "another.nonce"}'),
    "unknown member": ("invalid", _changed(workflow="w")),
    "bad digest": ("invalid", _changed(evidence_digest="sha256:XYZ")),
    "rule broken": ("invalid", _changed(development_only=True)),
    "changed later": ("fails", _changed(episode_id="episode.of.another:1")),
    "wrong scalar": ("fails", _signed(scalar_reward=0.5)),
    "unknown component": ("fails", _signed(reward_components={"elsewhere": 1.0})),
    "expired": ("fails", _signed(policy_update=10_000_000)),
    "stranger": ("undecided", lambda receipt, field: _line(field.by_a_stranger(receipt))),
}


class Field:
    """Contracts, certificates and keys, and the receipts under them."""

    def __init__(self) -> None:
        self.key = ours.SigningKey.generate("bench.key:1")
        self.stranger = ours.SigningKey.generate("bench.stranger:1")
        contract = json.loads((WORKED / "contract_as_authored.json").read_bytes())
        certificate = json.loads((WORKED / "certificate.json").read_bytes())
        self.template = json.loads((WORKED / "receipt.json").read_bytes())
        self.contracts = [
            ours.RewardContractV1.model_validate({**contract, "task_id": f"bench.task:{number}"})
            for number in range(PAIRS)
        ]
        self.certificates = []
        for number, each in enumerate(self.contracts):
            names = {"reward_contract_digest": each.digest, "issuer_key_id": self.key.key_id}
            unsigned = {**certificate, **names, "certificate_id": f"bench.certificate:{number}"}
            self.certificates.append(ours.sign(ours.RewardCertificateV1.model_validate(unsigned), self.key))

    def sign(self, members: Plain, key: ours.SigningKey | None = None) -> Plain:
        signed = ours.sign(ours.RewardEvidenceReceiptV1.model_validate(members), key or self.key)
        plain: Plain = signed.model_dump(mode="json")
        return plain

    def by_a_stranger(self, members: Plain) -> Plain:
        return self.sign({**members, "issuer_key_id": self.stranger.key_id}, self.stranger)

    def receipt(self, number: int) -> Plain:
        pair = number % PAIRS
        return self.sign(
            {
                **self.template,
                "receipt_id": f"bench.receipt:{number}",
                "nonce": f"bench.nonce:{number}",
                "episode_id": f"bench.episode:{number}",
                "policy_update": 100 + number * 40 // max(self.count, 1),
                "reward_contract_digest": self.contracts[pair].digest,
                "certificate_digest": self.certificates[pair].digest,
                "certificate_id": self.certificates[pair].certificate_id,
                "issuer_key_id": self.key.key_id,
            }
        )

    def write(self, folder: Path, count: int) -> Counter[str]:
        """The files of a bench; how many receipts have each verdict."""
        self.count = count
        documents = folder / "documents"
        documents.mkdir()
        for number, (contract, certificate) in enumerate(zip(self.contracts, self.certificates, strict=True)):
            (documents / f"contract{number}.json").write_text(contract.model_dump_json())
            (documents / f"certificate{number}.json").write_text(certificate.model_dump_json())
        self.key.keyring.write(folder / "keyring.json")
        expected: Counter[str] = Counter()
        ways = list(BREAKS.values())
        with (folder / "receipts.jsonl").open("wb") as file:
            for number in range(count):
                receipt = self.receipt(number)
                verdict, line = "holds", _line(receipt)
                way = number % ONE_IN
                if way % 20 == 7:
                    verdict, broken = ways[way // 20]
                    line = broken(receipt, self)
                expected[verdict] += 1
                file.write(line + b"\n")
        return expected


_OURS = """
import json, resource, sys, time
from collections import Counter
from pathlib import Path
import reward_receipts as ours
from reward_receipts.bulk import Auditor, Documents
from reward_receipts.bulk.auditor import Good
from reward_receipts.bulk.summary import Summary

def main():
    folder, level, workers = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    documents = Documents.from_folder(str(folder / "documents"))
    keyring = ours.Keyring.from_file(folder / "keyring.json")
    auditor = Auditor(documents.contracts.values(), documents.certificates.values(), keyring, level=level)
    totals = Summary(documents)
    start = time.perf_counter()
    for _, found in auditor.counted([str(folder / "receipts.jsonl")], workers=workers):
        for each in found:
            totals.count(each) if isinstance(each, Good) else totals.add(each)
    taken = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"seconds": taken, "verdicts": dict(totals.verdicts), "peak": peak, "children": children}))

if __name__ == "__main__":
    main()
"""


def timed(folder: Path, level: str, workers: int, switch: str) -> dict[str, Any]:
    """One run of ours in a process of its own."""
    script = folder / "ours.py"
    script.write_text(_OURS)
    command = [sys.executable, str(script), str(folder), level, str(workers)]
    ran = subprocess.run(command, env={**os.environ, SWITCH: switch}, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


class Peer:
    """The other side, with what it holds."""

    def __init__(self, field: Field, lines: Iterable[bytes]) -> None:
        self.lines = list(lines)
        read = peer.RewardContractV1.model_validate_json, peer.RewardCertificateV1.model_validate_json
        contracts = [read[0](each.model_dump_json()) for each in field.contracts]
        certificates = [read[1](each.model_dump_json()) for each in field.certificates]
        self.contracts = {each.digest: each for each in contracts}
        self.certificates = {each.digest: each for each in certificates}
        self.keys = {field.key.key_id: VerifyKey(base64.b64decode(field.key.public_key))}

    def digests(self) -> None:
        for line in self.lines:
            try:
                receipt = peer.RewardEvidenceReceiptV1.model_validate_json(line)
            except ValueError:
                continue
            assert receipt.digest

    def audits(self) -> None:
        for line in self.lines:
            try:
                receipt = peer.RewardEvidenceReceiptV1.model_validate_json(line)
            except ValueError:
                continue
            assert receipt.digest
            contract = self.contracts.get(receipt.reward_contract_digest)
            certificate = self.certificates.get(receipt.certificate_digest)
            if contract is None or certificate is None or receipt.issuer_key_id not in self.keys:
                continue
            try:
                for document in (receipt, certificate):
                    message = json.dumps(document.unsigned_payload(), sort_keys=True, separators=(",", ":")).encode()
                    self.keys[document.issuer_key_id].verify(message, base64.b64decode(document.signature))
            except BadSignatureError:
                continue
            receipt.certification_refusals(contract, certificate)


def seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def floors(lines: list[bytes], field: Field) -> dict[str, float]:
    """Microseconds a line of parsing alone, SHA-256 alone and verification alone."""
    good = json.loads(lines[0])
    receipt = ours.RewardEvidenceReceiptV1.model_validate(good)
    message, signature = ours.canonical_json_bytes(receipt.unsigned_payload()), base64.b64decode(receipt.signature)
    key = VerifyKey(base64.b64decode(field.key.public_key))

    def parse() -> None:
        for line in lines:
            with contextlib.suppress(ValueError):
                json.loads(line)

    work = {
        "json.loads alone": parse,
        "SHA-256 alone": lambda: [hashlib.sha256(line).digest() for line in lines],
        "libsodium alone": lambda: [key.verify(message, signature) for _ in lines],
    }
    return {name: seconds(run) / len(lines) * 1e6 for name, run in work.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200_000, help="receipts")
    parser.add_argument("--peer-count", type=int, default=0, help="lines that the other side reads; all by default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="the figures as JSON, and nothing else")
    options = parser.parse_args()
    say: Callable[[str], Any] = (lambda text: None) if options.json else print
    switches = ("1", "0") if extension() is not None else ("0",)
    figures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder, field = Path(name), Field()
        expected = field.write(folder, options.count)
        with (folder / "receipts.jsonl").open("rb") as file:
            lines = [line for line, _ in zip(file, range(options.peer_count or options.count), strict=False)]
        other = Peer(field, lines)
        load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
        say(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load}; {options.count} receipts")
        for row, level, run in (("digests", "schema", other.digests), ("audits", "audit", other.audits)):
            taken: dict[tuple[str, int], list[tuple[float, float]]] = {}
            peaks: dict[tuple[str, int], int] = {}
            for _ in range(options.rounds):
                theirs = seconds(run) / len(lines)
                for switch in switches:
                    for workers in (1, 2):
                        found = timed(folder, level, workers, switch)
                        counts = Counter({"holds": 0, **found["verdicts"]})
                        right = expected
                        if level == "schema":
                            right = Counter(valid=expected.total() - expected["invalid"], invalid=expected["invalid"])
                        if +counts != +right:
                            print(f"{row}: {+counts} differs from {+right}", file=sys.stderr)
                            return 1
                        taken.setdefault((switch, workers), []).append((theirs, found["seconds"] / options.count))
                        peaks[switch, workers] = max(found["peak"], found["children"])
            for (switch, workers), pairs in taken.items():
                mine = statistics.median(my for _, my in pairs)
                theirs = statistics.median(their for their, _ in pairs)
                ratio = statistics.median(their / my for their, my in pairs)
                least = LEAST[row, switch][workers - 1]
                core = "with the core" if switch == "1" else "without"
                met = "" if ratio >= least else "  missed"
                say(
                    f"{row:8} {core:14} {workers} worker(s): {mine * 1e6:8.2f} us, theirs {theirs * 1e6:8.2f} us, "
                    f"{ratio:6.2f} x, at least {least:g}{met}; peak {peaks[switch, workers] / 1024:.0f} MiB a process"
                )
                figures.append(
                    {
                        "row": row,
                        "core": switch == "1",
                        "workers": workers,
                        "ours_us": mine * 1e6,
                        "theirs_us": theirs * 1e6,
                        "ratio": ratio,
                        "least": least,
                        "peak_mib": peaks[switch, workers] / 1024,
                    }
                )
        for floor, cost in floors(lines[:20_000], field).items():
            say(f"floor: {floor:20} {cost:8.2f} us")
    if options.json:
        print(json.dumps(figures, indent=1))
    else:
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"(this process, with the other side's lines: {own / 1024:.0f} MiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
