"""From a step to its row in a trace: what the environment gave, checked, as plain JSON."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any, Final, Never

from ..core.findings import shown
from ..traces.columns import SCHEMA_VERSION
from ..traces.row import SKIPPED, Row, is_known, valid_row, without_skipped
from .step import REGIME

COMPONENTS: Final = "reward_components"
"""The member of ``info`` with the contribution of each term of the spec, 0.0 for one that was not due."""
DETAIL: Final = "reward_detail"
"""The member of ``info`` that explains the contribution of each term."""
ENVIRONMENT_REWARD: Final = "environment_reward"
"""The member of ``info`` with the environment's own reward, where a composed one is in its place."""
SPEC_DIGEST: Final = "spec_digest"
"""The member of ``info`` with the digest of the spec as written."""
RESOLVED_SPEC_DIGEST: Final = "resolved_spec_digest"
"""The member of ``info`` with the digest of the spec as it is run."""
READ: Final = (REGIME, COMPONENTS, DETAIL, ENVIRONMENT_REWARD, SPEC_DIGEST, RESOLVED_SPEC_DIGEST)
"""The members of ``info`` that a row is made of."""

_NOTHING: Final[dict[str, Any]] = {}


class StepRefused(ValueError):
    """What an environment gave for a step can be in no trace. Nothing stands in for it."""

    def __init__(self, message: str, environment: int, episode: int, step: int) -> None:
        super().__init__(message, environment, episode, step)
        self.environment = environment
        """Which environment of a vector environment; 0 where there is one."""
        self.episode = episode
        """Which episode of that environment, from 0."""
        self.step = step
        """Which step of the episode, from 0."""

    def __str__(self) -> str:
        where = f"episode {self.episode}, step {self.step}"
        return f"environment {self.environment}, {where}: {self.args[0]}"


