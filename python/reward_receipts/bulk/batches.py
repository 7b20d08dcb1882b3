"""Files in pieces that are checked at once: some lines of JSON Lines, or some whole texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Final, cast

from ..core.generated.tables import MAX_TEXT_BYTES
from .files import (
    SUFFIXES,
    WHITE_SPACE,
    Damaged,
    Text,
    Unread,
    files,
    is_lines,
    no_document,
    reading,
    shown_name,
    texts,
)
from .readers import damage, is_parquet, opened, unpacked_from

BATCH_BYTES: Final = 512 * 1024
"""How much of a file a batch has, at most, unless one text is longer."""
_MAX_LINES: Final = 2000
"""The lines of a batch, at most."""
_MAX_TEXTS: Final = 256
"""The whole texts of a batch, at most."""


@dataclass(frozen=True)
class Batch:
    """Some lines of one file in ``data``, or some ``texts`` of one or several files, or an ``unread`` one."""

    source: str = ""
    """The file of the lines, as it goes by in results."""
    data: bytes = b""
    """Whole lines; the last one need not end in LF."""
    first: int = 1
    """The number of the first line."""
    texts: tuple[Text, ...] = ()
    unread: Unread | None = None
    """In place of texts: a file that could not be read. If it is Damaged, the texts before the damage came before."""
    size: int = 0
    """How many bytes of the named files it is, packed as they are."""

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines of ``data``, without what ends them."""
        return self.data.split(b"\n")

    def line(self, number: int) -> Text:
        """A line of ``data`` by its number in the file; of one that is too long as much as shows that."""
        return Text(self.source, self.lines[number - self.first][: MAX_TEXT_BYTES + 1], number)

    def every_text(self) -> Iterator[Text]:
        """The texts that are not blank."""
        if self.texts:
            yield from self.texts
            return
        for number, line in enumerate(self.lines, self.first):
            if not _is_blank(line):
                yield self.line(number)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "lines"}


def batches(names: Iterable[str], lines: bool | None = None, *, column: str | None = None) -> Iterator[Batch]:
    """The texts in files, in order, in batches, with what could not be read. The options are those of ``texts``."""
    waiting: list[Text] = []
    size = 0
    for name in files(names, SUFFIXES):
        if isinstance(name, Unread):
            if waiting:
                yield _texts(waiting)
                waiting, size = [], 0
            yield Batch(unread=name)
            continue
        try:
            with reading(name):
                packed_lines = not is_parquet(name) and (is_lines(name) if lines is None else lines)
            if packed_lines:
                if waiting:
                    yield _texts(waiting)
                    waiting, size = [], 0
                yield from _line_batches(name)
                continue
            empty = True
            for text in texts(name, lines, column=column):
                empty = False
                waiting.append(text)
                size += len(text.data)
                if len(waiting) >= _MAX_TEXTS or size >= BATCH_BYTES:
                    yield _texts(waiting)
                    waiting, size = [], 0
            if empty:
                raise no_document(name)
        except Unread as unread:
            if waiting:
                yield _texts(waiting)
                waiting, size = [], 0
            yield Batch(unread=unread)
    if waiting:
        yield _texts(waiting)


def _texts(waiting: list[Text]) -> Batch:
    """A batch of texts: of lines, if they are consecutive rows that can be written as lines."""
    size = sum(len(text.data) for text in waiting)
    first, name = waiting[0].line, waiting[0].name
    if first is not None and all(
        text.name == name and text.line == first + at and b"\n" not in text.data and text.data.strip(WHITE_SPACE)
        for at, text in enumerate(waiting)
    ):
        return Batch(name, b"\n".join(text.data for text in waiting), first, size=size)
    return Batch(texts=tuple(waiting), size=size)


def _line_batches(name: str) -> Iterator[Batch]:
    """The lines of a file. Raises Unread, and Damaged if it is a packed file that is cut off or damaged."""
    with reading(name), opened(name) as file:
        number, empty, before = 1, True, 0
        rest = b""
        for piece in _pieces(file):
            position = _position(file)
            end = piece.rfind(b"\n") + 1
            if not end:
                # One line may be longer than a text: it is kept as far as shows that.
                rest = (rest + piece)[: MAX_TEXT_BYTES + 1]
                continue
            data, rest = rest + piece[:end], piece[end:][: MAX_TEXT_BYTES + 1]
            for lines, count in _parts(data):
                if not _is_blank(lines):
                    empty = False
                    yield Batch(shown_name(name), lines, number, size=position - before)
                    before = position
                number += count
        if found := damage(file):
            raise Damaged(name, found, number)
        if not _is_blank(rest):
            empty = False
            yield Batch(shown_name(name), rest, number, size=max(_position(file) - before, 0))
        if empty:
            raise no_document(name)


def _parts(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Whole lines in parts of at most ``_MAX_LINES``, each with their number: a verdict is longer than a short line."""
    count = data.count(b"\n")
    if count <= _MAX_LINES:
        yield data, count
        return
    lines = data.split(b"\n")[:-1]
    for start in range(0, count, _MAX_LINES):
        part = lines[start : start + _MAX_LINES]
        yield b"\n".join(part) + b"\n", len(part)


def _is_blank(data: bytes) -> bool:
    """Whether nothing is to be checked: white space, unless it is more than a text may have."""
    return len(data) <= MAX_TEXT_BYTES and not data.strip(WHITE_SPACE)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    """What can be read at once: of a pipe what is there, so that a slow one is checked as it comes."""
    read = cast("Callable[[int], bytes]", getattr(file, "read1", None) or file.read)
    while piece := read(BATCH_BYTES):
        yield piece


def _position(file: IO[bytes]) -> int:
    """How much of a file was read, packed as it is; 0 if nobody can say."""
    packed = unpacked_from(file)
    try:
        return file.tell() if packed is None else packed.tell()
    except OSError:
        return 0
