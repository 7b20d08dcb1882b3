"""The steps inside a vector environment's batches: each environment's own ``info``, and which entries are steps.

Gymnasium batches the ``info`` of its environments by member, with a mask under ``_MEMBER`` that says which of them
gave it. When an episode ends, one of three modes says what comes next (``metadata["autoreset_mode"]``): NEXT_STEP
resets in the following call, whose reward belongs to no step; SAME_STEP resets at once, and the last step's own
``info`` is under ``final_info``; with DISABLED the caller resets.

Adapters of other packages (SuperSuit) give a list with one ``info`` for each environment instead, by place. In
SAME_STEP the ``info`` of a last step is then its member ``final_info`` if it has one, otherwise the ``info`` itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from ..traces.row import Row, copied
from .record import READ, StepRows

FINAL_INFO: Final = "final_info"
RESET_MASK: Final = "reset_mask"


Infos = Any  # Mapping[str, Any] | Sequence[Mapping[str, Any]]; what it is, is looked at
"""The infos of a call: batched as Gymnasium batches them, or a list with one for each environment."""


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
    """Whether the info was under ``final_info``."""


class BatchedSteps:
    """Takes what a vector environment returns, and says what each of its environments did, in their order."""

    def __init__(self, environments: int, mode: AutoresetMode | str, members: Sequence[str]) -> None:
        self.mode: Final = AutoresetMode(mode)
        self._members = members
        self._ended = [True] * environments
        self._started = [False] * environments
        self._whole = True  # whether all that was done was also taken

    def reset(self, infos: Infos, mask: Any = None) -> Iterator[Begun]:
        """A reset, of all environments or of those in a mask. Raises TypeError as ``step`` does."""
        self._whole = self._whole or mask is None
        each = each_info(infos, len(self._ended), self._members)
        for environment, info in enumerate(each):
            if mask is None or mask[environment]:
                yield self._begun(environment, info)

    def require_reset(self) -> None:
        """Has ``step`` raise ResetNeeded until all environments are reset."""
        self._whole = False

    def step(
        self, rewards: Any, terminations: Any, truncations: Any, infos: Infos, begun: Infos | None = None
    ) -> Iterator[Begun | Stepped]:
        """A call of ``step``. ``begun`` has the infos of resets in this call where ``infos`` has them not.

        Raises ResetNeeded where an earlier call was not taken to its end, because the step of an environment was
        refused: what the others did is not known, and where they are in their episodes neither. Raises TypeError for
        ``infos`` that are neither a dict, as Gymnasium batches them, nor a list with a dict for each environment.
        """
        if not self._whole:
            raise ResetNeeded(
                "an earlier step of one environment was refused, and those after it were not taken; reset() all"
            )
        self._whole = False
        count = len(self._ended)
        rewards = _each(rewards, count)
        terminations, truncations = _flags(terminations, count), _flags(truncations, count)
        each = each_info(infos, count, self._members)
        finals: list[Any] | None = None
        for environment, ended in enumerate(self._ended):
            info: Mapping[str, Any] = each[environment]
            if ended and self.mode is AutoresetMode.NEXT_STEP and self._started[environment]:
                yield self._begun(environment, info)
                continue
            ends = bool(terminations[environment] or truncations[environment])
            here = ends and self.mode is AutoresetMode.SAME_STEP
            if here:
                finals = _finals(infos, count, self._members) if finals is None else finals
                # Without a final_info nothing is known: what is in its place is of the next episode.
                of_step = finals[environment] or {}
                if isinstance(infos, (list, tuple)):
                    info = {} if begun is None else environment_info(begun, environment, self._members)
            else:
                of_step = info
            outcome = rewards[environment], terminations[environment], truncations[environment]
            yield Stepped(environment, *outcome, of_step, here)
            self._ended[environment] = ends
            if here:
                yield self._begun(environment, info)
        self._whole = True

    def _begun(self, environment: int, info: Mapping[str, Any]) -> Begun:
        self._ended[environment] = False
        self._started[environment] = True
        return Begun(environment, info)


def autoreset_mode(venv: Any) -> AutoresetMode:
    """The autoreset mode of a vector environment: ``metadata["autoreset_mode"]``, or its attribute ``autoreset_mode``.

    Raises ValueError if neither says it.
    """
    mode = venv.metadata.get("autoreset_mode")
    if mode is None:
        mode = getattr(venv, "autoreset_mode", None) or getattr(venv.unwrapped, "autoreset_mode", None)
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(f"AutoresetMode.{mode.name}" for mode in AutoresetMode)
        raise ValueError(
            f"metadata of the vector environment says no autoreset_mode, so its steps and its resets look alike; "
            f'set metadata["autoreset_mode"] to one of {known}'
        ) from None


def reset_mask(options: Mapping[str, Any] | None) -> Any:
    """The mask of a reset's options, a copy; None for all environments. To be taken before the reset, which pops it."""
    mask = None if options is None else options.get(RESET_MASK)
    return None if mask is None else np.array(mask)


