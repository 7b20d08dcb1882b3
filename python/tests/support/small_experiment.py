"""An experiment of a few thousand steps, as members and as a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

MEMBERS: dict[str, Any] = {
    "name": "gravity",
    "environment": {"id": "CartPole-v1"},
    "regimes": {
        "schedule": [
            {"start": 0, "label": "earth"},
            {"start": 400, "label": "heavy", "set": {"gravity": 19.6}},
            {"start": 800, "label": "earth"},
        ]
    },
    "trainer": {"name": "random"},
    "total_steps": 1200,
    "seeds": [3, 1],
    "evaluation": {"every": 600, "episodes": 2},
    "outputs": {"window": 50, "trace": "jsonl"},
}

Write = Callable[..., str]


def writer(folder: Path) -> Write:
    """Writes an experiment with some members changed (None: left out); returns the file's name."""

    def written(name: str = "experiment.json", **members: Any) -> str:
        made = {key: value for key, value in {**MEMBERS, **members}.items() if value is not None}
        (folder / name).write_text(json.dumps(made), encoding="utf-8")
        return str(folder / name)

    return written
