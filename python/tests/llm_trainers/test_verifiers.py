"""Rewards of a contract in verifiers' own tasks and traces."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
import verifiers.v1 as vf
from reward_receipts.integrations.verifiers import receipt_rewards
from training import Desk, episode, reading
from verifiers.v1.configs.agent import AgentConfig

pytestmark = pytest.mark.filterwarnings("default")  # what verifiers and what it uses warn of is not ours


class Data(vf.TaskData):
    outcome: str = "verified"


def trace_of(task: Any) -> Any:
    return vf.Trace(
        task=vf.TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash),
        state=vf.State(),
        agent=vf.AgentInfo(config=AgentConfig()),
    )


def scored(task_class: Any, outcome: str = "verified") -> Any:
    """A trace that the task scored."""
    task = task_class(Data(idx=0, outcome=outcome))
    trace = trace_of(task)
    asyncio.run(task.score(trace))
    return trace


def make(scoring: Any, read: Any, update: int = 0, **options: Any) -> Any:
    @receipt_rewards(scoring, read, policy_update=lambda: update, **options)
    class Booking(vf.Task[Data]):
        @vf.reward(weight=0.5)
        async def own(self, trace: Any) -> float:
            return 0.25

    return Booking


def test_components_are_named_rewards_and_the_scalar_is_trained_on() -> None:
    calls: list[Any] = []

    def read(task: Any, trace: Any) -> Any:
        calls.append((task.outcome, trace.id))
        return reading(task.outcome, terminal_effect=0.75, halt_on_uncertainty=0.1)

    trace = scored(make(Desk().scoring(), read))
    assert {name: (each.score, each.weight) for name, each in trace.rewards.items()} == {
        "terminal_effect": (0.75, 0.0),
        "halt_on_uncertainty": (0.1, 0.0),
        "contract_scalar": (1.0, 1.0),
        "own": (0.25, 0.5),
    }
    assert trace.reward == 1.125
    assert trace.metrics == {"receipts/certified_synthetic": 1.0, "receipts/unscored": 0.0}
    assert calls == [("verified", trace.id)]


def test_components_are_trained_on_with_the_weights_of_the_contract() -> None:
    async def read(task: Any) -> Any:
        return reading(task.outcome, terminal_effect=0.5)

    trace = scored(make(Desk().scoring(), read, train_on_components=True, scalar="total"))
    assert {name: (each.score, each.weight) for name, each in trace.rewards.items()} == {
        "terminal_effect": (0.5, 1.0),
        "total": (1.0, 0.0),
        "own": (0.25, 0.5),
    }


def test_an_unscored_task_raises_the_tasks_error_and_has_no_reward() -> None:
    task_class = make(Desk().scoring(), lambda task: reading(task.outcome))
    task = task_class(Data(idx=0, outcome="failed_platform"))
    trace = trace_of(task)
    for _ in range(2):  # the second time a reward of the first could be left
        with pytest.raises(vf.TaskError, match="unscored: the outcome is failed_platform, which is unscored and never"):
            asyncio.run(task.score(trace))
        assert {
            name: trace.rewards[name] for name in ("contract_scalar", "terminal_effect", "halt_on_uncertainty")
        } == {
            "contract_scalar": None,
            "terminal_effect": None,
            "halt_on_uncertainty": None,
        }
        assert trace.metrics["receipts/unscored"] == 1.0
        task.data = Data(idx=0, outcome="verified")
        asyncio.run(task.score(trace))
        assert trace.rewards["contract_scalar"].score == 1.0
        task.data = Data(idx=0, outcome="failed_platform")


def test_verifiers_own_rollout_records_the_error_and_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Rollout.close does it: whatever escapes from scoring is recorded on the trace, which a trainer skips."""
    task = make(Desk().scoring(), lambda task: reading(task.outcome))(Data(idx=0, outcome="failed_platform"))
    trace = trace_of(task)

    async def run() -> None:
        from verifiers.v1.errors import boundary

        try:
            async with boundary(vf.TaskError, "scoring"):
                await task.score(trace)
        except Exception as error:
            trace.record_error(error)

    asyncio.run(run())
    assert trace.errors[-1].type == "TaskError"
    assert "unscored" in trace.errors[-1].message
    assert trace.stop_condition == "task_error"
    assert trace.has_error


def test_receipts_of_a_file_are_read_at_the_trainers_update(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "receipts.jsonl"
    with desk.issuer(path) as issuer:
        issuer.issue(episode(1))
    scoring = desk.scoring(receipts=path, when_certificate_ends="uncertified", warn_within=0)
    trace = scored(make(scoring, lambda trace: "episode.00000001", 49))
    assert trace.metrics["receipts/certified_synthetic"] == 1.0
    with pytest.warns(rr.CertificateEnding):
        trace = scored(make(scoring, lambda trace: "episode.00000001", 50))
    assert trace.metrics["receipts/certified_synthetic"] == 0.0
    assert trace.metrics["receipts/refusals/certificate-expired"] == 1.0
    with pytest.raises(vf.TaskError, match="no-receipt"):
        scored(make(scoring, lambda trace: "episode.00000002", 50))


def test_nan_and_other_bad_readings_raise_the_tasks_error() -> None:
    with pytest.raises(vf.TaskError, match="ValueError: sample 0: component terminal_effect is nan"):
        scored(make(Desk().scoring(), lambda task: reading(terminal_effect=float("nan"))))


def test_a_reading_that_needs_a_runtime_is_left_out_without_one() -> None:
    trace = scored(make(Desk().scoring(), lambda task, runtime: reading(task.outcome)))
    assert set(trace.rewards) == {"own"}


def test_anything_that_cannot_be_decorated_is_refused() -> None:
    desk = Desk()
    decorate = receipt_rewards(desk.scoring(), lambda task: reading(), policy_update=lambda: 0)
    with pytest.raises(TypeError, match="expected a subclass of verifiers.v1.Task"):
        decorate(int)
    with pytest.raises(ValueError, match="has contract_rewards already"):
        decorate(make(desk.scoring(), lambda task: reading()))
    with pytest.raises(ValueError, match="has a component terminal_effect"):
        make(desk.scoring(), lambda task: reading(), scalar="terminal_effect")
