"""Running metrics of an environment, per component and per regime, in counts and sums alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import gymnasium

from ..core.findings import InvalidDocument
from ..traces.generated.regime_report import RegimeReport, RegimeSummary
from ..traces.summary import TraceSummary
from .manifest import composed_stages, is_composed
from .record import StepRows
from .wrapper_order import require_no_autoreset_below

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class ReportsMetrics:
    """The methods of a wrapper that has RunningMetrics."""

    _metrics: RunningMetrics

    def report(self) -> RegimeReport:
        """Steps, episodes, totals, means and gaps so far. Raises SumOverflows where a sum fits no double."""
        return self._metrics.report()

    def scalars(self) -> dict[str, float]:
        """The numbers of ``report`` in the flat form of loggers. See ``scalars_of``."""
        return scalars_of(self.report())

    def restart(self) -> None:
        """Begins to count anew, so that ``report`` and ``scalars`` give the numbers of an interval of the run."""
        self._metrics.restart()


class EpisodeMetrics(ReportsMetrics, Wrapper):
    """An environment of either tier that counts and sums as it goes; ``report()`` returns the summary so far.

    The numbers are those of the summary of a trace of the same run. ``step`` raises as TraceRecorder's does.
    """

    takes_rows: Final = True

    def __init__(self, env: gymnasium.Env[Any, Any], *, evaluation: bool = False) -> None:
        require_no_autoreset_below(env, "the metrics")
        super().__init__(env)
        self._metrics = RunningMetrics(env)
        self._rows = StepRows(composed=is_composed(env), evaluation=evaluation)

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


def scalars_of(report: RegimeReport) -> dict[str, float]:
    """A report in the flat form that loggers take: names to floats. A number that is not known is left out.

    ========================================  =================================================================
    ``reward/mean``, ``/total``               over the scored steps
    ``reward/ceiling``, ``/gap``              what the spec allows for these steps, and what was missed of it
    ``reward/NAME/mean``                      of a component: its total over the steps at which it was due
    ``reward/NAME/total``, ``/ceiling``,      of a component
    ``/gap``, ``/due_steps``, ``/zero_steps``
    ``episode/return/mean``, ``/min``,        over the finished episodes that have a return
    ``/max``, ``/count``, ``/left_out``
    ``episode/length/...``                    the same for their numbers of steps
    ``steps/scored``, ``/unscored``,          steps with a reward, without one, and without a row
    ``/missing``
    ``regime/LABEL/...``                      all of these for a regime
    ``evaluation/...``                        all of these for the evaluation rows
    ========================================  =================================================================

    A slash in a component's name or a regime's label is written ``%2F``, and a percent sign ``%25``.

        for name, value in metrics.scalars().items():
            logger.record(name, value)
    """
    scalars = _scalars("", report.overall)
    for regime in report.regimes:
        if regime.label is not None:
            scalars |= _scalars(f"regime/{scalar_part(regime.label)}/", regime)
    if report.evaluation is not None:
        scalars |= _scalars("evaluation/", report.evaluation.overall)
        for regime in report.evaluation.regimes:
            if regime.label is not None:
                scalars |= _scalars(f"evaluation/regime/{scalar_part(regime.label)}/", regime)
    return scalars


def _scalars(prefix: str, summary: RegimeSummary) -> dict[str, float]:
    found: dict[str, float | None] = {
        "reward/mean": summary.mean,
        "reward/total": summary.total,
        "reward/ceiling": summary.ceiling if summary.scored_steps else None,
        "reward/gap": summary.gap,
    }
    for component in summary.components:
        if not component.due_steps:
            continue
        name = f"reward/{scalar_part(component.type)}"
        found |= {
            f"{name}/mean": component.total / component.due_steps,
            f"{name}/total": component.total,
            f"{name}/ceiling": component.ceiling,
            f"{name}/gap": component.gap,
            f"{name}/due_steps": component.due_steps,
            f"{name}/zero_steps": component.zero_steps,
        }
    for what, statistics in (("return", summary.returns), ("length", summary.lengths)):
        found |= {f"episode/{what}/{name}": getattr(statistics, name) for name in _STATISTICS}
    found |= {
        "steps/scored": summary.scored_steps,
        "steps/unscored": summary.unscored_steps,
        "steps/missing": summary.missing_steps,
    }
    return {f"{prefix}{name}": float(value) for name, value in found.items() if value is not None}


_STATISTICS: Final = ("mean", "min", "max", "count", "left_out")


def scalar_part(name: str) -> str:
    """A name as one part of a flat name."""
    return name.replace("%", "%25").replace("/", "%2F")


class RunningMetrics:
    """The summary of the rows of an environment, single or vector, as they come."""

    def __init__(self, env: Any) -> None:
        stages = composed_stages(env)
        self._summary = TraceSummary(None if stages is None else tuple(stage.resolved for stage in stages))
        self._refused = 0

    @property
    def refused(self) -> int:
        """How many steps have no row."""
        return self._refused

    @refused.setter
    def refused(self, steps: int) -> None:
        self._summary.add_refused(steps - self._refused)
        self._refused = steps

    def take(self, rows: StepRows, reward: object, terminated: object, truncated: object, info: Any) -> None:
        """Takes a step of one environment, whose rows these are. Raises as StepRows.take, and where the summary does
        not take its row.
        """
        try:
            row = rows.take(reward, terminated, truncated, info)
        except ValueError:
            self.refused += 1
            raise
        findings = self._summary.add(row)
        if findings:
            raise InvalidDocument(findings)

    def report(self) -> RegimeReport:
        """The summary of the rows so far."""
        return self._summary.report()

    def restart(self) -> None:
        """Begins to count anew."""
        self._summary.restart()
