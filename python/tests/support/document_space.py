"""The space of the reward documents: what each member can hold, how it can be wrong, and how members form documents.

Written down from the tables of the specification, not read from the schemas under test, for which it is a witness.
"""

from __future__ import annotations

import base64
import math
import string
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

Kind = Literal["contract", "certificate", "receipt"]
Make = Callable[[Random], Any]

MAX_UPDATE = 9007199254740991
MAX_DOUBLE = 1.7976931348623157e308

SCORED = ("verified", "halted_before_effect", "refused", "rejected_policy", "wrong_effect")
UNSCORED = ("reconciliation_required", "failed_platform")
STATES = ("absent", "not_yet_valid", "current", "expired")
UNCERTAINTIES = ("none", "delivery_uncertain", "effect_uncertain", "oracle_unavailable")
CHANNELS = ("visual", "ocr", "second_session", "api", "db", "file", "ack", "counterparty")
REFERENCE = ("certificate_id", "certificate_digest", "calibration_corpus_digest", "calibration_scope")

_ALPHANUMERIC = string.ascii_letters + string.digits
TEXT = (str,)
DOUBLE = (int, float)


# Forms: what a member can hold, and what breaks it, by keyword.


@dataclass(frozen=True)
class Form:
    """The values of one type: a maker of right ones, and a maker of wrong ones for each keyword that refuses."""

    right: Make
    types: tuple[type, ...]
    wrong: Mapping[str, Make] = field(default_factory=dict)
    nullable: bool = False

    def faults(self) -> Iterator[tuple[str, Make]]:
        """The keyword under which a checker reports a wrong value, and the maker of the value."""
        allowed = (*self.types, type(None)) if self.nullable else self.types
        others = [value for value in (None, True, 0, 1.5, "1", [], {}, [0], {"a": 0}) if type(value) not in allowed]
        if self.types == (int,):
            others += [1.0000000000000002, -0.5, 1e-300, "120"]
        makers = {"type": lambda rng: rng.choice(others), **self.wrong}
        for keyword, make in makers.items():
            yield ("anyOf" if self.nullable else keyword), make


def or_null(form: Form) -> Form:
    """The same form for a member that can be null; a fault of it is reported for the alternatives as a whole."""
    return Form(form.right, form.types, form.wrong, nullable=True)


def _hex(rng: Random) -> str:
    return rng.choice((f"{rng.getrandbits(256):064x}", f"{rng.getrandbits(256):064x}", "0" * 64, "f" * 64))


def digest(rng: Random) -> str:
    """A Sha256Digest."""
    return "sha256:" + _hex(rng)


def _text(rng: Random, first: str, rest: str, shortest: int, longest: int) -> str:
    length = rng.choice((shortest, longest, rng.randint(shortest, 24), rng.randint(shortest, 24)))
    return rng.choice(first) + "".join(rng.choices(rest, k=length - 1))


def opaque_id(rng: Random) -> str:
    """An OpaqueId: 8 to 128 characters, each of its alphabet."""
    return _text(rng, _ALPHANUMERIC, _ALPHANUMERIC + "._:-", 8, 128)


def name(rng: Random) -> str:
    """A Name: 1 to 128 characters, each of its alphabet."""
    return _text(rng, string.ascii_letters, _ALPHANUMERIC + "_-", 1, 128)


def names(rng: Random, least: int, most: int) -> list[str]:
    """Distinct names in no order; often few, now and then the least or the most."""
    count = rng.choice((least, most, rng.randint(least, 4), rng.randint(least, 4), rng.randint(least, 4)))
    found: dict[str, None] = {}
    while len(found) < count:
        # Many short names that differ late or in case only, so that their order is put to the test.
        short = rng.choice("aAbB") + "".join(rng.choices("a_-Z0", k=rng.randint(0, 6)))
        found[short if rng.random() < 0.8 else name(rng)] = None
    return list(found)


