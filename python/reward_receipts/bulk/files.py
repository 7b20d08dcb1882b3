"""Documents in files: names, patterns, folders, standard input; JSON and JSON Lines; one text in memory at a time."""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, Final

from ..core.escaping import file_label
from ..core.findings import Finding, InvalidText, Path
from ..core.generated.tables import MAX_TEXT_BYTES
from ..core.strict_json import Place, Places, decode, read_json
from ..documents.judging import checked_document, judge
from ..validation.check import Kind, kind_of

if TYPE_CHECKING:
    from ..documents.generated.models import RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1

STDIN: Final = "<stdin>"
"""The name that standard input goes by."""

MOST_INVALID: Final = 1000
"""After so many invalid documents in one array, the rest of it is not judged: 1 MiB can hold half a million, and no
more than about a thousand valid ones."""

_WHITE: Final = b" \t\r\n"
_LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
SUFFIXES: Final = (".json", *_LINES_SUFFIXES)
"""The suffixes of the files that are read from a folder."""
_GZIP: Final = b"\x1f\x8b"


class Unread(Exception):
    """A file that could not be read, or not to its end."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = shown_name(name)
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

    @property
    def label(self) -> str:
        """The name as lines and messages show it: in quotes where it could be taken for more than a name."""
        return self.name if self.name == STDIN else file_label(self.name)

    def place(self, path: Path) -> Place:
        """Line and column in the file of a value, or of what would hold it where it was left out. Good texts only."""
        return self.places_of((path,))[0]

    def places_of(self, paths: Sequence[Path]) -> list[Place]:
        """The places of several values, as ``place`` gives them."""
        return [(self.file_line(line), column) for line, column in self._places.of_all(paths)]

    def file_line(self, line: int) -> int:
        """The line in the file of a line in the text."""
        return line if self.line is None else self.line + line - 1

    @cached_property
    def _places(self) -> Places:
        return Places(decode(self.data))


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
            return f"{self.text.label}:{line}:{column}"
        return self.text.label if self.text.line is None else f"{self.text.label}:{self.text.line}"

    @property
    def line(self) -> int | None:
        """The line that it starts on, where the file can hold several documents."""
        return self.text.place(self.at)[0] if self.at else self.text.line

    def finding(self, code: str, sentence: str, path: Path = ()) -> Finding:
        """A finding about a member of the document, with its place in the file."""
        return self.placed((Finding(code, sentence, path),))[0]

    def placed(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Findings about members of the document, with their places in the file."""
        paths = [(*self.at, *finding.path) for finding in findings]
        return tuple(
            replace(finding, path=path, line=line, column=column)
            for finding, path, (line, column) in zip(findings, paths, self.text.places_of(paths), strict=True)
        )

    def document(self) -> RewardContractV1 | RewardCertificateV1 | RewardEvidenceReceiptV1:
        """The model. Only for an entry without findings."""
        return checked_document(self.value, self.kind)


def entries(names: Iterable[str], kind: Kind | None = None, lines: bool | None = None) -> Iterator[Entry | Unread]:
    """Every document in some files, judged, in order; in between, what could not be read.

    A name is a path, a pattern (``*``, ``?``, ``[``, ``**``), a folder or ``-``; see ``files``. ``lines`` says whether
    they are JSON Lines; None means that the suffix does (.jsonl and .ndjson are).
    """
    for name in files(names, SUFFIXES):
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
                    raise Unread(name, f"{name_label(name)} is gzip, which is not read; unpack it first (gzip -d)")
                if len(data) > MAX_TEXT_BYTES or data.strip(_WHITE):
                    yield Text(shown_name(name), data, number)
    except OSError as error:
        raise Unread(name, f"cannot read {name_label(name)}: {error.strerror or error}") from None


