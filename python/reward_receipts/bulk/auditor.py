"""Audits many receipts against the contracts, certificates and keys that a reader holds.

An ``Auditor`` chooses the contract and the certificate that a receipt names by digest. ``audit`` in
``receipts/audit.py`` then checks the receipt against them.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, Self, TypeVar, cast

from ..core import extension
from ..core.codes import audit_checks, sentence
from ..core.findings import Finding, InvalidDocument
from ..core.generated.tables import MAX_TEXT_BYTES
from ..core.pointer import Path
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..documents.model import expected
from ..receipts.audit import NEEDS, AuditFinding, AuditReport, AuditVerdict, applying_checks, audit_signature
from ..receipts.audit import audit as report_of
from ..receipts.direct import native_auditor
from ..receipts.keys import PublicKey, require_keys
from .batches import Batch, batches
from .documents import Entry, damaged_entry, entries, entries_of, entry_of_text
from .files import STDIN, Damaged, Text, Unread, no_document
from .repeats import PACKED, Keys, Seen, keys_of
from .trust import Role, RoleName, TrustPolicy
from .workers import in_order

Held = TypeVar("Held", RewardContractV1, RewardCertificateV1)
Inputs = Literal["contract", "certificate", "key"]
Level = Literal["text", "schema", "signature", "audit"]
"""How deep receipts are checked; each includes those before it. Rules are part of ``schema``."""
LEVELS: Final[tuple[Level, ...]] = ("text", "schema", "signature", "audit")

_CHECK_OF: Final = {check.signer_unknown: check.code for check in audit_checks()}
"""The check that did not run, by the code under which the audit lists a signature of an unknown signer."""

_STATE: Final = extension.SHAPE.index("certificate_state")


@dataclass(frozen=True, slots=True)
class Documents:
    """The contracts and certificates that a reader holds, each by its digest.

    documents = Documents.from_folder("contracts/")
    auditor = Auditor(documents.contracts.values(), documents.certificates.values(), keyring)
    """

    contracts: Mapping[str, RewardContractV1]
    certificates: Mapping[str, RewardCertificateV1]

    @classmethod
    def from_folder(cls, *names: str) -> Self:
        """Those in some folders, files or patterns (``.json``, ``.jsonl``, ``.ndjson``); receipts are left out.

        Raises Unread for a file that cannot be read, and InvalidDocument, with a note that names the place, for a
        document that is not valid.
        """
        contracts: dict[str, RewardContractV1] = {}
        certificates: dict[str, RewardCertificateV1] = {}
        for entry in entries(names):
            if isinstance(entry, Unread):
                raise entry
            if entry.findings:
                error = InvalidDocument(entry.findings)
                error.add_note(f"in {entry.label}")
                raise error
            document = entry.document()
            if isinstance(document, RewardContractV1):
                contracts[document.digest] = document
            elif isinstance(document, RewardCertificateV1):
                certificates[document.digest] = document
        return cls(MappingProxyType(contracts), MappingProxyType(certificates))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self.contracts), dict(self.certificates))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of one receipt. True only if it holds."""

    verdict: Literal["holds", "valid", "fails", "undecided", "invalid"]
    """That of the audit; ``invalid`` for what is not a receipt by text, schema and rules. At a level below ``audit`` a
    receipt without findings is ``valid``."""
    source: str
    """The file; ``<stdin>`` for standard input, "" for a receipt that came from no file."""
    line: int | None
    """The physical line in JSON Lines, from 1."""
    receipt: RewardEvidenceReceiptV1 | None
    """The receipt; None if it is invalid, or if only its text was looked at."""
    findings: tuple[Finding, ...] = ()
    """What is wrong, with its place: any makes the verdict ``fails`` or ``invalid``."""
    unchecked: tuple[Finding, ...] = ()
    """The checks that could not run for this receipt, and why."""
    not_given: Mapping[Inputs, tuple[str, ...]] = field(default_factory=dict)
    """The inputs that the auditor does not have at all, each with the checks that did not run."""
    checked: tuple[str, ...] = ()
    """The codes of the checks that ran."""
    at: Path = ()
    """Where the receipt is in its text: () or, in a file that is one array, its index."""
    column: int | None = None
    """The column in which it starts, if it is in an array."""
    roles: tuple[Role, ...] = ()
    """The keys that receipt and certificate name as their signers, and whether the trust policy lets them."""

    @property
    def label(self) -> str:
        """``file``, ``file:line`` in JSON Lines, ``file:line:column`` in an array."""
        label = self.text.label if self.line is None else f"{self.text.label}:{self.line}"
        return label if self.column is None else f"{label}:{self.column}"

    @property
    def text(self) -> Text:
        """The file, without what it contains."""
        return Text(self.source, b"")

    def __bool__(self) -> bool:
        return self.verdict == "holds"