def each_info(infos: Infos, count: int, members: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """The ``info`` of each of ``count`` environments, as ``environment_info`` gives them. Raises TypeError as that."""
    if isinstance(infos, (list, tuple)):
        _require_infos(infos, count)
        names = members
        return [dict(info) if names is None else {name: info[name] for name in names if name in info} for info in infos]
    if not isinstance(infos, Mapping):
        _require_infos(infos, count)
    each: list[dict[str, Any]] = [{} for _ in range(count)]
    for name in infos if members is None else members:
        if name not in infos or (members is None and name[:1] == "_" and name[1:] in infos):
            continue
        batch = infos[name]
        values = each_info(batch, count) if isinstance(batch, dict) else _each(batch, count)
        mask = infos.get(f"_{name}")
        if mask is None:
            for info, value in zip(each, values, strict=True):
                info[name] = value
        else:
            given = mask.tolist() if isinstance(mask, np.ndarray) else mask
            for info, value, is_given in zip(each, values, given, strict=True):
                if is_given:
                    info[name] = value
    return each


def _each(batch: Any, count: int) -> list[Any]:
    if isinstance(batch, np.ndarray):
        return batch.tolist() if batch.ndim == 1 else list(batch)
    return [_item(value) for value in batch] if isinstance(batch, (list, tuple)) else [batch] * count


def _flags(batch: Any, count: int) -> list[Any]:
    """Flags of each environment. SuperSuit's are bytes that are 0 or 1; any other number stays one, to be refused."""
    if isinstance(batch, np.ndarray) and batch.dtype.kind in "iu" and ((batch == 0) | (batch == 1)).all():
        batch = batch.astype(np.bool_)
    return _each(batch, count)


def _finals(infos: Infos, count: int, members: Sequence[str]) -> list[Any]:
    """The ``info`` of the last step of each environment whose episode ended in this call; None if it is not known."""
    if isinstance(infos, (list, tuple)):
        last = [info.get(FINAL_INFO) for info in infos]
        return each_info(
            [now if final is None else final for now, final in zip(infos, last, strict=True)], count, members
        )
    final = infos.get(FINAL_INFO)
    if isinstance(final, np.ndarray):  # one object for each environment, as Gymnasium had it before 1.0
        return [None if info is None else {name: info[name] for name in members if name in info} for info in final]
    mask = infos.get(f"_{FINAL_INFO}")
    if final is None or mask is None:
        return [None] * count
    each = each_info(final, count, members)
    return [info if is_given else None for info, is_given in zip(each, mask, strict=True)]


def _require_infos(infos: Any, count: int) -> None:
    """Raises TypeError for what ``infos`` cannot be."""
    if not isinstance(infos, (list, tuple)):
        found = type(infos).__name__
    elif len(infos) != count:
        found = f"a {type(infos).__name__} of {len(infos)}"
    else:
        wrong = [place for place, info in enumerate(infos) if not isinstance(info, Mapping)]
        if not wrong:
            return
        found = f"a {type(infos).__name__} with {type(infos[wrong[0]]).__name__} at place {wrong[0]}"
    raise TypeError(
        f"the infos of the vector environment are {found}; give a dict of arrays with their masks, as Gymnasium does, "
        f"or a list with one dict for each of the {count} environments"
    )


def environment_info(infos: Infos, environment: int, members: Sequence[str] | None = None) -> dict[str, Any]:
    """The ``info`` of one environment, out of the batched one. ``members`` names those to look for; None is all.

    ``infos`` is a dict as Gymnasium batches it, or a list with a dict for each environment.

    NumPy's numbers come back as Python's. A batched member without a mask is taken to be of every environment, and one
    that is not a batch (a text, a number) to be what every environment said.
    """
    info: dict[str, Any] = {}
    if isinstance(infos, (list, tuple)):
        of_one = infos[environment]
        return {name: of_one[name] for name in (of_one if members is None else members) if name in of_one}
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
    steps: Iterable[tuple[Any, Any, Any, Any, Infos]],
    autoreset_mode: AutoresetMode | str,
    reset_infos: Infos | None = None,
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
                row = rows[event.environment].take(event.reward, event.terminated, event.truncated, event.info)
                yield copied(row)


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
