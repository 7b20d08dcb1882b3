"""Texts in files: names, patterns, folders, standard input; JSON and JSON Lines; one text in memory at a time."""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any, Final

from ..core.escaping import file_label
from ..core.generated.tables import MAX_TEXT_BYTES
from ..core.pointer import Path
from ..core.strict_json import Place, Places, decode
from .readers import (
    PACKED_SUFFIXES,
    DamagedFile,
    MissingExtra,
    NoTextColumn,
    StdinClosed,
    damage,
    is_parquet,
    opened,
    parquet_texts,
    without_packing,
)

STDIN: Final = "<stdin>"
"""The name that standard input goes by."""

WHITE_SPACE: Final = b" \t\r\n"
_LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
_PLAIN_SUFFIXES: Final = (".json", *_LINES_SUFFIXES)
SUFFIXES: Final = (
    *_PLAIN_SUFFIXES,
    *(plain + packed for packed in PACKED_SUFFIXES for plain in _PLAIN_SUFFIXES),
)
"""The suffixes of the files that are read from a folder. Parquet is not one: it holds traces too."""


class Unread(Exception):
    """A file that could not be read, or not to its end."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = shown_name(name)
        """The file, as it was named; ``<stdin>`` for standard input."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__new__, (type(self), *self.args), self.__dict__


class Damaged(Unread):
    """A packed file that is cut off or damaged. What comes before was read."""

    def __init__(self, name: str, found: str, line: int | None) -> None:
        super().__init__(name, f"{name_label(name)}: {found}")
        self.found = found
        """What is wrong, as a part of a sentence."""
        self.line = line
        """The line, or the row, where it goes wrong; None for a file of one text."""


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


def only_text(name: str) -> Text:
    """The one text in a file. Raises Unread where the file cannot be read or holds another number of them."""
    found = list(itertools.islice(texts(name), 2))
    if not found:
        raise no_document(name)
    if len(found) > 1:
        raise too_many_documents(name)
    return found[0]


def texts(name: str, lines: bool | None = None, *, column: str | None = None) -> Iterator[Text]:
    """The texts in a file that are not blank; those of ``column``, and the nulls in it, if the file is Parquet.

    The number of a row stands for the line. Raises Unread, and Damaged for a packed file that is cut off or damaged,
    after the texts that come before.
    """
    with reading(name):
        if is_parquet(name):
            yield from _parquet(name, column)
            return
        if lines is None:
            lines = is_lines(name)
        with opened(name) as file:
            waiting, number = None, 0
            for number, data in _numbered_lines(file) if lines else ((1, file.read(MAX_TEXT_BYTES + 1)),):
                if waiting is not None:
                    yield waiting
                    waiting = None
                whole = data.removesuffix(b"\n") if lines else data
                if len(whole) > MAX_TEXT_BYTES or whole.strip(WHITE_SPACE):
                    text = Text(shown_name(name), whole, number if lines else None)
                    if lines and data.endswith(b"\n"):
                        yield text
                    else:  # if the file is damaged, the text is cut
                        waiting = text
            if found := damage(file):
                raise Damaged(name, found, (number + (waiting is None)) if lines else None)
            if waiting is not None:
                yield waiting


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Raises Unread in place of what reading a file raises."""
    try:
        yield
    except StdinClosed:
        raise Unread(name, "standard input is closed") from None
    except OSError as error:
        raise Unread(name, f"cannot read {name_label(name)}: {error.strerror or error}") from None
    except (MissingExtra, NoTextColumn) as error:
        raise Unread(name, f"cannot read {name_label(name)}: {error}") from None


def is_lines(name: str) -> bool:
    """Whether a file is JSON Lines by its name."""
    return without_packing(name).lower().endswith(_LINES_SUFFIXES)


def _parquet(name: str, column: str | None) -> Iterator[Text]:
    row = 0
    try:
        for row, data in enumerate(parquet_texts(name, column, MAX_TEXT_BYTES + 1), 1):
            yield Text(shown_name(name), data, row)
    except DamagedFile as error:
        raise Damaged(name, str(error), row + 1) from None


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
        plain = ", ".join(suffix for suffix in suffixes if without_packing(suffix) == suffix)
        yield Unread(folder, f"no {plain} file in {name_label(folder)}")


def _is_wanted(each: os.DirEntry[str], suffixes: tuple[str, ...]) -> bool:
    if each.name.startswith("."):
        return False
    return each.is_dir(follow_symlinks=False) or (each.name.lower().endswith(suffixes) and each.is_file())


def _identity(name: str) -> str:
    """The same for every path to a file; not its inode number, which is 0 for all files of some network drives."""
    return name if name == "-" else os.path.normcase(os.path.realpath(name))


def _numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines with what ends them; of one that is too long as much as shows that."""
    number = 0
    while line := file.readline(MAX_TEXT_BYTES + 1):
        number += 1
        yield number, line
        if len(line) > MAX_TEXT_BYTES and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_TEXT_BYTES)) and not rest.endswith(b"\n"):
                pass


def no_document(name: str) -> Unread:
    return Unread(name, f"no document in {name_label(name)}")


def too_many_documents(name: str) -> Unread:
    return Unread(name, f"{name_label(name)} contains more than one document; expected one")


def shown_name(name: str) -> str:
    """The name that a file goes by in results; a file that is called ``<stdin>`` is not taken for standard input."""
    return STDIN if name == "-" else f"./{STDIN}" if name == STDIN else name


def name_label(name: str) -> str:
    """A name as messages show it."""
    return STDIN if name == "-" else file_label(shown_name(name))
