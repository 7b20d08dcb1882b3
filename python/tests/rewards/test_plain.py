"""The plain engine, sentence by sentence as section 9 of the specification has it."""

from __future__ import annotations

import copy
import pickle
import struct
import warnings
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from math import inf, nan
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.rewards import (
    CompositionEngine,
    CompositionError,
    RewardComponent,
    RewardReadsNothing,
    RewardResult,
    RewardSignal,
    RewardSpec,
    RewardSpecRequired,
    StepContext,
    ZeroReason,
)
from scripted_components import AT_END, END, engine_of, scripted, spec_of, step_of

LAST = {"end": END}


def contributions(engine: CompositionEngine, **raw: object) -> dict[str, float]:
    return dict(engine.compute_step(step_of(**raw)).contributions)


def refusal(engine: CompositionEngine, ctx: StepContext, environment: int = 0) -> CompositionError:
    with pytest.raises(CompositionError) as caught:
        engine.compute_step(ctx, environment)
    return caught.value


# Clip, then weight, then sum.


def test_the_documented_example() -> None:
    class Upright(RewardComponent):
        name = "upright"
        reads = ("extras",)
        clip = (0.0, 1.0)

        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(ctx.extras["uprightness"])

    class Effort(RewardComponent):
        name = "effort"
        reads = ("extras",)
        clip = (-1.0, 0.0)
        default_weight = 0.2

        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(-ctx.extras["torque"])

    spec = RewardSpec.from_dict({"name": "balance", "components": [{"type": "upright"}, {"type": "effort"}]})
    engine = CompositionEngine(spec, registry={"upright": Upright, "effort": Effort})

    result = engine.compute_step(StepContext(step=0, extras={"uprightness": 0.9, "torque": 0.25}))

    assert f"{result.total:.3f}" == "0.850"
    assert [f"{name} {value:+.3f}" for name, value in result.contributions.items()] == [
        "upright +0.900",
        "effort -0.050",
    ]


def test_a_value_is_clipped_before_it_is_weighed() -> None:
    engine = engine_of(
        {"type": "half", "weight": 0.5, "clip": [0.0, 1.0]}, {"type": "turned", "weight": -2.0, "clip": [-1.0, 1.0]}
    )
    assert contributions(engine, half=5.0, turned=3.0) == {"half": 0.5, "turned": -2.0}
    assert contributions(engine, half=-5.0, turned=-3.0) == {"half": 0.0, "turned": 2.0}
    assert contributions(engine, half=0.5, turned=0.25) == {"half": 0.25, "turned": -0.5}


def test_a_weight_or_clip_that_is_left_out_is_the_components_own_and_a_null_clip_is_none() -> None:
    own = {"a": scripted("a", clip=(0.0, 2.0), default_weight=3.0)}
    assert contributions(engine_of("a", classes=own), a=5.0) == {"a": 6.0}
    assert contributions(engine_of({"type": "a", "weight": 1.0}, classes=own), a=5.0) == {"a": 2.0}
    assert contributions(engine_of({"type": "a", "clip": None}, classes=own), a=5.0) == {"a": 15.0}


@pytest.mark.parametrize(
    ("clip", "high", "low"),
    [([None, 1.0], 2.0, -6.0), ([-1.0, None], 6.0, -2.0), ([None, None], 6.0, -6.0)],
    ids=["no lower bound", "no upper bound", "no bound"],
)
def test_a_clip_can_leave_a_side_unbounded(clip: list[float | None], high: float, low: float) -> None:
    engine = engine_of({"type": "a", "weight": 2.0, "clip": clip})
    assert contributions(engine, a=3.0) == {"a": high}
    assert contributions(engine, a=-3.0) == {"a": low}
    own = {"a": scripted("a", clip=(clip[0], clip[1]), default_weight=2.0)}
    assert contributions(engine_of("a", classes=own), a=3.0) == {"a": high}


def test_the_total_is_the_sum_from_left_to_right() -> None:
    engine = engine_of(*({"type": name, "weight": 0.1} for name in "abc"))
    result = engine.compute_step(step_of(a=1.0, b=1.0, c=1.0))
    assert result.total == 0.30000000000000004
    assert list(result.contributions) == ["a", "b", "c"]
    # 1e16 + 1.0 is 1e16 again; from the right it would be 2.0.
    assert engine_of("a", "b", "c").compute_step(step_of(a=1e16, b=1.0, c=-1e16)).total == 0.0


