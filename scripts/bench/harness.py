"""The overhead of the harness over the bare trainer on CartPole: pairs of runs, tracing to Parquet included.

    python scripts/bench/harness.py --steps 20000 --rounds 5

Needs Stable-Baselines3. Printed are CPU seconds and the median of the ratios of the pairs.

"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import gymnasium
from reward_receipts.experiments import Experiment
from reward_receipts.experiments.harness import run

ARGUMENTS = {"algorithm": "PPO", "policy": "MlpPolicy", "n_steps": 512}


def bare(steps: int) -> None:
    from stable_baselines3 import PPO

    PPO("MlpPolicy", gymnasium.make("CartPole-v1"), n_steps=512, seed=0, device="cpu").learn(steps)


def with_harness(steps: int, folder: Path) -> None:
    trainer = {"name": "stable-baselines3", "arguments": ARGUMENTS}
    said = {
        "name": "bench",
        "environment": {"id": "CartPole-v1"},
        "trainer": trainer,
        "total_steps": steps,
        "seeds": [0],
    }
    (status,) = run(Experiment.from_dict(said), folder, say=lambda line: None)
    assert status.state == "complete", status.error


def cpu(work: object, *arguments: object) -> float:
    started = time.process_time()
    work(*arguments)  # type: ignore[operator]
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        cpu(bare, 512)  # what is imported and made once is in neither side
        cpu(with_harness, 512, Path(folder) / "warm")
        for place in range(given.rounds):
            one = cpu(bare, given.steps)
            pairs.append((one, cpu(with_harness, given.steps, Path(folder) / str(place))))
    for one, other in pairs:
        print(f"bare {one:.2f} s, harness {other:.2f} s, ratio {other / one:.3f}")
    print(f"median ratio {statistics.median(other / one for one, other in pairs):.3f}")


if __name__ == "__main__":
    main()
