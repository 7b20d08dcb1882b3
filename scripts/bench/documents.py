"""Times this package beside openadapt-types in one run: medians over interleaved rounds, and the ratios.

    python scripts/bench/documents.py [--rounds N] [--calls N]

Needs the dependency group test. A figure is a measurement and no test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openadapt_types.reward as peer
import reward_receipts as ours

VECTORS = Path(__file__).resolve().parents[2] / "conformance" / "vectors" / "openadapt"
RECEIPT = VECTORS.parent / "worked" / "receipt.json"


def micro(name: str, target: float, pair: Sequence[Callable[[int], float]], rounds: int, calls: int) -> str:
    """A row: microseconds a call of ours and of the peer, medians of rounds that alternate, and the ratio of rates."""
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        for side, run in enumerate(pair):
            times[side].append(run(calls) / calls * 1e6)
    mine, other = map(statistics.median, times)
    return f"{name:46} {mine:9.3f} us {other:9.3f} us {other / mine:8.2f} x   (to show: {target:g} x)"


def timed(call: Callable[[], Any]) -> Callable[[int], float]:
    """How long n calls take, in seconds."""

    def run(n: int) -> float:
        start = time.perf_counter()
        for _ in range(n):
            call()
        return time.perf_counter() - start

    return run


def timed_fresh(make: Callable[[], Any], use: Callable[[Any], Any]) -> Callable[[int], float]:
    """How long n uses take, each of an object that was never used before; making them is not counted."""

    def run(n: int) -> float:
        total = 0.0
        for _ in range(n // 100):
            batch = [make() for _ in range(100)]
            start = time.perf_counter()
            for item in batch:
                use(item)
            total += time.perf_counter() - start
        return total

    return run


def side(package: Any, text: bytes) -> dict[str, Callable[[int], float]]:
    contract = package.RewardContractV1.model_validate_json((VECTORS / "contract.json").read_bytes())
    certificate = package.RewardCertificateV1.model_validate_json((VECTORS / "certificate.json").read_bytes())
    receipt_model = package.RewardEvidenceReceiptV1

    def parse() -> Any:
        return ours.read_document(text, "receipt") if package is ours else receipt_model.model_validate_json(text)

    receipts = [parse() for _ in range(50)]
    outcome, tier, update = package.RewardOutcomeV1.VERIFIED, package.OracleTier.SYSTEM_OF_RECORD, 7

    def refusals() -> None:
        for receipt in receipts:
            receipt.certification_refusals(contract, certificate)

    return {
        "score() with a certificate": timed(
            lambda: package.score(outcome, tier, certificate, update, contract=contract)
        ),
        "receipt.certification_refusals()": lambda n: timed(refusals)(n // 50),
        "receipt.digest of a fresh model": timed_fresh(parse, lambda receipt: receipt.digest),
        "text to receipt model, everything enforced": timed(parse),
    }


def wall(commands: Sequence[Sequence[str]], rounds: int) -> list[float]:
    """Median wall seconds of whole processes that alternate, after one warm-up each."""
    times: list[list[float]] = [[] for _ in commands]
    for turn in range(rounds + 1):
        for place, command in enumerate(commands):
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            if turn:
                times[place].append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--calls", type=int, default=2000)
    options = parser.parse_args()
    text = _one_receipt()
    mine, other = side(ours, text), side(peer, text)
    version = sys.version.split()[0]
    print(f"Python {version}; {options.rounds} rounds of {options.calls} calls; ours, openadapt-types, ratio")
    for (name, run), target in zip(mine.items(), (40, 100, 1.5, 0.5), strict=True):
        print(micro(name, target, (run, other[name]), options.rounds, options.calls))
    command = shutil.which("reward-receipts", path=str(Path(sys.executable).parent))
    if command is None:
        print("the command reward-receipts is not installed beside this Python", file=sys.stderr)
        return 2
    commands = [
        [command, "--help"],
        [command, "lint", str(RECEIPT)],
        [sys.executable, "-c", "import openadapt_types.reward"],
    ]
    help_time, lint_time, import_time = wall(commands, options.rounds)
    for name, taken, target in (("--help", help_time, 0.6), ("lint of one file", lint_time, 1.2)):
        print(
            f"reward-receipts {name:30} {taken * 1e3:9.0f} ms {import_time * 1e3:9.0f} ms "
            f"{taken / import_time:8.2f} of its wall time   (to show: at most {target:g})"
        )
    return 0


def _one_receipt() -> bytes:
    """The first signed receipt of the field, as a text of its own."""
    import json

    receipts = json.loads((VECTORS / "receipts.json").read_bytes())
    return json.dumps(receipts[0], indent=1).encode()


if __name__ == "__main__":
    sys.exit(main())