doubles = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(doubles, doubles), min_size=1, max_size=9))
def test_the_total_is_exactly_the_sum_of_the_contributions_in_order(terms: list[tuple[float, float]]) -> None:
    names = [f"t{place}" for place in range(len(terms))]
    engine = engine_of(*({"type": name, "weight": weight} for name, (weight, _) in zip(names, terms, strict=True)))
    try:
        result = engine.compute_step(step_of(**{name: raw for name, (_, raw) in zip(names, terms, strict=True)}))
    except CompositionError as error:
        assert error.code in ("compose.contribution-overflows", "compose.total-overflows")
        return
    total = 0.0
    for name, (weight, raw) in zip(names, terms, strict=True):
        assert result.contributions[name] == weight * raw
        total += result.contributions[name]
    assert struct.pack("<d", result.total) == struct.pack("<d", total)


@pytest.mark.parametrize(
    ("term", "raw"),
    [
        ({"type": "a"}, -0.0),
        ({"type": "a", "weight": -1.0}, 0.0),
        ({"type": "a", "weight": -0.0}, 1.0),
        ({"type": "a", "clip": [-0.0, 1.0]}, -1.0),
        ({"type": "a", "weight": 0.5}, -5e-324),
    ],
)
def test_a_contribution_of_minus_zero_is_zero(term: dict[str, Any], raw: float) -> None:
    result = engine_of(term).compute_step(step_of(a=raw))
    assert str(result.contributions["a"]) == "0.0"
    assert str(result.total) == "0.0"


def test_a_type_that_appears_twice_is_refused_when_the_spec_is_read() -> None:
    with pytest.raises(ValidationError, match="spec.component-types-unique"):
        spec_of({"type": "a", "weight": 1.0}, {"type": "a", "weight": 0.5})


# Gates.


@pytest.mark.parametrize(("progress", "bonus"), [(0.0, 0.0), (-0.0, 0.0), (-0.5, 0.0), (5e-324, 1.0), (1.0, 1.0)])
def test_a_term_listed_before_its_gate_counts_where_the_gate_contributed_more_than_0(
    progress: float, bonus: float
) -> None:
    engine = engine_of("bonus", "progress", gates=[("bonus", "progress")])
    result = engine.compute_step(step_of(bonus=1.0, progress=progress))
    assert result.contributions == {"bonus": bonus, "progress": progress}
    assert result.total == bonus + progress


def test_anything_that_opens_a_gate_is_the_contribution_and_not_the_value() -> None:
    engine = engine_of("bonus", {"type": "cost", "weight": -1.0}, gates=[("bonus", "cost")])
    assert contributions(engine, bonus=1.0, cost=1.0) == {"bonus": 0.0, "cost": -1.0}
    assert contributions(engine, bonus=1.0, cost=-1.0) == {"bonus": 1.0, "cost": 1.0}


def test_gates_settle_in_the_order_of_what_they_require() -> None:
    engine = engine_of("c", "b", "a", gates=[("c", "b"), ("b", "a")])
    assert contributions(engine, a=0.0, b=1.0, c=1.0) == {"c": 0.0, "b": 0.0, "a": 0.0}
    assert contributions(engine, a=1.0, b=1.0, c=1.0) == {"c": 1.0, "b": 1.0, "a": 1.0}
    assert contributions(engine, a=1.0, b=-1.0, c=1.0) == {"c": 0.0, "b": -1.0, "a": 1.0}


def test_a_term_with_several_gates_needs_them_all() -> None:
    engine = engine_of("x", "a", "b", gates=[("x", "a"), ("x", "b"), ("x", "a")])
    for a in (0.0, 1.0):
        for b in (0.0, 1.0):
            assert contributions(engine, x=1.0, a=a, b=b)["x"] == a * b


def test_a_penalty_is_gated_as_well() -> None:
    engine = engine_of("penalty", "moved", gates=[("penalty", "moved")])
    assert contributions(engine, penalty=-3.0, moved=0.0) == {"penalty": 0.0, "moved": 0.0}


def test_a_gate_that_is_not_due_is_shut() -> None:
    engine = engine_of("a", "end", gates=[("a", "end")], classes=LAST)
    assert contributions(engine, a=1.0) == {"a": 0.0}
    last = engine.compute_step(step_of(a=1.0, end=1.0, truncated=True))
    assert last.contributions == {"a": 1.0, "end": 1.0}


# Cadence and reset.


@pytest.mark.parametrize("how", ["terminated", "truncated"])
def test_an_episode_end_term_counts_once_at_the_end_and_again_after_a_reset(how: str) -> None:
    engine = engine_of("step", "end", classes=LAST)
    first = engine.compute_step(step_of(step=0.1))
    assert first.contributions == {"step": 0.1}
    for _ in range(2):
        last = engine.compute_step(step_of(step=0.1, end=5.0, **{how: True}))
        assert last.contributions == {"step": 0.1, "end": 5.0}
        assert last.total == 5.1
        engine.reset()


