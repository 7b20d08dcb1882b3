"""Which versions of a trainer its module works with."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NamedTuple


class TrainerNotSupported(ImportError):
    """A trainer is not installed, or in a version whose API is not known here."""


class Supported(NamedTuple):
    """The versions of a trainer that its module was written for."""

    distribution: str
    """Its name on PyPI."""
    first: str
    """The first version that works."""
    before: str
    """The first version that nobody tried."""
    why: str
    """What the first version brought, or the next one may change."""


TRL: Final = Supported("trl", "1.6", "2", "older ones train on a sample whose rewards are all None as if it were 0")
STABLE_BASELINES3: Final = Supported("stable-baselines3", "2.7", "3", "callbacks and rollout buffers are those of 2.x")
VERIFIERS: Final = Supported("verifiers", "0.4", "0.5", "tasks and their errors are those of verifiers.v1")
OPENENV: Final = Supported("openenv", "0.4.1", "1", "rubrics and observations are those of openenv.core")


def require(trainer: Supported) -> None:
    """Raises TrainerNotSupported unless a trainer is installed in a version that its module knows."""
    wanted = f"{trainer.distribution} >= {trainer.first}, < {trainer.before}"
    try:
        found = version(trainer.distribution)
    except PackageNotFoundError:
        raise TrainerNotSupported(
            f"{trainer.distribution} is not installed; install {wanted}: pip install '{wanted.replace(' ', '')}'"
        ) from None
    if not _numbers(trainer.first) <= _numbers(found) < _numbers(trainer.before):
        raise TrainerNotSupported(
            f"{trainer.distribution} {found} is installed, and its API is not known here: install {wanted} "
            f"({trainer.why})"
        )


def _numbers(text: str) -> tuple[int, ...]:
    """The release of a version, without what follows it: 1.6.0rc1 is (1, 6, 0)."""
    matched = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, matched[0].split("."))) if matched else ()
