"""The vectorised form of a spec. That it means what the plain engine does, test_vectorised_agreement.py shows."""

from __future__ import annotations

import builtins
import copy
import pickle
import struct
from typing import Any

import numpy as np
import pytest
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.rewards import (
    CompositionError,
    RewardSpecRequired,
    VectorisedReward,
    compile_reward,
)
from scripted_components import END, engine_of, scripted, spec_of, step_of


def vectorised_of(
    *terms: dict[str, Any] | str, environments: int = 2, gates: list[tuple[str, str]] | None = None
) -> VectorisedReward:
    spec = spec_of(*terms, gates=gates or [])
    classes = {each.type: scripted(each.type) for each in spec.components} | {"end": END}
    return VectorisedReward(spec, environments, classes)


NEVER = [False, False]


def test_a_step_gives_totals_contributions_and_what_was_due() -> None:
    reward = vectorised_of({"type": "a", "weight": 0.5, "clip": [0.0, 1.0]}, "end")
    result = reward.compute_step([[3.0, -3.0], [7.0, 8.0]], [False, True])
    assert result.totals.tolist() == [0.5, 8.0]
    assert result.contributions.tolist() == [[0.5, 0.0], [0.0, 8.0]]
    assert result.due.tolist() == [[True, True], [False, True]]


def test_each_environment_ends_once_until_its_reset() -> None:
    reward = vectorised_of("end", environments=3)

    def totals(*ends: bool) -> list[float]:
        return reward.compute_step([[1.0, 2.0, 3.0]], ends).totals.tolist()

    assert totals(False, True, False) == [0.0, 2.0, 0.0]
    reward.reset([False, True, True])
    assert totals(True, True, False) == [1.0, 2.0, 0.0]
    reward.reset()
    assert totals(True, True, True) == [1.0, 2.0, 3.0]


def test_a_step_after_the_end_is_refused_naming_the_first_environment_that_took_one() -> None:
    reward = vectorised_of("end", environments=3)
    reward.compute_step([[1.0, 2.0, 3.0]], [False, True, True])
    for _ in range(2):
        with pytest.raises(CompositionError, match="Step 7 of environment 1 was taken after the end") as caught:
            reward.compute_step([[1.0, np.nan, 3.0]], [True, False, True], [5, 7, 9])
        assert (caught.value.code, caught.value.component) == ("compose.episode-over", None)
    with pytest.raises(CompositionError) as caught:
        reward.compute_step([[np.nan, 2.0, 3.0]], [True, False, True])  # the lowest environment comes first
    assert (caught.value.code, caught.value.environment) == ("compose.not-finite", 0)
    reward.reset([False, True, True])
    assert reward.compute_step([[1.0, 2.0, 3.0]], [True, True, True]).totals.tolist() == [1.0, 2.0, 3.0]


def test_an_environment_outside_of_the_mask_takes_no_step() -> None:
    reward = vectorised_of("a", "end", environments=3)
    assert reward.compute_step([[1.0] * 3, [5.0] * 3], [True, False, True]).totals.tolist() == [6.0, 1.0, 6.0]
    result = reward.compute_step(
        [[np.nan, 2.0, np.inf], [np.nan, 5.0, 5.0]], [True, True, True], mask=[False, True, False]
    )
    assert result.totals.tolist() == [0.0, 7.0, 0.0]
    assert result.contributions.tolist() == [[0.0, 2.0, 0.0], [0.0, 5.0, 0.0]]
    assert result.due.tolist() == [[False, True, False]] * 2
    reward.reset()
    reward.compute_step([[1.0] * 3, [5.0] * 3], [True] * 3, mask=[False, False, True])
    with pytest.raises(CompositionError, match="environment 2 was taken after the end"):
        reward.compute_step([[1.0] * 3, [5.0] * 3], [False] * 3)
    with pytest.raises(TypeError, match="mask has a bool"):
        reward.compute_step([[1.0] * 3, [5.0] * 3], [False] * 3, mask=[1, 1, 1])


def test_anything_that_is_given_for_terms_that_are_not_due_is_ignored() -> None:
    reward = vectorised_of("a", "end", gates=[("a", "end")])
    result = reward.compute_step([[1.0, 1.0], [np.nan, np.inf]], NEVER)
    assert result.totals.tolist() == [0.0, 0.0]
    result = reward.compute_step([[1.0, 1.0], [np.nan, 2.0]], [False, True])
    assert result.contributions.tolist() == [[0.0, 1.0], [0.0, 2.0]]