@pytest.mark.parametrize("how", ["terminated", "truncated"])
def test_a_step_after_the_end_is_an_error_until_a_reset_and_no_component_is_asked(how: str) -> None:
    engine = engine_of("step", "end", classes=LAST)
    engine.compute_step(step_of(step=0.1, end=5.0, **{how: True}))
    assert engine.is_over()
    for ctx in (StepContext(1, extras={"step": nan}), StepContext(1), StepContext(1, terminated=True)):
        with pytest.raises(CompositionError, match=r"^Step 1 was taken after the end of the episode\.$") as caught:
            engine.compute_step(ctx)
        assert (caught.value.code, caught.value.component) == ("compose.episode-over", None)
        assert (caught.value.step, caught.value.environment) == (1, None)
    engine.reset()
    assert not engine.is_over()
    assert engine.compute_step(step_of(step=0.1)).total == 0.1


def test_a_step_after_the_end_names_its_environment_and_leaves_the_others_alone() -> None:
    engine = engine_of("a", environments=2)
    engine.compute_step(step_of(a=1.0, terminated=True), 1)
    with pytest.raises(CompositionError, match="Step 0 of environment 1 was taken after the end") as caught:
        engine.compute_step(step_of(a=1.0), 1)
    assert caught.value.environment == 1
    assert [engine.is_over(place) for place in range(2)] == [False, True]
    assert engine.compute_step(step_of(a=1.0), 0).total == 1.0
    assert pickle.loads(pickle.dumps(caught.value)).component is None


def test_a_component_that_is_not_due_is_not_asked() -> None:
    # It would fail: the step has no value for it.
    assert engine_of("end", classes=LAST).compute_step(step_of()).total == 0.0


class Difference(RewardComponent):
    """The rise of a level since the last step of the episode, from 0."""

    name = "rise"
    reads = ("extras",)

    def __init__(self) -> None:
        self.before = 0.0

    def compute(self, ctx: StepContext) -> RewardSignal:
        level = ctx.extras["level"]
        rise, self.before = level - self.before, level
        return self._signal(rise)

    def reset(self) -> None:
        self.before = 0.0


RISE = {"rise": Difference}


def rise(engine: CompositionEngine, level: float, environment: int = 0, ends: bool = False) -> float:
    return engine.compute_step(StepContext(extras={"level": level}, terminated=ends), environment).total


def test_components_forget_at_a_reset() -> None:
    engine = engine_of("rise", classes=RISE)
    assert rise(engine, 2.0, ends=True) == 2.0
    engine.reset()
    assert rise(engine, 0.5) == 0.5
    assert rise(engine, 0.75) == 0.25


def test_each_environment_has_its_own_components_and_its_own_end() -> None:
    engine = engine_of("rise", "end", classes=RISE | LAST, environments=3)

    def end_of(environment: int) -> bool:
        ctx = StepContext(extras={"level": 0.0, "end": 1.0}, terminated=True)
        if engine.is_over(environment):
            return False
        return "end" in engine.compute_step(ctx, environment).contributions

    assert [rise(engine, level, place) for place, level in enumerate((1.0, 2.0, 3.0))] == [1.0, 2.0, 3.0]
    engine.reset(1)
    assert [rise(engine, 5.0, place) for place in range(3)] == [4.0, 5.0, 2.0]
    assert [end_of(place) for place in (0, 0, 1)] == [True, False, True]
    engine.reset(0)
    assert [end_of(place) for place in (0, 1, 2)] == [True, False, True]
    engine.reset()
    assert [end_of(place) for place in (0, 1, 2)] == [True, True, True]


@pytest.mark.parametrize("environment", [-1, 2, 10**30, 0.5, 1.0])
def test_an_environment_that_is_not_served_is_an_error(environment: Any) -> None:
    engine = engine_of("a", environments=2)
    for call in (lambda: engine.compute_step(step_of(a=1.0), environment), lambda: engine.reset(environment)):
        with pytest.raises(IndexError, match=f"no environment {environment}; the engine serves 0 to 1"):
            call()


@pytest.mark.parametrize("environments", [0, -1, True, 2.0, "2"])
def test_the_number_of_environments_is_whole_and_at_least_1(environments: Any) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        engine_of("a", environments=environments)


def test_a_reset_that_fails_begins_no_episode() -> None:
    class Stubborn(Difference):
        def reset(self) -> None:
            raise RuntimeError("no")

    engine = engine_of("rise", "end", classes={"rise": Stubborn} | LAST)
    last = StepContext(extras={"level": 0.0, "end": 1.0}, terminated=True)
    assert engine.compute_step(last).total == 1.0
    with pytest.raises(RuntimeError, match="no"):
        engine.reset()
    assert engine.is_over()


