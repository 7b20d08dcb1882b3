"""The consumer's file that mypy checks is not just typed: it runs."""

from pathlib import Path

import reward_receipts as rr
from consumer import use_everything


def test_the_consumer_works(tmp_path: Path) -> None:
    assert use_everything(tmp_path) is rr.AuditVerdict.UNDECIDED
