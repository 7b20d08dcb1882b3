"""What every trainer's module shares: rewards of a batch, at the trainer's own policy update, and what was dropped.

A sample is a ``Reading`` of a live scorer, or the episode_id of a receipt in a file. Both give a ``Scored``; each
trainer's module says it in the trainer's own terms.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from ..core.codes import sentence
from ..core.findings import InvalidDocument, shown
from ..core.generated.vocabulary import OracleTier, RewardOutcomeV1, RewardUncertaintyStateV1
from ..core.numbers import finite_double
from ..documents.certificate import require_policy_update
from ..documents.certification import Refusals
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..documents.model import expected
from ..receipts.audit import AuditVerdict, audit
from ..receipts.issue import require_usable_certificate
from ..receipts.issuer import Episode, Issuer, PolicyUpdateWentBack
from ..receipts.keys import PublicKey, require_keys
from ..receipts.lifetime import DEFAULT_VACUITY_LIMIT, DEFAULT_WARN_WITHIN, CertificateLifetime, WhenCertificateEnds
from ..receipts.score import RewardScoreV1, score
from .receipt_store import ReceiptStore

_LOG: Final = logging.getLogger("reward_receipts.integrations")
_NONE: Final[Mapping[str, float]] = {}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a live scorer read of one sample's terminal effect."""

    outcome: RewardOutcomeV1 | str
    """What the oracle found."""
    tier: OracleTier | int
    """The tier at which it was read; it counts at most as much as the contract's channel."""
    components: Mapping[str, float] = field(default_factory=dict)
    """What each component contributed, by name; empty for an unscored outcome."""
    episode_id: str | None = None
    """The episode; needed where an Issuer issues its receipt."""
    evidence_digest: str | None = None
    """The digest of the evidence; needed where an Issuer issues its receipt."""
    uncertainty: RewardUncertaintyStateV1 | str = RewardUncertaintyStateV1.NONE
    """What is uncertain about the effect; for the receipt."""


Sample = Reading | str
"""A reading, or the episode_id of a receipt."""


class Drop(NamedTuple):
    """A sample that has no reward, and why."""

    sample: int
    """Its place in the batch, from 0."""
    code: str
    """``unscored``, ``uncertified``, ``no-receipt``, ``receipt-invalid``, ``receipt-fails``, ``receipt-undecided``,
    ``duplicate-receipt`` or ``policy-update-ahead``."""
    sentence: str
    """Why, in words."""
    episode_id: str | None
    """The episode, if the sample names one."""


class Scored(NamedTuple):
    """What one sample is worth to a trainer."""

    scalar: float | None
    """The reward; None if the sample was dropped. It is never 0.0 for an unscored one."""
    components: Mapping[str, float]
    """The components' contributions; empty if the sample was dropped."""
    certified: bool
    """Whether the reward is certified (synthetic) at the trainer's policy update."""
    refusals: Refusals
    """What speaks against certification (synthetic): sentences, each with its ``code``."""
    drop: Drop | None
    """Why there is no reward, if there is none."""


class DuplicateSample(ValueError):
    """An episode appears twice in a batch."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch, scored."""

    rows: list[Scored]
    """One for each sample, in their order."""
    policy_update: int
    """The update that they were scored at."""

    @property
    def drops(self) -> list[Drop]:
        """The samples that have no reward."""
        return [row.drop for row in self.rows if row.drop is not None]

    def column(self, component: str | None) -> list[float | None]:
        """The scalars, or the contributions of a component; None for every sample that was dropped."""
        if component is None:
            return [row.scalar for row in self.rows]
        return [row.components.get(component) for row in self.rows]

    def shares(self) -> dict[str, float]:
        """Shares of the samples, by flat names: certified_synthetic, unscored, dropped/CODE, refusals/CODE."""
        number = len(self.rows)
        if not number:
            return {}
        drops = Counter(row.drop.code for row in self.rows if row.drop is not None)
        refusals = Counter(each.code for row in self.rows for each in row.refusals)
        certified = sum(row.certified and row.drop is None for row in self.rows)
        counts = {"certified_synthetic": certified, "unscored": drops.pop("unscored", 0)}
        counts |= {f"dropped/{code}": count for code, count in sorted(drops.items())}
        counts |= {f"refusals/{code}": count for code, count in sorted(refusals.items())}
        return {name: count / number for name, count in counts.items()}


