"""One good document of each kind that is about a reward as data, as plain JSON."""

from __future__ import annotations

from typing import Any

SPEC: dict[str, Any] = {
    "schema_version": "reward-receipts.reward-spec/v1",
    "name": "balance",
    "components": [
        {"type": "upright", "weight": 1.0, "clip": [0.0, 1.0]},
        {"type": "on_time_delivery", "weight": 0.5},
        {"type": "effort", "clip": None},
    ],
    "gates": [{"component": "on_time_delivery", "requires": "upright"}],
}

ROW: dict[str, Any] = {
    "schema_version": "reward-receipts.trace-row/v1",
    "environment": 0,
    "episode": 2,
    "step": 7,
    "reward": 0.85,
    "environment_reward": 1.0,
    "reward_components": {"effort": -0.05, "upright": 0.9},
    "reward_detail": {
        "effort": {"raw": -0.25, "zero": None, "terms": {}},
        "upright": {"raw": 0.9, "zero": None, "terms": {"angle": 0.1}},
    },
    "terminated": False,
    "truncated": True,
    "evaluation": False,
    "regime": "calm",
    "regime_boundary": False,
    "spec_digest": "sha256:" + "1" * 64,
    "resolved_spec_digest": "sha256:" + "2" * 64,
}

UPRIGHT: dict[str, Any] = {
    "type": "upright",
    "due_steps": 4,
    "zero_steps": 1,
    "total": 3.0,
    "ceiling": 4.0,
    "gap": 1.0,
}

SUMMARY: dict[str, Any] = {
    "label": None,
    "boundaries": 0,
    "episodes": 1,
    "scored_steps": 4,
    "unscored_steps": 2,
    "missing_steps": 1,
    "returns": {"count": 0, "left_out": 1, "mean": None, "min": None, "max": None},
    "lengths": {"count": 1, "left_out": 0, "mean": 7.0, "min": 7.0, "max": 7.0},
    "total": 3.0,
    "mean": 0.75,
    "ceiling": 4.0,
    "gap": 1.0,
    "components": [UPRIGHT],
}

REPORT: dict[str, Any] = {
    "schema_version": "reward-receipts.regime-report/v1",
    "spec_digest": None,
    "resolved_spec_digest": None,
    "overall": SUMMARY,
    "regimes": [{**SUMMARY, "label": "calm"}],
    "stages": [{"spec_digest": None, "resolved_spec_digest": None, "summary": SUMMARY}],
    "evaluation": {"overall": SUMMARY, "regimes": []},
}

REWARD_DATA: dict[str, dict[str, Any]] = {"spec": SPEC, "trace-row": ROW, "regime-report": REPORT}
"""By the short name of the schema."""
