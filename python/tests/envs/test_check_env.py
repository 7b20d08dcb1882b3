"""The tier checker: what each fault of an environment leads to, and that none of them stops the check."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import gymnasium
import numpy
import pytest
from reward_receipts.envs import EnvReport, EpisodeStep, VectorEnvRefused, Verdict, check_env
from reward_receipts.rewards import StepContext

PASS, FAIL, UNDECIDED = Verdict.PASS, Verdict.FAIL, Verdict.UNDECIDED


class Walk(gymnasium.Env[Any, Any]):
    """Four steps, then the end. It meets both tiers; ``change`` says what a fault makes of a step."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as gymnasium has it

    def __init__(self, change: Callable[[int, list[Any]], Any] | None = None, length: int = 4) -> None:
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (1,), numpy.float32)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.change, self.length = change, length

    def describe(self) -> Any:
        return {"length": self.length, "nested": {"of": ["plain", 1, 0.5, None, True]}}

    def seen(self) -> Any:
        return numpy.array([min(1.0, self.at / self.length)], numpy.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self.at = 0
        return self.seen(), {}

    def step(self, action: Any) -> Any:
        info = {
            "trace": EpisodeStep.of(self.at, extras={"action": int(action)}),
            "regime": {"label": "flat", "boundary": self.at == 0},
        }
        self.at += 1
        answer = [self.seen(), 0.5, self.at >= self.length, False, info]
        changed = None if self.change is None else self.change(self.at - 1, answer)
        return tuple(answer) if changed is None else changed


def verdicts(report: EnvReport) -> tuple[Verdict, Verdict]:
    return report.verdict(1), report.verdict(2)


def of(report: EnvReport, name: str) -> Any:
    return next(each for each in report.capabilities if each.id == name)


def failed(report: EnvReport) -> list[str]:
    return [each.id for each in report.capabilities if each.verdict is FAIL and each.tier is not None]


def setting(place: int, value: Any, step: int = 0) -> Callable[[int, list[Any]], None]:
    """A fault: at a step, the answer has this value at a place."""

    def change(at: int, answer: list[Any]) -> None:
        if at == step:
            answer[place] = value

    return change


def without(*names: str) -> Callable[[int, list[Any]], None]:
    """A fault: info lacks members."""

    def change(at: int, answer: list[Any]) -> None:
        for name in names:
            del answer[4][name]

    return change


def within(name: str, value: Any, step: int = 0) -> Callable[[int, list[Any]], None]:
    """A fault: at a step, a member of info is this."""

    def change(at: int, answer: list[Any]) -> None:
        if at == step:
            answer[4][name] = value

    return change


# What passes


def test_an_environment_that_says_what_happens_reaches_tier_2_and_everything_was_looked_at() -> None:
    report = check_env(Walk())
    assert verdicts(report) == (PASS, PASS)
    assert (report.tier, report.episodes, report.ended, report.steps) == (2, 3, 3, 12)
    assert {each.verdict for each in report.capabilities} == {PASS}
    assert (of(report, "reward").looked, of(report, "no-exception").looked) == (12, 15)
    assert of(report, "info-distinct").looked == 15  # the resets' too


def test_an_environment_with_its_own_reward_only_reaches_tier_1_and_what_tier_2_lacks_is_reported() -> None:
    report = check_env(gymnasium.make("CartPole-v1", disable_env_checker=True))
    assert verdicts(report) == (PASS, FAIL)
    assert report.tier == 1
    assert not report.missing(1)
    assert [each.id for each in report.missing(2)] == ["trace", "trace-distinct", "regime", "describe"]
    assert "CartPoleEnv in TimeLimit reaches Tier 1" in str(report)


@pytest.mark.parametrize("reward", [1, numpy.float32(0.5), numpy.int64(2), Fraction(1, 3), -0.0])
def test_any_finite_real_number_is_a_reward(reward: Any) -> None:
    assert of(check_env(Walk(setting(1, reward))), "reward").verdict is PASS


def test_numpys_bool_is_a_flag() -> None:
    def change(at: int, answer: list[Any]) -> None:
        answer[2:4] = numpy.bool_(answer[2]), numpy.bool_(answer[3])
        answer[4]["regime"]["boundary"] = numpy.bool_(at == 0)

    assert verdicts(check_env(Walk(change))) == (PASS, PASS)


def test_an_episode_may_end_truncated() -> None:
    def change(at: int, answer: list[Any]) -> None:
        answer[2:4] = False, answer[2]

    report = check_env(Walk(change))
    assert (verdicts(report), report.ended) == ((PASS, PASS), 3)


def test_describe_is_found_through_wrappers() -> None:
    assert verdicts(check_env(gymnasium.wrappers.TimeLimit(Walk(), 10))) == (PASS, PASS)


# What fails Tier 1, and so Tier 2


class Classless:
    """What raises when it is asked what it is."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("no class")


class Leaving(float):
    """A number that ends the process when it is read."""

    def __float__(self) -> float:
        raise SystemExit(0)


TIER_1: dict[str, tuple[Callable[[int, list[Any]], Any], str, str]] = {
    "the old four values": (lambda at, answer: (*answer[:3], answer[4]), "five-values", "4 values"),
    "a list of five": (lambda at, answer: answer, "five-values", "list, no tuple"),
    "None": (lambda at, answer: 0, "five-values", "int, no tuple"),
    "NaN at a later step": (setting(1, float("nan"), 2), "reward", "step 2: the reward is nan"),
    "infinity at the last step": (setting(1, numpy.float32("inf"), 3), "reward", "step 3: the reward is inf"),
    "no reward": (setting(1, None, 1), "reward", "NoneType null"),
    "a bool as reward": (setting(1, True), "reward", "bool true"),
    "NumPy's bool as reward": (setting(1, numpy.bool_(True)), "reward", "not a number"),
    "a text as reward": (setting(1, "1.0"), "reward", "str"),
    "an array as reward": (setting(1, numpy.array([1.0])), "reward", "ndarray"),
    "a complex reward": (setting(1, 1j), "reward", "complex"),
    "an integer beyond any double": (setting(1, 10**400), "reward", "OverflowError"),
    "a span of time as reward": (setting(1, numpy.timedelta64(1, "s")), "reward", "TypeError"),
    "terminated 0": (setting(2, 0, 1), "flags", "step 1: terminated is int 0"),
    "truncated None": (setting(3, None), "flags", "truncated is NoneType null"),
    "terminated an array": (setting(2, numpy.array([False, True])), "flags", "terminated is ndarray"),
    "info None": (setting(4, None, 1), "info", "step 1: info is null"),
    "info a list": (setting(4, []), "info", "info is []"),
    "a reward that will not say what it is": (setting(1, Classless()), "reward", "RuntimeError: no class"),
    "a flag that will not say what it is": (setting(3, Classless()), "flags", "RuntimeError: no class"),
    "a reward that ends the process": (setting(1, Leaving()), "reward", "SystemExit"),
    "an answer that will not say what it is": (lambda at, answer: Classless(), "five-values", "Classless, no tuple"),
}


@pytest.mark.parametrize("case", TIER_1)
def test_a_fault_of_any_step_fails_tier_1_and_its_place_is_named(case: str) -> None:
    change, name, words = TIER_1[case]
    report = check_env(Walk(change))
    assert verdicts(report) == (FAIL, FAIL)
    assert report.tier == 0
    assert words in of(report, name).seen
    assert of(report, name).episode == 0
    assert of(report, name).fix
    assert [each for each in failed(report) if each not in ("trace", "regime")] == [name]


def test_anything_that_could_not_be_looked_at_is_undecided_and_never_passed() -> None:
    report = check_env(Walk(lambda at, answer: (0, 1, 2, 3)))
    names = ("flags", "reward", "episode-end", "trace", "trace-distinct", "regime")
    assert {of(report, name).verdict for name in names} == {UNDECIDED}
    assert (report.steps, report.ended) == (3, 0)
    assert "looked at 3 episodes from seed 0 (0 ended), 3 steps" in str(report)
    assert "looked at 1 episode from seed 0 (1 ended), 1 step\n" in str(check_env(Walk(length=1), episodes=1))


def test_one_info_for_all_steps_fails_though_each_says_the_right_thing_when_it_is_given() -> None:
    kept: dict[str, Any] = {}

    def change(at: int, answer: list[Any]) -> None:
        kept.update(answer[4])
        answer[4] = kept

    report = check_env(Walk(change))
    assert failed(report) == ["info-distinct"]
    assert (of(report, "info-distinct").episode, of(report, "info-distinct").step) == (0, 1)


def test_an_info_that_comes_back_in_a_later_episode_is_found() -> None:
    infos: list[Any] = []

    def change(at: int, answer: list[Any]) -> None:
        infos.append(answer[4])
        if len(infos) == 7:
            answer[4] = infos[1]

    found = of(check_env(Walk(change)), "info-distinct")
    assert (found.verdict, found.episode, found.step, found.faults) == (FAIL, 1, 2, 1)


def test_an_info_that_changes_after_it_was_given_fails() -> None:
    def cleared() -> Callable[[int, list[Any]], None]:
        given: list[Any] = []

        def change(at: int, answer: list[Any]) -> None:
            for info in given:
                info.clear()
            given.append(answer[4])

        return change

    report = check_env(Walk(cleared()))
    found = of(report, "info-distinct")
    assert failed(report) == ["info-distinct"]
    assert (found.episode, found.step, found.faults, found.looked) == (0, 0, 11, 15)
    assert 'its members were ["trace", "regime"] and are []' in found.seen
    replaced: list[Any] = []

    def change(at: int, answer: list[Any]) -> None:
        if replaced:
            replaced[-1]["regime"] = {**replaced[-1]["regime"]}
        replaced.append(answer[4])

    assert failed(check_env(Walk(change))) == ["info-distinct"]


def raising(*names: str, error: BaseException | None = None) -> Any:
    """A Walk whose methods raise."""

    def fails(self: Any, *arguments: Any, **named: Any) -> Any:
        raise error or RuntimeError("not now")

    return type("Raising", (Walk,), dict.fromkeys(names, fails))()


class Panic(BaseException):
    """No Exception, as what Rust raises."""


@pytest.mark.parametrize(
    ("method", "name"),
    [("reset", "no-exception"), ("step", "no-exception"), ("close", "close"), ("seen", "no-exception")],
)
@pytest.mark.parametrize(
    "error", [RuntimeError("not now"), SystemExit(3), AssertionError(), KeyError("x\ny"), TypeError("no"), Panic()]
)
def test_anything_that_an_environment_raises_is_a_fault_with_its_place(
    method: str, name: str, error: BaseException
) -> None:
    report = check_env(raising(method, error=error))
    assert verdicts(report) == (FAIL, FAIL)
    assert type(error).__name__ in of(report, name).seen
    assert "test_check_env.py:" in of(report, name).seen
    assert "\n" not in of(report, name).seen


def test_an_exception_within_a_step_is_named_with_its_place_in_the_environment_and_in_no_library() -> None:
    class Misspelt(Walk):
        def step(self, action: Any) -> Any:
            EpisodeStep.of(self.at, state_befor={})

    line = Misspelt.step.__code__.co_firstlineno + 1
    for env in (Misspelt(), gymnasium.wrappers.TimeLimit(Misspelt(), 5)):
        report = check_env(env)
        found = of(report, "no-exception")
        assert failed(report) == ["no-exception"]
        assert found.seen.startswith("raised at 3 of 6 calls, first at episode 0, step 0: TypeError: ")
        assert found.seen.endswith(f"({__file__}:{line})")
        assert "place" in found.fix
        assert (report.steps, of(report, "five-values").verdict) == (3, UNDECIDED)


def test_a_step_that_takes_no_action_is_an_error_with_the_fix() -> None:
    env = Walk()
    env.step = lambda: None  # type: ignore[method-assign, assignment]
    report = check_env(env)
    assert failed(report) == ["five-values"]
    assert "def step(self, action)" in of(report, "five-values").fix


@pytest.mark.parametrize("kind", [RuntimeError, SystemExit, Panic])
def test_an_exception_that_cannot_say_what_it_is_is_a_fault_too(kind: type[BaseException]) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise kind

    assert "Mute: (it has no text)" in of(check_env(raising("step", error=Mute())), "no-exception").seen


def test_a_failing_environment_is_closed_and_so_are_a_refused_and_an_interrupted_one() -> None:
    closed: list[str] = []

    class Closing(Walk):
        def close(self) -> None:
            closed.append("walk")

    class Unwilling(Closing):
        def step(self, action: Any) -> Any:
            raise self.error

    for error in (Panic(), KeyboardInterrupt()):
        env = Unwilling()
        env.error = error  # type: ignore[attr-defined]
        if isinstance(error, KeyboardInterrupt):
            with pytest.raises(KeyboardInterrupt):
                check_env(env)
        else:
            check_env(env)
    assert len(closed) == 2
    vector = gymnasium.vector.SyncVectorEnv([Closing, Closing])
    with pytest.raises(VectorEnvRefused):
        check_env(lambda: vector)  # type: ignore[arg-type, return-value]
    assert len(closed) == 4


@pytest.mark.parametrize("kind", [RuntimeError, SystemExit, Panic])
def test_a_value_that_cannot_be_shown_is_a_fault_like_any_other(kind: type[BaseException]) -> None:
    class Mute:
        def __repr__(self) -> str:
            raise kind

    report = check_env(Walk(setting(1, Mute())))
    assert failed(report) == ["reward"]
    assert "a Mute" in of(report, "reward").seen


def test_an_interrupt_is_the_users_and_no_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        check_env(raising("step", error=KeyboardInterrupt()))


@pytest.mark.parametrize("answer", [0, (1, {}, {}), [1, {}]])
def test_a_reset_that_returns_something_else_fails(answer: Any) -> None:
    env = Walk()
    env.reset = lambda **named: answer  # type: ignore[method-assign]
    assert "reset" in failed(check_env(env))


def test_an_old_reset_without_seed_fails() -> None:
    env = Walk()
    env.reset = lambda: (0, {})  # type: ignore[method-assign, assignment]
    assert "seed" in of(check_env(env), "reset").seen


def test_a_missing_action_space_fails_and_no_step_is_taken() -> None:
    env = Walk()
    del env.action_space
    report = check_env(env)
    assert failed(report) == ["action-space"]
    assert report.steps == 0
    env = Walk()
    env.action_space = 2  # type: ignore[assignment]
    assert "no gymnasium space" in of(check_env(env), "action-space").seen


def test_anything_that_is_not_an_environment_or_cannot_be_made_fails_tier_1() -> None:
    assert failed(check_env(object())) == ["environment"]  # type: ignore[arg-type]

    def broken() -> Any:
        raise RuntimeError("no display")

    assert "RuntimeError: no display" in of(check_env(broken), "environment").seen

    def panicking() -> Any:
        raise Panic("a lock")

    assert "Panic: a lock" in of(check_env(panicking), "environment").seen
    assert check_env(Walk).tier == 2


# What fails Tier 2 only


class Unwilling(dict[str, Any]):
    """A dict that raises when it is read."""

    def get(self, *arguments: Any) -> Any:
        raise Panic("not this one")


def test_an_info_that_cannot_be_read_leaves_tier_1_as_it_is() -> None:
    def change(at: int, answer: list[Any]) -> None:
        answer[4] = Unwilling(answer[4])

    report = check_env(Walk(change))
    assert verdicts(report) == (PASS, FAIL)
    assert failed(report) == ["trace", "regime"]
    assert "Panic: not this one" in of(report, "trace").seen


TIER_2: dict[str, tuple[Callable[[int, list[Any]], Any], str, str]] = {
    "no trace": (
        without("trace"),
        "trace",
        'missing at 12 of 12 steps, first at episode 0, step 0: info has no member "',
    ),
    "a trace that is missing once": (within("trace", None, 2), "trace", "missing at 3 of 12 steps"),
    "a dict as trace": (within("trace", {"step": 0}), "trace", "dict, no EpisodeStep"),
    "a StepContext as trace": (within("trace", StepContext(0)), "trace", "StepContext, no EpisodeStep"),
    "an EpisodeStep that provides nothing": (within("trace", EpisodeStep.of(0)), "trace", "provides nothing: none of "),
    "a trace that will not say what it is": (within("trace", Classless()), "trace", "RuntimeError: no class"),
    "half a surrogate pair as label": (
        within("regime", {"label": "\ud800", "boundary": True}),
        "regime",
        "half a surrogate pair",
    ),
    "a regime that raises": (within("regime", Unwilling(label="a", boundary=True)), "regime", "Panic: not this one"),
    "no regime": (without("regime"), "regime", 'info has no member "regime"'),
    "a regime that is missing at the end": (within("regime", None, 3), "regime", "step 3"),
    "a text as regime": (within("regime", "flat"), "regime", "str, no mapping"),
    "no label": (within("regime", {"boundary": True}), "regime", "its label is null"),
    "an empty label": (within("regime", {"label": "", "boundary": True}), "regime", 'its label is ""'),
    "no boundary": (within("regime", {"label": "flat"}), "regime", "its boundary is null"),
    "boundary 1": (within("regime", {"label": "flat", "boundary": 1}), "regime", "its boundary is 1"),
}


@pytest.mark.parametrize("case", TIER_2)
def test_anything_that_tier_2_lacks_leaves_tier_1_as_it_is(case: str) -> None:
    change, name, words = TIER_2[case]
    report = check_env(Walk(change))
    assert verdicts(report) == (PASS, FAIL)
    assert name in failed(report)
    assert words in of(report, name).seen


def test_a_wrapper_that_drops_info_leaves_tier_1_and_what_is_missing_is_reported() -> None:
    class Dropping(gymnasium.Wrapper[Any, Any, Any, Any]):
        def step(self, action: Any) -> Any:
            return (*self.env.step(action)[:4], {})

    report = check_env(Dropping(Walk()))
    assert verdicts(report) == (PASS, FAIL)
    assert failed(report) == ["trace", "regime"]
    assert "a wrapper has to hand info on" in of(report, "trace").fix


def test_the_fixes_say_where_the_names_come_from_and_what_else_would_do() -> None:
    report = check_env(Walk(without("trace", "regime")))
    assert "from reward_receipts.envs import EpisodeStep" in of(report, "trace").fix
    assert "step from 0" in of(report, "trace").fix
    assert "or wrap it in reward_receipts.envs.RegimeSchedule" in of(report, "regime").fix


def test_one_episode_step_for_all_steps_fails() -> None:
    step = EpisodeStep.of(0, extras={})

    def change(at: int, answer: list[Any]) -> None:
        answer[4]["trace"] = step

    assert failed(check_env(Walk(change))) == ["trace", "trace-distinct"]


def test_a_step_number_that_jumps_is_a_fault_of_the_trace() -> None:
    def change(at: int, answer: list[Any]) -> None:
        answer[4]["trace"] = EpisodeStep.of(99 if at == 2 else at, extras={})

    report = check_env(Walk(change))
    assert (verdicts(report), failed(report)) == ((PASS, FAIL), ["trace"])
    trace = of(report, "trace")
    assert (trace.faults, trace.looked, trace.episode, trace.step) == (3, 12, 0, 2)
    assert "the EpisodeStep is of step 99, and this is step 2 of the episode" in trace.seen


def test_steps_can_be_numbered_from_1_where_the_reset_is_0() -> None:
    def change(at: int, answer: list[Any]) -> None:
        answer[4]["trace"] = EpisodeStep.of(at + 1, extras={})

    assert verdicts(check_env(Walk(change))) == (PASS, PASS)


def test_a_number_that_is_skipped_is_a_fault_of_the_trace_wherever_counting_starts() -> None:
    def change(at: int, answer: list[Any]) -> None:
        answer[4]["trace"] = EpisodeStep.of(at + (1 if at < 2 else 2), extras={})

    assert failed(check_env(Walk(change))) == ["trace"]


def test_step_numbers_that_go_on_over_a_reset_are_a_fault_of_the_trace() -> None:
    taken = iter(range(1000))

    def change(at: int, answer: list[Any]) -> None:
        answer[4]["trace"] = EpisodeStep.of(next(taken), extras={})

    trace = of(check_env(Walk(change)), "trace")
    assert (trace.verdict, trace.faults, trace.episode, trace.step) == (FAIL, 8, 1, 0)


class Drifting(Walk):
    """Something of an episode depends on how many came before it."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self.part, self.begun = part, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self.begun += 1
        observation, info = super().reset(seed=seed, options=options)
        return (observation + numpy.float32(self.begun / 100) if self.part == "reset" else observation), info

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        if self.at == 2:
            if self.part == "observation":
                observation = observation + numpy.float32(self.begun / 100)
            if self.part == "reward":
                reward += self.begun
            if self.part == "terminated":
                terminated = self.begun > 3
            if self.part == "trace":
                info["trace"] = EpisodeStep.of(1, extras={"drift": numpy.array([self.begun])})
        return observation, reward, terminated, truncated, info


@pytest.mark.parametrize(
    ("part", "step", "named"),
    [
        ("reset", None, "the observation"),
        ("observation", 1, "the observation"),
        ("reward", 1, "the reward"),
        ("terminated", 1, "terminated"),
        ("trace", 1, 'info["trace"]'),
    ],
)
def test_an_environment_that_does_not_repeat_itself_with_one_seed_is_noted_naming_what_differs(
    part: str, step: int | None, named: str
) -> None:
    report = check_env(Drifting(part))
    repeats = of(report, "repeats")
    assert (repeats.verdict, repeats.episode, repeats.step) == (Verdict.NOTE, 0, step)
    assert f"the second time, {named} differ" in repeats.seen
    assert verdicts(report) == (PASS, PASS)  # no tier asks for it


def test_an_environment_that_draws_from_its_seeded_generator_repeats_itself() -> None:
    class Seeded(Walk):
        def step(self, action: Any) -> Any:
            observation, _, *rest = super().step(action)
            return (observation, float(self.np_random.random()), *rest)

    class Unseeded(Walk):
        def step(self, action: Any) -> Any:
            observation, _, *rest = super().step(action)
            return (observation, float(numpy.random.default_rng().random()), *rest)

    assert of(check_env(Seeded()), "repeats").verdict is PASS
    assert of(check_env(Unseeded()), "repeats").verdict is Verdict.NOTE


def test_a_second_episode_that_raises_does_not_repeat_the_first() -> None:
    class Once(Walk):
        begun = 0

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            self.begun += 1
            if self.begun == 4:
                raise RuntimeError("used up")
            return super().reset(seed=seed, options=options)

    report = check_env(Once())
    assert of(report, "repeats").verdict is Verdict.NOTE
    assert "used up" in of(report, "repeats").seen
    assert verdicts(report) == (PASS, PASS)


def test_actions_that_the_environment_changes_are_repeated_as_they_were_given() -> None:
    class Taking(Walk):
        def __init__(self) -> None:
            super().__init__()
            self.action_space = gymnasium.spaces.Box(0.0, 1.0, (1,), numpy.float32)

        def step(self, action: Any) -> Any:
            given = float(action[0])
            action[0] = 9.0
            observation, _, *rest = super().step(0)
            return (observation, given, *rest)

    assert of(check_env(Taking()), "repeats").verdict is PASS


def test_a_regime_that_changes_after_it_was_given_fails() -> None:
    regime: dict[str, Any] = {}

    def change(at: int, answer: list[Any]) -> None:
        regime.update(label="flat" if at < 2 else "steep", boundary=at in (0, 2))
        answer[4]["regime"] = regime

    report = check_env(Walk(change))
    assert failed(report) == ["regime"]
    assert 'it said ["flat", true], and later on ["steep", false]' in of(report, "regime").seen


DESCRIBED: dict[str, Any] = {
    "nothing": {},
    "None": None,
    "a list": [1],
    "NaN": {"a": float("nan")},
    "a set": {"a": {1}},
    "a number as key": {1: 2},
    "a NumPy number": {"a": numpy.float32(1)},
}


@pytest.mark.parametrize("case", DESCRIBED)
def test_describe_gives_a_mapping_that_json_can_hold(case: str) -> None:
    env = Walk()
    env.describe = lambda: DESCRIBED[case]  # type: ignore[method-assign]
    report = check_env(env)
    assert verdicts(report) == (PASS, FAIL)
    assert failed(report) == ["describe"]


def test_a_describe_that_raises_is_reported_and_one_that_is_not_there_too() -> None:
    assert "RuntimeError: not now" in of(check_env(raising("describe")), "describe").seen
    assert "Panic" in of(check_env(raising("describe", error=Panic())), "describe").seen
    env = Walk()
    env.describe = 7  # type: ignore[method-assign, assignment]
    assert "not callable" in of(check_env(env), "describe").seen


# What is undecided


def test_an_episode_that_does_not_end_leaves_the_tiers_undecided_and_the_rest_decided() -> None:
    report = check_env(Walk(length=50), max_steps=10)
    assert verdicts(report) == (UNDECIDED, UNDECIDED)
    assert (report.tier, report.ended, report.steps) == (0, 0, 30)
    assert [each.id for each in report.capabilities if each.verdict is UNDECIDED] == ["episode-end"]
    assert "TimeLimit" in of(report, "episode-end").fix
    assert verdicts(check_env(gymnasium.wrappers.TimeLimit(Walk(length=50), 9), max_steps=10)) == (PASS, PASS)


def test_episodes_that_do_not_end_beside_some_that_do_are_counted_and_leave_it_undecided() -> None:
    class Sometimes(Walk):
        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            self.length = 4 if seed == 1 else 50
            return super().reset(seed=seed, options=options)

    report = check_env(Sometimes(), max_steps=10)
    found = of(report, "episode-end")
    assert verdicts(report) == (UNDECIDED, UNDECIDED)
    assert found.seen.endswith("seen at 1 of 3 episodes; the others were left after 10 steps")
    assert "max_steps" in found.fix
    assert (found.looked, report.ended) == (1, 1)


def test_a_fault_decides_also_where_no_episode_ended() -> None:
    assert verdicts(check_env(Walk(setting(1, None, 9), length=50), max_steps=10)) == (FAIL, FAIL)
    assert verdicts(check_env(Walk(without("trace"), length=50), max_steps=10)) == (UNDECIDED, FAIL)


# What is noted only


def test_an_observation_outside_of_its_space_is_noted_and_counts_for_no_tier() -> None:
    report = check_env(Walk(setting(0, numpy.array([9.0], numpy.float32), 1)))
    assert verdicts(report) == (PASS, PASS)
    noted = of(report, "observation-space")
    assert (noted.verdict, noted.tier, noted.faults, noted.step) == (FAIL, None, 3, 1)


def test_anything_that_gymnasiums_own_checker_says_is_noted_and_never_shown_or_raised(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Unbounded(Walk):
        def __init__(self) -> None:
            super().__init__()
            self.observation_space = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (1,), numpy.float32)

    report = check_env(Unbounded())
    assert verdicts(report) == (PASS, PASS)
    assert "minimum value is -infinity" in of(report, "gymnasium-checker").seen
    assert of(report, "gymnasium-checker").verdict is Verdict.NOTE
    assert "  note       gymnasium-checker" in str(report)
    assert "\x1b" not in str(report)
    assert capsys.readouterr() == ("", "")


# The report, and what it is asked with


def test_the_seeds_and_the_actions_are_what_was_asked_for() -> None:
    seeds, taken = [], []

    class Kept(Walk):
        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            seeds.append(seed)
            return super().reset(seed=seed, options=options)

    def change(at: int, answer: list[Any]) -> None:
        taken.append(answer[4]["trace"].context.extras["action"])

    check_env(Kept(change), episodes=2, seed=7, actions=lambda observation: int(observation[0] > 0.4))
    assert seeds[:2] == [7, 8]
    assert taken[:8] == [0, 0, 1, 1] * 2


def test_anything_that_the_callers_own_actions_raise_is_the_callers() -> None:
    def fails(observation: Any) -> Any:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        check_env(Walk(), actions=fails)


def test_a_vector_environment_is_refused_in_a_sentence() -> None:
    vector = gymnasium.vector.SyncVectorEnv([Walk])
    with pytest.raises(VectorEnvRefused, match="is a vector environment; check one of the environments"):
        check_env(vector)  # type: ignore[arg-type]
    with pytest.raises(VectorEnvRefused):
        check_env(lambda: vector)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("numbers", [{"episodes": 0}, {"max_steps": 0}, {"seed": -1}, {"episodes": True}])
def test_numbers_that_make_no_sense_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="whole number of at least"):
        check_env(Walk(), **numbers)  # type: ignore[arg-type]


def test_there_are_two_tiers() -> None:
    with pytest.raises(ValueError, match="1 and 2"):
        check_env(Walk()).verdict(3)


def test_the_report_is_frozen_and_plain_json() -> None:
    report = check_env(Walk(without("regime")))
    with pytest.raises(FrozenInstanceError):
        report.seed = 1  # type: ignore[misc]
    plain = json.loads(json.dumps(report.to_dict()))
    assert plain["tiers"] == {"1": "pass", "2": "fail"}
    assert plain["tier"] == 1
    regime = next(each for each in plain["capabilities"] if each["id"] == "regime")
    assert (regime["verdict"], regime["episode"], regime["step"], regime["faults"]) == ("fail", 0, 0, 12)


def test_the_text_names_every_capability_and_says_nothing_against_tier_1() -> None:
    report = check_env(Walk(without("regime")))
    text = str(report)
    assert all(f"  {each.verdict}" in text and each.id in text for each in report.capabilities)
    assert text.startswith("test_check_env.Walk reaches Tier 1\n")
    assert not any(word in text for word in ("only", "merely", "just"))