def test_a_reset_that_fails_in_one_component_of_one_environment_is_made_in_all_others() -> None:
    made: list[Stubborn] = []

    class Stubborn(Difference):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

        def reset(self) -> None:
            if self is made[0]:
                raise RuntimeError("no")
            super().reset()

    engine = engine_of("a", "rise", "end", classes={"a": Stubborn, "rise": Difference} | LAST, environments=3)
    last = StepContext(extras={"level": 1.0, "end": 4.0}, terminated=True)
    for environment in range(3):
        assert engine.compute_step(last, environment).total == 6.0
    with pytest.raises(RuntimeError) as caught:
        engine.reset()
    assert caught.value.__notes__ == ['raised by reset() of the component "a" of environment 0']
    assert engine.is_over(0)
    for environment in (1, 2):
        assert engine.compute_step(last, environment).total == 6.0


# What is not a number has no stand-in.


class Colour(IntEnum):
    RED = 3


class Exact(float):
    """A double of another type."""


@pytest.mark.parametrize(
    ("raw", "value"),
    [(2, 2.0), (2**53 + 1, 2.0**53), (Fraction(1, 4), 0.25), (Colour.RED, 3.0), (Exact(0.5), 0.5), (10**308, 1e308)],
)
def test_other_real_numbers_are_taken_as_their_nearest_double(raw: object, value: float) -> None:
    result = engine_of("a").compute_step(step_of(a=raw))
    for found in (result.raw["a"], result.contributions["a"], result.total):
        assert type(found) is float
        assert found == value


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("no text")


class NoDouble(Fraction):
    def __float__(self) -> float:
        raise RuntimeError("no double")


class NotEvenItself(float):
    def __float__(self) -> float:
        raise ValueError("no")


class Worded(Fraction):
    def __float__(self) -> float:
        return "one"  # type: ignore[return-value]


class Masked:
    @property  # type: ignore[misc]
    def __class__(self) -> type:
        raise RuntimeError("nobody knows")


@pytest.mark.parametrize(
    ("raw", "code", "found"),
    [
        (nan, "compose.not-finite", "gave nan at step 7"),
        (inf, "compose.not-finite", "gave inf at step 7"),
        (-inf, "compose.not-finite", "gave -inf at step 7"),
        (Exact("nan"), "compose.not-finite", "gave nan at step 7"),
        (10**400, "compose.not-finite", "gave a number beyond any double at step 7"),
        (Fraction(10**400, 3), "compose.not-finite", "gave a number beyond any double at step 7"),
        (None, "compose.not-a-number", "gave None at step 7"),
        (True, "compose.not-a-number", "gave bool true at step 7"),
        ("1.0", "compose.not-a-number", 'gave str "1.0" at step 7'),
        (Decimal("0.1"), "compose.not-a-number", "gave Decimal Decimal('0.1') at step 7"),
        (Decimal("Infinity"), "compose.not-finite", "gave inf at step 7"),
        (1j, "compose.not-a-number", "gave complex 1j at step 7"),
        ([1.0], "compose.not-a-number", "gave list [1.0] at step 7"),
        ("x" * 500, "compose.not-a-number", "..."),
        (Unspeakable(), "compose.not-a-number", "gave Unspeakable (it has no text) at step 7"),
        (NoDouble(1, 2), "compose.not-a-number", "gave NoDouble NoDouble(1, 2) at step 7"),
        (NotEvenItself(1), "compose.not-a-number", "gave NotEvenItself 1.0 at step 7"),
        (Worded(1, 2), "compose.not-a-number", "gave Worded Worded(1, 2) at step 7"),
        (Masked(), "compose.not-a-number", "gave Masked "),
    ],
    ids=lambda given: str(type(given).__name__),
)
@pytest.mark.parametrize("term", [{}, {"clip": [0.0, 1.0]}, {"weight": 0.0}, {"weight": 0.0, "clip": [0.0, 0.0]}])
def test_anything_that_is_not_a_finite_number_is_an_error_under_any_clip_and_weight(
    raw: object, code: str, found: str, term: dict[str, Any]
) -> None:
    engine = engine_of("good", {"type": "bad", **term}, gates=[("bad", "good")])
    error = refusal(engine, step_of(7, good=0.0, bad=raw))  # its gate is shut, too
    assert (error.code, error.component, error.step, error.environment) == (code, "bad", 7, None)
    assert found in str(error)
    assert len(str(error)) < 200


def test_the_first_term_at_fault_is_named() -> None:
    assert refusal(engine_of("a", "b"), step_of(a=nan, b=None)).component == "a"
    assert refusal(engine_of("b", "a"), step_of(a=nan, b=None)).component == "b"


def test_an_error_names_the_environment_where_there_are_several() -> None:
    engine = engine_of("a", environments=3)
    error = refusal(engine, step_of(4, a=nan), environment=2)
    assert error.environment == 2
    assert "at step 4 of environment 2" in str(error)


