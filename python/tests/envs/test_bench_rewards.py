"""The benchmark of the engines runs, and prints its figures. What they are is not a test: the machine has a say in
it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from checkout import script

Figure = Callable[[str], None]


def test_the_benchmark_prints_a_line_for_each_form(capsys: pytest.CaptureFixture[str], figure: Figure) -> None:
    assert script("bench/rewards").main(["--rounds", "3", "--steps", "100"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert "7 terms, 2 gates" in head
    assert [line.split("  ")[0] for line in lines] == [
        "loop written by hand",
        "plain engine",
        "plain engine, contributions read",
        "compiled for the spec",
        "vectorised over 4096 environments",
    ]
    for line in lines:
        figure(line)


def test_the_benchmark_of_the_wrappers_prints_a_line_for_each_form(
    capsys: pytest.CaptureFixture[str], figure: Figure
) -> None:
    assert script("bench/tracing").main(["--rounds", "1", "--steps", "200"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("composed and traced, Parquet" in line for line in lines) == 1
    assert [line.split()[0] for line in lines if "in arrays" in line] == ["8", "16", "64"]
    for line in lines:
        figure(line)
