"""Times what a spec and a trace add to a step: medians over rounds in which the two sides take turns.

    python scripts/bench/tracing.py [--rounds N] [--steps N]

First the trace alone; then a spec of four terms, and its trace, around CartPole; then such a spec around vector
environments whose calls were recorded, with components that offer arrays (``compute_batch``) and with the same ones
without. Needs ``reward-receipts[envs]``. A figure is a measurement and no test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv, VectorEnv
from reward_receipts.envs import (
    OPERATIONS_SPEC,
    ComposedReward,
    EpisodeStep,
    OperationsEnv,
    TraceRecorder,
    VectorComposedReward,
)
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

    def __init__(self, episodes: list[list[tuple[Any, ...]]]) -> None:
        self._episodes = cycle(episodes)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._steps = iter(next(self._episodes))
        return None, {}

    def step(self, action: Any) -> Any:
        return next(self._steps)


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


def composed() -> gymnasium.Env[Any, Any]:
    """Seven terms without sub-terms."""
    return ComposedReward(Source(), SPEC, registry=components())


def operations() -> gymnasium.Env[Any, Any]:
    """The seven terms of the order desk, most of which report sub-terms."""
    return ComposedReward(OperationsEnv(), OPERATIONS_SPEC)


def recorded(make: Callable[[], gymnasium.Env[Any, Any]], episodes: int) -> list[list[tuple[Any, ...]]]:
    """The steps of some episodes, composed."""
    env = make()
    found = []
    for seed in range(episodes):
        env.reset(seed=seed)
        found.append([env.step(0)])
        while not (found[-1][-1][2] or found[-1][-1][3]):
            found[-1].append(env.step(0))
    return found


def timed(env: gymnasium.Env[Any, Any], steps: int, end: Callable[[], None]) -> tuple[float, float]:
    """Microseconds a step, resets and the end included: by the clock, and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    taken = 0
    while taken < steps:
        env.reset()
        ended = False
        while not ended:
            _, _, terminated, truncated, _ = env.step(0)
            ended = terminated or truncated
            taken += 1
    end()
    return (time.perf_counter() - clock) / taken * 1e6, (time.process_time() - processor) / taken * 1e6


def added(env: gymnasium.Env[Any, Any], suffix: str, rounds: int, steps: int) -> tuple[float, float]:
    """Microseconds a step that a trace of this suffix adds, writing and closing the file included; as timed()."""
    found = []
    for _ in range(rounds):
        plain = timed(gymnasium.Wrapper(env), steps, lambda: None)
        with tempfile.TemporaryDirectory() as folder:
            recorder = TraceRecorder(env, Path(folder) / f"trace{suffix}", manifest=False)
            traced = timed(recorder, steps, recorder.close_trace)
        found.append([with_trace - without for with_trace, without in zip(traced, plain, strict=True)])
    clock, processor = map(statistics.median, zip(*found, strict=True))
    return clock, processor


class Cart(gymnasium.Wrapper[Any, Any, Any, Any]):
    """CartPole as a Tier-2 environment."""

    def __init__(self) -> None:
        super().__init__(gymnasium.make("CartPole-v1"))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._taken = 0
        return self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> Any:
        seen, reward, terminated, truncated, info = self.env.step(action)
        extras = dict(zip(READ, seen.tolist(), strict=True))
        info = {"trace": EpisodeStep.of(self._taken, extras=extras), "regime": {"label": "calm", "boundary": False}}
        self._taken += 1
        return seen, reward, terminated, truncated, info


READ = ("position", "speed", "angle", "turning")


class Singly(RewardComponent):
    """One number of what is seen of the cart."""

    reads = ("extras",)
    clip = (-1.0, 1.0)
    default_weight = 0.5

    def compute(self, ctx: Any) -> Any:
        return self._signal(ctx.extras[self.name])


class InArrays(Singly):
    """The same, for many environments at once."""

    def compute(self, ctx: Any) -> Any:
        return self._signal(ctx.extras[self.name])

    def compute_batch(self, batch: Any) -> Any:
        return self._signal(batch.extras[self.name])


