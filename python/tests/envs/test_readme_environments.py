"""The README's snippets about environments are run, in order, and what they show is what comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from readme import ENVIRONMENTS, run_python, run_shell


def test_the_snippets_about_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    assert [snippet.language for snippet in ENVIRONMENTS] == ["sh", "python", "sh"]
    for snippet in ENVIRONMENTS:
        if snippet.language == "python":
            run_python([snippet], namespace)
        else:
            run_shell([snippet], tmp_path)
