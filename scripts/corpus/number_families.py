"""Families of number tokens, for the cases that pin the canonical text of doubles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fractions import Fraction

from .doubles import Double, double, halfway_above, is_tie, nearest

PER_CASE = 25


def families() -> Iterator[tuple[str, str, list[str]]]:
    """The families: name, sentence, tokens."""
    yield "powers-of-ten", "Powers of ten, from below the smallest double to the largest.", _powers_of_ten()
    yield "powers-of-two", "Powers of two in 17 digits, subnormal ones too.", _signed(_powers_of_two())
    yield (
        "beside-powers-of-two",
        "The doubles on both sides of a power of two.",
        _signed(_beside(_some_powers_of_two())),
    )
    yield (
        "beside-powers-of-ten",
        "The doubles on both sides of a power of ten.",
        _signed(_beside(_some_powers_of_ten())),
    )
    yield "subnormals", "Subnormal doubles.", _signed(_subnormals())
    yield "bit-patterns", "Doubles of all sizes, by their bits.", _signed(_bit_patterns(600))
    yield "halfway", "Tokens exactly halfway between two doubles, which go to the even one.", _halfway(0)
    yield "above-halfway", "Tokens just above halfway between two doubles.", _halfway(1)
    yield "below-halfway", "Tokens just below halfway between two doubles.", _halfway(-1)
    yield "short-decimals", "Decimals of few digits, in several spellings.", _short_decimals()
    yield "ties", "Doubles with two shortest digit strings that are equally near: the even one, as in Python.", _ties()


def _signed(numbers: Iterator[Double]) -> list[str]:
    return [("-" if index % 3 == 2 else "") + _spelled(number) for index, number in enumerate(numbers)]


def _ties() -> list[str]:
    powers = (double(False, 1, power) for power in range(-60, 0))
    others = (double(False, 2**52 + odd, exponent) for exponent in (-2, -3, -4) for odd in range(1, 40, 2))
    return [_spelled(number) for number in (*powers, *others) if is_tie(number)]


def _spelled(number: Double) -> str:
    """A positive double in 17 significant digits, with an exponent."""
    if number.mantissa == 0:
        return "0.0"
    value = number.value
    exponent = len(str(int(value))) - 1 if value >= 1 else -len(str(int(1 / value)))
    if Fraction(10) ** exponent > value:
        exponent -= 1
    if Fraction(10) ** (exponent + 1) <= value:
        exponent += 1
    digits = str(round(value * Fraction(10) ** (16 - exponent)))
    if len(digits) == 18:
        digits, exponent = digits[:17], exponent + 1
    return f"{digits[0]}.{digits[1:]}e{exponent}"


def _exact(value: Fraction) -> str:
    """All digits of a positive number whose decimal expansion ends."""
    places = 0
    while value.denominator != 1:
        value, places = value * 10, places + 1
    return f"{value.numerator}e-{places}" if places else f"{value.numerator}.0"


def _powers_of_ten() -> list[str]:
    return [f"{'-' if power % 5 == 0 else ''}1e{power}" for power in range(-325, 309)]


def _powers_of_two() -> Iterator[Double]:
    for power in range(-1074, 1024):
        if power % 3 == 0 or power < -1070 or -70 < power < 70 or power > 1020:
            yield double(False, 1, power)


def _some_powers_of_two() -> Iterator[Double]:
    for power in (
        -1022,
        -1021,
        -1000,
        -512,
        -100,
        -64,
        -53,
        -24,
        -1,
        0,
        1,
        23,
        24,
        31,
        32,
        52,
        53,
        54,
        63,
        64,
        100,
        1023,
    ):
        yield double(False, 1, power)


def _some_powers_of_ten() -> Iterator[Double]:
    for power in (*range(-8, 25), -308, -307, -100, 99, 100, 307, 308):
        yield nearest(f"1e{power}")


def _beside(numbers: Iterator[Double]) -> Iterator[Double]:
    for number in numbers:
        for steps in (-2, -1, 1, 2):
            yield _stepped(number, steps)


def _stepped(number: Double, steps: int) -> Double:
    """The double some steps further, by the order of their bits."""
    index = number.mantissa if number.exponent == -1074 else number.mantissa + (number.exponent + 1074) * 2**52
    index += steps
    if index < 2**53:
        return Double(False, index, -1074)
    above, mantissa = divmod(index, 2**52)
    return Double(False, mantissa + 2**52, above - 1 - 1074)


def _subnormals() -> Iterator[Double]:
    for mantissa in (*range(1, 41), 99, 100, 101, 12345, 2**20, 2**30 + 1, 2**40 - 1, 2**51, 2**52 - 2, 2**52 - 1):
        yield Double(False, mantissa, -1074)


def _bit_patterns(count: int) -> Iterator[Double]:
    for number in range(count):
        bits = int.from_bytes(hashlib.sha256(b"double %d" % number).digest()[:8], "big") >> 1
        exponent, fraction = bits >> 52, bits % 2**52
        if exponent == 0:
            yield Double(False, fraction, -1074)
        elif exponent != 2047:
            yield Double(False, fraction + 2**52, exponent - 1075)


def _halfway(side: int) -> list[str]:
    tokens = []
    for power in (-60, -30, -10, -4, -1, 0, 1, 3, 10, 52, 60, 80):
        for odd in (0, 1, 2**51 + 1):
            half = halfway_above(double(False, 2**52 + odd, power - 52))
            tokens.append(_exact(half + side * Fraction(1, 10**200)) if side else _exact(half))
    return tokens


def _short_decimals() -> list[str]:
    tokens = []
    for number in (1, 2, 3, 5, 7, 9, 12, 25, 99, 123, 4567, 65536, 999999, 1234567):
        for power in (-9, -7, -6, -5, -4, -3, -2, -1, 0, 1, 5, 9, 14):
            tokens.append((f"{number}e{power}", f"{number}.0E{power}", f"-{number}0e{power - 1}")[(number + power) % 3])
    return tokens
