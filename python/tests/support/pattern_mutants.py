"""Mutants of a regular expression of the schemas: each is the pattern with one small change.

The patterns of the schemas hold anchors, literals, classes of plain ranges, groups, alternatives and {n} or {m,n}.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(r"\[[^]]*\]|\{[0-9]+(?:,[0-9]+)?\}|[^\\?*+.]")
_ATOM: Final = ("class", "literal", "group")

Range = tuple[str, str]


def mutants(pattern: str) -> Iterator[tuple[str, str]]:
    """What was changed, and the changed pattern. Raises ValueError for a pattern that this cannot take apart."""
    tokens = _tokens(pattern)

    def with_(start: int, end: int, text: str) -> str:
        return "".join([*tokens[:start], text, *tokens[end:]])

    for at, token in enumerate(tokens):
        place = f"{token} at {sum(map(len, tokens[:at]))}"
        if token in "^$":
            yield f"without {place}", with_(at, at + 1, "")
        elif token[0] == "{":
            for changed in _quantifiers(token):
                yield f"{changed or 'once'} for {place}", with_(at, at + 1, changed)
        elif token == "(":
            end = _end(tokens, at)
            quantified = end < len(tokens) and tokens[end][0] == "{"
            if not quantified:
                yield f"group {place} optional", with_(end, end, "?")
            yield from _without_alternatives(tokens, at, end)
        elif token not in ")|":
            if token[0] == "[":
                for words, text in _classes(token):
                    yield f"{words} in {place}", with_(at, at + 1, text)
            else:
                yield f"any character for {place}", with_(at, at + 1, ".")
            if at + 1 == len(tokens) or tokens[at + 1][0] != "{":
                yield f"without {place}", with_(at, at + 1, "")
                yield f"{place} optional", with_(at, at + 1, token + "?")
                yield f"{place} twice or once", with_(at, at + 1, token + "{1,2}")
    for words, change in (("letters of either case", _either_case), ("digits of every script", _every_digit)):
        changed = "".join(map(change, tokens))
        if changed != pattern:
            yield words, changed


def _tokens(pattern: str) -> list[str]:
    tokens = _TOKEN.findall(pattern)
    if "".join(tokens) != pattern:
        raise ValueError(f"cannot take apart {pattern}")
    return tokens


def _end(tokens: list[str], start: int) -> int:
    depth = 0
    for at in range(start, len(tokens)):
        depth += (tokens[at] == "(") - (tokens[at] == ")")
        if depth == 0:
            return at + 1
    raise ValueError("an open group")


def _without_alternatives(tokens: list[str], start: int, end: int) -> Iterator[tuple[str, str]]:
    bars, depth = [start], 0
    for at in range(start + 1, end - 1):
        depth += (tokens[at] == "(") - (tokens[at] == ")")
        if tokens[at] == "|" and depth == 0:
            bars.append(at)
    bars.append(end - 1)
    if len(bars) == 2:
        return
    parts = ["".join(tokens[one + 1 : other]) for one, other in itertools.pairwise(bars)]
    for index, part in enumerate(parts):
        rest = "|".join(parts[:index] + parts[index + 1 :])
        yield (
            f"without the alternative {part} of the group at {len(''.join(tokens[:start]))}",
            "".join([*tokens[:start], f"({rest})", *tokens[end:]]),
        )


def _quantifiers(token: str) -> Iterator[str]:
    least, _, most = token[1:-1].partition(",")
    low, high = int(least), int(most or least)
    yield ""
    for first, last in ((low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)):
        if 0 <= first <= last:
            yield f"{{{first},{last}}}"
    yield f"{{{low},}}"
    if not most:
        yield f"{{{low - 1}}}"
        yield f"{{{low + 1}}}"


def _classes(token: str) -> Iterator[tuple[str, str]]:
    """Each range of a class left out, and its ends moved by one, inwards and outwards."""
    ranges = _ranges(token)
    beside: set[str] = set()
    members = {char for first, last in ranges for char in map(chr, range(ord(first), ord(last) + 1))}
    for index, (first, last) in enumerate(ranges):
        others = ranges[:index] + ranges[index + 1 :]
        shown = first if first == last else f"{first}-{last}"
        if others:
            yield f"without {shown!a}", _class(others)
        if first != last:
            yield f"without {first!a}", _class([*others, (chr(ord(first) + 1), last)])
            yield f"without {last!a}", _class([*others, (first, chr(ord(last) - 1))])
        for char in (chr(ord(first) - 1), chr(ord(last) + 1)):
            if char not in members and char not in beside:
                beside.add(char)
                yield f"with {char!a}", _class([*ranges, (char, char)])


def _ranges(token: str) -> list[Range]:
    inner, ranges = token[1:-1], []
    at = 0
    while at < len(inner):
        if inner[at + 1 : at + 2] == "-" and at + 2 < len(inner):
            ranges.append((inner[at], inner[at + 2]))
            at += 3
        else:
            ranges.append((inner[at], inner[at]))
            at += 1
    return ranges


def _class(ranges: list[Range]) -> str:
    return f"[{''.join(_end_of(f) if f == last else f'{_end_of(f)}-{_end_of(last)}' for f, last in ranges)}]"


def _end_of(char: str) -> str:
    return char if char.isalnum() or not char.isascii() else f"\\u{ord(char):04x}"


def _either_case(token: str) -> str:
    if token[0] == "[":
        ranges = _ranges(token)
        swapped = [(f.swapcase(), last.swapcase()) for f, last in ranges if f.isalpha() and f.isascii()]
        return token if set(swapped) <= set(ranges) else _class([*ranges, *swapped])
    return f"[{token}{token.swapcase()}]" if token.isalpha() else token


def _every_digit(token: str) -> str:
    return f"{token[:-1]}\u0660-\u0669\uff10-\uff19]" if token[0] == "[" and ("0", "9") in _ranges(token) else token
