"""Mutants of the package: each rule, refusal, finding and verdict that has a code or a value switched off, or bent.

Each is named, says which layers can see it, and changes the package through pytest's monkeypatch. Names that start
with a code and a colon are about that code.
"""

from __future__ import annotations

import codecs
import dataclasses
import itertools
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import reward_receipts as rr
from compose_mutants import CodeMutant, Patch, compose_mutants
from pydantic_core import PydanticUndefined
from reward_receipts.core import canonical
from reward_receipts.core import strict_json as text
from reward_receipts.core.codes import audit_checks, catalogue, sentence
from reward_receipts.core.findings import InvalidText
from reward_receipts.core.frozen import FrozenMap
from reward_receipts.core.generated.tables import CANONICAL_ORDER
from reward_receipts.documents import build, certificate, certification, model, oracle, outcomes, receipt
from reward_receipts.documents import export as members
from reward_receipts.documents.certificate import CertificateDocument
from reward_receipts.documents.generated import models
from reward_receipts.documents.model import Part
from reward_receipts.documents.receipt import ReceiptDocument
from reward_receipts.receipts import audit as auditing
from reward_receipts.receipts import keys
from reward_receipts.receipts import score as scoring
from reward_receipts.receipts import sign as signatures
from reward_receipts.validation import check as shape


def code_mutants() -> Iterator[CodeMutant]:
    """All of them."""
    yield from _of_text()
    yield from _of_rules()
    yield from _of_certification()
    yield from _of_scores()
    yield from _of_audits()
    yield from _of_signatures()
    yield from _of_canonical_form()
    yield from _of_defaults()
    yield from compose_mutants()


# Text. The package's fast way in is the standard library's scanner with hooks; its slow one is the plain statement of
# the rules. A mutant that takes the slow one only is reported.


