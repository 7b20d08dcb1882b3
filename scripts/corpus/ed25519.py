"""Ed25519 as section 6 asks for it, in plain integers: slow, and not for secrets.

The second computation of the signature verdicts, beside libsodium. The signing tool makes its edge vectors with it.
"""

from __future__ import annotations

import hashlib
from functools import cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int]
IDENTITY: Point = (0, 1)


def add(first: Point, second: Point) -> Point:
    """The sum of two points."""
    return _affine(_sum((*first, 1), (*second, 1)))


def times(scalar: int, point: Point) -> Point:
    """A multiple of a point."""
    result, power = (*IDENTITY, 1), (*point, 1)
    while scalar:
        if scalar & 1:
            result = _sum(result, power)
        power = _sum(power, power)
        scalar >>= 1
    return _affine(result)


def _sum(first: tuple[int, int, int], second: tuple[int, int, int]) -> tuple[int, int, int]:
    """The sum of (x1/z1, y1/z1) and (x2/z2, y2/z2), with one denominator for both coordinates."""
    (x1, y1, z1), (x2, y2, z2) = first, second
    z, xx, yy = z1 * z2 % P, x1 * x2 % P, y1 * y2 % P
    square, product = z * z, D * xx * yy % P
    minus, plus = (square - product) % P, (square + product) % P
    return z * minus * (x1 * y2 + y1 * x2) % P, z * plus * (yy + xx) % P, minus * plus % P


def _affine(point: tuple[int, int, int]) -> Point:
    x, y, z = point
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


def negative(point: Point) -> Point:
    """The point that a point adds up to the identity with."""
    return -point[0] % P, point[1]


def encoded(point: Point) -> bytes:
    """The one encoding of a point."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decoded(data: bytes) -> Point | None:
    """The point that bytes encode, read leniently: y modulo p, and x = 0 with either sign. None where there is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255 % P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_ONE % P
    if x * x % P != square:
        return None
    return (x if x & 1 == sign else -x % P), y


def _base() -> Point:
    point = decoded((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert point is not None
    return point


BASE = _base()


def challenge(r: bytes, a: bytes, message: bytes) -> int:
    """The hash that binds R, A and the message, as a scalar."""
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


def acceptable(data: bytes) -> Point | None:
    """The point of an encoding that may stand as A or R: canonical, and not of small order."""
    point = decoded(data)
    if point is None or encoded(point) != data or times(8, point) == IDENTITY:
        return None
    return point


@cache
def verifies(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is one of the key over the message, by the rules of section 6."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    key = acceptable(public_key)
    if key is None or acceptable(r) is None or s >= L:
        return False
    difference = add(times(s, BASE), negative(times(challenge(r, public_key, message), key)))
    return encoded(difference) == r
