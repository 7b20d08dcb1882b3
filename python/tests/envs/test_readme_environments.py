"""The README's snippets about environments are run, in order, and what they show is what comes out."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from readme import ENVIRONMENTS, run_python, run_shell


def test_the_snippets_about_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout, temporary = tmp_path / "checkout", tmp_path / "temporary"
    checkout.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(checkout)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    namespace: dict[str, Any] = {}
    *run_here, training = ENVIRONMENTS
    assert [snippet.language for snippet in run_here] == ["sh", "python", "sh", "python"]
    assert "examples/cartpole/train.py" in training.code  # python/tests/trainer runs it
    for snippet in run_here:
        if snippet.language == "python":
            run_python([snippet], namespace)
        else:
            run_shell([snippet], temporary)
    assert list(checkout.iterdir()) == []
