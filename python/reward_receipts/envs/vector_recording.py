"""The rows of a vector environment's steps, environment by environment, for a trace or for metrics."""

from __future__ import annotations

import copy
from typing import Any, Final, Protocol, cast

from gymnasium.vector import AutoresetMode

from .record import READ, StepRows
from .tracing import OpenTrace
from .vector_steps import BatchedSteps, Begun, Infos, Stepped


class TakesRows(Protocol):
    """A consumer of the steps of environments: a trace, or metrics."""

    refused: int
    """How many steps have no row."""

    def take(self, rows: StepRows, reward: object, terminated: object, truncated: object, info: Any) -> None: ...


class VectorRows:
    """Turns the calls of a vector environment into rows, and hands them on."""

    def __init__(
        self, environments: int, mode: AutoresetMode, takes: TakesRows, composed: bool, evaluation: bool
    ) -> None:
        self.takes = takes
        self._batched = BatchedSteps(environments, mode, READ)
        self._rows = [
            StepRows(place, batched=True, composed=composed, evaluation=evaluation) for place in range(environments)
        ]

    @property
    def evaluation(self) -> bool:
        """Whether the episodes from each environment's next reset on evaluate a policy. It can be set."""
        return self._rows[0].evaluation

    @evaluation.setter
    def evaluation(self, value: bool) -> None:
        for rows in self._rows:
            rows.evaluation = bool(value)

    def reset(self, infos: Infos, mask: Any = None) -> None:
        """Begins episodes, in all environments or in those of a mask."""
        for begun in self._batched.reset(infos, mask):
            self._rows[begun.environment].begin(begun.info)

    def step(self, rewards: Any, terminations: Any, truncations: Any, infos: Infos, begun: Infos | None = None) -> None:
        """Hands on the row of each environment that took a step. ``begun`` is as BatchedSteps.step has it."""
        events = self._batched.step(rewards, terminations, truncations, infos, begun)
        try:
            for event in events:
                rows = self._rows[event.environment]
                if isinstance(event, Begun):
                    rows.begin(event.info)
                else:
                    self.takes.take(rows, event.reward, event.terminated, event.truncated, event.info)
        except ValueError:
            self.takes.refused += sum(isinstance(event, Stepped) for event in events)  # those after it, not taken
            self._batched.require_reset()
            raise


class RecordsRows:
    """A vector wrapper that has VectorRows."""

    takes_rows: Final = True
    _rows: VectorRows

    @property
    def evaluation(self) -> bool:
        """Whether the episodes from each environment's next reset on evaluate a policy. It can be set."""
        return self._rows.evaluation

    @evaluation.setter
    def evaluation(self, value: bool) -> None:
        self._rows.evaluation = value


class RecordsTrace(RecordsRows):
    """The methods of a vector wrapper that writes its rows to a trace."""

    _trace: OpenTrace

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles; raises TypeError once the trace is open."""
        rows = copy.copy(self._rows)
        rows.takes = trace = copy.copy(self._trace)
        return {**self.__dict__, "_trace": trace, "_rows": rows}

    def flush(self) -> None:
        """Writes the rows that are held to the file."""
        self._trace.flush()

    def close_trace(self) -> None:
        """Ends the trace and writes its manifest; the environment stays open. A second time does nothing."""
        self._trace.close()

    def close(self, **kwargs: Any) -> None:
        """Ends the trace and closes the environment."""
        try:
            self.close_trace()
        finally:
            cast(Any, super()).close(**kwargs)
