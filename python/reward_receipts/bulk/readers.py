"""What is in a file: plain bytes, gzip or zstd, which are unpacked as they are read, or the text column of Parquet.

The first bytes decide, not the suffix, so standard input and files with another name are read too. What is unpacked is
passed on in pieces of a bounded size, however much a few bytes unpack to.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from typing import IO, Any, Final, Protocol, cast

PACKED_SUFFIXES: Final = (".gz", ".zst")
"""The suffixes of packed files; before them is the suffix of what was packed."""
TEXT_COLUMN: Final = "receipt"
"""The column of Parquet that has the texts, if a file has several columns of text."""

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_PARQUET: Final = b"PAR1"
_PIECE: Final = 64 * 1024
"""How many bytes of a packed file are read at once."""
_ZSTD_PIECE: Final = 256
"""As _PIECE, for zstd: 4 bytes can unpack to 128 KiB, and a piece is unpacked whole, so to 8 MiB at most."""
_UNPACKED: Final = 1024 * 1024
"""How many bytes of gzip are unpacked at once, at most."""


class StdinClosed(Exception):
    """Standard input is closed."""


class MissingExtra(Exception):
    """A file of a format whose package is not installed. The message names the extra of this package that has it."""


class NoTextColumn(Exception):
    """A Parquet file in which no column is the one with the texts. The message names those that it has."""


class DamagedFile(Exception):
    """A packed file or a Parquet file that ends too early or is damaged. The message says where it goes wrong."""


@contextlib.contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """A file, or standard input (``-``), unpacked.

    Raises OSError, StdinClosed, and MissingExtra for zstd without the package zstandard. If a packed file is damaged,
    reading gives what comes before and then ends; ``damage`` tells it from a good end.
    """
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_buffered(name))
        start = file.peek(4)[:4]
        if start == _PARQUET:
            raise OSError("Parquet is read from files that are named, by commands that read receipts")
        unpacker = _Gzip() if start.startswith(_GZIP) else _Zstd() if start == _ZSTD else None
        yield file if unpacker is None else io.BufferedReader(_Unpacked(file, unpacker), _UNPACKED)


@contextlib.contextmanager
def _buffered(name: str) -> Iterator[Any]:
    if name != "-":
        with open(name, "rb") as file:
            yield file
    elif sys.stdin is None:
        raise StdinClosed
    elif isinstance(sys.stdin.buffer, io.BufferedReader):
        yield sys.stdin.buffer
    else:  # what stands in for standard input need not have ``peek``
        wrapped = io.BufferedReader(cast(io.RawIOBase, sys.stdin.buffer))
        try:
            yield wrapped
        finally:
            wrapped.detach()


def damage(file: IO[bytes]) -> str:
    """What is wrong with a file of ``opened`` that was read to its end; "" if nothing is."""
    raw = getattr(file, "raw", None)
    return raw.damage if isinstance(raw, _Unpacked) else ""


def unpacked_from(file: IO[bytes]) -> io.BufferedReader | None:
    """The packed file that a file of ``opened`` is unpacked from; None if it is not packed."""
    raw = getattr(file, "raw", None)
    return raw.packed if isinstance(raw, _Unpacked) else None


def is_parquet(name: str) -> bool:
    """Whether a file that is named is Parquet. Raises OSError."""
    if name == "-":
        return False
    with open(name, "rb") as file:
        return file.read(4) == _PARQUET


def without_packing(name: str) -> str:
    """A name without the suffix of packed files."""
    stem, suffix = os.path.splitext(name)
    return stem if suffix.lower() in PACKED_SUFFIXES else name


def parquet_texts(name: str, column: str | None, most: int) -> Iterator[bytes]:
    """The texts in the column of a Parquet file, in the order of its rows; b"" for a null.

    The column is ``column``, else the only one of strings or bytes, else ``receipt``. A text is cut after ``most``
    bytes. Raises OSError, MissingExtra without pyarrow, NoTextColumn, and DamagedFile.
    """
    try:
        import pyarrow as arrow  # type: ignore[import-untyped, unused-ignore]
        import pyarrow.parquet as parquet  # type: ignore[import-untyped, unused-ignore]
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise MissingExtra("Parquet needs pyarrow: pip install 'reward-receipts[bulk]'") from None
    with open(name, "rb") as raw:
        row = 0
        try:
            with parquet.ParquetFile(raw, buffer_size=_UNPACKED, pre_buffer=False) as file:
                chosen = _text_column(file.schema_arrow, column)
                for batch in file.iter_batches(batch_size=64, columns=[chosen]):
                    for text in batch.column(0).cast(arrow.large_binary()):
                        row += 1
                        found = text.as_buffer() if text.is_valid else None
                        yield b"" if found is None else found[:most].to_pybytes()
        except arrow.ArrowException as error:
            after = f"after row {row}" if row else "before its first row"
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DamagedFile(f"the Parquet file is damaged {after}: {reason[:200]}") from None
        except OSError as error:  # pyarrow's own, for pages that do not unpack
            if error.errno is not None:
                raise
            after = f"after row {row}" if row else "before its first row"
            raise DamagedFile(f"the Parquet file is damaged {after}: {str(error)[:200]}") from None


def _text_column(schema: Any, column: str | None) -> str:
    import pyarrow as arrow

    kinds = (arrow.string(), arrow.large_string(), arrow.binary(), arrow.large_binary())
    texts = [
        field.name
        for field in schema
        if (field.type.value_type if arrow.types.is_dictionary(field.type) else field.type) in kinds
    ]
    wanted = column or (texts[0] if len(texts) == 1 else TEXT_COLUMN)
    if wanted in texts:
        return wanted
    have = ", ".join(texts) or "none"
    if column is None and len(texts) > 1:
        raise NoTextColumn(f"several columns have text ({have}); name the one with the receipts (--column)")
    raise NoTextColumn(f"no column of text is called {wanted!r}; columns with text: {have}")


class _Unpacker(Protocol):
    """One format."""

    name: str
    piece: int
    """How many bytes to unpack at once."""
    between: bool
    """Whether no stream is open, so that the file may end here."""

    def unpack(self, data: bytes) -> tuple[bytes, bytes]:
        """What some bytes unpack to, and those that are left. Raises ValueError."""


class _Gzip:
    """gzip of one member or several."""

    name = "gzip"
    piece = _PIECE

    def __init__(self) -> None:
        self.between = True
        self._member: Any = None
        self._first = True

    def unpack(self, data: bytes) -> tuple[bytes, bytes]:
        if self.between:
            if not self._first:
                data = data.lstrip(b"\0")  # padding of tapes, which gzip(1) skips too
                if not data:
                    return b"", b""
            self._member = zlib.decompressobj(wbits=31)
            self.between = self._first = False
        try:
            made = self._member.decompress(data, _UNPACKED)
        except zlib.error as error:
            raise ValueError(str(error).split(": ", 1)[-1]) from None
        if self._member.eof:
            self.between = True
            return made, self._member.unused_data
        return made, self._member.unconsumed_tail


class _Zstd:
    """zstd of one frame or several."""

    name = "zstd"
    piece = _ZSTD_PIECE

    def __init__(self) -> None:
        try:
            import zstandard  # type: ignore[import-not-found, unused-ignore]
        except ModuleNotFoundError as error:
            if error.name != "zstandard":
                raise
            raise MissingExtra("zstd needs zstandard: pip install 'reward-receipts[bulk]'") from None
        self.between = True
        self._error = zstandard.ZstdError
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=2**27)
        self._frame: Any = None

    def unpack(self, data: bytes) -> tuple[bytes, bytes]:
        if self.between:
            self._frame = self._decompressor.decompressobj()
            self.between = False
        try:
            made = self._frame.decompress(data)
        except self._error as error:
            raise ValueError(str(error)) from None
        if self._frame.eof:
            self.between = True
            return made, self._frame.unused_data
        return made, b""


class _Unpacked(io.RawIOBase):
    """A packed file as a stream of what was packed. It ends where the file is damaged, and reports it in ``damage``."""

    def __init__(self, file: io.BufferedReader, unpacker: _Unpacker) -> None:
        super().__init__()
        self.packed = file
        self._unpacker = unpacker
        self._packed = b""
        self._ready = memoryview(b"")
        self.damage = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._ready and not self.damage:
            if not self._packed:
                self._packed = self.packed.read(self._unpacker.piece)
                if not self._packed:
                    if not self._unpacker.between:
                        self.damage = f"the {self._unpacker.name} stream is cut off: its end is missing"
                    return 0
            try:
                made, self._packed = self._unpacker.unpack(self._packed)
            except ValueError as error:
                self.damage = f"the {self._unpacker.name} stream is damaged: {error}"
                return 0
            self._ready = memoryview(made)
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count