Shape = tuple[Any, ...]
"""What receipts have in common: verdict, checks, and the members of ``extension.SHAPE`` but the last one.

At the level ``text`` it is the verdict alone.
"""


@dataclass(slots=True)
class Good:
    """Some receipts of one batch that hold, or at a lower level are valid. They have a shape in common."""

    shape: Shape
    count: int
    first: Callable[[], Verdict]
    """The verdict of one of them."""


@dataclass(slots=True)
class _Other:
    """One verdict of a batch that is kept as it is."""

    before: int
    """How many receipts of ``_Judged.lines`` come before it."""
    verdict: Verdict | Unread
    keys: Keys | None
    """None if repeats are not looked for."""
    where: tuple[int, int]
    """The place of its text among those of the batch, and its own in the text."""


@dataclass(slots=True)
class _Judged:
    """What was found in a batch, before repeats are looked for. A worker sends it."""

    lines: array[int] = field(default_factory=lambda: array("Q"))
    """The lines of the receipts that are good, in order."""
    keys: bytes = b""
    """Their keys, packed; see ``Seen.note_lines``."""
    shapes: list[tuple[Shape, bytes]] = field(default_factory=list)
    """Their shapes, each with the places of its receipts in ``lines`` (``array("I")``)."""
    others: list[_Other] = field(default_factory=list)
    """The rest, in order."""
    good: list[Verdict] = field(default_factory=list)
    """The verdicts of ``lines``, if they were made here and are asked for; [] if each is to be made again."""


_Event = tuple[int, int] | Verdict | Unread
"""A range of places of good receipts, or a verdict."""


