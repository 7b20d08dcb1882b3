"""The compiled form of a spec. That it means what the plain engine does, test_reward_agreement.py shows."""

from __future__ import annotations

import copy
import pickle
import re
from decimal import Decimal
from math import nan
from typing import Any

import pytest
from reward_receipts.core.findings import InvalidDocument
from reward_receipts.rewards import CompiledReward, CompositionError, RewardSpecRequired, compile_reward
from scripted_components import END, scripted, spec_of


def compiled_of(*terms: dict[str, Any] | str, gates: list[tuple[str, str]] | None = None) -> CompiledReward:
    spec = spec_of(*terms, gates=gates or [])
    return compile_reward(spec, {each.type: scripted(each.type) for each in spec.components} | {"end": END})


def test_a_step_gives_total_and_contributions_in_the_specs_order() -> None:
    compiled = compiled_of({"type": "a", "weight": 0.5, "clip": [0.0, 1.0]}, "end", {"type": "b", "weight": -2.0})
    assert compiled.compute_step([3.0, None, 0.25]) == (0.0, (0.5, None, -0.5))
    assert compiled.compute_step((3.0, 1.0, 0.25), ends=True) == (1.0, (0.5, 1.0, -0.5))


def test_the_end_counts_once_until_a_reset() -> None:
    compiled = compiled_of("end")
    assert [compiled.compute_step([5.0], ends)[0] for ends in (False, True)] == [0.0, 5.0]
    for value, ends in ((5.0, True), (nan, False)):
        with pytest.raises(CompositionError, match="Step 3 was taken after the end of the episode") as caught:
            compiled.compute_step([value], ends, 3)
        assert (caught.value.code, caught.value.component) == ("compose.episode-over", None)
    compiled.reset()
    assert compiled.compute_step([5.0], True) == (5.0, (5.0,))


def test_a_chain_of_gates_that_requires_what_is_not_due_is_shut() -> None:
    compiled = compiled_of("a", "b", "end", gates=[("a", "b"), ("b", "end")])
    assert compiled.compute_step([1.0, 1.0, 1.0]) == (0.0, (0.0, 0.0, None))
    assert compiled.compute_step([1.0, 1.0, 1.0], True) == (3.0, (1.0, 1.0, 1.0))


def test_other_real_numbers_are_taken_as_the_plain_engine_takes_them() -> None:
    total, (value,) = compiled_of("a").compute_step([3])
    assert (type(total), total) == (float, 3.0)
    assert (type(value), value) == (float, 3.0)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (nan, "compose.not-finite"),
        (1e308, "compose.contribution-overflows"),
        (None, "compose.not-a-number"),
        (True, "compose.not-a-number"),
        (Decimal("0.1"), "compose.not-a-number"),
    ],
)
def test_a_refused_step_is_named_and_ends_no_episode(raw: object, code: str) -> None:
    compiled = compiled_of({"type": "a", "weight": 10.0}, "end")
    with pytest.raises(CompositionError) as caught:
        compiled.compute_step([raw, 1.0], ends=True, step=7)
    assert (caught.value.code, caught.value.component, caught.value.step) == (code, "a", 7)
    assert compiled.compute_step([0.0, 1.0], ends=True) == (1.0, (0.0, 1.0))


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0, 3.0]])
def test_another_number_of_values_than_terms_is_an_error(values: list[float]) -> None:
    with pytest.raises(ValueError, match=f"the spec has 2 terms, not {len(values)}; give a raw value for each"):
        compiled_of("a", "b").compute_step(values)


def test_a_sum_that_overflows_only_in_the_check_is_not_an_error() -> None:
    # Both values are finite, and so are both contributions; their sum is looked at before the weights are.
    compiled = compiled_of(*({"type": name, "weight": 0.5, "clip": [-1.7e308, 1.7e308]} for name in "ab"))
    assert compiled.compute_step([1.7e308, 1.7e308])[0] == 1.7e308


def test_no_text_of_a_spec_gets_into_the_program() -> None:
    name = '"""\nraise SystemExit  # v0'
    spec = spec_of({"type": name, "weight": -1e-05, "clip": [-0.0, 5e-324]}, "end", gates=[(name, "end")])
    compiled = compile_reward(spec, {name: scripted("evil"), "end": END})
    words = {*re.findall(r"[A-Za-z_]\w*", re.sub(r"\d[\d.]*(e-?\d+)?", "", compiled.source))}
    assert words <= {
        *("def", "at_step", "at_end", "values", "try", "except", "TypeError", "ValueError", "return", "None"),
        *("if", "else", "not", "is", "type", "float", "check", "total", "v", "c"),
    }
    assert compiled.compute_step([1.0, 1.0], True) == (1.0, (0.0, 1.0))


def test_it_survives_pickle_and_copy_in_the_middle_of_an_episode() -> None:
    compiled = compiled_of("end")
    compiled.compute_step([1.0], ends=True)
    for again in (pickle.loads(pickle.dumps(compiled)), copy.deepcopy(compiled)):
        assert again.source == compiled.source
        with pytest.raises(CompositionError, match="after the end"):
            again.compute_step([1.0], ends=True)
        again.reset()
        assert again.compute_step([1.0], ends=True)[0] == 1.0
    with pytest.raises(CompositionError, match="after the end"):
        compiled.compute_step([1.0], ends=True)


def test_there_is_no_default_reward_and_no_unknown_component() -> None:
    with pytest.raises(RewardSpecRequired, match="there is no default reward"):
        compile_reward(None)
    with pytest.raises(InvalidDocument, match="No component is registered"):
        compile_reward(spec_of("a"), {})
