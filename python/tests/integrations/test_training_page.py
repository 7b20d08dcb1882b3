"""docs/training.md: its snippets compile, and the names that they import from this package are there."""

from __future__ import annotations

import ast
import importlib.util
from importlib import import_module

from checkout import ROOT
from readme import snippets
from reward_receipts.integrations import trainers

PAGE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
TREES = [ast.parse(snippet.code) for snippet in snippets(PAGE)]


def imported() -> list[tuple[str, str]]:
    """The modules of this package that the snippets import from, and the names."""
    found = []
    for tree in TREES:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reward_receipts"):
                found += [(str(node.module), alias.name) for alias in node.names]
    return found


def test_the_names_that_the_snippets_import_are_there() -> None:
    names = imported()
    assert len(names) >= 8
    for module, name in names:
        if module.endswith(("gymnasium", "stable_baselines3")) and importlib.util.find_spec("gymnasium") is None:
            continue
        if name in ("ReceiptsCallback", "ScoredRolloutBuffer"):  # need the trainer; python/tests/trainer imports them
            continue
        assert hasattr(import_module(module), name), f"{module}.{name}"


def test_the_versions_of_the_page_are_those_of_the_modules() -> None:
    for trainer in (trainers.TRL, trainers.OPENENV, trainers.STABLE_BASELINES3):
        assert f"| >= {trainer.first}, < {trainer.before} |" in PAGE
    assert f"| {trainers.VERIFIERS.first} |" in PAGE
