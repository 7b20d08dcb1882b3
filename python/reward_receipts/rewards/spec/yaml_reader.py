"""Reads YAML 1.2: which texts a spec may have, and which JSON value the core schema makes of them.

The parser's events are enough: values are built here, so that nothing constructs an object, follows an alias or merges
a key, and every value keeps its place in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Never

from ...core.codes import sentence
from ...core.findings import Finding, InvalidText, shown
from ...core.generated.tables import MAX_TEXT_DEPTH
from ...core.pointer import Path
from ...core.strict_json import Place, decode, place_of

if TYPE_CHECKING:
    from ruamel.yaml.events import Event

PlaceOf = Callable[[Path], Place]
"""Line and column of what is at a path, or of what would hold it where nothing does."""

# Characters that no YAML text has, and those that YAML 1.1 takes for line ends or that YAML 1.2 has in quotes only:
# readers differ over the latter, so they are let in as escapes alone.
_REFUSED_CHARACTER: Final = re.compile(
    "[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)

_TAG: Final = re.compile(r"[^\s,\[\]{}]+")
_TAG_DIRECTIVE: Final = re.compile("^%TAG", re.MULTILINE)

# The core schema (YAML 1.2.2, section 10.3.2). Quoted scalars and all that match nothing here are text.
_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_DOUBLE: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_BASES: Final = {"0o": 8, "0x": 16}

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SURROGATE_PAIR: Final = re.compile("([\ud800-\udbff])([\udc00-\udfff])")


@dataclass(frozen=True, slots=True)
class YamlText:
    """What was read from a YAML text."""

    value: Any
    """The plain JSON value."""
    place: PlaceOf
    """Where each part of it is."""
    open: tuple[Path, ...]
    """The containers that the rest of the text goes on in, where it was not read to its end."""


def read_yaml(data: bytes | bytearray | memoryview | str, most_values: int | None = None) -> YamlText:
    """The plain JSON value of a YAML 1.2 text by the core schema, and where each part of it is.

    Refused (InvalidText, with the first fault and its place) is what makes one text mean two things or more than it
    shows: anchors, aliases, merge keys, tags, a key twice, keys that are not text, several documents, numbers that are
    not finite doubles; ``%YAML`` directives of another version, and what text in general is refused for, the limits of
    size and depth among it. Lines are counted by LF, as in JSON.

    ``most_values`` says after how many values, containers among them, the reader stops in a text that has more.
    """
    reader = _Reader(decode(data), most_values)
    reader.read()
    return YamlText(reader.root[0].value, reader.place, reader.left_open)


@dataclass(slots=True)
class _Node:
    """A value under construction: where it starts, and the nodes in it with the offsets that they are named at."""

    at: int
    value: Any
    step: str | int | None = None
    """Its key or index in what holds it."""
    members: dict[str | int, tuple[int, _Node]] = field(default_factory=dict)
    key: str | None = None
    """In a mapping, the key whose value is due."""
    key_at: int = 0


class _Reader:
    """Builds one value from the events of a text, and knows the place of everything in it."""

    def __init__(self, text: str, most_values: int | None) -> None:
        self.text = text
        self.open: list[_Node] = []
        self.root: list[_Node] = []
        self.left_open: tuple[Path, ...] = ()
        self._most_values = most_values
        self._values = 0
        self._at = 0  # where the event was that came last

    def read(self) -> None:
        if refused := _REFUSED_CHARACTER.search(self.text):
            character = f"the character U+{ord(refused[0]):04X}, which must be an escape in double quotes"
            self._fail("yaml.syntax", refused.start(), found=character)
        for event in self._events():
            self._take(event)
            if self._most_values is not None and self._values > self._most_values:
                steps = self._steps()
                self.left_open = tuple(steps[:depth] for depth in range(len(self.open)))
                return
        if not self.root:
            self._fail("yaml.documents", 0, found="no")

    def place(self, path: Path) -> Place:
        """The place of a member's key, an item, or the whole value."""
        at, node = self.root[0].at, self.root[0]
        for step in path:
            if step not in node.members:
                break
            at, node = node.members[step]
        return place_of(self.text, at)

    def _steps(self) -> Path:
        """The path of the innermost container that is open."""
        return tuple(node.step for node in self.open[1:] if node.step is not None)

    def _path(self) -> Path:
        """The path of the value that is due, or of the mapping that a key is due in."""
        due = (_due(self.open[-1]),) if self.open and _awaits(self.open[-1]) else ()
        return (*self._steps(), *due)

    def _fail(self, code: str, offset: int, **values: object) -> Never:
        raise InvalidText((Finding(code, sentence(code, **values), self._path(), *place_of(self.text, offset)),))

    def _events(self) -> Iterator[Event]:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError

        from .yaml_scanner import CoreScanner

        yaml = YAML(typ="safe", pure=True)
        yaml.Scanner = CoreScanner
        try:
            yield from yaml.parse(self.text)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            found = str(error.problem or error.context)
            if error.context and error.context_mark and error.problem:
                line, column = place_of(self.text, error.context_mark.index)
                found += f" ({error.context}, from {line}:{column})"
            self._fail("yaml.syntax", 0 if mark is None else mark.index, found=found)
        except (YAMLError, ValueError, OverflowError, AssertionError):  # nothing is known that would raise them
            self._fail("yaml.syntax", self._at, found="something that this parser cannot take, here or further on")

    def _take(self, event: Event) -> None:
        from ruamel.yaml import events

        at = self._at = event.start_mark.index
        if isinstance(event, events.DocumentStartEvent):
            if self.root:
                self._fail("yaml.documents", at, found="several")
            if event.tags:
                # Nothing but directives and comments is before the start of the first document.
                declared = _TAG_DIRECTIVE.search(self.text, 0, at)
                self._fail("yaml.tag", declared.start() if declared else at, found=shown(next(iter(event.tags))))
        elif isinstance(event, events.AliasEvent):
            self._fail("yaml.alias", at, found=shown(f"*{event.anchor}"))
        elif isinstance(event, events.NodeEvent):
            self._take_node(event, at)
        elif isinstance(event, events.CollectionEndEvent):
            self.open.pop()

    def _take_node(self, event: Any, at: int) -> None:
        from ruamel.yaml import events

        if event.anchor is not None:
            self._fail("yaml.alias", at, found=shown(f"&{event.anchor}"))
        if event.tag is not None:
            written = _TAG.match(self.text, at, at + 100)
            self._fail("yaml.tag", at, found=shown(written[0] if written else "!"))
        is_key = bool(self.open) and not _awaits(self.open[-1])
        if isinstance(event, events.ScalarEvent):
            value = self._scalar(event, at)
            if is_key:
                self._take_key(event, value, at)
            else:
                self._add(_Node(at, value))
            return
        if is_key:
            what = "a mapping" if isinstance(event, events.MappingStartEvent) else "a sequence"
            self._fail("yaml.key", at, found=f"({what})")
        if len(self.open) >= MAX_TEXT_DEPTH:
            self._fail("json.depth", at, limit=MAX_TEXT_DEPTH)
        node = _Node(at, {} if isinstance(event, events.MappingStartEvent) else [])
        self._add(node)
        self.open.append(node)

    def _take_key(self, event: Any, key: Any, at: int) -> None:
        mapping = self.open[-1]
        if event.style is None and event.value == "<<":
            self._fail("yaml.merge", at)
        if type(key) is not str:
            self._fail("yaml.key", at, found=shown(event.value).strip('"') or "(nothing)")
        if key in mapping.members:
            first = "{}:{}".format(*place_of(self.text, mapping.members[key][0]))
            self._fail("yaml.duplicate", at, name=shown(key), first=first)
        mapping.key, mapping.key_at = key, at

    def _add(self, node: _Node) -> None:
        self._values += 1
        if not self.open:
            self.root.append(node)
            return
        holder = self.open[-1]
        node.step = _due(holder)
        if holder.key is None:
            holder.members[node.step] = (node.at, node)
            holder.value.append(node.value)
        else:
            holder.members[node.step] = (holder.key_at, node)
            holder.value[holder.key] = node.value
            holder.key = None

    def _scalar(self, event: Any, at: int) -> Any:
        token: str = event.value
        if event.style is not None:
            return self._text(token, at)
        if token in _WORDS:
            return _WORDS[token]
        if _INTEGER.fullmatch(token):
            return self._integer(token, at)
        if _DOUBLE.fullmatch(token):
            return self._finite(float(token), token, at)
        if _NOT_FINITE.fullmatch(token):
            self._fail("yaml.number", at, found=token)
        return token

    def _integer(self, token: str, at: int) -> int:
        base = _BASES.get(token[:2], 10)
        sign = -1 if token[0] == "-" else 1
        digits = (token[2:] if base != 10 else token.lstrip("+-")).lstrip("0") or "0"
        # Its nearest double decides, as in JSON: float() of the digits rounds correctly, int() has a limit of its own.
        try:
            double = float(digits) if base == 10 else float(int(digits, base))
        except OverflowError:
            double = float("inf")
        self._finite(double, token, at)
        return sign * int(digits, base)

    def _finite(self, double: float, token: str, at: int) -> float:
        if double - double != 0.0:
            self._fail("yaml.number", at, found=shown(token).strip('"'))
        return double

    def _text(self, text: str, at: int) -> str:
        if _SURROGATE.search(text) is None:
            return text
        # Escapes can spell a surrogate; a pair of them is one character, as it is in JSON, which is YAML too.
        paired = _SURROGATE_PAIR.sub(
            lambda pair: (pair[1] + pair[2]).encode("utf-16", "surrogatepass").decode("utf-16"), text
        )
        if unpaired := _SURROGATE.search(paired):
            self._fail("json.surrogate", at, found=f"\\u{ord(unpaired[0]):04x}")
        return paired


def _awaits(node: _Node) -> bool:
    """Whether the next node in a container is a value; else it is a key."""
    return type(node.value) is list or node.key is not None


def _due(node: _Node) -> str | int:
    """The key or the index of the value that is due in a container."""
    return len(node.value) if node.key is None else node.key
