"""Seven components for operational records: orders and deliveries, incidents, checked effects, and cost.

They are built in: a spec can name them by what ``COMPONENTS`` calls them. They read these records, which an environment
gives in the StepContext of each step. Members beside these are let be.

=================  ================================================================================================
incidents          One mapping for each incident that was open in the step, or put right in it:

                   ``id``        text, not empty; an id with one status at most once in a step
                   ``severity``  number, 0 (harmless) to 1 (the worst there is)
                   ``status``    ``opened`` in this step, ``ongoing`` since an earlier one, or ``resolved`` in this one

verifications      One mapping for each effect that was checked in the step:

                   ``effect``    text, not empty: what was to come about; ``delivery`` is a delivery to a customer
                   ``verified``  bool: whether it was found to have come about
                   ``on_time``   bool, for each ``delivery``: whether it came by its due time

state_before,      Counters of the episode so far, and what one step has at its disposal; numbers, at least 0:
state_after
                   ``units_ordered``    units that were ordered
                   ``units_filled``     those of them that were delivered in full; at most ``units_ordered``
                   ``units_completed``  units that were worked off
                   ``operating_cost``   what was spent, in the currency of the budget
                   ``capacity``         units that one step can work off where nothing hinders it
                   ``budget``           what one step may spend
=================  ================================================================================================

Each component asks only for the members that it uses. Where nothing of what it reads was given, or a list is empty,
nothing happened, and it gives 0. A record that is there and lacks a member, or has it in another form, is a ValueError
that names it; the engine raises it as CompositionError (``compose.component-failed``).

A share is ``part / whole``; it is 0 where the part is 0, whatever the whole, and 1 where the part is the whole or
more. So nothing is ever divided by 0, and no share leaves 0..1.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from ...core.findings import shown
from .component import Cadence, RewardComponent, RewardSignal
from .context import StepContext

DELIVERY: Final = "delivery"
"""The ``effect`` of a verification that checks a delivery."""
OPENED: Final = "opened"
"""The ``status`` of an incident that began in the step."""
ONGOING: Final = "ongoing"
"""The ``status`` of an incident that began earlier and is not put right."""
RESOLVED: Final = "resolved"
"""The ``status`` of an incident that was put right in the step."""


class OnTimeDelivery(RewardComponent):
    """The share of the step's deliveries that were verified and on time.

    Unit: share of deliveries. Range: 0 to 1; 0 where nothing was delivered. Sub-terms: the shares ``late`` (verified
    but late) and ``unverified``; with the value they add up to 1.
    Reason: a delivery that comes late, or that nobody can confirm, is not the service that was promised.
    """

    name = "on_time_delivery"
    reads = ("verifications",)
    clip = (0.0, 1.0)
    default_weight = 1.0

    def compute(self, ctx: StepContext) -> RewardSignal:
        on_time = late = unverified = 0
        for where, record in _records(ctx, "verifications"):
            if _text(record, "effect", where) == DELIVERY:
                verified, punctual = _flag(record, "verified", where), _flag(record, "on_time", where)
                on_time += verified and punctual
                late += verified and not punctual
                unverified += not verified
        deliveries = on_time + late + unverified
        detail = {"late": _share(late, deliveries), "unverified": _share(unverified, deliveries)}
        return self._signal(_share(on_time, deliveries), detail)


class FillRate(RewardComponent):
    """The share of the episode's ordered units that were delivered in full, at its end.

    Unit: share of units. Range: 0 to 1; 0 where nothing was ordered. Sub-term: the share ``unfilled``.
    Reason: over one step the rate says little, as most orders are still under way; at the end it is the usual
    measure of service, and it does not pay to serve the easy orders and to leave the others.
    """

    name = "fill_rate"
    cadence = Cadence.EPISODE_END
    reads = ("state_after",)
    clip = (0.0, 1.0)
    default_weight = 1.0

    def compute(self, ctx: StepContext) -> RewardSignal:
        if "state_after" not in ctx.provided:
            return self._signal(0.0)
        ordered = _counter(ctx.state_after, "units_ordered", "state_after")
        filled = _counter(ctx.state_after, "units_filled", "state_after")
        if filled > ordered:
            raise ValueError(f"state_after has units_filled {filled!r}, more than its units_ordered {ordered!r}")
        return self._signal(_share(filled, ordered), {"unfilled": _share(ordered - filled, ordered)})


class IncidentSeverity(RewardComponent):
    """A penalty: the severities of the step's open incidents, added up, below 0.

    Unit: severity. Range: minus the number of incidents to 0; 0 where none is open. The clip makes it at least -1.
    Sub-terms: what ``opened`` in the step, and what is ``ongoing``.
    Reason: an incident costs from the step that it opens until it is put right, and a grave one costs more.
    """

    name = "incident_severity"
    reads = ("incidents",)
    clip = (-1.0, 0.0)
    default_weight = 1.0

    def compute(self, ctx: StepContext) -> RewardSignal:
        severities = _severities(ctx)
        opened, ongoing = 0.0 - severities[OPENED], 0.0 - severities[ONGOING]
        return self._signal(opened + ongoing, {OPENED: opened, ONGOING: ongoing})


class IncidentResolution(RewardComponent):
    """The severities of the incidents that were put right in the step, added up.

    Unit: severity. Range: 0 to the number of incidents; 0 where none was resolved. The clip makes it at most 1.
    Sub-term: what is ``unresolved``, opened or ongoing.
    Reason: whoever puts an incident right ends its cost, and sees that at that step. By the default weights and clips
    that gives back at most half of what one incident alone cost. It is not proof against incidents that are made to be
    put right: where others are open already, the clip of ``incident_severity`` can hide what one more costs, and that
    one still pays. A clip of that penalty as wide as the incidents that can be open at once closes the gap.
    """

    name = "incident_resolution"
    reads = ("incidents",)
    clip = (0.0, 1.0)
    default_weight = 0.5

    def compute(self, ctx: StepContext) -> RewardSignal:
        severities = _severities(ctx)
        return self._signal(severities[RESOLVED], {"unresolved": severities[OPENED] + severities[ONGOING]})


class VerifiedEffects(RewardComponent):
    """The share of the step's checked effects that were found to have come about, deliveries among them.

    Unit: share of verifications. Range: 0 to 1; 0 where nothing was checked. Sub-term: the share ``unverified``.
    Reason: what counts is what a check can find in the world, not what the agent says that it did.
    """

    name = "verified_effects"
    reads = ("verifications",)
    clip = (0.0, 1.0)
    default_weight = 0.5

    def compute(self, ctx: StepContext) -> RewardSignal:
        checked = verified = 0
        for where, record in _records(ctx, "verifications"):
            _text(record, "effect", where)
            checked += 1
            verified += _flag(record, "verified", where)
        return self._signal(_share(verified, checked), {"unverified": _share(checked - verified, checked)})


class Throughput(RewardComponent):
    """The share of the step's capacity that was used to work off units.

    Unit: share of ``capacity``. Range: 0 to 1; 0 where no unit was completed, and 1 where more were than the capacity.
    Sub-term: the share ``idle``; with the value it adds up to 1.
    Reason: a line that is still serves nobody, and neither does one that an incident slows down; measured against
    its capacity, small and large lines compare.
    """

    name = "throughput"
    reads = ("state_before", "state_after")
    clip = (0.0, 1.0)
    default_weight = 0.5

    def compute(self, ctx: StepContext) -> RewardSignal:
        if ctx.provided.isdisjoint(self.reads):
            return self._signal(0.0)
        used = _share(_growth(ctx, "units_completed"), _counter(ctx.state_after, "capacity", "state_after"))
        return self._signal(used, {"idle": 1.0 - used})


class OperatingCost(RewardComponent):
    """A penalty: the share of the step's budget that was spent, below 0.

    Unit: share of ``budget``. Range: -1 to 0; 0 where nothing was spent, and -1 where more was than the budget.
    Sub-term: the share ``unspent``.
    Reason: without a price, the dearest way of working is the best; against the budget, it has no currency.
    """

    name = "operating_cost"
    reads = ("state_before", "state_after")
    clip = (-1.0, 0.0)
    default_weight = 0.25

    def compute(self, ctx: StepContext) -> RewardSignal:
        if ctx.provided.isdisjoint(self.reads):
            return self._signal(0.0)
        spent = _share(_growth(ctx, "operating_cost"), _counter(ctx.state_after, "budget", "state_after"))
        return self._signal(0.0 - spent, {"unspent": 1.0 - spent})


COMPONENTS: Final[Mapping[str, type[RewardComponent]]] = MappingProxyType(
    {
        component.name: component
        for component in (
            OnTimeDelivery,
            FillRate,
            IncidentSeverity,
            IncidentResolution,
            VerifiedEffects,
            Throughput,
            OperatingCost,
        )
    }
)
"""The seven components, by the names that specs use."""


def _share(part: float, whole: float) -> float:
    if part == 0:
        return 0.0
    return 1.0 if part >= whole else part / whole


def _severities(ctx: StepContext) -> dict[str, float]:
    """The severities of the step's incidents, added up for each status."""
    totals = {OPENED: 0.0, ONGOING: 0.0, RESOLVED: 0.0}
    seen: set[tuple[str, str]] = set()
    for where, record in _records(ctx, "incidents"):
        key = _text(record, "id", where), _text(record, "status", where)
        severity = _counter(record, "severity", where)
        if key[1] not in totals:
            raise ValueError(f"{where} has the status {shown(key[1])}; it is one of {', '.join(totals)}")
        if severity > 1.0:
            raise ValueError(f"{where} has the severity {severity!r}; it is at most 1")
        if key in seen:
            raise ValueError(f"{where} says a second time that {shown(key[0])} is {key[1]}; it would count twice")
        seen.add(key)
        totals[key[1]] += severity
    return totals


