"""The two readers of JSON text agree with each other and with the standard library, on random and on spoilt texts.

REWARD_RECEIPTS_DEEP=1 takes all 100,000 texts.
"""

from __future__ import annotations

import codecs
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from random_documents import document
from random_texts import random_value, spell, spoilt
from reward_receipts.core.findings import InvalidText
from reward_receipts.core.strict_json import Places, _Scanner, decode, read_json

Figure = Callable[[str], None]

COUNT = 100_000 if os.environ.get("REWARD_RECEIPTS_DEEP") == "1" else 12_000

CODES = {
    *("json.utf8", "json.bom", "json.syntax", "json.trailing"),
    *("json.duplicate", "json.surrogate", "json.number", "json.depth"),
}
"""What can be wrong with a text; json.size has tests of its own."""


def random_text(number: int) -> tuple[Any, bytes, bool]:
    """A value, a text, and whether the text was spoilt since it said the value."""
    rng = Random(f"texts/{number}")
    value = document(rng.randrange(10_000)).value if rng.random() < 0.05 else random_value(rng)
    data = spell(rng, value).encode()
    broken = rng.random() < 0.75
    return value, spoilt(rng, data) if broken else data, broken


def outcome(read: Callable[[], Any]) -> tuple[str, Any]:
    """What a reader gives: the value, told by its repr, in which 1, 1.0, True and -0.0 differ; or its finding."""
    try:
        return "", repr(read())
    except InvalidText as refused:
        (finding,) = refused.findings
        return finding.code, finding


@dataclass
class Standard:
    """What the standard library reads from a text, and what the specification has against it all the same."""

    good: bool
    value: Any = None
    faults: set[str] = field(default_factory=set)


def standard(data: bytes) -> Standard:
    """Reads a text with the standard library; a text that holds no JSON value is not good."""
    faults: set[str] = set()

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(members)) == len(members):
            return dict(members)
        faults.add("json.duplicate")
        return {f"{index}{name}": member for index, (name, member) in enumerate(members)}  # faults inside count, too

    def double(token: str) -> float:
        faults.update(["json.number"] if math.isinf(float(token)) else [])
        return float(token)

    def integer(token: str) -> int | float:
        return double(token) if math.isinf(float(token)) else int(token)

    def constant(token: str) -> float:
        faults.add("json.syntax")
        return float(token)

    try:
        text = data.decode("utf-8")
        value = json.loads(
            text, object_pairs_hook=pairs, parse_float=double, parse_int=integer, parse_constant=constant
        )
    except (ValueError, RecursionError):
        return Standard(False)
    for depth, part in parts(value):
        if type(part) is str and any("\ud800" <= character <= "\udfff" for character in part):
            faults.add("json.surrogate")
        if depth > 64:
            faults.add("json.depth")
    return Standard(True, value, faults)


def parts(value: Any) -> Iterator[tuple[int, Any]]:
    """A value, all values in it and all names, each with the number of containers that are open there."""
    left = [(0, value)]
    while left:
        depth, part = left.pop()
        inner = part if type(part) is list else [*part, *part.values()] if type(part) is dict else ()
        left.extend((depth + 1, each) for each in inner)
        yield depth + (type(part) in (dict, list)), part


@pytest.mark.slow
def test_the_readers_agree(figure: Figure) -> None:
    codes: Counter[str] = Counter()
    for number in range(COUNT):
        value, data, broken = random_text(number)
        fast = outcome(lambda data=data: read_json(data))
        plain = outcome(lambda data=data: _Scanner(decode(data)).document())
        assert fast == plain, f"text {number}: {data!r}"
        codes[fast[0]] += 1
        if not broken:
            assert fast == ("", repr(value)), f"text {number}: {data!r}"

        other = standard(data)
        if other.good and not other.faults:
            assert fast == ("", repr(other.value)), f"text {number}: {data!r}"
        elif other.good:
            assert fast[0] in other.faults, f"text {number}: {data!r}"
        else:
            assert fast[0] != "", f"text {number}: {data!r}"
            assert fast[0] != "json.bom" or data.startswith(codecs.BOM_UTF8), f"text {number}: {data!r}"
    figure(f"{COUNT} texts, {codes['']} read; refused: {dict(sorted((c, n) for c, n in codes.items() if c))}")
    assert set(codes) - {""} == CODES
    assert min(codes[code] for code in CODES) >= COUNT / 200
    assert codes[""] >= 0.3 * COUNT


def test_every_fault_has_a_place_inside_the_text(figure: Figure) -> None:
    faults = 0
    for number in range(COUNT // 10):
        _, data, _ = random_text(number)
        code, finding = outcome(lambda data=data: read_json(data))
        if code:
            lines = data.decode("utf-8", "replace").split("\n")
            assert 1 <= finding.line <= len(lines), f"text {number}: {data!r} {finding}"
            assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1, f"text {number}: {data!r} {finding}"
            faults += 1
    figure(f"{faults} faults, each with a line and a column of its text")


def test_text_and_bytes_read_alike() -> None:
    for number in range(COUNT // 10):
        _, data, _ = random_text(number)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            assert outcome(lambda data=data: read_json(data))[0] == "json.utf8"
            continue
        assert outcome(lambda text=text: read_json(text)) == outcome(lambda data=data: read_json(data))
        assert outcome(lambda data=data: read_json(memoryview(data))) == outcome(lambda text=text: read_json(text))


def test_every_value_of_a_good_text_has_its_place() -> None:
    for number in range(COUNT // 10):
        value, data, broken = random_text(number)
        if broken:
            continue
        text = data.decode("utf-8")
        lines = text.split("\n")
        every = paths(value)
        found = Places(text).of_all(every)
        assert [Places(text).of(path) for path in every] == found, f"text {number}: {data!r}"
        for path, (line, column) in zip(every, found, strict=True):
            # Reading again from the place on gives the value, or the member name.
            rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
            named = bool(path) and isinstance(path[-1], str)
            expected = path[-1] if named else member(value, path)
            assert repr(json.JSONDecoder().raw_decode(rest)[0]) == repr(expected), f"text {number}: {path}"
            if named:
                assert re.match(r'"(?:[^"\\]|\\.)*"[ \t\n\r]*:', rest), f"text {number}: {path}"


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of a value and of all values in it."""
    inner = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    return [path, *(below for key, part in inner for below in paths(part, (*path, key)))]


def member(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value
