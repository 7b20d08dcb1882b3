"""Issues signed receipts one after the other, while training: what follows from contract and certificate is worked out.

``issue_receipt`` issues a single one. An Issuer keeps, over all receipts of a contract, what a single one cannot know:
that the counter of policy updates does not go back, that an episode has one receipt, and when the certificate ends.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from operator import index
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from ..core.canonical import checked_canonical_text
from ..core.findings import InvalidDocument, shown
from ..core.generated.vocabulary import OracleTier, RewardOutcomeV1, RewardUncertaintyStateV1
from ..core.numbers import finite_double, plain_integer
from ..core.redaction import redacted
from ..documents.certificate import require_policy_update
from ..documents.certification import effective_tier
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..documents.model import expected
from ..documents.oracle import require_tier
from ..documents.outcomes import require_outcome
from ..documents.python_input import plain_json
from ..documents.read import checked_document
from ..documents.state import certificate_state
from ..validation.check import check, is_valid
from ..validation.schemas import REWARD_EVIDENCE_RECEIPT_SCHEMA
from .issue import require_usable_certificate
from .keys import PublicKey, SigningKey, require_signing_key
from .lifetime import DEFAULT_VACUITY_LIMIT, DEFAULT_WARN_WITHIN, CertificateLifetime, WhenCertificateEnds
from .receipt_file import Forks, ReceiptFile, ReceiptFileError
from .score import score
from .sign import verify, with_placeholder

_MOST_DERIVED: Final = 1024


class PolicyUpdateWentBack(ValueError):
    """The counter of policy updates is below one that receipts of the same contract were issued for."""


class DuplicateEpisode(ValueError):
    """An episode has a receipt under the contract already, or appears twice in a batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What only the scorer knows of an episode; everything else of its receipt follows."""

    episode_id: str
    """The episode: an OpaqueId, once per contract."""
    outcome: RewardOutcomeV1 | str
    """What the oracle found."""
    tier: OracleTier | int
    """The tier at which the terminal effect was read; it counts at most as much as the contract's channel."""
    policy_update: int
    """The policy update of the checkpoint that acted."""
    policy_checkpoint_id: str
    """That checkpoint: an OpaqueId."""
    evidence_digest: str
    """The digest of the evidence, which itself appears nowhere."""
    reward_components: Mapping[str, float] = field(default_factory=dict)
    """What each component contributed, by name; empty for an unscored episode."""
    uncertainty: RewardUncertaintyStateV1 | str = RewardUncertaintyStateV1.NONE
    """What is uncertain about the effect."""


class _Candidate(NamedTuple):
    """What an episode is admitted by."""

    episode_id: str
    policy_update: int
    short: bytes


