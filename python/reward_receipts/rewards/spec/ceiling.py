"""The ceiling: the most that a spec can give, from the resolved spec alone (spec, section 9).

Its figures are doubles, each operation rounded. A step at which no EPISODE_END term is due never gives more than
``per_step``: both are sums in the same order. What is added up in another order, as an episode is step by step, can
come out above its bound by the rounding of those sums; compare it with a tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.numbers import plain_integer
from ..components.component import Cadence
from .resolved import ResolvedSpec


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that a reward can come to. A sum with an unbounded term in it is unbounded: None."""

    per_step: float | None
    """The sum of the STEP terms' bounds: what one step can give; None where one of them is unbounded."""
    at_end: float | None
    """The sum of the EPISODE_END terms' bounds: what the end of an episode can give on top; None as above."""
    bounds: tuple[tuple[str, Cadence, float | None], ...]
    """Each term's name, cadence and bound, in the spec's order."""

    @property
    def unbounded(self) -> tuple[str, ...]:
        """The names of the terms that nothing bounds."""
        return tuple(name for name, _, bound in self.bounds if bound is None)

    def per_episode(self, steps: int) -> float | None:
        """What an episode of some steps can give at most, up to the rounding of its sum; None for unbounded.

        ``steps * per_step + at_end``; what overflows a double is unbounded. Raises ValueError for what is not a number
        of steps.
        """
        number = plain_integer(steps)
        if number is None or number < 0:
            raise ValueError(f"an episode has a whole number of steps, at least 0, not {steps!r}")
        steps = number
        if self.per_step is None or self.at_end is None:
            return None
        try:
            return _finite(steps * self.per_step + self.at_end)
        except OverflowError:  # no double is near so many steps
            return self.at_end if self.per_step == 0.0 else None


def ceiling(resolved: ResolvedSpec) -> Ceiling:
    """The ceiling of a resolved spec."""
    bounds = tuple((term.name, term.cadence, term.bound) for term in resolved.terms)
    return Ceiling(_sum(bounds, Cadence.STEP), _sum(bounds, Cadence.EPISODE_END), bounds)


def _sum(bounds: tuple[tuple[str, Cadence, float | None], ...], cadence: Cadence) -> float | None:
    total = 0.0
    for _, due, bound in bounds:
        if due is cadence:
            if bound is None:
                return None
            total += bound
    return _finite(total)


def _finite(value: float) -> float | None:
    return value if value - value == 0.0 else None  # what overflows a double, nothing bounds