class Auditor:
    """Audits receipts against the documents and keys that a reader holds.

    A receipt that names a contract or certificate that is not held is undecided: nothing is proved against it. With
    ``by_digest=False``, a single contract and a single certificate are those to audit against, whatever a receipt
    names. A ``policy`` says which key may sign what, and what else is asked; what breaks it fails. ``at_update`` is the
    trainer's own policy update, by default that of the policy. At a lower ``level`` less is checked, and the best
    verdict is ``valid``. An auditor can be pickled and used in other processes.

    Raises KeyFormatError for a malformed key or keyring, whichever of its keys will be needed, TypeError for another
    kind of document, and ValueError for an unknown level.

        auditor = Auditor([contract], [certificate], keyring)
        for verdict in auditor.files(["receipts.jsonl"]):
            if isinstance(verdict, Unread):
                print(verdict)
            elif not verdict:
                print(verdict.source, verdict.line, verdict.verdict, *verdict.findings)
    """

    def __init__(
        self,
        contracts: Iterable[RewardContractV1],
        certificates: Iterable[RewardCertificateV1],
        keyring: PublicKey | None = None,
        *,
        policy: TrustPolicy | None = None,
        at_update: int | None = None,
        by_digest: bool = True,
        level: Level = "audit",
    ) -> None:
        if policy is not None and level != "audit":
            raise ValueError(f"a trust policy goes with the level audit, not with {level}")
        if keyring is not None:
            require_keys(keyring)
        if level not in LEVELS:
            raise ValueError(f"the level is {level!r}; expected one of {', '.join(LEVELS)}")
        self._contracts = _Shelf.of("contract", contracts, RewardContractV1, by_digest)
        self._certificates = _Shelf.of("certificate", certificates, RewardCertificateV1, by_digest)
        self._keys = keyring
        self._policy = policy
        self._at_update = policy.at_update if at_update is None and policy is not None else at_update
        self._level: Level = level
        self._native: extension.NativeAuditor | Literal[False] | None = False

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_native": False}

    def receipt(self, receipt: bytes | bytearray | str | RewardEvidenceReceiptV1) -> Verdict:
        """The verdict of one receipt, given as its text or as a model. Repeats are not looked for."""
        if isinstance(receipt, RewardEvidenceReceiptV1):
            plain = receipt._settled()._plain()
            entry = Entry(Text("", receipt._canonical_text().encode()), (), plain, "receipt", ())
            return self._verdict(entry, receipt._settled(), None)
        data = receipt.encode("utf-8", "surrogatepass") if isinstance(receipt, str) else bytes(receipt)
        return self.entry(self._entry_of(Text("", data)), None)

    def lines(self, lines: Iterable[bytes], source: str = STDIN) -> Iterator[Verdict]:
        """The verdict of each line that is not blank, with its number; repeats among them are findings."""
        seen = Seen()
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield self.entry(self._entry_of(Text(source, line, number)), seen)

    def files(
        self,
        names: Iterable[str],
        *,
        lines: bool | None = None,
        column: str | None = None,
        workers: int = 1,
        done: Callable[[int, int], None] | None = None,
    ) -> Iterator[Verdict | Unread]:
        """The verdict of each receipt in files, patterns and folders; in between, what could not be read.

        Repeats among them are findings. ``lines`` says whether the files are JSON Lines; None means that the suffix
        does (.jsonl and .ndjson are). ``column`` is the one of Parquet. With several ``workers``, so many processes
        check; the order stays the same. ``done`` is called after each batch, with its number of verdicts and its bytes.
        Raises WorkerLost if a process ends.
        """
        # Verdicts of other processes would be sent: to make those of good receipts again costs less.
        for batch, judged, events in self._settled(names, lines, column, workers, keep=workers == 1):
            for event in events:
                if isinstance(event, tuple) and judged.good:
                    yield from judged.good[slice(*event)]
                elif isinstance(event, tuple):
                    for number in judged.lines[slice(*event)]:
                        yield self._good(batch, number)
                else:
                    yield event
            if done is not None:
                done(len(judged.lines) + len(judged.others), batch.size)

    def counted(
        self,
        names: Iterable[str],
        *,
        lines: bool | None = None,
        column: str | None = None,
        workers: int = 1,
    ) -> Iterator[tuple[Batch, list[Good | Verdict | Unread]]]:
        """As ``files``, a batch at a time and faster: receipts that are good are only counted, by their shapes."""
        for batch, judged, events in self._settled(names, lines, column, workers):
            settled = list(events)
            good = [event for event in settled if isinstance(event, tuple)]
            left = None
            if sum(stop - start for start, stop in good) < len(judged.lines):
                left = {place for event in good for place in range(*event)}
            found: list[Good | Verdict | Unread] = []
            for shape, packed in judged.shapes:
                places: Sequence[int] = array("I", packed)
                if left is not None:
                    places = [place for place in places if place in left]
                if places:
                    first = partial(self._good, batch, judged.lines[places[0]])
                    found.append(Good(shape, len(places), first))
            found += [event for event in settled if not isinstance(event, tuple)]
            yield batch, found

    def entry(self, entry: Entry, seen: Seen | None) -> Verdict:
        """The verdict of an entry of ``bulk.documents``; ``seen`` has the receipts that it can repeat."""
        if entry.findings:
            return _verdict_of(entry, "invalid", None, findings=entry.findings)
        if self._level == "text":
            return _verdict_of(entry, "valid", None)
        return self._verdict(entry, cast(RewardEvidenceReceiptV1, entry.document()), seen)

    def _verdict(self, entry: Entry, receipt: RewardEvidenceReceiptV1, seen: Seen | None) -> Verdict:
        contract = self._contracts.named(receipt.reward_contract_digest)
        digest = receipt.certificate_digest
        certificate = None if digest is None else self._certificates.named(digest)
        found = self._report(receipt, contract, certificate)

        given = {"contract": contract, "certificate": certificate, "key": self._keys}
        missing = [what for what, document in given.items() if document is None]
        lacks = {
            unchecked.code: next((what for what in missing if what in NEEDS[unchecked.code]), "")
            for unchecked in found.unchecked
        }
        not_given: dict[Inputs, tuple[str, ...]] = {
            what: codes
            for what, held in self._given()
            if not held and (codes := tuple(_CHECK_OF.get(code, code) for code, lack in lacks.items() if lack == what))
        }
        unchecked = _placed(entry, (each for each in found.unchecked if not lacks[each.code]))
        unheld = {lack for lack in lacks.values() if lack and lack not in not_given}
        if unheld:
            unchecked = (self._not_held(entry, receipt, unheld), *unchecked)

        findings = _placed(entry, found.findings)
        if self._policy is not None:
            findings += _placed(entry, self._policy.findings(receipt, contract, certificate))
        keys = None if seen is None else seen.keys(entry)
        if seen is not None:
            findings += seen.certain(entry, keys)
            unchecked += seen.uncertain(entry, keys)
        verdict: Any = "fails" if findings else "undecided" if unchecked or not_given else self._best
        if seen is not None and verdict != "fails":
            seen.note(entry, holds=verdict == self._best, keys=keys)
        return _verdict_of(
            entry,
            verdict,
            receipt,
            findings=findings,
            unchecked=unchecked,
            not_given=not_given,
            checked=found.checked,
            roles=self._roles(receipt, certificate),
        )

    def _roles(self, receipt: RewardEvidenceReceiptV1, certificate: RewardCertificateV1 | None) -> tuple[Role, ...]:
        signed: list[tuple[RoleName, str]] = [("receipts", receipt.issuer_key_id)]
        if certificate is not None:
            signed.append(("certificates", certificate.issuer_key_id))
        contract, policy = receipt.reward_contract_digest, self._policy
        return tuple(
            Role(what, key, None if policy is None else policy.allows(key, what, contract)) for what, key in signed
        )

    @property
    def _best(self) -> Literal["holds", "valid"]:
        """The verdict without findings, at this level."""
        return "holds" if self._level == "audit" else "valid"

    def _report(
        self,
        receipt: RewardEvidenceReceiptV1,
        contract: RewardContractV1 | None,
        certificate: RewardCertificateV1 | None,
    ) -> AuditReport:
        if self._level == "audit":
            return report_of(receipt, contract, certificate, keyring=self._keys, at_update=self._at_update)
        if self._level == "signature":
            return audit_signature(receipt, self._keys)
        return AuditReport(AuditVerdict.HOLDS, (), (), ())

    def _settled(
        self, names: Iterable[str], lines: bool | None, column: str | None, workers: int, *, keep: bool = False
    ) -> Iterator[tuple[Batch, _Judged, Iterator[_Event]]]:
        """What was found in each batch, with its good receipts and its verdicts in order. Repeats are findings."""
        seen = Seen()
        found = in_order(_Judge(self, seen.key, keep), batches(names, lines, column=column), workers)
        for batch, judged in found:
            yield batch, judged, self._events(batch, judged, seen)

    def judge(self, batch: Batch, key: bytes, *, keep: bool = False) -> _Judged:
        """What is found in a batch, before repeats are looked for; ``key`` is that of ``Seen``.

        With ``keep``, verdicts of good receipts that are made on the way stay in it, in place of their shapes.
        """
        judged = _Judged()
        if batch.unread is not None:
            verdict: Verdict | Unread = batch.unread
            if isinstance(verdict, Damaged):
                verdict = self.entry(damaged_entry(verdict, "receipt"), None)
            judged.others.append(_Other(0, verdict, None, (0, 0)))
        elif batch.texts:
            for at, text in enumerate(batch.texts):
                self._judge_text(judged, text, at, key)
        elif not self._judge_natively(judged, batch, key):
            self._judge_lines(judged, batch, key, keep)
        return judged

    def _judge_text(self, judged: _Judged, text: Text, at: int, key: bytes) -> None:
        own = 0
        try:
            for entry in self._entries_of(text):
                judged.others.append(self._other(0, self.entry(entry, None), key, (at, own)))
                own += 1
        except Unread as unread:
            judged.others.append(_Other(0, unread, None, (at, own)))
        if not own:
            judged.others.append(_Other(0, no_document(text.name), None, (at, 0)))

    def _judge_natively(self, judged: _Judged, batch: Batch, key: bytes) -> bool:
        """Checks lines with the extension, and those that it does not accept without; False if it cannot."""
        checked = self._checked(batch)
        if checked is None:
            return False
        shapes, keys, numbers = checked.shapes(key)
        if not all(self._is_allowed(members) for members, _ in shapes):
            return False
        judged.keys = keys
        judged.lines.frombytes(numbers)
        judged.shapes = [(self._shape(members), places) for members, places in shapes]
        for rank, index in enumerate(checked.doubts()):
            (entry,) = self._entries_of(batch.line(checked.line(index)))
            judged.others.append(self._other(index - rank, self.entry(entry, None), key, (0, 0)))
        return True

    def _is_allowed(self, members: Sequence[Any]) -> bool:
        """Whether the policy allows receipts that hold and have some members of ``extension.SHAPE``."""
        if self._policy is None:
            return True
        shape = dict(zip(extension.SHAPE, members, strict=True))
        contract = self._contracts.named(shape["reward_contract_digest"])
        digest = shape["certificate_digest"]
        certificate = None if digest is None else self._certificates.named(digest)
        tier = shape["oracle_tier"] if contract is None else min(shape["oracle_tier"], contract.oracle.tier)
        signers = (shape["issuer_key_id"], None if certificate is None else certificate.issuer_key_id)
        return not self._policy.faults(shape["reward_contract_digest"], signers, int(tier), shape["certified"])

    def _judge_lines(self, judged: _Judged, batch: Batch, key: bytes, keep: bool) -> None:
        keys: list[bytes] = []
        shapes: dict[Shape, array[int]] = {}
        for text in batch.every_text():
            (entry,) = self._entries_of(text)
            other = self._other(len(judged.lines), self.entry(entry, None), key, (0, 0))
            verdict = other.verdict
            if isinstance(verdict, Verdict) and verdict.verdict == self._best:
                if keep:
                    judged.good.append(verdict)
                else:
                    shape = self._shape([getattr(verdict.receipt, name, None) for name in extension.SHAPE])
                    shapes.setdefault(shape, array("I")).append(len(judged.lines))
                judged.lines.append(text.line or 0)
                keys += other.keys or ()
            else:
                judged.others.append(other)
        judged.keys = b"".join(keys)
        judged.shapes = [(shape, places.tobytes()) for shape, places in shapes.items()]

    def _checked(self, batch: Batch) -> extension.Checked | None:
        """The lines of a batch as the extension checks them; None if it is not in use or cannot check them."""
        if len(batch.data) > MAX_TEXT_BYTES:  # a line may be too long
            return None
        if self._level in ("text", "schema"):
            return extension.check_lines(batch.data, "receipt", first_line=batch.first)
        if self._native is False:
            contracts, certificates = self._contracts, self._certificates
            self._native = native_auditor(
                contracts.held.values(),
                certificates.held.values(),
                self._keys,
                self._at_update,
                by_digest=contracts.by_digest,
            )
        if not self._native:
            return None
        if self._level == "signature":
            return self._native.verify_lines(batch.data, "receipt", first_line=batch.first)
        return self._native.audit_lines(batch.data, first_line=batch.first)

    def _shape(self, members: Sequence[Any]) -> Shape:
        if self._level == "text":
            return (self._best,)
        state = members[_STATE]
        return (self._best, self._checks(state), *members[:-1])

    def _checks(self, state: str) -> tuple[str, ...]:
        """The codes of the checks that run for a receipt with a state of its certificate."""
        if self._level == "audit":
            return applying_checks(state, self._at_update)
        return ("signature-invalid",) if self._level == "signature" else ()

    def _good(self, batch: Batch, number: int) -> Verdict:
        """The verdict of a line that is good."""
        if self._level == "text":
            return Verdict(self._best, batch.source, number, None)
        (entry,) = self._entries_of(batch.line(number))
        receipt = cast(RewardEvidenceReceiptV1, entry.document())
        checks = self._checks(receipt.certificate_state)
        digest = receipt.certificate_digest
        roles = self._roles(receipt, None if digest is None else self._certificates.named(digest))
        return Verdict(self._best, batch.source, number, receipt, checked=checks, roles=roles)

    def _other(self, before: int, verdict: Verdict, key: bytes, where: tuple[int, int]) -> _Other:
        receipt = verdict.receipt
        ids = None if receipt is None else keys_of(receipt.receipt_id, receipt.issuer_key_id, receipt.nonce, key)
        return _Other(before, verdict, ids, where)

    def _events(self, batch: Batch, judged: _Judged, seen: Seen) -> Iterator[_Event]:
        """The good receipts and the verdicts of a batch, in order, with repeats among them and of earlier ones."""
        done = 0
        for other in judged.others:
            yield from self._without_repeats(batch, judged, seen, done, other.before)
            done = other.before
            verdict = other.verdict
            if other.keys is not None and isinstance(verdict, Verdict):
                if seen.knows(other.keys):
                    at, own = other.where
                    text = batch.texts[at] if batch.texts else batch.line(verdict.line or 0)
                    entry = next(itertools.islice(self._entries_of(text), own, None))
                    verdict = self.entry(entry, seen)
                elif verdict.verdict != "fails":
                    holds = verdict.verdict == self._best
                    seen.note_place(other.keys, verdict.source, verdict.line, verdict.column, holds=holds)
            yield verdict
        yield from self._without_repeats(batch, judged, seen, done, len(judged.lines))

    def _without_repeats(self, batch: Batch, judged: _Judged, seen: Seen, start: int, stop: int) -> Iterator[_Event]:
        """A range of good receipts, with those that are repeats taken out."""
        if start == stop:
            return
        lines, keys = judged.lines[start:stop], judged.keys[start * PACKED : stop * PACKED]
        if self._level == "text" or seen.note_lines(keys, batch.source, lines):
            yield start, stop
            return
        done = start
        for place in range(start, stop):
            number, packed = judged.lines[place], judged.keys[place * PACKED : (place + 1) * PACKED]
            if not seen.note_lines(packed, batch.source, [number]):
                if done < place:
                    yield done, place
                done = place + 1
                (entry,) = self._entries_of(batch.line(number))
                yield self.entry(entry, seen)
        if done < stop:
            yield done, stop

    def _entries_of(self, text: Text) -> Iterator[Entry]:
        return entries_of(text, "receipt", text_only=self._level == "text")

    def _entry_of(self, text: Text) -> Entry:
        return entry_of_text(text, "receipt", text_only=self._level == "text")

    def _given(self) -> tuple[tuple[Inputs, bool], ...]:
        return (
            ("contract", bool(self._contracts.held)),
            ("certificate", bool(self._certificates.held)),
            ("key", self._keys is not None),
        )

    def _not_held(self, entry: Entry, receipt: RewardEvidenceReceiptV1, unheld: Iterable[str]) -> Finding:
        """One sentence for the contract and the certificate that the receipt names and that are not held."""
        parts, member = [], ""
        if "contract" in unheld:
            parts.append(self._contracts.unheld(receipt.reward_contract_digest))
            member = "reward_contract_digest"
        if "certificate" in unheld:
            parts.append(self._certificates.unheld(str(receipt.certificate_digest)))
            member = member or "certificate_digest"
        return entry.finding(
            "documents-not-held", sentence("documents-not-held", unheld=" and ".join(parts)), (member,)
        )


