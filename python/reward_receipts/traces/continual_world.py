"""The measures of Continual World (Wolczyk et al. 2021, "Continual World: A Robotic Benchmark for Continual RL").

They need evaluations: p_i(t), the performance in regime i after t training steps, between 0 and 1. Returns are scaled
by the ``best`` return of each regime. Regime i is trained from ``starts[i]`` to ``ends[i]``; T is the end of training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from .curves import Curves, EvaluationPoint
from .measures import Measured

_UNIT = "share of the best return"


@dataclass(frozen=True, slots=True)
class ContinualWorld:
    """The three measures; each is between -1 and 1, or undefined."""

    average_performance: Measured
    forward_transfer: Measured
    forgetting: Measured

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "average_performance": self.average_performance.to_dict(),
            "forward_transfer": self.forward_transfer.to_dict(),
            "forgetting": self.forgetting.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Trained:
    """When a regime was trained, in training steps: from ``start`` up to and without ``end``."""

    regime: str
    start: int
    end: int


def continual_world(
    points: Sequence[EvaluationPoint],
    trained: Sequence[Trained],
    *,
    best: Mapping[str, float],
    baseline: Mapping[str, Sequence[EvaluationPoint]] | None = None,
) -> ContinualWorld:
    """Average performance, forward transfer and forgetting of one run.

    ``best`` is the return of each regime that counts as 1; a ceiling of the spec, say. ``baseline`` has evaluations of
    runs that trained on one regime alone, from 0; forward transfer is undefined without it. A regime that is trained
    twice is measured by its first visit. Raises ValueError for a best return that is not above 0.
    """
    for regime, value in best.items():
        if not value > 0:
            raise ValueError(f"the best return of {regime!r} is {value}; expected one above 0")
    first: dict[str, Trained] = {}
    for each in trained:
        first.setdefault(each.regime, each)
    if missing := [regime for regime in first if regime not in best]:
        why = f"no best return is known for {', '.join(missing)}"
        return ContinualWorld(*(Measured(None, _UNIT, why) for _ in range(3)))
    curves = {regime: _curve(points, regime, best[regime]) for regime in first}
    return ContinualWorld(
        average_performance=average_performance(curves),
        forward_transfer=forward_transfer(
            curves,
            first,
            {regime: _curve(each, regime, best[regime]) for regime, each in (baseline or {}).items() if regime in best},
        ),
        forgetting=forgetting(curves, first),
    )


Curve = Sequence[tuple[int, float]]
"""Pairs (training steps, performance from 0 to 1), by training steps."""


def average_performance(curves: Mapping[str, Curve]) -> Measured:
    """P(T) = 1/N sum_i p_i(T): the mean over regimes of the performance at the end.

    Undefined if a regime was not evaluated, or there is none.
    """
    if why := _lacking(curves):
        return Measured(None, _UNIT, why)
    return Measured(fmean(curve[-1][1] for curve in curves.values()), _UNIT)


def forward_transfer(
    curves: Mapping[str, Curve], trained: Mapping[str, Trained], baseline: Mapping[str, Curve]
) -> Measured:
    """FT = 1/N sum_i (AUC_i - AUC_i^b) / (1 - AUC_i^b): what training on other regimes before is worth.

    AUC_i is the mean of p_i over the time in which regime i is trained, by the trapezoidal rule over the evaluations in
    it; AUC_i^b the same of the baseline, from 0, over as many steps. Undefined without a baseline for every regime,
    with fewer than two evaluations in one of these times, and if a baseline is perfect (AUC_i^b = 1).
    """
    if lacking := [regime for regime in trained if regime not in baseline]:
        return Measured(None, _UNIT, f"no baseline was trained on {', '.join(lacking)} alone")
    if why := _lacking(curves):
        return Measured(None, _UNIT, why)
    shares: list[float] = []
    for regime, span in trained.items():
        own = _area(curves[regime], span.start, span.end)
        base = _area(baseline[regime], 0, span.end - span.start)
        if own is None or base is None:
            return Measured(None, _UNIT, f"fewer than two evaluations while {regime} was trained")
        if base >= 1:
            return Measured(None, _UNIT, f"the baseline of {regime} is perfect: nothing can be gained")
        shares.append((own - base) / (1 - base))
    return Measured(fmean(shares), _UNIT) if shares else Measured(None, _UNIT, "no regime was trained")


def forgetting(curves: Mapping[str, Curve], trained: Mapping[str, Trained]) -> Measured:
    """F = 1/N sum_i (p_i(end of training on i) - p_i(T)): positive where performance was lost.

    The performance at a time is that of the last evaluation at or before it. Undefined if a regime was not evaluated by
    the end of its training.
    """
    if why := _lacking(curves):
        return Measured(None, _UNIT, why)
    lost: list[float] = []
    for regime, span in trained.items():
        at_end = [value for time, value in curves[regime] if time <= span.end]
        if not at_end:
            return Measured(None, _UNIT, f"{regime} was not evaluated by the end of its training")
        lost.append(at_end[-1] - curves[regime][-1][1])
    return Measured(fmean(lost), _UNIT)


def trained_spans(curves: Curves) -> list[Trained]:
    """When each visit of a trace of one environment was trained; visits without a label are left out."""
    spans: list[Trained] = []
    start = 0
    for visit in curves.visits:
        if visit.label is not None:
            spans.append(Trained(visit.label, start, start + visit.steps))
        start += visit.steps
    return spans


def _lacking(curves: Mapping[str, Curve]) -> str | None:
    if not curves:
        return "no regime was trained"
    lacking = [regime for regime, curve in curves.items() if not curve]
    return f"no evaluation in {', '.join(lacking)}" if lacking else None


def _curve(points: Sequence[EvaluationPoint], regime: str, best: float) -> list[tuple[int, float]]:
    return sorted(
        (point.training_steps, fmean(point.returns) / best)
        for point in points
        if point.regime == regime and point.returns
    )


def _area(curve: Curve, start: int, end: int) -> float | None:
    inside = [(time, value) for time, value in curve if start <= time <= end]
    if len(inside) < 2:
        return None
    area = sum((later - time) * (value + then) / 2 for (time, value), (later, then) in pairwise(inside))
    return area / (inside[-1][0] - inside[0][0])
