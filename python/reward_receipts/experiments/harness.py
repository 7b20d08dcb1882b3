"""Runs an experiment: each seed in a folder of its own; what is complete is never run again.

A seed that was killed begins again, in a new attempt beside the old one, whose rows stay. A seed is complete once its
traces are closed, its policy is saved, and its status is complete; the status is replaced whole, and last.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from ..core.foreign import describe_error
from ..rewards.spec.resolved import resolve
from ..traces.manifest import file_digest
from .document import Experiment
from .environment import evaluation_environment, training_environment, try_out
from .folder import RunFolder, RunRefused, SeedStatus
from .policy_folder import write_policy
from .task import Policy, Task, Trainer, trainer_of

Say = Callable[[str], None]
NOT_FIXED: Final = (
    "A seed fixes the environment's, the trainer's, Python's and NumPy's random numbers. It does not fix: the "
    "order of sums in threads of BLAS, kernels of a GPU, hashes of text (PYTHONHASHSEED), and what an environment "
    "takes from the clock or the network. Other versions or another machine can give other numbers."
)
_PAUSE: Final = 2.0
"""The seconds from one line of progress to the next."""


def run(experiment: Experiment, folder: str | os.PathLike[str], *, jobs: int = 1, say: Say) -> list[SeedStatus]:
    """Runs an experiment in a new folder; ``jobs`` seeds at a time. Returns the status of each seed.

    Raises RunRefused if the folder has anything in it, EnvironmentRefused and UnknownTrainer for what cannot be made,
    before anything is written; InvalidDocument for components that are not registered.
    """
    if experiment.sweep:
        raise RunRefused("the experiment has a sweep, which is several runs; run_sweep runs them")
    about = prepare(experiment)
    place = RunFolder(folder)
    place.begin(experiment, about)
    return _run_all(place, experiment, jobs, say)


def resume(folder: str | os.PathLike[str], *, jobs: int = 1, say: Say) -> list[SeedStatus]:
    """Runs the seeds of a folder that are not complete. Raises as ``run``; RunRefused if the folder has no run."""
    place = RunFolder(folder)
    experiment = place.experiment()
    about = prepare(experiment)
    before = place.about().get("versions")
    if before != about["versions"]:
        raise RunRefused(
            f"{place.path} was run with other versions: {_changed(before, about['versions'])}. Install those, or run "
            "the experiment in a new folder: seeds of different versions are never mixed"
        )
    return _run_all(place, experiment, jobs, say)


def run_sweep(
    experiment: Experiment, folder: str | os.PathLike[str], *, jobs: int = 1, say: Say
) -> dict[Path, list[SeedStatus]]:
    """Runs the variants of an experiment with a sweep, one after another, each in a folder of its own in a new folder.

    Returns the status of each seed by the variant's folder, ``variant-1`` and so on; ``run.json`` says what each sets.
    Raises as ``run``, before anything is written.
    """
    variants = experiment.variants()
    for variant in variants:
        prepare(variant.experiment)
    place = RunFolder(folder)
    place.begin(experiment, {"variants": {f"variant-{at}": each.settings for at, each in enumerate(variants, 1)}})
    return _run_variants(place, experiment, jobs, say)


def resume_sweep(folder: str | os.PathLike[str], *, jobs: int = 1, say: Say) -> dict[Path, list[SeedStatus]]:
    """Goes on with the variants and seeds of a sweep that are not complete. Raises as ``resume``."""
    place = RunFolder(folder)
    return _run_variants(place, place.experiment(), jobs, say)


def _run_variants(place: RunFolder, experiment: Experiment, jobs: int, say: Say) -> dict[Path, list[SeedStatus]]:
    found: dict[Path, list[SeedStatus]] = {}
    with place.locked():
        for at, variant in enumerate(experiment.variants(), 1):
            path = place.path / f"variant-{at}"
            if RunFolder(path).exists:
                RunFolder(path).require(variant.experiment)
                found[path] = resume(path, jobs=jobs, say=say)
            else:
                say(f"{path.name}: {', '.join(f'{name}={value}' for name, value in variant.settings.items())}")
                found[path] = run(variant.experiment, path, jobs=jobs, say=say)
    return found


def prepare(experiment: Experiment) -> dict[str, Any]:
    """Checks that the experiment can be run, and returns what run.json says of it. Raises as ``run``."""
    import_components(experiment)
    if experiment.spec is not None:
        resolve(experiment.spec)
    try_out(experiment)
    trainer = trainer_of(experiment.trainer)
    return {"versions": _versions(trainer), "machine": platform.platform(), "not_fixed": NOT_FIXED}


def import_components(experiment: Experiment) -> None:
    """Imports the modules that register components. Raises RunRefused, which names the module."""
    for name in experiment.components:
        try:
            importlib.import_module(name)
        except Exception as error:  # it is not known what a module does
            raise RunRefused(f"the components {name!r} cannot be imported: {describe_error(error)}") from error


def _run_all(place: RunFolder, experiment: Experiment, jobs: int, say: Say) -> list[SeedStatus]:
    with place.locked():
        waiting = [seed for seed in experiment.seeds if place.status(seed).state != "complete"]
        done = len(experiment.seeds) - len(waiting)
        if done:
            say(f"{done} of {len(experiment.seeds)} seeds are complete already")
        if jobs > 1 and len(waiting) > 1:
            _in_processes(place, waiting, jobs, say)
        else:
            for seed in waiting:
                run_seed(place, experiment, seed, say)
        return place.statuses()


def _in_processes(place: RunFolder, seeds: Sequence[int], jobs: int, say: Say) -> None:
    with ProcessPoolExecutor(min(jobs, len(seeds)), mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(_seed_process, str(place.path), seed, sys.path): seed for seed in seeds}
        for future in as_completed(futures):
            error = future.exception()
            if error is not None:
                say(f"seed {futures[future]}: {describe_error(error)}")


def _seed_process(folder: str, seed: int, path: list[str]) -> None:
    """One seed, in a process of its own."""
    sys.path[:] = path
    place = RunFolder(folder)
    experiment = place.experiment()
    import_components(experiment)
    run_seed(place, experiment, seed, lambda line: print(line, file=sys.stderr, flush=True))


def run_seed(place: RunFolder, experiment: Experiment, seed: int, say: Say) -> SeedStatus:
    """Trains one seed in a new attempt. An error of the trainer or the environment makes it failed, with the error."""
    with place.locked(f"seed-{seed}"):
        folder = place.seed_folder(seed)
        attempt = 1 + max((int(each.name.partition("-")[2]) for each in folder.glob("attempt-*")), default=0)
        here = folder / f"attempt-{attempt}"
        here.mkdir()
        place.save(SeedStatus(seed, "running", attempt, 0, {}))
        run_of = _SeedRun(experiment, seed, here, say)
        try:
            steps = run_of.train()
        except Exception as error:
            status = SeedStatus(seed, "failed", attempt, run_of.steps, {}, describe_error(error))
            place.save(status)
            run_of.end(f"failed: {describe_error(error)}")
            return status
        traces = {path.name: file_digest(path) for path in sorted(here.iterdir()) if _is_trace(path)}
        status = SeedStatus(seed, "complete", attempt, steps, traces)
        place.save(status)
        run_of.end(f"complete: {steps} steps")
        return status


def _is_trace(path: Path) -> bool:
    return path.suffix in (".parquet", ".jsonl") and path.name.startswith(("trace-", "evaluation."))


class _SeedRun:
    """One attempt at one seed."""

    def __init__(self, experiment: Experiment, seed: int, folder: Path, say: Say) -> None:
        self._experiment, self._seed, self._folder = experiment, seed, folder
        self._say = say
        self.steps = 0
        self._began = self._told = time.monotonic()
        self._next_evaluation = 0
        self._evaluated_at = -1
        self._log = open(folder / "log.txt", "a", encoding="utf-8", buffering=1)  # noqa: SIM115 - end() closes it
        self._metrics = open(folder / "metrics.jsonl", "a", encoding="utf-8", buffering=1)  # noqa: SIM115
        self._evaluation: Any = None
        self._episode = 0

    def note(self, line: str) -> None:
        """A line for the log and for standard error."""
        self._log.write(line + "\n")
        self._say(f"seed {self._seed}: {line}")

    def end(self, line: str) -> None:
        """The last line of the log."""
        self.note(line)
        self._log.close()

    def train(self) -> int:
        """Trains, evaluates and saves. Returns the training steps that were taken."""
        experiment = self._experiment
        fix_random_numbers(self._seed)
        suffix = experiment.outputs["trace"]
        environments = []
        try:
            for place in range(experiment.environments):
                environments.append(training_environment(experiment, self._folder / f"trace-{place}.{suffix}", place))
            if experiment.evaluation is not None:
                self._evaluation = evaluation_environment(experiment, self._folder / f"evaluation.{suffix}")
            logs = self._folder / "trainer"
            logs.mkdir()
            task = Task(self._seed, experiment.total_steps, environments, experiment.arguments, self._progress, logs)
            trainer = trainer_of(experiment.trainer)
            policy = trainer.train(task)
            if self._evaluation is not None and self._evaluated_at != self.steps:
                self._evaluate(policy)
        finally:
            for env in environments:
                env.close()
            if self._evaluation is not None:
                self._evaluation[0].close()
            self._metrics.close()
        self.steps = sum(_rows_of(self._folder / f"trace-{place}.{suffix}") for place in range(len(environments)))
        if experiment.outputs["policy"]:
            traces = [self._folder / f"trace-{place}.{suffix}" for place in range(len(environments))]
            write_policy(
                self._folder / "policy",
                experiment,
                policy,
                seed=self._seed,
                steps=self.steps,
                traces=traces,
                versions=_versions(trainer),
            )
        return self.steps

    def _progress(self, steps: int, policy: Policy) -> None:
        self.steps = steps
        if self._evaluation is not None and steps >= self._next_evaluation and steps != self._evaluated_at:
            self._evaluate(policy)
            every = self._experiment.evaluation.every if self._experiment.evaluation else 1
            self._next_evaluation = (steps // every + 1) * every
        now = time.monotonic()
        if now - self._told >= _PAUSE:
            self._told = now
            share = min(steps / self._experiment.total_steps, 1.0)
            self.note(f"{steps} steps, {share:.0%}, {steps / (now - self._began):.0f} steps per second")

    def _evaluate(self, policy: Policy) -> None:
        assert self._experiment.evaluation is not None
        env, regime = self._evaluation
        self._evaluated_at = self.steps
        labels: list[str | None] = [*dict.fromkeys(each.label for each in self._experiment.regimes)]
        for label in labels or [None]:
            regime.enter(label)
            returns: list[float | None] = []
            first = self._episode
            for number in range(self._experiment.evaluation.episodes):
                observation, _ = env.reset(seed=self._seed + 1_000_000 + number)
                total: float | None = 0.0
                ended = False
                while not ended:
                    observation, reward, terminated, truncated, _ = env.step(policy.act(observation))
                    total = None if reward is None or total is None else total + float(reward)
                    ended = terminated or truncated
                returns.append(total)
                self._episode += 1
            said = {"training_steps": self.steps, "regime": label, "first_episode": first, "returns": returns}
            self._metrics.write(json.dumps({"kind": "evaluation", **said}) + "\n")


def fix_random_numbers(seed: int) -> None:
    """Seeds Python's and NumPy's random numbers, and those of torch if it is imported already."""
    import numpy

    random.seed(seed)
    numpy.random.seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


def _rows_of(trace: Path) -> int:
    manifest = json.loads((trace.parent / f"{trace.name}.manifest.json").read_bytes())
    return int(manifest["run"]["steps"])


def _versions(trainer: Trainer) -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("reward-receipts", "gymnasium", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return {**found, **trainer.versions()}


def _changed(before: Any, now: Mapping[str, str]) -> str:
    was = before if isinstance(before, dict) else {}
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return ", ".join(f"{name} {was.get(name)} then, {now.get(name)} now" for name in names)
