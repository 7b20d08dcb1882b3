"""Trains PPO on CartPole with the reward of reward.yaml, and leaves the files that say what it was trained on.

    python examples/cartpole/train.py [--steps N] [--folder FOLDER]

Writes into FOLDER: trace.parquet (a row a step), trace.parquet.manifest.json (spec, ceiling, components, regimes,
digests, versions), summary.json (per component and regime, against the ceiling) and summary.png. Needs
reward-receipts[envs], stable-baselines3 and matplotlib; 60,000 steps take a few minutes on two cores. Gravity doubles
at two thirds of the steps.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cartpole import tier_two
from reward_receipts.envs import ComposedReward, TraceRecorder, read_trace, summarise
from reward_receipts.rewards import RewardSpec

HERE = Path(__file__).resolve().parent
LEAST_STEPS = 1024
"""The steps that are collected before the policy is first changed."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=60_000, help="environment steps (60,000)")
    parser.add_argument("--folder", type=Path, default=Path("cartpole-run"), help="where the files go")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    if options.steps < LEAST_STEPS:
        parser.error(f"--steps is at least {LEAST_STEPS}, what is collected before the policy is first changed")
    options.folder.mkdir(parents=True, exist_ok=True)
    trace = options.folder / "trace.parquet"
    if trace.exists():
        print(f"{trace} is there already; give another --folder", file=sys.stderr)
        return 2
    spec = RewardSpec.from_yaml((HERE / "reward.yaml").read_bytes())
    begun = time.monotonic()
    train(spec, trace, options.steps, options.seed)
    print(f"trained in {time.monotonic() - begun:.0f} s", file=sys.stderr)
    report = summarise(read_trace(trace), spec)
    (options.folder / "summary.json").write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
    plot(read_trace(trace), spec, options.folder / "summary.png")
    returns = [total for total, _, _ in episodes(read_trace(trace))]
    tenth = max(1, len(returns) // 10)
    means = [sum(returns[i : i + tenth]) / tenth for i in range(len(returns) - tenth + 1)]
    result = {
        "episodes": len(returns),
        "mean return of the first tenth": round(means[0], 3),
        "best mean return of a tenth": round(max(means), 3),
        "ceiling of an episode": spec.ceiling().per_episode(500),
        "spec": spec.digest,
    }
    print(json.dumps(result, indent=1))
    return 0


def train(spec: RewardSpec, trace: Path, steps: int, seed: int) -> None:
    """Trains on one environment; its steps are traced until it is closed."""
    import torch
    from stable_baselines3 import PPO

    torch.set_num_threads(1)  # the networks are small: more threads wait for each other
    env = TraceRecorder(ComposedReward(tier_two(2 * steps // 3), spec), trace)
    model = PPO("MlpPolicy", env, n_steps=LEAST_STEPS, batch_size=128, seed=seed, device="cpu", verbose=0)
    model.learn(total_timesteps=steps)
    env.close()


def episodes(rows: Iterable[dict[str, Any]]) -> list[tuple[float, dict[str, float], str]]:
    """Return, contribution of each term and last regime of each episode that ended."""
    found, total, terms = [], 0.0, dict[str, float]()
    for row in rows:
        total += row["reward"]
        for name, value in row["reward_components"].items():
            terms[name] = terms.get(name, 0.0) + value
        if row["terminated"] or row["truncated"]:
            found.append((total, terms, row["regime"]))
            total, terms = 0.0, {}
    return found


def plot(rows: Iterable[dict[str, Any]], spec: RewardSpec, path: Path) -> None:
    """Each term's contribution to the episodes' returns, smoothed, with the ceiling and the change of regime."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    ended = episodes(rows)
    figure, axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")
    width = max(1, len(ended) // 40)
    for name in ("return", *(component.type for component in spec.components)):
        values = [total if name == "return" else terms.get(name, 0.0) for total, terms, _ in ended]
        means = [
            sum(values[max(0, i - width) : i + 1]) / len(values[max(0, i - width) : i + 1]) for i in range(len(values))
        ]
        axes.plot(means, label=name, linewidth=2 if name == "return" else 1)
    changes = [i for i in range(1, len(ended)) if ended[i][2] != ended[i - 1][2]]
    for change in changes:
        axes.axvline(change, color="grey", linestyle=":")
        axes.text(change, axes.get_ylim()[1], f" {ended[change][2]}", va="top")
    ceiling = spec.ceiling().per_episode(500)
    if ceiling is not None:
        axes.axhline(ceiling, color="black", linestyle="--", label="ceiling of 500 steps")
    axes.set(xlabel="episode", ylabel="reward", title=f"{spec.name} ({spec.digest[:19]}...)")
    axes.legend(loc="upper left", fontsize="small")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    sys.exit(main())
