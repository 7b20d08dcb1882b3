"""The prose linter finds each habit in each kind of file, and nothing in code."""

from __future__ import annotations

import sys

import pytest
from checkout import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from lint import prose

HABITS = {
    "is-no": "This is" + " no document.",
    "is-due": "It was found where a number is" + " due.",
    "stands": "The digest stands" + " here.",
    "holds": "The certificate holds" + " from update 3.",
    "said": "The reason is" + " said once.",
    "takes-that": "The sum comes" + " to 3.",
    "judge": "The receipt is" + " judged again.",
    "private-word": "A folder of handed" + " cases.",
}


def found(text: str, suffix: str) -> list[tuple[int, str]]:
    return [(line, habit.name) for line, habit, _ in prose.of_text(text, suffix)]


@pytest.mark.parametrize("name", HABITS)
@pytest.mark.parametrize(
    ("suffix", "before", "after"),
    [
        (".py", "x = 1\n# ", "\n"),
        (".py", 'x = 1\ny = f"', '"\n'),
        (".py", 'def f():\n    """', '"""\n'),
        (".ts", "const x = 1;\n// ", "\n"),
        (".rs", '/// A line.\nconst X: &str = "', '";\n'),
        (".toml", "x = 1\n# ", "\n"),
        (".json", '{\n"description": "', '"}'),
        (".md", "# A page\n", "\n"),
    ],
)
def test_each_habit_is_found_with_its_line(name: str, suffix: str, before: str, after: str) -> None:
    assert found(before + HABITS[name] + after, suffix) == [(2, name)]


def test_a_habit_over_two_lines_of_a_comment_is_found() -> None:
    assert found("# This is" + "\n# no document.\n", ".py") == [(1, "is-no")]


def test_names_of_tests_are_checked() -> None:
    assert found("def test_who" + "_reads_it():\n    pass\n", ".py") == [(1, "test-name")]


def test_code_is_not_prose() -> None:
    text = "This is" + " no document."
    assert found(f"```text\n{text}\n```\nIt is `{text}` there.\n", ".md") == []
    assert found("judge" + "d = stands(due)\n", ".py") == []


def test_all_habits_are_tested() -> None:
    assert {habit.name for habit in prose.HABITS} == {*HABITS, "test-name"}


def test_the_checkout_has_none() -> None:
    assert list(prose.findings()) == []
