"""The README and the manual as scripts: their snippets, and the output that each shows."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")


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
        if language in ("mermaid", "toml", "yaml"):
            continue
        if language == "text":
            assert block.start() == end_of_code, f"a text block that follows no code: {body}"
            found[-1].shown = body
        else:
            found.append(Snippet(language, body, None))
            end_of_code = block.end()
    return found


_before, _section = MANUAL.split("## Environments\n")
_environments, _after = re.split(r"^(?=## )", _section, maxsplit=1, flags=re.M)
ENVIRONMENTS = snippets(_environments)
"""The snippets about environments, which need more than the package alone; python/tests/envs runs them."""
SNIPPETS = snippets(_before + _after)
"""All others of the manual."""
OF_README = snippets(README)


def run_python(chosen: list[Snippet], namespace: dict[str, Any]) -> None:
    """Runs snippets in one namespace, and compares what each prints with the output that it shows."""
    for snippet in chosen:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(snippet.code, "README.md", "exec"), namespace)
        assert printed.getvalue() == (snippet.shown or ""), snippet.code


def run_shell(chosen: list[Snippet], folder: Path) -> None:
    """Runs snippets in one shell, as a reader does, and compares; what is shown is standard output."""
    end = "\x1e"
    script = f"\nprintf '{end}'\n".join(snippet.code for snippet in chosen)
    bin_of_the_package = os.path.dirname(sys.executable)
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        env={**os.environ, "PATH": f"{bin_of_the_package}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(folder)},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout.split(end)
    assert len(printed) == len(chosen)
    for snippet, output in zip(chosen, printed, strict=True):
        if "keygen" not in snippet.code:  # which prints a new public key, another one each time
            assert output == (snippet.shown or ""), snippet.code
