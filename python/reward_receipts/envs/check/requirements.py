"""The requirements that the tier checker tests, with the tier that needs each and how to meet it (spec, section 10)."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..step import REGIME, TRACE


class Requirement(NamedTuple):
    """One requirement on an environment."""

    tier: int | None
    """The tier that needs it; None if it counts for no tier."""
    unit: str
    """The thing that each check looks at: a step, an info, an episode."""
    asks: str
    """The requirement, in a sentence."""
    fix: str
    """How to meet it."""
    missing: str = "missing"
    """The word that the report uses if it is not met."""
    is_note: bool = False
    """Whether a failure is only noted."""


REQUIREMENTS: Final = {
    "environment": Requirement(
        1,
        "object",
        "a gymnasium.Env that can be made",
        "Make it a subclass of gymnasium.Env. An environment of several agents (PettingZoo) is checked as a "
        "gymnasium.Env for one of them, and traced as a vector environment with a place for each.",
    ),
    "action-space": Requirement(
        1,
        "action",
        "an action_space that actions can be drawn from",
        "Set action_space to a gymnasium space in the constructor.",
    ),
    "no-exception": Requirement(
        1, "call", "reset and step raise nothing", "Correct what is raised, at the place that is named.", "raised"
    ),
    "reset": Requirement(
        1,
        "reset",
        "reset(seed=...) returns (observation, info)",
        "Write def reset(self, *, seed=None, options=None), and return an observation and a dict.",
    ),
    "five-values": Requirement(
        1,
        "step",
        "step(action) returns (observation, reward, terminated, truncated, info)",
        "Write def step(self, action), and return five values; split an old done into terminated and truncated.",
    ),
    "flags": Requirement(
        1, "step", "terminated and truncated are bool or numpy.bool_", "Return bool(...) for both; None and 0 are none."
    ),
    "reward": Requirement(
        1,
        "step",
        "the reward is a finite real number, and no bool",
        "Return a finite float, or a NumPy scalar, at every step; one NaN spoils every sum that it is in. A reward "
        "with several parts goes through reward_receipts.envs.RewardParts, whose parts a spec composes.",
    ),
    "info": Requirement(1, "info", "info is a dict", "Return a dict as info, from reset and from step; {} will do."),
    "info-distinct": Requirement(
        1,
        "info",
        "each info is an object of its own, and stays as it was given",
        "Make a new dict at each reset and step; whoever kept the last one sees it change otherwise.",
    ),
    "episode-end": Requirement(
        1,
        "episode",
        "episodes end, terminated or truncated",
        "Allow for more steps (max_steps), or limit the episode: gymnasium.wrappers.TimeLimit.",
    ),
    "close": Requirement(1, "close", "close() does not raise", "Let close() be called at any time."),
    "trace": Requirement(
        2,
        "step",
        f'info["{TRACE}"] is an EpisodeStep of the same number at every step, from 0 or 1, and provides something',
        "from reward_receipts.envs import EpisodeStep; put EpisodeStep.of(step, extras=...) into "
        f'info["{TRACE}"], step from 0; a wrapper has to hand info on.',
    ),
    "trace-distinct": Requirement(
        2, "step", "each EpisodeStep is an object of its own", "Make a new EpisodeStep at each step."
    ),
    "regime": Requirement(
        2,
        "step",
        f'info["{REGIME}"] has a label (text) and a boundary (bool) at every step, and stays as it was given',
        f'Put a new {{"label": ..., "boundary": ...}} into info["{REGIME}"] at each step, or wrap it in '
        "reward_receipts.envs.RegimeSchedule; a wrapper has to hand info on.",
    ),
    "describe": Requirement(
        2,
        "call",
        "describe() returns what the run was configured with: a mapping that JSON can hold, not empty",
        "Write describe(), and return plain values: a dict of text, int, finite float, bool, None, list, dict.",
    ),
    "observation-space": Requirement(
        None,
        "observation",
        "each observation is in the observation_space",
        "Correct the space, or the observation's dtype, shape or bounds.",
    ),
    "repeats": Requirement(
        None,
        "call",
        "a second episode from the same seed with the same actions gives the same observations, rewards, flags and "
        "traces",
        "Draw every random number from self.np_random, which reset(seed=...) seeds, and keep nothing from one episode "
        "to the next; a run of an environment that does not repeat itself cannot be repeated either.",
        missing="another",
        is_note=True,
    ),
    "gymnasium-checker": Requirement(
        None,
        "run",
        "gymnasium's own check_env has nothing to say",
        "Read what gymnasium says of it; no tier asks for it.",
        is_note=True,
    ),
}