class Issuer:
    """Issues receipts under one contract, with one certificate and one key.

    With a ``path`` each receipt is appended to a file of JSON Lines before ``issue`` returns, and several threads and
    processes may append to it, each with an Issuer of its own or one that was there before a fork. It survives SIGKILL;
    ``sync()``, which ``issue_batch`` calls, makes it survive a power failure too. A last line that was half written is
    taken away with the warning TornLine. Without a ``path`` nothing is written, and all that the Issuer knows ends
    with it.

    Of each contract the highest policy update is kept, from the file too: a lower one is refused with
    PolicyUpdateWentBack, unless it is at most ``late_updates`` lower, as in training with workers that lag. A second
    receipt of an episode is refused with DuplicateEpisode; an Issuer remembers about 100 bytes an episode for it.

    ``when_certificate_ends`` says what happens where the certificate is not current: ``"stop"`` raises
    CertificateEnded, and ``"uncertified"`` issues receipts that are not certified (synthetic). ``warn_within`` says how
    many policy updates before its end the warning CertificateEnding begins, ``vacuity_limit`` at which epsilon a
    certificate says too little to be used. ``certificate=None`` issues uncertified receipts.

    ``certificate_keyring`` is the key, or the keyring, of whoever may issue certificates. Without it a certificate
    under the signing key's own id is verified with that key, and for any other CertificateSignatureUnchecked is warned.

    Raises ValueError if the certificate is another contract's or does not meet its policy, CertificateVacuous (one
    of its kind) at the vacuity limit, InvalidDocument if the certificate's signature is not valid, ReceiptFileError
    if the file is not one of receipts that this key signed.

        key = SigningKey.from_file("issuer.private.json")
        with Issuer(contract, certificate, key, path="receipts.jsonl") as issuer:
            receipt = issuer.issue(Episode(episode_id="episode.0001", outcome="verified", tier=2, policy_update=120,
                policy_checkpoint_id="checkpoint.0120", evidence_digest=digest, reward_components={"effect": 1.0}))
    """

    def __init__(
        self,
        contract: RewardContractV1,
        certificate: RewardCertificateV1 | None,
        signing_key: SigningKey,
        *,
        path: str | os.PathLike[str] | None = None,
        when_certificate_ends: WhenCertificateEnds = "stop",
        warn_within: int = DEFAULT_WARN_WITHIN,
        vacuity_limit: float = DEFAULT_VACUITY_LIMIT,
        late_updates: int = 0,
        certificate_keyring: PublicKey | None = None,
    ) -> None:
        self.contract = expected(contract, RewardContractV1, "contract")._settled()
        self.certificate = (
            None if certificate is None else expected(certificate, RewardCertificateV1, "certificate")._settled()
        )
        self.signing_key = require_signing_key(signing_key)
        self.late_updates = _count(late_updates, "late_updates")
        keys = certificate_keyring
        if keys is None and self.certificate is not None and self.certificate.issuer_key_id == signing_key.key_id:
            keys = signing_key.keyring
        require_usable_certificate(self.contract, self.certificate, keys, stacklevel=3)
        self.lifetime = (
            None
            if self.certificate is None
            else CertificateLifetime(
                self.certificate, warn_within=warn_within, on_end=when_certificate_ends, vacuity_limit=vacuity_limit
            )
        )
        self._components = frozenset(self.contract.component_names)
        self._guard = threading.Lock()
        self._forks = Forks.count
        self._high_water: int | None = None
        self._told: int | None = None
        self._episodes: set[bytes] = set()
        self._derived: dict[Any, dict[str, Any]] = {}
        self._closed = False
        self._file: ReceiptFile | None = None
        if path is not None:
            self._file = ReceiptFile(path, self._see)
            try:
                with self._file.locked():  # reads what is there, and refuses a file that is not ours
                    pass
            except BaseException:
                self._file.close()
                raise

    @property
    def high_water_mark(self) -> int | None:
        """The highest policy update that a receipt of the contract was issued for; None before the first."""
        with self._alone():
            return self._high_water

    def expires_in(self, policy_update: int) -> int | None:
        """For how many updates, this one included, the certificate is current from here on; None without one."""
        return None if self.lifetime is None else self.lifetime.expires_in(policy_update)

    def issue(self, episode: Episode) -> RewardEvidenceReceiptV1:
        """The signed receipt of an episode; it is in the file, if there is one, when this returns.

        Raises PolicyUpdateWentBack, DuplicateEpisode, CertificateEnded; ValueError for an unknown outcome, tier or
        component and a number that is not finite; InvalidDocument if a member breaks a rule; OSError if the file cannot
        be written. Then nothing is written.
        """
        return self._issue((episode,))[0]

    def issue_batch(self, episodes: Iterable[Episode]) -> list[RewardEvidenceReceiptV1]:
        """The signed receipts of some episodes, in their order: all of them are written and synced, or none.

        Raises as ``issue`` does; the message names the episode.
        """
        receipts = self._issue(tuple(episodes))
        self.sync()
        return receipts

    def sync(self) -> None:
        """Waits until the receipts of the file are on the disk."""
        if self._file is not None:
            self._file.sync()

    def close(self) -> None:
        """Syncs the file, if there is one, and lets go of it. Closing twice does nothing."""
        with self._own_threads():
            file, self._file, self._closed = self._file, None, True
            if file is not None:
                file.sync()
                file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _issue(self, episodes: tuple[Episode, ...]) -> list[RewardEvidenceReceiptV1]:
        candidates = [_candidate(episode) for episode in episodes]
        with self._own_threads():
            self._admit(candidates)  # before anything is signed; below once more, with what others wrote
        receipts, lines = [], []
        for episode in episodes:
            receipt, line = self._signed(episode)
            receipts.append(receipt)
            lines.append(line)
        with self._alone():
            self._admit(candidates)
            if self._file is not None and lines:
                self._file.append(b"".join(lines), len(lines))
            for _, update, short in candidates:
                self._remember(short, update)
        return receipts

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps other threads and processes out, and knows what they issued."""
        with self._own_threads():
            if self._file is None:
                yield
            else:
                with self._file.locked():
                    yield

    def _own_threads(self) -> threading.Lock:
        if self._forks != Forks.count:  # a fork can have copied a lock that another thread held
            self._guard, self._forks = threading.Lock(), Forks.count
        return self._guard

    def _admit(self, candidates: list[_Candidate]) -> None:
        """Raises unless receipts of these episodes may be issued now."""
        if self._closed:
            raise ValueError("the issuer was closed")
        mark = self._high_water
        seen: set[bytes] = set()
        for episode_id, update, short in candidates:
            if mark is not None and update < mark - self.late_updates:
                late = f" by more than {self.late_updates}" if self.late_updates else ""
                raise PolicyUpdateWentBack(
                    f"episode {shown(episode_id)} is of policy update {update}; a receipt of contract "
                    f"{self.contract.contract_id} was issued for update {mark}, and the counter does not go back{late}"
                    ". A run that starts again at 0 writes to a new file, under a new contract or certificate"
                )
            mark = update if mark is None else max(mark, update)
            if short in seen:
                raise DuplicateEpisode(f"episode {shown(episode_id)} appears twice in the batch")
            seen.add(short)
            if short in self._episodes:
                raise DuplicateEpisode(
                    f"episode {shown(episode_id)} has a receipt under contract {self.contract.contract_id}"
                    + ("" if self._file is None else f" in {self._file.label}")
                )
            if self.lifetime is not None and update != self._told:
                self.lifetime.require(update)
                self._told = update

    def _remember(self, short: bytes, update: int) -> None:
        self._episodes.add(short)
        self._high_water = update if self._high_water is None else max(self._high_water, update)

    def _see(self, line: int, plain: Any) -> None:
        """Takes a receipt of the file that another issuer, or an earlier run, wrote."""
        assert self._file is not None
        place = f"{self._file.label}:{line}"
        try:
            contract, key_id = plain["reward_contract_digest"], plain["issuer_key_id"]
            episode_id, update = str(plain["episode_id"]), index(plain["policy_update"])
        except (KeyError, TypeError):
            raise ReceiptFileError(
                f"{place} is not a receipt; receipts are appended to a file of receipts only"
            ) from None
        if contract != self.contract.digest:
            return
        if key_id != self.signing_key.key_id:
            raise ReceiptFileError(
                f"{place} was issued under key {shown(key_id)}; this issuer's key is "
                f"{redacted(self.signing_key.key_id)}. Give the key of that issuer, or another file"
            )
        if self._high_water is None or update > self._high_water:
            self._require_own(place, plain)  # a line that nobody signed could raise the mark for good
        self._remember(_short(episode_id), update)

    def _require_own(self, place: str, plain: Any) -> None:
        """Raises ReceiptFileError unless this issuer's key signed a receipt that bears its id."""
        findings = check("receipt", plain)
        if findings:
            raise ReceiptFileError(f"{place}: {findings[0].code}: {findings[0].sentence}")
        receipt: Any = checked_document(plain, "receipt")
        if not verify(receipt, self.signing_key.keyring):
            raise ReceiptFileError(
                f"{place} names key {redacted(self.signing_key.key_id)}, and the key that this issuer has under that "
                "id did not sign it: give the key that did, or another file"
            )

    def _signed(self, episode: Episode) -> tuple[RewardEvidenceReceiptV1, bytes]:
        """A receipt and its line."""
        random = os.urandom(32).hex()
        plain = {
            **self._follows(episode),
            "receipt_id": f"receipt.{random[:32]}",
            "policy_checkpoint_id": _text(episode.policy_checkpoint_id, "policy_checkpoint_id"),
            "episode_id": _text(episode.episode_id, "episode_id"),
            "evidence_digest": _text(episode.evidence_digest, "evidence_digest"),
            "reward_components": self._contributions(episode),
            "uncertainty": _text(episode.uncertainty, "uncertainty"),
            "nonce": f"nonce.{random[32:]}",
            "issued_at": _stamp(int(time.time())),
        }
        complete = with_placeholder(plain, self.signing_key.algorithm)
        if not is_valid("receipt", complete) and (findings := check("receipt", complete)):
            named = f"Episode {shown(episode.episode_id)}: "
            raise InvalidDocument(tuple(replace(each, sentence=named + each.sentence) for each in findings))
        text = checked_canonical_text(plain)
        signature = self.signing_key.signature_of(text.encode())
        signed = {"signature": signature, "signature_algorithm": self.signing_key.algorithm}
        receipt: Any = checked_document({**plain, **signed}, "receipt")
        # The canonical line: both members stand right before the last one.
        last = f'"uncertainty":"{plain["uncertainty"]}"}}'
        members = ",".join(f'"{name}":"{value}"' for name, value in signed.items())
        line = f"{text.removesuffix(last)}{members},{last}\n"
        return receipt, line.encode()

    def _follows(self, episode: Episode) -> dict[str, Any]:
        """The members that follow from contract, certificate and key: worked out once for each kind of episode."""
        update = require_policy_update(episode.policy_update)
        key = (update, require_outcome(episode.outcome), require_tier(episode.tier))
        known = self._derived.get(key)
        if known is not None:
            return known
        certificate = self.certificate
        scored = score(key[1], key[2], certificate, update, contract=self.contract)
        known = {
            "schema_version": REWARD_EVIDENCE_RECEIPT_SCHEMA,
            "reward_contract_digest": self.contract.digest,
            "policy_update": update,
            "oracle_tier": int(effective_tier(self.contract, key[2])),
            "reward_outcome": key[1].value,
            "scalar_reward": scored.scalar,
            "certificate_id": None if certificate is None else certificate.certificate_id,
            "certificate_digest": None if certificate is None else certificate.digest,
            "certificate_state": certificate_state(certificate, update).value,
            "calibration_corpus_digest": None if certificate is None else certificate.calibration_corpus_digest,
            "calibration_scope": None if certificate is None else certificate.calibration_scope.value,
            "certified": scored.certified,
            "development_only": scored.development_only,
            "issuer_key_id": self.signing_key.key_id,
        }
        if len(self._derived) >= _MOST_DERIVED:
            self._derived.clear()
        self._derived[key] = known
        return known

    def _contributions(self, episode: Episode) -> dict[str, float]:
        if not isinstance(episode.reward_components, Mapping):
            found = type(episode.reward_components).__name__
            raise TypeError(
                f"reward_components of episode {shown(episode.episode_id)} is a {found}; expected a mapping"
            )
        contributions = {}
        for name, value in episode.reward_components.items():
            if name not in self._components:
                known = ", ".join(self.contract.component_names)
                raise ValueError(
                    f"episode {shown(episode.episode_id)}: component {shown(name)} is not in the contract, which has "
                    f"{known}"
                )
            if type(value) is not float or value - value != 0.0:
                value = finite_double(value, f"episode {shown(episode.episode_id)}: component {name}")
            contributions[name] = value
        return contributions


def _candidate(episode: object) -> _Candidate:
    if not isinstance(episode, Episode):
        raise TypeError(f"an Issuer takes an Episode, not a {type(episode).__name__}")
    if not isinstance(episode.episode_id, str):
        raise TypeError(f"the episode_id {shown(episode.episode_id)} is not text")
    return _Candidate(episode.episode_id, require_policy_update(episode.policy_update), _short(episode.episode_id))


@lru_cache(maxsize=1)
def _stamp(second: int) -> str:
    """A second since 1970 as a timestamp in UTC."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(value: Any, name: str) -> Any:
    return value if type(value) is str and value.isascii() else plain_json(value, (name,))


def _short(episode_id: str) -> bytes:
    """Sixteen bytes that stand for an id, so that memory does not grow with its length."""
    return hashlib.blake2b(episode_id.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _count(value: int, name: str) -> int:
    number = plain_integer(value)
    if number is None or number < 0:
        raise ValueError(f"{name} is {shown(value)}; expected an integer from 0")
    return number
