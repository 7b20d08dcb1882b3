"""Documents in files: names, patterns and standard input; JSON and JSON Lines; one text in memory at a time."""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, Final

from .findings import Finding, InvalidText, Path
from .generated.tables import MAX_TEXT_BYTES
from .reading import checked_document, judge
from .shape import Kind, kind_of
from .text import Place, decode, places, read_json

if TYPE_CHECKING:
    from .generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1

STDIN: Final = "<stdin>"
"""The name that standard input goes by."""

_WHITE: Final = b" \t\r\n"
_LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
_GZIP: Final = b"\x1f\x8b"


class Unread(Exception):
    """A file that could not be read, or not to its end."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = _shown(name)
        """The file, as it was named; ``<stdin>`` for standard input."""


@dataclass(frozen=True)
class Text:
    """One JSON text: a whole file, or one line of JSON Lines."""

    name: str
    """The file, as it was named; ``<stdin>`` for standard input."""
    data: bytes
    """At most MAX_TEXT_BYTES, or one more where the text is longer."""
    line: int | None = None
    """The physical line in JSON Lines, from 1; None for a whole file."""

    def place(self, path: Path) -> Place:
        """Line and column in the file of a value, or of what would hold it where it was left out. Good texts only."""
        while path not in self._places:
            path = path[:-1]
        (line, column), _ = self._places[path]
        return self.file_line(line), column

    def file_line(self, line: int) -> int:
        """The line in the file of a line in the text."""
        return line if self.line is None else self.line + line - 1

    @cached_property
    def _places(self) -> dict[Path, tuple[Place, Place]]:
        return places(decode(self.data))


@dataclass(frozen=True, slots=True)
class Entry:
    """One document as it stands in a file, and everything that is wrong with it."""

    text: Text
    at: Path
    """Where it stands in the text: () or, in a file that is one array, its index."""
    value: Any
    """The plain JSON value; None where the text was refused."""
    kind: Kind | None
    """The kind that was asked for, or the one that the document names; None where it names none."""
    findings: tuple[Finding, ...]
    """With the places in the file; () where the document holds."""

    @property
    def label(self) -> str:
        """``file``, ``file:line`` in JSON Lines, ``file:line:column`` in an array."""
        if self.at:
            line, column = self.text.place(self.at)
            return f"{self.text.name}:{line}:{column}"
        return self.text.name if self.text.line is None else f"{self.text.name}:{self.text.line}"

    @property
    def line(self) -> int | None:
        """The line that it starts on, where the file can hold several documents."""
        return self.text.place(self.at)[0] if self.at else self.text.line

    def finding(self, code: str, sentence: str, path: Path = ()) -> Finding:
        """A finding about a member of the document, with its place in the file."""
        path = (*self.at, *path)
        return Finding(code, sentence, path, *self.text.place(path))

    def document(self) -> RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1:
        """The model. Only for an entry without findings."""
        return checked_document(self.value, self.kind)


def entries(names: Iterable[str], kind: Kind | None = None, lines: bool | None = None) -> Iterator[Entry | Unread]:
    """Every document in some files, judged, in order; in between, what could not be read.

    A name is a path, a pattern (``*``, ``?``, ``[``, ``**``) or ``-``; the same file named twice is read once.
    ``lines`` says whether they are JSON Lines; None means that the suffix does (.jsonl and .ndjson are).
    """
    for name in files(names):
        if isinstance(name, Unread):
            yield name
            continue
        empty = True
        try:
            for text in texts(name, lines):
                for entry in _entries(text, kind):
                    empty = False
                    yield entry
        except Unread as unread:
            yield unread
            continue
        if empty:
            yield _no_document(name)


def only_entry(name: str, kind: Kind | None = None) -> Entry:
    """The one document in a file. Raises Unread where the file cannot be read or holds another number of them."""
    found = None
    for entry in entries((name,), kind):
        if isinstance(entry, Unread):
            raise entry
        if found is not None:
            raise _too_many(name)
        found = entry
    assert found is not None  # entries() never ends without a word
    return found


def only_text(name: str) -> Text:
    """The one text in a file. Raises Unread where the file cannot be read or holds another number of them."""
    found = list(itertools.islice(texts(name), 2))
    if not found:
        raise _no_document(name)
    if len(found) > 1:
        raise _too_many(name)
    return found[0]


def texts(name: str, lines: bool | None = None) -> Iterator[Text]:
    """The texts in a file that are not blank. Raises Unread."""
    if lines is None:
        lines = name.lower().endswith(_LINES_SUFFIXES)
    try:
        with _opened(name) as file:
            for number, data in _numbered_lines(file) if lines else ((None, file.read(MAX_TEXT_BYTES + 1)),):
                if data.startswith(_GZIP) and number in (None, 1):
                    raise Unread(name, f"{_shown(name)} is gzip, which is not read; unpack it first (gzip -d)")
                if len(data) > MAX_TEXT_BYTES or data.strip(_WHITE):
                    yield Text(_shown(name), data, number)
    except OSError as error:
        raise Unread(name, f"cannot read {_shown(name)}: {error.strerror or error}") from None


def files(names: Iterable[str]) -> Iterator[str | Unread]:
    """The files that some names and patterns stand for, each once; in between, patterns that match none."""
    seen: set[str] = set()
    for name in names:
        found = [name]
        if name != "-" and glob.has_magic(name) and not os.path.lexists(name):
            found = sorted(path for path in glob.iglob(name, recursive=True) if os.path.isfile(path))
            if not found:
                yield Unread(name, f"no file matches {name}")
        for path in found:
            identity = _identity(path)
            if identity not in seen:
                seen.add(identity)
                yield path


def _identity(name: str) -> str:
    """The same for every path to a file; not its inode number, which is 0 for all files of some network drives."""
    return name if name == "-" else os.path.normcase(os.path.realpath(name))


def _opened(name: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    if name != "-":
        return open(name, "rb")
    if sys.stdin is None:
        raise Unread(name, "standard input is closed")
    return contextlib.nullcontext(sys.stdin.buffer)


def _numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(MAX_TEXT_BYTES + 1):
        number += 1
        data = line.removesuffix(b"\n")
        yield number, data
        if len(data) > MAX_TEXT_BYTES:
            while (rest := file.readline(MAX_TEXT_BYTES)) and not rest.endswith(b"\n"):
                pass


def _entries(text: Text, kind: Kind | None) -> Iterator[Entry]:
    try:
        value = read_json(text.data)
    except InvalidText as error:
        yield refused(text, kind, error)
        return
    if text.line is None and type(value) is list:
        for index, item in enumerate(value):
            yield judged(text, (index,), item, kind)
    else:
        yield judged(text, (), value, kind)


def refused(text: Text, kind: Kind | None, error: InvalidText) -> Entry:
    """The entry of a text that is not strict JSON."""
    findings = tuple(replace(fault, line=text.file_line(fault.line or 1)) for fault in error.findings)
    return Entry(text, (), None, kind, findings)


def judged(text: Text, at: Path, value: Any, kind: Kind | None) -> Entry:
    """The entry of a plain JSON value that stands in a good text."""
    named = kind or kind_of(value)
    entry = Entry(text, at, value, None if isinstance(named, Finding) else named, ())
    faults = judge(value, kind)
    if kind is not None and not isinstance(said := kind_of(value), Finding) and said != kind:
        # Of a document that names another kind, that is what is wrong; the rest follows.
        faults = tuple(fault for fault in faults if fault.path == ("schema_version",))
    findings = tuple(entry.finding(fault.code, fault.sentence, fault.path) for fault in faults)
    return replace(entry, findings=findings)


def _no_document(name: str) -> Unread:
    return Unread(name, f"no document in {_shown(name)}")


def _too_many(name: str) -> Unread:
    return Unread(name, f"{_shown(name)} holds more than one document; one is due here")


def _shown(name: str) -> str:
    return STDIN if name == "-" else name
