"""Bugs of a program in another style than ours, one at a time: each makes at least one required case fail."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import plain_implementation
import pytest
from command_line import COMMAND
from plain_implementation import BUGS, Num, Program
from reward_receipts.conformance.compare import accepts, same
from reward_receipts.conformance.corpus import Case, load
from reward_receipts.conformance.protocol import request_line

Figure = Callable[[str], None]


@cache
def asked(layers: str) -> tuple[tuple[Case, dict[str, Any]], ...]:
    """The required cases of some layers, each with its request as the program reads it."""
    return tuple(
        (case, json.loads(request_line(case, "0"), parse_int=Num, parse_float=Num))
        for case in load().cases
        if case.layer in layers.split() and case.level == "required"
    )


def is_right(program: Program, case: Case, request: dict[str, Any]) -> bool:
    """Whether a program answers a case as the runner wants it. Whatever it raises is not an answer."""
    try:
        answer = json.loads(json.dumps(program.answer(request)))
    except Exception:
        return False
    if "valid" in case.expect:
        return accepts(answer) == accepts(case.expect)
    return same(dict(case.expect), answer)


def finds(bug: str) -> list[str]:
    """The ids of the cases that a bug makes fail."""
    program = Program(bug)
    return [case.id for case, request in asked(BUGS[bug]) if not is_right(program, case, request)]


@pytest.mark.slow
def test_without_a_bug_it_is_conformant_at_every_layer() -> None:
    command = [*COMMAND, "conformance", "run", "-f", "json", "--"]
    command += [sys.executable, str(Path(plain_implementation.__file__))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    report = json.loads(done.stdout)
    assert done.returncode == 0, report["claim"]["sentence"]
    assert report["claim"]["conformant"]
    assert all(layer["claimed"] for layer in report["layers"].values())
    assert len(report["layers"]) == 9


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_each_bug_makes_a_case_fail(bug: str, figure: Figure) -> None:
    found = finds(bug)
    assert found, f"no case of {BUGS[bug]} finds {bug}"
    figure(f"{bug}: {len(found)} cases, such as {found[0]}")