def timestamp(rng: Random) -> str:
    """A Timestamp: any year, every 29 February, every offset."""
    if rng.random() < 0.2:
        year, month, day = rng.choice((4, 96, 400, 1996, 2000, 2024, 9996)), 2, 29
    else:
        year = rng.choice((1, 99, 1000, 1900, 2026, 9999, rng.randint(1, 9999)))
        month = rng.randint(1, 12)
        day = rng.choice((1, monthrange(year, month)[1], rng.randint(1, monthrange(year, month)[1])))
    hour, minute, second = (rng.choice((0, most, rng.randint(0, most))) for most in (23, 59, 59))
    offset = "Z" if rng.random() < 0.5 else f"{rng.choice('+-')}{_edge(rng, 23):02}:{_edge(rng, 59):02}"
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{offset}"


def _edge(rng: Random, most: int) -> int:
    return rng.choice((0, most, rng.randint(0, most)))


def signature(rng: Random) -> str:
    """An Ed25519Signature: the canonical base64 of 64 bytes. Nobody made it with a key."""
    return base64.b64encode(rng.randbytes(64)).decode("ascii")


def _one_of(*values: Any) -> Make:
    return lambda rng: rng.choice(values)


LINE_ENDS = ("\n", "\n", "\r", "\r\n", "\x85", "\u2028", "\u2029")
"""What some engine lets stand between ``$`` and the end of a text."""


def _spoilt(make: Make, *more: str) -> Make:
    """Right text, spoilt at one place; or one of more texts."""

    def spoil(rng: Random) -> str:
        text = make(rng)
        if rng.random() < 0.3:
            return text + rng.choice(LINE_ENDS)
        if more and rng.random() < 0.5:
            return rng.choice(more)
        at = rng.randrange(len(text))
        # An Arabic-Indic digit, a full-width letter, a letter beyond the first plane, and what no name has.
        strange = rng.choice("\u0661\uff41\U0001d51e\0! \n")
        return rng.choice((text[:at] + strange + text[at + 1 :], text[:at] + strange + text[at:], ""))

    return spoil


def _too_long(make: Make, least: int) -> Make:
    return lambda rng: make(rng).ljust(least, "0") + "0" * rng.randint(0, 9)


WRONG_TIMESTAMPS = (
    *("2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z"),
    *("2026-04-31T00:00:00Z", "2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z"),
    *("2100-02-29T00:00:00Z", "0000-01-01T00:00:00Z", "0000-02-29T00:00:00Z", "10000-01-01T00:00:00Z"),
    *("2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T23:59:60Z"),
    *(
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00-00:60",
        "2026-01-01T00:00:00+05:99",
        "2026-01-01T00:00:00+99:00",
    ),
    *("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00", "2026-01-01t00:00:00z", "2026-01-01 00:00:00Z", "2026-01-01"),
    *(
        "2026-01-01T00:00:00+0000",
        "2026-01-01T00:00:00+00",
        "2026-1-1T00:00:00Z",
        "2026-01-01T00:00Z",
        "20260101T000000Z",
    ),
    *("-2026-01-01T00:00:00Z", "+002026-01-01T00:00:00Z", "2026-W01-1T00:00:00Z", "2026-001T00:00:00Z"),
)


def _bent_signature(rng: Random) -> str:
    # The last letter carries two bits that no byte has; only a lenient decoder reads them.
    right = signature(rng)
    return rng.choice(
        (
            right[:85] + rng.choice("BCDEFGHIJKLMNOPRSTUVXYZabcdefhijklmnopqrstuvxyz0123456789+/") + "==",
            right[:-2],
            right[:-1],
            "-" + right[1:],
            "_" + right[1:],
            base64.b64encode(rng.randbytes(63)).decode("ascii"),
        )
    )