@pytest.mark.parametrize(
    ("terms", "raw", "component"),
    [
        ([{"type": "a", "weight": 2.0}], {"a": 1e308}, "a"),
        ([{"type": "b"}, {"type": "a", "weight": 1e308, "clip": [-1e10, 1e10]}], {"a": -1e300, "b": 1.0}, "a"),
    ],
)
def test_a_contribution_that_is_not_finite_is_an_error_even_behind_a_gate(
    terms: list[dict[str, Any]], raw: dict[str, float], component: str
) -> None:
    shut = engine_of(*terms, "gate", gates=[(component, "gate")])
    error = refusal(shut, step_of(3, gate=0.0, **raw))
    assert (error.code, error.component, error.step) == ("compose.contribution-overflows", component, 3)


def test_a_total_that_is_not_finite_is_an_error_naming_the_term_that_was_too_much() -> None:
    engine = engine_of("a", "b", "c", "d")
    error = refusal(engine, step_of(3, a=1.0, b=1e308, c=1e308, d=-1e308))
    assert (error.code, error.component, error.step) == ("compose.total-overflows", "c", 3)
    assert engine.compute_step(step_of(a=1.0, b=1e308, c=-1e308, d=1e308)).total == 1e308


@pytest.mark.parametrize(
    ("given", "code", "found"),
    [
        (None, "compose.not-a-number", "gave None at step 2"),
        (1.0, "compose.component-failed", "returned float 1.0, not a RewardSignal; end it with: return self._signal("),
        (("a", 1.0, {}), "compose.component-failed", "not a RewardSignal"),
    ],
)
def test_a_component_that_returns_no_signal_is_an_error(given: object, code: str, found: str) -> None:
    class Blunt(RewardComponent):
        name = "blunt"

        def compute(self, ctx: StepContext) -> RewardSignal:
            return given  # type: ignore[return-value]

    error = refusal(engine_of("blunt", classes={"blunt": Blunt}), step_of(2))
    assert (error.code, error.component, error.step) == (code, "blunt", 2)
    assert found in str(error)


def test_a_component_that_fails_is_named_with_what_it_reads_in_vain() -> None:
    class Careless(RewardComponent):
        name = "careless"
        reads = ("state_after", "extras")

        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(ctx.state_after["speed"])

    error = refusal(engine_of("careless", classes={"careless": Careless}), step_of(5))
    assert (error.code, error.component, error.step) == ("compose.component-failed", "careless", 5)
    assert str(error) == (
        "Component \"careless\" failed at step 5: KeyError: 'speed' (it reads state_after, which the step does not "
        "provide)."
    )
    assert isinstance(error.__cause__, KeyError)


def test_a_component_that_cannot_be_made_or_cannot_say_why_it_failed_is_named() -> None:
    class Demanding(Difference):
        def __init__(self, start: float) -> None:
            self.before = start

    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("nothing to say")

    class Silent(Difference):
        def compute(self, ctx: StepContext) -> RewardSignal:
            raise Mute

    demanding = refusal(engine_of("rise", classes={"rise": Demanding}), step_of(1))
    assert (demanding.code, demanding.component, demanding.step) == ("compose.component-failed", "rise", 1)
    assert "Mute: (it has no text)" in str(refusal(engine_of("rise", classes={"rise": Silent}), step_of(1)))


def test_a_final_step_that_was_refused_can_be_given_again() -> None:
    engine = engine_of("step", "end", classes=LAST)
    for end in (nan, "no", 1e400):
        refusal(engine, step_of(step=0.0, end=end, terminated=True))
    refusal(engine, step_of(step=1.7e308, end=1.7e308, terminated=True))
    assert engine.compute_step(step_of(step=0.0, end=5.0, terminated=True)).total == 5.0
    assert refusal(engine, step_of(step=0.0, end=5.0, terminated=True)).code == "compose.episode-over"


def test_an_error_survives_a_pickle() -> None:
    error = refusal(engine_of("a", environments=2), step_of(3, a=nan), environment=1)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert (again.code, again.component, again.step, again.environment) == ("compose.not-finite", "a", 3, 1)


# Why a term is 0.


class Reader(RewardComponent):
    name = "reader"
    reads = ("incidents", "verifications")

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(-len(ctx.incidents))