@dataclass(frozen=True, slots=True)
class _Judge:
    """Checks a batch: a worker is given it."""

    auditor: Auditor
    key: bytes
    keep: bool

    def __call__(self, batch: Batch) -> _Judged:
        return self.auditor.judge(batch, self.key, keep=self.keep)


@dataclass(frozen=True, slots=True)
class _Shelf(Generic[Held]):
    """The contracts, or the certificates, that the reader holds."""

    kind: str
    held: dict[str, Held]
    by_digest: bool
    """Whether a receipt is audited only against what it names; else the one document that is held is taken."""

    @classmethod
    def of(cls, kind: str, documents: Iterable[Held], model: type[Held], by_digest: bool) -> _Shelf[Held]:
        settled = [expected(each, model, f"each {kind}")._settled() for each in documents]
        held = {each.digest: each for each in settled}
        return cls(kind, held, by_digest)

    def named(self, digest: str) -> Held | None:
        """The document to audit a receipt against that names ``digest``."""
        if digest in self.held or self.by_digest or len(self.held) > 1:
            return self.held.get(digest)
        return next(iter(self.held.values()), None)

    def unheld(self, digest: str) -> str:
        count = len(self.held)
        return f"{self.kind} {digest} is {f'not one of the {count}' if count > 1 else 'not the one'} given"


def _verdict_of(entry: Entry, verdict: Any, receipt: RewardEvidenceReceiptV1 | None, **members: Any) -> Verdict:
    line, column = entry.text.place(entry.at) if entry.at else (entry.text.line, None)
    return Verdict(verdict, entry.text.name, line, receipt, at=entry.at, column=column, **members)


def _placed(entry: Entry, findings: Iterable[AuditFinding]) -> tuple[Finding, ...]:
    return tuple(entry.finding(f.code, f.sentence, (f.field,) if f.field else ()) for f in findings)
