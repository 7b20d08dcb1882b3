"""The plain engine, the compiled form and a witness agree on random specs and random steps, bit for bit.

Any value can come here, also what is not a number. REWARD_RECEIPTS_DEEP=1 takes all 100,000 pairs of a spec and steps.
The vectorised form is held against both in envs/test_vectorised_agreement.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from random_rewards import Case, Seen, case, context, of_compiled, of_plain, witness
from reward_receipts.rewards import CompositionEngine
from reward_receipts.rewards.engines.compiled import compile_reward

Figure = Callable[[str], None]

COUNT = 100_000 if os.environ.get("REWARD_RECEIPTS_DEEP") == "1" else 1_500
CODES = ("episode-over", "not-a-number", "not-finite", "contribution-overflows", "total-overflows")


@pytest.mark.slow
def test_plain_and_compiled_agreement(figure: Figure) -> None:
    seen = Seen()
    for number in range(COUNT):
        run(case(number, doubles_only=False), seen)
    for what, times in sorted(seen.items()):
        figure(f"{times:8} {what}")
    seen.assert_not_degenerate(*(f"compose.{code}" for code in CODES))


def run(one: Case, seen: Seen) -> None:
    engine, compiled = CompositionEngine(one.spec, registry=one.registry), compile_reward(one.spec, one.registry)
    seen.case(one)
    ended = False
    for number, step in enumerate(one.episodes[0]):
        if step.reset:
            engine.reset()
            compiled.reset()
            ended = False
            seen["resets"] += 1
        expected = witness(one, step.raw, step.ends, number, ended)
        found, result = of_plain(one, engine, context(one, step, number))
        assert found == expected, (one, number)
        assert of_compiled(compiled, step, number) == expected, (one, number)
        seen.step(found, result, step.ends)
        ended = ended or (step.ends and result is not None)
