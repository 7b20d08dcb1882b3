"""Five components that fit any environment whose steps name the entries of its observation.

They are built in: a spec can name them by what ``COMPONENTS`` calls them. ``reward_receipts.envs.NamedObservation``
makes the steps of any environment with a Box observation so.

=================  ================================================================================================
state_before,      The entries of the observation by name: numbers
state_after
extras             ``reward``: the environment's own reward; ``action``: the action, a number or numbers
=================  ================================================================================================

A step that lacks what a component reads, or has it in another form, is an error that names it; the engine raises it as
CompositionError (``compose.component-failed``). Nothing that is missing counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from types import MappingProxyType
from typing import Any, ClassVar, Final

from ...core.findings import shown
from ...core.foreign import quote
from ...core.numbers import plain_double
from ...validation.spec_rules import listed
from .component import RewardComponent, RewardSignal
from .context import StepContext
from .params import Param

REWARD: Final = "reward"
"""The member of ``extras`` that has the environment's own reward."""
ACTION: Final = "action"
"""The member of ``extras`` that has the action."""


class EnvironmentReward(RewardComponent):
    """The environment's own reward, in its own unit. No clip."""

    name = "env_reward"
    reads = ("extras",)

    def compute(self, ctx: StepContext) -> RewardSignal:
        """``extras["reward"]``."""
        return self._signal(_number(ctx.extras, REWARD, "extras"))


class ActionNorm(RewardComponent):
    """The size of the action as a cost: minus its Euclidean norm, in the unit of the action. At most 0."""

    name = "action_norm"
    reads = ("extras",)
    clip = (None, 0.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        """``-sqrt(sum(a ** 2))`` over the numbers of the action."""
        action = _member(ctx.extras, ACTION, "extras")
        tolist = getattr(action, "tolist", None)  # as an array of NumPy has
        return self._signal(-hypot(*_numbers(action if tolist is None else tolist())))


class Survival(RewardComponent):
    """1 for each step that does not terminate the episode, 0 for the one that does. A step that truncates counts."""

    name = "survival"
    clip = (0.0, 1.0)

    def compute(self, ctx: StepContext) -> RewardSignal:
        """1.0, or 0.0 at the step that terminates."""
        return self._signal(0.0 if ctx.terminated else 1.0)


class ObservationEntry(RewardComponent):
    """One entry of the observation after the step, in its own unit. No clip."""

    name = "observation_entry"
    reads = ("state_after",)
    params: ClassVar[Mapping[str, Param]] = {"entry": Param("text", description="the name of the entry")}

    def __init__(self, entry: str) -> None:
        self._entry = entry

    def compute(self, ctx: StepContext) -> RewardSignal:
        """``state_after[entry]``."""
        return self._signal(_number(ctx.state_after, self._entry, "state_after"))


class PotentialDifference(RewardComponent):
    """Potential-based shaping: what a step changes of an entry of the observation, discounted.

    ``discount * after - before``, where the potential after a step that terminates is 0. Shaping of this form, with the
    trainer's own discount, leaves the optimal policies of an environment as they are: Ng, Harada and Russell, Policy
    invariance under reward transformations, ICML 1999. No clip.
    """

    name = "potential_difference"
    reads = ("state_before", "state_after")
    params: ClassVar[Mapping[str, Param]] = {
        "entry": Param("text", description="the name of the entry that is the potential"),
        "discount": Param("number", default=1.0, minimum=0.0, maximum=1.0, description="the trainer's discount"),
    }

    def __init__(self, entry: str, discount: float) -> None:
        self._entry, self._discount = entry, discount

    def compute(self, ctx: StepContext) -> RewardSignal:
        """``discount * state_after[entry] - state_before[entry]``."""
        before = _number(ctx.state_before, self._entry, "state_before")
        after = 0.0 if ctx.terminated else _number(ctx.state_after, self._entry, "state_after")
        return self._signal(self._discount * after - before, {"before": before, "after": after})


COMPONENTS: Final[Mapping[str, type[RewardComponent]]] = MappingProxyType(
    {each.name: each for each in (EnvironmentReward, ActionNorm, Survival, ObservationEntry, PotentialDifference)}
)
"""The components by the names under which a spec finds them."""


def _member(members: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in members:
        raise ValueError(f"{where} has no {shown(name)}; it has {listed([*members]) or 'nothing'}")
    return members[name]


def _number(members: Mapping[str, Any], name: str, where: str) -> float:
    value = _member(members, name, where)
    double = plain_double(value)
    if double is None:
        raise ValueError(f"{where} has the {name} {quote(value)}, which is not a number")
    return double


def _numbers(action: Any) -> list[float]:
    parts = action if isinstance(action, (list, tuple)) else [action]
    if any(isinstance(part, (list, tuple)) for part in parts):
        return [number for part in parts for number in _numbers(part)]
    doubles = [plain_double(part) for part in parts]
    if None in doubles:
        raise ValueError(f"extras has the action {quote(action)}, which is not a number and not numbers")
    return [double for double in doubles if double is not None]
