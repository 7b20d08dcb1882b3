"""All three engines and a witness agree on random specs and random arrays of doubles, bit for bit.

REWARD_RECEIPTS_DEEP=1 takes all 100,000 pairs of a spec and steps. What is not a double, test_reward_agreement.py has.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from random_rewards import Case, Outcome, Seen, Step, case, context, of_compiled, of_plain, rewarded, told, witness
from reward_receipts.rewards import CompositionEngine, CompositionError
from reward_receipts.rewards.engines.compiled import compile_reward
from reward_receipts.rewards.engines.vectorised import VectorisedReward

Figure = Callable[[str], None]

COUNT = 100_000 if os.environ.get("REWARD_RECEIPTS_DEEP") == "1" else 1_500
CODES = ("episode-over", "not-finite", "contribution-overflows", "total-overflows")


def test_plain_compiled_and_vectorised_agreement(figure: Figure) -> None:
    seen = Seen()
    for number in range(COUNT):
        run(case(number, doubles_only=True), seen)
    for what, times in sorted(seen.items()):
        figure(f"{times:8} {what}")
    seen.assert_not_degenerate(*(f"compose.{code}" for code in CODES))


def run(one: Case, seen: Seen) -> None:
    environments = len(one.episodes)
    engine = CompositionEngine(one.spec, registry=one.registry, environments=environments)
    compiled = [compile_reward(one.spec, one.registry) for _ in one.episodes]
    vectorised = VectorisedReward(one.spec, environments, one.registry)
    seen.case(one)
    ended = [False] * environments
    for number, steps in enumerate(zip(*one.episodes, strict=True)):
        starts = [step.reset for step in steps]
        vectorised.reset(np.array(starts))
        for environment in np.flatnonzero(starts):
            engine.reset(environment)
            compiled[environment].reset()
            ended[environment] = False
            seen["resets"] += 1
        ends = [step.ends for step in steps]
        found = []
        for environment, step in enumerate(steps):
            expected = witness(one, step.raw, ends[environment], number, ended[environment])
            outcome, result = of_plain(one, engine, context(one, step, number), environment)
            assert outcome == expected, (one, number)
            assert of_compiled(compiled[environment], step, number) == expected, (one, number)
            seen.step(outcome, result, ends[environment])
            found.append(outcome)
        refused = [environment for environment, outcome in enumerate(found) if not isinstance(outcome[0], bytes)]
        assert of_vectorised(vectorised, steps, number) == (refused[:1], [found[refused[0]]] if refused else found), (
            one,
            number,
        )
        if not refused:
            ended = [before or now for before, now in zip(ended, ends, strict=True)]
        elif environments > 1:  # the others have had their step, and the array form refuses it to all of them
            seen["steps of several environments refused"] += 1
            engine.reset()
            vectorised.reset()
            for each in compiled:
                each.reset()
            ended = [False] * environments


def of_vectorised(
    vectorised: VectorisedReward, steps: tuple[Step, ...], number: int
) -> tuple[list[int | None], list[Outcome]]:
    """The outcomes of a step of all environments; of a refused one the first alone, and whose it is."""
    values = np.array([step.raw for step in steps], dtype=np.float64).T
    try:
        result = vectorised.compute_step(values, np.array([step.ends for step in steps]), number)
    except CompositionError as error:
        return [error.environment], [told(error)]
    outcomes = []
    for environment, total in enumerate(result.totals.tolist()):
        values, due = result.contributions[:, environment].tolist(), result.due[:, environment]
        assert all(is_due or value == 0.0 for value, is_due in zip(values, due, strict=True))
        outcomes.append(rewarded(total, (value if is_due else None for value, is_due in zip(values, due, strict=True))))
    return [], outcomes
