"""A second implementation, in the style of a small Go or C program, with bugs that can be switched on one at a time.

    python plain_implementation.py [BUG]        a driver for the conformance runner

It shares no code with the package and uses no JSON parser, no schema and no model: a lexer that steps through the
text with an explicit depth counter, loops with flags and accumulators, structs as tables, recursion for gates.
``test_corpus_plain_mutants.py`` holds it to the corpus: without a bug it is conformant, with each bug some case fails.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import sys
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3] / "scripts"))

from corpus.ed25519 import verifies

BUGS: dict[str, str] = {}
"""Every bug by its name, with the layers whose cases can find it."""


def _bugs(layers: str, names: str) -> None:
    for name in names.split():
        BUGS[name] = layers


_bugs(
    "json",
    "size-in-characters size-before-trailing-space low-after-low anything-after-high high-up-to-ffff "
    "surrogates-in-names anything-for-a-colon no-colon name-without-first-quote depth-never-down "
    "depth-down-for-arrays-only "
    "depth-down-for-empty-only depth-of-objects-only depth-counts-brackets-in-strings depth-scan-ignores-escapes "
    "repeated-after-false repeated-after-zero repeated-after-empty-text repeated-after-null repeated-after-empty-array "
    "repeated-of-neighbours repeated-on-top-only repeated-to-depth-8 repeated-among-32 names-end-at-nul "
    "names-fold-kelvin names-fold-long-s names-fold-case last-item-comma exponent-of-three-digits",
)
_bugs("schema rules", "members-fold-case members-end-at-nul members-fold-long-s")
_bugs(
    "rules schema",
    "unique-components-by-last unique-components-of-neighbours identity-keys-by-last weights-by-last weights-by-first "
    "component-names-by-last reward-names-by-last reward-values-by-last reward-values-by-first identity-names-by-last "
    "updates-of-32-bits sum-of-32-bits",
)
_bugs(
    "compose",
    "types-unique-by-last types-unique-of-neighbours clips-ordered-by-last clips-ordered-by-first gates-known-by-last "
    "gates-known-by-first gate-component-not-looked-at type-of-any-length type-empty cycles-from-first-gate "
    "cycles-from-first-component cycles-of-two-only gates-without-memory cycles-without-memory gates-one-pass "
    "gates-eight-passes terms-named-by-type unknown-params-ignored param-range-not-checked param-range-exclusive "
    "params-all-optional params-without-defaults booleans-are-params-numbers integers-of-any-number "
    "params-keep-integers "
    "gates-any-open fma-in-ceiling fma-in-per-step fma-in-total raw-of-64-bits weight-of-64-bits "
    "types-end-at-nul types-fold-case types-fold-kelvin terms-of-32 steps-of-32-bits total-kept refusal-ends-episode "
    "unbounded-by-last "
    "steps-after-the-end steps-after-the-end-without-an-end-term over-only-if-terminated",
)
_bugs(
    "digest",
    "time-plus-zero-as-z time-minus-zero-as-z time-in-utc bubble-once sort-by-length names-by-utf16 "
    "short-by-precision ties-away-from-zero defaults-on-top-only digest-cut-at-nul",
)
_bugs("signature", "signed-time-plus-zero-as-z signed-time-in-utc keyring-up-to-the-key keyring-of-the-key-only")
_bugs("certificate score", "state-of-32-bits state-counts-from-one unmet-first-only unmet-last-only")
_bugs("score", "refusals-first-only tier-of-channel-only")
_bugs(
    "audit",
    "unasked-expiry unasked-certificate at-update-negative at-update-beyond at-update-boolean at-update-rounded "
    "at-update-text at-update-null-checked keyring-malformed-is-unknown keyring-malformed-is-invalid "
    "keyring-malformed-other-entry components-known-by-last components-known-by-first",
)


class Refused(Exception):
    """The input is refused."""


class CallerError(Exception):
    """An argument is not of its range."""


class Num(str):
    """A number as it is spelled."""

    @property
    def exact(self) -> bool:
        return not any(mark in self for mark in ".eE")

    @property
    def double(self) -> float:
        # -0 is the integer 0.
        return float(int(self)) if self.exact else float(self)

    @property
    def whole(self) -> int | None:
        if self.exact:
            return int(self)
        return int(float(self)) if float(self).is_integer() else None


NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Lexer:
    def __init__(self, data: bytes, bug: str) -> None:
        self.bug = bug
        size = len(data)
        if bug == "size-in-characters":
            size = len(data.decode("utf-8", "replace"))
        if bug == "size-before-trailing-space":
            size = len(data.rstrip())
        if size > 1048576:
            raise Refused("json.size")
        try:
            self.s = data.decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("json.utf8") from None
        if self.s.startswith("\ufeff"):
            raise Refused("json.bom")
        if bug in ("depth-counts-brackets-in-strings", "depth-scan-ignores-escapes"):
            self.scan_depth()
        self.at = 0
        self.depth = 0

    def scan_depth(self) -> None:
        depth, inside = 0, False
        for c in self.s:
            if c == '"':
                inside = not inside
            if inside and self.bug == "depth-scan-ignores-escapes":
                continue
            if c in "[{":
                depth += 1
            if c in "]}":
                depth -= 1
            if depth > 64:
                raise Refused("json.depth")

    def peek(self) -> str:
        return self.s[self.at] if self.at < len(self.s) else "\0\0"

    def white(self) -> None:
        while self.at < len(self.s) and self.s[self.at] in " \t\r\n":
            self.at += 1

    def text(self) -> Any:
        self.white()
        value = self.value()
        self.white()
        if self.at < len(self.s):
            raise Refused("json.trailing")
        return value

    def value(self) -> Any:
        c = self.peek()
        if c == "{":
            return self.object()
        if c == "[":
            return self.array()
        if c == '"':
            self.at += 1
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.s.startswith(word, self.at):
                self.at += len(word)
                return value
        match = NUMBER.match(self.s, self.at)
        if match is None:
            raise Refused("json.syntax")
        self.at = match.end()
        number = Num(match[0])
        if self.bug == "exponent-of-three-digits" and re.search(r"[eE][-+]?[0-9]{4}", number):
            raise Refused("json.number")
        if math.isinf(float(number)):
            raise Refused("json.number")
        return number

    def enter(self, kind: str) -> None:
        if self.bug != "depth-of-objects-only" or kind == "{":
            self.depth += 1
        if self.depth > 64:
            raise Refused("json.depth")
        self.at += 1
        self.white()

    def leave(self, kind: str, empty: bool) -> None:
        self.at += 1
        down = {
            "depth-never-down": False,
            "depth-down-for-arrays-only": kind == "[",
            "depth-down-for-empty-only": empty,
            "depth-of-objects-only": kind == "{",
        }.get(self.bug, True)
        if down:
            self.depth -= 1

    def array(self) -> list[Any]:
        items: list[Any] = []
        self.enter("[")
        while self.peek() != "]":
            if items:
                self.comma("]")
                if self.bug == "last-item-comma" and self.peek() == "]":
                    break
            items.append(self.value())
            self.white()
        self.leave("[", not items)
        return items

    def object(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self.enter("{")
        last = None
        while self.peek() != "}":
            if members:
                self.comma("}")
            if self.peek() == '"':
                self.at += 1
            elif self.bug != "name-without-first-quote":
                raise Refused("json.syntax")
            self.in_name = True
            name = self.string()
            self.in_name = False
            key = self.folded(name)
            if self.repeated(key, members, last):
                raise Refused("json.duplicate")
            last = key
            self.white()
            if self.peek() == ":" or (self.bug == "anything-for-a-colon" and self.at < len(self.s)):
                self.at += 1
            elif self.bug != "no-colon":
                raise Refused("json.syntax")
            self.white()
            members[key] = self.value()
            self.white()
        self.leave("{", not members)
        return members

    in_name = False

    def folded(self, name: str) -> str:
        if self.bug == "names-end-at-nul":
            return name.split("\0")[0]
        if self.bug == "names-fold-kelvin":
            return name.replace("\u212a", "k")
        if self.bug == "names-fold-long-s":
            return name.replace("\u017f", "s")
        return name.casefold() if self.bug == "names-fold-case" else name

    def repeated(self, name: str, members: dict[str, Any], last: str | None) -> bool:
        bug = self.bug
        if name not in members:
            return False
        before = members[name]
        harmless = {
            "repeated-after-false": before is False,
            "repeated-after-zero": isinstance(before, Num) and before.double == 0,
            "repeated-after-empty-text": before == "" and not isinstance(before, Num),
            "repeated-after-null": before is None,
            "repeated-after-empty-array": before in ([], {}),
            "repeated-of-neighbours": name != last,
            "repeated-on-top-only": self.depth > 1,
            "repeated-to-depth-8": self.depth > 8,
            "repeated-among-32": list(members).index(name) < len(members) - 32,
        }
        return not harmless.get(bug, False)

    def comma(self, closing: str) -> None:
        if self.peek() != ",":
            raise Refused("json.syntax")
        self.at += 1
        self.white()
        if self.peek() == closing and not (self.bug == "last-item-comma" and closing == "]"):
            raise Refused("json.syntax")

    def unit(self) -> int:
        digits = self.s[self.at : self.at + 4]
        if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            raise Refused("json.syntax")
        self.at += 4
        return int(digits, 16)

    def string(self) -> str:
        out: list[str] = []
        previous = 0
        while True:
            if self.at >= len(self.s):
                raise Refused("json.syntax")
            c = self.s[self.at]
            self.at += 1
            if c == '"':
                return "".join(out)
            if c < " ":
                raise Refused("json.syntax")
            if c != "\\":
                out.append(c)
                previous = 0
                continue
            c = self.peek()
            self.at += 1
            if c in SHORT:
                out.append(SHORT[c])
                previous = 0
                continue
            if c != "u":
                raise Refused("json.syntax")
            unit = self.unit()
            if 0xD800 <= unit < 0xDC00:
                following = self.s.startswith("\\u", self.at)
                if following:
                    self.at += 2
                    low = self.unit()
                    top = 0xFFFF if self.bug == "high-up-to-ffff" else 0xDFFF
                    if 0xDC00 <= low <= top or self.bug == "anything-after-high":
                        out.append(chr(0x10000 + ((unit - 0xD800) << 10) + max(0, min(low - 0xDC00, 0x3FF))))
                        previous = low
                        continue
                if not (self.bug == "surrogates-in-names" and self.in_name):
                    raise Refused("json.surrogate")
            elif 0xDC00 <= unit < 0xE000:
                lenient = self.bug == "low-after-low" and 0xDC00 <= previous < 0xE000
                if not lenient and not (self.bug == "surrogates-in-names" and self.in_name):
                    raise Refused("json.surrogate")
            out.append(chr(unit) if not 0xD800 <= unit < 0xE000 else "?")
            previous = unit


# Canonical text


def quoted(text: str) -> str:
    out = ['"']
    for c in text:
        n = ord(c)
        if c in '"\\':
            out.append("\\" + c)
        elif c in "\b\f\n\r\t":
            out.append("\\" + "btnfr"["\b\t\n\f\r".index(c)])
        elif 0x20 <= n < 0x7F:
            out.append(c)
        elif n < 0x10000:
            out.append(f"\\u{n:04x}")
        else:
            n -= 0x10000
            out.append(f"\\u{0xD800 + (n >> 10):04x}\\u{0xDC00 + (n & 0x3FF):04x}")
    return "".join([*out, '"'])


def double_text(x: float, bug: str = "") -> str:
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    x = abs(x)
    if x == 0:
        return sign + "0.0"
    shortest = repr(x)
    if bug == "short-by-precision":  # the first precision that reads back, which is not the nearest of the shortest
        for p in range(17):
            shortest = f"{x:.{p}e}"
            if float(shortest) == x:
                break
            up = f"{x * (1 + 2**-52):.{p}e}"
            if float(up) == x:
                shortest = up
                break
    if bug == "ties-away-from-zero":
        count = len(shortest.partition("e")[0].replace(".", "").strip("0"))
        text = str(Context(prec=count, rounding=ROUND_HALF_UP).plus(Decimal(x))).replace("E", "e")
        shortest = text if float(text) == x else shortest
    mantissa, _, exponent = shortest.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len((whole + fraction).lstrip("0")))
    digits = digits.rstrip("0")
    if 1e-4 <= x < 1e16:
        if point <= 0:
            return f"{sign}0.{'0' * -point}{digits}"
        if point >= len(digits):
            return f"{sign}{digits}{'0' * (point - len(digits))}.0"
        return f"{sign}{digits[:point]}.{digits[point:]}"
    e = point - 1
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'-' if e < 0 else '+'}{abs(e):02d}"


def members_text(texts: dict[str, str], bug: str) -> str:
    names = list(texts)
    if bug == "bubble-once":
        for i in range(len(names) - 1):
            if names[i] > names[i + 1]:
                names[i], names[i + 1] = names[i + 1], names[i]
    elif bug == "sort-by-length":
        names.sort(key=lambda name: (len(name), name))
    elif bug == "names-by-utf16":
        names.sort(key=lambda name: name.encode("utf-16-be"))
    else:
        names.sort()
    return "{" + ",".join(f"{quoted(name)}:{texts[name]}" for name in names) + "}"


def plain_text(value: Any, bug: str) -> str:
    if isinstance(value, Num):
        if not value.exact:
            return double_text(value.double, bug)
        return str(int(value))
    if isinstance(value, str):
        return quoted(value.split("\0")[0] if bug == "digest-cut-at-nul" else value)
    if isinstance(value, list):
        return "[" + ",".join(plain_text(item, bug) for item in value) + "]"
    if isinstance(value, dict):
        return members_text({name: plain_text(member, bug) for name, member in value.items()}, bug)
    return {True: "true", False: "false", None: "null"}[value]


# Documents: a field has a type, and a default where it may be left out.

REQUIRED = object()
DIGEST = r"sha256:[a-f0-9]{64}"
ID = r"[A-Za-z0-9][A-Za-z0-9._:-]{7,127}"
NAME = r"[A-Za-z][A-Za-z0-9_-]{0,127}"
SIGNATURE = r"[A-Za-z0-9+/]{85}[AQgw]=="
LAST = 9007199254740991
CHANNELS = {
    **dict.fromkeys(("visual", "ocr"), 0),
    "second_session": 1,
    **dict.fromkeys(("api", "db", "file", "ack"), 2),
    "counterparty": 3,
}
PENALTIES = ("halted_before_effect", "refused", "rejected_policy", "wrong_effect")
UNSCORED = ("reconciliation_required", "failed_platform")
STATES = ("absent", "not_yet_valid", "current", "expired")
UNCERTAIN = ("none", "delivery_uncertain", "effect_uncertain", "oracle_unavailable")


def is_time(text: str) -> bool:
    form = r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(Z|[+-](\d\d):(\d\d))"
    match = re.fullmatch(form, text, re.ASCII)
    if match is None:
        return False
    year, month, day, hour, minute, second = (int(match[i]) for i in range(1, 7))
    if year < 1 or not 1 <= month <= 12:
        return False
    days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    if month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):
        days = 29
    if not 1 <= day <= days or hour > 23 or minute > 59 or second > 59:
        return False
    return match[7] == "Z" or (int(match[8]) <= 23 and int(match[9]) <= 59)


SCORING = {
    "verified_reward": ("positive", "1.0"),
    **{f"{name}_reward": ("penalty", "0.0") for name in PENALTIES[:3]},
    "wrong_effect_reward": ("penalty", "-1.0"),
    "uncertain_episodes": (("unscored",), "unscored"),
    "platform_failures": (("unscored",), "unscored"),
}
POLICY = {
    "epsilon": ("probability", REQUIRED),
    "delta": ("probability", REQUIRED),
    "threshold": ("double", REQUIRED),
    "calibration_corpus_digest": (DIGEST, REQUIRED),
    "expiry_policy_updates": ("count", REQUIRED),
}
ORACLE = {
    "channel": (tuple(CHANNELS), REQUIRED),
    "identity_keys": ("identity keys", REQUIRED),
    "oracle_contract_digest": (DIGEST, REQUIRED),
}
COMPONENT = {"name": (NAME, REQUIRED), "weight": ("positive", REQUIRED)}
KINDS: dict[str, dict[str, tuple[Any, Any]]] = {
    "contract": {
        "schema_version": (("openadapt.reward-contract/v1",), "openadapt.reward-contract/v1"),
        **dict.fromkeys(("contract_id", "contract_version", "task_id", "environment_id"), (ID, REQUIRED)),
        **{
            f"{name}_digest": (DIGEST, REQUIRED)
            for name in ("task", "environment", "required_effect_contract", "forbidden_effect_contract")
        },
        "oracle": (ORACLE, REQUIRED),
        "components": ("components", REQUIRED),
        "scoring": (SCORING, {}),
        "certificate_policy": (POLICY, REQUIRED),
    },
    "certificate": {
        "schema_version": (("openadapt.reward-certificate/v1",), "openadapt.reward-certificate/v1"),
        "certificate_id": (ID, REQUIRED),
        "reward_contract_digest": (DIGEST, REQUIRED),
        "checker_configuration_digest": (DIGEST, REQUIRED),
        "epsilon": ("probability", REQUIRED),
        "delta": ("probability", REQUIRED),
        "threshold": ("double", REQUIRED),
        "calibration_corpus_digest": (DIGEST, REQUIRED),
        "calibration_scope": (("synthetic",), REQUIRED),
        "issued_at_policy_update": ("update", REQUIRED),
        "expiry_policy_updates": ("count", REQUIRED),
        "issued_at": ("time", REQUIRED),
        "issuer": (("self_signed",), REQUIRED),
        "issuer_key_id": (ID, REQUIRED),
        "signature_algorithm": (("ed25519",), "ed25519"),
        "signature": (SIGNATURE, REQUIRED),
    },
    "receipt": {
        "schema_version": (("openadapt.reward-evidence-receipt/v1",), "openadapt.reward-evidence-receipt/v1"),
        "receipt_id": (ID, REQUIRED),
        "reward_contract_digest": (DIGEST, REQUIRED),
        "policy_checkpoint_id": (ID, REQUIRED),
        "policy_update": ("update", REQUIRED),
        "episode_id": (ID, REQUIRED),
        "oracle_tier": ("tier", REQUIRED),
        "reward_outcome": (("verified", *PENALTIES, *UNSCORED), REQUIRED),
        "evidence_digest": (DIGEST, REQUIRED),
        "reward_components": ("rewards", {}),
        "scalar_reward": ("reward?", None),
        "certificate_id": (ID + "?", None),
        "certificate_digest": (DIGEST + "?", None),
        "certificate_state": (STATES, REQUIRED),
        "calibration_corpus_digest": (DIGEST + "?", None),
        "calibration_scope": (("synthetic", None), None),
        "uncertainty": (UNCERTAIN, REQUIRED),
        "certified": ("boolean", REQUIRED),
        "development_only": ("boolean", REQUIRED),
        "issuer_key_id": (ID, REQUIRED),
        "nonce": (ID, REQUIRED),
        "issued_at": ("time", REQUIRED),
        "signature_algorithm": (("ed25519",), "ed25519"),
        "signature": (SIGNATURE, REQUIRED),
    },
}
RANGES = {
    "probability": lambda x: 0 < x < 1,
    "double": lambda x: True,
    "positive": lambda x: 0 < x <= 1e6,
    "penalty": lambda x: -1e6 <= x <= 0,
    "reward": lambda x: -1e6 <= x <= 1e6,
}
WHOLES = {"update": (0, LAST), "count": (1, LAST), "tier": (0, 3)}


class Program:
    """The implementation, with at most one bug."""

    def __init__(self, bug: str = "") -> None:
        assert not bug or bug in BUGS, bug
        self.bug = bug
        self.budget = 0

    def read(self, data: bytes) -> Any:
        return Lexer(data, self.bug).text()

    # Reading documents

    def document(self, data: bytes, kind: str | None) -> dict[str, Any]:
        value = self.read(data)
        if not isinstance(value, dict):
            raise Refused("schema.type")
        if kind is None:
            named = value.get("schema_version")
            kind = next((k for k, fields in KINDS.items() if named in fields["schema_version"][0]), None)
            if kind is None:
                raise Refused("schema.enum")
        document = self.fields(KINDS[kind], value)
        if kind == "contract":
            self.contract_rules(document)
        elif kind == "certificate":
            first, count = document["issued_at_policy_update"].whole, document["expiry_policy_updates"].whole
            total = first + count
            if self.bug == "sum-of-32-bits":
                total %= 2**32
            if total > LAST:
                raise Refused("certificate.expiry-fits")
        else:
            self.receipt_rules(document)
        return document

    def fields(self, fields: dict[str, tuple[Any, Any]], value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Refused("schema.type")
        known = {}
        for name, member in value.items():
            key = name
            if key not in fields and self.bug == "members-fold-case" and name.lower() in fields:
                key = name.lower()
            if self.bug == "members-fold-long-s":
                key = name.replace("\u017f", "s").replace("\u212a", "k")
            if self.bug == "members-end-at-nul":
                key = name.split("\0")[0]
            if key not in fields:
                raise Refused("schema.additionalProperties")
            known[key] = member
        document = {}
        for name, (kind, default) in fields.items():
            if name in known:
                document[name] = self.field(kind, known[name])
            elif default is REQUIRED:
                raise Refused("schema.required")
            elif isinstance(kind, dict):
                document[name] = self.fields(kind, default)
            else:
                document[name] = Num(default) if kind in RANGES else default
        return document

    def field(self, kind: Any, value: Any) -> Any:
        if isinstance(kind, dict):
            return self.fields(kind, value)
        if isinstance(kind, tuple):
            if isinstance(value, (Num, bool)) or not any(
                value is k or (type(value) is str and value == k) for k in kind
            ):
                raise Refused("schema.enum")
            return value
        if kind.endswith("?"):
            return None if value is None else self.field(kind[:-1], value)
        if kind == "any":
            return value
        if kind == "boolean":
            if not isinstance(value, bool):
                raise Refused("schema.type")
            return value
        if kind in WHOLES:
            whole = value.whole if isinstance(value, Num) else None
            if whole is None:
                raise Refused("schema.type")
            if self.bug == "updates-of-32-bits":
                whole = (whole + 2**31) % 2**32 - 2**31
            if not WHOLES[kind][0] <= whole <= WHOLES[kind][1]:
                raise Refused("schema.maximum")
            return value
        if kind in RANGES:
            if not isinstance(value, Num):
                raise Refused("schema.type")
            if not RANGES[kind](value.double):
                raise Refused("schema.maximum")
            return value
        if kind == "identity keys":
            return self.identity_keys(value)
        if kind == "components":
            return self.components(value)
        if kind == "rewards":
            return self.rewards(value)
        if not isinstance(value, str) or isinstance(value, Num):
            raise Refused("schema.type")
        if not (is_time(value) if kind == "time" else re.fullmatch(kind, value)):
            raise Refused("schema.pattern")
        return value

    def accumulated(self, flags: list[bool], by_last: str, by_first: str = "") -> bool:
        """Whether all items are good; a bug looks at the last one, or at the first one."""
        good = True
        for i, flag in enumerate(flags):
            if self.bug == by_last:
                good = flag
            elif by_first and self.bug == by_first:
                good = flag if i == 0 else good
            elif not flag:
                good = False
        return good

    def is_name(self, value: Any) -> bool:
        return isinstance(value, str) and not isinstance(value, Num) and bool(re.fullmatch(NAME, value))

    def identity_keys(self, value: Any) -> list[Any]:
        if not isinstance(value, list) or not 1 <= len(value) <= 32:
            raise Refused("schema.type")
        if not self.accumulated([self.is_name(key) for key in value], "identity-names-by-last"):
            raise Refused("schema.pattern")
        if not self.accumulated([value.index(key) == i for i, key in enumerate(value)], "identity-keys-by-last"):
            raise Refused("schema.uniqueItems")
        return value

    def components(self, value: Any) -> list[Any]:
        if not isinstance(value, list) or not 1 <= len(value) <= 64:
            raise Refused("schema.type")
        names, weights, read = [], [], []
        for item in value:
            loose = self.fields({"name": ("any", REQUIRED), "weight": ("any", REQUIRED)}, item)
            names.append(self.is_name(loose["name"]))
            weights.append(isinstance(loose["weight"], Num) and RANGES["positive"](loose["weight"].double))
            read.append(loose)
        if not self.accumulated(names, "component-names-by-last"):
            raise Refused("schema.pattern")
        if not self.accumulated(weights, "weights-by-last", "weights-by-first"):
            raise Refused("schema.exclusiveMinimum")
        return read

    def rewards(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > 64:
            raise Refused("schema.type")
        good = [isinstance(x, Num) and RANGES["reward"](x.double) for x in value.values()]
        if not self.accumulated([self.is_name(name) for name in value], "reward-names-by-last"):
            raise Refused("schema.propertyNames")
        if not self.accumulated(good, "reward-values-by-last", "reward-values-by-first"):
            raise Refused("schema.type")
        return value

    def contract_rules(self, contract: dict[str, Any]) -> None:
        names = [component["name"] for component in contract["components"]]
        unique = [names.index(name) == i for i, name in enumerate(names)]
        if self.bug == "unique-components-of-neighbours":
            unique = [i == 0 or names[i - 1] != name for i, name in enumerate(names)]
        if not self.accumulated(unique, "unique-components-by-last"):
            raise Refused("contract.component-names-unique")

    def receipt_rules(self, r: dict[str, Any]) -> None:
        tier, outcome, state = r["oracle_tier"].whole, r["reward_outcome"], r["certificate_state"]
        reference = [
            r["certificate_id"],
            r["certificate_digest"],
            r["calibration_corpus_digest"],
            r["calibration_scope"],
        ]
        given = sum(x is not None for x in reference)
        scalar, unscored = r["scalar_reward"], outcome in UNSCORED
        broken = (
            r["development_only"] != (tier < 2)
            or (r["certified"] and (tier < 2 or state != "current"))
            or given != (0 if state == "absent" else 4)
            or (unscored and (scalar is not None or r["reward_components"]))
            or (not unscored and (scalar is None or not r["reward_components"]))
            or (outcome == "verified" and (scalar.double <= 0 or r["uncertainty"] != "none"))
            or (outcome in PENALTIES and scalar.double > 0)
            or (outcome == "reconciliation_required" and r["uncertainty"] == "none")
        )
        if broken:
            raise Refused("receipt")

    # Canonical text of documents, digests, signatures

    def canonical(self, kind: Any, value: Any) -> str:
        bug = self.bug
        if value is None or isinstance(value, bool):
            return plain_text(value, bug)
        if isinstance(kind, dict):
            return members_text({name: self.canonical(kind[name][0], member) for name, member in value.items()}, bug)
        if isinstance(kind, str) and kind.rstrip("?") in RANGES:
            return double_text(value.double, bug)
        if kind in WHOLES:
            return str(value.whole)
        if kind == "identity keys":
            return "[" + ",".join(quoted(key) for key in sorted(value)) + "]"
        if kind == "components":
            items = sorted(value, key=lambda component: component["name"])
            return "[" + ",".join(self.canonical(COMPONENT, item) for item in items) + "]"
        if kind == "rewards":
            return members_text({name: double_text(x.double, bug) for name, x in value.items()}, bug)
        if kind == "time":
            return quoted(self.time(value))
        return quoted(value)

    def time(self, text: str) -> str:
        bug = self.bug.removeprefix("signed-")
        if bug == "time-plus-zero-as-z":
            return text.replace("+00:00", "Z")
        if bug == "time-minus-zero-as-z":
            return text.replace("-00:00", "Z")
        if bug == "time-in-utc" and text[-1] != "Z" and text[-5:] != "00:00":
            from datetime import UTC, datetime

            return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return text

    def digest_of(self, kind: str, document: dict[str, Any]) -> str:
        return "sha256:" + hashlib.sha256(self.canonical(KINDS[kind], document).encode()).hexdigest()

    def canonical_of(self, kind: str, document: dict[str, Any]) -> str:
        if self.bug == "defaults-on-top-only" and kind == "contract":
            document = {**document, "scoring": {**document["scoring"], "wrong_effect_reward": Num("0.0")}}
        return self.canonical(KINDS[kind], document)

    def keyring(self, data: bytes, wanted: list[str]) -> dict[str, bytes]:
        """The keys by id. Raises CallerError for a malformed one."""
        try:
            value = Lexer(data, "").text()
        except Refused:
            raise CallerError from None
        if not isinstance(value, dict):
            raise CallerError
        keys = {}
        for name, text in value.items():
            if self.bug in ("keyring-of-the-key-only", "keyring-malformed-other-entry") and name not in wanted:
                continue
            if not re.fullmatch(ID, name) or not isinstance(text, str) or isinstance(text, Num):
                raise CallerError
            if not re.fullmatch(r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=", text):
                raise CallerError
            keys[name] = base64.b64decode(text)
            if self.bug == "keyring-up-to-the-key" and name in wanted:
                break
        return keys

    def verdict(self, kind: str, document: dict[str, Any], keys: dict[str, bytes]) -> str:
        key = keys.get(document["issuer_key_id"])
        if key is None:
            return "signer-unknown"
        unsigned = {name: x for name, x in document.items() if name not in ("signature", "signature_algorithm")}
        message = self.canonical(KINDS[kind], unsigned).encode()
        return "valid" if verifies(key, message, base64.b64decode(document["signature"])) else "invalid"

    # Scores

    def state(self, certificate: dict[str, Any] | None, update: int) -> str:
        if certificate is None:
            return "absent"
        first, count = certificate["issued_at_policy_update"].whole, certificate["expiry_policy_updates"].whole
        end = first + count
        if self.bug == "state-of-32-bits":
            end %= 2**32
        if self.bug == "state-counts-from-one":
            end += 1
        if update < first:
            return "not_yet_valid"
        return "current" if update < end else "expired"

    def unmet(self, certificate: dict[str, Any], contract: dict[str, Any]) -> list[str]:
        policy = contract["certificate_policy"]
        checks = [
            ("epsilon-exceeds-policy", certificate["epsilon"].double > policy["epsilon"].double),
            ("delta-exceeds-policy", certificate["delta"].double > policy["delta"].double),
            ("threshold-differs", certificate["threshold"].double != policy["threshold"].double),
            (
                "calibration-corpus-differs",
                certificate["calibration_corpus_digest"] != policy["calibration_corpus_digest"],
            ),
            (
                "expiry-exceeds-policy",
                certificate["expiry_policy_updates"].whole > policy["expiry_policy_updates"].whole,
            ),
        ]
        codes = [code for code, fails in checks if fails]
        if self.bug == "unmet-first-only":
            return codes[:1]
        return codes[-1:] if self.bug == "unmet-last-only" else codes

    def scalar(self, contract: dict[str, Any], outcome: str) -> float | None:
        if outcome in UNSCORED:
            return None
        return float(contract["scoring"][f"{outcome}_reward"].double)

    def whole(self, value: Any, top: int) -> int:
        if not isinstance(value, Num) or not value.exact or not 0 <= int(value) <= top:
            raise CallerError
        return int(value)

    def refused(self, contract: Any, certificate: Any, tier: int, update: int) -> tuple[list[str], bool]:
        channel = CHANNELS[contract["oracle"]["channel"]]
        effective = channel if self.bug == "tier-of-channel-only" else min(tier, channel)
        codes = ["tier-development-only"] if effective < 2 else []
        if certificate is None:
            codes.append("certificate-absent")
        else:
            state = self.state(certificate, update)
            if state != "current":
                codes.append("certificate-" + state.replace("_", "-"))
            if certificate["reward_contract_digest"] != self.digest_of("contract", contract):
                codes.append("certificate-names-another-contract")
            codes += self.unmet(certificate, contract)
        return codes[:1] if self.bug == "refusals-first-only" else codes, effective < 2

    def refusals(self, receipt: Any, contract: Any, certificate: Any) -> list[str]:
        codes = []
        if receipt["reward_contract_digest"] != self.digest_of("contract", contract):
            codes.append("receipt-names-another-contract")
        named = receipt["certificate_digest"]
        if certificate is None and named is not None:
            codes.append("receipt-certificate-not-given")
        if certificate is not None and named != self.digest_of("certificate", certificate):
            codes.append("receipt-names-another-certificate")
        codes += self.refused(contract, certificate, receipt["oracle_tier"].whole, receipt["policy_update"].whole)[0]
        return codes

    # The audit

    def at_update(self, given: Any) -> int | None:
        bug = self.bug
        if given is None and bug == "at-update-null-checked":
            return 0
        if given is None:
            return None
        if bug == "at-update-boolean" and isinstance(given, bool):
            return int(given)
        if bug == "at-update-text" and not isinstance(given, (Num, bool)):
            return None
        if isinstance(given, Num):
            if bug == "at-update-rounded" and not given.exact:
                return int(given.double)
            if bug == "at-update-negative" and given.exact and int(given) < 0:
                return int(given)
            if bug == "at-update-beyond" and given.exact and int(given) > LAST:
                return int(given)
        return self.whole(given, LAST)

    def audit(self, documents: Any, asked: Any) -> dict[str, Any]:
        receipt, contract, certificate = documents["receipt"], documents["contract"], documents["certificate"]
        at_update = self.at_update(asked.get("at_update"))
        keys: dict[str, bytes] | None = None
        malformed = False
        if documents["keyring"] is not None:
            wanted = [each["issuer_key_id"] for each in (receipt, certificate) if each]
            try:
                keys = self.keyring(documents["keyring"], wanted)
            except CallerError:
                if self.bug not in ("keyring-malformed-is-unknown", "keyring-malformed-is-invalid"):
                    raise
                malformed = True
        findings: list[str] = []
        unchecked: list[str] = []

        def checked(runs: bool, codes: list[str], fails: Any) -> None:
            if not runs:
                unchecked.extend(codes)
            else:
                findings.extend(code for code, failed in zip(codes, fails(), strict=True) if failed)

        asks = receipt["certificate_state"] != "absent" or (self.bug == "unasked-certificate" and certificate)
        update = receipt["policy_update"].whole
        checked(contract is not None, CONTRACT_CHECKS, lambda: self.against_contract(receipt, contract))
        if asks:
            checked(certificate is not None, CERTIFICATE_CHECKS, lambda: self.against_certificate(receipt, certificate))

            def both() -> list[bool]:
                against = self.refusals(receipt, contract, certificate)
                return [bool(receipt["certified"] and against), bool(not receipt["certified"] and not against)]

            checked(contract is not None and certificate is not None, BOTH_CHECKS, both)
        for kind, document in (("receipt", receipt), ("certificate", certificate)):
            if kind == "certificate" and not asks:
                continue
            prefix = "" if kind == "receipt" else "certificate-"
            if document is None:
                unchecked.append("certificate-signature-invalid")
                continue
            found = "signer-unknown" if keys is None else self.verdict(kind, document, keys)
            if malformed and self.bug == "keyring-malformed-is-invalid":
                found = "invalid"
            if found == "signer-unknown":
                unchecked.append(prefix + "signer-unknown")
            elif found == "invalid":
                findings.append(prefix + "signature-invalid")
        if at_update is not None:
            if asks or (self.bug == "unasked-expiry" and certificate):
                expired = lambda: [self.state(certificate, at_update) == "expired"]  # noqa: E731
                checked(certificate is not None, ["certificate-expired-at-update"], expired)
            checked(True, ["policy-update-ahead"], lambda: [update > at_update])
        verdict = "fails" if findings else "undecided" if unchecked else "holds"
        return {"verdict": verdict, "findings": findings, "unchecked": unchecked}

    def against_contract(self, receipt: Any, contract: Any) -> list[bool]:
        wanted = self.scalar(contract, receipt["reward_outcome"])
        given = None if receipt["scalar_reward"] is None else receipt["scalar_reward"].double
        names = [component["name"] for component in contract["components"]]
        known = [name in names for name in receipt["reward_components"]]
        return [
            receipt["reward_contract_digest"] != self.digest_of("contract", contract),
            receipt["oracle_tier"].whole > CHANNELS[contract["oracle"]["channel"]],
            wanted != given,
            not self.accumulated(known, "components-known-by-last", "components-known-by-first"),
        ]

    def against_certificate(self, receipt: Any, certificate: Any) -> list[bool]:
        return [
            receipt["certificate_digest"] != self.digest_of("certificate", certificate),
            receipt["certificate_id"] != certificate["certificate_id"],
            receipt["calibration_corpus_digest"] != certificate["calibration_corpus_digest"],
            receipt["calibration_scope"] != certificate["calibration_scope"],
            receipt["certificate_state"] != self.state(certificate, receipt["policy_update"].whole),
        ]

    # Composed rewards

    def is_text(self, value: Any) -> bool:
        if not isinstance(value, str) or isinstance(value, Num):
            return False
        return 1 <= len(value) <= 128

    def spec(self, data: bytes) -> dict[str, Any]:
        value = self.read(data)
        version = "reward-receipts.reward-spec/v1"
        fields = {
            "schema_version": ((version,), version),
            "name": ("any", REQUIRED),
            "components": ("any", REQUIRED),
            "gates": ("any", []),
        }
        spec = self.fields(fields, value)
        if not self.is_text(spec["name"]):
            raise Refused("schema")
        terms, gates = spec["components"], spec["gates"]
        if not isinstance(terms, list) or not 1 <= len(terms) <= 64:
            raise Refused("schema")
        if not isinstance(gates, list) or len(gates) > 4096:
            raise Refused("schema")
        for term in terms:
            optional = {
                "name": ("any", None),
                "params": ("any", None),
                "weight": ("double", None),
                "clip": ("any", None),
            }
            self.fields({"type": ("any", REQUIRED), **optional}, term)
            if "name" in term and not self.is_text(term["name"]):
                raise Refused("schema")
            if "params" in term and not (isinstance(term["params"], dict) and len(term["params"]) <= 64):
                raise Refused("schema")
            text = term["type"]
            long = isinstance(text, str) and len(text) > 128 and self.bug == "type-of-any-length"
            if not self.is_text(text) and not long and not (self.bug == "type-empty" and text == ""):
                raise Refused("schema")
            clip = term.get("clip")
            if clip is not None and not (isinstance(clip, list) and len(clip) == 2 and self.are_bounds(clip)):
                raise Refused("schema")
        for gate in gates:
            self.fields({"component": ("any", REQUIRED), "requires": ("any", REQUIRED)}, gate)
            if not self.is_text(gate["component"]) or not self.is_text(gate["requires"]):
                raise Refused("schema")
        self.spec_rules(terms, gates)
        return spec

    def are_bounds(self, clip: list[Any]) -> bool:
        return all(bound is None or isinstance(bound, Num) for bound in clip)

    def key(self, name: str) -> str:
        if self.bug == "types-end-at-nul":
            return name.split("\0")[0]
        if self.bug == "types-fold-kelvin":
            return name.replace("\u212a", "K")
        return name.casefold() if self.bug == "types-fold-case" else name

    def term_name(self, term: Any) -> str:
        if self.bug == "terms-named-by-type":
            return term["type"]
        return term.get("name", term["type"])

    def spec_rules(self, terms: list[Any], gates: list[Any]) -> None:
        names = [self.key(self.term_name(term)) for term in terms]
        unique = [names.index(name) == i for i, name in enumerate(names)]
        if self.bug == "types-unique-of-neighbours":
            unique = [i == 0 or names[i - 1] != name for i, name in enumerate(names)]
        if not self.accumulated(unique, "types-unique-by-last"):
            raise Refused("spec.component-types-unique")
        ordered = [not term.get("clip") or self.in_order(term["clip"]) for term in terms]
        if not self.accumulated(ordered, "clips-ordered-by-last", "clips-ordered-by-first"):
            raise Refused("spec.clip-ordered")
        known = []
        for gate in gates:
            ends = ("requires",) if self.bug == "gate-component-not-looked-at" else ("component", "requires")
            known.append(all(self.key(gate[end]) in names for end in ends))
        if not self.accumulated(known, "gates-known-by-last", "gates-known-by-first"):
            raise Refused("spec.gate-names-known")
        if self.has_cycle(names, gates):
            raise Refused("spec.gates-acyclic")

    def in_order(self, clip: list[Any]) -> bool:
        low, high = clip
        return low is None or high is None or bool(low.double <= high.double)

    def has_cycle(self, names: list[str], gates: list[Any]) -> bool:
        needs: dict[str, list[str]] = {}
        for gate in gates:
            needs.setdefault(gate["component"], []).append(gate["requires"])
        starts = list(needs)
        if self.bug == "cycles-from-first-gate":
            starts = starts[:1]
        if self.bug == "cycles-from-first-component":
            starts = names[:1]
        if self.bug == "cycles-of-two-only":
            return any(a == b or a in needs.get(b, []) for a in needs for b in needs[a])
        done: set[str] = set()

        def visit(name: str, path: set[str]) -> bool:
            self.spend()
            if name in path:
                return True
            if name in done and self.bug != "cycles-without-memory":
                return False
            inside = path | {name}
            for other in needs.get(name, []):
                if visit(other, inside):
                    return True
            done.add(name)
            return False

        self.budget = 100_000
        return any(visit(name, set()) for name in starts)

    def spend(self) -> None:
        """One call less. A real program would run for hours; this one raises."""
        self.budget -= 1
        if self.budget < 0:
            raise RuntimeError("out of time")

    def compose(self, spec: dict[str, Any], asked: Any) -> dict[str, Any]:
        registry = {self.key(name): own for name, own in asked["components"].items()}
        terms = []
        for term in spec["components"]:
            own = registry.get(self.key(term["type"]))
            if own is None:
                raise Refused("compose.component-unknown")
            clip = term.get("clip", own["clip"])
            name = self.term_name(term)
            params = self.params(own.get("params", {}), term.get("params", {}))
            written = {**term, "weight": term.get("weight", own["default_weight"]), "clip": clip}
            for member in ("name", "params"):
                written.pop(member, None)
            if name != term["type"]:
                written["name"] = name
            if params:
                written["params"] = params
            terms.append(
                {
                    "type": name,
                    "weight": self.number(term.get("weight", own["default_weight"]), "weight-of-64-bits"),
                    "clip": None if clip is None else self.bounds(clip),
                    "written": written,
                    "ends": own["cadence"] == "episode_end",
                    "needs": [g["requires"] for g in spec["gates"] if self.key(g["component"]) == self.key(name)],
                }
            )
        if self.bug == "terms-of-32":
            terms = terms[:32]
        resolved = {**spec, "components": [term["written"] for term in terms]}
        return {
            "digest": self.spec_digest(spec),
            "resolved_digest": self.spec_digest(resolved),
            "ceiling": self.ceiling(terms, asked["episode_steps"]),
            "steps": self.steps(terms, spec["gates"], asked["steps"]),
        }

    def params(self, declared: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        for name, value in sorted(given.items()):
            if name not in declared:
                if self.bug == "unknown-params-ignored":
                    continue
                raise Refused("compose.param-unknown")
            param = declared[name]
            if not self.is_of(param["type"], value):
                raise Refused("compose.param-type")
            if self.bug == "param-range-not-checked" or param["type"] not in ("number", "integer"):
                continue
            low, high = param.get("minimum"), param.get("maximum")
            strict = self.bug == "param-range-exclusive"
            below = low is not None and (value.double < low.double or (strict and value.double == low.double))
            above = high is not None and (value.double > high.double or (strict and value.double == high.double))
            if below or above:
                raise Refused("compose.param-range")
        for name, param in sorted(declared.items()):
            if "default" not in param and name not in given and self.bug != "params-all-optional":
                raise Refused("compose.param-missing")
        own = {name: param["default"] for name, param in declared.items() if "default" in param}
        if self.bug == "params-without-defaults":
            own = {}
        return {**own, **{name: value for name, value in given.items() if name in declared}}

    def is_of(self, type_: str, value: Any) -> bool:
        if type_ == "json":
            return True
        if type_ in ("number", "integer"):
            if not isinstance(value, Num):
                return isinstance(value, bool) and self.bug == "booleans-are-params-numbers"
            whole = value.double == math.floor(value.double) and abs(value.double) < 2**53
            return type_ == "number" or whole or self.bug == "integers-of-any-number"
        return isinstance(value, bool) if type_ == "boolean" else isinstance(value, str) and not isinstance(value, Num)

    def params_text(self, value: Any) -> str:
        if isinstance(value, Num):
            if self.bug == "params-keep-integers" and value.exact:
                return str(int(value))
            return double_text(value.double)
        if isinstance(value, dict):
            return members_text({name: self.params_text(member) for name, member in value.items()}, "")
        if isinstance(value, list):
            return "[" + ",".join(map(self.params_text, value)) + "]"
        return quoted(value) if isinstance(value, str) else {True: "true", False: "false", None: "null"}[value]

    def bounds(self, clip: list[Any]) -> list[float]:
        return [
            infinity if bound is None else bound.double
            for bound, infinity in zip(clip, (-math.inf, math.inf), strict=True)
        ]

    def number(self, token: Num, of_64_bits: str) -> float:
        if self.bug == of_64_bits and token.exact and not -(2**63) <= int(token) < 2**63:
            raise RuntimeError("value out of range")
        return token.double

    def spec_digest(self, spec: dict[str, Any]) -> str:
        terms = []
        for term in spec["components"]:
            texts = {"type": quoted(term["type"])}
            if "name" in term:
                texts["name"] = quoted(term["name"])
            if "params" in term:
                texts["params"] = self.params_text(term["params"])
            if "weight" in term:
                texts["weight"] = double_text(term["weight"].double)
            if "clip" in term:
                clip = term["clip"]
                texts["clip"] = "null" if clip is None else "[" + ",".join(map(self.bound_text, clip)) + "]"
            terms.append(members_text(texts, ""))
        gates = [members_text({end: quoted(name) for end, name in gate.items()}, "") for gate in spec["gates"]]
        texts = {
            "schema_version": quoted(spec["schema_version"]),
            "name": quoted(spec["name"]),
            "components": "[" + ",".join(terms) + "]",
            "gates": "[" + ",".join(gates) + "]",
        }
        return "sha256:" + hashlib.sha256(members_text(texts, "").encode()).hexdigest()

    def bound_text(self, bound: Any) -> str:
        return "null" if bound is None else double_text(bound.double)

    def ceiling(self, terms: list[Any], steps: Num) -> dict[str, Any]:
        sums: dict[bool, float | None] = {False: 0.0, True: 0.0}
        unbounded = []
        by_last = False
        for term in terms:
            bound = self.bound(term)
            by_last = bound is None
            if bound is None:
                unbounded.append(term["type"])
            total = sums[term["ends"]]
            if bound is None or total is None:
                sums[term["ends"]] = None
            elif self.bug == "fma-in-per-step" and not term["needs"] and math.inf not in map(abs, term["clip"]):
                products = [Fraction(term["weight"]) * Fraction(b) for b in term["clip"]]
                sums[term["ends"]] = finite(float(Fraction(total) + max(products)))
            else:
                sums[term["ends"]] = finite(total + bound)
        per_step, at_end = sums[False], sums[True]
        count = steps.double
        if self.bug == "steps-of-32-bits":
            count = float(int(count) % 2**32)
        per_episode = None
        if per_step is not None and at_end is not None:
            product = finite(count * per_step)
            per_episode = None if product is None else finite(product + at_end)
            if self.bug == "fma-in-ceiling" and product is not None:
                try:
                    per_episode = float(Fraction(count) * Fraction(per_step) + Fraction(at_end))
                except OverflowError:
                    per_episode = None
        if self.bug == "unbounded-by-last":
            unbounded = [terms[-1]["type"]] if by_last else []
        return {"per_step": per_step, "at_end": at_end, "per_episode": per_episode, "unbounded": unbounded}

    def bound(self, term: Any) -> float | None:
        if term["clip"] is None:
            return None
        if math.isinf(term["clip"][1 if term["weight"] > 0 else 0]) or (
            term["weight"] == 0 and math.inf in map(abs, term["clip"])
        ):
            return None
        best = max(term["weight"] * bound for bound in term["clip"])
        if term["needs"]:
            best = max(best, 0.0)
        return finite(best)

    def steps(self, terms: list[Any], gates: list[Any], steps: list[Any]) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = []
        over, over_terminated, kept = False, False, 0.0
        for step in steps:
            if "reset" in step:
                over = False
                continue
            ends = step["terminated"] or step["truncated"]
            goes_on = {
                "steps-after-the-end": True,
                "steps-after-the-end-without-an-end-term": not any(term["ends"] for term in terms),
                "over-only-if-terminated": not over_terminated,
            }
            if over and not goes_on.get(self.bug, False):
                answers.append({"refused": "compose.episode-over"})
                continue
            due = [term for term in terms if ends or not term["ends"]]
            answer = self.step(due, gates, step["raw"])
            if "refused" not in answer or self.bug == "refusal-ends-episode":
                over = over or ends
                over_terminated = step["terminated"]
            if self.bug == "total-kept" and "total" in answer:
                kept += answer["total"]
                answer["total"] = kept
            answers.append(answer)
        return answers

    def step(self, due: list[Any], gates: list[Any], raw: dict[str, Any]) -> dict[str, Any]:
        values = {}
        for term in due:
            given = raw[term["type"]]
            if isinstance(given, dict):
                code = "compose.component-failed" if "fails" in given else "compose.not-finite"
                return {"refused": code, "component": term["type"]}
            if not isinstance(given, Num):
                return {"refused": "compose.not-a-number", "component": term["type"]}
            values[term["type"]] = self.number(given, "raw-of-64-bits")
        weighted: dict[str, float] = {}
        for term in due:
            x = self.clipped(values[term["type"]], term["clip"]) * term["weight"]
            if not math.isfinite(x):
                return {"refused": "compose.contribution-overflows", "component": term["type"]}
            weighted[term["type"]] = x + 0.0
            values[term["type"]] = self.clipped(values[term["type"]], term["clip"])
        contributions = self.gated(due, gates, weighted)
        total = 0.0
        for term in due:
            name = term["type"]
            if self.bug == "fma-in-total" and contributions[name] != 0.0:
                total = float(Fraction(total) + Fraction(values[name]) * Fraction(term["weight"]))
            else:
                total += contributions[name]
            if not math.isfinite(total):
                return {"refused": "compose.total-overflows", "component": name}
        return {"contributions": contributions, "total": total}

    def clipped(self, x: float, clip: list[float] | None) -> float:
        if clip is None:
            return x
        low, high = clip
        return low if x < low else high if x > high else x

    def gated(self, due: list[Any], gates: list[Any], weighted: dict[str, float]) -> dict[str, float]:
        needs = {term["type"]: term["needs"] for term in due}
        if self.bug in ("gates-one-pass", "gates-eight-passes"):
            result = dict(weighted)
            for _ in range(1 if self.bug == "gates-one-pass" else 8):
                for gate in gates:
                    if gate["component"] in result and not result.get(gate["requires"], 0.0) > 0:
                        result[gate["component"]] = 0.0
            return result
        memory: dict[str, float] = {}

        def value(name: str) -> float:
            self.spend()
            if name in memory and self.bug != "gates-without-memory":
                return memory[name]
            opened = [other in weighted and value(other) > 0 for other in needs[name]]
            is_open = any(opened) or not opened if self.bug == "gates-any-open" else all(opened)
            memory[name] = weighted[name] if is_open else 0.0
            return memory[name]

        self.budget = 100_000
        return {name: value(name) for name in weighted}

    # The driver

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        operation, kind = request["operation"], request["kind"]
        given = {name: None if x is None else base64.b64decode(x) for name, x in request["input"].items()}
        asked = request.get("arguments") or {}
        try:
            if operation == "read":
                self.read(given["text"])
                return {"valid": True}
            if operation == "validate":
                self.document(given["document"], kind)
                return {"valid": True}
            if operation == "compose":
                return self.compose(self.spec(given["spec"]), asked)
        except Refused as refused:
            return {"valid": False, "codes": [str(refused)]}
        if operation == "canonical":
            return {"canonical": encoded(plain_text(self.read(given["text"]), self.bug))}
        if operation == "digest":
            canonical = self.canonical_of(kind, self.document(given["document"], kind))
            return {
                "digest": "sha256:" + hashlib.sha256(canonical.encode()).hexdigest(),
                "canonical": encoded(canonical),
            }
        if operation == "verify":
            document = self.document(given["document"], kind)
            try:
                return {
                    "verdict": self.verdict(kind, document, self.keyring(given["keyring"], [document["issuer_key_id"]]))
                }
            except CallerError:
                return {"verdict": "error"}
        documents: dict[str, Any] = {
            name: None if given.get(name) is None else self.document(given[name], name)
            for name in ("receipt", "contract", "certificate")
        }
        documents["keyring"] = given.get("keyring")
        receipt, contract, certificate = documents["receipt"], documents["contract"], documents["certificate"]
        try:
            if operation == "audit":
                return self.audit(documents, asked)
            if operation == "state":
                return {"state": self.state(certificate, self.whole(asked["policy_update"], LAST))}
            if operation == "score":
                return self.score(contract, certificate, asked)
        except CallerError:
            return {"error": "value"}
        if operation == "unmet":
            return {"unmet": self.unmet(certificate, contract)}
        return {"refusals": self.refusals(receipt, contract, certificate)}

    def score(self, contract: Any, certificate: Any, asked: Any) -> dict[str, Any]:
        outcome = asked["outcome"]
        if isinstance(outcome, (Num, bool)) or outcome not in ("verified", *PENALTIES, *UNSCORED):
            raise CallerError
        tier, update = self.whole(asked["tier"], 3), self.whole(asked["policy_update"], LAST)
        codes, development_only = self.refused(contract, certificate, tier, update)
        scalar = self.scalar(contract, outcome)
        return {
            "scalar": None if scalar is None else double_text(scalar),
            "certified": not codes,
            "development_only": development_only,
            "refusals": codes,
        }


CONTRACT_CHECKS = [
    *("receipt-names-another-contract", "tier-exceeds-channel"),
    *("scalar-differs-from-contract", "component-not-in-contract"),
]
CERTIFICATE_CHECKS = [
    *("receipt-names-another-certificate", "certificate-id-differs", "corpus-differs-from-certificate"),
    *("scope-differs-from-certificate", "certificate-state-differs"),
]
BOTH_CHECKS = ["certified-unsupported", "certified-understated"]


def finite(x: float) -> float | None:
    return x if math.isfinite(x) else None


def encoded(text: str) -> str:
    return base64.b64encode(text.encode("ascii")).decode("ascii")


def main() -> None:
    import json

    program = Program(*sys.argv[1:2])
    layers = ["json", "schema", "rules", "digest", "signature", "score", "certificate", "audit", "compose"]
    operations = ["read", "validate", "canonical", "digest", "verify", "score", "state", "unmet", "refusals", "audit"]
    about = {"protocol": 1, "name": "plain", "version": "1", "language": "Python"}
    say = lambda message: (print(json.dumps(message), flush=True), None)[1]  # noqa: E731
    say({"hello": {**about, "layers": layers, "operations": [*operations, "compose"]}})
    for line in sys.stdin:
        request = json.loads(line, parse_int=Num, parse_float=Num)
        try:
            say({"id": request["id"], "answer": program.answer(request)})
        except Exception as error:
            say({"id": request["id"], "error": repr(error)})


if __name__ == "__main__":
    main()