def _of_text() -> Iterator[CodeMutant]:
    def json_mutant(name: str, apply: Callable[[Patch], None]) -> CodeMutant:
        return CodeMutant(name, ("json",), apply)

    for name, hooks in {
        "json.duplicate: the last one wins": {"object_pairs_hook": dict},
        "json.number: an endless double": {"parse_float": float},
        "json.number: an endless integer": {"parse_int": lambda token: 0},
        "json.syntax: NaN and Infinity": {"parse_constant": float},
        "json.syntax: control characters in strings": {"strict": False},
    }.items():
        yield json_mutant(name, _decoder(hooks))
    yield json_mutant("json.surrogate: not looked for", lambda p: p.setattr(text, "_SURROGATE_ESCAPE", _NEVER))
    for name, limit in {
        "none": 2**40,
        "one more": text.MAX_TEXT_BYTES + 1,
        "one less": text.MAX_TEXT_BYTES - 1,
    }.items():
        yield json_mutant(f"json.size: {name}", lambda p, limit=limit: p.setattr(text, "MAX_TEXT_BYTES", limit))
    for name, limit in {
        "three times": 192,
        "one more": text.MAX_TEXT_DEPTH + 1,
        "one less": text.MAX_TEXT_DEPTH - 1,
    }.items():
        yield json_mutant(f"json.depth: {name}", lambda p, limit=limit: p.setattr(text, "MAX_TEXT_DEPTH", limit))
    for name, decode in {
        "json.utf8: replaced": lambda data: data.decode("utf-8", "replace"),
        "json.utf8: surrogates pass": lambda data: data.decode("utf-8", "surrogatepass"),
        "json.utf8: Latin-1": lambda data: data.decode("latin-1") if _is_no_utf8(data) else data.decode(),
        "json.utf8: whatever the standard library detects": lambda data: data.decode(json.detect_encoding(data)),
        "json.bom: skipped": lambda data: data.removeprefix(codecs.BOM_UTF8).decode(),
    }.items():
        yield json_mutant(name, _decoded(decode))
    yield json_mutant("json.trailing: never looked at", _without_trailing)
    scanner: dict[str, tuple[str, Any]] = {
        "zeros before a number": ("_NUMBER", re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")),
        "no digits after the point": ("_NUMBER", re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?")),
        "no digits before the point": (
            "_NUMBER",
            re.compile(r"-?(?:0|[1-9][0-9]*|(?=\.))(\.[0-9]+)?([eE][-+]?[0-9]+)?"),
        ),
        "a plus before a number": ("_NUMBER", re.compile(r"[-+]?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")),
        "digits of every script": ("_NUMBER", re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")),
        "no negative numbers": ("_NUMBER", re.compile(r"(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")),
        "no capital E": ("_NUMBER", re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([e][-+]?[0-9]+)?")),
        "no plus in an exponent": ("_NUMBER", re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE]-?[0-9]+)?")),
        "every white space of Unicode": ("_WHITE", re.compile(r"\s*")),
        "no tabs": ("_WHITE", re.compile(r"[ \n\r]*")),
        "no carriage returns": ("_WHITE", re.compile(r"[ \t\n]*")),
        "comments": ("_WHITE", re.compile(r"(?:[ \t\n\r]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)),
        "control characters": ("_PLAIN", re.compile(r'[^"\\]*')),
        "tabs in strings": ("_PLAIN", re.compile(r'[^"\\\x00-\x08\x0a-\x1f]*')),
        "no U+007F": ("_PLAIN", re.compile(r'[^"\\\x00-\x1f\x7f]*')),
        "no lower-case hex": ("_HEX", re.compile(r"[0-9A-F]{4}")),
        "no upper-case hex": ("_HEX", re.compile(r"[0-9a-f]{4}")),
        "hex with what int() skips": ("_HEX", re.compile(r"[0-9a-fA-F][0-9a-fA-F_][0-9a-fA-F]{2}")),
        "an escaped apostrophe": ("_ESCAPES", {**text._ESCAPES, "'": "'"}),
        "escapes of C": ("_ESCAPES", {**text._ESCAPES, **dict.fromkeys("avx0", "?")}),
        **{
            f"no escape {letter}": ("_ESCAPES", {k: v for k, v in text._ESCAPES.items() if k != letter})
            for letter in text._ESCAPES
        },
        "literals of Python": ("_LITERALS", {**text._LITERALS, "True": True, "False": False, "None": None}),
        "literals of JavaScript": ("_LITERALS", {**text._LITERALS, "undefined": None}),
        **{
            f"no literal {word}": ("_LITERALS", {k: v for k, v in text._LITERALS.items() if k != word})
            for word in text._LITERALS
        },
    }
    for name, (attribute, value) in scanner.items():
        yield json_mutant(f"json.syntax: {name}, slowly", _scanner(attribute, value))
    yield json_mutant("json.syntax: a comma before the end, slowly", _with_comma_at_the_end)
    yield json_mutant("json.syntax: a text that ends too early, slowly", _open_at_the_end)


_NEVER: Final = re.compile(r"(?!)")


def _is_no_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def _decoder(hooks: dict[str, Any]) -> Callable[[Patch], None]:
    given = {"object_pairs_hook": text._object, "parse_int": text._integer, "parse_float": text._double}
    hooks = {**given, "parse_constant": text._constant, **hooks}
    return lambda patch: patch.setattr(text, "_scan_once", json.JSONDecoder(**hooks).scan_once)


def _decoded(decode: Callable[[bytes], str]) -> Callable[[Patch], None]:
    def read(data: bytes) -> Any:
        try:
            return original(decode(data))
        except UnicodeDecodeError:
            return original(data)

    original = text.read_json
    return lambda patch: patch.setattr(rr, "read_json", read)


def _slowly(patch: Patch) -> None:
    patch.setattr(rr, "read_json", lambda data: text._Scanner(text.decode(data)).document())


def _scanner(attribute: str, value: Any) -> Callable[[Patch], None]:
    def apply(patch: Patch) -> None:
        _slowly(patch)
        patch.setattr(text, attribute, value)

    return apply


def _without_trailing(patch: Patch) -> None:
    def document(self: Any) -> Any:
        self._skip_white()
        return self._value(self.at)

    patch.setattr(text._Scanner, "document", document)


def _with_comma_at_the_end(patch: Patch) -> None:
    def comma(self: Any, closing: str) -> None:
        try:
            original(self, closing)
        except InvalidText:
            if self._peek() != closing or self.text[: self.at].rstrip()[-1:] != ",":
                raise

    original = text._Scanner._comma
    _slowly(patch)
    for name in ("_members", "_items"):
        patch.setattr(text._Scanner, name, _tolerant(getattr(text._Scanner, name), "}" if name == "_members" else "]"))
    patch.setattr(text._Scanner, "_comma", comma)


def _tolerant(original: Callable[[Any], Any], closing: str) -> Callable[[Any], Any]:
    def read(self: Any) -> Any:
        try:
            return original(self)
        except InvalidText:
            if self._peek() == closing and self.text[: self.at].rstrip()[-1:] == ",":
                self._leave()
                return None
            raise

    return read


def _open_at_the_end(patch: Patch) -> None:
    def expected(self: Any, what: str, at: int | None = None) -> Any:
        if self.at >= len(self.text) and self.text.strip():
            raise _Ended
        original(self, what, at)

    def read(data: bytes) -> Any:
        try:
            return text._Scanner(text.decode(data)).document()
        except _Ended:
            return None

    original = text._Scanner._expected
    patch.setattr(text._Scanner, "_expected", expected)
    patch.setattr(rr, "read_json", read)


class _Ended(Exception):
    """A text ended too early."""


# The rules that are in no schema, and the way from a document to its kind. The others are mutants of the schema.


def _of_rules() -> Iterator[CodeMutant]:
    beyond = shape._BEYOND_SCHEMA
    for code, kind in {"contract.component-names-unique": "contract", "certificate.expiry-fits": "certificate"}.items():
        others = {name: rule for name, rule in beyond.items() if name != kind}
        yield CodeMutant(
            f"{code}: switched off", ("rules",), lambda p, others=others: p.setattr(shape, "_BEYOND_SCHEMA", others)
        )

    def neighbours_only(contract: Any) -> Iterator[Any]:
        names = [c["name"] for c in contract["components"]]
        if any(one == other for one, other in itertools.pairwise(names)):
            yield from shape.component_names_unique(contract)

    def any_case(contract: Any) -> Iterator[Any]:
        lowered = [{"name": c["name"].lower()} for c in contract["components"]]
        yield from shape.component_names_unique({"components": lowered})

    def fits(step: int) -> Callable[[Any], Iterator[Any]]:
        return lambda c: shape.expiry_fits({**c, "expiry_policy_updates": c["expiry_policy_updates"] + step})

    bent: dict[str, tuple[str, Any]] = {
        "contract.component-names-unique: only beside each other": ("contract", neighbours_only),
        "contract.component-names-unique: in either case": ("contract", any_case),
        "certificate.expiry-fits: one more": ("certificate", fits(-1)),
        "certificate.expiry-fits: one less": ("certificate", fits(1)),
    }
    for name, (kind, rule) in bent.items():
        changed = {**beyond, kind: lambda value, rule=rule: rule(value) if _has_shape(value) else ()}
        yield CodeMutant(
            name, ("rules", "schema"), lambda p, changed=changed: p.setattr(shape, "_BEYOND_SCHEMA", changed)
        )
    named: dict[str, Callable[[Any], Any]] = {
        "schema.required: an unlabelled document is a contract": lambda v: (
            "contract" if type(v) is dict and "schema_version" not in v else shape.kind_of(v)
        ),
        "schema.enum: an unknown label is a receipt's": lambda v: (
            "receipt" if getattr(shape.kind_of(v), "code", "") == "schema.enum" else shape.kind_of(v)
        ),
        "schema.enum: whatever names a receipt somewhere is one": lambda v: (
            "receipt" if "receipt" in str(getattr(v, "get", str)("schema_version")) else shape.kind_of(v)
        ),
    }
    for name, kind_of in named.items():
        yield CodeMutant(
            f"{name}", ("schema",), lambda p, kind_of=kind_of: p.setattr(shape, "kind_of", kind_of), "schema/kind"
        )


def _has_shape(value: Any) -> bool:
    try:
        return all(type(c["name"]) is str for c in value.get("components", ())) and all(
            type(value.get(name, 0)) is int for name in ("expiry_policy_updates", "issued_at_policy_update")
        )
    except (AttributeError, TypeError, KeyError):
        return False


# Certification: a code is switched off where it is made.


def _without(original: Callable[..., Iterator[Any]], code: str) -> Callable[..., Iterator[Any]]:
    return lambda *given: (found for found in original(*given) if found.code != code)


SHORTFALLS: Final = (
    "epsilon-exceeds-policy",
    "delta-exceeds-policy",
    "threshold-differs",
    "calibration-corpus-differs",
    "expiry-exceeds-policy",
)
REFUSALS: Final = (
    "tier-development-only",
    "certificate-absent",
    "certificate-not-yet-valid",
    "certificate-expired",
    "certificate-names-another-contract",
)
OF_RECEIPTS: Final = (
    "receipt-names-another-contract",
    "receipt-certificate-not-given",
    "receipt-names-another-certificate",
)


def _of_certification() -> Iterator[CodeMutant]:
    for code in (*REFUSALS, *SHORTFALLS):
        refusals = _without(certification._refusals, code)
        for layer in ("score", "audit"):
            yield CodeMutant(
                f"{code}: no refusal, seen in {layer}",
                (layer,),
                lambda p, refusals=refusals: p.setattr(certification, "_refusals", refusals),
                f"{layer}/{'refusals' if layer == 'audit' else code}",
            )
    for code in SHORTFALLS:
        shortfalls = _without(CertificateDocument._shortfalls, code)
        yield CodeMutant(
            f"{code}: not unmet",
            ("certificate",),
            lambda p, shortfalls=shortfalls: p.setattr(CertificateDocument, "_shortfalls", shortfalls),
            "certificate/unmet",
        )
    for code in OF_RECEIPTS:
        refusals = _without(ReceiptDocument._refusals, code)
        yield CodeMutant(
            f"{code}: no refusal",
            ("audit",),
            lambda p, refusals=refusals: p.setattr(ReceiptDocument, "_refusals", refusals),
            "audit/refusals",
        )

    def reversed_refusals(*given: Any) -> Iterator[Any]:
        return iter(list(original_refusals(*given))[::-1])

    def reversed_shortfalls(*given: Any) -> Iterator[Any]:
        return iter(list(original_shortfalls(*given))[::-1])

    def at_bounds(name: str) -> Callable[..., Iterator[Any]]:
        def shortfalls(self: Any, policy: Any) -> Iterator[Any]:
            yield from original_shortfalls(self, policy)
            if getattr(self, name) == getattr(policy, name):
                yield sentence(f"{name.split('_')[0]}-exceeds-policy", certificate=0, policy=0)

        return shortfalls

    original_refusals, original_shortfalls = certification._refusals, CertificateDocument._shortfalls
    yield CodeMutant(
        "the order of the refusals", ("score",), lambda p: p.setattr(certification, "_refusals", reversed_refusals)
    )
    yield CodeMutant(
        "the order of the shortfalls",
        ("certificate",),
        lambda p: p.setattr(CertificateDocument, "_shortfalls", reversed_shortfalls),
    )
    for name in ("epsilon", "delta", "expiry_policy_updates"):
        shortfalls = at_bounds(name)
        yield CodeMutant(
            f"{name.split('_')[0]}-exceeds-policy: the bound itself exceeds",
            ("certificate",),
            lambda p, shortfalls=shortfalls: p.setattr(CertificateDocument, "_shortfalls", shortfalls),
        )

    def state(first: int, end: int) -> Callable[[Any, int], Any]:
        def state_at(self: Any, policy_update: int) -> Any:
            certificate.require_policy_update(policy_update)
            if policy_update < self.issued_at_policy_update + first:
                return rr.RewardCertificateStateV1.NOT_YET_VALID
            if policy_update < self.expires_at_policy_update + end:
                return rr.RewardCertificateStateV1.CURRENT
            return rr.RewardCertificateStateV1.EXPIRED

        return state_at

    for name, state_at in {
        "current one update earlier": state(-1, 0),
        "current one update later": state(1, 0),
        "expired one update earlier": state(0, -1),
        "expired one update later": state(0, 1),
        "never not yet valid": state(-(2**60), 0),
        "never expired": state(0, 2**60),
    }.items():
        yield CodeMutant(
            f"state: {name}",
            ("certificate",),
            lambda p, state_at=state_at: p.setattr(CertificateDocument, "state_at", state_at),
            "certificate/state",
        )


# Scores.


def _of_scores() -> Iterator[CodeMutant]:
    def minimum(tier: int) -> Callable[[Patch], None]:
        def apply(patch: Patch) -> None:
            for module in (scoring, certification, oracle):
                patch.setattr(module, "REWARD_CERTIFIED_MINIMUM_TIER", rr.OracleTier(tier))

        return apply

    def effective(tier_of: Callable[[Any, Any], Any]) -> Callable[[Patch], None]:
        def apply(patch: Patch) -> None:
            for module in (scoring, certification):
                patch.setattr(module, "effective_tier", tier_of)

        return apply

    def replaced(**changes: Callable[[Any, Any], Any]) -> Callable[[Patch], None]:
        def score(outcome: Any, tier: Any, *rest: Any, **named: Any) -> Any:
            done = original(outcome, tier, *rest, **named)
            return done._replace(**{name: change(done, outcome) for name, change in changes.items()})

        original = scoring.score
        return lambda patch: patch.setattr(rr, "score", score)

    unscored = ("reconciliation_required", "failed_platform")
    for name, apply in {
        "tier 1 is enough": minimum(1),
        "tier 3 is needed": minimum(3),
        "the tier is not capped": effective(lambda contract, tier: tier),
        "the channel's tier is what counts": effective(lambda contract, tier: contract.oracle.tier),
        "the better tier counts": effective(lambda contract, tier: max(tier, contract.oracle.tier)),
        "an unscored episode is 0.0": replaced(scalar=lambda s, o: 0.0 if s.scalar is None else s.scalar),
        "a scalar of 0.0 is none": replaced(scalar=lambda s, o: s.scalar or None),
        "minus zero is zero": replaced(scalar=lambda s, o: s.scalar if s.scalar is None else s.scalar + 0.0),
        "certified whatever speaks against it": replaced(certified=lambda s, o: True),
        "never certified": replaced(certified=lambda s, o: False),
        "only what is verified is certified": replaced(certified=lambda s, o: s.certified and o == "verified"),
        "only what is scored is certified": replaced(certified=lambda s, o: s.certified and o not in unscored),
        "development only where it is not certified": replaced(development_only=lambda s, o: not s.certified),
        "never development only": replaced(development_only=lambda s, o: False),
        "only the first refusal": replaced(certification_refusals=lambda s, o: s.certification_refusals[:1]),
        "no scalar where it is not certified": replaced(scalar=lambda s, o: s.scalar if s.certified else None),
    }.items():
        yield CodeMutant(f"score: {name}", ("score",), apply)

    scalar_for = outcomes.ScoringPolicyPart.scalar_for
    for outcome in outcomes.RewardOutcomeV1:
        other = "verified" if outcome != "verified" else "wrong_effect"

        def swapped(self: Any, asked: Any, outcome: str = outcome, other: str = other) -> Any:
            return scalar_for(self, other if asked == outcome else asked)

        yield CodeMutant(
            f"score: {outcome} scores as {other}",
            ("score",),
            lambda p, swapped=swapped: p.setattr(outcomes.ScoringPolicyPart, "scalar_for", swapped),
        )
    for channel, tier in oracle.TIER_OF_CHANNEL.items():
        for other in rr.OracleTier:
            if abs(other - tier) == 1:
                tiers = {**oracle.TIER_OF_CHANNEL, channel: other}
                yield CodeMutant(
                    f"score: {channel} at tier {int(other)}",
                    ("score", "audit"),
                    lambda p, tiers=tiers: p.setattr(oracle, "TIER_OF_CHANNEL", tiers),
                    "score/channel",
                )

    def number(kinds: tuple[type, ...]) -> Callable[[Any], Any]:
        return lambda value: int(value) if type(value) in kinds and int(value) == value else _NOTHING

    kinds: dict[str, Callable[[Any], Any]] = {
        "true for 1": number((bool,)),
        "a double": number((float,)),
        "digits": lambda v: int(v) if type(v) is str and v.isdigit() else _NOTHING,
        "null for 0": lambda v: 0 if v is None else _NOTHING,
        "too small": lambda v: 0 if type(v) is int and v < 0 else _NOTHING,
    }
    lenient: dict[str, dict[str, Callable[[Any], Any]]] = {
        "outcome": {
            "in either case": lambda v: v.lower() if type(v) is str else _NOTHING,
            "with spaces around": lambda v: v.strip() if type(v) is str else _NOTHING,
            "by its position": lambda v: list(outcomes.RewardOutcomeV1)[v] if type(v) is int else _NOTHING,
            "anything unknown is a platform failure": lambda v: "failed_platform",
        },
        "tier": {**kinds, "too large": lambda v: 3 if type(v) is int and v > 3 else _NOTHING},
        "policy-update": {**kinds, "too large": lambda v: 2**53 - 1 if type(v) is int and v > 2**52 else _NOTHING},
    }
    for argument, ways in lenient.items():
        for name, accept in ways.items():
            yield CodeMutant(
                f"score: {argument}, {name}", ("score",), _lenient_score(argument, accept), f"score/bad-{argument}"
            )
    for name, accept in lenient["policy-update"].items():
        yield CodeMutant(
            f"certificate: policy-update, {name}",
            ("certificate",),
            _lenient_state(accept),
            "certificate/bad-policy-update",
        )
    for name, last in {"one more": 2**53, "one less": 2**53 - 2}.items():
        yield CodeMutant(
            f"certificate: the last policy update, {name}",
            ("certificate", "score"),
            lambda p, last=last: p.setattr(certificate, "MAX_POLICY_UPDATE", last),
        )


_NOTHING: Final = object()
_ARGUMENTS: Final = {"outcome": 0, "tier": 1, "policy-update": 3}


def _lenient_score(argument: str, accept: Callable[[Any], Any]) -> Callable[[Patch], None]:
    """What takes a value for one argument that it must refuse."""

    def score(*given: Any, **named: Any) -> Any:
        try:
            return original(*given, **named)
        except ValueError:
            place = _ARGUMENTS[argument]
            taken = accept(given[place])
            if taken is _NOTHING:
                raise
            return original(*given[:place], taken, *given[place + 1 :], **named)

    original = scoring.score
    return lambda patch: patch.setattr(rr, "score", score)


def _lenient_state(accept: Callable[[Any], Any]) -> Callable[[Patch], None]:
    def state(document: Any, policy_update: Any) -> Any:
        try:
            return original(document, policy_update)
        except ValueError:
            taken = accept(policy_update)
            if taken is _NOTHING:
                raise
            return original(document, taken)

    original = rr.certificate_state
    return lambda patch: patch.setattr(rr, "certificate_state", state)


# Audits: a finding is switched off where it is made.

NOT_VISIBLE: Final = {
    "scope-differs-from-certificate": "version 1 has one scope, so no two documents that hold can differ in it",
    "text.damaged": "packed files are read by this package only",
    **{code.id: "no operation takes several documents" for code in catalogue().values() if code.layer == "admission"},
    **{code.id: "no operation reports warnings" for code in catalogue().values() if code.layer == "warnings"},
    **{code: "YAML is read by this package only" for code in catalogue() if code.startswith("yaml.")},
    **{code: "no operation takes a trace" for code in catalogue() if code.startswith("trace.")},
    **{code.id: "no operation takes trials" for code in catalogue().values() if code.layer == "calibration"},
    **{code.id: "no operation takes an experiment" for code in catalogue().values() if code.layer == "experiment"},
}
"""Codes that no case of this version of the corpus can be about, and why."""

UNCHECKED: Final = (
    *(check.code for check in audit_checks() if {*check.needs} - {"key"}),
    *(check.signer_unknown for check in audit_checks() if check.signer_unknown is not None),
)
"""What an audit can list as unchecked."""


def _of_audits() -> Iterator[CodeMutant]:
    def switched(code: str, check: Callable[[Any], Any]) -> Callable[[Patch], None]:
        return lambda patch: patch.setitem(auditing._CHECKS, code, check)

    for code in auditing._CHECKS:
        if code != "scope-differs-from-certificate":  # see NOT_VISIBLE

            def silent(given: Any, check: Callable[[Any], Any] = auditing._CHECKS[code]) -> tuple[()]:
                list(check(given))  # which can still not be able to run
                return ()

            yield CodeMutant(f"{code}: no finding", ("audit",), switched(code, silent), f"audit/{code}")

    def after(change: Callable[[Any], None]) -> Callable[[Patch], None]:
        """Runs a change on what an audit found, before its verdict."""

        def report(self: Any) -> Any:
            change(self)
            return original(self)

        original = auditing._Run.report
        return lambda patch: patch.setattr(auditing._Run, "report", report)

    def drop(kind: str, *codes: str) -> Callable[[Any], None]:
        def change(run: Any) -> None:
            kept = [finding for finding in getattr(run, kind) if codes and finding.code not in codes]
            setattr(run, kind, kept)

        return change

    for code in UNCHECKED:
        name = code if "signer" in code else f"audit, {code}"
        yield CodeMutant(f"{name}: not listed as unchecked", ("audit",), after(drop("unchecked", code)), "audit/un")

    original_audit = auditing.audit
    verdicts = {
        "undecided holds": {"undecided": "holds"},
        "undecided fails": {"undecided": "fails"},
        "holds is undecided": {"holds": "undecided"},
        "fails is undecided": {"fails": "undecided"},
    }
    for name, changed in verdicts.items():

        def audit(*given: Any, changed: dict[str, str] = changed, **named: Any) -> Any:
            report = original_audit(*given, **named)
            verdict = auditing.AuditVerdict(changed.get(report.verdict, report.verdict))
            return auditing.AuditReport(verdict, report.findings, report.checked, report.unchecked)

        yield CodeMutant(f"audit: {name}", ("audit",), lambda p, audit=audit: p.setattr(rr, "audit", audit))
    for name, change in {
        "the findings in reverse": lambda run: run.findings.reverse(),
        "what is unchecked in reverse": lambda run: run.unchecked.reverse(),
        "only the first finding": lambda run: run.findings.__delitem__(slice(1, None)),
    }.items():
        yield CodeMutant(f"audit: {name}", ("audit",), after(change))

    def shifted(check: Callable[[Any], Any], step: int) -> Callable[[Any], Any]:
        return lambda given: check(given._replace(at_update=given.at_update + step))

    for code in ("certificate-expired-at-update", "policy-update-ahead"):
        for name, step in {"one update earlier": -1, "one update later": 1}.items():
            check = shifted(auditing._CHECKS[code], step)
            yield CodeMutant(f"{code}: {name}", ("audit",), switched(code, check), f"audit/{code}")


# Signatures.


def _of_signatures() -> Iterator[CodeMutant]:
    import importlib

    curve = importlib.import_module("corpus.ed25519")

    def verifying(accepts: Callable[[bytes, bytes, bytes], bool]) -> Callable[[Patch], None]:
        class Key:
            def __init__(self, key: bytes) -> None:
                self.key = key

            def verifies(self, signature: bytes, message: bytes) -> bool:
                return accepts(self.key, message, signature)

        def apply(patch: Patch) -> None:
            patch.setattr(keys, "DEFAULT", dataclasses.replace(keys.DEFAULT, verifier=Key))
            _without_memory(patch)

        return apply

    def by_hand(
        *,
        small_a: bool = False,
        small_r: bool = False,
        other_a: bool = False,
        other_r: bool = False,
        large_s: bool = False,
    ) -> Callable[[bytes, bytes, bytes], bool]:
        """Verification with some of its refusals switched off."""

        def point(data: bytes, small: bool, other: bool) -> Any:
            found = curve.decoded(data)
            if found is None or (not other and curve.encoded(found) != data):
                return None
            return None if not small and curve.times(8, found) == curve.IDENTITY else found

        def accepts(key: bytes, message: bytes, signature: bytes) -> bool:
            r, s = signature[:32], int.from_bytes(signature[32:], "little")
            a = point(key, small_a, other_a)
            at_r = point(r, small_r, other_r)
            if a is None or at_r is None or (s >= curve.L and not large_s):
                return False
            challenged = curve.times(curve.challenge(r, key, message), a)
            difference = curve.add(curve.times(s % curve.L, curve.BASE), curve.negative(challenged))
            return bool(difference == at_r if other_r else curve.encoded(difference) == r)

        return accepts

    def cofactored(key: bytes, message: bytes, signature: bytes) -> bool:
        a, r = curve.acceptable(key), curve.acceptable(signature[:32])
        s = int.from_bytes(signature[32:], "little")
        if a is None or r is None or s >= curve.L:
            return False
        challenged = curve.times(curve.challenge(signature[:32], key, message), a)
        difference = curve.add(curve.add(curve.times(s, curve.BASE), curve.negative(challenged)), curve.negative(r))
        return bool(curve.times(8, difference) == curve.IDENTITY)

    for name, (accepts, first) in {
        "any signature": (lambda *given: True, "signature/altered"),
        "no signature": (lambda *given: False, "signature/valid"),
        "S >= L": (by_hand(large_s=True), "signature/s-not-reduced"),
        "a key of small order": (by_hand(small_a=True), "signature/small-order"),
        "R of small order": (by_hand(small_r=True), "signature/small-order"),
        "a key of another encoding": (by_hand(other_a=True, small_a=True), "signature/non-canonical"),
        "R of another encoding": (by_hand(other_r=True, small_r=True), "signature/non-canonical"),
        "with the cofactor": (cofactored, "signature/cofactor"),
    }.items():
        yield CodeMutant(f"signature-invalid: takes {name}", ("signature",), verifying(accepts), first)

    def any_key(self: Any, key_id: str) -> Any:
        return self._keys.get(key_id) or next(iter(self._keys.values()), None)

    yield CodeMutant(
        "signer-unknown: any key will do", ("signature",), lambda p: p.setattr(keys.Keyring, "get", any_key)
    )

    def verdict(asked: str, said: str) -> Callable[[Patch], None]:
        def verify(*given: Any) -> Any:
            found = original(*given)
            return said if found == asked else found

        original = signatures.verify
        return lambda patch: patch.setattr(rr, "verify", verify)

    yield CodeMutant("signer-unknown: invalid", ("signature",), verdict("signer-unknown", "invalid"))
    yield CodeMutant("signature-invalid: signer-unknown", ("signature",), verdict("invalid", "signer-unknown"))

    def payload(keep: tuple[str, ...] = (), drop: tuple[str, ...] = ()) -> Callable[[Patch], None]:
        def signed_bytes(self: Any) -> bytes:
            plain = self._plain()
            for name in {"signature", "signature_algorithm", *drop} - set(keep):
                plain.pop(name, None)
            return canonical.canonical_json_bytes(plain)

        def apply(patch: Patch) -> None:
            patch.setattr(receipt.SignedDocument, "_signed_bytes", signed_bytes)
            _without_memory(patch)

        return apply

    for name, apply in {
        "the algorithm is signed too": payload(keep=("signature_algorithm",)),
        "the label is not signed": payload(drop=("schema_version",)),
        "the key id is not signed": payload(drop=("issuer_key_id",)),
    }.items():
        yield CodeMutant(f"signature: {name}", ("signature",), apply)

    import base64 as b64

    lenient: dict[str, Callable[[Any], bytes]] = {
        "in any base64": lambda text: (b64.b64decode(text + "==") if type(text) is str else b"")[:32].ljust(32, b"\0"),
        "of too few bytes": lambda text: signatures_decode(text, shorter=True),
        "of too many bytes": lambda text: signatures_decode(text, longer=True),
        "in the URL alphabet": lambda text: signatures_decode(text.replace("-", "+").replace("_", "/")),
    }
    for name, decode in lenient.items():

        def decoded(text: Any, what: str = "", decode: Any = decode) -> bytes:
            try:
                return bytes(decode(text))
            except (ValueError, AttributeError, TypeError) as error:
                raise keys.KeyFormatError(str(error)) from None

        yield CodeMutant(
            f"malformed key: {name}",
            ("signature",),
            lambda p, decoded=decoded: p.setattr(keys, "_decoded", decoded),
            "signature/malformed-key",
        )
    yield CodeMutant(
        "malformed key: an id of any form",
        ("signature",),
        lambda p: p.setattr(keys, "_OPAQUE_ID", re.compile(r".*", re.DOTALL)),
        "signature/malformed-key",
    )


def signatures_decode(text: Any, *, shorter: bool = False, longer: bool = False) -> bytes:
    """The 32 bytes of a key; where asked for, made of fewer or of more."""
    import base64

    key = base64.b64decode(text, validate=True)
    if base64.b64encode(key).decode() != text:
        raise ValueError("not canonical")
    if (len(key) < 32 and not shorter) or (len(key) > 32 and not longer):
        raise ValueError("not 32 bytes")
    return key[:32].ljust(32, b"\0")


# Canonical form and digest.


def _of_canonical_form() -> Iterator[CodeMutant]:
    def encoder(**options: Any) -> Callable[[Patch], None]:
        given = {"separators": (",", ":"), "ensure_ascii": True, "sort_keys": True, "allow_nan": False, **options}
        encode = json.JSONEncoder(**given).encode
        return lambda patch: patch.setattr(canonical, "_encode", lambda value: _Utf8(encode(value)))

    def bent(change: Callable[[Any], Any]) -> Callable[[Patch], None]:
        encode = canonical._encode
        return lambda patch: patch.setattr(canonical, "_encode", lambda value: encode(_each(value, change)))

    def rewritten(change: Callable[[str], str]) -> Callable[[Patch], None]:
        encode = canonical._encode
        return lambda patch: patch.setattr(canonical, "_encode", lambda value: change(encode(value)))

    for name, apply in {
        "members as they are": encoder(sort_keys=False),
        "white space after commas": encoder(separators=(", ", ":")),
        "white space after colons": encoder(separators=(",", ": ")),
        "text as UTF-8": encoder(ensure_ascii=False),
        "members in the order of UTF-16": _utf16_order,
        "minus zero is zero": bent(lambda v: 0.0 if type(v) is float and v == 0 else v),
        "whole doubles are integers": bent(lambda v: int(v) if type(v) is float and v.is_integer() else v),
        "integers are doubles": bent(lambda v: float(v) if type(v) is int else v),
        "fifteen digits": bent(lambda v: float(f"{v:.15g}") if type(v) is float else v),
        "hex in capitals": rewritten(lambda t: re.sub(r"\\u[0-9a-f]{4}", lambda m: "\\u" + m[0][2:].upper(), t)),
        "an escaped slash": rewritten(lambda t: t.replace("/", "\\/")),
        "escapes of HTML": rewritten(lambda t: t.replace("<", "\\u003c")),
        "U+007F as it is": rewritten(lambda t: t.replace("\\u007f", "\x7f")),
        "no short escapes": rewritten(lambda t: t.replace("\\b", "\\u0008")),
        "an exponent without a sign": rewritten(lambda t: t.replace("e+", "e")),
        "an exponent of one digit": rewritten(lambda t: t.replace("e-0", "e-")),
        "composed characters": rewritten(lambda t: t.replace("e\\u0301", "\\u00e9")),
    }.items():
        yield CodeMutant(f"canonical: {name}", ("digest",), apply, "digest/")

    for definition, order in CANONICAL_ORDER.items():
        for member in order:
            kept = {**CANONICAL_ORDER, definition: {name: by for name, by in order.items() if name != member}}
            yield CodeMutant(
                f"digest: {member} in the order that was given",
                ("digest",),
                lambda p, kept=kept: p.setattr(build, "CANONICAL_ORDER", kept),
            )
    yield CodeMutant(
        "digest: numbers as they are",
        ("digest",),
        lambda p: p.setitem(members._ENCODERS, float, lambda v: repr(int(v)) if v.is_integer() else repr(v)),
        "digest/document",
    )
    text_of = Part._canonical_text
    yield CodeMutant(
        "digest: nulls are left out",
        ("digest",),
        lambda p: p.setattr(Part, "_canonical_text", lambda self: re.sub(r'"[a-z_]+":null,', "", text_of(self))),
        "digest/document",
    )


class _Utf8(str):
    """Text that goes out as UTF-8 where ASCII was asked for."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return str.encode(self, "utf-8", errors)


def _without_memory(patch: Patch) -> None:
    """What a mutant finds of a certificate's signature is not kept for the package as it is."""
    patch.setattr(signatures, "_certificate_is_valid", signatures._is_valid)


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {name: _each(member, change) for name, member in value.items()}
    return [_each(item, change) for item in value] if isinstance(value, list) else change(value)


def _utf16_order(patch: Patch) -> None:
    def ordered(value: Any) -> Any:
        if isinstance(value, dict):
            names = sorted(value, key=lambda name: name.encode("utf-16-be"))
            return {name: ordered(value[name]) for name in names}
        return [ordered(item) for item in value] if isinstance(value, list) else value

    encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode
    patch.setattr(canonical, "_encode", lambda value: encode(ordered(value)))


# Defaults. The schemas state them; the generated models, which a check holds to the schemas, are where they act.

_MODELS: Final = (
    "RewardScoringPolicyV1",
    "RewardContractV1",
    "RewardCertificateV1",
    "RewardEvidenceReceiptV1",
)


def _of_defaults() -> Iterator[CodeMutant]:
    for name in _MODELS:
        for field, info in getattr(models, name).model_fields.items():
            if not info.is_required():
                for words, required in (("left out", True), ("another", False)):
                    yield CodeMutant(
                        f"default of {name}.{field}: {words}",
                        ("digest",),
                        _default(name, field, required),
                        "digest/document",
                    )


def _default(name: str, field: str, required: bool) -> Callable[[Patch], None]:
    def apply(patch: Patch) -> None:
        info = getattr(models, name).model_fields[field]
        default = info.get_default(call_default_factory=True)

        def other() -> Any:
            if required:
                raise ValueError(f"{field} has no default")
            return _other(default)

        patch.setattr(info, "default", PydanticUndefined)
        patch.setattr(info, "default_factory", other)
        builder = cache(build.builder.__wrapped__)  # the one that is there has taken the defaults already
        patch.setattr(build, "builder", builder)
        patch.setattr(model, "builder", builder)

    return apply


def _other(default: Any) -> Any:
    if default is None:
        return "none"
    if isinstance(default, models.RewardScoringPolicyV1):
        return models.RewardScoringPolicyV1(verified_reward=2.0)
    if isinstance(default, str):
        return default.upper()
    if isinstance(default, (int, float)):
        return default + 1.0
    return FrozenMap({"other": 1.0})
