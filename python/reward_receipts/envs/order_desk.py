"""A small Tier-2 environment: a shift at an order desk, calm at first, then in a surge.

Orders come in at every step and are due a few steps later. The desk ships what is waiting, oldest order first. Now and
then an incident slows it down until it is repaired. Nothing here is a model of any real desk; it is small enough to be
read, and everything that the seven components for operational records read happens in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import gymnasium
import numpy
from numpy.typing import NDArray

from ..rewards.components.operations import DELIVERY, ONGOING, OPENED, RESOLVED
from ..rewards.spec.generated.reward_spec import RewardSpec
from .step import REGIME, TRACE, EpisodeStep

OPERATIONS_SPEC: Final = RewardSpec.from_dict(
    {
        "name": "order desk",
        "components": [
            {"type": "on_time_delivery", "weight": 1.0},
            {"type": "fill_rate", "weight": 5.0},
            {"type": "incident_severity", "weight": 1.0},
            {"type": "incident_resolution", "weight": 0.5},
            {"type": "verified_effects", "weight": 0.5},
            {"type": "throughput", "weight": 0.5},
            {"type": "operating_cost", "weight": 0.25},
        ],
        "gates": [
            {"component": "throughput", "requires": "on_time_delivery"},
            {"component": "incident_resolution", "requires": "verified_effects"},
        ],
    }
)
"""A spec over all seven components. Nothing takes it unasked: name it to score the desk by it."""


class DeskAction(IntEnum):
    """What the desk does in a step."""

    SHIP = 0
    """Work at the normal pace."""
    EXPEDITE = 1
    """Work faster, at a higher cost, and with more incidents."""
    REPAIR = 2
    """Put the open incident right, and ship a little beside it."""


@dataclass(slots=True)
class _Order:
    units: int
    due: int
    shipped: int = 0


class OperationsEnv(gymnasium.Env[NDArray[numpy.float32], numpy.int64]):
    """One shift of ``horizon`` steps; from step ``surge_from`` on, more orders and more incidents come.

    Observation: 5 shares, each 0 to 1: units waiting (of 50), units due by the next step (of 50), severity of the open
    incident, whether it is the surge, and how much of the shift is over. Actions: ``DeskAction``. Its own reward is
    the units delivered on time less the step's cost. The shift ends truncated. The same seed and actions give the same
    shift.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as gymnasium has it
    CAPACITY: Final = {DeskAction.SHIP: 5, DeskAction.EXPEDITE: 8, DeskAction.REPAIR: 2}
    """Units that a step can ship; half of it, rounded up, while an incident is open. What the records give as
    ``capacity`` is the whole of it, so that the throughput shows what an incident costs."""
    COST: Final = {DeskAction.SHIP: 2.0, DeskAction.EXPEDITE: 5.0, DeskAction.REPAIR: 3.0}
    """What a step costs, of a budget of ``BUDGET``."""
    BUDGET: Final = 6.0
    DUE_IN: Final = 2
    """How many steps after the one in which an order comes it is due."""

    def __init__(self, horizon: int = 40, surge_from: int = 20) -> None:
        if type(horizon) is not int or type(surge_from) is not int or not 0 <= surge_from <= horizon or horizon < 1:
            raise ValueError(
                f"the shift has at least 1 step, and the surge begins in it: 0 <= surge_from <= horizon, both whole "
                f"numbers, not surge_from={surge_from!r}, horizon={horizon!r}"
            )
        self.horizon, self.surge_from = horizon, surge_from
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (5,), numpy.float32)
        self.action_space = gymnasium.spaces.Discrete(len(DeskAction))
        self._running = False

    def describe(self) -> dict[str, Any]:
        """What the run was configured with."""
        return {"environment": "reward_receipts.operations/v1", "horizon": self.horizon, "surge_from": self.surge_from}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[numpy.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self._running = True
        self._step = self._opened = 0
        self._severity = 0.0  # of the open incident; 0 where none is open
        self._orders: list[_Order] = []
        self._counters = {"units_ordered": 0, "units_filled": 0, "units_completed": 0, "operating_cost": 0.0}
        return self._observation(), {REGIME: self._regime()}

    def step(self, action: Any) -> tuple[NDArray[numpy.float32], float, bool, bool, dict[str, Any]]:
        if not self._running:
            raise gymnasium.error.ResetNeeded("the shift is over, or has not begun; call reset()")
        if not self.action_space.contains(action):
            raise gymnasium.error.InvalidAction(f"{action!r} is not an action; they are 0 to {len(DeskAction) - 1}")
        chosen = DeskAction(int(action))
        regime, surge = self._regime(), self._surge
        before = self._state(chosen)

        incidents, verifications = self._handle_incident(chosen, surge)
        self._take_order(surge)
        on_time = self._ship(self._capacity(chosen), verifications)
        self._counters["operating_cost"] += self.COST[chosen]
        truncated = self._step + 1 >= self.horizon
        trace = EpisodeStep.of(
            self._step,
            state_before=before,
            state_after=self._state(chosen),
            incidents=incidents,
            verifications=verifications,
            truncated=truncated,
        )
        self._step += 1
        self._running = not truncated
        reward = float(on_time - self.COST[chosen])
        return self._observation(), reward, False, truncated, {TRACE: trace, REGIME: regime}

    @property
    def _surge(self) -> bool:
        return self._step >= self.surge_from

    def _regime(self) -> dict[str, Any]:
        """The regime of the next step; a boundary is the first step of a regime."""
        return {"label": "surge" if self._surge else "steady", "boundary": self._step in (0, self.surge_from)}

    def _state(self, chosen: DeskAction) -> dict[str, Any]:
        return {**self._counters, "capacity": self.CAPACITY[chosen], "budget": self.BUDGET}

    def _capacity(self, chosen: DeskAction) -> int:
        capacity = self.CAPACITY[chosen]
        return (capacity + 1) // 2 if self._severity else capacity

    def _handle_incident(self, chosen: DeskAction, surge: bool) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Repairs the open incident, or lets one open. At most one is open; what was done about it is checked."""
        verifications: list[dict[str, Any]] = []
        if self._severity:
            status = ONGOING
            if chosen is DeskAction.REPAIR:
                repaired = bool(self.np_random.random() < 0.9)
                verifications.append({"effect": "repair", "verified": repaired})
                status = RESOLVED if repaired else ONGOING
        elif self.np_random.random() < (0.2 if surge else 0.08) * (2 if chosen is DeskAction.EXPEDITE else 1):
            status = OPENED
            self._opened += 1
            self._severity = int(self.np_random.integers(2, 9)) / 10
        else:
            return [], verifications
        incident = {"id": f"incident-{self._opened}", "severity": self._severity, "status": status}
        if status == RESOLVED:
            self._severity = 0.0
        return [incident], verifications

    def _take_order(self, surge: bool) -> None:
        low, high = (4, 8) if surge else (2, 5)
        units = int(self.np_random.integers(low, high))
        self._orders.append(_Order(units, self._step + self.DUE_IN))
        self._counters["units_ordered"] += units

    def _ship(self, capacity: int, verifications: list[dict[str, Any]]) -> int:
        """Ships what the capacity allows. Each order that is complete is a delivery; gives the units on time."""
        units_on_time = 0
        while self._orders and capacity:
            order = self._orders[0]
            units = min(capacity, order.units - order.shipped)
            order.shipped += units
            capacity -= units
            self._counters["units_completed"] += units
            if order.shipped == order.units:
                on_time = self._step <= order.due
                delivered = bool(self.np_random.random() < 0.95)  # else it got lost on its way
                verifications.append({"effect": DELIVERY, "verified": delivered, "on_time": on_time})
                self._counters["units_filled"] += order.units if delivered else 0
                units_on_time += order.units if delivered and on_time else 0
                self._orders.pop(0)
        return units_on_time

    def _observation(self) -> NDArray[numpy.float32]:
        waiting = sum(order.units - order.shipped for order in self._orders)
        due = sum(order.units - order.shipped for order in self._orders if order.due <= self._step + 1)
        shares = [waiting / 50, due / 50, self._severity, float(self._surge), self._step / self.horizon]
        return numpy.minimum(numpy.array(shares, numpy.float32), numpy.float32(1.0))
