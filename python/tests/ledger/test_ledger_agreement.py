"""A ledger agrees with a model of the rules that keeps everything in a list, whatever is admitted in whatever batches.

REWARD_RECEIPTS_DEEP=1 (tox -e deep) makes 400 ledgers in place of 12.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from itertools import islice

import pytest
import reward_receipts as rr
from ledger_places import AUDITOR, BENCH, Place, opened
from reward_receipts.bulk import Verdict
from reward_receipts.ledger import NotAdmitted

DEEP = os.environ.get("REWARD_RECEIPTS_DEEP") == "1"
SIZES = (1000, 64, 4, 3, 1)
"""The rows that are inserted at once: as the databases have it, and in smaller pieces."""


class Model:
    """Section 11 of the specification, as literally as possible."""

    def __init__(self, max_backwards: int | None) -> None:
        self.rows: list[rr.RewardEvidenceReceiptV1] = []
        self._max_backwards = max_backwards

    def admit(self, verdict: Verdict) -> tuple[str, int | None]:
        receipt = verdict.receipt
        if receipt is not None and receipt in self.rows:
            return "already-admitted", self.rows.index(receipt) + 1
        if not verdict:
            return ("undecided" if verdict.verdict == "undecided" else "refused"), None
        assert receipt is not None
        for other in self.rows:
            if (
                other.receipt_id == receipt.receipt_id
                or (other.issuer_key_id, other.nonce) == (receipt.issuer_key_id, receipt.nonce)
                or (other.reward_contract_digest, other.episode_id)
                == (receipt.reward_contract_digest, receipt.episode_id)
            ):
                return "conflict", None
        same = [other for other in self.rows if other.reward_contract_digest == receipt.reward_contract_digest]
        if self._max_backwards is not None and same:
            newest = max(other.policy_update for other in same)
            if receipt.policy_update < newest - self._max_backwards:
                return "refused", None
        self.rows.append(receipt)
        return "admitted", len(self.rows)

    def admit_whole(self, verdicts: Sequence[Verdict]) -> tuple[list[tuple[str, int | None]], bool]:
        before = list(self.rows)
        answers = [self.admit(verdict) for verdict in verdicts]
        good = all(row is not None for _, row in answers)
        if not good:
            self.rows = before
        return answers, good


@pytest.fixture(scope="module")
def stock() -> list[Verdict]:
    """Receipts that share ids, nonces, episodes and updates in many ways; some fail, are undecided or are invalid."""
    chance = random.Random(5)
    texts: list[bytes] = [b"{", b"{}"]
    for _ in range(60):
        receipt = BENCH.receipt(
            receipt_id=f"receipt.{chance.randrange(25):04}",
            nonce=f"nonce.{chance.randrange(25):04}",
            episode_id=f"episode.{chance.randrange(25):04}",
            policy_update=chance.randrange(105, 115),
        )
        if chance.random() < 0.1:
            receipt = receipt.model_copy(update={"policy_update": receipt.policy_update + 1})
        elif chance.random() < 0.1:
            receipt = receipt.model_copy(update={"issuer_key_id": "key.of.a.stranger"})
        texts.append(receipt.model_dump_json().encode())
    return [AUDITOR.receipt(text) for text in texts]


@pytest.mark.parametrize("seed", range(400 if DEEP else 12))
def test_a_ledger_agrees_with_a_model(place: Place, stock: list[Verdict], seed: int) -> None:
    chance = random.Random(seed)
    max_backwards = chance.choice([None, None, 0, 2, 5])
    model = Model(max_backwards)
    with opened(place, max_backwards=max_backwards) as ledger:
        ledger._store.piece = chance.choice(SIZES)  # type: ignore[misc]
        for _ in range(15):
            verdicts = chance.choices(stock, k=chance.randrange(1, 20))
            way = chance.randrange(4)
            if way == 0:
                found = [ledger.admit(verdicts[0])]
                expected = [model.admit(verdicts[0])]
            elif way == 1:
                expected, good = model.admit_whole(verdicts)
                try:
                    found = ledger.admit_many(verdicts)
                    assert good
                except NotAdmitted as error:
                    assert not good
                    found = []
                    assert {at: (each.status, None) for at, each in error.refused.items()} == {
                        at: answer for at, answer in enumerate(expected) if answer[1] is None
                    }
                    expected = []
            else:
                batch = chance.randrange(1, 25)
                left = iter(verdicts)
                expected = []
                while part := list(islice(left, batch)):
                    expected += [model.admit(verdict) for verdict in part]
                found = list(ledger.admit_each(verdicts, batch=batch))
            assert [(each.status, each.row) for each in found] == expected
        assert [record.receipt for record in ledger.chain()] == model.rows
        assert ledger.check(ledger.head()) == ()