DIGEST = Form(
    digest,
    TEXT,
    {
        "pattern": _spoilt(
            digest, "sha256:" + "A" * 64, "sha256:" + "a" * 63, "sha512:" + "a" * 64, "a" * 64, "sha256:"
        ),
        "maxLength": _too_long(digest, 72),
    },
)
OPAQUE_ID = Form(
    opaque_id,
    TEXT,
    {
        "pattern": _spoilt(
            opaque_id, "sevenid", ".starts-with-a-dot", "-starts-with-a-hyphen", "has a space", "has/slash"
        ),
        "maxLength": _too_long(opaque_id, 129),
    },
)
NAME = Form(
    name,
    TEXT,
    {"pattern": _spoilt(name, "1digit", "_underscore", "dot.ted", "co:lon"), "maxLength": _too_long(name, 129)},
)
TIMESTAMP = Form(
    timestamp,
    TEXT,
    {"pattern": _spoilt(timestamp, *WRONG_TIMESTAMPS, *WRONG_TIMESTAMPS), "maxLength": _too_long(timestamp, 26)},
)
SIGNATURE = Form(
    signature,
    TEXT,
    {
        "pattern": lambda rng: rng.choice((_spoilt(signature), _bent_signature))(rng),
        "maxLength": _too_long(signature, 89),
    },
)
BOOLEAN = Form(_one_of(False, True), (bool,))


def words(*values: str) -> Form:
    """One of some words."""
    near = [values[0].upper(), values[-1] + " ", values[0] + "\n", "", "production", "Synthetic", "none_", "VERIFIED"]
    return Form(_one_of(*values), TEXT, {"oneOf": _one_of(*near)})


def word(value: str) -> Form:
    """One fixed word."""
    near = (value.upper(), value + "\n", value + "2", "", value[:-1], "openadapt.execute-evidence-receipt/v1")
    return Form(_one_of(value), TEXT, {"const": _one_of(*near)})


def whole(value: int, rng: Random) -> int | float:
    """An integer, now and then written as the whole double that it is; then 0 may have a sign, too."""
    if rng.random() < 0.85:
        return value
    return rng.choice((0.0, -0.0)) if value == 0 else float(value)


def integer(least: int) -> Form:
    """An integer from ``least`` to 9007199254740991."""

    def right(rng: Random) -> int | float:
        most = rng.choice((least, least + 1, 200, 2**31, MAX_UPDATE))
        return whole(rng.choice((least, most, rng.randint(least, max(most, least)))), rng)

    wrong = {
        "minimum": _one_of(least - 1, float(least - 1), -5, -1.0, -(2**53), -(2**63), -(10**30), -1e300),
        "maximum": _one_of(MAX_UPDATE + 1, 9007199254740992.0, 2**63, 2**64, 10**30, 1e16, 1e300),
    }
    return Form(right, (int,), wrong)


def tier(rng: Random) -> int | float:
    """An OracleTier."""
    return whole(rng.randint(0, 3), rng)


TIER = Form(
    tier,
    (int,),
    {"type": _one_of(True, False, 1.5, "2", None, [2]), "oneOf": _one_of(-1, 4, 4.0, -1.0, 255, 2**63, 1e300)},
)

_EDGES = (
    *(0.0, 5e-324, 2.225073858507201e-308, 2.2250738585072014e-308, 1e-300, 1.5e-07, 9.999999999999999e-06, 1e-05),
    *(9.999999999999999e-05, 0.0001, 0.00010000000000000002, 0.1, 0.30000000000000004, 0.5, 0.9999999999999999, 1.0),
    *(1.0000000000000002, 120.0, 1e5, 123456.789, 999999.9999999999, 1000000.0, 9007199254740991.0, 9007199254740992.0),
    *(9999999999999998.0, 1e16, 1.0000000000000002e16, 123456789012345680.0, 1e21, 1e22, 1e23, 9.5e300, MAX_DOUBLE),
)


