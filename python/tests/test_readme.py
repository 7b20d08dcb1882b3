"""Every snippet of the README is run, in order, and what it shows is what comes out."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from field import VECTORS

README = (ROOT / "README.md").read_text(encoding="utf-8")

# Snippets that set up, test or measure: each is run elsewhere, by a line of the file that is named here.
RUN_ELSEWHERE = {
    "python3 scripts/demo.py": ("tox.ini", "python scripts/demo.py"),
    "python3 scripts/test.py": (".ci/run", "python3 scripts/test.py"),
    "python3 -m venv .venv": ("python/tests/test_packaging.py", '"virtualenv"'),
    "pip install --upgrade pip": ("python/tests/test_packaging.py", '"--editable"'),
    "python scripts/generate.py": ("tox.ini", "python scripts/lint_schemas.py"),
}


@dataclass
class Snippet:
    """A fenced block of code, and the block of text that follows it at once, if one does."""

    language: str
    code: str
    shown: str | None


def snippets(readme: str) -> list[Snippet]:
    """The code blocks of a Markdown text in their order."""
    found: list[Snippet] = []
    end_of_code = -1
    for block in re.finditer(r"^```(\w*)\n(.*?)^```\n*", readme, flags=re.M | re.S):
        language, body = block.groups()
        if language == "text":
            assert block.start() == end_of_code, f"a text block that follows no code: {body}"
            found[-1].shown = body
        else:
            found.append(Snippet(language, body, None))
            end_of_code = block.end()
    return found


SNIPPETS = snippets(README)
PYTHON = [snippet for snippet in SNIPPETS if snippet.language == "python"]
SHELL = [
    snippet for snippet in SNIPPETS if snippet.language == "sh" and snippet.code.splitlines()[0] not in RUN_ELSEWHERE
]


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that has the vectors where the README says, and nothing else; it is the working directory."""
    shutil.copytree(VECTORS, tmp_path / "conformance" / "vectors")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_snippet_is_run_somewhere() -> None:
    assert {snippet.language for snippet in SNIPPETS} == {"python", "sh"}
    assert len(PYTHON) >= 6
    assert len(SHELL) >= 6
    first_lines = {snippet.code.splitlines()[0] for snippet in SNIPPETS}
    for first_line, (file, line) in RUN_ELSEWHERE.items():
        assert first_line in first_lines
        assert line in (ROOT / file).read_text(encoding="utf-8")


def test_the_python_snippets(documents: Path) -> None:
    namespace: dict[str, Any] = {}
    for snippet in PYTHON:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(snippet.code, "README.md", "exec"), namespace)
        assert printed.getvalue() == (snippet.shown or ""), snippet.code


def test_the_shell_snippets(documents: Path) -> None:
    """In one shell, as a reader runs them; what is shown is standard output."""
    end = "\x1e"
    script = f"\nprintf '{end}'\n".join(snippet.code for snippet in SHELL)
    bin_of_the_package = os.path.dirname(sys.executable)
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        env={**os.environ, "PATH": f"{bin_of_the_package}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(documents)},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout.split(end)
    assert len(printed) == len(SHELL)
    for snippet, output in zip(SHELL, printed, strict=True):
        if "keygen" not in snippet.code:  # which prints a new public key, another one each time
            assert output == (snippet.shown or ""), snippet.code


def test_certified_never_stands_alone() -> None:
    prose = re.sub(r"^```.*?^```", "", README, flags=re.M | re.S)
    for paragraph in re.split(r"\n\n", prose):
        assert "certified" not in paragraph or "synthetic" in paragraph, paragraph
    for line in README.splitlines():
        assert "certified" not in line or re.search(r"synthetic|\.certified", line), line