def files(names: Iterable[str], suffixes: tuple[str, ...] = ()) -> Iterator[str | Unread]:
    """The files that names, patterns and folders stand for, each once; in between, what matches or contains none.

    A pattern's files come in the order of their paths. A folder stands for the files in it and below it that have one
    of the ``suffixes``; without ``suffixes`` it is not looked into. At each level files and folders come in the order
    of their names, by code point; hidden ones (``.name``) and links to folders are left out.
    """
    seen: set[str] = set()
    for name in names:
        for found in _matching(name, suffixes):
            if isinstance(found, Unread):
                yield found
                continue
            identity = _identity(found)
            if identity not in seen:
                seen.add(identity)
                yield found


def _matching(name: str, suffixes: tuple[str, ...]) -> Iterator[str | Unread]:
    if name != "-" and glob.has_magic(name) and not os.path.lexists(name):
        found = sorted(path for path in glob.iglob(name, recursive=True) if os.path.isfile(path))
        yield from found
        if not found:
            yield Unread(name, f"no file matches {name_label(name)}")
    elif name != "-" and suffixes and os.path.isdir(name):
        yield from _in_folder(name, suffixes)
    else:
        yield name


def _in_folder(folder: str, suffixes: tuple[str, ...]) -> Iterator[str | Unread]:
    empty = True
    waiting = [folder]  # a stack and not a recursion: folders nest deeper than Python calls
    while waiting:
        path = waiting.pop()
        if path != folder and not os.path.isdir(path):
            empty = False
            yield path
            continue
        try:
            with os.scandir(path) as found:
                entries_here = sorted(found, key=lambda each: each.name, reverse=True)
        except OSError as error:
            empty = False
            yield Unread(path, f"cannot read {name_label(path)}: {error.strerror or error}")
            continue
        waiting += [each.path for each in entries_here if _is_wanted(each, suffixes)]
    if empty:
        yield Unread(folder, f"no {', '.join(suffixes)} file in {name_label(folder)}")


def _is_wanted(each: os.DirEntry[str], suffixes: tuple[str, ...]) -> bool:
    if each.name.startswith("."):
        return False
    return each.is_dir(follow_symlinks=False) or (each.name.lower().endswith(suffixes) and each.is_file())


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
        left = MOST_INVALID
        for index, item in enumerate(value):
            if not left:
                rest = len(value) - index
                raise Unread(
                    text.name, f"{text.name}: after {MOST_INVALID} invalid documents, the other {rest} are not judged"
                )
            entry = judged(text, (index,), item, kind)
            left -= bool(entry.findings)
            yield entry
    else:
        yield judged(text, (), value, kind)


def refused(text: Text, kind: Kind | None, error: InvalidText) -> Entry:
    """The entry of a text that is not strict JSON."""
    findings = tuple(replace(fault, line=text.file_line(fault.line or 1)) for fault in error.findings)
    if findings[0].code == "json.size" and text.data.lstrip(_WHITE).startswith(b"["):
        hint = "Write the documents of an array one on each line, in a .jsonl file: the limit is one line's then."
        findings = (replace(findings[0], sentence=f"{findings[0].sentence} {hint}"),)
    return Entry(text, (), None, kind, findings)


def judged(text: Text, at: Path, value: Any, kind: Kind | None) -> Entry:
    """The entry of a plain JSON value that stands in a good text."""
    named = kind or kind_of(value)
    entry = Entry(text, at, value, None if isinstance(named, Finding) else named, ())
    faults = judge(value, kind)
    if kind is not None and not isinstance(said := kind_of(value), Finding) and said != kind:
        # Of a document that names another kind, that is what is wrong; the rest follows.
        faults = tuple(fault for fault in faults if fault.path == ("schema_version",))
    return replace(entry, findings=entry.placed(faults)) if faults else entry


def _no_document(name: str) -> Unread:
    return Unread(name, f"no document in {name_label(name)}")


def _too_many(name: str) -> Unread:
    return Unread(name, f"{name_label(name)} contains more than one document; expected one")


def shown_name(name: str) -> str:
    """The name that a file goes by in results; a file that is called ``<stdin>`` is not taken for standard input."""
    return STDIN if name == "-" else f"./{STDIN}" if name == STDIN else name


def name_label(name: str) -> str:
    """A name as messages show it."""
    return STDIN if name == "-" else file_label(shown_name(name))