def test_the_arrays_are_read_only_and_of_this_step_alone() -> None:
    reward = vectorised_of("a", "end")
    values = np.array([[1.0, 2.0], [3.0, 4.0]])
    first = reward.compute_step(values, NEVER)
    values[:] = 9.0
    for result in (first, reward.compute_step(values, NEVER), reward.compute_step(values, [True, False])):
        for array in result:
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0
    assert first.totals.tolist() == [1.0, 2.0]
    assert first.due.tolist() == [[True, True], [False, False]]
    assert values.flags.writeable


@pytest.mark.parametrize("ends", [NEVER, [True, False]])
def test_no_array_is_the_engine_s_own(ends: list[bool]) -> None:
    reward = vectorised_of("a", "end")
    for array in reward.compute_step([[1.0, 2.0], [3.0, 4.0]], ends):
        array.setflags(write=True)
        array[:] = 1
    reward.reset()
    result = reward.compute_step([[1.0, 2.0], [3.0, 4.0]], NEVER)
    assert result.due.tolist() == [[True, True], [False, False]]
    assert result.contributions.tolist() == [[1.0, 2.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("attribute", "value"), [("clip", (5.0, -5.0)), ("cadence", "episode_end"), ("default_weight", float("nan"))]
)
def test_a_class_that_no_spec_could_use_is_refused_as_in_the_plain_engine(attribute: str, value: object) -> None:
    broken = type("Broken", (scripted("a"),), {attribute: value})
    with pytest.raises(ValueError, match=rf'the component "a" \(Broken\).* {attribute}'):
        VectorisedReward(spec_of("a"), 2, {"a": broken})


def test_it_survives_pickle_and_copy_in_the_middle_of_an_episode() -> None:
    reward = vectorised_of("end")
    reward.compute_step([[1.0, 2.0]], [True, False])
    for again in (pickle.loads(pickle.dumps(reward)), copy.deepcopy(reward)):
        with pytest.raises(CompositionError, match="environment 0 was taken after the end"):
            again.compute_step([[1.0, 2.0]], [True, True])
        again.reset()
        assert again.compute_step([[1.0, 2.0]], [True, True]).totals.tolist() == [1.0, 2.0]
        again.reset()
        with pytest.raises(ValueError, match="read-only"):
            again.compute_step([[1.0, 2.0]], NEVER).due[:] = True


@pytest.mark.parametrize("dtype", ["int8", "uint64", "int64", "float16", "float32", ">f8", "longdouble"])
def test_other_numbers_are_taken_as_float_takes_them(dtype: str) -> None:
    given = np.array([[3, 100]], dtype=dtype) / np.array(1 if dtype.startswith(("int", "uint")) else 7, dtype=dtype)
    values = given.astype(dtype)
    assert vectorised_of("a").compute_step(values, NEVER).totals.tolist() == [float(value) for value in values[0]]
    most = np.array([[2**63 - 1, 2**63 - 513]], dtype=np.int64)
    assert vectorised_of("a").compute_step(most, NEVER).totals.tolist() == [float(2**63 - 1), float(2**63 - 513)]


@pytest.mark.parametrize(
    "values",
    [
        [[True, False]],
        [[1.0, None]],
        [["1", "2"]],
        [[1j, 2j]],
        np.array([[1, 2]], dtype="timedelta64[s]"),
        np.ma.masked_array([[1.0, 2.0]], [[True, False]]),
    ],
)
def test_anything_that_is_not_a_number_is_refused(values: Any) -> None:
    with pytest.raises(TypeError, match="values are"):
        vectorised_of("a").compute_step(values, NEVER)


@pytest.mark.parametrize("ends", [[0, 1], [0.0, 1.0], [None, True]])
def test_flags_are_bools(ends: list[Any]) -> None:
    reward = vectorised_of("a")
    with pytest.raises(TypeError, match="ends has a bool for each environment"):
        reward.compute_step([[1.0, 1.0]], ends)
    with pytest.raises(TypeError, match="mask has a bool for each environment"):
        reward.reset(ends)


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([1.0, 2.0], NEVER),
        ([[1.0], [2.0]], NEVER),
        ([[1.0, 2.0, 3.0]], NEVER),
        ([[1.0, 2.0]], [True]),
        ([[1.0, 2.0]], True),
    ],
)
def test_another_shape_is_refused(values: Any, ends: Any) -> None:
    with pytest.raises(ValueError, match="the spec has 1 terms, and there are 2 environments"):
        vectorised_of("a").compute_step(values, ends)