class StepRows:
    """The rows of one environment, step after step. It counts episodes, and steps in them.

    An episode begins at a reset that a step follows; a reset that follows a reset begins no other. A step whose row is
    refused was taken all the same: it counts, so that the rows around it show that one is missing.
    """

    def __init__(
        self, environment: int = 0, *, batched: bool = False, composed: bool = False, evaluation: bool = False
    ) -> None:
        self.evaluation = evaluation
        """Whether the episodes from the next reset on evaluate a policy."""
        self._evaluates = evaluation  # in the episode that goes on
        self._environment = environment
        self._batched = batched  # out of a vector environment's arrays
        self._composed = composed  # by a spec, in a wrapper below
        self._episode = 0
        self._step = 0
        self._running = False
        self._begun: object = None  # the regime that the reset said begins

    @property
    def steps(self) -> int:
        """How many steps the episode has so far."""
        return self._step

    def begin(self, info: Mapping[str, Any]) -> None:
        """Takes a reset. A regime that begins with it begins with the first step after it.

        Raises StepRefused where ``info["regime"]`` is of another form than that of section 10 of the spec.
        """
        if self._step:
            self._episode += 1
        self._step = 0
        self._running = True
        self._evaluates = self.evaluation
        label, boundary = self._regime(info)
        self._begun = label if boundary else None

    def take(self, reward: object, terminated: object, truncated: object, info: Mapping[str, Any]) -> Row:
        """The row of a step: what ``step`` returned, without the observation. None is unscored.

        It shares what it contains with ``info``: ``copied`` makes one that can be kept.

        Raises StepRefused for a reward that is not a finite number, or not the sum of its spec's contributions, or
        composed by a spec of which ``info`` does not say so; a flag that is not a boolean; a step after an episode's
        end or before a first reset; and an end at which the spec's end terms were not due. Raises InvalidDocument for
        anything else that no row can hold.
        """
        if not self._running:
            found = "the episode has ended" if self._step else "the environment was not reset"
            self._refuse(f"a step was taken where {found}; call reset() first")
        ends = False
        try:
            terminated, truncated = self.flag("terminated", terminated), self.flag("truncated", truncated)
            ends = terminated or truncated
            row = self._row(reward, terminated, truncated, info)
            if row["resolved_spec_digest"] is not None:
                self._require_composed(row, ends)
            elif self._composed:
                self._refuse(
                    f"a spec composes the reward, and info does not have its {RESOLVED_SPEC_DIGEST}: a wrapper between "
                    "the composed reward and this one drops it; put that wrapper outside of both, or have it hand info "
                    "on"
                )
        finally:
            self.advance(ends)
        return row

    def _row(self, reward: object, terminated: bool, truncated: bool, info: Mapping[str, Any]) -> Row:
        label, boundary = self._regime(info)
        if self._begun is not None:
            boundary = boundary or label == self._begun
            self._begun = None
        get = info.get
        given: Row = {
            "schema_version": SCHEMA_VERSION,
            "environment": self._environment,
            "episode": self._episode,
            "step": self._step,
            "reward": self.number("the reward", reward),
            "environment_reward": self.number("the environment's own reward", get(ENVIRONMENT_REWARD)),
            "reward_components": get(COMPONENTS, _NOTHING),
            "reward_detail": get(DETAIL, _NOTHING),
            "terminated": terminated,
            "truncated": truncated,
            "evaluation": self._evaluates,
            "regime": label,
            "regime_boundary": boundary,
            "spec_digest": get(SPEC_DIGEST),
            "resolved_spec_digest": get(RESOLVED_SPEC_DIGEST),
        }
        if not is_known(given):
            given["reward_detail"] = _without_nan(given["reward_detail"])
            given = valid_row(given)
        without_skipped(given)
        return given

    def advance(self, ends: bool) -> None:
        """Goes on to the next step, or to the end of the episode."""
        self._step += 1
        self._running = not ends

    def number(self, what: str, value: object) -> float | None:
        """A reward as a double; None where there is none. Raises StepRefused for what is not a finite number."""
        if value is None:
            return None
        if type(value) is not float:
            if isinstance(value, bool) or not isinstance(value, numbers.Real):
                self._refuse(f"{what} is {_named(value)}, which is not a number; {_instead(value)}")
            try:
                value = float(value)
            except OverflowError:
                self._refuse(f"{what} is an integer beyond any double; return a finite number")
        if value - value != 0.0:
            unscored = (
                ". For unscored steps the rewards have to be an array of objects with None in it: Gymnasium makes NaN "
                "of a None that one of its environments returns"
                if self._batched
                else ", or None for unscored"
            )
            self._refuse(f"{what} is {value}, which is not finite; return a finite number{unscored}")
        return value

    def flag(self, what: str, value: object) -> bool:
        """A flag as a bool. Raises StepRefused for what is neither a bool nor one of NumPy's."""
        if type(value) is bool:
            return value
        if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
            return bool(value)
        return self._refuse(f"{what} is {_named(value)}; return a bool")

    def _require_composed(self, row: Row, ends: bool) -> None:
        """Checks that the reward is the sum of its spec's contributions, and that the spec knew of the end."""
        total, reward = 0.0, row["reward"]
        for contribution in row["reward_components"].values():
            total += contribution
        if total != reward and reward is not None and (row["reward_components"] or row["reward_detail"]):
            self._refuse(
                f"the reward is {reward}, and the contributions of its spec add up to {total}; a wrapper between the "
                "composed reward and this one changed it (a lower precision does, float32 say): put it outside of both"
            )
        if not ends:
            return
        for name, term in row["reward_detail"].items():
            if term["zero"] == SKIPPED:
                self._refuse(
                    f"the episode ends here, and {shown(name)}, which is due at its end, was not paid: what cuts the "
                    "episode off (TimeLimit) is outside of the composed reward; put it inside"
                )

    def _regime(self, info: Mapping[str, Any]) -> tuple[str | None, bool]:
        regime = info.get(REGIME)
        if regime is None:
            return None, False
        # A dict by itself first: to ask an abstract class costs more than the rest of this.
        if not isinstance(regime, (dict, Mapping)) or not isinstance(label := regime.get("label"), str):
            self._refuse(
                f'info["regime"] is {_named(regime)}; give {{"label": text, "boundary": bool}}, or another name to '
                "what is not a regime"
            )
        boundary = regime.get("boundary", False)
        return label, self.flag('info["regime"]["boundary"]', boundary)

    def _refuse(self, message: str) -> Never:
        raise StepRefused(message, self._environment, self._episode, self._step)


def _without_nan(detail: Any) -> Any:
    """A detail with None for the raw value of each term that was not due, of which Gymnasium's batches make NaN."""
    if not isinstance(detail, Mapping):
        return detail
    return {
        name: {**term, "raw": None}
        if isinstance(term, Mapping) and term.get("zero") == SKIPPED and term.get("raw") != term.get("raw")
        else term
        for name, term in detail.items()
    }


def _instead(value: object) -> str:
    """What to return in place of a reward that is not a number."""
    if isinstance(value, Mapping):
        return (
            "of several agents, trace each as a place of a vector environment; of one agent with several parts, wrap "
            "the environment in RewardParts, and compose them by a spec"
        )
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", None):
        return "wrap the environment in RewardParts(env, names), and compose its parts by a spec"
    return "return a float, or None for unscored"


def _named(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__} {shown(value, 40)}"
