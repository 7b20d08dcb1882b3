"""Components that give what a test says, and specs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reward_receipts.rewards import Cadence, CompositionEngine, RewardComponent, RewardSignal, RewardSpec, StepContext

AT_END = Cadence.EPISODE_END


def scripted(
    name: str,
    cadence: Cadence = Cadence.STEP,
    clip: tuple[float | None, float | None] | None = None,
    default_weight: float = 1.0,
    reads: Sequence[str] = ("extras",),
) -> type[RewardComponent]:
    """A component that gives what the step's extras have under its name, whatever it is."""

    def compute(self: RewardComponent, ctx: StepContext) -> RewardSignal:
        return self._signal(ctx.extras[name])

    members = {"cadence": cadence, "clip": clip, "default_weight": default_weight, "reads": reads, "compute": compute}
    return type(f"Scripted_{name}", (RewardComponent,), {"name": name, "__module__": __name__, **members})


END = Scripted_end = scripted("end", AT_END)
"""A component that is due at the end. A pickle finds it here under the name of its class."""


def spec_of(*terms: dict[str, Any] | str, gates: Sequence[tuple[str, str]] = (), name: str = "case") -> RewardSpec:
    """A spec of these terms, in short: ``spec_of("a", {"type": "b", "weight": 2.0}, gates=[("a", "b")])``."""
    return RewardSpec.from_dict(
        {
            "name": name,
            "components": [{"type": term} if isinstance(term, str) else term for term in terms],
            "gates": [{"component": component, "requires": requires} for component, requires in gates],
        }
    )


def engine_of(
    *terms: dict[str, Any] | str,
    gates: Sequence[tuple[str, str]] = (),
    classes: Mapping[str, type[RewardComponent]] | None = None,
    environments: int = 1,
) -> CompositionEngine:
    """An engine of such a spec. A term's component is a scripted one where ``classes`` has none."""
    spec = spec_of(*terms, gates=gates)
    registry = {each.type: scripted(each.type) for each in spec.components} | dict(classes or {})
    return CompositionEngine(spec, environments=environments, registry=registry)


def step_of(number: int = 0, terminated: bool = False, truncated: bool = False, **raw: object) -> StepContext:
    """A step at which each scripted component gives the raw value under its name."""
    return StepContext(number, extras=raw, terminated=terminated, truncated=truncated)
