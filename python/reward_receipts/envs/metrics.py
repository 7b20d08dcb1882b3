"""Running metrics of an environment, per component and per regime, in counts and sums alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import gymnasium

from ..findings import InvalidDocument
from .manifest import composed_spec, is_composed
from .row_parts import row_of
from .rows import StepRows
from .summary import TraceSummary
from .wrapper_order import require_no_autoreset_below

if TYPE_CHECKING:
    from ..generated.regime_report import RegimeReport

    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class EpisodeMetrics(Wrapper):
    """An environment of either tier that counts and sums as it goes; ``report()`` says what it has come to.

    The numbers are those of the summary of a trace of the same run. ``step`` raises as TraceRecorder's does.
    """

    takes_rows: Final = True

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        require_no_autoreset_below(env, "the metrics")
        super().__init__(env)
        self._metrics = RunningMetrics(env)
        self._rows = StepRows(composed=is_composed(env))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._rows.begin(info)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, counted."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._metrics.take(self._rows, reward, terminated, truncated, info)
        return observation, reward, terminated, truncated, info

    def report(self) -> RegimeReport:
        """Steps, episodes, totals, means and gaps so far. Raises SumOverflows where a sum fits no double."""
        return self._metrics.report()


class RunningMetrics:
    """The summary of the rows of an environment, single or vector, as they come."""

    def __init__(self, env: Any) -> None:
        composed = composed_spec(env)
        self._summary = TraceSummary(None if composed is None else composed[1])

    def take(self, rows: StepRows, reward: object, terminated: object, truncated: object, info: Any) -> None:
        """Takes a step of one environment, whose rows these are. Raises as StepRows.take, and where the summary does
        not take its row.
        """
        findings = self._summary.add(row_of(rows.take(reward, terminated, truncated, info)))
        if findings:
            raise InvalidDocument(findings)

    def report(self) -> RegimeReport:
        """What the rows so far come to."""
        return self._summary.report()
