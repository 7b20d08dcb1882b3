"""A reward component: it turns one aspect of a step into one number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from .batch import StepBatch
from .context import NOTHING, StepContext
from .params import Param

Clip = tuple[float | None, float | None]
"""The least and the greatest raw value that count; None leaves that side unbounded."""


class Cadence(StrEnum):
    """When a component is due."""

    STEP = "step"
    """At every step."""
    EPISODE_END = "episode_end"
    """Once, at the step that ends the episode, terminated or truncated."""


class RewardSignal(NamedTuple):
    """What a component gives for one step; made by ``RewardComponent._signal``."""

    name: str
    """The component's name."""
    value: Any
    """The raw value, in the component's own unit, before clip and weight. The engine checks whether it is a number."""
    detail: Mapping[str, Any] = NOTHING
    """Sub-terms by name, in the same unit; for people, they count in no total."""

    def __reduce__(self) -> tuple[Any, ...]:
        return RewardSignal, (self.name, self.value, dict(self.detail))


class RewardComponent(ABC):
    """Turns one aspect of a step into one number. Subclass it, and ``register`` the subclass.

    Class attributes say the rest:

    ``name``            what messages call it; what it is registered under is the ``type`` in a spec
    ``cadence``         when it is due: Cadence.STEP (left out, it is that) or Cadence.EPISODE_END
    ``reads``           which fields of the StepContext it consumes: some of ``state_before``, ``state_after``,
                        ``incidents``, ``verifications``, ``extras``
    ``clip``            the bounds that its raw value is clipped to if the spec gives none, (low, high), either of
                        them None if that side is unbounded; None for no clip
    ``default_weight``  its weight where the spec says nothing
    ``params``          the parameters that its constructor takes as keywords, each a ``Param`` by its name; a term of
                        a spec gives them in its ``params``

    ``compute`` gives ``self._signal(value, detail)``: the raw value, in a unit of its own, and sub-terms for people, if
    it has any. A component may keep state between the steps of an episode; it gives that up in ``reset``. Each
    environment that an engine serves has an instance of its own, made with all parameters that the class declares::

        class Near(RewardComponent):
            name = "near"
            reads = ("extras",)
            params = {"target": Param("number"), "scale": Param("number", default=1.0, minimum=0.0)}

            def __init__(self, target: float, scale: float) -> None:
                self.target, self.scale = target, scale

            def compute(self, ctx: StepContext) -> RewardSignal:
                return self._signal(-self.scale * abs(ctx.extras["position"] - self.target))
    """

    name: ClassVar[str]
    """What messages call it; the name that it is registered under is the spec's ``type``."""
    cadence: ClassVar[Cadence] = Cadence.STEP
    """When it is due."""
    reads: ClassVar[Sequence[str]] = ()
    """Which fields of the StepContext it consumes."""
    clip: ClassVar[Clip | None] = None
    """The bounds that its raw value is clipped to if the spec gives none; None for no clip."""
    default_weight: ClassVar[float] = 1.0
    """Its weight where the spec says nothing."""
    params: ClassVar[Mapping[str, Param]] = MappingProxyType({})
    """The parameters that its constructor takes as keywords."""
    term: str = ""
    """The name of the term that this instance computes; the engine sets it, after the constructor."""

    @abstractmethod
    def compute(self, ctx: StepContext) -> RewardSignal:
        """The component's value for a step, by ``self._signal(value)``. Called only at steps at which it is due."""

    def compute_batch(self, batch: StepBatch) -> RewardSignal:
        """The component's values for the steps that many environments take at once. To be overridden; optional.

        A vector environment's wrapper calls it in place of ``compute`` where every component of the spec has it, with
        one instance for all environments: a component that keeps state between steps (one with a ``reset`` of its own)
        is never asked. Returns ``self._signal(values, detail)``: an array of numbers of shape (len(batch),) in the
        component's unit, and an array of that shape for each sub-term. They have to be what ``compute`` gives of each
        step, to the last bit::

            def compute_batch(self, batch):
                return self._signal(np.cos(batch.extras["angle"]))
        """
        raise NotImplementedError(f"{type(self).__name__} computes one step at a time")

    def reset(self) -> None:  # noqa: B027 - most components keep no state
        """Forgets the episode. The engine calls it before each new one."""

    def _signal(self, value: Any, detail: Mapping[str, Any] | None = None) -> RewardSignal:
        """The signal of this component: a finite number, in its own unit, and its sub-terms by name.

        From ``compute_batch`` both are arrays, with a number for each step.
        """
        # Past the named tuple's own constructor, which takes twice the time, at each step for each due component.
        return _new(RewardSignal, (self.name, value, NOTHING if detail is None else MappingProxyType(dict(detail))))


_new: Final = tuple.__new__