CART = RewardSpec.from_dict({"name": "cart", "components": [{"type": name} for name in READ]})


def four(component: type[RewardComponent]) -> Registry:
    return Registry({name: type(name, (component,), {"name": name}) for name in READ})


def cart_added(rounds: int, steps: int, *, traced: bool) -> tuple[float, float]:
    """Microseconds a step that a spec of four terms, or that and its Parquet trace, adds to CartPole; as timed()."""
    found = []
    for _ in range(rounds):
        plain = timed(Cart(), steps, lambda: None)
        env = ComposedReward(Cart(), CART, registry=four(Singly))
        with tempfile.TemporaryDirectory() as folder:
            if traced:
                recorder = TraceRecorder(env, Path(folder) / "trace.parquet", manifest=False)
                wrapped = timed(recorder, steps, recorder.close_trace)
            else:
                wrapped = timed(env, steps, lambda: None)
        found.append([with_spec - without for with_spec, without in zip(wrapped, plain, strict=True)])
    clock, processor = map(statistics.median, zip(*found, strict=True))
    return clock, processor


class RecordedCalls(VectorEnv[Any, Any, Any]):
    """Gives what a vector environment of carts returned before."""

    def __init__(self, environments: int, calls: int) -> None:
        venv = SyncVectorEnv([Cart] * environments)
        self.num_envs, self.metadata = environments, venv.metadata
        self._begun = venv.reset(seed=0)
        actions = np.arange(environments) % 2
        self._returned = [venv.step(actions) for _ in range(calls)]

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        self._calls = iter(self._returned)
        return self._begun

    def step(self, actions: Any) -> Any:
        return next(self._calls)


def vector_costs(environments: int, component: type[RewardComponent], rounds: int, calls: int) -> tuple[float, float]:
    """Microseconds for each step of each environment; as timed()."""
    venv = VectorComposedReward(RecordedCalls(environments, calls), CART, registry=four(component))
    found = []
    for _ in range(rounds):
        venv.reset()
        clock, processor = time.perf_counter(), time.process_time()
        for _ in range(calls):
            venv.step(None)
        taken = calls * environments / 1e6
        found.append(((time.perf_counter() - clock) / taken, (time.process_time() - processor) / taken))
    clock, processor = map(statistics.median, zip(*found, strict=True))
    return clock, processor


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=20_000)
    options = parser.parse_args(arguments)
    print(f"what a trace adds to a step: {TERMS} terms, {options.steps} steps, medians of {options.rounds} rounds")
    print("                                          by the clock   of the processor")
    shapes: list[tuple[str, gymnasium.Env[Any, Any], str]] = [
        ("2 gates, recorded steps", Replay(recorded(composed, 10)), ""),
        ("sub-terms, recorded steps", Replay(recorded(operations, 20)), ""),
        ("2 gates, as they are composed", composed(), " (to show: at most 12)"),
        ("sub-terms, as they are composed", operations(), ""),
    ]
    for suffix in (".parquet", ".jsonl"):
        for name, env, target in shapes:
            clock, processor = added(env, suffix, options.rounds, options.steps)
            shown = target if suffix == ".parquet" else ""
            print(f"{suffix:9}{name:34}{clock:8.2f} us      {processor:8.2f} us{shown}")
    print("what a spec of four terms adds to a step of CartPole")
    for name, traced, target in (
        ("composed", False, ""),
        ("composed and traced, Parquet", True, " (to show: below 40)"),
    ):
        clock, processor = cart_added(options.rounds, options.steps, traced=traced)
        print(f"{'':9}{name:34}{clock:8.2f} us      {processor:8.2f} us{target}")
    print("what it costs for each step of each environment of a vector environment")
    for environments in (8, 16, 64):
        for name, component, target in (
            ("one by one", Singly, ""),
            ("in arrays", InArrays, " (to show: below 10)"),
        ):
            calls = max(options.steps // environments, 1)
            clock, processor = vector_costs(environments, component, options.rounds, calls)
            print(f"{environments:<9}{name:34}{clock:8.2f} us      {processor:8.2f} us{target}")

    return 0


if __name__ == "__main__":
    sys.exit(main())
