"""Specs that take turns in a run."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from reward_receipts.envs import (
    ComposedReward,
    EpisodeMetrics,
    RegimeSchedule,
    SpecSchedule,
    TraceRecorder,
    VectorComposedReward,
    VectorTraceRecorder,
    read_trace,
    summarise,
    write_manifest,
)
from reward_receipts.rewards import RewardSpec
from reward_receipts.rewards.spec.resolved import RewardSpecRequired
from reward_receipts.rewards.spec.schedule import RegimeWithoutSpec
from reward_receipts.traces.manifest import ManifestRefused, specs_of_manifest
from scripted_components import spec_of
from tier_two import REGISTRY, Rows, Walk, played


def spec(weight: float, *more: str) -> RewardSpec:
    return spec_of({"type": "upright", "weight": weight}, *more, name="walk")


EARLY, LATE = spec(1.0), spec(4.0, "steps")
SCHEDULE = SpecSchedule([(0, EARLY), (4, LATE)])


def digests(rows: list[dict[str, Any]]) -> list[str]:
    return [row["spec_digest"] for row in rows]


def test_a_spec_takes_over_at_the_first_reset_after_its_start() -> None:
    sink = Rows()
    env = TraceRecorder(ComposedReward(Walk(steps=3), SCHEDULE, registry=REGISTRY), sink)
    played(env, 3)
    assert digests(sink.rows) == [EARLY.digest] * 6 + [LATE.digest] * 3
    alone = Rows()
    played(TraceRecorder(ComposedReward(Walk(steps=3), LATE, registry=REGISTRY), alone), 3)
    assert [row["reward"] for row in sink.rows[6:]] == [row["reward"] for row in alone.rows[6:]]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_the_summary_has_a_ceiling_for_each_spec(tmp_path: Path, suffix: str) -> None:
    composed = ComposedReward(Walk(steps=3), SCHEDULE, registry=REGISTRY)
    env = EpisodeMetrics(TraceRecorder(composed, tmp_path / f"trace{suffix}"))
    played(env, 3)
    env.close()
    manifest = json.loads((tmp_path / f"trace{suffix}.manifest.json").read_text())
    assert [stage["start"] for stage in manifest["reward"]["stages"]] == [0, 4]
    report = summarise(read_trace(tmp_path / f"trace{suffix}"), manifest)
    assert report == env.report()
    assert [stage.spec_digest for stage in report.stages] == [EARLY.digest, LATE.digest]
    assert [stage.summary.ceiling for stage in report.stages] == [6.0, 3 * 4.0 + 100.0]
    assert [stage.summary.returns.count for stage in report.stages] == [2, 1]
    assert report.overall.ceiling == 118.0
    assert report.spec_digest is None


def test_a_manifest_whose_stages_were_changed_is_refused(tmp_path: Path) -> None:
    env = TraceRecorder(ComposedReward(Walk(), SCHEDULE, registry=REGISTRY), tmp_path / "trace.jsonl")
    played(env)
    env.close()
    manifest = json.loads((tmp_path / "trace.jsonl.manifest.json").read_text())
    assert len(specs_of_manifest(manifest)) == 2
    manifest["reward"]["stages"][1]["start"] = 5
    with pytest.raises(ManifestRefused, match="it was changed"):
        specs_of_manifest(manifest)
    manifest["reward"]["stages"][1]["ceiling"]["per_step"] = 5.0
    with pytest.raises(ManifestRefused, match="its ceiling"):
        specs_of_manifest(manifest)
    for stages in ([], {}, None):
        manifest["reward"]["stages"] = stages
        with pytest.raises(ManifestRefused, match="its stages are not a list"):
            specs_of_manifest(manifest)


def vector_rows(mode: AutoresetMode, schedule: SpecSchedule, lengths: list[int], calls: int) -> list[dict[str, Any]]:
    def walk(steps: int) -> Any:
        return lambda: Walk(steps=steps)

    venv = VectorComposedReward(
        SyncVectorEnv([walk(steps) for steps in lengths], autoreset_mode=mode), schedule, registry=REGISTRY
    )
    sink = Rows()
    env = VectorTraceRecorder(venv, sink)
    env.reset(seed=1)
    for _ in range(calls):
        _, rewards, terminations, truncations, _ = env.step(np.zeros(len(lengths), dtype=np.int64))
        taken = [row["reward"] for row in sink.rows[-len(lengths) :]]
        assert [reward for reward in rewards if reward][-1] in taken
        ended = np.logical_or(terminations, truncations)
        if mode is AutoresetMode.DISABLED and ended.any():
            env.reset(options={"reset_mask": ended})
    env.close()
    return sink.rows


@pytest.mark.parametrize("mode", AutoresetMode)
def test_each_environment_of_a_vector_goes_on_with_its_spec_to_the_end_of_its_episode(mode: AutoresetMode) -> None:
    schedule = SpecSchedule([(0, EARLY), (3, LATE)])
    rows = vector_rows(mode, schedule, [2, 4], 8)
    specs: dict[tuple[int, int], str] = {}
    for row in rows:
        place = (row["environment"], row["episode"])
        if row["step"] == 0 and place not in specs:
            specs[place] = row["spec_digest"]
        assert row["spec_digest"] == specs[place]
        assert list(row["reward_detail"]) == (
            ["upright"] if row["spec_digest"] == EARLY.digest else ["upright", "steps"]
        )
    # While the second environment is in its first episode, the first is in one of the later spec.
    assert specs[0, 0] == specs[1, 0] == EARLY.digest
    assert {specs[place] for place in specs if place[1] >= 2} == {LATE.digest}
    assert any(here["spec_digest"] != there["spec_digest"] for here, there in zip(rows[::2], rows[1::2], strict=False))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_rows_of_a_vector_on_a_schedule_are_those_of_the_specs_by_themselves(mode: AutoresetMode) -> None:
    mixed = vector_rows(mode, SpecSchedule([(0, EARLY), (3, LATE)]), [2, 4], 8)
    alone = {each.digest: vector_rows(mode, SpecSchedule([(0, each)]), [2, 4], 8) for each in (EARLY, LATE)}
    for place, row in enumerate(mixed):
        assert row == alone[row["spec_digest"]][place]


def test_a_copy_of_a_composed_reward_goes_on_at_the_same_step() -> None:
    env = ComposedReward(Walk(steps=3), SCHEDULE, registry=REGISTRY)
    played(env, 2)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.reset()
        assert twin.reward_spec == LATE
    assert env.reward_spec == EARLY


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "the first is 0"),
        ([(1, EARLY)], "the first is 0"),
        ([(0, EARLY), (0, LATE)], "greater than the one before"),
        ([(0, EARLY), (9, LATE), (5, EARLY)], "greater than the one before"),
        ([(0, EARLY), (2.5, LATE)], "whole numbers"),
        ([(0, EARLY), (True, LATE)], "whole numbers"),
        ([(place, EARLY) for place in range(1001)], "at most 1000 stages"),
    ],
)
def test_a_schedule_of_another_form_is_refused(stages: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SpecSchedule(stages)


def test_more_terms_than_a_report_has_are_refused() -> None:
    def of(start: int) -> RewardSpec:
        return RewardSpec.from_dict(
            {"name": "a", "components": [{"type": f"t{place}"} for place in range(start, start + 40)]}
        )

    with pytest.raises(ValueError, match="80 different terms; a report has at most 64"):
        SpecSchedule([(0, of(0)), (1, of(40))])


def test_anything_that_is_not_a_spec_is_refused() -> None:
    with pytest.raises(RewardSpecRequired):
        SpecSchedule([(0, {"name": "walk"})])  # type: ignore[list-item]


# Schedules of episodes and of regimes


def digests_of_episodes(env: Any, episodes: int) -> list[str]:
    found = []
    for _ in range(episodes):
        env.reset(seed=0)
        found.append(env.step(0)[4]["spec_digest"])
    return found


def test_a_schedule_of_episodes_counts_those_in_which_a_step_was_taken() -> None:
    env = ComposedReward(Walk(), SpecSchedule([(0, EARLY), (2, LATE)], unit="episodes"), registry=REGISTRY)
    env.reset(seed=0)
    env.reset(seed=0)  # no step: not an episode
    assert digests_of_episodes(env, 4) == [EARLY.digest, EARLY.digest, LATE.digest, LATE.digest]


def test_a_schedule_of_regimes_follows_the_regime_in_which_an_episode_begins() -> None:
    schedule = SpecSchedule([("calm", EARLY), ("surge", LATE)], unit="regimes")
    inner = RegimeSchedule(Walk(), [(0, "calm"), (1, "surge"), (2, "calm")], unit="episodes")
    env = ComposedReward(inner, schedule, registry=REGISTRY)
    assert digests_of_episodes(env, 4) == [EARLY.digest, LATE.digest, EARLY.digest, EARLY.digest]


def test_a_regime_that_begins_within_an_episode_counts_from_the_next_reset() -> None:
    schedule = SpecSchedule([("calm", EARLY), ("surge", LATE)], unit="regimes")
    env = ComposedReward(RegimeSchedule(Walk(), [(0, "calm"), (1, "surge")]), schedule, registry=REGISTRY)
    env.reset(seed=0)
    assert [env.step(0)[4]["spec_digest"] for _ in range(2)] == [EARLY.digest] * 2
    env.reset(seed=0)
    assert env.step(0)[4]["spec_digest"] == LATE.digest


def test_a_regime_without_a_spec_is_an_error_and_no_other_spec_replaces_it() -> None:
    schedule = SpecSchedule([("calm", EARLY)], unit="regimes")
    env = ComposedReward(RegimeSchedule(Walk(), [(0, "surge")]), schedule, registry=REGISTRY)
    with pytest.raises(RegimeWithoutSpec, match='is in the regime "surge"; the schedule has specs for "calm"'):
        env.reset(seed=0)


def test_each_environment_of_a_vector_has_the_spec_of_its_own_regime() -> None:
    schedule = SpecSchedule([("calm", EARLY), ("surge", LATE)], unit="regimes")
    labels = ("calm", "surge")
    made = [lambda label=label: RegimeSchedule(Walk(), [(0, label)]) for label in labels]
    env = VectorComposedReward(SyncVectorEnv(made), schedule, registry=REGISTRY)
    env.reset(seed=0)
    infos = env.step(np.zeros(2, np.int64))[4]
    assert [*infos["spec_digest"]] == [EARLY.digest, LATE.digest]


def test_a_manifest_has_the_unit_and_the_starts(tmp_path: Path) -> None:
    for unit, starts in (("episodes", (0, 2)), ("regimes", ("calm", "surge"))):
        schedule = SpecSchedule([*zip(starts, (EARLY, LATE), strict=True)], unit=unit)  # type: ignore[arg-type]
        env = ComposedReward(RegimeSchedule(Walk(), [(0, "calm")]), schedule, registry=REGISTRY)
        written = write_manifest(tmp_path / "run.json", env)
        assert written["reward"]["unit"] == unit
        assert [stage["start"] for stage in written["reward"]["stages"]] == [*starts]
        specs = specs_of_manifest(json.loads((tmp_path / "run.json").read_text()))
        assert [each.spec_digest for each in specs] == [EARLY.digest, LATE.digest]


@pytest.mark.parametrize(
    ("starts", "unit", "message"),
    [
        ((0, 1), "days", "counts 'steps' or 'episodes', or names 'regimes', not 'days'"),
        (("a", "a"), "regimes", "the label of a regime.*for each spec, each once"),
        ((0, 1), "regimes", "the label of a regime"),
        (("a", "b"), "episodes", "the starts of a schedule are whole numbers"),
    ],
)
def test_starts_of_another_unit_are_refused(starts: Any, unit: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SpecSchedule([*zip(starts, (EARLY, LATE), strict=True)], unit=unit)
