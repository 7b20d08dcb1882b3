"""Times an Issuer and what a trainer's adapter adds to a batch, each beside a floor that takes turns with it.

    python scripts/bench/issuing.py [--rounds N] [--receipts N] [--batch N]

Issuing is beside signing alone: the same key over messages of the same length. The adapter is beside building the same
columns of the same batch from plain readings, which a reward function does in any case. CPU seconds of one process,
medians over rounds. A figure is a measurement and no test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import reward_receipts as rr
from reward_receipts.integrations import trl
from reward_receipts.integrations.scoring import Reading, Scoring

WORKED = Path(__file__).resolve().parents[2] / "conformance" / "vectors" / "worked"
EVIDENCE = "sha256:" + "c" * 64
UPDATE = 120


def parties() -> tuple[rr.RewardContractV1, rr.RewardCertificateV1, rr.SigningKey]:
    """A contract of two components, a certificate, and the key of both."""
    contract = rr.RewardContractV1.model_validate_json((WORKED / "contract_as_authored.json").read_bytes())
    key = rr.SigningKey.generate("key.bench.0001")
    certificate = rr.issue_certificate(
        contract=contract,
        epsilon=0.01,
        checker_configuration_digest=EVIDENCE,
        issued_at_policy_update=100,
        signing_key=key,
    )
    return contract, certificate, key


def cpu(call: Callable[[], Any]) -> float:
    """The CPU seconds of a call, garbage of the calls before it not counted."""
    gc.collect()
    start = time.process_time()
    call()
    return time.process_time() - start


def each_of(call: Callable[[Any], Any], arguments: Iterable[Any]) -> None:
    """Calls a function with each argument, and keeps nothing."""
    for each in arguments:
        call(each)


def issuing(rounds: int, receipts: int, batch: int) -> list[str]:
    """Rows for receipts that are written to a file, one by one and in batches, and for signing alone."""
    contract, certificate, key = parties()
    numbers = count()

    def episodes(number: int) -> list[rr.Episode]:
        return [
            rr.Episode(
                episode_id=f"episode.{next(numbers):012d}",
                outcome="verified",
                tier=2,
                policy_update=UPDATE,
                policy_checkpoint_id="checkpoint.00000120",
                evidence_digest=EVIDENCE,
                reward_components={"terminal_effect": 1.0, "halt_on_uncertainty": 0.25},
            )
            for _ in range(number)
        ]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "receipts.jsonl"
        with rr.Issuer(contract, certificate, key, path=path) as issuer:
            issuer.issue_batch(episodes(100))
            message = path.read_bytes().splitlines()[0]
            times: dict[str, list[float]] = {"signing alone": [], "one by one": [], f"batches of {batch}": []}
            for _ in range(rounds):
                given = episodes(receipts)
                times["one by one"].append(cpu(lambda given=given: each_of(issuer.issue, given)))
                times["signing alone"].append(cpu(lambda: [key.signature_of(message) for _ in range(receipts)]))
                parts = [episodes(batch) for _ in range(receipts // batch)]
                name = f"batches of {batch}"
                times[name].append(cpu(lambda parts=parts: each_of(issuer.issue_batch, parts)))
    rows = []
    for name, seconds in times.items():
        number = receipts // batch * batch if name.startswith("batches") else receipts
        rate = number / statistics.median(seconds)
        target = "" if name == "signing alone" else "   (to show: at least 10,000)"
        rows.append(f"issuing, {name:18} {rate:10,.0f} receipts/s {1e6 / rate:8.1f} us{target}")
    return rows


def adapter(rounds: int, batch: int) -> list[str]:
    """A row for what the reward functions of TRL's module add to a sample, over building the same columns plainly."""
    contract, certificate, key = parties()
    outcomes = ["verified", "verified", "refused", "wrong_effect", "failed_platform"]
    readings = [
        Reading(
            outcome, 2, {} if outcome == "failed_platform" else {"terminal_effect": 1.0, "halt_on_uncertainty": 0.1}
        )
        for outcome in (outcomes[number % len(outcomes)] for number in range(batch))
    ]
    trl.require = lambda trainer: None  # type: ignore[assignment]  # measured without TRL installed, which it never calls
    scoring = Scoring(contract, certificate, keyring=key.keyring, on_drop=lambda drop: None)
    rewards = trl.GRPORewards(scoring, lambda **given: readings)
    state = SimpleNamespace(global_step=UPDATE)

    def adapted() -> None:
        given = {"prompts": readings, "completions": list(readings), "trainer_state": state}
        logged = {"log_metric": lambda name, value: None, "log_extra": lambda name, values: None}
        for function in rewards.functions:
            function(**given, **logged)

    scalars = {outcome: contract.scoring.scalar_for(outcome) for outcome in outcomes}

    def plain() -> None:
        [scalars[str(each.outcome)] for each in readings]
        for name in contract.component_names:
            [each.components.get(name) for each in readings]

    times: list[list[float]] = [[], []]
    repeats = max(1, 20_000 // batch)
    for _ in range(rounds):
        for side, call in enumerate((plain, adapted)):
            times[side].append(cpu(lambda call=call: [call() for _ in range(repeats)]) / (repeats * batch) * 1e6)
    without, with_adapter = map(statistics.median, times)
    added = statistics.median(b - a for a, b in zip(*times, strict=True))
    return [
        f"adapter, batches of {batch}: {with_adapter:.2f} us a sample, plain columns {without:.2f} us, "
        f"added {added:.2f} us   (to show: at most 5)"
    ]


def main() -> int:
    """Prints the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--receipts", type=int, default=5000)
    parser.add_argument("--batch", type=int, default=64)
    options = parser.parse_args()
    for row in issuing(options.rounds, options.receipts, options.batch):
        print(row)
    for batch in (8, options.batch, 1024):
        for row in adapter(options.rounds, batch):
            print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