def zeros() -> Iterator[tuple[ZeroReason, RewardResult, str]]:
    yield (
        ZeroReason.SKIPPED,
        engine_of("end", classes=LAST).compute_step(step_of()),
        "end is not due: it counts once, at the step that ends the episode",
    )
    yield (
        ZeroReason.READS_MISSING,
        engine_of("reader", "a", classes={"reader": Reader}).compute_step(step_of(a=1.0)),
        "reader is 0: it reads incidents, verifications, and the step provides extras",
    )
    yield ZeroReason.ZERO_VALUE, engine_of("a").compute_step(step_of(a=-0.0)), "a is 0: its component gave 0"
    yield (
        ZeroReason.CLIPPED,
        engine_of({"type": "a", "clip": [0.0, 1.0]}).compute_step(step_of(a=-2.5)),
        "a is 0: its value -2.5 was clipped to 0.0..1.0",
    )
    yield (
        ZeroReason.ZERO_WEIGHT,
        engine_of({"type": "a", "weight": 0.0}).compute_step(step_of(a=1.0)),
        "a is 0: its weight is 0",
    )
    yield (
        ZeroReason.UNDERFLOW,
        engine_of({"type": "a", "weight": 1e-200}).compute_step(step_of(a=1e-200)),
        "a is 0: 1e-200 times the weight 1e-200 underflows",
    )
    yield (
        ZeroReason.GATED,
        engine_of("a", "open", "b", gates=[("a", "open"), ("a", "b")]).compute_step(step_of(a=1.0, open=1.0, b=-2.0)),
        "a is 0: it requires b, which contributed -2.0",
    )


def test_every_zero_has_a_reason_and_a_sentence() -> None:
    seen = set()
    for reason, result, sentence in zeros():
        ((name, found),) = result.zeros.items()
        assert found is reason
        assert result.contributions.get(name, 0.0) == 0.0
        assert result.explain() == {name: sentence}
        seen.add(reason)
    assert seen == {*ZeroReason}


def test_a_gate_that_was_not_due_is_reported_as_such() -> None:
    result = engine_of("a", "end", gates=[("a", "end")], classes=LAST).compute_step(step_of(a=1.0))
    assert result.explain()["a"] == "a is 0: it requires end, which was not due"


def test_a_value_of_0_that_a_clip_lifts_is_not_the_reason() -> None:
    lifted = {"type": "a", "clip": [1.0, 2.0]}
    weightless = engine_of({**lifted, "weight": 0.0}).compute_step(step_of(a=0.0))
    gated = engine_of(lifted, "b", gates=[("a", "b")]).compute_step(step_of(a=0.0, b=-1.0))
    small = engine_of({"type": "a", "clip": [-1e-200, 1e-200], "weight": 1e-200}).compute_step(step_of(a=5.0))
    assert weightless.zeros == {"a": ZeroReason.ZERO_WEIGHT}
    assert gated.zeros == {"a": ZeroReason.GATED}
    assert small.explain() == {"a": "a is 0: 1e-200 times the weight 1e-200 underflows"}


def test_anything_that_is_not_0_has_no_reason() -> None:
    assert engine_of("a").compute_step(step_of(a=5e-324)).zeros == {}


# A spec that reads nothing.


def test_a_spec_that_reads_nothing_the_environment_provides_warns_once_naming_both_sides() -> None:
    engine = engine_of("reader", classes={"reader": Reader}, environments=2)
    with pytest.warns(RewardReadsNothing) as caught:
        totals = [engine.compute_step(step_of(), environment).total for environment in (0, 1, 0)]
    assert totals == [0.0, 0.0, 0.0]
    assert [str(each.message) for each in caught] == [
        'the spec "case" reads nothing the environment provides: reader reads incidents, verifications; the '
        "environment provides extras"
    ]
    assert caught[0].filename == __file__


def test_an_environment_that_provides_nothing_gets_a_warning() -> None:
    with pytest.warns(RewardReadsNothing, match="the environment provides nothing"):
        engine_of("reader", classes={"reader": Reader}).compute_step(StepContext())


def test_one_field_that_is_provided_is_enough_empty_or_not() -> None:
    for ctx in (StepContext(incidents=[]), StepContext(verifications=["seen"])):
        engine_of("reader", classes={"reader": Reader}).compute_step(ctx)


def test_a_spec_whose_terms_are_due_at_the_end_is_warned_about_at_the_end() -> None:
    class Late(Reader):
        cadence = AT_END

    engine = engine_of("reader", classes={"reader": Late})
    engine.compute_step(step_of())
    with pytest.warns(RewardReadsNothing):
        engine.compute_step(step_of(truncated=True))


def test_a_term_that_is_due_later_and_reads_what_the_environment_provides_is_not_a_reason_to_warn() -> None:
    class Late(Reader):
        name = "late"
        cadence = AT_END

    engine = engine_of("a", "late", classes={"a": scripted_zero(), "late": Late})
    assert engine.compute_step(StepContext(incidents=[])).total == 0.0
    blind = engine_of("a", "late", classes={"a": scripted_zero(), "late": Late})
    with pytest.warns(RewardReadsNothing, match="a reads extras; late reads incidents, verifications; the environment"):
        blind.compute_step(StepContext(state_after={}))