def number(low: float, high: float, *, open_low: bool = False, open_high: bool = False) -> Form:
    """A double between two bounds; an open bound is not in it. A whole one may be written as an integer."""
    least = math.nextafter(low, math.inf) if open_low else float(low)
    most = math.nextafter(high, -math.inf) if open_high else float(high)
    edges = [edge for edge in (*_EDGES, *(-edge for edge in _EDGES), least, most) if least <= edge <= most]
    below, above = math.nextafter(least, -math.inf), math.nextafter(most, math.inf)

    def right(rng: Random) -> int | float:
        way = rng.random()
        if way < 0.4:
            value = rng.choice(edges)
        elif way < 0.7:
            value = min(max(rng.uniform(least / 2, most / 2) * 2, least), most)
        else:
            # As many small ones as large ones, all digits used.
            scale = 10 ** rng.uniform(-20, math.log10(max(abs(least), abs(most))))
            value = min(max(rng.choice((-1, 1)) * rng.random() * scale, least), most)
        if abs(value) == MAX_DOUBLE and rng.random() < 0.5:
            return (2**1024 - 2**970 - 1) * (1 if value > 0 else -1)  # the last integer whose nearest double is that
        return int(value) if value.is_integer() and rng.random() < 0.5 else value

    wrong: dict[str, Make] = {}
    if low > -MAX_DOUBLE:
        wrong["exclusiveMinimum" if open_low else "minimum"] = _one_of(below, low - 1, int(low) - 1, -1e300, -(10**30))
    if high < MAX_DOUBLE:
        wrong["exclusiveMaximum" if open_high else "maximum"] = _one_of(above, high + 1, int(high) + 1, 1e300, 10**30)
    return Form(right, DOUBLE, wrong)


PROBABILITY = number(0, 1, open_low=True, open_high=True)
FINITE = number(-MAX_DOUBLE, MAX_DOUBLE)
MAGNITUDE = number(-1000000, 1000000)
POSITIVE = number(0, 1000000, open_low=True)
NOT_POSITIVE = number(-1000000, 0)
WEIGHT = POSITIVE
UPDATE = integer(0)
UPDATE_COUNT = integer(1)

# Shapes: the tables of section 3.


@dataclass(frozen=True)
class Object:
    """An object with fixed members; those with a default may be left out."""

    members: Mapping[str, Shape]
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Array:
    """An array of so many items."""

    items: Shape
    least: int
    most: int
    distinct: bool = False


@dataclass(frozen=True)
class Map:
    """An object from any names to one form."""

    values: Form
    most: int


Shape = Form | Object | Array | Map

