"""Random JSON texts: values in many spellings, and texts spoilt byte by byte."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

_WHITE = ("", "", "", "", " ", "\n", "\t", "\r\n", "  ")
_SHORT_ESCAPES = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "/": "\\/"}
_CHARACTERS = 'abcXYZ019 _-./"\\\b\f\n\r\t\0\x1f\x7f\u00e9\u0141\u0661\u2028\ud7ff\ue000\uffff\U0001d51e\U0010ffff'


def spell(rng: Random, value: Any) -> str:
    """JSON text of a value: any white space, any escapes, any spelling of a double. Members keep their order."""
    if type(value) is dict:
        members = [f"{_white(rng)}{spell(rng, key)}{_white(rng)}:{spell(rng, member)}" for key, member in value.items()]
        text = "{" + (",".join(members) or _white(rng)) + "}"
    elif type(value) is list:
        text = "[" + (",".join(spell(rng, item) for item in value) or _white(rng)) + "]"
    elif type(value) is str:
        text = '"' + "".join(_character(rng, character) for character in value) + '"'
    elif type(value) is float:
        text = _double(rng, value)
    elif type(value) is int:
        text = str(value)
    else:
        text = {None: "null", True: "true", False: "false"}[value]
    return text


def _white(rng: Random) -> str:
    return rng.choice(_WHITE)


def _character(rng: Random, character: str) -> str:
    if rng.random() < 0.05:
        units = character.encode("utf-16-be").hex()
        escaped = "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
        return escaped if rng.random() < 0.5 else escaped.upper().replace("\\U", "\\u")
    if character in _SHORT_ESCAPES and (character != "/" or rng.random() < 0.5):
        return _SHORT_ESCAPES[character]
    return f"\\u{ord(character):04x}" if character < " " else character


def _double(rng: Random, value: float) -> str:
    spellings = [repr(value), f"{value:.16e}", f"{value:.20E}", f"{value:.17g}"]
    if 1e-30 < abs(value) < 1e30:
        spellings.append(format(Decimal(value), "f"))  # all its digits
    text = rng.choice(spellings)
    return text if set(text) & set(".eE") else text + rng.choice((".0", "e0", ".00", "E+00"))


def random_value(rng: Random, depth: int = 4) -> Any:
    """Any JSON value, with the numbers and characters that readers stumble over."""
    way = rng.randrange(10 if depth else 7)
    if way == 0:
        return rng.choice((None, True, False))
    if way == 1:
        return rng.choice((0, -1, 2**53, 2**53 + 1, -(2**63), 2**64, 10**40, rng.getrandbits(70), rng.randint(-99, 99)))
    if way in (2, 3):
        edges = (0.0, -0.0, 1.0, 5e-324, 1e-05, 0.0001, 1e16, 1e22, 1e23, 1.7976931348623157e308)
        return rng.choice((*edges, rng.random(), rng.uniform(-1e6, 1e6), rng.random() * 10 ** rng.uniform(-320, 307)))
    if way in (4, 5, 6):
        return random_text(rng)
    if way == 7:
        return [random_value(rng, depth - 1) for _ in range(rng.randint(0, 4))]
    return {random_text(rng): random_value(rng, depth - 1) for _ in range(rng.randint(0, 5))}


def random_text(rng: Random) -> str:
    """A short text of all kinds of characters, unpaired surrogates excepted."""
    alphabet = _CHARACTERS if rng.random() < 0.3 else "ab"
    return "".join(rng.choices(alphabet, k=rng.randint(0, 6)))


_TOKENS: tuple[bytes, ...] = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"[]", b"{}", b'""', b"/**/", b"//", b"'a'"),
    *(b"null", b"true", b"false", b"nul", b"True", b"NaN", b"-Infinity", b"Infinity"),
    *(b"0", b"-0", b"-", b"+1", b"01", b"1.", b".5", b"1e", b"1e5", b"1E-400", b"1e400", b"-1e309", b"0x1", b"1_0"),
    *(b"1.7976931348623158e308", b"1.7976931348623159e308", b"9" * 308, b"9" * 310, b"-" + b"1" * 400, b"9" * 5000),
    *(b"0." + b"0" * 400 + b"1", b"1" + b"0" * 308, b"2" + b"0" * 308, b"0" * 40),
    *(b'"a":1,', b'"\\u0061":2,', b'{"a":1,"a":1}', b'{"a":1,"\\u0061":1}'),
    *(b"\\u", b"\\u12", b"\\u0041", b"\\u+041", b"\\u00e", b"\\u 041", b"\\x41", b"\\'", b"\\\n"),
    *(b"\\uD800", b"\\udc00", b"\\ud834\\udd1e", b"\\uD834\\u0041", b"\\ud800\\ud800", b"\\ud834\\uDD1"),
    *(b" ", b"\n", b"\t", b"\r", b"\x0b", b"\x0c", b"\0", b"\x1f", b"\x7f", b"\xc2\xa0", b"\xe2\x80\xa8"),
    *(
        "\ufeff".encode(),
        "\u0661".encode(),
        "\uff11".encode(),
        "\\u\uff11\uff11\uff11\uff11".encode(),
        "\U0001f600".encode(),
    ),
    *(b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"),
)


def _cut_off(rng: Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def _cut_out(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.randint(1, 4) :]


def _insert(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(_TOKENS) + data[at:]


def _replace(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice((rng.randbytes(1), rng.choice(_TOKENS))) + data[at + 1 :]


def _repeat(rng: Random, data: bytes) -> bytes:
    # Often the repeated piece is a member, or the start of one.
    start = rng.choice([0, *(at + 1 for at, byte in enumerate(data) if byte in b"{[,")])
    end = rng.choice([len(data), *(at + 1 for at, byte in enumerate(data) if byte in b",}]" and at > start)])
    return data[:end] + data[start:end] + data[end:]


def _nest(rng: Random, data: bytes) -> bytes:
    depth = rng.choice((1, 60, 61, 62, 63, 64, 65, 66, 200))
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]"), (b"[[],", b"]")))
    return opening * depth + data + closing * (depth - rng.choice((0, 0, 0, 1)))


def _swap(rng: Random, data: bytes) -> bytes:
    first, second = sorted(rng.randint(0, len(data)) for _ in range(2))
    return data[second:] + data[first:second] + data[:first]


_FIRST_MEMBER = re.compile(rb'\{\s*"([a-z])([^"\\]*)"')
_STRANGE_ESCAPES = (b"\\ud800", b"\\uDFFF", b"\\udbff\\ue000", b"\\ud83d\\ude00", b"\\u0000")


def name_twice(rng: Random, data: bytes) -> bytes:
    """The text with an object's first member again, in front of it; its name may be written with an escape."""
    members = list(_FIRST_MEMBER.finditer(data))
    if not members:
        return data
    member = rng.choice(members)
    first, rest = member.groups()
    again = b'{"%b%b":%b,' % (rng.choice((first, b"\\u%04x" % ord(first))), rest, rng.choice((b"1", b"null", b"{}")))
    return data[: member.start()] + again + data[member.start() + 1 :]


def _bad_character(rng: Random, data: bytes) -> bytes:
    quotes = [at + 1 for at, byte in enumerate(data) if byte == 0x22]
    if not quotes:
        return data
    at = rng.choice(quotes)
    return data[:at] + rng.choice(_STRANGE_ESCAPES) + data[at:]


def _byte_order_mark(rng: Random, data: bytes) -> bytes:
    return rng.choice((b"\xef\xbb\xbf", b"\xef\xbb\xbf", b" \xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")) + data


SPOILERS: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_cut_off, _cut_out, _insert, _insert, _insert, _replace, _replace, _repeat, _nest, _swap),
    *(name_twice, _bad_character, _byte_order_mark),
)


def spoilt(rng: Random, data: bytes) -> bytes:
    """The text after one to three edits of its bytes. Some leave it good."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(SPOILERS)(rng, data)
    return data
