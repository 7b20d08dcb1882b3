"""The engine for many environments at once: in arrays, the same bits as one environment after another."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np
import pytest
from random_rewards import bits, double
from reward_receipts.rewards import (
    BatchedEngine,
    BatchResult,
    Cadence,
    CompositionEngine,
    CompositionError,
    Registry,
    RewardComponent,
    RewardReadsNothing,
    RewardSignal,
    RewardSpec,
    StepBatch,
    StepContext,
)
from reward_receipts.rewards.engines.batched import offers_arrays
from scripted_components import spec_of

COUNT = 20_000 if os.environ.get("REWARD_RECEIPTS_DEEP") == "1" else 400
Figure = Callable[[str], None]


def arrays(key: str, **members: Any) -> type[RewardComponent]:
    """A component that reads one entry of the extras, one step at a time or many, with a sub-term: the half of it."""

    def compute(self: RewardComponent, ctx: StepContext) -> RewardSignal:
        return self._signal(ctx.extras[key], {"half": ctx.extras[key] / 2, "step": ctx.step})

    def compute_batch(self: RewardComponent, batch: StepBatch) -> RewardSignal:
        return self._signal(batch.extras[key], {"half": batch.extras[key] / 2, "step": batch.step})

    return type(
        key,
        (RewardComponent,),
        {"name": key, "reads": ("extras",), "compute": compute, "compute_batch": compute_batch, **members},
    )


def singly(component: type[RewardComponent]) -> type[RewardComponent]:
    """The same component without arrays."""
    return type(component.__name__, (component,), {"compute": component.compute})


def engine_of(spec: RewardSpec, environments: int, registry: Mapping[str, Any]) -> BatchedEngine:
    """An engine that computes in arrays from its first step on: the first shows what the environments provide."""
    engine = BatchedEngine(spec, environments, registry)
    engine._watching = False
    return engine


def refusing(self: Any, *given: Any) -> Any:
    raise AssertionError("one environment was asked by itself")


def told(result: BatchResult) -> list[Any]:
    """A result in bits, environment by environment."""
    found: list[Any] = []
    for place, given in enumerate(result.to_dicts()):
        if given is None:
            assert not result.stepped[place]
            assert result.totals[place] == 0.0
            assert not result.contributions[:, place].any()
            assert not result.due[:, place].any()
            found.append(None)
            continue
        components, detail = given
        assert [bits(value) for value in result.contributions[:, place].tolist()] == [*map(bits, components.values())]
        found.append((struct.pack("<d", result.totals[place]), exact(components), exact(detail)))
    return found


def exact(value: Any) -> Any:
    if isinstance(value, dict):
        return [(name, exact(member)) for name, member in value.items()]
    return bits(value) if type(value) is float else value


def random_case(rng: Random) -> tuple[RewardSpec, dict[str, type[RewardComponent]], list[str]]:
    names = [f"t{place}" for place in range(rng.randint(1, 8))]
    registry = {
        name: arrays(name, cadence=Cadence.EPISODE_END if rng.random() < 0.25 else Cadence.STEP) for name in names
    }
    terms = []
    for name in names:
        clip = sorted(double(rng) for _ in range(2))
        open_at = rng.random()
        bounds = [None if open_at < 0.1 else clip[0], None if 0.1 <= open_at < 0.2 else clip[1]]
        clipped = {"clip": bounds} if rng.random() < 0.6 else {}
        terms.append({"type": name, "weight": rng.choice((1.0, -0.5, 0.0, double(rng))), **clipped})
    order = rng.sample(names, len(names))
    gates = [(order[place], order[rng.randrange(place)]) for place in range(1, len(order)) if rng.random() < 0.4]
    return spec_of(*terms, gates=gates), registry, names


def test_arrays_and_one_environment_after_another_agreement(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {"calls": 0, "steps": 0, "in arrays": 0, "refused": 0, "ends": 0}
    by_itself = CompositionEngine.compute_step

    def counting(self: CompositionEngine, ctx: StepContext, environment: int = 0) -> Any:
        asked.append(environment)
        return by_itself(self, ctx, environment)

    asked: list[int] = []
    for number in range(COUNT):
        rng = Random(f"batched {number}")
        spec, registry, names = random_case(rng)
        environments = rng.randint(1, 5)
        engine = engine_of(spec, environments, registry)
        plain = CompositionEngine(spec, environments=environments, registry=registry)
        over = [False] * environments
        steps = [0] * environments
        for _ in range(5):
            contexts: list[StepContext | None] = []
            for place in range(environments):
                if over[place]:
                    engine.reset(place)
                    plain.reset(place)
                    over[place], steps[place] = False, 0
                    contexts.append(None)
                    continue
                extras = {name: double(rng) for name in names}
                if rng.random() < 0.03:
                    extras[rng.choice(names)] = rng.choice((math.nan, math.inf, -math.inf))
                contexts.append(StepContext(steps[place], extras=extras, terminated=rng.random() < 0.3))
                steps[place] += 1
            asked.clear()
            with monkeypatch.context() as patch:
                patch.setattr(CompositionEngine, "compute_step", counting)
                try:
                    result: Any = told(engine.compute_steps(contexts))
                except CompositionError as error:
                    result = (error.code, error.component, error.step, error.environment)
            expected: Any = []
            for place, context in enumerate(contexts):
                if context is None:
                    expected.append(None)
                    continue
                try:
                    one = plain.compute_step(context, place)
                except CompositionError as error:
                    expected = (error.code, error.component, error.step, error.environment)
                    break
                components, detail = one.to_dicts()
                expected.append((struct.pack("<d", one.total), exact(components), exact(detail)))
                over[place] = context.ends_episode
                seen["ends"] += context.ends_episode
            assert result == expected, number
            seen["calls"] += 1
            seen["steps"] += len([context for context in contexts if context is not None])
            seen["in arrays"] += not asked
            if isinstance(result, tuple):
                seen["refused"] += 1
                break
    figure(str(seen))
    assert seen["in arrays"] > 0.5 * seen["calls"]
    assert seen["refused"] > 0.02 * seen["calls"]
    assert seen["ends"] > 0.1 * seen["steps"]


def test_where_all_components_offer_arrays_no_environment_is_asked_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_of(spec_of("a", "b"), 3, {"a": arrays("a"), "b": arrays("b")})
    monkeypatch.setattr(CompositionEngine, "compute_step", refusing)
    result = engine.compute_steps([StepContext(extras={"a": value, "b": 1.0}) for value in (1.0, 2.0, 3.0)])
    assert result.totals.tolist() == [2.0, 3.0, 4.0]


@pytest.mark.parametrize("how", ["no arrays", "another compute", "a reset of its own"])
def test_where_one_component_does_not_each_environment_is_asked_by_itself(how: str) -> None:
    class Doubled(arrays("b")):  # type: ignore[misc]
        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(2.0 * ctx.extras["b"])

    class Kept(arrays("b")):  # type: ignore[misc]
        def reset(self) -> None:
            pass

    other = {"no arrays": singly(arrays("b")), "another compute": Doubled, "a reset of its own": Kept}[how]
    assert not offers_arrays(other)
    engine = engine_of(spec_of("a", "b"), 2, {"a": arrays("a"), "b": other})
    engine.compute_steps([None, StepContext(extras={"a": 1.0, "b": 1.0})])
    assert engine._components[1] is not None
    result = engine.compute_steps([StepContext(extras={"a": 1.0, "b": 1.0})] * 2)
    assert result.totals.tolist() == ([3.0, 3.0] if how == "another compute" else [2.0, 2.0])


def test_a_subclass_that_changes_both_offers_arrays_again() -> None:
    class Both(singly(arrays("a"))):  # type: ignore[misc]
        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(1.0)

        def compute_batch(self, batch: StepBatch) -> RewardSignal:
            return self._signal(np.ones(len(batch)))

    assert offers_arrays(Both)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda self, batch: 1 / 0, "ZeroDivisionError"),
        (lambda self, batch: self._signal(1.0), r"shape \(\), not \(2,\)"),
        (lambda self, batch: self._signal([1.0, 2.0, 3.0]), r"shape \(3,\), not \(2,\)"),
        (lambda self, batch: self._signal(["1", "2"]), "array of <U1"),
        (lambda self, batch: self._signal([True, False]), "array of bool"),
        (lambda self, batch: self._signal([1.0, None]), "array of object"),
        (lambda self, batch: np.ones(2), "gave ndarray, which is not a RewardSignal"),
        (lambda self, batch: self._signal([1.0, 1.0], {"half": 1.0}), r"shape \(\)"),
        (lambda self, batch: RewardSignal("a", [1.0, 1.0], [1.0]), "list for its sub-terms"),  # type: ignore[arg-type]
    ],
)
def test_arrays_that_fail_where_one_step_does_not_are_an_error_that_names_the_component(given: Any, words: str) -> None:
    engine = engine_of(spec_of("a"), 2, {"a": arrays("a", compute_batch=given)})
    with pytest.raises(CompositionError, match=rf'Component "a" failed.*compute_batch\(\).*{words}') as caught:
        engine.compute_steps([StepContext(extras={"a": 1.0})] * 2)
    assert (caught.value.code, caught.value.component) == ("compose.component-failed", "a")


def test_anything_that_a_component_does_not_find_is_reported_as_one_step_tells_it() -> None:
    engine = engine_of(spec_of("a"), 2, {"a": arrays("a")})
    with pytest.raises(CompositionError, match="KeyError") as caught:
        engine.compute_steps([StepContext(extras={"a": 1.0}), StepContext(4, extras={"b": 1.0})])
    assert (caught.value.environment, caught.value.step) == (1, 4)
    assert "compute_batch" not in str(caught.value)


def test_a_step_after_the_end_is_refused_naming_its_environment() -> None:
    engine = engine_of(spec_of("a"), 2, {"a": arrays("a")})
    engine.compute_steps([StepContext(extras={"a": 1.0}, truncated=place == 1) for place in range(2)])
    assert [engine.is_over(place) for place in range(2)] == [False, True]
    with pytest.raises(CompositionError, match="Step 1 of environment 1 was taken after the end"):
        engine.compute_steps([StepContext(1, extras={"a": 1.0})] * 2)
    engine.reset()
    assert engine.compute_steps([None, None]).totals.tolist() == [0.0, 0.0]


def test_steps_that_provide_different_fields_are_looked_at_one_by_one() -> None:
    engine = engine_of(spec_of("a"), 2, {"a": arrays("a")})
    contexts = [StepContext(extras={"a": 0.0}), StepContext(extras={"a": 0.0}, state_after={})]
    assert engine.compute_steps(contexts).zeros.tolist() == [["zero_value", "zero_value"]]


def test_a_spec_that_reads_nothing_warns_once() -> None:
    class Reads(arrays("a", reads=("incidents",))):  # type: ignore[misc]
        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(0.0)

        def compute_batch(self, batch: StepBatch) -> RewardSignal:
            return self._signal(np.zeros(len(batch)))

    engine = BatchedEngine(spec_of("a"), 2, {"a": Reads})
    with pytest.warns(RewardReadsNothing, match="reads nothing") as warned:
        first = engine.compute_steps([StepContext(extras={})] * 2)
    assert len(warned) == 1
    assert first.zeros.tolist() == engine.compute_steps([StepContext(extras={})] * 2).zeros.tolist()
    assert first.zeros.tolist() == [["reads_missing", "reads_missing"]]


def test_a_number_of_contexts_that_is_not_that_of_the_environments_is_refused() -> None:
    with pytest.raises(ValueError, match="serves 2 environments, not 1"):
        engine_of(spec_of("a"), 2, {"a": arrays("a")}).compute_steps([None])


def test_a_batch_is_read_only_and_has_what_each_step_has() -> None:
    contexts = [
        StepContext(
            step,
            extras={"x": step / 2, "v": [1.0, 2.0]},
            state_before={"n": step},
            state_after={"n": step + 1},
            incidents=[{"id": step}],
            verifications=[],
            terminated=step == 1,
        )
        for step in range(3)
    ]
    batch = StepBatch(contexts)
    assert len(batch) == 3
    assert batch.extras["x"].tolist() == [0.0, 0.5, 1.0]
    assert batch.extras["v"].shape == (3, 2)
    assert (sorted(batch.extras), len(batch.extras)) == (["v", "x"], 2)
    assert batch.state_before["n"].tolist() == [0, 1, 2]
    assert batch.state_after["n"].tolist() == [1, 2, 3]
    assert (batch.step.tolist(), batch.terminated.tolist()) == ([0, 1, 2], [False, True, False])
    assert not batch.truncated.any()
    assert [records[0]["id"] for records in batch.incidents] == [0, 1, 2]
    assert batch.verifications == ((), (), ())
    assert batch.provided == contexts[0].provided
    for array in (batch.extras["x"], batch.step):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9
    with pytest.raises(KeyError):
        batch.extras["y"]


def test_one_step_at_a_time_is_what_the_base_class_says() -> None:
    component = singly(arrays("a"))
    with pytest.raises(NotImplementedError, match="computes one step at a time"):
        RewardComponent.compute_batch(component(), StepBatch([StepContext()]))


def test_it_is_registered_as_any_component_is() -> None:
    assert Registry({"a": arrays("a")})["a"].name == "a"
