"""The set-up of the README's two commands with a Python that lacks ensurepip."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from checkout import script


def test_without_ensurepip_the_outer_pip_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = script("environment")
    monkeypatch.setattr(environment, "find_spec", lambda name: None if name == "ensurepip" else object())
    place = tmp_path / "no ensurepip"
    python = place / "bin" / "python"
    environment.make(place, python)
    found = subprocess.run([python, "-I", "-m", "pip", "--version"], capture_output=True, text=True, check=True)
    assert str(place) in found.stdout
