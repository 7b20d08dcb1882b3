"""The report of the tier checker on an environment: each capability, and the tier that it reaches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from ...core.counted import counted

TIERS: Final = {
    1: "its own reward can be traced, told apart by regime, summarised and exported",
    2: "it says what happens too, so a reward spec can score it",
}
"""What an environment of each tier is good for."""


class Verdict(StrEnum):
    """What became of a capability or a tier."""

    PASS = "pass"  # noqa: S105 - no password
    """It was seen wherever it was looked for."""
    FAIL = "fail"
    """It was missing somewhere."""
    UNDECIDED = "undecided"
    """It was missing nowhere, and not enough was seen."""
    NOTE = "note"
    """Something is worth a note, and counts for no tier."""


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing that is asked of an environment, and what was seen of it."""

    id: str
    """What it is called."""
    tier: int | None
    """The tier that asks for it, 1 or 2; None where it is noted only and counts for no tier."""
    asks: str
    """What is asked."""
    verdict: Verdict
    """What became of it."""
    seen: str
    """What was seen, and where it was missing first."""
    fix: str | None
    """What to do about it; None where it passed, or could not be looked at for what failed before."""
    looked: int
    """How often it was looked for."""
    faults: int
    """How often it was missing."""
    episode: int | None
    """The episode in which it was missing first, from 0; None where it was not, or outside of an episode."""
    step: int | None
    """The step of that episode, from 0; None as above, and at a reset."""


@dataclass(frozen=True, slots=True)
class EnvReport:
    """What the checker says of an environment."""

    environment: str
    """Its class, and the outermost wrapper around it."""
    seed: int
    """The seed of the first episode; each further one adds 1."""
    episodes: int
    """How many episodes began."""
    ended: int
    """How many of them ended."""
    steps: int
    """How many steps were asked for in all; one that raised is among them."""
    capabilities: tuple[Capability, ...]
    """Every capability, by tier; those that are noted only come last."""

    @property
    def tier(self) -> int:
        """The tier that the environment reaches: 2, 1, or 0 for none that could be seen."""
        return max((tier for tier in TIERS if self.verdict(tier) is Verdict.PASS), default=0)

    def verdict(self, tier: int) -> Verdict:
        """Whether the environment reaches a tier, 1 or 2. Tier 2 asks for all of Tier 1 too."""
        if tier not in TIERS:
            raise ValueError(f"there are the tiers {' and '.join(map(str, TIERS))}, not {tier!r}")
        verdicts = {each.verdict for each in self.capabilities if each.tier is not None and each.tier <= tier}
        return next(worst for worst in (Verdict.FAIL, Verdict.UNDECIDED, Verdict.PASS) if worst in verdicts)

    def missing(self, tier: int) -> tuple[Capability, ...]:
        """What a tier itself asks for and did not pass."""
        return tuple(each for each in self.capabilities if each.tier == tier and each.verdict is not Verdict.PASS)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON."""
        members = {name: value for name, value in asdict(self).items() if name != "capabilities"}
        capabilities = [{**asdict(each), "verdict": str(each.verdict)} for each in self.capabilities]
        tiers = {str(tier): str(self.verdict(tier)) for tier in TIERS}
        return {**members, "tier": self.tier, "tiers": tiers, "capabilities": capabilities}

    def __str__(self) -> str:
        reaches = {
            Verdict.PASS: f"reaches Tier {self.tier}",
            Verdict.FAIL: "does not reach Tier 1",
            Verdict.UNDECIDED: "is undecided: too little was seen",
        }
        lines = [
            f"{self.environment} {reaches[self.verdict(1)]}",
            f"looked at {counted(self.episodes, 'episode')} from seed {self.seed} ({self.ended} ended), "
            f"{counted(self.steps, 'step')}",
        ]
        for tier, good_for in TIERS.items():
            lines += [f"Tier {tier} ({good_for}): {self.verdict(tier)}", *self._lines(tier)]
        return "\n".join([*lines, "Noted, for no tier", *self._lines(None)])

    def _lines(self, tier: int | None) -> Iterable[str]:
        for each in self.capabilities:
            if each.tier == tier:
                yield f"  {each.verdict:9}  {each.id:17}  {each.seen}"
                if each.fix is not None:
                    yield f"  {'':9}  {'':17}  fix: {each.fix}"
