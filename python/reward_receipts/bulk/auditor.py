"""Audits many receipts against the contracts, certificates and keys that a reader holds.

An ``Auditor`` chooses the contract and the certificate that a receipt names by digest. ``audit`` in
``receipts/audit.py`` then checks the receipt against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, Self, TypeVar, cast

from ..core.codes import audit_checks, sentence
from ..core.findings import Finding, InvalidDocument
from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1
from ..documents.model import expected
from ..receipts.audit import NEEDS, AuditFinding
from ..receipts.audit import audit as report_of
from ..receipts.keys import PublicKey, require_keys
from .documents import Entry, entries, entry_of_text
from .files import STDIN, Text, Unread
from .repeats import Seen

Held = TypeVar("Held", RewardContractV1, RewardCertificateV1)
Inputs = Literal["contract", "certificate", "key"]

_CHECK_OF: Final = {check.signer_unknown: check.code for check in audit_checks()}
"""The check that did not run, by the code under which the audit lists a signature of an unknown signer."""


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

    verdict: Literal["holds", "fails", "undecided", "invalid"]
    """That of the audit; ``invalid`` for what is not a receipt by text, schema and rules."""
    source: str
    """The file; ``<stdin>`` for standard input, "" for a receipt that came from no file."""
    line: int | None
    """The physical line in JSON Lines, from 1."""
    receipt: RewardEvidenceReceiptV1 | None
    """The receipt; None if it is invalid."""
    findings: tuple[Finding, ...] = ()
    """What is wrong, with its place: any makes the verdict ``fails`` or ``invalid``."""
    unchecked: tuple[Finding, ...] = ()
    """The checks that could not run for this receipt, and why."""
    not_given: Mapping[Inputs, tuple[str, ...]] = field(default_factory=dict)
    """The inputs that the auditor does not have at all, each with the checks that did not run."""
    checked: tuple[str, ...] = ()
    """The codes of the checks that ran."""

    def __bool__(self) -> bool:
        return self.verdict == "holds"


class Auditor:
    """Audits receipts against the documents and keys that a reader holds.

    A receipt that names a contract or certificate that is not held is undecided: nothing is proved against it. With
    ``by_digest=False``, a single contract and a single certificate are those to audit against, whatever a receipt
    names. ``at_update`` is the trainer's own policy update. An auditor can be pickled and used in other processes.

    Raises KeyFormatError for a malformed key or keyring, whichever of its keys will be needed, and TypeError for
    another kind of document.

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
        at_update: int | None = None,
        by_digest: bool = True,
    ) -> None:
        if keyring is not None:
            require_keys(keyring)
        self._contracts = _Shelf.of("contract", contracts, RewardContractV1, by_digest)
        self._certificates = _Shelf.of("certificate", certificates, RewardCertificateV1, by_digest)
        self._keys = keyring
        self._at_update = at_update

    def receipt(self, receipt: bytes | bytearray | str | RewardEvidenceReceiptV1) -> Verdict:
        """The verdict of one receipt, given as its text or as a model. Repeats are not looked for."""
        if isinstance(receipt, RewardEvidenceReceiptV1):
            plain = receipt._settled()._plain()
            entry = Entry(Text("", receipt._canonical_text().encode()), (), plain, "receipt", ())
            return self._verdict(entry, receipt._settled(), None)
        data = receipt.encode("utf-8", "surrogatepass") if isinstance(receipt, str) else bytes(receipt)
        return self.entry(entry_of_text(Text("", data), "receipt"), None)

    def lines(self, lines: Iterable[bytes], source: str = STDIN) -> Iterator[Verdict]:
        """The verdict of each line that is not blank, with its number; repeats among them are findings."""
        seen = Seen()
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield self.entry(entry_of_text(Text(source, line, number), "receipt"), seen)

    def files(self, names: Iterable[str], *, lines: bool | None = None) -> Iterator[Verdict | Unread]:
        """The verdict of each receipt in files, patterns and folders; in between, what could not be read.

        Repeats among them are findings. ``lines`` says whether the files are JSON Lines; None means that the suffix
        does (.jsonl and .ndjson are).
        """
        seen = Seen()
        for entry in entries(names, "receipt", lines):
            yield entry if isinstance(entry, Unread) else self.entry(entry, seen)

    def entry(self, entry: Entry, seen: Seen | None) -> Verdict:
        """The verdict of an entry of ``bulk.documents``; ``seen`` has the receipts that it can repeat."""
        if entry.findings:
            return Verdict("invalid", entry.text.name, entry.line, None, entry.findings)
        return self._verdict(entry, cast(RewardEvidenceReceiptV1, entry.document()), seen)

    def _verdict(self, entry: Entry, receipt: RewardEvidenceReceiptV1, seen: Seen | None) -> Verdict:
        contract = self._contracts.named(receipt.reward_contract_digest)
        digest = receipt.certificate_digest
        certificate = None if digest is None else self._certificates.named(digest)
        found = report_of(receipt, contract, certificate, keyring=self._keys, at_update=self._at_update)

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
        if seen is not None:
            findings += seen.certain(entry)
            unchecked += seen.uncertain(entry)
        verdict: Any = "fails" if findings else "undecided" if unchecked or not_given else "holds"
        if seen is not None and verdict != "fails":
            seen.note(entry, holds=verdict == "holds")
        return Verdict(verdict, entry.text.name, entry.line, receipt, findings, unchecked, not_given, found.checked)

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


def _placed(entry: Entry, findings: Iterable[AuditFinding]) -> tuple[Finding, ...]:
    return tuple(entry.finding(f.code, f.sentence, (f.field,) if f.field else ()) for f in findings)
