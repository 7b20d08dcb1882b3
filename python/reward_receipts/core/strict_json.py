"""Strict JSON text: what is refused before any schema sees it.

``read_json`` is fast where the text is good: the standard library's scanner, with hooks for what it would let
through. Where that stumbles, the whole text is read again by ``_Scanner``, the plain statement of the rules, which
names the first fault and its place. Tests prove on random texts that the two agree.
"""

from __future__ import annotations

import json
import os
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any, Final, Never

from .codes import sentence
from .findings import Finding, InvalidText, shown
from .generated.tables import MAX_TEXT_BYTES, MAX_TEXT_DEPTH
from .pointer import Path
from .redaction import quoted_at

MAX_INTEGER: Final = 2**1024 - 2**970 - 1
"""The largest integer whose nearest double is finite."""

Place = tuple[int, int]
"""Line and column in the text, both from 1; the column counts characters."""

_WHITE: Final = re.compile(r"[ \t\n\r]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_SCALAR: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^\[\]{}," \t\n\r]++')
_BRACKET: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]')
_PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*')
_FILE_NAME: Final = re.compile(r"[^\r\n{}\[\]\"]{1,4096}\.(?:json|jsonl|yaml|yml)")
_HEX: Final = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_LITERALS: Final = {"true": True, "false": False, "null": None}
_SAFE_DIGITS: Final = 300
"""An integer of at most so many characters is below the largest double, and below Python's limit for int()."""


def read_json(data: bytes | bytearray | memoryview | str) -> Any:
    """The value of a strict JSON text: dict, list, str, int, float, bool or None.

    A token without ``.``, ``e`` and ``E`` is an exact int, any other number its nearest double.
    Raises InvalidText on the first fault; TypeError where ``data`` is neither bytes nor text.
    """
    text = decode(data)
    if not ("\\" in text and _SURROGATE_ESCAPE.search(text)):
        try:
            value, end = _scan_once(text, _after_white(text, 0))
            if not text[end:].strip(" \t\n\r") and _is_shallow(text):
                return value
        except (_Refused, ValueError, StopIteration, RecursionError):
            pass  # a fault, or something that the fast way cannot decide
        value = None  # or it would be in memory twice
    try:
        return _Scanner(text).document()
    except InvalidText as error:
        hint = path_hint(data)
        if not hint:
            raise
        raise InvalidText(tuple(replace(each, sentence=each.sentence + hint) for each in error.findings)) from None


def path_hint(data: object) -> str:
    """A sentence to add to the refusal of a text that looks like the path of a file; "" for any other."""
    if isinstance(data, str) and _FILE_NAME.fullmatch(data) is not None:
        return " The text looks like the path of a file; give what the file contains: Path(...).read_bytes()."
    return ""


def _is_shallow(text: str) -> bool:
    """Whether no value of a good text is nested too deep."""
    if text.count("{") + text.count("[") <= MAX_TEXT_DEPTH:
        return True
    depth = 0
    for token in _BRACKET.finditer(text):
        if token[0] in "{[":
            depth += 1
            if depth > MAX_TEXT_DEPTH:
                return False
        elif token[0] in "}]":
            depth -= 1
    return True


def decode(data: bytes | bytearray | memoryview | str) -> str:
    """The characters of a text. Raises InvalidText on json.size, json.utf8, json.bom and, in a str, json.surrogate."""
    if isinstance(data, str):
        try:
            size = len(data) if data.isascii() else len(data.encode())
        except UnicodeEncodeError as error:
            found = f"\\u{ord(data[error.start]):04x}"
            _refuse("json.surrogate", place_of(data, error.start), found=found)
        text = data
    elif isinstance(data, (bytes, bytearray, memoryview)):
        size = len(data) if isinstance(data, bytes) else memoryview(data).nbytes
        if size <= MAX_TEXT_BYTES:
            try:
                text = str(data, "utf-8")
            except UnicodeDecodeError as error:
                raw = bytes(data)
                before = raw[: error.start].decode()
                hint = " (UTF-16 or UTF-32?)" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in raw[:4] else ""
                found = f"byte 0x{raw[error.start]:02x} at offset {error.start}{hint}"
                _refuse("json.utf8", place_of(before, len(before)), found=found)
    else:
        fix = "; it is parsed already, so use model_validate or from_dict" if isinstance(data, Mapping) else ""
        if isinstance(data, os.PathLike):
            fix = "; give what the file contains: path.read_bytes()"
        raise TypeError(f"expected a text (bytes or str), not a {type(data).__name__}{fix}")
    if size > MAX_TEXT_BYTES:
        _refuse("json.size", (1, 1), limit=MAX_TEXT_BYTES)
    if text.startswith("\ufeff"):
        _refuse("json.bom", (1, 1))
    return text