class Scoring:
    """Scores samples under a contract and a certificate, for any trainer.

    ``receipts`` is a file of receipts, which may grow while the run is under way; ``keyring`` are the keys that its
    receipts and the certificate are verified with. ``issuer`` issues a receipt for each reading, all of a batch before
    it is trained on; ``checkpoint_id`` names the checkpoint of a policy update (default ``checkpoint.00000120``).

    With ``certified_only`` a sample whose reward is not certified (synthetic) is dropped.
    ``when_certificate_ends``, ``warn_within`` and ``vacuity_limit`` are as for an Issuer, whose own count if one is
    given. ``on_drop`` is called with each sample that is dropped; without it the logger
    ``reward_receipts.integrations`` warns, once a batch.

    Raises ValueError for a certificate of another contract or one that does not meet its policy, for
    ``certified_only`` without a certificate, and for ``receipts`` without a ``keyring``.

        scoring = Scoring(contract, certificate, receipts="receipts.jsonl", keyring=Keyring.from_file("keyring.json"))
        scoring.score(["episode.0001", "episode.0002"], policy_update=120).column(None)
    """

    def __init__(
        self,
        contract: RewardContractV1,
        certificate: RewardCertificateV1 | None,
        *,
        receipts: str | os.PathLike[str] | None = None,
        keyring: PublicKey | None = None,
        issuer: Issuer | None = None,
        checkpoint_id: Callable[[int], str] = "checkpoint.{:08d}".format,
        certified_only: bool = False,
        when_certificate_ends: WhenCertificateEnds = "stop",
        warn_within: int = DEFAULT_WARN_WITHIN,
        vacuity_limit: float = DEFAULT_VACUITY_LIMIT,
        on_drop: Callable[[Drop], object] | None = None,
    ) -> None:
        self.contract = expected(contract, RewardContractV1, "contract")._settled()
        self.certificate = (
            None if certificate is None else expected(certificate, RewardCertificateV1, "certificate")._settled()
        )
        if certified_only and self.certificate is None:
            raise ValueError("certified_only without a certificate drops every sample; give the certificate")
        if keyring is not None:
            require_keys(keyring)
        self.certified_only = certified_only
        self._issuer = issuer
        self._checkpoint_id = checkpoint_id
        self._on_drop = on_drop
        self._keyring = keyring
        if issuer is None:
            require_usable_certificate(self.contract, self.certificate, keyring, stacklevel=3)
            self._lifetime = (
                None
                if self.certificate is None
                else CertificateLifetime(
                    self.certificate, warn_within=warn_within, on_end=when_certificate_ends, vacuity_limit=vacuity_limit
                )
            )
        else:
            if issuer.contract != self.contract or issuer.certificate != self.certificate:
                raise ValueError("the issuer has another contract or certificate than the scoring; give both the same")
            self._lifetime = issuer.lifetime
        self._store: ReceiptStore | None = None
        if receipts is not None:
            if keyring is None:
                raise ValueError("receipts are verified before they are trained on: give the keyring of their issuer")
            self._store = ReceiptStore(receipts, self.contract.digest)
        self._names = frozenset(self.contract.component_names)
        self._update: int | None = None

    @property
    def component_names(self) -> tuple[str, ...]:
        """The names of the contract's components."""
        return self.contract.component_names

    def score(self, samples: Sequence[Sample], policy_update: int) -> Batch:
        """The rewards of a batch at the trainer's own policy update.

        Raises DuplicateSample; PolicyUpdateWentBack if the update is below the one before; ValueError for an unknown
        outcome, tier or component, for a number that is not finite, for a scored outcome without components and an
        unscored one with them; CertificateEnded, and whatever the Issuer raises. Then nothing was issued.
        """
        update = require_policy_update(policy_update)
        if update != self._update:
            if self._update is not None and update < self._update:
                raise PolicyUpdateWentBack(
                    f"the trainer is at policy update {update} and was at {self._update}; the counter does not go back"
                    ". Another run has a Scoring of its own"
                )
            if self._lifetime is not None:
                self._lifetime.require(update)
            self._update = update
        self._require_distinct(samples)
        if self._store is not None and not all(isinstance(sample, Reading) for sample in samples):
            self._store.refresh()
        rows = [
            self._of_reading(sample, update, index)
            if isinstance(sample, Reading)
            else self._of_receipt(sample, update, index)
            for index, sample in enumerate(samples)
        ]
        if self._issuer is not None:
            self._issue(samples, update)
        self._tell(rows, update)
        return Batch(rows, update)

    def _require_distinct(self, samples: Sequence[Sample]) -> None:
        seen: dict[str, int] = {}
        for index, sample in enumerate(samples):
            episode_id = sample.episode_id if isinstance(sample, Reading) else sample
            if episode_id is not None:
                first = seen.setdefault(episode_id, index)
                if first != index:
                    raise DuplicateSample(
                        f"samples {first} and {index} of the batch are both episode {shown(episode_id)}; an episode is "
                        "scored once"
                    )

    def _of_reading(self, reading: Reading, update: int, index: int) -> Scored:
        scored = score(reading.outcome, reading.tier, self.certificate, update, contract=self.contract)
        components, outcome = reading.components, str(reading.outcome)
        if not isinstance(components, Mapping):
            raise TypeError(f"sample {index}: components is a {type(components).__name__}; expected a mapping")
        if scored.scalar is None:
            if components:
                raise ValueError(f"sample {index}: receipt.unscored-no-components: {outcome} goes without components")
            return self._unscored(scored, outcome, index, reading.episode_id)
        if not components:
            raise ValueError(f"sample {index}: receipt.scored-needs-components: {outcome} needs components")
        for name, value in components.items():
            if name not in self._names:
                known = ", ".join(self.component_names)
                raise ValueError(f"sample {index}: component {shown(name)} is not in the contract, which has {known}")
            if type(value) is not float or value - value != 0.0:
                made = finite_double(value, f"sample {index}: component {name}")
                components = {**components, name: made}
        return self._scored(scored.scalar, components, scored, index, reading.episode_id)

    def _of_receipt(self, episode_id: Any, update: int, index: int) -> Scored:
        if not isinstance(episode_id, str):
            raise TypeError(
                f"sample {index} is a {type(episode_id).__name__}; expected a Reading, or the episode_id of a receipt"
            )
        if self._store is None:
            raise ValueError(f"sample {index} is an episode_id, and there is no file of receipts: give receipts=")
        found = self._store.get(episode_id)
        if not found:
            text = f"{self._store.label} has no receipt of episode {shown(episode_id)} under this contract"
            return _dropped(Drop(index, "no-receipt", text, episode_id))
        holding: dict[str, tuple[int, RewardEvidenceReceiptV1]] = {}
        code, why = "receipt-fails", ""
        for place, receipt in found:
            label = f"{self._store.label}:{place.line}"
            if isinstance(receipt, InvalidDocument):
                code, why = "receipt-invalid", f"{label}: {receipt.findings[0].code}: {receipt.findings[0].sentence}"
                continue
            report = audit(receipt, self.contract, self.certificate, keyring=self._keyring)
            if report.verdict is AuditVerdict.HOLDS:
                holding.setdefault(receipt.digest, (place.line, receipt))
                continue
            faults = report.findings or report.unchecked
            code = "receipt-fails" if report.findings else "receipt-undecided"
            why = f"{label}: " + " ".join(f"{fault.code}: {fault.sentence}" for fault in faults)
        if not holding:
            return _dropped(Drop(index, code, why, episode_id))
        (line, receipt), *others = holding.values()
        if others:
            text = f"{self._store.label} has receipts of the episode in lines {line} and {others[0][0]} that differ"
            return _dropped(Drop(index, "duplicate-receipt", text, episode_id))
        if receipt.policy_update > update:
            text = str(sentence("policy-update-ahead", receipt=receipt.policy_update, at_update=update))
            return _dropped(Drop(index, "policy-update-ahead", f"{self._store.label}:{line}: {text}", episode_id))
        # Whether it is certified (synthetic) at the trainer's update: a certificate may have ended since.
        scored = score(receipt.reward_outcome, receipt.oracle_tier, self.certificate, update, contract=self.contract)
        scored = scored._replace(certified=scored.certified and receipt.certified)
        if receipt.scalar_reward is None:
            return self._unscored(scored, receipt.reward_outcome.value, index, episode_id)
        return self._scored(receipt.scalar_reward, receipt.reward_components, scored, index, episode_id)

    def _scored(
        self, scalar: float, components: Mapping[str, float], scored: RewardScoreV1, index: int, episode_id: str | None
    ) -> Scored:
        if self.certified_only and not scored.certified:
            text = "the reward is not certified (synthetic): " + " ".join(
                f"{each.code}: {each}" for each in scored.certification_refusals
            )
            drop = Drop(index, "uncertified", text, episode_id)
            return Scored(None, _NONE, False, scored.certification_refusals, drop)
        return Scored(scalar, components, scored.certified, scored.certification_refusals, None)

    def _unscored(self, scored: RewardScoreV1, outcome: str, index: int, episode_id: str | None) -> Scored:
        drop = Drop(index, "unscored", f"the outcome is {outcome}, which is unscored and never 0.0", episode_id)
        return Scored(None, _NONE, False, scored.certification_refusals, drop)

    def _issue(self, samples: Sequence[Sample], update: int) -> None:
        assert self._issuer is not None
        checkpoint = self._checkpoint_id(update)
        episodes = []
        for index, sample in enumerate(samples):
            if not isinstance(sample, Reading):
                continue
            if sample.episode_id is None or sample.evidence_digest is None:
                raise ValueError(
                    f"sample {index}: a receipt needs episode_id and evidence_digest; give both in Reading"
                )
            episodes.append(
                Episode(
                    episode_id=sample.episode_id,
                    outcome=sample.outcome,
                    tier=sample.tier,
                    policy_update=update,
                    policy_checkpoint_id=checkpoint,
                    evidence_digest=sample.evidence_digest,
                    reward_components=sample.components,
                    uncertainty=sample.uncertainty,
                )
            )
        self._issuer.issue_batch(episodes)

    def _tell(self, rows: list[Scored], update: int) -> None:
        drops = [row.drop for row in rows if row.drop is not None]
        if not drops:
            return
        if self._on_drop is not None:
            for drop in drops:
                self._on_drop(drop)
            return
        counts = ", ".join(f"{count} {code}" for code, count in Counter(drop.code for drop in drops).most_common())
        first = "; ".join(
            f"sample {drop.sample}" + (f" ({shown(drop.episode_id)})" if drop.episode_id else "") + f": {drop.sentence}"
            for drop in islice(drops, 3)
        )
        _LOG.warning("update %d: %d of %d samples dropped (%s). %s", update, len(drops), len(rows), counts, first)


def _dropped(drop: Drop) -> Scored:
    return Scored(None, _NONE, False, (), drop)
