"""The schema of a run's manifest is checked where one is written and where one is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from reward_receipts.traces.manifest import (
    MANIFEST_SCHEMA,
    ManifestRefused,
    save_manifest,
    sealed,
    specs_of_manifest,
)


def manifest(**changed: Any) -> dict[str, Any]:
    """A valid manifest of a run whose reward was the environment's own, with some members changed."""
    environment = {
        "id": "Walk-v0",
        "kwargs": {"speed": 1},
        "max_episode_steps": None,
        "environments": 1,
        "describe": [1, "a"],
        "regimes": None,
    }
    run = {"finished": True, "steps": 3, "episodes": 1, "refused_steps": 0, "seeds": [7], "seeded_resets": 1}
    content = {
        "schema_version": MANIFEST_SCHEMA,
        "environment": environment,
        "reward": None,
        "versions": {"python": "3.11.7", "numpy": None},
        "run": run,
        "traces": [{"name": "trace.jsonl", "sha256": "sha256:" + "0a" * 32, "bytes": 9}],
    }
    return sealed({**content, **changed})


def test_a_valid_manifest_is_written_and_read(tmp_path: Path) -> None:
    save_manifest(tmp_path / "manifest.json", manifest())
    assert specs_of_manifest(manifest()) == ()


@pytest.mark.parametrize(
    ("member", "value", "place"),
    [
        ("environment", {"id": "Walk-v0"}, "/environment"),
        ("versions", {"python": 3}, "/versions/python"),
        ("run", {**manifest()["run"], "steps": -1}, "/run/steps"),
        ("traces", [{"name": "trace.jsonl", "sha256": "ab", "bytes": 9}], "/traces/0/sha256"),
    ],
)
def test_a_manifest_that_the_schema_does_not_accept_is_refused_with_the_place(
    tmp_path: Path, member: str, value: Any, place: str
) -> None:
    wrong = manifest(**{member: value})
    with pytest.raises(ManifestRefused, match=f"run-manifest.schema.json has it, at {place}: "):
        specs_of_manifest(wrong)
    with pytest.raises(ManifestRefused, match=place):
        save_manifest(tmp_path / "manifest.json", wrong)
    assert list(tmp_path.iterdir()) == []
