"""From a row of a table to the exact text of an input: a document of the library and one edit, or a text by itself."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from typing import Any

from .library import Library
from .raw_json import described, edited, nested, parse, write

Row = dict[str, Any]


@dataclass(frozen=True)
class Text:
    """An exact text: its bytes, and what is appended to them."""

    data: bytes
    pad: dict[str, Any] | None = None

    @property
    def bytes(self) -> bytes:
        """All of it."""
        return self.data if self.pad is None else self.data.ljust(self.pad["to"], self.pad["with"].encode("ascii"))

    @property
    def sha256(self) -> str:
        """The hash over all of it."""
        return "sha256:" + hashlib.sha256(self.bytes).hexdigest()

    @property
    def record(self) -> dict[str, Any]:
        """The form that it has in a case."""
        try:
            text = self.data.decode("utf-8")
            form = {"base64": self._base64} if text.startswith("\ufeff") else {"text": text}
        except UnicodeDecodeError:
            form = {"base64": self._base64}
        return form if self.pad is None else {**form, "pad": self.pad}

    @property
    def _base64(self) -> str:
        return base64.b64encode(self.data).decode("ascii")


@dataclass(frozen=True)
class Input:
    """A text, and how it came about."""

    text: Text
    base: str | None
    edit: str | None
    """In words; None where the base is as it is."""


# What a row can say of its text, in the order in which it is done.
WHOLE = ("text", "hex", "repeat")
EDITS = ("set", "names", "components", "twice_named", "properties", "reverse", "indent")
SPOILING = ("replace", "bytes", "prepend", "append", "cut", "twice", "wrap", "utf16", "pad")
KEYS = (*WHOLE, *EDITS, *SPOILING, "base", "edit")


def input_of(row: Row, base: str | None, library: Library) -> Input:
    """The input that a row describes. Raises KeyError for a document that is not in the library."""
    for way in WHOLE:
        if way in row:
            text = Text(_whole(way, row[way]), row.get("pad"))
            return Input(text, None, row.get("edit") or _shown(text))
    base = row.get("base", base)
    if base is None:
        raise KeyError(f"{row['id']} has neither text nor base")
    value = library[base].text
    words: list[str] = []
    for way in EDITS:
        if way in row:
            value = _edited(way, row, value, words)
    data = value.encode("utf-8")
    for way in SPOILING:
        if way in row:
            data = _spoilt(way, row[way], data, words)
    edit = row.get("edit") or ", ".join(filter(None, words)) or None
    return Input(Text(data, row.get("pad")), base, edit)


def _whole(way: str, given: Any) -> bytes:
    if way == "hex":
        return bytes.fromhex(given)
    if way == "repeat":
        pairs = zip(given[::2], given[1::2], strict=True)
        given = "".join(part * times for part, times in pairs)
    return str(given).encode("utf-8")


def _edited(way: str, row: Row, value: str, words: list[str]) -> str:
    given = row[way]
    document = parse(value)
    if way == "set":
        words.append(described(given))
        return write(edited(document, given))
    if way == "names":
        path, count = given
        words.append(f"{count} items in {path}")
        return write(edited(document, nested(path, json.dumps(names(count)))))
    if way == "components":
        words.append(f"{given} components")
        items = [{"name": name, "weight": 1 + index} for index, name in enumerate(names(given))]
        return write(edited(document, {"components": json.dumps(items)}))
    if way == "twice_named":
        words.append("the last named as the first")
        first, *_, last = document["components"]
        last["name"] = first["name"]
        return write(document)
    if way == "properties":
        words.append(f"{given} reward components")
        members = {name: -index / 2 for index, name in enumerate(names(given))}
        return write(edited(document, {"reward_components": json.dumps(members)}))
    if way == "reverse":
        words.append("all members in reverse order")
        return write(_reversed(document))
    words.append("white space between all tokens")
    return json.dumps(json.loads(value), indent="\t").replace("\n", " \r\n")


def names(count: int) -> list[str]:
    """Distinct names, not in order."""
    return [f"n{index * 37 % 101:03}" for index in range(count)] if count <= 100 else [f"n{i:03}" for i in range(count)]


def _reversed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _reversed(member) for name, member in reversed(value.items())}
    return [_reversed(item) for item in value] if isinstance(value, list) else value


def _spoilt(way: str, given: Any, data: bytes, words: list[str]) -> bytes:
    if way == "replace":
        old, new = given
        if data.count(str(old).encode("utf-8")) != 1:
            raise ValueError(f"{old!r} is not there once")
        words.append(f"{short(new)} for {short(old)}")
        return data.replace(str(old).encode("utf-8"), str(new).encode("utf-8"))
    if way == "bytes":
        old, new = given
        words.append(f"the bytes {new} for {old}")
        return data.replace(str(old).encode("utf-8"), bytes.fromhex(new))
    if way in ("prepend", "append"):
        words.append(f"{short(given)} {'before' if way == 'prepend' else 'after'} it")
        piece: bytes = given.encode("utf-8")
        return piece + data if way == "prepend" else data + piece
    if way == "cut":
        words.append(f"without its last {given} bytes")
        return data[:-given]
    if way == "twice":
        words.append("twice in a row")
        return data + data
    if way == "wrap":
        words.append(f"inside {given}")
        start, end = str(given)[:-1], str(given)[-1:]
        return start.encode("utf-8") + data + end.encode("utf-8")
    if way == "utf16":
        words.append("in UTF-16")
        return b"\xff\xfe" + data.decode("utf-8").encode("utf-16-le")
    words.append(f"padded to {given['to']} bytes")
    return data


def _shown(text: Text) -> str:
    if text.pad is not None:
        return f"{short(text.data.decode('utf-8'))} padded to {text.pad['to']} bytes"
    try:
        return f"the text {short(text.data.decode('utf-8'))}"
    except UnicodeDecodeError:
        return f"the bytes {text.data.hex(' ')}"


def short(text: str) -> str:
    """A text as it is named in a sentence: JSON, cut where it is long."""
    shown = json.dumps(text)
    return shown if len(shown) <= 60 else f"{shown[:40]}... of {len(text)} characters"
