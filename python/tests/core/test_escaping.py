"""Text of others, as it is shown."""

from __future__ import annotations

import doctest
import json

import pytest
from reward_receipts.core import escaping


def test_the_examples() -> None:
    tested = doctest.testmod(escaping)
    assert tested.attempted > 2
    assert tested.failed == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain: a::b, caf\u00e9 # ## [x]", "plain: a::b, caf\u00e9 # ## [x]"),
        ("\x1b[2J\x9b\x7f\u202e\ud800", "\\x1b[2J\\x9b\\x7f\\u202e\\ud800"),
        ("a\r\n::error::b", "a\\r\\n::error::b"),
        ("::set-output name=x::y", "\\x3a:set-output name=x::y"),
        ("  \u00a0::error::x", "  \\xa0::error::x"),
        ("   ::error::x", "   \\x3a:error::x"),
        ("a ##[group]x", "a \\x23#[group]x"),
        ("##vso[task.setvariable variable=x]y", "\\x23#vso[task.setvariable variable=x]y"),
        ("##teamcity[testFailed name='x']", "\\x23#teamcity[testFailed name='x']"),
    ],
)
def test_a_line_that_nothing_acts_on(text: str, shown: str) -> None:
    assert escaping.printable_line(text) == shown
    assert escaping.printable_line(shown) == shown


def test_json_that_no_runner_acts_on() -> None:
    value = {"##[error]a": "##vso[b]\x7f\u00e9", "##": "## [c]"}
    text = escaping.json_text(value)
    assert "##[" not in text
    assert "##vso" not in text
    assert text.isascii()
    assert text.isprintable()
    assert json.loads(text) == value


def test_markdown_that_stays_text() -> None:
    assert escaping.markdown("a|b\\\n<b>*_`[]&") == r"a\|b\\\\n\<b\>\*\_\`\[\]\&"