def locate(findings: Sequence[Finding], text: str) -> tuple[Finding, ...]:
    """Findings about values in a good text, with their lines and columns."""
    places = Places(text).of_all([finding.path for finding in findings])
    return tuple(replace(each, line=line, column=column) for each, (line, column) in zip(findings, places, strict=True))


class Places:
    """Where the values of a good text are. It keeps where lines start, and the items of a text that is an array."""

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, path: Path) -> Place:
        """The place of a value, or of its member name if it has one; if it is not there, of what would hold it."""
        return self.of_all((path,))[0]

    def of_all(self, paths: Sequence[Path]) -> list[Place]:
        """The places of several values. One walk through the text, or through an item if all are in one item."""
        offsets: dict[Path, int] = {}
        first = {path[0] if path else None for path in paths}
        item = first.pop() if len(first) == 1 else None
        if type(item) is int and item < len(self._items):
            self._walk(self._items[item], (item,), [path[1:] for path in paths], offsets)
        else:
            self._walk(_after_white(self._text, 0), (), paths, offsets)
        return [self._place(offsets, path) for path in paths]

    def _place(self, offsets: dict[Path, int], path: Path) -> Place:
        while path not in offsets:
            path = path[:-1]
        line = bisect_right(self._line_ends, offsets[path] - 1)
        start = self._line_ends[line - 1] + 1 if line else 0
        return line + 1, offsets[path] - start + 1

    @cached_property
    def _line_ends(self) -> array[int]:
        return array("L", (found.start() for found in re.finditer("\n", self._text)))

    @cached_property
    def _items(self) -> array[int]:
        """Where the items of a text that is an array start."""
        at = _after_white(self._text, 0)
        return array("L", _items_from(self._text, at) if self._text[at] == "[" else ())

    def _walk(self, at: int, path: Path, paths: Iterable[Path], offsets: dict[Path, int]) -> None:
        """Notes where paths inside the value at an offset start; it visits only the containers on their way."""
        offsets.setdefault(path, at)
        below: dict[str | int, list[Path]] = {}
        for inner in paths:
            if inner:
                below.setdefault(inner[0], []).append(inner[1:])
        if not below:
            return
        if self._text[at] == "{":
            for name, named_at, value_at in _members_from(self._text, at):
                if name in below:
                    offsets[(*path, name)] = named_at
                    self._walk(value_at, (*path, name), below[name], offsets)
        elif self._text[at] == "[":
            last = max((step for step in below if type(step) is int), default=-1)
            for index, value_at in enumerate(islice(_items_from(self._text, at), last + 1)):
                if index in below:
                    self._walk(value_at, (*path, index), below[index], offsets)


