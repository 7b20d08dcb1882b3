"""What a Tier-2 environment says of a step, in ``info``: the record of it, and the regime it was taken in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

from ..rewards.components.context import StepContext

TRACE: Final = "trace"
"""The member of ``info`` that carries an EpisodeStep."""
REGIME: Final = "regime"
"""The member of ``info`` that says the active regime: ``{"label": text, "boundary": bool}``."""
PARTS: Final = "reward_parts"
"""The member of a step's ``extras`` that has the parts of the environment's reward, by name, where it has several."""
SCHEDULE: Final = "reward_receipts_regime_schedule"
"""The attribute under which a manifest finds a RegimeSchedule. An environment's own ``regime_schedule`` is none."""


@dataclass(frozen=True, slots=True)
class EpisodeStep:
    """The record of one step that a Tier-2 environment gives under ``info["trace"]``."""

    context: StepContext
    """What the step did."""

    def __post_init__(self) -> None:
        """Raises TypeError for anything but a StepContext, because a wrapper would fail on it later, elsewhere."""
        if not isinstance(self.context, StepContext):
            raise TypeError(
                f"the context of an EpisodeStep is a {type(self.context).__name__}; expected a StepContext: "
                "EpisodeStep.of(step, extras={...}) makes both"
            )

    @classmethod
    def of(cls, step: int = 0, **fields: Any) -> Self:
        """The record of ``StepContext(step, **fields)``."""
        return cls(StepContext(step, **fields))

    def ending(self, terminated: bool, truncated: bool) -> StepContext:
        """The context with the flags that the environment returned beside ``info``."""
        context = self.context
        if context.terminated == terminated and context.truncated == truncated:
            return context
        return context.ending(terminated, truncated)
