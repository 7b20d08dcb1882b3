"""The page "Hold your implementation to it in fifteen minutes", followed word for word."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest
from checkout import ROOT

TITLE = "Hold your implementation to it in fifteen minutes"
PAGE = (ROOT / "conformance" / "README.md").read_text(encoding="utf-8")
DRIVER = "my_driver.py"


@dataclass
class Block:
    """A fenced block of the page, and what it says comes out."""

    language: str
    body: str
    shown: str = ""


def blocks(page: str) -> list[Block]:
    """The blocks below the title, in their order; a text block belongs to the one that it follows at once."""
    (section,) = re.findall(rf"^## {TITLE}\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S)
    found: list[Block] = []
    end = -1
    for block in re.finditer(r"^```(\w+)\n(.*?)^```\n*", section, flags=re.M | re.S):
        language, body = block.groups()
        if language == "text":
            assert block.start() == end, f"text that follows no command: {body}"
            found[-1].shown = body
        else:
            found.append(Block(language, body))
            end = block.end()
    return found


def changed(text: str, diff: str) -> str:
    """A text as a diff without line numbers says it: what it takes away or leaves must be there exactly once."""
    lines = [line or " " for line in diff.splitlines()]
    assert {line[0] for line in lines} <= {" ", "+", "-"}
    old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] in marks) for marks in (" -", " +"))
    assert text.count(old) == 1, old
    return text.replace(old, new)


def pattern(shown: str) -> str:
    """What is shown, as a regular expression: a line of three dots is any lines, three dots in a line any text."""
    dots = re.escape("...")
    lines = (line if line == "..." else re.escape(line).replace(dots, ".*") for line in shown.splitlines())
    return "".join(r"(?:.*\n)*?" if line == "..." else f"{line}\n" for line in lines)


def families(cases: list[str]) -> set[str]:
    return {"/".join(case.split("/")[:2]) for case in cases}


LENIENT = {f"json/{name}" for name in ("bom", "depth", "duplicate", "literals", "overflow", "size", "surrogate")}
LENIENT |= {"json/utf16", "json/utf8"}


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("a 1\n", "a 2\n", False),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a\n...\nd\n", "d\na\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a ...\n", "a b\nc\n", False),
        ("", "a\n", False),
    ],
)
def test_anything_that_is_shown_is_compared(shown: str, printed: str, same: bool) -> None:
    assert (re.fullmatch(pattern(shown), printed) is not None) == same


@pytest.mark.slow
def test_the_page(tmp_path: Path, figure: Callable[[str], None]) -> None:
    """Commands, changes and outputs in their order; the toy fails where the page says, and nowhere else."""
    shutil.copytree(ROOT / "conformance" / "drivers", tmp_path / "conformance" / "drivers")
    environment = {**os.environ, "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    driver = tmp_path / DRIVER
    failing: list[set[str]] = []
    began = time.monotonic()
    steps = [block for block in blocks(PAGE) if block.language in ("sh", "diff")]
    for step in steps:
        if step.language == "diff":
            driver.write_text(changed(driver.read_text(encoding="utf-8"), step.body), encoding="utf-8")
            continue
        done = subprocess.run(
            ["bash", "-eu", "-o", "pipefail", "-c", step.body],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )
        assert done.returncode == 0, step.body + done.stdout + done.stderr
        assert done.stderr == ""
        assert re.fullmatch(pattern(step.shown), done.stdout), f"{step.body}{step.shown}\nprinted:\n{done.stdout}"
        failing.append(families(re.findall(r"^(?:fail|error) +(\S+):", done.stdout, flags=re.M)))
    assert len(steps) == 13
    assert [found for found in failing if found] == [LENIENT]
    figure(f"{len(steps)} steps of the page in {time.monotonic() - began:.0f} s; the toy fails at {sorted(LENIENT)}")

    report = json.loads((tmp_path / "report.json").read_bytes())
    left = [case["id"] for case in report["cases"] if case["status"] != "pass"]
    assert families(left) == LENIENT - {"json/duplicate"}
    assert {case["status"] for case in report["cases"]} == {"pass", "xfail"}
    suites = ElementTree.fromstring((tmp_path / "conformance.xml").read_bytes())
    assert len(suites.findall(".//testcase")) == len(report["cases"]) + 1
    assert families([case.attrib["name"] for case in suites.findall(".//testcase[failure]")]) == {
        *LENIENT - {"json/duplicate"},
        "claim",
    }

    protocol = json.loads((ROOT / "conformance" / "schemas" / "protocol.schema.json").read_bytes())
    (messages,) = (block.body for block in blocks(PAGE) if block.language == "json")
    hello, request, answer = messages.splitlines()
    for message in (hello, request, answer):
        jsonschema.Draft202012Validator(protocol).validate(json.loads(message))
    done = subprocess.run(
        [sys.executable, str(driver)], input=request + "\n", capture_output=True, encoding="utf-8", timeout=60
    )
    assert (done.returncode, done.stdout.splitlines()) == (0, [hello, answer])


def test_a_change_that_does_not_fit_is_noticed() -> None:
    assert changed("a\nb\nc\n", " a\n-b\n+d\n+\n+e\n") == "a\nd\n\ne\nc\n"
    for text in ("a\nc\n", "a\nb\na\nb\n"):
        with pytest.raises(AssertionError):
            changed(text, " a\n-b\n")


def test_anything_that_the_page_links_to_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    anchor = TITLE.lower().replace(" ", "-")
    assert f"(conformance/README.md#{anchor})" in readme
    assert f"(#{anchor})" in PAGE
    for path in re.findall(r"`((?:drivers|schemas)/[\w.]+)`", PAGE):
        assert (ROOT / "conformance" / path).is_file(), path
