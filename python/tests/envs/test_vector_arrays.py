"""VectorComposedReward with components that offer arrays, with infos of other forms, and with monitors below it."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics
from reward_receipts.envs import (
    ComposedReward,
    EpisodeStep,
    MonitorInside,
    StepRefused,
    TraceMissing,
    VectorComposedReward,
    VectorEpisodeMetrics,
    VectorTraceRecorder,
    environment_info,
    read_trace,
    vector_rows,
)
from reward_receipts.rewards import Cadence, CompositionEngine, Registry, RewardComponent, RewardSpec, StepBatch
from scripted_components import spec_of
from tier_two import REGISTRY, SPEC, Plain, Rows, Upright, Walk, played

modes = pytest.mark.parametrize("mode", list(AutoresetMode))


class Height(Upright):
    """Upright, for many at once."""

    def compute_batch(self, batch: StepBatch) -> Any:
        upright = batch.extras["upright"]
        return self._signal(upright, {"half": upright / 2})

    compute = Upright.compute


class Length(RewardComponent):
    """The steps of the episode, due at its end; what it reads has it in arrays too."""

    name = "length"
    reads = ("state_after",)
    cadence = Cadence.EPISODE_END

    def compute(self, ctx: Any) -> Any:
        return self._signal(ctx.state_after["taken"])

    def compute_batch(self, batch: StepBatch) -> Any:
        return self._signal(batch.state_after["taken"])


class Odd(RewardComponent):
    """1 at odd steps, otherwise 0."""

    name = "odd"
    reads = ("state_after",)
    default_weight = -2.0

    def compute(self, ctx: Any) -> Any:
        return self._signal(ctx.step % 2)

    def compute_batch(self, batch: StepBatch) -> Any:
        return self._signal(batch.step % 2)


ARRAYS = Registry({"length": Length, "upright": Height, "odd": Odd})
SINGLE = Registry(
    {name: type(name, (each,), {"compute": each.compute}) for name, each in ARRAYS.items()}  # compute alone
)
MANY = RewardSpec.from_dict(
    {
        "name": "many",
        "components": [{"type": "length"}, {"type": "upright"}, {"type": "odd"}],
        "gates": [{"component": "upright", "requires": "odd"}, {"component": "length", "requires": "upright"}],
    }
)
LENGTHS = (1, 2, 3, 5)


def walks(mode: AutoresetMode, wrap: Any = lambda env: env) -> SyncVectorEnv:
    return SyncVectorEnv([lambda steps=steps: wrap(Walk(steps)) for steps in LENGTHS], autoreset_mode=mode)


def calls(venv: Any, number: int = 12) -> list[Any]:
    venv.reset(seed=0)
    returned = []
    for _ in range(number):
        returned.append(venv.step(np.zeros(venv.num_envs, np.int64)))
        ended = returned[-1][2] | returned[-1][3]
        if venv.autoreset_mode is AutoresetMode.DISABLED and ended.any():
            venv.reset(options={"reset_mask": ended})
    return returned


def rows_of(venv: Any) -> tuple[list[dict[str, Any]], list[Any]]:
    sink = Rows()
    returned = calls(VectorTraceRecorder(venv, sink))
    return sink.rows, returned


@modes
def test_arrays_give_the_rewards_infos_and_rows_of_one_environment_at_a_time(
    mode: AutoresetMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    singly, plain = rows_of(VectorComposedReward(walks(mode), MANY, registry=SINGLE))
    asked = []
    compute_step = CompositionEngine.compute_step

    def counting(self: Any, *given: Any) -> Any:
        asked.append(given)
        return compute_step(self, *given)

    monkeypatch.setattr(CompositionEngine, "compute_step", counting)
    many, returned = rows_of(VectorComposedReward(walks(mode), MANY, registry=ARRAYS))
    assert len(asked) == len(LENGTHS)  # in the first call, which shows what the environments provide
    assert many == singly
    for one, other in zip(returned, plain, strict=True):
        assert one[1].tobytes() == other[1].tobytes()
        for place in range(len(LENGTHS)):
            assert _info(one[4], place) == _info(other[4], place)


@modes
def test_anything_that_is_composed_around_the_whole_is_read_as_what_is_composed_in_each(mode: AutoresetMode) -> None:
    outside, of_whole = rows_of(VectorComposedReward(walks(mode), MANY, registry=ARRAYS))
    inside, of_each = rows_of(walks(mode, lambda env: ComposedReward(env, MANY, registry=ARRAYS)))
    assert outside == inside
    for one, other in zip(of_whole, of_each, strict=True):
        for place in range(len(LENGTHS)):
            mine, theirs = _info(one[4], place), _info(other[4], place)
            for info in (mine, theirs):  # Gymnasium makes NaN of None beside a number
                for term in info.get("reward_detail", {}).values():
                    if term["zero"] == "skipped":
                        term["raw"] = None
            assert mine == theirs


def _info(infos: Any, place: int) -> dict[str, Any]:
    members = ("reward_components", "reward_detail", "environment_reward", "spec_digest", "resolved_spec_digest")
    info = environment_info(infos, place, members)
    final = infos.get("final_info")
    if final is not None and infos["_final_info"][place]:
        info["final"] = environment_info(final, place, members)
    return info


@modes
def test_infos_name_every_term_at_every_call_with_arrays_of_numbers(mode: AutoresetMode) -> None:
    for *_, infos in calls(VectorComposedReward(walks(mode), SPEC, registry=REGISTRY)):
        assert {name for name in infos["reward_components"] if name[0] != "_"} == {"upright", "steps"}
        for name in ("upright", "steps"):
            assert infos["reward_components"][name].dtype == np.float64
            assert infos["reward_components"][f"_{name}"].dtype == np.bool_
            assert {"raw", "zero", "terms"} <= infos["reward_detail"][name].keys()
        assert infos["spec_digest"].shape == infos["_reward_detail"].shape == (len(LENGTHS),)


def test_an_environment_that_took_no_step_has_no_part_in_the_arrays() -> None:
    returned = calls(VectorComposedReward(walks(AutoresetMode.NEXT_STEP), MANY, registry=ARRAYS), 2)
    _, rewards, _, _, infos = returned[1]  # environment 0 is reset
    assert rewards[0] == 0.0
    assert infos["_reward_components"].tolist() == [False, True, True, True]
    assert infos["reward_components"]["_odd"].tolist() == [False, True, True, True]
    assert infos["reward_components"]["odd"].tolist() == [0.0, -2.0, -2.0, -2.0]
    assert infos["spec_digest"][0] is None
    assert "reward_components" not in environment_info(infos, 0)


def test_the_wrappers_say_the_autoreset_mode_as_torchrl_asks_for_it() -> None:
    for mode in AutoresetMode:
        venv = walks(mode)
        del venv.metadata["autoreset_mode"]
        for wrapped in (
            VectorComposedReward(venv, SPEC, registry=REGISTRY),
            VectorTraceRecorder(venv, Rows()),
            VectorEpisodeMetrics(venv),
        ):
            assert wrapped.autoreset_mode is mode


# Infos that are a list


class Listed(VectorEnv[Any, Any, Any]):
    """Two environments of three steps as multi-agent adapters give them: infos are a list, reset in the same call."""

    num_envs = 2
    observation_space = gymnasium.spaces.Box(0, 1, (2, 1))
    single_observation_space = gymnasium.spaces.Box(0, 1, (1,))
    action_space = gymnasium.spaces.MultiDiscrete([2, 2])
    single_action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, infos: Any = None, final: bool = False) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.infos, self.final = infos, final

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        self.taken = 0
        return np.zeros((2, 1)), [{}, {}]

    def step(self, actions: Any) -> Any:
        self.taken += 1
        ends = self.taken % 3 == 0
        infos: Any = [self._info(place, (self.taken - 1) % 3) for place in range(2)]
        if ends and self.final:
            infos = [{"final_info": info, "trace": "of the next episode"} for info in infos]
        flags = np.array([ends, ends])
        return (
            np.zeros((2, 1)),
            np.array([1.0, -0.5]),
            flags,
            flags & False,
            infos if self.infos is None else self.infos,
        )

    def _info(self, place: int, step: int) -> dict[str, Any]:
        upright = (place + 1) * (step + 1) / 8
        trace = EpisodeStep.of(step, extras={"upright": upright}, state_after={"taken": step + 1})
        return {"trace": trace, "regime": {"label": f"agent {place}", "boundary": False}}


@pytest.mark.parametrize("final", [False, True])
@pytest.mark.parametrize("registry", [REGISTRY, Registry({"upright": Height, "steps": REGISTRY["steps"]})])
def test_infos_in_a_list_are_taken_by_place_and_given_back_as_a_list(final: bool, registry: Any) -> None:
    sink = Rows()
    venv = VectorTraceRecorder(VectorComposedReward(Listed(final=final), SPEC, registry=registry), sink)
    venv.reset()
    for call in range(1, 7):
        *_, infos = venv.step(np.zeros(2, np.int64))
        assert type(infos) is list
        last = infos[1]["final_info"] if final and call % 3 == 0 else infos[1]
        assert list(last["reward_components"]) == ["upright", "steps"]
        json.dumps([last["reward_components"], last["reward_detail"]])
    assert [(row["environment"], row["episode"], row["step"], row["reward"]) for row in sink.rows] == [
        (place, episode, step, (place + 1) * (step + 1) / 8 + (3.0 if step == 2 else 0.0))
        for episode in range(2)
        for step in range(3)
        for place in range(2)
    ]
    assert {row["regime"] for row in sink.rows if row["environment"] == 1} == {"agent 1"}


def test_own_rewards_of_a_list_are_traced_counted_and_read_afterwards(tmp_path: Path) -> None:
    recorder = VectorTraceRecorder(VectorEpisodeMetrics(Listed()), tmp_path / "trace.jsonl")
    recorder.reset()
    returned = [recorder.step(None) for _ in range(6)]
    recorder.close_trace()
    rows = [*read_trace(tmp_path / "trace.jsonl")]
    assert [row["reward"] for row in rows] == [1.0, -0.5] * 6
    assert rows == [*vector_rows(returned, AutoresetMode.SAME_STEP, [{}, {}])]
    assert recorder.env.report().overall.total == 3.0
    assert environment_info(returned[0][4], 1)["regime"]["label"] == "agent 1"


@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
def test_flags_that_are_0_or_1_are_flags_and_other_numbers_are_not(dtype: Any) -> None:
    class Bytes(Listed):
        def __init__(self, one: int) -> None:
            super().__init__()
            self.one = one

        def step(self, actions: Any) -> Any:
            observations, rewards, terminations, truncations, infos = super().step(actions)
            return observations, rewards, terminations.astype(dtype) * self.one, truncations.astype(dtype), infos

    sink = Rows()
    recorder = VectorTraceRecorder(Bytes(1), sink)
    recorder.reset()
    for _ in range(3):
        recorder.step(None)
    assert [row["terminated"] for row in sink.rows] == [False] * 4 + [True] * 2
    recorder = VectorTraceRecorder(Bytes(2), Rows())
    recorder.reset()
    recorder.step(None)
    recorder.step(None)
    with pytest.raises(StepRefused, match="terminated is int 2; return a bool"):
        recorder.step(None)


def test_a_tier_1_environment_whose_infos_are_a_list_gets_a_list_of_what_to_add() -> None:
    venv = VectorComposedReward(Listed([{}, {}]), SPEC, registry=REGISTRY)
    venv.reset()
    with pytest.raises(TraceMissing, match=r"environment 0: info has no \"trace\""):
        venv.step(None)


@pytest.mark.parametrize(
    ("infos", "found"),
    [
        ([{}], "are a list of 1;"),
        ([{}, None], "are a list with NoneType at place 1;"),
        (None, "are NoneType;"),
        (np.array([{}, {}]), "are ndarray;"),
    ],
)
def test_infos_of_another_form_are_refused_saying_what_they_have_to_be(infos: Any, found: str) -> None:
    class Other(Listed):
        def step(self, actions: Any) -> Any:
            return (*super().step(actions)[:4], infos)

    for wrap in (
        lambda venv: VectorComposedReward(venv, SPEC, registry=REGISTRY),
        lambda venv: VectorTraceRecorder(venv, Rows()),
        VectorEpisodeMetrics,
    ):
        venv: Any = wrap(Other())
        venv.reset()
        with pytest.raises(
            TypeError, match=f"{found} give a dict of arrays.*or a list with one dict for each of the 2"
        ):
            venv.step(None)


# Monitors of episode returns


def test_a_monitor_inside_of_the_composed_reward_is_warned_of_when_they_are_put_together() -> None:
    with pytest.warns(MonitorInside, match=r"RecordEpisodeStatistics is inside.*Put the monitor outside") as warned:
        env = ComposedReward(RecordEpisodeStatistics(Walk()), SPEC, registry=REGISTRY)
    played(env, 3)  # warns of nothing more
    assert len(warned) == 1
    assert warned[0].filename == __file__


def test_a_monitor_inside_of_each_environment_is_warned_of_too() -> None:
    with pytest.warns(MonitorInside, match="RecordEpisodeStatistics is inside") as warned:
        calls(VectorComposedReward(walks(AutoresetMode.NEXT_STEP, RecordEpisodeStatistics), SPEC, registry=REGISTRY))
    assert len(warned) == 1


class Reporting(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A monitor of another package."""

    def step(self, action: Any) -> Any:
        *returned, info = self.env.step(action)
        return (*returned, {**info, "episode": {"r": 0.75, "l": 3}} if returned[2] else info)


def test_a_monitor_that_is_not_known_is_warned_of_when_it_reports_once() -> None:
    env = ComposedReward(Reporting(Walk()), SPEC, registry=REGISTRY)
    with pytest.warns(MonitorInside, match=r'reports info\["episode"\] is inside') as warned:
        played(env, 3)
    assert len(warned) == 1
    venv = VectorComposedReward(walks(AutoresetMode.SAME_STEP, Reporting), SPEC, registry=REGISTRY)
    with pytest.warns(MonitorInside, match=r'reports info\["episode"\] is inside') as warned:
        calls(venv)
    assert len(warned) == 1


def test_a_monitor_outside_of_the_composed_reward_reports_what_is_trained_on_and_nothing_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = RecordEpisodeStatistics(ComposedReward(Walk(), SPEC, registry=REGISTRY))
        assert played(env)[-1][4]["episode"]["r"] == 0.5 + 1.0 + 1.0 + 3.0
        played(
            ComposedReward(
                Plain(1.0, info={"trace": EpisodeStep.of(extras={"upright": 0.0}), "episode": 7}),
                spec_of("upright"),
                registry=REGISTRY,
            )
        )
