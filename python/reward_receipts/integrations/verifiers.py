"""verifiers (Prime Intellect, ``verifiers.v1``): a task whose rewards are a contract's, one for each component.

A sample that was dropped raises the task's own error: verifiers records it on the trace, which is then not ``ok``, and
a trainer skips it. Nothing stands for its reward.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar

from .scoring import Scoring
from .trainers import VERIFIERS, require

TaskClass = TypeVar("TaskClass", bound=type)

_METHOD: Final = "contract_rewards"


def receipt_rewards(
    scoring: Scoring,
    read: Callable[..., Any],
    *,
    policy_update: Callable[[], int],
    scalar: str = "contract_scalar",
    train_on_components: bool = False,
) -> Callable[[TaskClass], TaskClass]:
    """A decorator for a ``vf.Task`` that gives it the rewards of a contract.

    ``read`` is called once a trace, with those of ``task`` (its data), ``trace`` and ``runtime`` that it has parameters
    for, and returns a Reading or the episode_id of a receipt; it may be a coroutine function. ``policy_update`` says
    the trainer's own policy update, at which expiry is evaluated.

    A trace gets one named reward for each component that was read, and one called ``scalar``, whose weight is 1.
    Components have weight 0; with ``train_on_components`` they have the contract's weights, and the scalar has 0. It
    gets the metrics ``receipts/certified_synthetic``, ``receipts/unscored``, ``receipts/dropped/CODE`` and
    ``receipts/refusals/CODE``.

    Raises TrainerNotSupported for a version of verifiers that is not known here, TypeError for a class that is not one
    of tasks, ValueError if it is decorated twice or a component is called as ``scalar``.

        @receipt_rewards(scoring, read_file, policy_update=lambda: trainer.step)
        class Booking(vf.Task): ...
    """
    require(VERIFIERS)
    vf: Any = import_module("verifiers.v1")
    accepts = frozenset(inspect.signature(read).parameters)
    weights = {each.name: each.weight if train_on_components else 0.0 for each in scoring.contract.components}
    if scalar in weights:
        raise ValueError(f"the contract has a component {scalar}; give the scalar another name with scalar=")

    async def score(trace: Any, available: dict[str, Any]) -> dict[str, float]:
        """Records the rewards on the trace, each with its own weight; none is left for verifiers to record."""
        for name in (*weights, scalar):
            trace.rewards[name] = None  # should have been scored, as verifiers marks it; also if this is a second time
        sample = read(**{name: value for name, value in available.items() if name in accepts})
        if inspect.isawaitable(sample):
            sample = await sample
        batch = scoring.score([sample], policy_update())
        trace.record_metrics({f"receipts/{name}": share for name, share in batch.shares().items()})
        (row,) = batch.rows
        if row.drop is not None:
            raise vf.TaskError(f"{row.drop.code}: {row.drop.sentence}")
        for name, value in row.components.items():
            trace.record_reward(name, value, weights[name])
        trace.record_reward(scalar, row.scalar, 0.0 if train_on_components else 1.0)
        for name in weights.keys() - row.components.keys():
            del trace.rewards[name]
        return {}

    # verifiers looks at the parameters: it leaves a reward out if it needs a runtime and there is none.
    async def with_runtime(self: Any, task: Any, trace: Any, runtime: Any) -> dict[str, float]:
        return await score(trace, {"task": task, "trace": trace, "runtime": runtime})

    async def without_runtime(self: Any, task: Any, trace: Any) -> dict[str, float]:
        return await score(trace, {"task": task, "trace": trace})

    method: Any = with_runtime if "runtime" in accepts else without_runtime
    method.__name__ = method.__qualname__ = _METHOD

    def decorate(task_class: TaskClass) -> TaskClass:
        if not (isinstance(task_class, type) and issubclass(task_class, vf.Task)):
            raise TypeError(f"{task_class!r} is not a class of tasks; expected a subclass of verifiers.v1.Task")
        if hasattr(task_class, _METHOD):
            raise ValueError(f"{task_class.__name__} has {_METHOD} already; a task has the rewards of one contract")
        setattr(task_class, _METHOD, vf.reward(method))
        return task_class

    return decorate
