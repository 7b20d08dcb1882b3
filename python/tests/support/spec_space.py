"""The space of reward specs, for property tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from reward_receipts.rewards import RewardSpec

AWKWARD_NAMES = (
    *("no", "on", "Yes", "OFF", "y", "N", "true", "null", "~", "<<", "=", "-", "?", "---", "...", ".nan", "-.inf"),
    *("1e3", "1e-07", "010", "0x1F", "0o17", "1_0", "1:30", "190:20:30", ".5", "5.", "+1", "2026-08-25", "1.0.0"),
    *("a: b", "a #b", "#a", "a:", "- a", "[a]", "{a: b}", "&a", "*a", "!a", "!!str a", "|", ">", "%a", "@a", "`a"),
    *(
        "'a'",
        '"a"',
        "a\\nb",
        " a",
        "a ",
        "a\nb",
        "a\n\nb\n",
        "\n",
        "\t",
        "a\tb",
        "a\r\nb",
        "\0",
        "\x07",
        "\x7f",
        "\x85",
    ),
    *(
        "\xa0",
        "a\u2028b",
        "\u2029",
        "\ufeff",
        "\ufffe",
        "\u202e",
        "é",
        "e\u0301",
        "\U0001f600",
        "\U0010ffff",
        "x" * 128,
    ),
)
"""Names that one reader of YAML or another takes for something else."""

names = st.one_of(
    st.sampled_from(AWKWARD_NAMES),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=128),
    st.text("aeno019 .:-_#'\"\\\n", min_size=1, max_size=6),
)
numbers = st.one_of(
    st.sampled_from([0.0, -0.0, 1e-07, 1e16, -1e22, 5e-324, 1.7976931348623157e308, 0.1, 1e-3]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(2**70), 2**70),
)
clips = st.one_of(
    st.none(),
    st.tuples(numbers, numbers).map(sorted),
    st.tuples(numbers, st.none()).map(list),
    st.tuples(st.none(), st.none() | numbers).map(list),
)


@st.composite
def plain_specs(draw: Callable[..., Any]) -> dict[str, Any]:
    """A spec as plain JSON that the schema and every rule accept."""
    types = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    spec: dict[str, Any] = {"name": draw(names), "components": []}
    for each in types:
        term: dict[str, Any] = {"type": each}
        if draw(st.booleans()):
            term["weight"] = draw(numbers)
        if draw(st.booleans()):
            term["clip"] = draw(clips)
        spec["components"].append(term)
    # A gate that names an earlier type after a later one closes no cycle.
    pairs = [(later, earlier) for place, later in enumerate(types) for earlier in types[:place]]
    if pairs:
        gates = draw(st.lists(st.sampled_from(pairs), max_size=4))
        spec["gates"] = [{"component": component, "requires": requires} for component, requires in gates]
    return spec


specs = plain_specs().map(RewardSpec.from_dict)
