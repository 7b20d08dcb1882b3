"""Every snippet of the README is run, in order, and what it shows is what comes out."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT
from field import VECTORS
from readme import MANUAL, OF_README, README, SNIPPETS, run_python, run_shell

# Snippets that set up, test or measure: each is run elsewhere, by a line of the file that is named here.
RUN_ELSEWHERE = {
    "python3 scripts/demo.py": ("tox.ini", "python scripts/demo.py"),
    "python3 scripts/test.py": (".ci/run", "python3 scripts/test.py"),
    "python3 -m venv .venv": ("python/tests/packaging/test_packaging.py", '"virtualenv"'),
    "pip install --upgrade pip": ("python/tests/packaging/test_packaging.py", '"--editable"'),
    "tox -e fix": ("tox.ini", "[testenv:fix]"),
}

PYTHON = [snippet for snippet in SNIPPETS if snippet.language == "python"]
SHELL = [
    snippet for snippet in SNIPPETS if snippet.language == "sh" and snippet.code.splitlines()[0] not in RUN_ELSEWHERE
]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files; the working directory has the vectors where the README says, and stays so."""
    checkout, temporary = tmp_path / "checkout", tmp_path / "temporary"
    shutil.copytree(VECTORS, checkout / "conformance" / "vectors")
    temporary.mkdir()
    monkeypatch.chdir(checkout)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    before = sorted(checkout.rglob("*"))
    yield temporary
    assert sorted(checkout.rglob("*")) == before, "a snippet leaves files in the checkout"


def test_every_snippet_is_run_somewhere() -> None:
    assert {snippet.language for snippet in SNIPPETS} == {"python", "sh"}
    assert len(PYTHON) >= 6
    assert len(SHELL) >= 6
    first_lines = {snippet.code.splitlines()[0] for snippet in SNIPPETS + OF_README}
    for first_line, (file, line) in RUN_ELSEWHERE.items():
        assert first_line in first_lines
        assert line in (ROOT / file).read_text(encoding="utf-8")


def test_the_python_snippets(temporary: Path) -> None:
    run_python(PYTHON, {})


@pytest.mark.slow
def test_the_shell_snippets(temporary: Path) -> None:
    run_shell(SHELL, temporary)


def test_the_readme_is_short_and_its_snippets_run_alone(temporary: Path) -> None:
    assert len(README.splitlines()) <= 150
    run_python([snippet for snippet in OF_README if snippet.language == "python"], {})
    shell = [snippet for snippet in OF_README if snippet.language == "sh"]
    run_shell([snippet for snippet in shell if snippet.code.splitlines()[0] not in RUN_ELSEWHERE], temporary)


@pytest.mark.parametrize("page", [README, MANUAL], ids=["README", "manual"])
def test_certified_never_appears_alone(page: str) -> None:
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    for paragraph in re.split(r"\n\n", prose):
        assert "certified" not in paragraph or "synthetic" in paragraph, paragraph
    for line in page.splitlines():
        assert "certified" not in line or re.search(r"synthetic|\.certified", line), line