def scripted_zero() -> type[RewardComponent]:
    return type("Zero", (Reader,), {"name": "zero", "reads": ("extras",)})


def test_a_type_that_is_not_a_word_is_reported_as_json_and_cannot_move_the_cursor() -> None:
    odd = "a\x1b[31m b"
    result = engine_of(odd, "b", gates=[("b", odd)]).compute_step(step_of(**{odd: 0.0, "b": 1.0}))
    assert result.explain() == {
        odd: '"a\\u001b[31m b" is 0: its component gave 0',
        "b": 'b is 0: it requires "a\\u001b[31m b", which contributed 0.0',
    }
    with pytest.warns(RewardReadsNothing, match=r'"a.u001b\[31m b" reads extras'):
        engine_of(odd, classes={odd: scripted_zero()}).compute_step(StepContext())


def test_anything_that_a_component_raises_is_reported_on_one_line_that_prints() -> None:
    class Loud(Reader):
        def compute(self, ctx: StepContext) -> RewardSignal:
            raise ValueError("red \x1b[31m\n half \ud800 \u00e9")

    error = refusal(engine_of("reader", classes={"reader": Loud}), StepContext(incidents=[]))
    assert "ValueError: red \\x1b[31m half \\ud800 \u00e9 (it reads" in str(error)


def test_components_that_read_nothing_at_all_are_not_a_reason_to_warn() -> None:
    class Alive(RewardComponent):
        name = "alive"

        def compute(self, ctx: StepContext) -> RewardSignal:
            return self._signal(1.0)

    assert engine_of("alive", classes={"alive": Alive}).compute_step(StepContext()).total == 1.0


def test_a_warning_that_is_an_error_costs_no_step() -> None:
    class Deaf(Difference):
        reads = ("incidents",)

    engine = engine_of("rise", classes={"rise": Deaf})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RewardReadsNothing):
            rise(engine, 2.0)
        assert rise(engine, 2.0) == 2.0  # the first call asked no component


# There is no default reward.


@pytest.mark.parametrize("spec", [None, {"name": "case"}, "balance"])
def test_there_is_no_default_reward(spec: Any) -> None:
    with pytest.raises(RewardSpecRequired, match=r"there is no default reward; name one: RewardSpec\.from_dict"):
        CompositionEngine(spec)


def test_without_any_argument_the_message_is_the_same() -> None:
    with pytest.raises(RewardSpecRequired, match="no reward spec was named, and there is no default reward"):
        CompositionEngine()


def test_a_type_that_is_not_registered_is_an_error_naming_what_is() -> None:
    with pytest.raises(InvalidDocument) as caught:
        CompositionEngine(spec_of("a", "upright", "b"), registry={"upright": scripted("upright")})
    assert [(each.code, each.pointer) for each in caught.value.findings] == [
        ("compose.component-unknown", "/components/0/type"),
        ("compose.component-unknown", "/components/2/type"),
    ]
    assert 'No component is registered as "a"; known are "upright".' in str(caught.value)


# The result.


class Explaining(RewardComponent):
    name = "explaining"
    reads = ("extras",)

    def compute(self, ctx: StepContext) -> RewardSignal:
        return self._signal(1.0, ctx.extras["detail"])


def test_a_result_is_read_only_all_the_way_down() -> None:
    given = {"left": 1, "right": 0.25}
    result = engine_of("explaining", classes={"explaining": Explaining}).compute_step(step_of(detail=given))
    given["left"] = 9
    assert result.detail == {"explaining": {"left": 1.0, "right": 0.25}}
    with pytest.raises(FrozenInstanceError):
        result.total = 2.0  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del result.total  # type: ignore[misc]
    for mapping in (result.contributions, result.raw, result.zeros, result.detail, result.detail["explaining"]):
        with pytest.raises(TypeError):
            mapping["explaining"] = 0.0  # type: ignore[index]


def test_raw_values_are_those_before_clip_and_weight() -> None:
    result = engine_of({"type": "a", "weight": 2.0, "clip": [0.0, 1.0]}, "end", classes=LAST).compute_step(step_of(a=7))
    assert result.raw == {"a": 7.0}
    assert result.contributions == {"a": 2.0}


@pytest.mark.parametrize("detail", [{"part": nan}, {"part": None}, {"part": True}, {"ok": 1.0, "part": inf}])
def test_a_sub_term_that_is_not_a_finite_number_is_an_error(detail: dict[str, object]) -> None:
    error = refusal(engine_of("explaining", classes={"explaining": Explaining}), step_of(2, detail=detail))
    assert error.code in ("compose.not-a-number", "compose.not-finite")
    assert (error.component, error.step) == ("explaining", 2)
    assert 'for its sub-term "part" at step 2' in str(error)


