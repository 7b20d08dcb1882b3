"""How the ceiling of a spec is shown, by ``spec show`` and ``spec ceiling``."""

from __future__ import annotations

from typing import Any, Final

from ..core.findings import shown
from ..rewards.spec.ceiling import Ceiling

UNBOUNDED: Final = "unbounded"


def ceiling_lines(most: Ceiling) -> list[str]:
    """The ceiling as lines for people."""
    lines = [f"per step         {bound_text(most.per_step)}", f"at the end       {bound_text(most.at_end)}"]
    return lines + ([f"unbounded terms  {', '.join(most.unbounded)}"] if most.unbounded else [])


def ceiling_members(most: Ceiling) -> dict[str, Any]:
    """The ceiling as plain JSON; None is unbounded."""
    return {"per_step": most.per_step, "at_end": most.at_end, "unbounded": list(most.unbounded)}


def bound_text(value: float | None) -> str:
    """A bound for people."""
    return UNBOUNDED if value is None else f"at most {shown(value)}"
