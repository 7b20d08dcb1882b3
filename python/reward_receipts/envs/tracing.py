"""Tracing: a row for each step that an environment takes, and the manifest beside the trace."""

from __future__ import annotations

import atexit
import os
from typing import TYPE_CHECKING, Any

import gymnasium

from .manifest import file_digest, manifest_path, run_manifest, save_manifest
from .rows import StepRows
from .trace_files import TraceWriter, open_trace

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class TraceRecorder(Wrapper):
    """An environment of either tier whose steps are traced: one row a step, as it came out of the wrappers below.

    ``sink`` is a writer of ``open_trace``, one of your own, or the path of a new trace. Where it has a path, the
    manifest is written beside the file when the trace is closed: by ``close_trace``, by ``close``, or as the process
    ends. What the environment says of itself in the manifest is asked at the start.

    ``step`` raises StepRefused for a reward that is no finite number or None, and for a step without a reset;
    InvalidDocument for anything else that no row can hold. Raises as run_manifest and open_trace do.
    """

    def __init__(
        self, env: gymnasium.Env[Any, Any], sink: TraceWriter | str | os.PathLike[str], *, manifest: bool = True
    ) -> None:
        super().__init__(env)
        self._trace = OpenTrace(env, sink, manifest)
        self._rows = StepRows()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._rows.begin(info)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, and its row."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._trace.write(self._rows.row(reward, terminated, truncated, info))
        return observation, reward, terminated, truncated, info

    def close_trace(self) -> None:
        """Ends the trace and writes its manifest; the environment stays open. A second time does nothing."""
        self._trace.close()

    def close(self) -> None:
        """Ends the trace and closes the environment."""
        try:
            self.close_trace()
        finally:
            super().close()


class OpenTrace:
    """A sink with the manifest of the run that it traces. Closed at the latest as the process ends."""

    def __init__(self, env: Any, sink: TraceWriter | str | os.PathLike[str], manifest: bool) -> None:
        self._manifest = run_manifest(env) if manifest else None
        self._sink = open_trace(sink) if isinstance(sink, (str, os.PathLike)) else sink
        self._closed = False
        self.write = self._sink.write
        atexit.register(self.close)

    def close(self) -> None:
        """Closes the sink and writes the manifest beside its file. A second time does nothing."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        self._sink.close()
        path = self._sink.path
        if path is not None and self._manifest is not None:
            file = {"name": path.name, "sha256": file_digest(path), "bytes": path.stat().st_size}
            save_manifest(manifest_path(path), {**self._manifest, "traces": [file]})
