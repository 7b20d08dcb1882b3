"""What the tests of trainers share: a contract, its certificate, and readings of samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import reward_receipts as rr
from field import WORKED
from reward_receipts.integrations.scoring import Reading, Scoring

EVIDENCE = "sha256:" + "c" * 64
COMPONENTS = ("halt_on_uncertainty", "terminal_effect")
"""Those of the worked contract, whose weights are 0.25 and 1.0."""


class Desk:
    """A contract of the channel ``file``, a key, and a certificate that is current from update 0 to 49."""

    def __init__(self, **certificate: Any) -> None:
        self.key = rr.SigningKey.generate("key.test.0001")
        self.contract = rr.RewardContractV1.model_validate_json((WORKED / "contract_as_authored.json").read_bytes())
        assert self.contract.component_names == COMPONENTS
        members = {"epsilon": 0.01, "issued_at_policy_update": 0, **certificate}
        self.certificate = rr.issue_certificate(
            contract=self.contract, checker_configuration_digest=EVIDENCE, signing_key=self.key, **members
        )

    def scoring(self, **options: Any) -> Scoring:
        """Scoring with everything in hand."""
        given = {"keyring": self.key.keyring, **options}
        return Scoring(self.contract, self.certificate, **given)

    def issuer(self, path: Path | None = None, **options: Any) -> rr.Issuer:
        """An issuer of the contract's receipts."""
        return rr.Issuer(self.contract, self.certificate, self.key, path=path, **options)


def reading(outcome: str = "verified", tier: int = 2, *, number: int | None = None, **components: float) -> Reading:
    """A reading; without components a scored one has 0.1 for the first."""
    unscored = outcome in ("reconciliation_required", "failed_platform")
    given = {} if unscored else components or {"halt_on_uncertainty": 0.1}
    return Reading(
        outcome,
        tier,
        given,
        None if number is None else f"episode.{number:08d}",
        EVIDENCE,
        "effect_uncertain" if outcome == "reconciliation_required" else "none",
    )


def episode(number: int, outcome: str = "verified", **members: Any) -> rr.Episode:
    """An episode at update 0, for an issuer."""
    read = reading(outcome, number=number)
    given = {
        "episode_id": read.episode_id,
        "outcome": outcome,
        "tier": 2,
        "policy_update": 0,
        "policy_checkpoint_id": "checkpoint.00000000",
        "evidence_digest": EVIDENCE,
        "reward_components": read.components,
        "uncertainty": read.uncertainty,
    }
    return rr.Episode(**{**given, **members})


def changed(line: bytes, **members: Any) -> bytes:
    """The line of a receipt with members changed: its signature does not verify any more."""
    return json.dumps({**json.loads(line), **members}).encode() + b"\n"
