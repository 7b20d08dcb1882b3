"""What an audit of many receipts found, in memory that does not grow with their number.

A ``Summary`` counts verdicts. Summaries of parts of the input merge into the summary of the whole, in any order, with
the same figures: sums are exact, and ranges of policy updates are powers of two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ..core.escaping import file_label, without_surrogates
from ..core.findings import Finding
from ..core.generated.vocabulary import RewardOutcomeV1
from ..core.redaction import redacted, redacted_words
from ..documents.generated.models import RewardCertificateV1, RewardEvidenceReceiptV1
from .auditor import Documents, Good, Verdict
from .files import STDIN, Unread

VERDICTS: Final = ("holds", "valid", "fails", "undecided", "invalid")
OUTCOMES: Final = tuple(outcome.value for outcome in RewardOutcomeV1)

MAX_RANGES: Final = 128
"""The ranges of policy updates that are kept apart."""
MAX_CONTRACTS: Final = 1000
"""The contracts that are kept apart, beside those that are held."""
MAX_UNREAD: Final = 100
"""The files that are named of those that could not be read."""
MAX_SENTENCE: Final = 500
"""The characters of an example's sentence."""
OTHERS: Final = "others"
"""In place of the digests of contracts beyond ``MAX_CONTRACTS``."""

_MAX_WAITING: Final = 4096
_SCALE: Final = 1074
"""Every double is a whole multiple of 2 to the power of -1074."""


class Example(NamedTuple):
    """One receipt that a code was found of: the first one by file and line."""

    source: str
    """The file; ``<stdin>`` for standard input, "" for a receipt that came from no file."""
    line: int
    """The line in the file, from 1; 0 if there is none."""
    column: int
    """The column, from 1; 0 if there is none."""
    pointer: str
    """The place in the receipt, as a JSON pointer."""
    sentence: str
    receipt_id: str | None
    """None if the text is not a valid receipt."""

    @property
    def place(self) -> str:
        """``file:line:column``, as messages show it; "" for a receipt that came from no file."""
        name = self.source if self.source in ("", STDIN) else redacted(file_label(self.source))
        return ":".join([name, *(str(part) for part in (self.line, self.column) if part)]) if name else ""

    def as_json(self) -> dict[str, Any]:
        """The example as plain JSON."""
        return {
            "source": redacted(without_surrogates(self.source)) or None,
            "line": self.line or None,
            "column": self.column or None,
            "pointer": without_surrogates(self.pointer),
            "sentence": without_surrogates(self.sentence),
            "receipt_id": self.receipt_id,
        }


@dataclass(slots=True)
class CodeCount:
    """How often a code was found."""

    example: Example
    receipts: int = 0
    """The receipts, or invalid texts, that it was found of at least once."""
    times: int = 0

    def merge(self, other: CodeCount) -> None:
        """Adds the counts of other receipts."""
        self.example = min(self.example, other.example, key=_position)
        self.receipts += other.receipts
        self.times += other.times


