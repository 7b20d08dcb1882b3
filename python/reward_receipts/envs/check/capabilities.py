"""What the tier checker asks of an environment, and the tally of what was seen (spec, section 10)."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..step import REGIME, TRACE
from .report import Capability, Verdict, counted

Place = tuple[int | None, int | None]
"""Episode and step, both from 0; None for outside of an episode, and for its reset."""


class Asked(NamedTuple):
    """One thing that is asked of an environment."""

    tier: int | None
    """The tier that asks for it; None where it counts for no tier."""
    unit: str
    """What is looked at, one at a time."""
    asks: str
    """What is asked."""
    fix: str
    """What to do where it is missing."""
    missing: str = "missing"
    """The word for that it was not so."""
    is_note: bool = False
    """Whether what is found is worth a note, and no fault."""


ASKED: Final = {
    "environment": Asked(
        1,
        "object",
        "a gymnasium.Env that can be made",
        "Make it a subclass of gymnasium.Env. An environment of several agents (PettingZoo) is checked as a "
        "gymnasium.Env for one of them, and traced as a vector environment with a place for each.",
    ),
    "action-space": Asked(
        1,
        "action",
        "an action_space that actions can be drawn from",
        "Set action_space to a gymnasium space in the constructor.",
    ),
    "no-exception": Asked(
        1, "call", "reset and step raise nothing", "Correct what is raised, at the place that is named.", "raised"
    ),
    "reset": Asked(
        1,
        "reset",
        "reset(seed=...) returns (observation, info)",
        "Write def reset(self, *, seed=None, options=None), and return an observation and a dict.",
    ),
    "five-values": Asked(
        1,
        "step",
        "step(action) returns (observation, reward, terminated, truncated, info)",
        "Write def step(self, action), and return five values; split an old done into terminated and truncated.",
    ),
    "flags": Asked(
        1, "step", "terminated and truncated are bool or numpy.bool_", "Return bool(...) for both; None and 0 are none."
    ),
    "reward": Asked(
        1,
        "step",
        "the reward is a finite real number, and no bool",
        "Return a finite float, or a NumPy scalar, at every step; one NaN spoils every sum that it is in. A reward "
        "with several parts goes through reward_receipts.envs.RewardParts, whose parts a spec composes.",
    ),
    "info": Asked(1, "info", "info is a dict", "Return a dict as info, from reset and from step; {} will do."),
    "info-distinct": Asked(
        1,
        "info",
        "each info is an object of its own, and stays as it was given",
        "Make a new dict at each reset and step; whoever kept the last one sees it change otherwise.",
    ),
    "episode-end": Asked(
        1,
        "episode",
        "episodes end, terminated or truncated",
        "Allow for more steps (max_steps), or limit the episode: gymnasium.wrappers.TimeLimit.",
    ),
    "close": Asked(1, "close", "close() does not raise", "Let close() be called at any time."),
    "trace": Asked(
        2,
        "step",
        f'info["{TRACE}"] is an EpisodeStep of the same number at every step, from 0 or 1, and provides something',
        "from reward_receipts.envs import EpisodeStep; put EpisodeStep.of(step, extras=...) into "
        f'info["{TRACE}"], step from 0; a wrapper has to hand info on.',
    ),
    "trace-distinct": Asked(
        2, "step", "each EpisodeStep is an object of its own", "Make a new EpisodeStep at each step."
    ),
    "regime": Asked(
        2,
        "step",
        f'info["{REGIME}"] has a label (text) and a boundary (bool) at every step, and stays as it was given',
        f'Put a new {{"label": ..., "boundary": ...}} into info["{REGIME}"] at each step, or wrap it in '
        "reward_receipts.envs.RegimeSchedule; a wrapper has to hand info on.",
    ),
    "describe": Asked(
        2,
        "call",
        "describe() returns what the run was configured with: a mapping that JSON can hold, not empty",
        "Write describe(), and return plain values: a dict of text, int, finite float, bool, None, list, dict.",
    ),
    "observation-space": Asked(
        None,
        "observation",
        "each observation is in the observation_space",
        "Correct the space, or the observation's dtype, shape or bounds.",
    ),
    "repeats": Asked(
        None,
        "call",
        "a second episode from the same seed with the same actions gives the same observations, rewards, flags and "
        "traces",
        "Draw every random number from self.np_random, which reset(seed=...) seeds, and keep nothing from one episode "
        "to the next; a run of an environment that does not repeat itself cannot be repeated either.",
        missing="another",
        is_note=True,
    ),
    "gymnasium-checker": Asked(
        None,
        "run",
        "gymnasium's own check_env has nothing to say",
        "Read what gymnasium says of it; no tier asks for it.",
        is_note=True,
    ),
}


class Tally:
    """How often a capability was looked for, and where it was missing first."""

    def __init__(self, name: str) -> None:
        self._name, self._asked = name, ASKED[name]
        self._looked = self._faults = self._unseen = 0
        self._first: Place = (None, None)
        self._found = self._why_unseen = ""

    def look(self, fault: str | None, at: Place) -> None:
        """Takes that it was looked for once, and what was wrong there."""
        self._looked += 1
        if fault is not None:
            self.fault(fault, at)

    def fault(self, fault: str, at: Place) -> None:
        """Takes what turned out to be wrong where it had been looked for."""
        if not self._faults:
            self._first, self._found = at, fault
        self._faults += 1

    def unseen(self, why: str) -> None:
        """Takes that it could not be seen once."""
        self._unseen += 1
        self._why_unseen = why

    def capability(self) -> Capability:
        """What came of it."""
        asked = self._asked
        verdict = self._verdict()
        is_mendable = self._faults or self._unseen  # what else was not seen comes after something that failed
        return Capability(
            self._name,
            asked.tier,
            asked.asks,
            verdict,
            self._seen(verdict),
            asked.fix if is_mendable else None,
            self._looked,
            self._faults,
            *self._first,
        )

    def _verdict(self) -> Verdict:
        if self._faults:
            return Verdict.NOTE if self._asked.is_note else Verdict.FAIL
        return Verdict.PASS if self._looked and not self._unseen else Verdict.UNDECIDED

    def _seen(self, verdict: Verdict) -> str:
        asks, unit = self._asked.asks, self._asked.unit
        episode, step = self._first
        is_single = self._looked == 1 and episode is None
        if self._faults:
            at = "reset" if step is None else f"step {step}"
            place = "" if episode is None else f", first at episode {episode}, {at}"
            counts = f"{self._asked.missing} at {self._faults} of {counted(self._looked, unit)}"
            return self._found if is_single else f"{counts}{place}: {self._found}"
        if verdict is Verdict.PASS:
            return asks if is_single else f"{asks} ({counted(self._looked, unit)})"
        if not self._unseen:
            return f"{asks}: none was seen"
        return f"{asks}: seen at {self._looked} of {counted(self._looked + self._unseen, unit)}; {self._why_unseen}"
