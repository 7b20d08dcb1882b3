"""Doubles by exact rational arithmetic: from a token to the nearest double, and from a double to its canonical text.

The second computation of what Python's float() and repr() do inside the package. It uses neither.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple


class Double(NamedTuple):
    """A finite double: (-1)**negative * mantissa * 2**exponent, the mantissa below 2**53."""

    negative: bool
    mantissa: int
    exponent: int

    @property
    def value(self) -> Fraction:
        """The value; negative zero is 0."""
        magnitude = self.mantissa * Fraction(2) ** self.exponent
        return -magnitude if self.negative else magnitude


@cache
def nearest(token: str) -> Double:
    """The double nearest to a JSON number, ties to even. Raises OverflowError where that is not finite."""
    negative = token.startswith("-")
    magnitude = abs(Fraction(token))
    if magnitude == 0:
        return Double(negative, 0, -1074)
    exponent = max(_floor_log2(magnitude) - 52, -1074)
    mantissa = round(magnitude / Fraction(2) ** exponent)  # of a Fraction: half to even
    if mantissa == 2**53:
        mantissa, exponent = 2**52, exponent + 1
    if exponent > 971:
        raise OverflowError(token)
    return Double(negative, mantissa, exponent)


def double(negative: bool, mantissa: int, exponent: int) -> Double:
    """The double of a mantissa and an exponent that need not be the usual ones. The value must be a double."""
    while mantissa and mantissa >= 2**53:
        if mantissa % 2:
            raise ValueError("no double")
        mantissa, exponent = mantissa // 2, exponent + 1
    while mantissa and mantissa < 2**52 and exponent > -1074:
        mantissa, exponent = mantissa * 2, exponent - 1
    return Double(negative, mantissa, exponent) if mantissa else Double(negative, 0, -1074)


@cache
def canonical_text(number: Double) -> str:
    """The canonical text of section 5: shortest digits that read back, of those the nearest; then the form."""
    sign = "-" if number.negative else ""
    if number.mantissa == 0:
        return f"{sign}0.0"
    digits, point = _shortest(number)  # 0.DIGITS * 10**point
    if -3 <= point <= 16:
        if point <= 0:
            return f"{sign}0.{'0' * -point}{digits}"
        whole, rest = digits[:point].ljust(point, "0"), digits[point:] or "0"
        return f"{sign}{whole}.{rest}"
    fraction = f".{digits[1:]}" if digits[1:] else ""
    exponent = point - 1
    return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"


def halfway_above(number: Double) -> Fraction:
    """The value halfway between a positive double and the next one."""
    return (number.mantissa + Fraction(1, 2)) * Fraction(2) ** number.exponent


def is_tie(number: Double) -> bool:
    """Whether two shortest digit strings are equally near, so that the specification leaves the choice open."""
    if number.mantissa == 0:
        return False
    value, low, high, closed = _interval(number)
    for count in range(1, 18):
        found = _candidates(value, low, high, closed, count)
        if found:
            distances = sorted(abs(candidate - value) for candidate, _, _ in found)
            return len(found) > 1 and distances[0] == distances[1]
    raise AssertionError("17 digits are always enough")


def _shortest(number: Double) -> tuple[str, int]:
    value, low, high, closed = _interval(number)
    for count in range(1, 18):
        found = _candidates(value, low, high, closed, count)
        if found:
            # An even last digit where two are equally near.
            _, digits, point = min(found, key=lambda each: (abs(each[0] - value), each[1] % 2))
            text = str(digits)
            return text.rstrip("0"), point + len(text) - count
    raise AssertionError("17 digits are always enough")


def _interval(number: Double) -> tuple[Fraction, Fraction, Fraction, bool]:
    """The magnitude, and the least and the greatest number that read back to it, and whether both do so themselves."""
    unit = Fraction(2) ** number.exponent
    value = number.mantissa * unit
    below = unit / 4 if number.mantissa == 2**52 and number.exponent > -1074 else unit / 2
    return value, value - below, value + unit / 2, number.mantissa % 2 == 0


def _candidates(
    value: Fraction, low: Fraction, high: Fraction, closed: bool, count: int
) -> list[tuple[Fraction, int, int]]:
    """The numbers of so many digits around a value that read back to it: number, digits, and where its point is."""
    point = _floor_log10(value) + 1
    unit = Fraction(10) ** (point - count)
    floor = value // unit
    return [
        (digits * unit, digits, point)
        for digits in (int(floor), int(floor) + 1)
        if low < digits * unit < high or (closed and digits * unit in (low, high))
    ]


def _floor_log2(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def _floor_log10(value: Fraction) -> int:
    guess = int((value.numerator.bit_length() - value.denominator.bit_length()) * 0.30103)
    while Fraction(10) ** guess > value:
        guess -= 1
    while Fraction(10) ** (guess + 1) <= value:
        guess += 1
    return guess
