"""Counts of the checks of one requirement, and the verdict that follows from them."""

from __future__ import annotations

from ...core.counted import counted
from .report import Capability, Verdict
from .requirements import REQUIREMENTS

Place = tuple[int | None, int | None]
"""Episode and step, both from 0; None for outside of an episode, and for its reset."""


class Tally:
    """Counts how often a requirement was checked and not met, and keeps the first place where it was not."""

    def __init__(self, name: str) -> None:
        self._name, self._requirement = name, REQUIREMENTS[name]
        self._looked = self._faults = self._unseen = 0
        self._first: Place = (None, None)
        self._found = self._why_unseen = ""

    def look(self, fault: str | None, at: Place) -> None:
        """Counts one check, and the fault that it found, if any."""
        self._looked += 1
        if fault is not None:
            self.fault(fault, at)

    def fault(self, fault: str, at: Place) -> None:
        """Counts a fault that showed up after its check was counted."""
        if not self._faults:
            self._first, self._found = at, fault
        self._faults += 1

    def unseen(self, why: str) -> None:
        """Counts one place that could not be checked."""
        self._unseen += 1
        self._why_unseen = why

    def capability(self) -> Capability:
        """The result, for the report."""
        requirement = self._requirement
        verdict = self._verdict()
        is_mendable = self._faults or self._unseen  # the rest was not seen because something before it failed
        return Capability(
            self._name,
            requirement.tier,
            requirement.asks,
            verdict,
            self._seen(verdict),
            requirement.fix if is_mendable else None,
            self._looked,
            self._faults,
            *self._first,
        )

    def _verdict(self) -> Verdict:
        if self._faults:
            return Verdict.NOTE if self._requirement.is_note else Verdict.FAIL
        return Verdict.PASS if self._looked and not self._unseen else Verdict.UNDECIDED

    def _seen(self, verdict: Verdict) -> str:
        asks, unit = self._requirement.asks, self._requirement.unit
        episode, step = self._first
        is_single = self._looked == 1 and episode is None
        if self._faults:
            at = "reset" if step is None else f"step {step}"
            place = "" if episode is None else f", first at episode {episode}, {at}"
            counts = f"{self._requirement.missing} at {self._faults} of {counted(self._looked, unit)}"
            return self._found if is_single else f"{counts}{place}: {self._found}"
        if verdict is Verdict.PASS:
            return asks if is_single else f"{asks} ({counted(self._looked, unit)})"
        if not self._unseen:
            return f"{asks}: none was seen"
        return f"{asks}: seen at {self._looked} of {counted(self._looked + self._unseen, unit)}; {self._why_unseen}"
