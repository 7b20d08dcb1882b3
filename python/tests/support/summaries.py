"""Summaries of audits that a test makes up."""

from __future__ import annotations

import random

from field import Bench
from reward_receipts.bulk import Documents, Summary, Unread, Verdict
from reward_receipts.core.findings import Finding

HOSTILE = "<script>alert(1)</script>&\"'</style>\x1b[31m"
"""Text that is something else in HTML or on a terminal."""


def summary_with_everything(receipts: int = 400) -> Summary:
    """Every verdict and code a report has a place for; outcomes of all classes; hostile file names and sentences."""
    bench = Bench()
    later = bench.certify(certificate_id="certificate.later", issued_at_policy_update=150)
    contracts, certificates = {bench.contract.digest: bench.contract}, (bench.certificate, later)
    summary = Summary(Documents(contracts, {each.digest: each for each in certificates}))
    draw = random.Random(1)
    scored = bench.receipt()
    unscored = {"reward_outcome": "failed_platform", "scalar_reward": None, "reward_components": {}}
    expired = {"certificate_state": "expired", "certified": False}
    for number in range(receipts):
        members = {"policy_update": 100 + draw.randrange(50), "receipt_id": f"receipt.{number:06}"}
        if number % 3 == 1:
            members |= {"reward_outcome": "wrong_effect", "scalar_reward": -1.0}
        elif number % 3 == 2:
            members |= unscored
        if number % 7 == 3:
            members |= {"policy_update": 200 + draw.randrange(50), **expired}
        receipt = scored.model_copy(update=members)
        line, checked = number + 1, ("signature-invalid", "tier-exceeds-channel")
        if number % 20 == 7:
            finding = Finding("duplicate", HOSTILE, ("receipt_id",), line, 3)
            summary.add(Verdict("fails", f"{HOSTILE}.jsonl", line, receipt, (finding,), checked=checked))
        elif number % 20 == 8:
            unknown = Finding("signer-unknown", HOSTILE, ("issuer_key_id",), line, 9)
            summary.add(Verdict("undecided", "b.jsonl", line, receipt, (), (unknown,), checked=checked[1:]))
        elif number % 20 == 9:
            summary.add(Verdict("invalid", "b.jsonl", line, None, (Finding("json.syntax", HOSTILE, (), line, 1),)))
        else:
            summary.add(Verdict("holds", "b.jsonl", line, receipt, checked=checked))
    summary.add(Verdict("undecided", "c.json", None, scored, not_given={"key": ("signature-invalid",)}))
    summary.add(Unread("missing.json", f"cannot read {HOSTILE}"))
    return summary
