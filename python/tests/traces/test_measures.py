"""Measures on made-up traces whose right values are known by construction."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest
from reward_receipts.rewards import RewardComponent, RewardSignal, RewardSpec
from reward_receipts.rewards.components.registry import Registry
from reward_receipts.traces.continual_world import Trained, continual_world
from reward_receipts.traces.curves import Curves, EvaluationPoint, TraceOutOfOrder, columns_of, read_curves
from reward_receipts.traces.measures import VisitMeasures, measure
from reward_receipts.traces.over_seeds import over_seeds
from reward_receipts.traces.row import valid_row
from reward_receipts.traces.write import open_trace

EPISODE = 10


def rows(
    visits: Sequence[tuple[str | None, int, Callable[[int], float | None]]],
    *,
    environment: int = 0,
    episode: int = EPISODE,
) -> list[dict[str, Any]]:
    """Rows of episodes of one length; each visit is a label, a number of steps, and the reward by the step in it."""
    made = []
    number = itertools.count()
    for label, steps, reward in visits:
        for step in range(steps):
            place = next(number)
            made.append(
                {
                    "environment": environment,
                    "episode": place // episode,
                    "step": place % episode,
                    "reward": reward(step),
                    "terminated": place % episode == episode - 1,
                    "truncated": False,
                    "regime": label,
                    "regime_boundary": step == 0,
                }
            )
    return [valid_row(row) for row in made]


def measured(
    made: list[dict[str, Any]], *, window: int = 100, basis: Any = "reward", specs: Any = ()
) -> tuple[VisitMeasures, ...]:
    curves = Curves(window)
    curves.add(columns_of(made))
    return measure(curves, basis=basis, specs=specs)


def step_at(step: int, before: float, after: float) -> Callable[[int], float]:
    return lambda place: before if place < step else after


def constant(value: float | None) -> Callable[[int], float | None]:
    return lambda _: value


def test_step_response() -> None:
    """The reward falls from 8 to 0 at the boundary, and steps to 6 after 300 steps."""
    first, second = measured(rows([("a", 1000, constant(8.0)), ("b", 1000, step_at(300, 0.0, 6.0))]))
    assert first.performance.value == 8.0
    assert first.adaptation_steps.value is None
    assert first.adaptation_steps.undefined == "no boundary begins the first visit"
    assert first.recovery_steps.value is None
    assert first.stability.value == 0.0
    assert second.performance.value == 4.2
    assert second.level.value == 6.0
    assert second.adaptation_steps.value == 400.0  # the end of the window that begins at step 300
    assert second.adaptation_speed.value == 0.9 * 6.0 / 400 * 1000
    assert second.adaptation_speed.unit == "reward per step per 1000 steps"
    assert second.recovery_steps.value is None
    assert "7.2" in str(second.recovery_steps.undefined)
    assert second.forgetting.value is None


def test_recovery() -> None:
    """The reward dips to 0 and is back at 8 after 500 steps; a visit that never dips has nothing to recover."""
    _, dip, calm = measured(
        rows([("a", 1000, constant(8.0)), ("b", 1000, step_at(500, 0.0, 8.0)), ("c", 1000, constant(9.0))])
    )
    assert dip.recovery_steps.value == 600.0
    assert calm.recovery_steps.value == 0.0
    assert calm.adaptation_steps.value is None
    assert "no improvement" in str(calm.adaptation_steps.undefined)


def test_ramp() -> None:
    """Windows of 100 steps with the values 0, 1, ..., 19: level 18.5, so 0.9 of the way is reached by window 17."""
    _, ramp = measured(rows([("a", 100, constant(0.0)), ("b", 2000, lambda step: float(step // 100))]))
    assert ramp.performance.value == 9.5
    assert ramp.level.value == 18.5
    assert ramp.adaptation_steps.value == 1800.0
    assert ramp.stability.value == pytest.approx(numpy.std(range(10, 20), ddof=1), rel=1e-15)


def test_regime_that_returns() -> None:
    """The level of the first visit is 8; on return it starts at 5, so 3 were forgotten."""
    visits = measured(
        rows([("a", 1000, constant(8.0)), ("b", 1000, constant(2.0)), ("a", 1000, step_at(100, 5.0, 8.0))])
    )
    assert [visit.label for visit in visits] == ["a", "b", "a"]
    assert visits[1].forgetting.value is None
    assert visits[2].forgetting.value == 3.0
    assert visits[2].adaptation_steps.value == 200.0


def test_returns_leave_out_episodes_across_a_boundary() -> None:
    """Visits of 25 steps with episodes of 10: the third episode is in both, and counts in neither."""
    first, second = measured(rows([("a", 25, constant(1.0)), ("b", 25, constant(2.0))]), window=10, basis="return")
    assert first.curve == (10.0, 10.0)
    assert second.curve == (None, 20.0, 20.0)
    assert second.performance.unit == "reward per episode"


def test_unscored_steps_count_in_nothing() -> None:
    first, second = measured(
        rows([("a", 100, lambda step: None if step % 2 else 4.0), ("b", 100, constant(None))]), window=50
    )
    assert first.performance.value == 4.0
    for name in ("performance", "level", "adaptation_steps", "recovery_steps", "stability", "gap"):
        assert getattr(second, name).value is None
        assert getattr(second, name).undefined
    assert measured(rows([("a", 100, lambda step: None if step % 10 == 3 else 4.0)]), basis="return")[0].curve == ()


class Upright(RewardComponent):
    """A bounded term."""

    name = "upright"
    clip = (0.0, 1.0)

    def compute(self, ctx: Any) -> RewardSignal:
        raise NotImplementedError


class Effort(RewardComponent):
    """A cost."""

    name = "effort"
    clip = (-1.0, 0.0)

    def compute(self, ctx: Any) -> RewardSignal:
        raise NotImplementedError


def test_components_say_which_term_drove_a_change() -> None:
    made = rows([("a", 400, constant(0.75)), ("b", 400, constant(0.5))])
    for place, row in enumerate(made):
        row["reward_components"] = {"upright": 1.0 if place < 400 else 0.75, "effort": -0.25}
    spec = RewardSpec.from_dict({"name": "s", "components": [{"type": "upright"}, {"type": "effort"}]})
    resolved = spec.resolve(Registry({"upright": Upright, "effort": Effort}))
    first, second = measured(made, specs=(resolved,))
    assert first.driver is None
    assert second.driver == "upright"
    assert second.components["upright"].change.value == -0.25
    assert second.components["effort"].change.value == 0.0
    assert second.gap.value == 0.5
    assert second.components["upright"].gap.value == 0.25
    assert first.components["effort"].gap.value == 0.25
    assert "no spec is known" in str(measured(made)[0].gap.undefined)


def test_any_split_into_batches_gives_the_same() -> None:
    made = rows([("a", 333, lambda step: float(step % 7)), ("b", 333, constant(2.0)), ("a", 334, constant(1.0))])
    for row in made:
        row["reward_components"] = {"x": row["reward"]} if row["step"] % 2 else {"x": row["reward"], "y": 1.0}
    whole = Curves(50)
    whole.add(columns_of(made))
    for size in (1, 3, 64, 999):
        split = Curves(50)
        for start in range(0, len(made), size):
            split.add(columns_of(made[start : start + size]))
        for basis in ("return", "reward"):
            assert measure(split, basis=basis) == measure(whole, basis=basis)  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_files_of_workers_and_formats_are_joined(tmp_path: Path, suffix: str) -> None:
    names = [tmp_path / "one.jsonl", tmp_path / f"two{suffix}"]
    both = [rows([("a", 200, constant(1.0)), ("b", 200, constant(3.0))], environment=place) for place in (0, 1)]
    for name, made in zip(names, both, strict=True):
        with open_trace(name) as trace:
            for row in made:
                trace.write(row)
    joined = measure(read_curves(names, window=100))
    assert [visit.steps for visit in joined] == [400, 400]
    assert [visit.performance.value for visit in joined] == [10.0, 30.0]
    interleaved = Curves(100)
    interleaved.add(columns_of([row for pair in zip(*both, strict=True) for row in pair]))
    assert measure(interleaved) == joined


def test_rows_out_of_order_are_refused() -> None:
    made = rows([("a", 30, constant(1.0))])
    curves = Curves()
    with pytest.raises(TraceOutOfOrder, match="episode 0, step 3 follows episode 0, step 4"):
        curves.add(columns_of([*made[:5], made[3]]))
    again = Curves()
    again.add(columns_of(made))
    with pytest.raises(TraceOutOfOrder):
        again.add(columns_of(made))
    again.next_part()
    again.add(columns_of(made))
    assert again.rows == 60


def test_evaluations_are_apart() -> None:
    made = rows([("a", 40, constant(1.0))])
    evaluation = [{**row, "evaluation": True, "reward": 3.0} for row in made[:20]]
    curves = Curves(10)
    curves.add(columns_of([*made[:20], *evaluation, *made[20:]]))
    assert curves.visits[0].steps == 40
    assert [(point.training_steps, point.regime, point.returns) for point in curves.evaluations] == [
        (20, "a", [30.0, 30.0])
    ]


def test_continual_world() -> None:
    """Two regimes of 100 steps each, evaluated at 0, 100 and 200."""

    def points(regime: str, *returns: float) -> list[EvaluationPoint]:
        return [EvaluationPoint(place * 100, regime, [value]) for place, value in enumerate(returns)]

    own = [*points("a", 0.0, 8.0, 4.0), *points("b", 0.0, 2.0, 6.0)]
    spans = [Trained("a", 0, 100), Trained("b", 100, 200)]
    best = {"a": 10.0, "b": 10.0}
    found = continual_world(own, spans, best=best, baseline={"a": points("a", 0.0, 8.0), "b": points("b", 0.0, 4.0)})
    assert found.average_performance.value == pytest.approx(0.5)
    assert found.forgetting.value == pytest.approx((0.4 + 0.0) / 2)
    # a: AUC 0.4 and 0.4 -> 0; b: AUC (0.2 + 0.6) / 2 = 0.4 and 0.2 -> 0.2 / 0.8
    assert found.forward_transfer.value == pytest.approx((0.0 + 0.25) / 2)
    without = continual_world(own, spans, best=best)
    assert without.forward_transfer.value is None
    assert "no baseline" in str(without.forward_transfer.undefined)
    assert continual_world([], spans, best=best).average_performance.value is None
    assert "no best return" in str(continual_world(own, spans, best={"a": 1.0}).forgetting.undefined)
    with pytest.raises(ValueError, match="above 0"):
        continual_world(own, spans, best={"a": 0.0, "b": 1.0})


def test_over_seeds() -> None:
    found = over_seeds([1.0, 2.0, 3.0, None])
    assert (found.value, found.count, found.left_out) == (2.0, 3, 1)
    assert found.low is not None
    assert found.high is not None
    assert 1.0 <= found.low <= 2.0 <= found.high <= 3.0
    assert found == over_seeds([1.0, 2.0, 3.0, None])
    assert over_seeds([None]).value is None
    assert over_seeds([4.0]).undefined == "one seed has no interval"
    assert (over_seeds([5.0, 5.0, 5.0]).low, over_seeds([5.0] * 3).high) == (5.0, 5.0)


def test_strata_are_drawn_from_apart() -> None:
    """Each draw has as many scores of each stratum as there are, so constant strata leave nothing to chance."""
    apart = over_seeds({"a": [0.0] * 4, "b": [10.0] * 4})
    together = over_seeds([0.0] * 4 + [10.0] * 4)
    assert (apart.value, apart.low, apart.high) == (5.0, 5.0, 5.0)
    assert together.low is not None
    assert together.low < 5.0


def test_parquet_of_many_row_groups_gives_what_json_lines_give(tmp_path: Path) -> None:
    """25,000 rows are three row groups, whose batches Arrow gives in chunks."""
    made = rows([("a", 12_000, constant(1.0)), ("b", 13_000, lambda step: float(step % 3))])
    for place, row in enumerate(made):
        row["reward_components"] = {"x": row["reward"]} if place % 10 else {"x": row["reward"] - 1.0, "end": 1.0}
    for name in ("trace.parquet", "trace.jsonl"):
        with open_trace(tmp_path / name) as trace:
            for row in made:
                trace.write(row)
    one, other = (measure(read_curves([tmp_path / name])) for name in ("trace.parquet", "trace.jsonl"))
    assert one == other
    assert one[1].components["end"].performance.value == 1.0
