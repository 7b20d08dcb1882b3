"""What the rules of a spec say where a text breaks them thousands of times: enough to correct it, and no more."""

from __future__ import annotations

import json
from typing import Any

import pytest
from reward_receipts.core.generated.tables import MAX_LISTED_NAMES, MAX_SPEC_FINDINGS
from reward_receipts.validation.check import check
from reward_receipts.validation.spec_rules import listed, spec_findings


def spec(types: list[str], gates: list[tuple[str, str]], **more: Any) -> dict[str, Any]:
    return {
        "name": "x",
        "components": [{"type": each, **more} for each in types],
        "gates": [{"component": component, "requires": requires} for component, requires in gates],
    }


def test_a_list_of_names_is_cut_after_the_first_hundred_and_says_how_many_more() -> None:
    names = [f"t{place}" for place in range(MAX_LISTED_NAMES + 3)]
    assert listed(names[:2]) == '"t0", "t1"'
    assert listed(names[:MAX_LISTED_NAMES]).endswith(f'"t{MAX_LISTED_NAMES - 1}"')
    assert listed(names).endswith(f'"t{MAX_LISTED_NAMES - 1}", ... (3 more)')
    assert listed(names, " requires ").endswith(f'"t{MAX_LISTED_NAMES - 1}" requires ... (3 more)')
    assert listed([]) == ""


def test_no_list_of_a_spec_s_types_is_cut() -> None:
    types = [f"t{place}" for place in range(64)]
    (finding,) = spec_findings(spec(types, [("t0", "other")]))
    known = ", ".join(map(json.dumps, types))
    assert finding.sentence.endswith(f'"other" is not one of {known}.')


MANY = 4097
BROKEN: dict[str, dict[str, Any]] = {
    "spec.component-types-unique": spec(["a"] * MANY, []),
    "spec.clip-ordered": spec([f"t{place}" for place in range(MANY)], [], clip=[1, 0]),
    "spec.gate-names-known": spec(["a"], [(f"q{place}", f"r{place}") for place in range(MANY)]),
    "spec.gates-acyclic": spec(["a"], [("a", "a")] * MANY),
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_rule_gives_its_first_hundred_findings(code: str) -> None:
    findings = list(spec_findings(BROKEN[code]))
    assert [each.code for each in findings] == [code] * MAX_SPEC_FINDINGS
    pointers = [each.pointer for each in findings]
    assert len({*pointers}) == MAX_SPEC_FINDINGS
    first = 1 if code == "spec.component-types-unique" else 0
    assert pointers[0].split("/")[2] == str(first)


def test_one_rule_that_is_broken_often_hides_no_other() -> None:
    broken = spec(["a"] * MANY, [("a", "a"), ("a", "other")], clip=[1, 0])
    assert list(dict.fromkeys(each.code for each in spec_findings(broken))) == [*BROKEN]


@pytest.mark.slow
@pytest.mark.parametrize("components", [64, MANY])
def test_a_text_that_breaks_every_gate_is_refused_in_bounded_space(components: int) -> None:
    types = [f"{place:05}" + "x" * 120 for place in range(components)]
    # The long way round: each gate is one more that a cycle can go through, and the last ones close it.
    chain = [(types[place], types[place + 1]) for place in reversed(range(components - 1))]
    cycles = [(types[-1], types[0])] * (MANY - len(chain))
    for gates in ([(f"q{place}", f"r{place}") for place in range(MANY)], chain + cycles):
        findings = check("spec", spec(types, gates))
        assert sum(len(each.sentence) for each in findings) < 2_000_000
        assert findings


def test_a_boolean_in_a_clip_is_not_a_number() -> None:
    spec = {"name": "x", "components": [{"type": "a", "clip": [True, False]}]}
    assert [finding.code for finding in check("spec", spec)] == ["schema.anyOf"]