def _members_from(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The members of the object at an offset of a good text: name, where that is, and where the value is."""
    at = _after_white(text, at + 1)
    while text[at] != "}":
        name_end = _end_of(text, at)
        name = text[at + 1 : name_end - 1]
        value_at = _after_white(text, _after_white(text, name_end) + 1)
        yield json.loads(text[at:name_end]) if "\\" in name else name, at, value_at
        at = _next(text, value_at)


def _items_from(text: str, at: int) -> Iterator[int]:
    """Where the items of the array at an offset of a good text start."""
    at = _after_white(text, at + 1)
    while text[at] != "]":
        yield at
        at = _next(text, at)


def _next(text: str, at: int) -> int:
    """Where the next member or item is, or the end of the container, after the value at an offset."""
    at = _after_white(text, _end_of(text, at))
    return _after_white(text, at + 1) if text[at] == "," else at


def _end_of(text: str, at: int) -> int:
    """Where the value at an offset of a good text ends."""
    if text[at] not in "{[":
        found = _SCALAR.match(text, at)
        assert found is not None
        return found.end()
    open_containers = 0
    for token in _BRACKET.finditer(text, at):
        if token[0] in "{[":
            open_containers += 1
        elif token[0] in "}]":
            open_containers -= 1
            if not open_containers:
                return token.end()
    raise AssertionError("a good text closes what it opens")


def _after_white(text: str, at: int) -> int:
    found = _WHITE.match(text, at)
    assert found is not None
    return found.end()


def place_of(text: str, offset: int) -> Place:
    """Line and column of an offset into a text. Lines end at LF."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _refuse(code: str, place: Place, path: Path = (), **values: object) -> Never:
    raise InvalidText((Finding(code, sentence(code, **values), path, *place),))


class _Refused(Exception):
    """A hook of the fast path saw something that has to be refused; the scanner finds what and where."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused
    return members


def _integer(token: str) -> int:
    if len(token) > _SAFE_DIGITS:
        raise _Refused
    return int(token)


def _double(token: str) -> float:
    value = float(token)
    if value - value != 0.0:
        raise _Refused
    return value


def _constant(token: str) -> Never:
    raise _Refused


_DECODER: Final[Any] = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_double, parse_constant=_constant
)
_scan_once: Final = _DECODER.scan_once


class _Scanner:
    """A strict reader of one JSON text that stops at the first fault and knows the place of everything."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open = 0
        self.path: list[str | int] = []

    def document(self) -> Any:
        self._skip_white()
        value = self._value()
        self._skip_white()
        if self.at < len(self.text):
            self._fail("json.trailing", found=shown(quoted_at(self.text, self.at, 20)))
        return value

    def _fail(self, code: str, at: int | None = None, **values: object) -> Never:
        _refuse(code, place_of(self.text, self.at if at is None else at), tuple(self.path), **values)

    def _expected(self, expected: str, at: int | None = None) -> Never:
        at = self.at if at is None else at
        found = shown(quoted_at(self.text, at, 10)) if at < len(self.text) else "the end of the text"
        self._fail("json.syntax", at, found=found, expected=expected)

    def _skip_white(self) -> None:
        match = _WHITE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _value(self) -> Any:
        first = self._peek()
        if first == "{":
            return self._members()
        if first == "[":
            return self._items()
        if first == '"':
            return self._string()
        for word, value in _LITERALS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self._number()

    def _enter(self) -> None:
        self.open += 1
        if self.open > MAX_TEXT_DEPTH:
            self._fail("json.depth", limit=MAX_TEXT_DEPTH)
        self.at += 1
        self._skip_white()

    def _leave(self) -> None:
        self.open -= 1
        self.at += 1

    def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self._enter()
        while self._peek() != "}":
            if members:
                self._comma("}")
            named_at = self.at
            if self._peek() != '"':
                self._expected("a member name")
            name = self._string()
            if name in members:
                self._fail("json.duplicate", named_at, name=shown(name))
            self._skip_white()
            if self._peek() != ":":
                self._expected("':'")
            self.at += 1
            self._skip_white()
            self.path.append(name)
            members[name] = self._value()
            self.path.pop()
            self._skip_white()
        self._leave()
        return members

    def _items(self) -> list[Any]:
        items: list[Any] = []
        self._enter()
        while self._peek() != "]":
            if items:
                self._comma("]")
            self.path.append(len(items))
            items.append(self._value())
            self.path.pop()
            self._skip_white()
        self._leave()
        return items

    def _comma(self, closing: str) -> None:
        if self._peek() != ",":
            self._expected(f"',' or '{closing}'")
        self.at += 1
        self._skip_white()
        if self._peek() == closing:
            self._expected("a member name" if closing == "}" else "a value")

    def _string(self) -> str:
        start = self.at
        self.at += 1
        parts: list[str] = []
        while True:
            match = _PLAIN.match(self.text, self.at)
            assert match is not None
            parts.append(match[0])
            self.at = match.end()
            stop = self._peek()
            if stop == '"':
                self.at += 1
                return "".join(parts)
            if stop == "\\":
                parts.append(self._escape())
            elif stop == "":
                column = place_of(self.text, start)[1]  # no string goes on over the end of a line
                self._expected(f"the end of the string that starts at column {column}")
            else:
                self._expected("an escaped control character")

    def _escape(self) -> str:
        start = self.at
        letter = self.text[start + 1 : start + 2]
        if letter in _ESCAPES:
            self.at += 2
            return _ESCAPES[letter]
        unit = self._code_unit()
        if 0xD800 <= unit < 0xDC00 and self.text.startswith("\\u", self.at):
            low_at = self.at
            low = self._code_unit()
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00))
            self.at = low_at
        if 0xD800 <= unit < 0xE000:
            self._fail("json.surrogate", start, found=self.text[start : start + 6])
        return chr(unit)

    def _code_unit(self) -> int:
        digits = _HEX.match(self.text, self.at + 2)
        if self.text[self.at + 1 : self.at + 2] != "u" or digits is None:
            self._expected("an escape")
        self.at += 6
        return int(digits[0], 16)

    def _number(self) -> int | float:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            self._expected("a value")
        token = match[0]
        exact = match[1] is None and match[2] is None
        # An exact integer overflows where its nearest double does; float() of the token rounds it correctly.
        double = float(token)
        if double - double != 0.0:
            self._fail("json.number", found=shown(token).strip('"'))
        self.at = match.end()
        return int(token) if exact else double
