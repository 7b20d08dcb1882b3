"""Regimes on a schedule: when an environment's conditions change, and what the new ones are called."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import gymnasium

from ..validation.names import LONGEST_LABEL, is_label
from .step import REGIME
from .wrapper_order import require_no_rows_below

if TYPE_CHECKING:
    Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]
else:
    Wrapper = gymnasium.Wrapper


class RegimeSchedule(Wrapper):
    """An environment whose regime follows a schedule; ``info["regime"]`` has its ``label`` and ``boundary``.

    ``schedule`` is a sequence of pairs (start, label): the first starts at 0, the others later and later. With the unit
    ``steps`` a start counts the steps of all episodes together, and a regime can begin within an episode; with
    ``episodes`` it counts the episodes in which a step was taken. ``boundary`` is true at the first step of a regime,
    and in the ``info`` of a reset that such a step follows.

    ``on_boundary(env, label)`` is called once at each boundary, before the reset or the step that it begins with; there
    it can change the environment's parameters.

    For a vector environment, wrap each of its environments. Raises ValueError for a schedule or a unit of another form,
    and WrapperOrder around a recorder or metrics, which would not see the regimes.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        schedule: Sequence[tuple[int, str]],
        *,
        unit: Literal["steps", "episodes"] = "steps",
        on_boundary: Callable[[gymnasium.Env[Any, Any], str], None] | None = None,
    ) -> None:
        require_no_rows_below(env, "the schedule of regimes")
        super().__init__(env)
        if unit not in ("steps", "episodes"):
            raise ValueError(f"a schedule counts 'steps' or 'episodes', not {unit!r}")
        self._starts, self._labels = _checked(schedule)
        self._unit = unit
        self._on_boundary = on_boundary
        self._count = 0
        self._place = -1
        self._begins = False
        self._stepped = False

    @property
    def regime_schedule(self) -> dict[str, Any]:
        """The schedule as plain JSON, as a manifest has it."""
        return {"unit": self._unit, "schedule": [list(pair) for pair in zip(self._starts, self._labels, strict=True)]}

    @property
    def reward_receipts_regime_schedule(self) -> dict[str, Any]:
        """The schedule under the name that a manifest asks for (SCHEDULE): no environment has it by chance."""
        return self.regime_schedule

    @property
    def regime(self) -> str | None:
        """The label of the active regime; None before the first reset."""
        return None if self._place < 0 else self._labels[self._place]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode, in the regime of its first step."""
        if self._unit == "episodes" and self._stepped:
            self._count += 1
            self._stepped = False
        self._settle()
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, REGIME: self._said()}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, in the regime that is active at it."""
        self._settle()
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = {**info, REGIME: self._said()}
        self._begins = False
        self._stepped = True
        if self._unit == "steps":
            self._count += 1
        return observation, reward, terminated, truncated, info

    def _settle(self) -> None:
        place = bisect_right(self._starts, self._count) - 1
        if place != self._place:
            if self._on_boundary is not None:
                self._on_boundary(self.env, self._labels[place])
            self._place = place
            self._begins = True

    def _said(self) -> dict[str, Any]:
        return {"label": self._labels[self._place], "boundary": self._begins}


def _checked(schedule: Sequence[tuple[int, str]]) -> tuple[list[int], list[str]]:
    starts = [start for start, _ in schedule]
    labels = [label for _, label in schedule]
    whole = all(type(start) is int for start in starts)
    if not whole or not starts or starts[0] != 0 or any(later <= start for start, later in pairwise(starts)):
        raise ValueError(f"a schedule's starts are whole numbers, the first 0, each above the one before; not {starts}")
    for label in labels:
        if not is_label(label):
            raise ValueError(f"a regime's label is a text of 1 to {LONGEST_LABEL} characters, not {label!a}")
    return starts, labels
