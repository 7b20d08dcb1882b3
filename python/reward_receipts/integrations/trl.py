"""TRL: the reward functions of a GRPOTrainer (trl >= 1.6): one for each component, and one for the scalar.

All of them return None for a sample that was dropped, so that its advantage is exactly 0. TRL sums the columns that
have a number: with one column None and another 0.1 it would train on the sample as if its reward were 0.1.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, get_args

from .scoring import Batch, Sample, Scoring
from .trainers import TRL, require

TrainOn = Literal["scalar", "components", "both"]
"""Which columns have a weight: the scalar of the contract, its components with their weights, or both."""

_NOT_A_COLUMN: Final = frozenset({"log_metric", "log_extra"})


class GRPORewards:
    """What a GRPOTrainer needs to train on receipts: ``functions``, and their ``weights``.

    ``read`` is called once a batch with the arguments that TRL gives a reward function (``prompts``, ``completions``,
    ``completion_ids``, the dataset's columns, ``trainer_state``, ``environments``), and returns a Reading or the
    episode_id of a receipt for each completion. A coroutine function makes asynchronous reward functions. Without it
    the field ``episode_id`` that a ``rollout_func`` returns names the receipts; a column of the dataset cannot, because
    TRL repeats it for all completions of a prompt.

    The trainer's policy update is its ``global_step`` plus ``first_update``, the update of the checkpoint that the run
    began with. ``train_on`` says which columns have a weight: by default the scalar alone, and components are logged.
    ``prefix`` keeps the names of two contracts apart.

    TRL logs ``rewards/NAME/mean`` and ``rewards/NAME/std`` of each function. Beside them
    ``receipts/certified_synthetic``, ``receipts/unscored``, ``receipts/dropped/CODE`` and ``receipts/refusals/CODE``
    are logged, each a share of the samples, and the table of completions has the columns ``certified_synthetic`` and
    ``dropped``.

    Raises TrainerNotSupported for a version of TRL that is not known here, ValueError for another ``train_on``.

        rewards = GRPORewards(Scoring(contract, certificate, receipts="receipts.jsonl", keyring=keyring))
        GRPOTrainer(model, rewards.functions, args=GRPOConfig(reward_weights=rewards.weights), train_dataset=dataset)
    """

    functions: list[Callable[..., Any]]
    """The reward functions: one for each component in the contract's order, then the scalar's."""
    weights: list[float]
    """Their weights, for ``GRPOConfig(reward_weights=...)``."""
    names: list[str]
    """Their names, as TRL logs them."""

    def __init__(
        self,
        scoring: Scoring,
        read: Callable[..., Any] | None = None,
        *,
        first_update: int = 0,
        train_on: TrainOn = "scalar",
        prefix: str = "",
    ) -> None:
        require(TRL)
        if train_on not in get_args(TrainOn):
            raise ValueError(f"train_on is {train_on!r}; expected one of: {', '.join(get_args(TrainOn))}")
        self._scoring = scoring
        self._read: Callable[..., Any] = _episode_ids if read is None else read
        self._first_update = first_update
        self._refusals: set[str] = set()
        self._completions: object = None
        self._asked: set[str | None] = set()
        self._batch: Any = None  # a Batch, or a task that gives one
        components = list(scoring.component_names)
        scalar = "contract_scalar"
        while scalar in components:
            scalar += "_"
        self.names = [prefix + name for name in (*components, scalar)]
        on_components, on_scalar = train_on != "scalar", train_on != "components"
        self.weights = [
            *(each.weight if on_components else 0.0 for each in scoring.contract.components),
            float(on_scalar),
        ]
        is_async = inspect.iscoroutinefunction(self._read) or inspect.iscoroutinefunction(
            getattr(self._read, "__call__", None)  # noqa: B004 - an object whose call is a coroutine function
        )
        make = self._async_function if is_async else self._function
        columns: list[str | None] = [*components, None]
        self.functions = [make(column, name) for column, name in zip(columns, self.names, strict=True)]

    def _function(self, column: str | None, name: str) -> Callable[..., Any]:
        def reward(**given: Any) -> list[float | None]:
            if self._is_new(column, given):
                try:
                    self._batch = self._score(self._read(**_arguments(given)), given)
                except BaseException:
                    self._completions = None  # there is no batch to read another column from
                    raise
            batch: Batch = self._batch
            return batch.column(column)

        reward.__name__ = reward.__qualname__ = name
        return reward

    def _async_function(self, column: str | None, name: str) -> Callable[..., Any]:
        async def scored(given: dict[str, Any]) -> Batch:
            return self._score(await self._read(**_arguments(given)), given)

        async def reward(**given: Any) -> list[float | None]:
            if self._is_new(column, given):
                self._batch = asyncio.ensure_future(scored(given))
            batch: Batch = await self._batch
            return batch.column(column)

        reward.__name__ = reward.__qualname__ = name
        return reward

    def _is_new(self, column: str | None, given: dict[str, Any]) -> bool:
        """Whether a call begins a batch: TRL gives each function the same list of completions, once."""
        completions = given.get("completions")
        if completions is self._completions and column not in self._asked:
            self._asked.add(column)
            return False
        self._completions, self._asked = completions, {column}
        self._batch = None
        return True

    def _score(self, samples: Sequence[Sample], given: dict[str, Any]) -> Batch:
        samples = list(samples)
        number = len(given["completions"])
        if len(samples) != number:
            raise ValueError(f"read returned {len(samples)} samples for {number} completions; expected one for each")
        state = given.get("trainer_state")
        if state is None:
            raise ValueError("the reward functions got no trainer_state, which a GRPOTrainer of trl >= 1.6 gives them")
        batch = self._scoring.score(samples, self._first_update + state.global_step)
        self._log(batch, given)
        return batch

    def _log(self, batch: Batch, given: dict[str, Any]) -> None:
        log_metric, log_extra = given.get("log_metric"), given.get("log_extra")
        if log_metric is not None:
            shares = batch.shares()
            # TRL averages over the batches that log a name: one that was logged once is logged from then on.
            self._refusals |= shares.keys()
            for name in sorted(self._refusals):
                log_metric(f"receipts/{name}", shares.get(name, 0.0))
        if log_extra is not None:
            log_extra("certified_synthetic", [row.certified for row in batch.rows])
            log_extra("dropped", ["" if row.drop is None else row.drop.code for row in batch.rows])


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in _NOT_A_COLUMN}


def _episode_ids(**given: Any) -> list[str]:
    ids = given.get("episode_id")
    if ids is None:
        raise ValueError(
            "the batch has no episode_id, which names the receipts: let the rollout_func return one for each "
            "completion, or give GRPORewards a function that reads the samples"
        )
    return list(ids)
