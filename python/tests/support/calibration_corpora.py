"""Corpora, contracts and certificates that the tests of calibration share."""

from __future__ import annotations

from typing import Any

import reward_receipts as rr
from field import OPENADAPT
from reward_receipts.calibration import Trials

CHECKER = "sha256:" + "c" * 64
KEY = rr.SigningKey.generate("key.calibration.0001")


def rows(faulty: int, wrong: int = 0, controls: int = 10, failed: int = 0) -> list[dict[str, Any]]:
    """Trials with decisions: the first ones that should be refused are accepted, the first controls refused."""
    classes = ("duplicate", "omitted", "extra")
    bad: list[dict[str, Any]] = [
        {"trial_id": f"f{i}", "should_accept": False, "accepted": i < wrong, "fault_class": classes[i % 3]}
        for i in range(faulty)
    ]
    return [*bad, *({"trial_id": f"c{i}", "should_accept": True, "accepted": i >= failed} for i in range(controls))]


def scored(*scores: float, controls: int = 10) -> list[dict[str, Any]]:
    """Trials with scores that should be refused, and clean controls that score 1."""
    bad = [{"trial_id": f"f{i}", "should_accept": False, "score": s, "fault_class": "a"} for i, s in enumerate(scores)]
    return [*bad, *({"trial_id": f"c{i}", "should_accept": True, "score": 1.0} for i in range(controls))]


def contract(trials: Trials, **policy: Any) -> rr.RewardContractV1:
    """A contract whose policy names the corpus of these trials."""
    plain: Any = rr.read_json((OPENADAPT / "contract.json").read_bytes())
    plain["certificate_policy"] |= {"epsilon": 0.05, "delta": 0.05, "threshold": 0.5, "expiry_policy_updates": 50}
    plain["certificate_policy"] |= {"calibration_corpus_digest": trials.digest, **policy}
    return rr.RewardContractV1.model_validate(plain)