ORACLE = Object(
    {"channel": words(*CHANNELS), "identity_keys": Array(NAME, 1, 32, distinct=True), "oracle_contract_digest": DIGEST}
)
COMPONENT = Object({"name": NAME, "weight": WEIGHT})
SCORING = Object(
    {
        "verified_reward": POSITIVE,
        "halted_before_effect_reward": NOT_POSITIVE,
        "refused_reward": NOT_POSITIVE,
        "rejected_policy_reward": NOT_POSITIVE,
        "wrong_effect_reward": NOT_POSITIVE,
        "uncertain_episodes": word("unscored"),
        "platform_failures": word("unscored"),
    },
    {
        "verified_reward": 1.0,
        "halted_before_effect_reward": 0.0,
        "refused_reward": 0.0,
        "rejected_policy_reward": 0.0,
        "wrong_effect_reward": -1.0,
        "uncertain_episodes": "unscored",
        "platform_failures": "unscored",
    },
)
POLICY = Object(
    {
        "epsilon": PROBABILITY,
        "delta": PROBABILITY,
        "threshold": FINITE,
        "calibration_corpus_digest": DIGEST,
        "expiry_policy_updates": UPDATE_COUNT,
    }
)
SHAPES: Mapping[Kind, Object] = {
    "contract": Object(
        {
            "schema_version": word("openadapt.reward-contract/v1"),
            "contract_id": OPAQUE_ID,
            "contract_version": OPAQUE_ID,
            "task_id": OPAQUE_ID,
            "task_digest": DIGEST,
            "environment_id": OPAQUE_ID,
            "environment_digest": DIGEST,
            "required_effect_contract_digest": DIGEST,
            "forbidden_effect_contract_digest": DIGEST,
            "oracle": ORACLE,
            "components": Array(COMPONENT, 1, 64),
            "scoring": SCORING,
            "certificate_policy": POLICY,
        },
        {"schema_version": "openadapt.reward-contract/v1", "scoring": SCORING.defaults},
    ),
    "certificate": Object(
        {
            "schema_version": word("openadapt.reward-certificate/v1"),
            "certificate_id": OPAQUE_ID,
            "reward_contract_digest": DIGEST,
            "checker_configuration_digest": DIGEST,
            "epsilon": PROBABILITY,
            "delta": PROBABILITY,
            "threshold": FINITE,
            "calibration_corpus_digest": DIGEST,
            "calibration_scope": words("synthetic"),
            "issued_at_policy_update": UPDATE,
            "expiry_policy_updates": UPDATE_COUNT,
            "issued_at": TIMESTAMP,
            "issuer": words("self_signed"),
            "issuer_key_id": OPAQUE_ID,
            "signature_algorithm": word("ed25519"),
            "signature": SIGNATURE,
        },
        {"schema_version": "openadapt.reward-certificate/v1", "signature_algorithm": "ed25519"},
    ),
    "receipt": Object(
        {
            "schema_version": word("openadapt.reward-evidence-receipt/v1"),
            "receipt_id": OPAQUE_ID,
            "reward_contract_digest": DIGEST,
            "policy_checkpoint_id": OPAQUE_ID,
            "policy_update": UPDATE,
            "episode_id": OPAQUE_ID,
            "oracle_tier": TIER,
            "reward_outcome": words(*SCORED, *UNSCORED),
            "evidence_digest": DIGEST,
            "reward_components": Map(MAGNITUDE, 64),
            "scalar_reward": or_null(MAGNITUDE),
            "certificate_id": or_null(OPAQUE_ID),
            "certificate_digest": or_null(DIGEST),
            "certificate_state": words(*STATES),
            "calibration_corpus_digest": or_null(DIGEST),
            "calibration_scope": or_null(words("synthetic")),
            "uncertainty": words(*UNCERTAINTIES),
            "certified": BOOLEAN,
            "development_only": BOOLEAN,
            "issuer_key_id": OPAQUE_ID,
            "nonce": OPAQUE_ID,
            "issued_at": TIMESTAMP,
            "signature_algorithm": word("ed25519"),
            "signature": SIGNATURE,
        },
        {
            "schema_version": "openadapt.reward-evidence-receipt/v1",
            "reward_components": {},
            "scalar_reward": None,
            "certificate_id": None,
            "certificate_digest": None,
            "calibration_corpus_digest": None,
            "calibration_scope": None,
            "signature_algorithm": "ed25519",
        },
    ),
}


def right(rng: Random, shape: Shape) -> Any:
    """A right value of a shape, as far as a shape can say."""
    if isinstance(shape, Form):
        return shape.right(rng)
    if isinstance(shape, Map):
        return {key: shape.values.right(rng) for key in names(rng, 0, shape.most)}
    if isinstance(shape, Array):
        keys = names(rng, shape.least, shape.most)
        if isinstance(shape.items, Form):
            return keys
        return [{**right(rng, shape.items), "name": key} for key in keys]
    left_out = [key for key in shape.defaults if rng.random() < 0.3]
    members = {key: right(rng, member) for key, member in shape.members.items() if key not in left_out}
    for key in shape.defaults:
        if key in members and rng.random() < 0.2:
            members[key] = own(shape.defaults[key])
    return members


def own(value: Any) -> Any:
    """A copy that nothing else holds."""
    if isinstance(value, Mapping):
        return {key: own(member) for key, member in value.items()}
    return [own(item) for item in value] if isinstance(value, list) else value
