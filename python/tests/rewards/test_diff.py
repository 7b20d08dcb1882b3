"""What changed from one spec to another."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_receipts.rewards import RewardSpec, diff_specs
from reward_receipts.rewards.spec.diff import SpecDiff
from spec_space import specs

BEFORE: dict[str, Any] = {
    "name": "balance",
    "components": [
        {"type": "upright", "weight": 1.0, "clip": [0.0, 1.0]},
        {"type": "effort", "weight": 0.2},
        {"type": "speed", "clip": None},
        {"type": "range"},
    ],
    "gates": [
        {"component": "effort", "requires": "upright"},
        {"component": "speed", "requires": "upright"},
    ],
}


def spec(change: Any = None) -> RewardSpec:
    plain = copy.deepcopy(BEFORE)
    if change is not None:
        change(plain)
    return RewardSpec.from_dict(plain)


def setting(place: int, **members: Any) -> Any:
    return lambda plain: plain["components"][place].update(members)


def without(place: int, member: str) -> Any:
    return lambda plain: plain["components"][place].pop(member)


SAME = "the meaning is the same, the digest is not"
CHANGES: dict[str, tuple[Any, list[str], list[dict[str, Any]]]] = {
    "the name": (
        lambda plain: plain.update(name="tilt"),
        ['The name was "balance" and is "tilt".'],
        [{"kind": "name", "component": None, "before": "balance", "after": "tilt"}],
    ),
    "a weight": (
        setting(0, weight=0.5),
        ['The weight of "upright" was 1.0 and is 0.5.'],
        [{"kind": "weight", "component": "upright", "before": 1.0, "after": 0.5}],
    ),
    "a weight left out": (
        without(0, "weight"),
        ['The weight of "upright" was 1.0 and is the component\'s own.'],
        [{"kind": "weight", "component": "upright", "before": 1.0}],
    ),
    "a weight given": (
        setting(3, weight=-0.0),
        ['The weight of "range" was the component\'s own and is -0.0.'],
        [{"kind": "weight", "component": "range", "after": -0.0}],
    ),
    "a clip": (
        setting(0, clip=[-1, 1]),
        ['The clip of "upright" was 0.0..1.0 and is -1.0..1.0.'],
        [{"kind": "clip", "component": "upright", "before": [0.0, 1.0], "after": [-1.0, 1.0]}],
    ),
    "a clip whose sign of zero changes": (
        setting(0, clip=[-0.0, 1]),
        ['The clip of "upright" was 0.0..1.0 and is -0.0..1.0.'],
        [{"kind": "clip", "component": "upright", "before": [0.0, 1.0], "after": [-0.0, 1.0]}],
    ),
    "null is not left out": (
        without(2, "clip"),
        ['The clip of "speed" was none (null) and is the component\'s own.'],
        [{"kind": "clip", "component": "speed", "before": None}],
    ),
    "a term more": (
        lambda plain: plain["components"].insert(0, {"type": "jerk", "weight": 3}),
        ['The term "jerk" was added, with weight 3.0 and clip the component\'s own.'],
        [{"kind": "added", "component": "jerk", "after": {"type": "jerk", "weight": 3.0}}],
    ),
    "a term less": (
        lambda plain: plain["components"].pop(3),
        ["The term \"range\" was removed; it had weight the component's own and clip the component's own."],
        [{"kind": "removed", "component": "range", "before": {"type": "range"}}],
    ),
    "the first term last": (
        lambda plain: plain["components"].append(plain["components"].pop(0)),
        [
            'The term "upright" moved from /components/0 to /components/3: '
            "contributions are added in the order of the terms."
        ],
        [{"kind": "moved", "component": "upright", "before": 0, "after": 3}],
    ),
    "a gate less": (
        lambda plain: plain["gates"].pop(0),
        ['The gate by which "effort" requires "upright" was removed.'],
        [{"kind": "gate-removed", "component": "effort", "before": {"component": "effort", "requires": "upright"}}],
    ),
    "a gate more": (
        lambda plain: plain["gates"].insert(1, {"component": "range", "requires": "speed"}),
        ['The gate by which "range" requires "speed" was added.'],
        [{"kind": "gate-added", "component": "range", "after": {"component": "range", "requires": "speed"}}],
    ),
    "a gate twice": (
        lambda plain: plain["gates"].append(plain["gates"][0]),
        [f'The gate by which "effort" requires "upright" was once and is 2 times; {SAME}.'],
        [{"kind": "gate-repeats", "component": "effort", "before": 1, "after": 2}],
    ),
    "gates in another order": (
        lambda plain: plain["gates"].reverse(),
        [f"The gates are in another order; {SAME}."],
        [{"kind": "gates-order", "component": None}],
    ),
}


@pytest.mark.parametrize(("change", "words", "members"), CHANGES.values(), ids=CHANGES)
def test_a_change_is_reported_in_words_and_as_json(
    change: Any, words: list[str], members: list[dict[str, Any]]
) -> None:
    found = spec().diff(spec(change))
    assert str(found).splitlines() == words
    said = json.loads(json.dumps(found.to_dict()))
    assert repr([{k: v for k, v in one.items() if k != "sentence"} for one in said["changes"]]) == repr(members)
    assert [one["sentence"] for one in said["changes"]] == words
    assert (said["equal"], bool(found)) == (False, True)
    assert (said["before_digest"], said["after_digest"]) == (spec().digest, spec(change).digest)


def test_a_repeated_gate_in_another_place_is_another_order() -> None:
    one, two = BEFORE["gates"]
    first, second = (
        spec(lambda plain, gates=gates: plain.update(gates=gates)) for gates in ([one, two, one], [one, one, two])
    )
    assert [change.kind for change in first.diff(second).changes] == ["gates-order"]


@pytest.mark.parametrize(
    ("places", "kinds"),
    [
        (([0, 1, 0], [0, 0, 1, 2]), ["gate-added", "gates-order"]),
        (([0, 1], [0, 0, 1]), ["gate-repeats"]),
        (([0, 1, 0], [0, 1]), ["gate-repeats"]),
        (([0, 1], [1, 0, 0]), ["gate-repeats", "gates-order"]),
        (([0, 1, 2], [2, 0]), ["gate-removed", "gates-order"]),
    ],
)
def test_an_order_of_gates_that_changed_is_reported_beside_other_changes(
    places: tuple[list[int], list[int]], kinds: list[str]
) -> None:
    gates = [*BEFORE["gates"], {"component": "range", "requires": "speed"}]
    first, second = (
        spec(lambda plain, chosen=chosen: plain.update(gates=[gates[place] for place in chosen])) for chosen in places
    )
    assert [change.kind for change in first.diff(second).changes] == kinds


def ordered(*types: str) -> RewardSpec:
    return RewardSpec.from_dict({"name": "x", "components": [{"type": each} for each in types]})


def test_a_term_that_keeps_its_place_while_others_change_theirs_did_not_move() -> None:
    moved = {
        change.component: (change.before, change.after) for change in ordered(*"abc").diff(ordered(*"cba")).changes
    }
    assert moved == {"a": (0, 2), "c": (2, 0)}


def test_a_term_that_moved_and_has_the_same_number_before_it_is_reported_to_have_passed_another() -> None:
    (*_, last) = ordered(*"rsmab").diff(ordered(*"abm")).changes
    assert last.sentence == (
        'The term "m" moved from before "a" to after it, and is at /components/2 again: contributions are added in '
        "the order of the terms."
    )
    (*_, last) = ordered(*"abm").diff(ordered(*"rsmab")).changes
    assert 'The term "m" moved from after "a" to before it, and is' in last.sentence


@given(st.permutations("abcdefg"), st.permutations("abcdefg"), st.integers(1, 7), st.integers(1, 7))
def test_no_move_is_reported_to_lead_where_it_began(one: list[str], other: list[str], kept: int, left: int) -> None:
    for change in ordered(*one[:kept]).diff(ordered(*other[:left])).changes:
        if change.kind == "moved":
            way = f"from /components/{change.before} to /components/{change.after}:"
            assert (change.before != change.after) == (way in change.sentence)


def test_long_names_are_told_apart_by_their_last_character() -> None:
    one, other = "x" * 127 + "a", "\U0001f600" * 127 + "b"
    for name in (one, other):
        (*_, last) = spec(lambda plain, name=name: plain.update(name=name)).diff(spec()).changes
        assert last.sentence == f'The name was {json.dumps(name)} and is "balance".'
        removed, added = ordered(name).diff(ordered(name[:-1] + "z")).changes
        assert removed.sentence.split('"')[1] != added.sentence.split('"')[1]


def test_several_changes_come_in_the_order_name_terms_gates() -> None:
    def change(plain: dict[str, Any]) -> None:
        plain["name"] = "tilt"
        plain["components"] = [plain["components"][2], {"type": "jerk"}, {**plain["components"][0], "weight": 2.0}]
        plain["gates"] = [plain["gates"][1]]

    kinds = [(one.kind, one.component) for one in spec().diff(spec(change)).changes]
    assert kinds == [
        ("name", None),
        ("removed", "effort"),
        ("removed", "range"),
        ("added", "jerk"),
        ("moved", "upright"),
        ("weight", "upright"),
        ("gate-removed", "effort"),
    ]


def test_equal_specs_have_no_difference() -> None:
    found = diff_specs(spec(), RewardSpec.from_yaml(spec().to_yaml()))
    assert (found.changes, str(found), found.to_dict()["equal"]) == ((), "The specs are equal.", True)
    assert not found


def test_a_number_has_one_meaning_however_it_is_written() -> None:
    assert not spec().diff(spec(setting(0, weight=1, clip=[0, 1])))


def test_a_difference_is_frozen() -> None:
    found = spec().diff(spec(setting(0, weight=0.5)))
    with pytest.raises(AttributeError):
        found.changes = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        found.changes[0].after = 1.0  # type: ignore[misc]
    assert {found: 1}[spec().diff(spec(setting(0, weight=0.5)))] == 1
    assert pickle.loads(pickle.dumps(found)) == found
    found.to_dict()["changes"].clear()
    assert len(found.changes) == 1


@pytest.mark.slow
@given(specs)
def test_a_spec_does_not_differ_from_itself(one: RewardSpec) -> None:
    assert not one.diff(one)
    assert not one.diff(RewardSpec.from_json(one.to_json()))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[RewardSpec, RewardSpec]:
    """A spec, and one that is close to it."""
    plain = draw(specs).to_dict()
    other = copy.deepcopy(plain)
    terms, gates = other["components"], other["gates"]
    for _ in range(draw(st.integers(0, 2))):
        term = terms[draw(st.integers(0, len(terms) - 1))]
        match draw(st.integers(0, 6)):
            case 0:
                terms[:] = draw(st.permutations(terms))
            case 1:
                gates[:] = draw(st.permutations(gates))
            case 2:
                gates += draw(st.lists(st.sampled_from(gates), max_size=2)) if gates else []
            case 3:
                term["weight"] = draw(st.sampled_from([0.0, -0.0, 1.0]))
            case 4:
                term["clip"] = draw(st.sampled_from([None, [0.0, 1.0], [-0.0, 1.0]]))
            case 5:
                term.pop(draw(st.sampled_from(["weight", "clip"])), None)
            case 6:
                other["name"] = draw(st.sampled_from(["a", plain["name"]]))
    return RewardSpec.from_dict(plain), RewardSpec.from_dict(other)


@given(pairs() | st.tuples(specs, specs))
def test_nothing_changed_exactly_where_the_digests_are_equal(pair: tuple[RewardSpec, RewardSpec]) -> None:
    before, after = pair
    found, back = before.diff(after), after.diff(before)
    assert bool(found) == (before.digest != after.digest) == bool(back)
    assert len(found.changes) == len(back.changes)
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert isinstance(found, SpecDiff)


@given(st.permutations(range(4)))
def test_as_few_terms_as_need_be_move(order: list[int]) -> None:
    plain = {**BEFORE, "gates": []}
    after = RewardSpec.from_dict({**plain, "components": [BEFORE["components"][place] for place in order]})
    moved = {change.before for change in RewardSpec.from_dict(plain).diff(after).changes}
    stayed = [place for place in order if place not in moved]
    assert stayed == sorted(stayed)
    longest = max(
        sum(bits >> place & 1 for place in order)
        for bits in range(16)
        if (kept := [place for place in order if bits >> place & 1]) == sorted(kept)
    )
    assert len(stayed) == longest
