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
from gymnasium.vector import AutoresetMode

from ..generated.reward_trace_row import ZeroReason
from .rows import COMPONENTS, DETAIL, READ, Row, StepRows

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

    def reset(self, infos: Mapping[str, Any], mask: Any = None) -> Iterator[Begun]:
        """What a reset did, of all environments or of those in a mask."""
        for environment in range(len(self._ended)):
            if mask is None or mask[environment]:
                yield self._begun(environment, infos)

    def step(
        self, rewards: Any, terminations: Any, truncations: Any, infos: Mapping[str, Any]
    ) -> Iterator[Begun | Stepped]:
        """What a call of ``step`` did. Raises StepRefused where an environment stepped that has to be reset."""
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
                info = self._own(final if here else infos, environment)
            outcome = _item(rewards[environment]), terminations[environment], truncations[environment]
            yield Stepped(environment, *outcome, info, here)
            self._ended[environment] = ends
            if here:
                yield self._begun(environment, infos)

    def _begun(self, environment: int, infos: Mapping[str, Any]) -> Begun:
        self._ended[environment] = False
        self._started[environment] = True
        return Begun(environment, self._own(infos, environment))

    def _own(self, infos: Mapping[str, Any], environment: int) -> dict[str, Any]:
        info = environment_info(infos, environment, self._members)
        if DETAIL in info and isinstance(infos[DETAIL], dict):
            _restore_terms(info)
        return info


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

    NumPy's numbers come back as Python's. A batched member without a mask is taken to be of every environment.
    """
    info: dict[str, Any] = {}
    for name in infos if members is None else members:
        if name not in infos or (members is None and name[:1] == "_" and name[1:] in infos):
            continue
        mask = infos.get(f"_{name}")
        if mask is not None and not mask[environment]:
            continue
        batch = infos[name]
        info[name] = environment_info(batch, environment) if isinstance(batch, dict) else _item(batch[environment])
    return info


def vector_rows(
    steps: Iterable[tuple[Any, Any, Any, Any, Mapping[str, Any]]], autoreset_mode: AutoresetMode | str
) -> Iterator[Row]:
    """The rows of the steps in what ``step`` of a vector environment returned, call after call, since its reset.

    What belongs to no step, such as the call that resets in NEXT_STEP, has no row. With DISABLED there has to be no
    call after an episode's end. Raises as the rows of a TraceRecorder do.
    """
    batched: BatchedSteps | None = None
    rows: list[StepRows] = []
    for _, rewards, terminations, truncations, infos in steps:
        if batched is None:
            batched = BatchedSteps(len(rewards), autoreset_mode, READ)
            rows = [StepRows(place) for place in range(len(rewards))]
            for begun in batched.reset({}):
                rows[begun.environment].begin({})
        for event in batched.step(rewards, terminations, truncations, infos):
            if isinstance(event, Begun):
                rows[event.environment].begin(event.info)
            else:
                yield rows[event.environment].row(event.reward, event.terminated, event.truncated, event.info)


def _restore_terms(info: dict[str, Any]) -> None:
    """Undoes what batching does to terms that each environment gave as dicts of its own.

    In an array of doubles None is NaN; and members come in the order in which the environments first gave them.
    """
    detail = info[DETAIL]
    for term in detail.values():
        if term.get("zero") == ZeroReason.SKIPPED:
            term["raw"] = None
    components = info.get(COMPONENTS, {})
    info[COMPONENTS] = {name: components[name] for name in {**detail, **components} if name in components}


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