@pytest.mark.parametrize(
    ("values", "code", "component"),
    [
        ([[0.0, 0.0, np.nan], [0.0, np.inf, np.nan]], "compose.not-finite", "b"),
        ([[0.0, 1e308, 0.0], [0.0, 0.0, np.nan]], "compose.contribution-overflows", "a"),
        ([[0.0, 1.7e307, np.nan], [0.0, 1.7e308, 0.0]], "compose.total-overflows", "b"),
    ],
)
def test_the_lowest_environment_at_fault_is_named_and_no_episode_ends(
    values: list[list[float]], code: str, component: str
) -> None:
    reward = vectorised_of({"type": "a", "weight": 10.0}, "b", "end", environments=3)
    last = [True, True, True]
    with pytest.raises(CompositionError) as caught:
        reward.compute_step([*values, [1.0, 1.0, 1.0]], last, step=[4, 5, 6])
    error = caught.value
    assert (error.code, error.component, error.step, error.environment) == (code, component, 5, 1)
    assert "at step 5 of environment 1" in str(error)
    assert reward.compute_step([[0.0] * 3, [0.0] * 3, [1.0] * 3], last).totals.tolist() == [1.0, 1.0, 1.0]


def test_a_total_that_overflows_is_seen_where_every_value_is_small() -> None:
    reward = vectorised_of(*({"type": name, "weight": 1e300, "clip": [-1e8, 1e8]} for name in "ab"))
    assert reward.compute_step([[1e8, 1e8], [1.0, -1e8]], NEVER).totals.tolist() == [1e308 + 1e300, 0.0]
    with pytest.raises(CompositionError) as caught:
        reward.compute_step([[1.0, 1e8], [1.0, 1e9]], NEVER)
    assert (caught.value.code, caught.value.component) == ("compose.total-overflows", "b")


def test_an_error_reads_as_the_plain_engines() -> None:
    reward, engine = vectorised_of("a"), engine_of("a", environments=2)
    with pytest.raises(CompositionError) as mine:
        reward.compute_step([[0.0, np.nan]], NEVER, 3)
    with pytest.raises(CompositionError) as plain:
        engine.compute_step(step_of(3, a=float("nan")), 1)
    assert str(mine.value) == str(plain.value)


def test_values_whose_squares_overflow_are_not_errors() -> None:
    reward = vectorised_of("a", {"type": "b", "weight": 0.0})
    assert reward.compute_step([[1e300, -1e308], [1.7e308, 1e200]], NEVER).totals.tolist() == [1e300, -1e308]


@pytest.mark.parametrize("settings", ["raise", "warn"])
def test_anything_that_numpy_does_about_overflow_elsewhere_is_of_no_matter(settings: Any) -> None:
    with np.errstate(all=settings):
        reward = vectorised_of({"type": "a", "weight": 1e-200})
        assert reward.compute_step([[1e-200, 1e300]], NEVER).totals.tolist() == [0.0, 1e100]
        with pytest.raises(CompositionError):
            vectorised_of({"type": "a", "weight": 10.0}).compute_step([[1e308, 0.0]], NEVER)


@pytest.mark.parametrize("environments", [1, 3, 1000])
def test_a_sum_of_many_terms_goes_from_left_to_right_for_any_number_of_environments(environments: int) -> None:
    names = [f"t{place}" for place in range(64)]
    spec = spec_of(*names)
    classes = {name: scripted(name) for name in names}
    values = np.random.default_rng(environments).normal(size=(64, environments)) * 10.0 ** np.arange(64)[:, None] % 1e9
    totals = VectorisedReward(spec, environments, classes).compute_step(values, [False] * environments).totals
    compiled = compile_reward(spec, classes)
    expected = [compiled.compute_step(column)[0] for column in values.T.tolist()]
    assert [struct.pack("<d", total) for total in totals.tolist()] == [struct.pack("<d", each) for each in expected]


@pytest.mark.parametrize("environments", [0, -1, True, 2.0])
def test_the_number_of_environments_is_whole_and_at_least_1(environments: Any) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        vectorised_of("a", environments=environments)


def test_there_is_no_default_reward_and_no_unknown_component() -> None:
    with pytest.raises(RewardSpecRequired, match="there is no default reward"):
        VectorisedReward(None, 2)
    with pytest.raises(InvalidDocument, match="No component is registered"):
        VectorisedReward(spec_of("a"), 2, {})


def test_without_numpy_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_numpy(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "numpy":
            raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without_numpy)
    with pytest.raises(ImportError, match=r"pip install 'reward-receipts\[envs\]'"):
        vectorised_of("a")


def test_a_time_span_of_numpy_is_not_a_number_and_another_scalar_is() -> None:
    engine = engine_of("a")
    with pytest.raises(CompositionError, match="gave timedelta64") as caught:
        engine.compute_step(step_of(3, a=np.timedelta64(1, "s")))
    assert (caught.value.code, caught.value.component, caught.value.step) == ("compose.not-a-number", "a", 3)
    assert engine.compute_step(step_of(np.int64(3), a=np.float32(0.5))).total == 0.5
    assert type(step_of(np.int64(3)).step) is int
