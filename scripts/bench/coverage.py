"""How often a bound is right, over 10,000 simulated corpora of a checker that is known: a table, and an exit status.

    python scripts/bench/coverage.py         # needs reward-receipts[calibration], takes a second

Two ways keep to 1 - delta: the bound at a threshold that was fixed beforehand, and Learn then Test. Two naive ones do
not: the loosest threshold that looks good enough on the corpus, and the bound of the best of 20 settings. The exit
status is 1 if a way that has to keep to 1 - delta is further below it than four standard errors of the simulation.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from reward_receipts.calibration import binomial_tail, clopper_pearson_upper

CORPORA = 10_000
DELTA = 0.05
EPSILON = 0.05
TRIALS = 300
LEAST = 1 - DELTA - 4 * math.sqrt(DELTA * (1 - DELTA) / CORPORA)
"""Four standard errors of the simulation below 1 - delta."""
GRID = np.linspace(0.99, 0.5, 50)
"""Thresholds, the strictest first. The scores of faulty trials are uniform, so P(false accept) is 1 - threshold."""


def false_accepts() -> Any:
    """The false accepts of each corpus at each threshold of the grid."""
    scores = np.random.default_rng(2110).random((CORPORA, TRIALS), dtype=np.float32)
    return np.stack([(scores >= threshold).sum(axis=1) for threshold in GRID], axis=1)


def kept(risks: Any, bounds: Any) -> float:
    """The share of corpora whose P(false accept) is at most what is claimed."""
    return float(np.mean(risks <= bounds))


def coverage() -> dict[str, float]:
    """How often each way of certifying is right; docs/calibration.md has the table."""
    counts = false_accepts()
    risks = 1 - GRID
    bounds = np.array([clopper_pearson_upper(count, TRIALS, DELTA) for count in range(TRIALS + 1)])
    passes = np.array([binomial_tail(count, TRIALS, EPSILON) <= DELTA for count in range(TRIALS + 1)])
    fixed = 4  # P(false accept) is 0.05 there
    failed = ~passes[counts]
    first_failure = np.where(failed.any(axis=1), failed.argmax(axis=1), len(GRID))
    learned = np.where(first_failure == 0, 0.0, risks[np.maximum(first_failure - 1, 0)])  # none passed: nothing claimed
    observed = counts / TRIALS <= EPSILON
    loosest = np.where(observed.any(axis=1), len(GRID) - 1 - observed[:, ::-1].argmax(axis=1), 0)
    settings = np.random.default_rng(11).binomial(TRIALS, EPSILON, (CORPORA, 20))  # 20 settings, all of them equal
    return {
        "one threshold, fixed beforehand; its bound": kept(risks[fixed], bounds[counts[:, fixed]]),
        "Learn then Test, 50 thresholds": kept(learned, EPSILON),
        "naive: the loosest threshold with an observed rate within epsilon": kept(risks[loosest], EPSILON),
        "naive: the best of 20 settings; its bound": kept(EPSILON, bounds[settings.min(axis=1)]),
    }


def main() -> int:
    """Prints the table."""
    found = coverage()
    print(f"{'way':<70}{'right in':>10}")
    for way, share in found.items():
        print(f"{way:<70}{share:>10.4f}")
    print(f"{CORPORA} corpora of {TRIALS} trials; 1 - delta is {1 - DELTA}, and less than {LEAST:.4f} is not a chance")
    return int(min(list(found.values())[:2]) < LEAST)


if __name__ == "__main__":
    sys.exit(main())
