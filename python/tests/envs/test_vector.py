"""Vector environments: the same rewards and rows as one environment at a time, in every autoreset mode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv
from reward_receipts.envs import (
    ComposedReward,
    EpisodeStep,
    RegimeSchedule,
    StepRefused,
    TraceMissing,
    TraceRecorder,
    VectorComposedReward,
    VectorEpisodeMetrics,
    VectorTraceRecorder,
    environment_info,
    mean_of_scored,
    read_trace,
    summarise,
    vector_rows,
)
from reward_receipts.rewards import CompositionError, Registry, RewardReadsNothing, RewardSpec, RewardSpecRequired
from scripted_components import spec_of
from tier_two import REGISTRY, SPEC, Plain, Rows, Steps, Upright, Walk, played

# The end comes first in the spec, so that the order of the terms is not that in which environments first give them.
ORDERED = spec_of("steps", "upright")
LENGTHS = (2, 3)
CALLS = 8


def walks(mode: AutoresetMode, wrap: Callable[[Any], Any] = lambda env: env, **options: Any) -> SyncVectorEnv:
    return SyncVectorEnv([lambda steps=steps: wrap(Walk(steps, **options)) for steps in LENGTHS], autoreset_mode=mode)


def composed(env: Any) -> ComposedReward:
    return ComposedReward(env, ORDERED, registry=REGISTRY)


def played_vector(venv: Any, calls: int = CALLS) -> list[tuple[Any, Any, Any, Any, dict[str, Any]]]:
    """What ``step`` returned, call after call; with DISABLED, what has ended is reset in between."""
    venv.reset(seed=0)
    returned = []
    for _ in range(calls):
        returned.append(venv.step(np.zeros(venv.num_envs, dtype=np.int64)))
        ended = returned[-1][2] | returned[-1][3]
        if venv.metadata["autoreset_mode"] is AutoresetMode.DISABLED and ended.any():
            venv.reset(options={"reset_mask": ended})
    return returned


def rows_of_one(environment: int, steps: int) -> list[dict[str, Any]]:
    """The rows of one environment by itself, as those of a vector environment."""
    sink = Rows()
    played(TraceRecorder(composed(Walk(steps)), sink), CALLS)
    return [{**row, "environment": environment} for row in sink.rows]


def assert_rows_are_those_of_each_by_itself(rows: list[dict[str, Any]]) -> None:
    for environment, steps in enumerate(LENGTHS):
        mine = [row for row in rows if row["environment"] == environment]
        assert len(mine) >= 4
        alone = rows_of_one(environment, steps)[: len(mine)]
        assert mine == alone
        assert [list(row["reward_components"]) for row in mine] == [list(row["reward_components"]) for row in alone]


modes = pytest.mark.parametrize("mode", list(AutoresetMode))
resetting_modes = pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])


@modes
def test_composing_around_the_whole_gives_each_environment_its_own_rows(mode: AutoresetMode) -> None:
    sink = Rows()
    venv = VectorComposedReward(walks(mode), ORDERED, registry=REGISTRY)
    played_vector(VectorTraceRecorder(venv, sink))
    assert_rows_are_those_of_each_by_itself(sink.rows)


@modes
def test_composing_in_each_environment_gives_the_same_rows(mode: AutoresetMode) -> None:
    sink = Rows()
    played_vector(VectorTraceRecorder(walks(mode, composed), sink))
    assert_rows_are_those_of_each_by_itself(sink.rows)


@resetting_modes  # with DISABLED the resets are not among the calls
def test_anything_that_the_calls_returned_gives_the_same_rows_afterwards(mode: AutoresetMode) -> None:
    venv = VectorComposedReward(walks(mode), ORDERED, registry=REGISTRY)
    assert_rows_are_those_of_each_by_itself(list(vector_rows(played_vector(venv), mode)))


@modes
def test_rewards_of_the_calls_are_those_of_the_rows(mode: AutoresetMode) -> None:
    sink = Rows()
    venv = VectorTraceRecorder(VectorComposedReward(walks(mode), ORDERED, registry=REGISTRY), sink)
    returned = played_vector(venv)
    first = [step[1][0] for step in returned]
    scored = [row["reward"] for row in sink.rows if row["environment"] == 0]
    if mode is AutoresetMode.NEXT_STEP:  # every third call resets the environment that ends after two steps
        assert first == [0.5, 3.0, 0.0, 0.5, 3.0, 0.0, 0.5, 3.0]
        assert scored == [0.5, 3.0] * 3
    else:
        assert first == scored == [0.5, 3.0] * 4
    assert all(step[1].dtype == np.float64 for step in returned)


def test_in_next_step_the_call_that_resets_says_nothing_of_the_spec() -> None:
    venv = VectorComposedReward(walks(AutoresetMode.NEXT_STEP), ORDERED, registry=REGISTRY)
    _, rewards, _, _, infos = played_vector(venv, 3)[-1]
    assert rewards.tolist() == [0.0, 4.0]
    assert infos["_reward_components"].tolist() == [False, True]
    assert {name: infos["reward_components"][name].tolist() for name in ("steps", "upright")} == {
        "steps": [0.0, 3.0],
        "upright": [0.0, 1.0],
    }
    assert infos["reward_components"]["_steps"].tolist() == [False, True]
    assert environment_info(infos, 1)["reward_components"] == {"steps": 3.0, "upright": 1.0}
    assert "reward_components" not in environment_info(infos, 0)


def test_in_same_step_what_the_last_step_said_is_in_final_info() -> None:
    venv = VectorComposedReward(walks(AutoresetMode.SAME_STEP), ORDERED, registry=REGISTRY)
    _, rewards, terminations, _, infos = played_vector(venv, 2)[-1]
    assert terminations.tolist() == [True, False]
    assert rewards.tolist() == [3.0, 1.0]
    assert environment_info(infos["final_info"], 0)["reward_components"] == {"steps": 2.0, "upright": 1.0}
    assert environment_info(infos["final_info"], 0)["regime"] == {"label": "episode 1", "boundary": False}
    assert infos["final_obs"][0].tolist() == [np.float32(0.2)]
    assert "reward_components" not in environment_info(infos, 0)
    assert environment_info(infos, 0)["regime"] == {"label": "reset 2", "boundary": False}
    assert environment_info(infos, 1)["reward_components"] == {"steps": 0.0, "upright": 1.0}


@modes
def test_anything_that_is_due_at_the_end_is_due_once_in_each_environment(mode: AutoresetMode) -> None:
    for truncated in (False, True):
        sink = Rows()
        venv = VectorComposedReward(walks(mode, truncated=truncated), spec_of("ends"), registry=REGISTRY)
        played_vector(VectorTraceRecorder(venv, sink))
        for row in sink.rows:
            assert row["reward"] == float(row["terminated"] or row["truncated"]), row
            assert row["truncated"] is (truncated and row["step"] == LENGTHS[row["environment"]] - 1)


def test_seven_calls_of_one_environment_of_three_steps_are_six_steps_in_two_episodes() -> None:
    venv = SyncVectorEnv([lambda: Plain(0.5, 0.5, 0.5)])
    rows = list(vector_rows(played_vector(venv, 7), AutoresetMode.NEXT_STEP))
    assert [row["reward"] for row in rows] == [0.5] * 6
    assert sum(row["terminated"] or row["truncated"] for row in rows) == 2
    assert mean_of_scored(row["reward"] for row in rows) == (0.5, 6, 0)


@modes
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_vector_trace_is_written_with_its_manifest(tmp_path: Path, mode: AutoresetMode, suffix: str) -> None:
    venv = VectorComposedReward(walks(mode), ORDERED, registry=REGISTRY)
    recorder = VectorTraceRecorder(VectorEpisodeMetrics(venv), tmp_path / f"trace{suffix}")
    played_vector(recorder)
    recorder.close()
    recorder.close_trace()
    rows = list(read_trace(tmp_path / f"trace{suffix}"))
    assert_rows_are_those_of_each_by_itself(rows)
    assert (tmp_path / f"trace{suffix}.manifest.json").exists()
    assert recorder.env.report() == summarise(rows, venv.resolved_spec)


def test_a_mask_resets_the_environments_that_it_names_and_no_others() -> None:
    sink = Rows()
    venv = VectorTraceRecorder(VectorComposedReward(walks(AutoresetMode.DISABLED), ORDERED, registry=REGISTRY), sink)
    venv.reset()
    venv.step(np.zeros(2, dtype=np.int64))
    venv.reset(options={"reset_mask": np.array([False, True])})
    venv.step(np.zeros(2, dtype=np.int64))
    assert [(row["environment"], row["episode"], row["step"], row["reward"]) for row in sink.rows] == [
        (0, 0, 0, 0.5),
        (1, 0, 0, 0.5),
        (0, 0, 1, 3.0),
        (1, 1, 0, 0.5),
    ]


def test_a_term_whose_name_gymnasium_uses_for_the_mask_of_another_is_refused() -> None:
    spec = spec_of("_a", "a")
    registry = Registry({"a": Upright, "_a": Steps})
    with pytest.raises(ValueError, match='terms "a" and "_a".*another name'):
        ComposedReward(Walk(2), spec, registry=registry)
    with pytest.raises(ValueError, match='terms "a" and "_a".*another name'):
        VectorComposedReward(walks(AutoresetMode.NEXT_STEP), spec, registry=registry)


@modes
def test_terms_due_at_the_end_in_one_environment_only_are_read_back_from_gymnasiums_batch(mode: AutoresetMode) -> None:
    """Gymnasium makes NaN of a raw value of None beside one that is a number."""
    sink = Rows()
    venv = SyncVectorEnv(
        [lambda steps=steps: ComposedReward(Walk(steps), SPEC, registry=REGISTRY) for steps in (1, 2)],
        autoreset_mode=mode,
    )
    played_vector(VectorTraceRecorder(venv, sink), 2)
    assert sink.rows[0]["reward_components"] == {"upright": 0.5, "steps": 1.0}
    assert sink.rows[1]["reward_components"] == {"upright": 0.5}
    assert sink.rows[1]["reward_detail"]["steps"] == {"raw": None, "zero": "skipped", "terms": {}}


def test_an_own_reward_of_none_beside_others_is_none_in_its_row() -> None:
    class Own(Walk):
        def __init__(self, own: float | None) -> None:
            super().__init__(2)
            self.own = own

        def step(self, action: Any) -> Any:
            observation, _, *rest = super().step(action)
            return (observation, self.own, *rest)

    sink = Rows()
    venv = SyncVectorEnv([lambda own=own: composed(Own(own)) for own in (0.5, None)])
    played_vector(VectorTraceRecorder(venv, sink), 1)
    assert [row["environment_reward"] for row in sink.rows] == [0.5, None]


@modes
def test_after_a_step_that_cannot_be_scored_all_are_reset_before_the_next(mode: AutoresetMode) -> None:
    class Fails(Upright):
        def compute(self, ctx: Any) -> Any:
            if ctx.extras.get("fails"):
                raise RuntimeError("not now")
            return super().compute(ctx)

    class Failing(Walk):
        def step(self, action: Any) -> Any:
            *rest, info = super().step(action)
            if action:
                info["trace"] = EpisodeStep.of(0, extras={"upright": 0.5, "fails": True})
            return (*rest, info)

    registry = Registry({"steps": Steps, "upright": Fails})
    makers = [lambda: Failing(9), lambda: Failing(2)]
    venv = VectorComposedReward(SyncVectorEnv(makers, autoreset_mode=mode), ORDERED, registry=registry)
    recorder = VectorTraceRecorder(venv, sink := Rows())
    still = np.zeros(2, dtype=np.int64)
    recorder.reset()
    recorder.step(still)
    with pytest.raises(CompositionError, match="environment 0"):
        recorder.step(np.array([1, 0]))
    if mode is not AutoresetMode.DISABLED:  # there Gymnasium refuses by itself
        with pytest.raises(ResetNeeded, match=r"reset\(\) all"):
            recorder.step(still)
    recorder.reset()
    for _ in range(2):
        recorder.step(still)
    steps = [(row["environment"], row["episode"], row["step"], row["reward"]) for row in sink.rows]
    assert steps[2:] == [(0, 1, 0, 0.5), (1, 1, 0, 0.5), (0, 1, 1, 1.0), (1, 1, 1, 3.0)]


def test_after_a_row_that_is_refused_all_are_reset_before_the_next_step() -> None:
    sink = Rows()
    venv = VectorTraceRecorder(SyncVectorEnv([lambda: Plain(1.0, float("nan")), lambda: Plain(2.0, 3.0)]), sink)
    venv.reset()
    venv.step(still := np.zeros(2, dtype=np.int64))
    with pytest.raises(StepRefused, match="Gymnasium makes NaN of a None"):
        venv.step(still)
    with pytest.raises(ResetNeeded):
        venv.step(still)
    venv.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded):
        venv.step(still)
    venv.reset()
    venv.step(still)
    assert [(row["environment"], row["episode"], row["reward"]) for row in sink.rows[-2:]] == [(0, 1, 1.0), (1, 1, 2.0)]


def test_one_environment_is_sent_to_the_wrappers_for_one() -> None:
    for wrap in (
        lambda: VectorComposedReward(Walk(), SPEC, registry=REGISTRY),  # type: ignore[arg-type]
        lambda: VectorTraceRecorder(Walk(), Rows()),  # type: ignore[arg-type]
        lambda: VectorEpisodeMetrics(Walk()),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="Walk is not a vector environment; .*TraceRecorder"):
            wrap()


@modes
def test_a_reset_of_all_begins_all_again(mode: AutoresetMode) -> None:
    sink = Rows()
    venv = VectorTraceRecorder(VectorComposedReward(walks(mode), ORDERED, registry=REGISTRY), sink)
    for _ in range(2):
        venv.reset()
        venv.step(np.zeros(2, dtype=np.int64))
        venv.step(np.zeros(2, dtype=np.int64))
    for environment, rewards in enumerate([(0.5, 3.0), (0.5, 1.0)]):
        steps = [(row["step"], row["reward"]) for row in sink.rows if row["environment"] == environment]
        assert steps == [(0, rewards[0]), (1, rewards[1])] * 2
    assert [row["episode"] for row in sink.rows] == [0, 0, 0, 0, 1, 1, 1, 1]


def test_unscored_steps_of_a_vector_environment_stay_none() -> None:
    class Objects(SyncVectorEnv):
        def step(self, actions: Any) -> Any:
            observations, rewards, *rest = super().step(actions)
            unscored = np.array([None, *rewards[1:].tolist()], dtype=object)
            return (observations, unscored, *rest)

    sink = Rows()
    played_vector(VectorTraceRecorder(Objects([lambda: Plain(1.0, 1.0)] * 2), sink), 1)
    assert [row["reward"] for row in sink.rows] == [None, 1.0]


def test_a_regime_schedule_in_each_environment_is_traced() -> None:
    sink = Rows()

    def scheduled(env: Any) -> Any:
        return RegimeSchedule(env, [(0, "calm"), (3, "storm")])

    played_vector(VectorTraceRecorder(walks(AutoresetMode.SAME_STEP, scheduled), sink), 5)
    first = [(row["regime"], row["regime_boundary"]) for row in sink.rows if row["environment"] == 0]
    assert first == [("calm", True), ("calm", False), ("calm", False), ("storm", True), ("storm", False)]


@resetting_modes
def test_environments_in_processes_of_their_own_give_the_same_rows(mode: AutoresetMode) -> None:
    sink = Rows()
    makers: list[Callable[[], gymnasium.Env[Any, Any]]] = [lambda steps=steps: Walk(steps) for steps in LENGTHS]
    venv = AsyncVectorEnv(makers, autoreset_mode=mode, context="spawn")
    recorder = VectorTraceRecorder(VectorComposedReward(venv, ORDERED, registry=REGISTRY), sink)
    try:
        played_vector(recorder)
    finally:
        recorder.close()
    assert_rows_are_those_of_each_by_itself(sink.rows)


def test_a_spec_that_reads_nothing_warns_once_for_all_environments() -> None:
    venv = VectorComposedReward(walks(AutoresetMode.NEXT_STEP), spec_of("verified"), registry=REGISTRY)
    with pytest.warns(RewardReadsNothing, match="verified reads verifications.*provides extras, state_after") as seen:
        played_vector(venv)
    assert len(seen) == 1


def test_a_vector_environment_that_says_no_mode_is_refused_naming_what_to_set() -> None:
    venv = walks(AutoresetMode.NEXT_STEP)
    del venv.metadata["autoreset_mode"]
    assert VectorEpisodeMetrics(venv).autoreset_mode is AutoresetMode.NEXT_STEP  # the attribute says it
    venv.autoreset_mode = None
    for wrap in (
        lambda: VectorComposedReward(venv, SPEC, registry=REGISTRY),
        lambda: VectorTraceRecorder(venv, Rows()),
        lambda: VectorEpisodeMetrics(venv),
    ):
        with pytest.raises(ValueError, match=r'metadata\["autoreset_mode"\] to one of AutoresetMode\.NEXT_STEP'):
            wrap()


def test_there_is_no_default_reward_for_many_either() -> None:
    with pytest.raises(RewardSpecRequired):
        VectorComposedReward(walks(AutoresetMode.NEXT_STEP))


@pytest.mark.parametrize(
    ("makers", "spec", "error", "message"),
    [
        ([lambda: Plain(1.0)] * 2, SPEC, TraceMissing, "environment 0: .*Tier 1"),
        ([Walk, Walk], spec_of("broken"), CompositionError, "environment 0"),
        ([lambda: Plain(1.0), lambda: Plain(float("nan"))], None, StepRefused, "environment 1, episode 0, step 0"),
    ],
)
def test_a_step_that_cannot_be_scored_names_its_environment(
    makers: Any, spec: RewardSpec | None, error: type[Exception], message: str
) -> None:
    venv: VectorEnv[Any, Any, Any] = SyncVectorEnv(makers)
    venv = VectorTraceRecorder(venv, Rows()) if spec is None else VectorComposedReward(venv, spec, registry=REGISTRY)
    with pytest.raises(error, match=message):
        played_vector(venv, 2)


# Taking batched info apart.


def test_each_environments_info_comes_out_of_the_batch_as_it_went_in() -> None:
    infos = [
        {"text": "a", "number": 1.5, "whole": 3, "flag": True, "nested": {"x": 1.0, "deep": {"y": "z"}}, "empty": {}},
        {"text": "b", "array": np.array([1, 2]), "nested": {"other": (1, 2)}, "_own": "mine"},
        {},
    ]

    class Informing(Plain):
        def __init__(self, info: dict[str, Any]) -> None:
            super().__init__(1.0, 1.0, info=info)

    venv = SyncVectorEnv([lambda info=info: Informing(info) for info in infos])
    batched = played_vector(venv, 1)[0][4]
    for environment, info in enumerate(infos):
        found = environment_info(batched, environment)
        assert found.keys() == info.keys()
        for name, value in info.items():
            assert np.array_equal(found[name], value) if name == "array" else found[name] == value
            assert type(found[name]) is type(value)


def test_anything_that_is_not_a_batch_is_reported_of_every_environment() -> None:
    batched = {"regime": {"label": "storm", "boundary": True}, "level": 3}
    assert [environment_info(batched, place) for place in (0, 1)] == [batched] * 2


def test_a_regime_that_only_the_first_reset_begins_is_reported_beside_the_calls() -> None:
    venv = SyncVectorEnv([lambda: RegimeSchedule(Plain(1.0, 1.0), [(0, "calm")])])
    _, infos = venv.reset()
    returned = [venv.step(np.zeros(1, dtype=np.int64)) for _ in range(2)]
    for _, _, _, _, each in returned:
        each["regime"]["boundary"][:] = False  # as of an environment that says it at the reset alone
    rows = vector_rows(returned, AutoresetMode.NEXT_STEP, infos)
    assert [row["regime_boundary"] for row in rows] == [True, False]


def test_only_the_members_that_are_asked_for_are_looked_at() -> None:
    batched = {"a": np.array([1, 2]), "_a": np.array([True, False]), "b": np.array(["x", "y"], dtype=object)}
    assert environment_info(batched, 0, ("a", "c")) == {"a": 1}
    assert environment_info(batched, 1, ("a", "b")) == {"b": "y"}  # no mask: it is of all of them
