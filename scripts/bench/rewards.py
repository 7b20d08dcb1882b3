"""Times the three forms of a reward spec beside a loop that someone would write by hand, in one run.

    python scripts/bench/rewards.py [--rounds N] [--steps N]

Seven terms with clips, two gates, the same raw values for all. The loop goes over dictionaries and checks nothing. The
figures are medians of short rounds in which the forms take turns; a ratio is the median of the rounds' own ratios, so
that what else the machine does weighs on both sides. Needs reward-receipts[envs]. A figure is a measurement and no
test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any

import numpy as np
from reward_receipts.rewards import (
    CompositionEngine,
    RewardComponent,
    RewardSignal,
    RewardSpec,
    StepContext,
    VectorisedReward,
    compile_reward,
)

ENVIRONMENTS = 4096

TERMS: dict[str, dict[str, Any]] = {
    "progress": {"weight": 1.0, "clip": (-1.0, 1.0)},
    "upright": {"weight": 0.5, "clip": (0.0, 1.0)},
    "speed": {"weight": 0.25, "clip": (-1.0, 1.0)},
    "contact": {"weight": 0.3, "clip": (0.0, 1.0)},
    "effort": {"weight": -0.1, "clip": (0.0, 1.0)},
    "jerk": {"weight": -0.05, "clip": (0.0, 1.0)},
    "delay": {"weight": -0.2, "clip": (0.0, 1.0)},
}
GATES = (("speed", "upright"), ("contact", "progress"))


def by_hand(raw: dict[str, float]) -> tuple[float, dict[str, float]]:
    """The same arithmetic without checks, as it is in many a training loop."""
    contributions = {}
    for name, term in TERMS.items():
        value = raw[name]
        low, high = term["clip"]
        if value < low:
            value = low
        elif value > high:
            value = high
        contributions[name] = term["weight"] * value
    for name, requires in GATES:
        if contributions[requires] <= 0.0:
            contributions[name] = 0.0
    total = 0.0
    for value in contributions.values():
        total += value
    return total, contributions


def reading(name: str) -> type[RewardComponent]:
    """A component that reads its value from the step's extras."""

    class Reading(RewardComponent):
        reads = ("extras",)

        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(ctx.extras[name])

    Reading.name = name
    return Reading


def timed(call: Callable[[Any], Any], arguments: Sequence[Any]) -> Callable[[int], float]:
    """How long n calls take, in seconds, with these arguments over and over."""

    def run(n: int) -> float:
        steps = list(islice(cycle(arguments), n))
        start = time.perf_counter()
        for step in steps:
            call(step)
        return time.perf_counter() - start

    return run


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=101)
    parser.add_argument("--steps", type=int, default=1000)
    options = parser.parse_args(arguments)

    spec = RewardSpec.from_dict(
        {
            "name": "walker",
            "components": [{"type": name, **term, "clip": list(term["clip"])} for name, term in TERMS.items()],
            "gates": [{"component": component, "requires": requires} for component, requires in GATES],
        }
    )
    registry = {name: reading(name) for name in TERMS}
    engine, compiled = CompositionEngine(spec, registry=registry), compile_reward(spec, registry)
    vectorised = VectorisedReward(spec, ENVIRONMENTS, registry)

    rng = Random("steps")
    steps = [{name: rng.uniform(-1.5, 1.5) for name in TERMS} for _ in range(ENVIRONMENTS)]
    columns = [list(step.values()) for step in steps]
    contexts = [StepContext(number, extras=step) for number, step in enumerate(steps)]
    values, never = np.array(columns).T.copy(), np.zeros(ENVIRONMENTS, dtype=np.bool_)
    totals = [by_hand(step)[0] for step in steps]
    assert [engine.compute_step(ctx).total for ctx in contexts] == totals
    assert [compiled.compute_step(column)[0] for column in columns] == totals
    assert vectorised.compute_step(values, never).totals.tolist() == totals

    few = slice(0, 256)  # small enough that the values stay near
    arrays = max(1, options.steps // 25)
    runs: dict[str, tuple[Callable[[int], float], int, int]] = {  # with the calls of a round, and the steps of a call
        "by hand": (timed(by_hand, steps[few]), options.steps, 1),
        "plain": (timed(engine.compute_step, contexts[few]), options.steps, 1),
        "plain, contributions read": (
            timed(lambda ctx: engine.compute_step(ctx).contributions, contexts[few]),
            options.steps,
            1,
        ),
        "compiled": (timed(compiled.compute_step, columns[few]), options.steps, 1),
        "vectorised": (timed(lambda array: vectorised.compute_step(array, never), [values]), arrays, ENVIRONMENTS),
    }
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, (run, calls, size) in runs.items():
            taken[name].append(run(calls) / (calls * size) * 1e6)

    version = sys.version.split()[0]
    print(
        f"Python {version}, NumPy {np.__version__}; microseconds a step, medians of {options.rounds} rounds of "
        f"{options.steps} steps; {len(TERMS)} terms, {len(GATES)} gates"
    )
    hand = taken["by hand"]
    print(f"{'loop written by hand':46} {statistics.median(hand):9.4f} us")
    for label, name, slower, limit in (
        ("plain engine", "plain", True, "at most 6"),
        ("plain engine, contributions read", "plain, contributions read", True, "-"),
        ("compiled for the spec", "compiled", True, "less than 1"),
        (f"vectorised over {ENVIRONMENTS} environments", "vectorised", False, "at least 50"),
    ):
        ratios = [own / other if slower else other / own for own, other in zip(taken[name], hand, strict=True)]
        what = "x its time" if slower else "x its speed"
        shown = "" if limit == "-" else f"   (to show: {limit})"
        times = f"{statistics.median(taken[name]):9.4f} us {statistics.median(ratios):8.2f}"
        print(f"{label:46} {times} {what}{shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
