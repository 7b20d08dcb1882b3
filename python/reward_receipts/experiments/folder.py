"""The folder of a run: which files are where, their locks, and the status of each seed.

FOLDER/experiment.json            the completed experiment, with the spec in it
FOLDER/run.json                   digest, versions, and what is not fixed by the seed
FOLDER/summary.json               the measures over all seeds, once they are complete
FOLDER/seed-N/status.json         which attempt counts, and how far it is
FOLDER/seed-N/attempt-M/          trace, manifest, evaluation, metrics, log, policy
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from ..core.whole_files import replace_file, write_new_file
from .document import Experiment

STATUS_SCHEMA: Final = "reward-receipts.experiment-seed/v1"
State = Literal["waiting", "running", "complete", "failed"]


class RunRefused(ValueError):
    """A folder cannot be used for this run. Nothing in it was changed."""


@dataclass(frozen=True, slots=True)
class SeedStatus:
    """How far one seed is."""

    seed: int
    state: State
    attempt: int
    """The attempt that counts or runs; 0 for none."""
    steps: int
    """Training rows of a complete attempt."""
    traces: Mapping[str, str]
    """The digest of each trace of a complete attempt."""
    error: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "schema_version": STATUS_SCHEMA,
            "seed": self.seed,
            "state": self.state,
            "attempt": self.attempt,
            "steps": self.steps,
            "traces": dict(self.traces),
            "error": self.error,
        }


class RunFolder:
    """A folder that has, or gets, a run of an experiment."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def exists(self) -> bool:
        """Whether it has a run."""
        return (self.path / "experiment.json").is_file()

    def begin(self, experiment: Experiment, about: Mapping[str, Any]) -> None:
        """Makes the folder of a new run. Raises RunRefused if it has a run, or anything else."""
        if self.exists:
            self.require(experiment)
            raise RunRefused(f"{self.path} already has a run of this experiment; `experiment resume` continues it")
        if self.path.exists() and (not self.path.is_dir() or any(not _is_left(each) for each in self.path.iterdir())):
            raise RunRefused(f"{self.path} is there and is not a run; give a folder that is new or empty")
        self.path.mkdir(parents=True, exist_ok=True)
        run = {"experiment_digest": experiment.digest, **about}
        replace_file(self.path / "run.json", _json(run))
        write_new_file(self.path / "experiment.json", experiment.to_json().encode())

    def experiment(self) -> Experiment:
        """The experiment of the run. Raises RunRefused if there is none, or it was changed."""
        if not self.exists:
            raise RunRefused(f"{self.path} has no run: there is no experiment.json in it")
        experiment = Experiment.from_file(str(self.path / "experiment.json"))
        expected = self.about().get("experiment_digest")
        if experiment.digest != expected:
            raise RunRefused(
                f"{self.path / 'experiment.json'} was changed: its digest is {experiment.digest}, and run.json says "
                f"{expected}; put it back, or run the changed experiment in a folder of its own"
            )
        return experiment

    def require(self, experiment: Experiment) -> None:
        """Raises RunRefused if the run is of another experiment."""
        found = self.experiment()
        if found.digest != experiment.digest:
            raise RunRefused(
                f"{self.path} has a run of another experiment, {found.digest}; this one is {experiment.digest}. Give "
                "another folder: two runs are never mixed"
            )

    def about(self) -> dict[str, Any]:
        """What run.json says. Raises RunRefused if it cannot be read."""
        return _read(self.path / "run.json")

    def seed_folder(self, seed: int) -> Path:
        """The folder of a seed."""
        return self.path / f"seed-{seed}"

    def attempt_folder(self, status: SeedStatus) -> Path:
        """The folder of the attempt of a seed."""
        return self.seed_folder(status.seed) / f"attempt-{status.attempt}"

    def status(self, seed: int) -> SeedStatus:
        """How far a seed is. Raises RunRefused if its file cannot be read."""
        path = self.seed_folder(seed) / "status.json"
        if not path.exists():
            return SeedStatus(seed, "waiting", 0, 0, {})
        said = _read(path)
        try:
            return SeedStatus(
                said["seed"], said["state"], said["attempt"], said["steps"], said["traces"], said.get("error")
            )
        except KeyError as error:
            raise RunRefused(f"{path} is not the status of a seed: it lacks {error}") from None

    def save(self, status: SeedStatus) -> None:
        """Writes the status of a seed, whole or not at all."""
        folder = self.seed_folder(status.seed)
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / "status.json", _json(status.to_dict()))

    def statuses(self) -> list[SeedStatus]:
        """How far each seed of the experiment is."""
        return [self.status(seed) for seed in self.experiment().seeds]

    def traces(self, status: SeedStatus) -> list[Path]:
        """The training traces of the attempt that counts, by environment."""
        folder = self.attempt_folder(status)
        found = [path for path in folder.glob("trace-*") if path.suffix in (".parquet", ".jsonl")]
        return sorted(found, key=lambda path: int(path.stem.partition("-")[2]))

    @contextmanager
    def locked(self, what: str = "run") -> Iterator[None]:
        """Holds a lock until the end of the block, or of the process. Raises RunRefused if another process has it."""
        import fcntl

        folder = self.path if what == "run" else self.path / what
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / ".lock", "a+b") as file:
            try:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                name = self.path if what == "run" else self.path / what
                raise RunRefused(f"another process is running {name}; wait for it, or end it") from None
            yield


def _is_left(path: Path) -> bool:
    """Whether a file is what a run leaves that was killed before it began: experiment.json comes last."""
    return path.name == "run.json" or (path.name.startswith(".") and path.suffix == ".tmp")


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise RunRefused(f"{path} cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise RunRefused(f"{path} is not a JSON object")
    return value
