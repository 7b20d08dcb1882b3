"""The receipts of openadapt-flow's benchmark: issued elsewhere, under 322 keys, with real outcomes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import reward_receipts as rr
from field import VECTORS
from openadapt_flow_evidence import SAMPLED, SDIST, VERSION, Entry, entries, sample

SAMPLE = [json.loads(line) for line in (VECTORS / "openadapt_flow" / "receipts.jsonl").read_bytes().splitlines()]


def audited(entry: Entry) -> rr.AuditReport:
    receipt = rr.read_document(entry["receipt"], "receipt")
    contract = rr.read_document(entry["contract"], "contract")
    assert isinstance(receipt, rr.RewardEvidenceReceiptV1)
    assert isinstance(contract, rr.RewardContractV1)
    keyring = rr.Keyring.from_mapping({receipt.issuer_key_id: entry["key"]})
    return rr.audit(receipt, contract, keyring=keyring)


def outcomes(found: list[Entry]) -> Counter[str]:
    return Counter(json.loads(entry["receipt"])["reward_outcome"] for entry in found)


def test_the_sample_holds_and_has_every_outcome() -> None:
    assert outcomes(SAMPLE) == SAMPLED
    assert all(audited(entry) for entry in SAMPLE)


def test_a_receipt_of_the_sample_that_was_changed_does_not_hold() -> None:
    for entry in SAMPLE:
        changed = {**entry, "receipt": entry["receipt"].replace('"policy_update": 0', '"policy_update": 1')}
        assert [finding.code for finding in audited(changed).findings] == ["signature-invalid"]


@pytest.mark.skipif("REWARD_RECEIPTS_DEEP" not in os.environ, reason="it fetches 28 MB: tox -e deep")
def test_all_receipts_of_the_sdist_hold_and_the_sample_is_from_them(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "openadapt-flow"]
    # No build is needed for a file of the archive; pip asks for the metadata only.
    done = subprocess.run(
        [*pip, "-d", str(tmp_path), f"openadapt-flow=={VERSION}"], capture_output=True, text=True, check=False
    )
    if not (tmp_path / SDIST).exists():
        pytest.fail(f"pip did not fetch {SDIST}: {done.stderr[-500:]}")
    found = entries(tmp_path / SDIST)
    assert len(found) == 322
    assert set(outcomes(found)) == set(SAMPLED)
    assert [entry["path"] for entry in found if not audited(entry)] == []
    assert sample(found) == SAMPLE
