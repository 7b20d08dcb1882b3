"""The steps inside a vector environment's batches: each environment's own ``info``, and which entries are steps.

Gymnasium batches the ``info`` of its environments by member, with a mask under ``_MEMBER`` that says which of them
gave it. When an episode ends, one of three modes says what comes next (``metadata["autoreset_mode"]``): NEXT_STEP
resets in the following call, whose reward belongs to no step; SAME_STEP resets at once, and the last step's own
``info`` is under ``final_info``; with DISABLED the caller resets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from .row_parts import Row, row_of
from .rows import READ, StepRows

FINAL_INFO: Final = "final_info"
RESET_MASK: Final = "reset_mask"


class Begun(NamedTuple):
    """An episode of an environment begins."""

    environment: int
    info: Mapping[str, Any]
    """The environment's own, of its reset: the members that were asked for."""


class Stepped(NamedTuple):
    """An environment took a step."""

    environment: int
    reward: Any
    terminated: Any
    truncated: Any
    info: Mapping[str, Any]
    """The environment's own, of this step: the members that were asked for."""
    final: bool
    """Whether the info stood under ``final_info``."""


class BatchedSteps:
    """Takes what a vector environment returns, and says what each of its environments did, in their order."""

    def __init__(self, environments: int, mode: AutoresetMode | str, members: Sequence[str]) -> None:
        self.mode: Final = AutoresetMode(mode)
        self._members = members
        self._ended = [True] * environments
        self._started = [False] * environments
        self._whole = True  # whether all that was done was also taken

    def reset(self, infos: Mapping[str, Any], mask: Any = None) -> Iterator[Begun]:
        """What a reset did, of all environments or of those in a mask."""
        self._whole = self._whole or mask is None
        for environment in range(len(self._ended)):
            if mask is None or mask[environment]:
                yield self._begun(environment, infos)

    def require_reset(self) -> None:
        """Has ``step`` raise ResetNeeded until all environments are reset."""
        self._whole = False

    def step(
        self, rewards: Any, terminations: Any, truncations: Any, infos: Mapping[str, Any]
    ) -> Iterator[Begun | Stepped]:
        """What a call of ``step`` did.

        Raises ResetNeeded where an earlier call was not taken to its end, because the step of an environment was
        refused: what the others did is not known, and where they are in their episodes neither.
        """
        if not self._whole:
            raise ResetNeeded(
                "an earlier step of one environment was refused, and those after it were not taken; reset() all"
            )
        self._whole = False
        final = infos.get(FINAL_INFO, {})
        finals = infos.get(f"_{FINAL_INFO}")
        for environment, ended in enumerate(self._ended):
            if ended and self.mode is AutoresetMode.NEXT_STEP and self._started[environment]:
                yield self._begun(environment, infos)
                continue
            ends = bool(terminations[environment] or truncations[environment])
            here = ends and self.mode is AutoresetMode.SAME_STEP
            if here and not (finals is not None and finals[environment]):
                info: Mapping[str, Any] = {}  # what stands in its place is of the next episode
            else:
                info = environment_info(final if here else infos, environment, self._members)
            outcome = _item(rewards[environment]), terminations[environment], truncations[environment]
            yield Stepped(environment, *outcome, info, here)
            self._ended[environment] = ends
            if here:
                yield self._begun(environment, infos)
        self._whole = True

    def _begun(self, environment: int, infos: Mapping[str, Any]) -> Begun:
        self._ended[environment] = False
        self._started[environment] = True
        return Begun(environment, environment_info(infos, environment, self._members))


def autoreset_mode(venv: Any) -> AutoresetMode:
    """The autoreset mode of a vector environment. Raises ValueError where its metadata does not say it."""
    try:
        return AutoresetMode(venv.metadata["autoreset_mode"])
    except (KeyError, ValueError):
        known = ", ".join(f"AutoresetMode.{mode.name}" for mode in AutoresetMode)
        raise ValueError(
            f"metadata of the vector environment says no autoreset_mode, so its steps cannot be told from its resets; "
            f'set metadata["autoreset_mode"] to one of {known}'
        ) from None


def reset_mask(options: Mapping[str, Any] | None) -> Any:
    """The mask of a reset's options, a copy; None for all environments. To be taken before the reset, which pops it."""
    mask = None if options is None else options.get(RESET_MASK)
    return None if mask is None else np.array(mask)


def environment_info(
    infos: Mapping[str, Any], environment: int, members: Sequence[str] | None = None
) -> dict[str, Any]:
    """The ``info`` of one environment, out of the batched one. ``members`` names those to look for; None is all.

    NumPy's numbers come back as Python's. A batched member without a mask is taken to be of every environment, and one
    that is no batch (a text, a number) to be what every environment said.
    """
    info: dict[str, Any] = {}
    for name in infos if members is None else members:
        if name not in infos or (members is None and name[:1] == "_" and name[1:] in infos):
            continue
        mask = infos.get(f"_{name}")
        if mask is not None and not mask[environment]:
            continue
        batch = infos[name]
        if isinstance(batch, dict):
            info[name] = environment_info(batch, environment)
        else:
            info[name] = _item(batch[environment]) if isinstance(batch, (np.ndarray, list, tuple)) else batch
    return info


def vector_rows(
    steps: Iterable[tuple[Any, Any, Any, Any, Mapping[str, Any]]],
    autoreset_mode: AutoresetMode | str,
    reset_infos: Mapping[str, Any] | None = None,
) -> Iterator[Row]:
    """The rows of the steps in what ``step`` of a vector environment returned, call after call, since its reset.

    ``reset_infos`` is what that reset returned beside the observations; a regime may begin in it. What belongs to no
    step, such as the call that resets in NEXT_STEP, has no row. With DISABLED there has to be no call after an
    episode's end. Raises as ``step`` of a TraceRecorder does.
    """
    batched: BatchedSteps | None = None
    rows: list[StepRows] = []
    for _, rewards, terminations, truncations, infos in steps:
        if batched is None:
            batched = BatchedSteps(len(rewards), autoreset_mode, READ)
            rows = [StepRows(place, batched=True) for place in range(len(rewards))]
            for begun in batched.reset(reset_infos or {}):
                rows[begun.environment].begin(begun.info)
        for event in batched.step(rewards, terminations, truncations, infos):
            if isinstance(event, Begun):
                rows[event.environment].begin(event.info)
            else:
                yield row_of(rows[event.environment].take(event.reward, event.terminated, event.truncated, event.info))


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
