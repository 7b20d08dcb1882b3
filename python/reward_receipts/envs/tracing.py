"""Tracing: a row for each step that an environment takes, and the manifest beside the trace."""

from __future__ import annotations

import copy
import os
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import gymnasium

from ..traces.manifest import manifest_of_run, manifest_path, save_manifest
from ..traces.row import Row, copied, ends
from ..traces.write import FileWriter, TraceWriter, open_trace, require_new
from .manifest import is_composed, run_manifest
from .record import StepRows
from .wrapper_order import require_no_autoreset_below

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper

_SEEDS: Final = 100
"""Seeds that a manifest names; the others are counted."""


class TraceRecorder(Wrapper):
    """An environment of either tier whose steps are traced: one row a step, as it came out of the wrappers below.

    ``sink`` is a writer of ``open_trace``, one of your own, or the path of a new trace, which is opened at the first
    reset. Where it has a path, the manifest is beside the file from the start, and is completed when the trace is
    closed: by ``close_trace``, by ``close``, by the writer's own ``close``, when the recorder is let go of, or as the
    process ends. What the environment says of itself is asked at the start; with ``manifest=False`` it is not.
    ``overwrite`` is for a path. ``evaluation`` marks the rows as taken to evaluate a policy; summaries keep them apart.
    ``environment`` is the number that the rows carry: of several environments of one run, each with a trace of its own.

    A recorder can be copied and pickled until its trace is open (its first reset, if it was given a path); then it
    raises TypeError, since two recorders would write to one file. A copy opens a trace of its own, under the same path:
    the second of them to be reset raises FileExistsError.

    ``step`` raises StepRefused for a reward that is not a finite number or None, for one that is not the sum of its
    spec's contributions or comes without what the composed reward below says of it, for a step without a reset, and for
    an end that it did not know of; InvalidDocument for anything else that no row can hold. A step whose row is refused
    leaves a gap in ``step``. Raises as run_manifest and open_trace do, ValueError for a sink that another recorder has
    and for a writer with ``overwrite``, and WrapperOrder around Gymnasium's Autoreset.
    """

    takes_rows: Final = True

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        sink: TraceWriter | str | os.PathLike[str],
        *,
        manifest: bool = True,
        overwrite: bool = False,
        evaluation: bool = False,
        environment: int = 0,
    ) -> None:
        require_no_autoreset_below(env, "the recorder")
        super().__init__(env)
        self._trace = OpenTrace(self, env, sink, manifest, overwrite)
        self._rows = StepRows(environment, composed=is_composed(env), evaluation=evaluation)

    @property
    def evaluation(self) -> bool:
        """Whether the episodes from the next reset on evaluate a policy, and do not train it. It can be set."""
        return self._rows.evaluation

    @evaluation.setter
    def evaluation(self, value: bool) -> None:
        self._rows.evaluation = bool(value)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._trace.begin(self, seed)
        self._rows.begin(info)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, and its row."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._trace.take(self._rows, reward, terminated, truncated, info)
        return observation, reward, terminated, truncated, info

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles; raises TypeError once the trace is open."""
        return {**self.__dict__, "_trace": copy.copy(self._trace)}

    def flush(self) -> None:
        """Writes the rows that are held to the file."""
        self._trace.flush()

    def close_trace(self) -> None:
        """Ends the trace and completes its manifest; the environment stays open. A second time does nothing."""
        self._trace.close()

    def close(self) -> None:
        """Ends the trace and closes the environment."""
        try:
            self.close_trace()
        finally:
            super().close()


class OpenTrace:
    """A sink with the manifest of the run that it traces.

    Closed at the latest when its recorder is let go of, which it does not hold, or as the process ends.
    """

    def __init__(
        self,
        recorder: object,
        env: Any,
        sink: TraceWriter | str | os.PathLike[str],
        manifest: bool,
        overwrite: bool = False,
    ) -> None:
        self._manifest = run_manifest(env) if manifest else None
        self._overwrite = overwrite
        self._path: Path | None = None
        self._sink: TraceWriter | None = None
        self._closed = self._finished = False
        self._write: Callable[[Row], None]
        self._steps = self._episodes = self._seeded = 0
        self.refused = 0
        """How many steps have no row."""
        self._seeds: list[Any] = []
        if isinstance(sink, (str, os.PathLike)):
            require_new(sink, overwrite=overwrite)
            self._path = Path(sink)
        elif overwrite:
            raise ValueError("overwrite is for the path of a trace; give it to open_trace(), which made the writer")
        else:
            self._open(recorder, sink)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles, which are possible until the trace is opened: each copy then opens its own."""
        if self._sink is not None:
            raise TypeError(
                "a recorder whose trace is open cannot be copied or pickled: both would write to one file. Copy the "
                "environment inside of it (recorder.env), and give the copy a recorder and a trace of its own"
            )
        return self.__dict__

    def begin(self, recorder: object, seed: object) -> None:
        """Takes a reset."""
        if seed is not None:
            self._seeded += 1
            if len(self._seeds) < _SEEDS:
                self._seeds.append(seed)
        self._opened(recorder)

    def take(self, rows: StepRows, reward: object, terminated: object, truncated: object, info: Any) -> None:
        """Takes a step of one environment, whose rows these are. Raises as StepRows.take and the sink do."""
        try:
            row = rows.take(reward, terminated, truncated, info)
        except ValueError:
            self.refused += 1
            raise
        self._steps += 1
        if ends(row):
            self._episodes += 1
        self._write(row)

    def flush(self) -> None:
        """Hands over what is held."""
        if self._sink is not None:
            self._sink.flush()

    def close(self) -> None:
        """Closes the sink and completes the manifest beside its file. A second time does nothing."""
        if self._closed:
            return
        self._closed = True
        sink = self._sink
        if sink is None:
            return
        self._last.detach()
        _recorded.pop(id(sink), None)
        if os.getpid() != self._process:  # a child that was forked: the trace is its parent's
            if isinstance(sink, FileWriter):
                sink.close()
            return
        sink.close()
        self._finish()

    def _opened(self, recorder: object) -> None:
        if self._sink is None:
            if self._closed:
                raise ValueError("the trace is closed; make another recorder")
            assert self._path is not None
            self._open(recorder, open_trace(self._path, overwrite=self._overwrite))

    def _open(self, recorder: object, sink: TraceWriter) -> None:
        if id(sink) in _recorded:
            raise ValueError("another recorder writes to this sink; give each a trace of its own")
        _recorded[id(sink)] = sink
        self._sink = sink
        self._last = weakref.finalize(recorder, self.close)
        self._process = os.getpid()
        # A file's writer keeps nothing of a row; another sink may.
        self._write = sink.take if isinstance(sink, FileWriter) else lambda row: sink.write(copied(row))
        self._save(finished=False)
        if isinstance(sink, FileWriter):
            sink.when_ended(self._finish)

    def _finish(self) -> None:
        """Completes the manifest of a trace that is closed, by whomever."""
        if not self._finished:
            self._finished = True
            self._save(finished=True)

    def _save(self, *, finished: bool) -> None:
        """Writes the manifest beside the trace, where it has a file."""
        path = None if self._sink is None else self._sink.path
        if path is None or self._manifest is None:
            return
        run: Mapping[str, Any] = {
            "finished": finished,
            "steps": self._steps if finished else None,
            "episodes": self._episodes if finished else None,
            "refused_steps": self.refused if finished else None,
            "seeds": self._seeds,
            "seeded_resets": self._seeded,
        }
        save_manifest(manifest_path(path), manifest_of_run(self._manifest, run, path))


_recorded: Final[dict[int, TraceWriter]] = {}
"""The sinks that recorders have, by identity."""
