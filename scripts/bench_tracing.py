"""Times what tracing adds to a step: medians over interleaved rounds, with and without the recorder.

    python scripts/bench_tracing.py [--rounds N] [--steps N]

Needs ``reward-receipts[envs]``. A figure is a measurement and no test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from reward_receipts.envs import ComposedReward, EpisodeStep, TraceRecorder
from reward_receipts.rewards import Cadence, Registry, RewardComponent, RewardSpec

TERMS = 7
EPISODE = 200


class Reading(RewardComponent):
    """What the step says under the component's own name."""

    reads = ("extras",)
    clip = (-1.0, 1.0)

    def compute(self, ctx: Any) -> Any:
        return self._signal(ctx.extras[self.name])


def components() -> Registry:
    """Seven components, the last of them due at the end of an episode."""
    made: dict[str, type[RewardComponent]] = {}
    for place in range(TERMS):
        name = f"term_{place}"
        cadence = Cadence.EPISODE_END if place == TERMS - 1 else Cadence.STEP
        made[name] = type(name, (Reading,), {"name": name, "cadence": cadence})
    return Registry(made)


SPEC = RewardSpec.from_dict(
    {
        "name": "bench",
        "components": [{"type": f"term_{place}", "weight": 0.5} for place in range(TERMS)],
        "gates": [{"component": "term_1", "requires": "term_0"}, {"component": "term_2", "requires": "term_0"}],
    }
)


class Replay(gymnasium.Env[Any, Any]):
    """Gives steps that a composed environment returned before, so that little but the wrapper is timed."""

    def __init__(self, steps: list[tuple[Any, ...]]) -> None:
        self._steps = steps
        self._at = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._at = 0
        return None, {}

    def step(self, action: Any) -> Any:
        step = self._steps[self._at]
        self._at += 1
        return step


class Source(gymnasium.Env[Any, Any]):
    """A Tier-2 environment of random readings."""

    observation_space = gymnasium.spaces.Discrete(1)
    action_space = gymnasium.spaces.Discrete(1)

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)
        self._step = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._step = 0
        return 0, {}

    def step(self, action: Any) -> Any:
        extras = {f"term_{place}": float(value) for place, value in enumerate(self._random.uniform(-1, 1, TERMS))}
        trace = EpisodeStep.of(self._step, extras=extras)
        self._step += 1
        return 0, 0.0, self._step >= EPISODE, False, {"trace": trace, "regime": {"label": "calm", "boundary": False}}


def recorded() -> list[tuple[Any, ...]]:
    """The steps of one episode, composed."""
    env = ComposedReward(Source(), SPEC, registry=components())
    env.reset()
    return [env.step(0) for _ in range(EPISODE)]


def timed(env: gymnasium.Env[Any, Any], steps: int) -> float:
    """Microseconds a step, resets included."""
    start = time.perf_counter()
    for _ in range(steps // EPISODE):
        env.reset()
        for _ in range(EPISODE):
            env.step(0)
    return (time.perf_counter() - start) / steps * 1e6


def added(suffix: str, rounds: int, steps: int) -> tuple[float, float]:
    """Microseconds a step without and with a trace of this suffix, writing and closing the file included."""
    replay = Replay(recorded())
    plain, traced = [], []
    for _ in range(rounds):
        plain.append(timed(gymnasium.Wrapper(replay), steps))
        with tempfile.TemporaryDirectory() as folder:
            recorder = TraceRecorder(replay, Path(folder) / f"trace{suffix}", manifest=False)
            traced.append(timed(recorder, steps))
            start = time.perf_counter()
            recorder.close_trace()
            traced[-1] += (time.perf_counter() - start) / steps * 1e6
    return statistics.median(plain), statistics.median(traced)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=20_000)
    options = parser.parse_args()
    print(f"{TERMS} terms, {options.steps} steps, medians of {options.rounds} rounds")
    for suffix, target in ((".parquet", " (to show: at most 6)"), (".jsonl", "")):
        plain, traced = added(suffix, options.rounds, options.steps)
        print(f"{suffix:9} without {plain:6.2f} us  with {traced:6.2f} us  added {traced - plain:6.2f} us{target}")


if __name__ == "__main__":
    main()
