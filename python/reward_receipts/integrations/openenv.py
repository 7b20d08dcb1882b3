"""OpenEnv: a rubric whose reward is a contract's, for environments that several trainers use (TRL, verifiers, ...).

An observation's reward may be None. It is before the end of an episode, and for an episode that was dropped, so that it
is None in every trainer that reads it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .scoring import Scored, Scoring
from .trainers import OPENENV, require


def receipt_rubric(scoring: Scoring, read: Callable[[Any, Any], Any], *, policy_update: Callable[[], int]) -> Any:
    """A ``Rubric`` of OpenEnv for an environment's ``rubric=``: the scalar of a contract, at the end of each episode.

    ``read`` is called with the action and the observation that is ``done``, and returns a Reading or the episode_id of
    a receipt; a coroutine function makes an asynchronous rubric. ``policy_update`` says the trainer's own policy
    update, at which expiry is evaluated.

    The rubric returns None before the end and for an episode that was dropped. Each component is a child rubric, whose
    ``last_score`` is its contribution (None: not read, or dropped). ``observation.metadata["receipts"]`` says whether
    the reward is certified (synthetic), the codes of the refusals, and why an episode was dropped; it crosses the wire
    to the trainer if the environment's observations carry their metadata.

    Raises TrainerNotSupported for a version of OpenEnv that is not known here.

        env = OrderDesk(rubric=receipt_rubric(scoring, read_file, policy_update=lambda: update))
    """
    require(OPENENV)
    base: Any = import_module("openenv.core.rubrics").Rubric
    is_async = inspect.iscoroutinefunction(read)

    class ContractComponent(base):  # type: ignore[misc]
        """What one component contributed to the episode that ended last."""

        def forward(self, action: Any, observation: Any) -> float | None:
            score: float | None = self.last_score
            return score

    class ContractRubric(base):  # type: ignore[misc]
        """The scalar of a contract."""

        def __init__(self) -> None:
            super().__init__()
            for name in scoring.component_names:
                setattr(self, name, ContractComponent())

        def forward(self, action: Any, observation: Any) -> Any:
            if not observation.done:
                self._store(None)
                return None
            if is_async:
                return self._finish(action, observation)
            return self._of(read(action, observation), observation)

        async def _finish(self, action: Any, observation: Any) -> float | None:
            return self._of(await read(action, observation), observation)

        def _of(self, sample: Any, observation: Any) -> float | None:
            (row,) = scoring.score([sample], policy_update()).rows
            self._store(row)
            observation.metadata["receipts"] = {
                "certified_synthetic": row.certified,
                "refusals": [each.code for each in row.refusals],
                "dropped": None if row.drop is None else {"code": row.drop.code, "sentence": row.drop.sentence},
            }
            return row.scalar

        def _store(self, row: Scored | None) -> None:
            for name, child in self.named_children():
                child.last_score = None if row is None else row.components.get(name)

        def reset(self) -> None:
            """Begins an episode."""
            self._store(None)

    return ContractRubric()
