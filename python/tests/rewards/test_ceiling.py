"""The ceiling: the most that a spec can give, from the resolved spec alone (spec, section 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_receipts.rewards import Cadence, Ceiling, CompositionError, RewardComponent
from scripted_components import AT_END, END, engine_of, scripted, spec_of, step_of

LAST = {"end": END}


def ceiling_of(
    *terms: dict[str, Any] | str,
    gates: list[tuple[str, str]] | None = None,
    classes: Mapping[str, type[RewardComponent]] | None = None,
) -> Ceiling:
    spec = spec_of(*terms, gates=gates or [])
    return spec.ceiling({each.type: scripted(each.type) for each in spec.components} | dict(classes or {}))


def term(name: str, weight: float, low: float | None, high: float | None) -> dict[str, Any]:
    return {"type": name, "weight": weight, "clip": [low, high]}


def test_a_bound_is_the_better_of_both_ends_of_the_clip_and_an_end_term_counts_once() -> None:
    found = ceiling_of(term("a", 2.0, -1.0, 0.5), term("b", -3.0, -0.25, 1.0), term("end", 1.0, 0.0, 4.0), classes=LAST)
    assert found.per_step == 1.75
    assert found.at_end == 4.0
    assert found.per_episode(10) == 21.5
    assert found.per_episode(0) == 4.0
    assert found.bounds == (("a", Cadence.STEP, 1.0), ("b", Cadence.STEP, 0.75), ("end", AT_END, 4.0))
    assert found.unbounded == ()


def test_a_term_without_a_clip_is_unbounded_and_named() -> None:
    found = ceiling_of(term("a", 1.0, 0.0, 1.0), "b", "end", classes=LAST)
    assert (found.per_step, found.at_end, found.per_episode(1)) == (None, None, None)
    assert found.unbounded == ("b", "end")


@pytest.mark.parametrize(
    ("weight", "low", "high", "bound"),
    [
        (2.0, None, 0.5, 1.0),
        (2.0, 0.5, None, None),
        (-2.0, None, 0.5, None),
        (-2.0, 0.5, None, -1.0),
        (0.0, None, 0.5, None),
        (0.0, 0.5, None, None),
        (1.0, None, None, None),
    ],
)
def test_the_side_that_pays_decides_whether_a_one_sided_clip_bounds_a_term(
    weight: float, low: float | None, high: float | None, bound: float | None
) -> None:
    assert ceiling_of(term("a", weight, low, high)).per_step == bound


def test_an_unbounded_end_leaves_the_steps_their_bound() -> None:
    found = ceiling_of(term("a", 1.0, 0.0, 1.0), "end", classes=LAST)
    assert (found.per_step, found.at_end, found.per_episode(3)) == (1.0, None, None)


def test_the_components_own_clip_and_weight_count_where_the_spec_is_silent() -> None:
    own = {"a": scripted("a", clip=(-1.0, 2.0), default_weight=3.0)}
    assert ceiling_of("a", classes=own).per_step == 6.0
    assert ceiling_of({"type": "a", "weight": -1.0}, classes=own).per_step == 1.0
    assert ceiling_of({"type": "a", "clip": None}, classes=own).unbounded == ("a",)


def test_a_gated_term_counts_at_least_0() -> None:
    terms = term("cost", 1.0, -2.0, -1.0), term("open", 1.0, 0.0, 1.0)
    assert ceiling_of(*terms).per_step == 0.0
    assert ceiling_of(*terms, gates=[("cost", "open")]).per_step == 1.0


def test_a_term_that_can_only_cost_lowers_the_ceiling() -> None:
    assert ceiling_of(term("cost", 2.0, -2.0, -1.0)).per_step == -2.0


def test_a_bound_of_minus_zero_is_zero() -> None:
    assert str(ceiling_of(term("a", -1.0, 0.0, 1.0)).per_step) == "0.0"


@pytest.mark.parametrize(
    "terms",
    [
        [term("a", 1e308, -1e10, 1e10)],
        [term("a", 1.0, 0.0, 1.7e308), term("b", 1.0, 0.0, 1.7e308)],
    ],
)
def test_anything_that_overflows_a_double_is_unbounded(terms: list[dict[str, Any]]) -> None:
    found = ceiling_of(*terms)
    assert found.per_step is None
    assert found.per_episode(1) is None


def test_an_episode_whose_ceiling_overflows_is_unbounded() -> None:
    found = ceiling_of(term("a", 1.0, 0.0, 1e300))
    assert found.per_episode(10) == 1e301
    assert found.per_episode(10**9) is None


def test_more_steps_than_any_double_can_say_are_unbounded_unless_a_step_gives_nothing() -> None:
    assert ceiling_of(term("a", 1.0, 0.0, 1.0)).per_episode(10**400) is None
    assert ceiling_of(term("a", 1.0, -1.0, -0.5)).per_episode(10**400) is None
    assert ceiling_of(term("a", 1.0, -1.0, 0.0), term("end", 1.0, 0.0, 4.0), classes=LAST).per_episode(10**400) == 4.0


def test_a_sum_in_another_order_can_come_out_above_its_bound_by_its_rounding_alone() -> None:
    engine, found = engine_of(term("a", 0.1, 0.0, 1.0)), ceiling_of(term("a", 0.1, 0.0, 1.0))
    episode = 0.0
    for _ in range(15):
        episode += engine.compute_step(step_of(a=1.0)).total
    assert (episode, found.per_episode(15)) == (1.5000000000000002, 1.5)


@pytest.mark.parametrize("steps", [-1, 1.0, True, None])
def test_the_number_of_steps_is_whole_and_at_least_0(steps: Any) -> None:
    with pytest.raises(ValueError, match="a whole number of steps, at least 0"):
        ceiling_of("a").per_episode(steps)


weights = st.floats(-10.0, 10.0)
values = st.floats(-100.0, 100.0)


@given(
    st.lists(
        st.tuples(weights, values, values, st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=6
    ),
    st.data(),
)
def test_no_step_gives_more_than_the_ceiling(
    terms: list[tuple[float, float, float, float]], data: st.DataObject
) -> None:
    names = [f"t{place}" for place in range(len(terms))]
    bounded = [
        term(name, weight, *sorted((low, high))) for name, (weight, low, high, _) in zip(names, terms, strict=True)
    ]
    pairs = [(names[later], names[before]) for later in range(len(names)) for before in range(later)]
    gates = data.draw(st.lists(st.sampled_from(pairs), max_size=4)) if pairs else []
    found = ceiling_of(*bounded, gates=gates).per_step
    assert found is not None
    raw = {name: value for name, (*_, value) in zip(names, terms, strict=True)}
    try:
        result = engine_of(*bounded, gates=gates).compute_step(step_of(**raw))
    except CompositionError:
        raise AssertionError("a clipped value cannot overflow here") from None
    assert result.total <= found  # both are sums in the same order, and rounding keeps the order of sums
