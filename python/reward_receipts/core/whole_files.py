"""Files that appear whole or not at all, whenever the process that writes them ends."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_new_file(path: str | os.PathLike[str], data: bytes, *, private: bool = False) -> None:
    """Writes ``data`` to a file that does not exist yet.

    The bytes go to a file beside it, which then gets the name, so that no reader ever sees a part of them: not after
    SIGKILL, and not on a full disk. A process that is killed can leave that other file (``.<random>.tmp``) behind.

    The mode is 0666 less the umask; for a ``private`` file it is 0600 whatever the umask is. Raises FileExistsError
    if the file exists, OSError if it cannot be written.

        write_new_file("keyring.json", b"{}")
    """
    target = Path(path)
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    with _written_beside(target, data, private) as beside:
        try:
            os.link(beside, target)  # unlike a rename, it fails if somebody else made the file in the meantime
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            os.rename(beside, target)


def replace_file(path: str | os.PathLike[str], data: bytes | BinaryIO) -> None:
    """Writes ``data`` to a file, in place of what it held. A reader sees the old bytes or the new ones.

    ``data`` can be a binary file, whose rest is copied.
    A link is followed, and the file's mode is kept. What is not a plain file (``/dev/stdout``, a pipe) is written to
    as it is. Raises OSError if it cannot be written.

        replace_file("report.json", b"[]")
    """
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            _copy(data, file)
        return
    with _written_beside(target, data, private=False) as beside:
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, target)


@contextmanager
def _written_beside(target: Path, data: bytes | BinaryIO, private: bool) -> Iterator[Path]:
    """A file with the data in the target's folder. It is gone afterwards, unless it was renamed."""
    beside = target.parent / f".{secrets.token_hex(8)}.tmp"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    try:
        with open(descriptor, "wb") as file:
            if private and os.name == "posix":
                os.fchmod(descriptor, 0o600)  # a umask of 0777 would keep its owner out
            _copy(data, file)
            file.flush()
            os.fsync(descriptor)
        yield beside
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def _copy(data: bytes | BinaryIO, file: BinaryIO) -> None:
    if isinstance(data, bytes):
        file.write(data)
    else:
        shutil.copyfileobj(data, file)
