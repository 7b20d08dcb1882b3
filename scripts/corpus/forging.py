"""Signatures, honest ones and those that a careless verifier takes for good.

Everything is made with keys that are drawn in memory and forgotten. Plain integers: not for secrets that matter.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .ed25519 import BASE, IDENTITY, L, P, Point, add, challenge, decoded, encoded, negative, times
from .raw_json import write
from .second import signed_bytes


@dataclass(frozen=True)
class Key:
    """A private scalar and the encoding of its public point."""

    scalar: int
    public: bytes


@dataclass(frozen=True)
class Forged:
    """A signature, and the public key that the reader is to hold."""

    signature: bytes
    public: bytes


def draw_key() -> Key:
    """A new key."""
    scalar = 1 + secrets.randbelow(L - 1)
    return Key(scalar, encoded(times(scalar, BASE)))


def sign(key: Key, message: bytes) -> bytes:
    """An honest signature."""
    r = 1 + secrets.randbelow(L - 1)
    start = encoded(times(r, BASE))
    return start + _scalar(r + challenge(start, key.public, message) * key.scalar)


def forge(name: str, key: Key, kind: str, document: dict[str, Any]) -> Forged:
    """The signature that ``documents.toml`` calls by a name, over a document. Raises KeyError for another name."""
    message = signed_bytes(kind, document)
    if name in _OVER_OTHER_BYTES:
        return Forged(sign(key, _OVER_OTHER_BYTES[name](kind, document, message)), key.public)
    if name in _SPOILT:
        return Forged(_SPOILT[name](key, message), key.public)
    about, _, number = name.rpartition("-")
    if about in ("small-order-a", "non-canonical-a"):
        return _small_key(_ENCODINGS[about[:-2]][int(number)], message)
    if about in ("small-order-r", "non-canonical-r"):
        return _small_r(_ENCODINGS[about[:-2]][int(number)], message)
    return _MIXED[name](message)


# Over other bytes than those that section 6 asks for.

_OVER_OTHER_BYTES: dict[str, Callable[[str, dict[str, Any], bytes], bytes]] = {
    "signed-with-spaces": lambda kind, document, message: json.dumps(json.loads(message)).encode(),
    "signed-in-order-of-text": lambda kind, document, message: _in_order(document, message),
    "signed-with-algorithm": lambda kind, document, message: _with_algorithm(document, message),
    "signed-not-completed": lambda kind, document, message: json.dumps(
        {name: json.loads(write(value)) for name, value in sorted(document.items()) if name != "signature"},
        separators=(",", ":"),
    ).encode(),
    "signed-whole-doubles-as-integers": lambda kind, document, message: message.replace(b".0,", b",").replace(
        b".0}", b"}"
    ),
    "signed-with-newline": lambda kind, document, message: message + b"\n",
    "signed-digest-bytes": lambda kind, document, message: hashlib.sha256(message).digest(),
    "signed-digest-text": lambda kind, document, message: f"sha256:{hashlib.sha256(message).hexdigest()}".encode(),
    "signed-sha512": lambda kind, document, message: hashlib.sha512(message).digest(),
}


def _in_order(document: dict[str, Any], message: bytes) -> bytes:
    members = json.loads(message)
    return json.dumps({name: members[name] for name in document if name in members}, separators=(",", ":")).encode()


def _with_algorithm(document: dict[str, Any], message: bytes) -> bytes:
    members = {**json.loads(message), "signature_algorithm": "ed25519"}
    return json.dumps(members, sort_keys=True, separators=(",", ":")).encode()


# An honest signature that was spoilt.


def _bit_flipped(at: int) -> Callable[[Key, bytes], bytes]:
    def spoil(key: Key, message: bytes) -> bytes:
        signature = bytearray(sign(key, message))
        signature[at] ^= 1
        return bytes(signature)

    return spoil


def _s_plus(multiple: int) -> Callable[[Key, bytes], bytes]:
    def spoil(key: Key, message: bytes) -> bytes:
        while True:
            signature = sign(key, message)
            s = int.from_bytes(signature[32:], "little") + multiple * L
            if s < 2**256:
                return signature[:32] + s.to_bytes(32, "little")

    return spoil


def _r_off_curve(key: Key, message: bytes) -> bytes:
    while True:
        start = secrets.token_bytes(31) + b"\x00"
        if decoded(start) is None:
            return start + sign(key, message)[32:]


_SPOILT: dict[str, Callable[[Key, bytes], bytes]] = {
    "by-another-key": lambda key, message: sign(draw_key(), message),
    "flipped-bit-of-r": _bit_flipped(5),
    "flipped-bit-of-s": _bit_flipped(37),
    "tampered-signature": _bit_flipped(40),
    "s-plus-l": _s_plus(1),
    "s-plus-8l": _s_plus(8),
    "s-plus-15l": _s_plus(15),
    "r-not-on-curve": _r_off_curve,
    "zeros": lambda key, message: bytes(64),
}


# Points of small order, and encodings of points that are not canonical.


def _small_order() -> list[Point]:
    """The eight points of small order, as multiples of one of order 8."""
    y = 2
    while True:
        point = decoded(y.to_bytes(32, "little"))
        if point is not None:
            generator = times(L, point)
            if times(4, generator) != IDENTITY:
                return [times(multiple, generator) for multiple in range(8)]
        y += 1


_SMALL = _small_order()
_SIGN = 1 << 255
_ENCODINGS = {
    "small-order": [encoded(point) for point in _SMALL],
    # y of 0 and 1 as P and P + 1, and the sign of x set where x is 0.
    "non-canonical": [
        number.to_bytes(32, "little") for number in (P, P | _SIGN, P + 1, P + 1 | _SIGN, 1 | _SIGN, P - 1 | _SIGN)
    ],
}


def _small_key(encoding: bytes, message: bytes) -> Forged:
    """A key of small order, and a signature for which it cancels: S * B - h * A is R."""
    point = _point(encoding)
    while True:
        s = 1 + secrets.randbelow(L - 1)
        start = encoded(times(s, BASE))
        if times(challenge(start, encoding, message), point) == IDENTITY:
            return Forged(start + _scalar(s), encoding)


def _small_r(encoding: bytes, message: bytes) -> Forged:
    """An R of small order, and a key for which S * B - h * A is that point."""
    wanted = _point(encoding)
    for scalar, part, public in _keys():
        h = challenge(encoding, public, message)
        if negative(times(h, part)) == wanted:
            return Forged(encoding + _scalar(h * scalar), public)
    raise AssertionError


def _cofactor_a(message: bytes) -> Forged:
    return _mixed(message, lambda h, part, of_r: of_r == IDENTITY and times(h, part) != IDENTITY)


def _cofactor_r(message: bytes) -> Forged:
    return _mixed(message, lambda h, part, of_r: part == IDENTITY and of_r != IDENTITY)


def _mixed_order_a(message: bytes) -> Forged:
    return _mixed(message, lambda h, part, of_r: part == _SMALL[1] and of_r == IDENTITY == times(h, part))


def _mixed_order_both(message: bytes) -> Forged:
    return _mixed(message, lambda h, part, of_r: of_r != IDENTITY and negative(times(h, part)) == of_r)


_MIXED = {
    "cofactor-a": _cofactor_a,
    "cofactor-r": _cofactor_r,
    "mixed-order-a": _mixed_order_a,
    "mixed-order-both": _mixed_order_both,
}


def _mixed(message: bytes, fits: Callable[[int, Point, Point], bool]) -> Forged:
    """A key and an R, each with a part of small order, for which S * B - h * A differs from R in small order only."""
    for scalar, part, public in _keys():
        for of_r in _SMALL:
            r = 1 + secrets.randbelow(L - 1)
            start = encoded(add(times(r, BASE), of_r))
            h = challenge(start, public, message)
            if fits(h, part, of_r):
                return Forged(start + _scalar(r + h * scalar), public)
    raise AssertionError


def _keys() -> Iterator[tuple[int, Point, bytes]]:
    """Keys with every part of small order: the scalar, the part, the encoding of both together."""
    while True:
        scalar = 1 + secrets.randbelow(L - 1)
        point = times(scalar, BASE)
        for part in _SMALL:
            yield scalar, part, encoded(add(point, part))


def _point(encoding: bytes) -> Point:
    point = decoded(encoding)
    assert point is not None
    return point


def _scalar(value: int) -> bytes:
    return (value % L).to_bytes(32, "little")
