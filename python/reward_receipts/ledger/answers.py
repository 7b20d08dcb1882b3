"""The answers of a ledger, and its errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..bulk.auditor import Verdict
from ..core.findings import Finding

Status = Literal["admitted", "already-admitted", "conflict", "refused", "undecided"]
"""The first two are true: the ledger has the receipt."""


class LedgerError(ValueError):
    """A ledger cannot be opened, read or written. The message names it, and contains no password.

    Nothing of the call that raised it was acknowledged. If the connection broke while a transaction was being
    committed, its receipts may be recorded all the same: admit them again, and the answer tells you.
    """


@dataclass(frozen=True, slots=True)
class Conflict:
    """An admitted receipt that another one conflicts with."""

    row: int
    """Its row."""
    receipt_id: str
    digest: str
    """The digest of the admitted receipt."""
    members: tuple[str, ...]
    """What the two have in common: ``receipt_id``, ``nonce`` (with the issuer_key_id), ``episode_id`` (with the
    reward_contract_digest)."""


@dataclass(frozen=True, slots=True)
class Admission:
    """The answer for one receipt. True if the ledger has it.

    - ``admitted``: this call recorded it.
    - ``already-admitted``: the ledger had it; nothing changed.
    - ``conflict``: another receipt was admitted that has its receipt_id, its nonce under the same issuer_key_id, or
      its episode under the same contract.
    - ``refused``: it is invalid or fails its audit, or its policy update runs backwards.
    - ``undecided``: a check of its audit could not run.
    """

    status: Status
    row: int | None
    """Its row in the ledger; None if the ledger does not have it."""
    verdict: Verdict
    """The verdict of its audit, with the receipt and its place."""
    findings: tuple[Finding, ...] = ()
    """What the ledger found, beside the findings of the verdict: conflicts, or an update that runs backwards."""
    conflicts: tuple[Conflict, ...] = ()
    """The admitted receipts that it conflicts with."""

    def __bool__(self) -> bool:
        return self.row is not None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of everything that kept it from being admitted, each once; () if the ledger has it."""
        if self:
            return ()
        found = [each.code for each in (*self.verdict.findings, *self.verdict.unchecked, *self.findings)]
        found += [code for codes in self.verdict.not_given.values() for code in codes]
        return tuple(dict.fromkeys(found))


class NotAdmitted(ValueError):
    """A batch was refused whole, and nothing of it was recorded. ``refused`` names each receipt that is at fault."""

    refused: dict[int, Admission]
    """The answers that are not true, by the index of the receipt in the batch, from 0."""

    def __init__(self, refused: dict[int, Admission]) -> None:
        super().__init__(refused)
        self.refused = refused

    def __str__(self) -> str:
        named = [f"receipt {at} {each.status} ({', '.join(each.codes)})" for at, each in self.refused.items()]
        more = f", and {len(named) - 5} more" if len(named) > 5 else ""
        return f"nothing of the batch was recorded: {', '.join(named[:5])}{more}"


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over a whole ledger."""

    rows: int
    link: str
    """The link of the last row."""
    bytes: int
    """What the ledger takes on disk, with its indexes."""
    contracts: tuple[ContractStats, ...]
    issuers: dict[str, int]
    """The number of receipts of each issuer_key_id."""


@dataclass(frozen=True, slots=True)
class ContractStats:
    """Counts over the receipts of one contract."""

    reward_contract_digest: str
    receipts: int
    first_update: int
    """The least policy update of a receipt."""
    last_update: int
    """The greatest policy update of a receipt."""
