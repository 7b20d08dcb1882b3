"""Running metrics as curves in TensorBoard."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, Protocol, Self


class HasScalars(Protocol):
    """EpisodeMetrics, VectorEpisodeMetrics, or what else counts."""

    def scalars(self) -> dict[str, float]:
        """Names and numbers."""

    def restart(self) -> None:
        """Begins to count anew."""


class TensorBoardMetrics:
    """Writes the scalars of running metrics to TensorBoard.

    ``writer`` is a ``SummaryWriter``, or anything with ``add_scalar(name, value, step)`` and ``flush()``, or the folder
    for a new one, from ``torch.utils.tensorboard`` or ``tensorboardX``, whichever is installed. Each ``write`` gives
    the numbers since the one before; with ``restart=False``, those since the start.

        with TensorBoardMetrics(metrics, "runs/1") as board:
            ...
            board.write(step)

    Raises ModuleNotFoundError for a folder if neither of the two is installed.
    """

    def __init__(self, metrics: HasScalars, writer: Any, *, restart: bool = True) -> None:
        self._metrics = metrics
        self._restart = restart
        self._is_own = isinstance(writer, (str, os.PathLike))
        self._writer = _new_writer(os.fspath(writer)) if self._is_own else writer

    def write(self, step: int) -> None:
        """Writes all scalars at a step of the run."""
        for name, value in self._metrics.scalars().items():
            self._writer.add_scalar(name, value, step)
        if self._restart:
            self._metrics.restart()

    def close(self) -> None:
        """Closes the writer if it was made here, and flushes it otherwise."""
        if self._is_own:
            self._writer.close()
        else:
            self._writer.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _new_writer(folder: str) -> Any:
    for module in ("torch.utils.tensorboard", "tensorboardX"):
        try:
            return import_module(module).SummaryWriter(folder)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(
        "a folder of TensorBoard needs a writer: pip install tensorboardX, or torch and tensorboard"
    )