def _growth(ctx: StepContext, name: str) -> float:
    """By how much a counter grew in the step."""
    before = _counter(ctx.state_before, name, "state_before")
    after = _counter(ctx.state_after, name, "state_after")
    if after < before:
        raise ValueError(f"{name} fell from {before!r} in state_before to {after!r} in state_after; it only grows")
    return after - before


def _records(ctx: StepContext, field: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each record of a list, with what messages call it."""
    for place, record in enumerate(getattr(ctx, field)):
        if not isinstance(record, Mapping):
            raise ValueError(f"{field}[{place}] is {shown(record, 40)}, which is not a mapping")
        yield f"{field}[{place}]", record


def _member(record: Mapping[str, Any], name: str, where: str) -> Any:
    try:
        return record[name]
    except KeyError:
        raise ValueError(f"{where} has no member {name}") from None


def _text(record: Mapping[str, Any], name: str, where: str) -> str:
    value = _member(record, name, where)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{where} has the {name} {shown(value, 40)}; it is a text, not empty")
    return value


def _flag(record: Mapping[str, Any], name: str, where: str) -> bool:
    value = _member(record, name, where)
    # NumPy's own bool is not a subclass of Python's, and this module does without NumPy.
    if not isinstance(value, bool) and (type(value).__module__, type(value).__name__[:4]) != ("numpy", "bool"):
        raise ValueError(f"{where} has the {name} {shown(value, 40)}; it is true or false")
    return bool(value)


def _counter(record: Mapping[str, Any], name: str, where: str) -> float:
    """A number of a record: real, finite and at least 0, as a double."""
    value = _member(record, name, where)
    if type(value) is not float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise ValueError(f"{where} has the {name} {shown(value, 40)}; it is a number")
        try:
            value = float(value)
        except OverflowError:
            raise ValueError(f"{where} has a {name} beyond any double") from None
    if not 0.0 <= value < float("inf"):
        raise ValueError(f"{where} has the {name} {value!r}; it is a finite number, at least 0")
    return value