class Scalars:
    """Statistics of the scalar rewards of scored receipts. Every sum is exact, so their order does not matter."""

    __slots__ = ("_squares", "_sum", "count", "greatest", "least", "negative", "positive")

    def __init__(self) -> None:
        self.count = self.positive = self.negative = 0
        self.least, self.greatest = math.inf, -math.inf
        self._sum = self._squares = 0  # in units of 2 ** -_SCALE, and of its square

    def add(self, value: float, times: int = 1) -> None:
        """Counts a scalar."""
        numerator, denominator = value.as_integer_ratio()
        shift = _SCALE + 1 - denominator.bit_length()
        self.count += times
        self.positive += times if value > 0 else 0
        self.negative += times if value < 0 else 0
        self.least, self.greatest = min(self.least, value), max(self.greatest, value)
        self._sum += times * numerator << shift
        self._squares += times * numerator * numerator << 2 * shift

    def merge(self, other: Scalars) -> None:
        """Counts the scalars of other receipts."""
        self.count += other.count
        self.positive += other.positive
        self.negative += other.negative
        self.least, self.greatest = min(self.least, other.least), max(self.greatest, other.greatest)
        self._sum += other._sum
        self._squares += other._squares

    @property
    def mean(self) -> float | None:
        """The mean; None without scalars, never 0.0."""
        return self._sum / (self.count << _SCALE) if self.count else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of these scalars (divided by their number); None without scalars."""
        if not self.count:
            return None
        return math.sqrt((self._squares * self.count - self._sum**2) / (self.count**2 << 2 * _SCALE))

    def as_json(self) -> dict[str, Any]:
        """The statistics as plain JSON; null in place of what does not exist without scalars."""
        return {
            "mean": self.mean,
            "standard_deviation": self.deviation,
            "least": self.least if self.count else None,
            "greatest": self.greatest if self.count else None,
            "positive": self.positive,
            "negative": self.negative,
            "zero": self.count - self.positive - self.negative,
        }


@dataclass(slots=True)
class Group:
    """Counts over some receipts that are valid by text, schema and rules."""

    receipts: int = 0
    certified: int = 0
    """The receipts that say certified (synthetic)."""
    development_only: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    scalars: Scalars = field(default_factory=Scalars)
    """Of the scored receipts only."""

    @property
    def unscored(self) -> int:
        """The receipts without a scalar. They count nowhere as 0.0."""
        return self.receipts - self.scalars.count

    def merge(self, other: Group) -> None:
        """Adds the counts of other receipts."""
        self.receipts += other.receipts
        self.certified += other.certified
        self.development_only += other.development_only
        self.outcomes.update(other.outcomes)
        self.scalars.merge(other.scalars)

    def as_json(self) -> dict[str, Any]:
        """The counts as plain JSON."""
        return {
            "receipts": self.receipts,
            "certified_synthetic": self.certified,
            "development_only": self.development_only,
            "outcomes": {name: self.outcomes[name] for name in OUTCOMES if self.outcomes[name]},
            "scored": self.scalars.count,
            "unscored": self.unscored,
            "scalars": self.scalars.as_json(),
        }


Groups = dict[str, Group]
"""Groups of receipts by their verdict."""


class UpdateRange(NamedTuple):
    """The receipts of some policy updates that follow each other."""

    first: int
    last: int
    """Included."""
    groups: Groups


class Summary:
    """Counts over the verdicts of an Auditor, in constant memory. It can be pickled.

    ``documents`` are those that the receipts were audited against. With them the summary also says why receipts are
    not certified (synthetic), and which certificates end when.

        summary = Summary(documents)
        for verdict in auditor.files(["receipts.jsonl"]):
            summary.add(verdict)
        print(summary_text(summary))

    Workers make a summary each, and the first merges the others:

        summary.merge(other)

    At most 128 ranges of policy updates are kept apart: a range is as wide as the least power of two with which that
    is enough. At most 1,000 contracts that are not held are kept apart, those with the least digests; the rest is
    counted as ``others``.
    """

    def __init__(self, documents: Documents | None = None) -> None:
        self.documents = documents
        self._verdicts: Counter[str] = Counter()
        self._groups: Groups = {}
        self._contracts: dict[str, Groups] = {}
        self._certificates: Counter[str] = Counter()
        self._ranges: dict[int, Groups] = {}
        self._width = 1
        self._checked: Counter[str] = Counter()
        self._not_given: dict[str, tuple[int, frozenset[str]]] = {}
        self._findings: dict[str, CodeCount] = {}
        self._unchecked: dict[str, CodeCount] = {}
        self._refusals: dict[str, CodeCount] = {}
        self._refusals_unknown = 0
        self._refusals_of: dict[tuple[Any, ...], tuple[str, ...]] = {}
        self._unread_count = 0
        self._unread: list[tuple[str, str]] = []
        self._waiting: dict[tuple[Any, ...], int] = {}
        """How many receipts have the same members; ``_settle`` counts them."""

    def add(self, verdict: Verdict | Unread) -> None:
        """Counts a verdict, or a file that could not be read."""
        if isinstance(verdict, Unread):
            self._add_unread([(verdict.name, str(verdict))], 1)
            return
        self._verdicts[verdict.verdict] += 1
        if verdict.findings:
            _count(self._findings, verdict, verdict.findings)
        if verdict.unchecked:
            _count(self._unchecked, verdict, verdict.unchecked)
        for what, codes in verdict.not_given.items():
            count, before = self._not_given.get(what, (0, frozenset()))
            self._not_given[what] = (count + 1, before.union(codes))
        receipt = verdict.receipt
        if receipt is None:
            self._checked.update(verdict.checked)
            return
        shape = (
            verdict.verdict,
            verdict.checked,
            receipt.reward_contract_digest,
            receipt.certificate_digest,
            receipt.policy_update,
            receipt.oracle_tier,
            receipt.certificate_state,
            receipt.reward_outcome,
            receipt.scalar_reward,
            receipt.certified,
            receipt.development_only,
        )
        times = self._waiting.get(shape)
        if times is None:
            if not receipt.certified:
                self._note_refusals(verdict, receipt)
            if len(self._waiting) >= _MAX_WAITING:
                self._settle()
            times = 0
        self._waiting[shape] = times + 1

    def count(self, good: Good) -> None:
        """Counts receipts that are good by their shape, as ``Auditor.counted`` gives them."""
        shape = good.shape
        self._verdicts[shape[0]] += good.count
        if len(shape) == 1:  # only texts were looked at
            return
        times = self._waiting.get(shape)
        if times is None:
            _, _, contract, certificate, _, tier, state, *_, certified, _ = shape
            if not certified and _refusal_key(contract, certificate, tier, state) not in self._refusals_of:
                first = good.first()
                assert first.receipt is not None  # it is good
                self._note_refusals(first, first.receipt)
            if len(self._waiting) >= _MAX_WAITING:
                self._settle()
            times = 0
        self._waiting[shape] = times + good.count

    def merge(self, other: Summary) -> None:
        """Adds what another summary has counted, of other receipts."""
        other._settle()
        self._settle()
        self.documents = self.documents or other.documents
        self._verdicts.update(other._verdicts)
        _merge_groups(self._groups, other._groups)
        for digest, groups in other._contracts.items():
            _merge_groups(self._contracts.setdefault(digest, {}), groups)
        self._limit_contracts()
        self._certificates.update(other._certificates)
        self._widen(other._width)
        for index, groups in other._ranges.items():
            _merge_groups(self._ranges.setdefault(index * other._width // self._width, {}), groups)
        self._limit_ranges()
        self._checked.update(other._checked)
        for what, (count, codes) in other._not_given.items():
            own, before = self._not_given.get(what, (0, frozenset()))
            self._not_given[what] = (own + count, before | codes)
        for mine, theirs in (
            (self._findings, other._findings),
            (self._unchecked, other._unchecked),
            (self._refusals, other._refusals),
        ):
            for code, more in theirs.items():
                mine.setdefault(code, CodeCount(more.example)).merge(more)
        self._refusals_unknown += other._refusals_unknown
        self._add_unread(other._unread, other._unread_count)

    @property
    def receipts(self) -> int:
        """The receipts and invalid texts that were counted."""
        return self._verdicts.total()

    @property
    def verdicts(self) -> Mapping[str, int]:
        """How many have each verdict of ``VERDICTS``; ``valid`` only if there are any."""
        return {each: self._verdicts[each] for each in VERDICTS if each != "valid" or self._verdicts[each]}

    @property
    def groups(self) -> Groups:
        """The valid receipts by their verdict."""
        self._settle()
        return self._groups

    @property
    def contracts(self) -> Mapping[str, Groups]:
        """The valid receipts by the digest of the contract that they name, then by verdict: those held first."""
        self._settle()
        self._limit_contracts(0)
        return {digest: self._contracts[digest] for digest in sorted(self._contracts, key=self._rank)}

    @property
    def certificates(self) -> Mapping[str, int]:
        """How many valid receipts name each certificate that is held, by digest."""
        self._settle()
        return {digest: self._certificates[digest] for digest in self._held_certificates()}

    @property
    def ranges(self) -> Sequence[UpdateRange]:
        """The valid receipts by ranges of policy updates, in their order. Ranges without receipts are left out."""
        self._settle()
        width = self._width
        return [
            UpdateRange(index * width, (index + 1) * width - 1, groups)
            for index, groups in sorted(self._ranges.items())
        ]

    @property
    def findings(self) -> Mapping[str, CodeCount]:
        """The findings by code, the most frequent first."""
        return _by_count(self._findings)

    @property
    def unchecked(self) -> Mapping[str, CodeCount]:
        """The checks that could not run, by code, the most frequent first. ``not_given`` is apart."""
        return _by_count(self._unchecked)

    @property
    def refusals(self) -> Mapping[str, CodeCount]:
        """Why receipts that do not fail are not certified (synthetic), by code, the most frequent first.

        Empty without ``documents``. Such refusals are not findings.
        """
        self._settle()
        return _by_count(self._refusals)

    @property
    def refusals_unknown(self) -> int:
        """As ``refusals``: the receipts whose contract or certificate is not held, so that nobody can say."""
        self._settle()
        return self._refusals_unknown

    @property
    def checked(self) -> Mapping[str, int]:
        """For how many receipts each check ran."""
        self._settle()
        return dict(sorted(self._checked.items()))

    @property
    def not_given(self) -> Mapping[str, tuple[int, tuple[str, ...]]]:
        """The inputs that the audit did not have: how many receipts needed each, and the checks that did not run."""
        return {what: (count, tuple(sorted(codes))) for what, (count, codes) in sorted(self._not_given.items())}

    @property
    def unread(self) -> tuple[int, Sequence[tuple[str, str]]]:
        """How many files could not be read; the names and messages of the first 100."""
        return self._unread_count, self._unread

    def to_json(self) -> dict[str, Any]:
        """The summary as plain JSON. The documents that it refers to are left out."""
        return {
            "receipts": self.receipts,
            "verdicts": dict(self.verdicts),
            "by_verdict": _groups_json(self.groups),
            "findings": _codes_json(self.findings),
            "unchecked": _codes_json(self.unchecked),
            "not_given": {
                what: {"receipts": count, "checks": list(codes)} for what, (count, codes) in self.not_given.items()
            },
            "checked": dict(self.checked),
            "certification_refusals": {
                "by_code": _codes_json(self.refusals),
                "unknown": self.refusals_unknown,
            },
            "contracts": [
                {
                    "reward_contract_digest": None if digest == OTHERS else digest,
                    "contract_id": self.contract_id(digest),
                    "by_verdict": _groups_json(groups),
                }
                for digest, groups in self.contracts.items()
            ],
            "certificates": [
                {
                    "certificate_digest": digest,
                    "certificate_id": held.certificate_id,
                    "reward_contract_digest": held.reward_contract_digest,
                    "issued_at_policy_update": held.issued_at_policy_update,
                    "expires_at_policy_update": held.expires_at_policy_update,
                    "receipts": self._certificates[digest],
                }
                for digest, held in self._held_certificates().items()
            ],
            "policy_updates": [
                {"first": first, "last": last, "by_verdict": _groups_json(groups)}
                for first, last, groups in self.ranges
            ],
            "unread": {
                "files": self._unread_count,
                "first": [{"file": name, "message": message} for name, message in self._unread],
            },
        }

    def contract_id(self, digest: str) -> str | None:
        """The id of a contract; None if it is not held."""
        held = None if self.documents is None else self.documents.contracts.get(digest)
        return None if held is None else held.contract_id

    def _held_certificates(self) -> Mapping[str, RewardCertificateV1]:
        return {} if self.documents is None else self.documents.certificates

    def _note_refusals(self, verdict: Verdict, receipt: RewardEvidenceReceiptV1) -> None:
        """Why the receipt is not certified (synthetic), and that this is an example of it."""
        if self.documents is None or verdict.verdict == "fails":
            return
        key = _refusal_key(
            receipt.reward_contract_digest, receipt.certificate_digest, receipt.oracle_tier, receipt.certificate_state
        )
        contract = self.documents.contracts.get(receipt.reward_contract_digest)
        digest = receipt.certificate_digest
        certificate = None if digest is None else self.documents.certificates.get(digest)
        if key in self._refusals_of or contract is None or (digest is not None and certificate is None):
            return
        refusals = receipt.certification_refusals(contract, certificate)
        self._refusals_of[key] = tuple(refusal.code for refusal in refusals)
        for refusal in refusals:
            example = _example(verdict, Finding(refusal.code, refusal))
            known = self._refusals.setdefault(refusal.code, CodeCount(example))
            known.example = min(known.example, example, key=_position)

    def _settle(self) -> None:
        """Counts the receipts that wait."""
        waiting, self._waiting = self._waiting, {}
        for shape, times in waiting.items():
            verdict, checked, contract, certificate, update, *rest = shape
            tier, state, outcome, scalar, certified, development_only = rest
            for code in checked:
                self._checked[code] += times
            if certificate is not None and certificate in self._held_certificates():
                self._certificates[certificate] += times
            index = update // self._width
            if index not in self._ranges and len(self._ranges) >= MAX_RANGES:
                self._ranges[index] = {}
                self._limit_ranges()
                index = update // self._width
            for groups in (
                self._groups,
                self._contracts.setdefault(contract, {}),
                self._ranges.setdefault(index, {}),
            ):
                group = groups.get(verdict)
                if group is None:
                    group = groups[verdict] = Group()
                group.receipts += times
                group.certified += times * certified
                group.development_only += times * development_only
                group.outcomes[str(outcome)] += times
                if scalar is not None:
                    group.scalars.add(scalar, times)
            if not certified and verdict != "fails" and self.documents is not None:
                codes = self._refusals_of.get(_refusal_key(contract, certificate, tier, state))
                for code in codes or ():
                    self._refusals[code].receipts += times
                    self._refusals[code].times += times
                self._refusals_unknown += times if codes is None else 0
            self._limit_contracts()

    def _rank(self, digest: str) -> tuple[bool, bool, str]:
        """The order of contracts: those held first, the rest together last."""
        return digest == OTHERS, self.documents is None or digest not in self.documents.contracts, digest

    def _limit_contracts(self, room: int = MAX_CONTRACTS) -> None:
        """Counts as others what is more than ``MAX_CONTRACTS``, if it is more by ``room``.

        The greatest digests go, so that the order of the receipts does not matter.
        """
        most = MAX_CONTRACTS + (len(self.documents.contracts) if self.documents is not None else 0)
        if len(self._contracts) - (OTHERS in self._contracts) > most + room:
            for digest in sorted(self._contracts.keys() - {OTHERS}, key=self._rank)[most:]:
                _merge_groups(self._contracts.setdefault(OTHERS, {}), self._contracts.pop(digest))

    def _limit_ranges(self) -> None:
        while len(self._ranges) > MAX_RANGES:
            self._widen(self._width * 2)

    def _widen(self, width: int) -> None:
        """Makes each range as wide as ``width``, a power of two, unless it is wider already."""
        if width <= self._width:
            return
        ranges, factor = self._ranges, width // self._width
        self._ranges, self._width = {}, width
        for index, groups in ranges.items():
            _merge_groups(self._ranges.setdefault(index // factor, {}), groups)

    def _add_unread(self, unread: Iterable[tuple[str, str]], count: int) -> None:
        self._unread_count += count
        for name, message in unread:
            if len(self._unread) < MAX_UNREAD:
                self._unread.append((redacted(without_surrogates(name)), redacted_words(without_surrogates(message))))


def _refusal_key(contract: str, certificate: str | None, tier: int, state: str) -> tuple[Any, ...]:
    """What decides which refusals there are, beside the documents."""
    return contract, certificate, tier, state


def _count(counts: dict[str, CodeCount], verdict: Verdict, findings: Iterable[Finding]) -> None:
    codes = set()
    for finding in findings:
        known = counts.get(finding.code)
        if known is None:
            known = counts[finding.code] = CodeCount(_example(verdict, finding))
        elif _position_of(verdict, finding) < _position(known.example):
            known.example = _example(verdict, finding)
        known.times += 1
        known.receipts += finding.code not in codes
        codes.add(finding.code)


def _example(verdict: Verdict, finding: Finding) -> Example:
    sentence = str(finding.sentence)
    return Example(
        *_position_of(verdict, finding),
        redacted(finding.pointer),
        sentence if len(sentence) <= MAX_SENTENCE else f"{sentence[: MAX_SENTENCE - 3]}...",
        None if verdict.receipt is None else redacted(verdict.receipt.receipt_id),
    )


def _position_of(verdict: Verdict, finding: Finding) -> tuple[str, int, int]:
    return verdict.source, finding.line or verdict.line or 0, finding.column or 0


def _position(example: Example) -> tuple[str, int, int]:
    return example.source, example.line, example.column


def _merge_groups(mine: Groups, theirs: Groups) -> None:
    for verdict, group in theirs.items():
        mine.setdefault(verdict, Group()).merge(group)


def merged_groups(parts: Iterable[Groups]) -> Groups:
    """The groups of several parts, together."""
    together: Groups = {}
    for part in parts:
        _merge_groups(together, part)
    return together


def _by_count(counts: Mapping[str, CodeCount]) -> dict[str, CodeCount]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1].receipts, each[0])))


def _groups_json(groups: Groups) -> dict[str, Any]:
    return {verdict: groups[verdict].as_json() for verdict in VERDICTS if verdict in groups}


def _codes_json(counts: Mapping[str, CodeCount]) -> dict[str, Any]:
    return {
        code: {"receipts": count.receipts, "times": count.times, "example": count.example.as_json()}
        for code, count in counts.items()
    }