class NoItems(dict[str, float]):
    def items(self) -> Any:
        raise RuntimeError("no items")


@pytest.mark.parametrize(
    ("detail", "found"),
    [
        (NoItems(part=1.0), "RuntimeError: no items"),
        ({Unspeakable(): 1.0}, "RuntimeError: no text"),
        ({1: 1.0, "1": 2.0}, 'it gave two values for its sub-term "1"'),
        ({"": 1.0}, 'it gave a value for its sub-term "", whose name is not text of 1 to 128 characters'),
        ({"x" * 129: 1.0}, "whose name is not text of 1 to 128 characters"),
        ({"\ud800": 1.0}, 'it gave a value for its sub-term "\\ud800", whose name is not text'),
        ({f"part {n}": 1.0 for n in range(65)}, "it gave 65 sub-terms; at most 64 fit in a trace"),
        ({"part": NoDouble(1)}, 'gave NoDouble NoDouble(1, 1) for its sub-term "part"'),
        (0, "gave int 0 for its sub-terms"),
    ],
    ids=lambda given: str(type(given).__name__),
)
def test_sub_terms_that_cannot_be_read_are_an_error_naming_component_and_step(detail: Any, found: str) -> None:
    class Direct(Explaining):
        def compute(self, ctx: StepContext) -> RewardSignal:
            return RewardSignal("explaining", 1.0, detail)

    error = refusal(engine_of("explaining", classes={"explaining": Direct}), step_of(2))
    assert (error.component, error.step) == ("explaining", 2)
    assert found in str(error)


def test_sub_terms_that_are_not_a_mapping_are_an_error() -> None:
    class Direct(Explaining):
        def compute(self, ctx: StepContext) -> RewardSignal:
            return RewardSignal("explaining", 1.0, ["part"])  # type: ignore[arg-type]

    error = refusal(engine_of("explaining", classes={"explaining": Direct}), step_of(2))
    assert (error.code, error.component) == ("compose.not-a-number", "explaining")


def test_a_result_and_a_signal_survive_pickle_and_copy() -> None:
    engine = engine_of("rise", {"type": "end"}, classes={"rise": Difference, "end": Difference})
    result = engine.compute_step(StepContext(extras={"level": 2.0}))
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert (again.total, again.contributions, again.explain()) == (4.0, result.contributions, result.explain())
    signal = Difference()._signal(1.0, {"part": 0.5})
    assert pickle.loads(pickle.dumps(signal)) == copy.deepcopy(signal) == signal


def test_an_engine_survives_a_pickle_in_the_middle_of_an_episode() -> None:
    engine = engine_of("rise", classes=RISE, environments=2)
    rise(engine, 2.0, 1)
    again = pickle.loads(pickle.dumps(engine))
    assert [rise(again, 3.0, place) for place in (0, 1)] == [3.0, 1.0]
    assert again.resolved == engine.resolved


# The context of a step.


@pytest.mark.parametrize("step", ["x", None, 1.0])
def test_a_step_that_is_not_a_whole_number_is_refused(step: Any) -> None:
    with pytest.raises(TypeError, match="a step has a whole number, counted from 0"):
        StepContext(step)


@pytest.mark.parametrize("step", [-1, True])
def test_a_step_below_0_or_a_bool_is_refused(step: int) -> None:
    with pytest.raises(ValueError, match=f"counted from 0, not {step}"):
        StepContext(step)


@pytest.mark.parametrize("given", ["abc", b"abc", {"id": "i1"}])
@pytest.mark.parametrize("field", ["incidents", "verifications"])
def test_one_text_or_one_mapping_is_not_a_sequence_of_records(field: str, given: Any) -> None:
    with pytest.raises(TypeError, match=f"{field} are a sequence of records, not one .*; put it in a list"):
        StepContext(**{field: given})


@pytest.mark.parametrize("field", ["state_before", "state_after", "extras"])
def test_anything_that_a_context_was_given_can_change_without_it_behind_a_proxy_too(field: str) -> None:
    given: dict[str, Any] = {"a": 1.0}
    for mapping in (given, MappingProxyType(given)):
        context = StepContext(**{field: mapping})
        ending = context.ending(True, False)
        given["a"] = 2.0
        assert getattr(context, field) == getattr(ending, field) == {"a": 1.0}
        given["a"] = 1.0


def test_a_step_that_is_not_a_context_is_a_type_error() -> None:
    for wrong in ({"a": 1.0}, None, 3):
        with pytest.raises(TypeError, match="expected a StepContext"):
            engine_of("a").compute_step(wrong)  # type: ignore[arg-type]
