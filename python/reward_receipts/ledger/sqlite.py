"""The rows of a ledger in one SQLite file.

The file is in WAL mode with ``synchronous=FULL``: a commit returns when its pages are on the disk. While the ledger is
open there are two more files beside it, ``-wal`` and ``-shm``.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, TypeVar
from urllib.parse import quote

from ..core.codes import sentence
from ..core.escaping import file_label
from ..core.findings import Finding
from .answers import LedgerError
from .chain import START, UNIQUE, Record, digest_bytes, key_values, link_text, record_of

VERSION: Final = 1
"""The version of the tables, as ``PRAGMA user_version`` has it. A ledger of a greater one is refused."""

_APPLICATION: Final = 0x5252_4C31
"""``RRL1``: what ``PRAGMA application_id`` has, by which ``file`` too knows a ledger."""

_TYPES: Final = {
    "row_number": "INTEGER",
    "link": "BLOB",
    "receipt": "BLOB",
    **dict.fromkeys(Record._fields[3:], "TEXT"),
    "reward_contract_digest": "BLOB",  # its 32 bytes, so that rows and index are a third smaller
    "policy_update": "INTEGER",
}
_COLUMNS: Final = ", ".join(_TYPES)
# SQLite keeps a value of any type in any column; somebody who edits a row can put one there.
_CAST: Final = ", ".join(f"CAST({name} AS {kind})" for name, kind in _TYPES.items())
_SELECT: Final = f"SELECT {_CAST} FROM reward_receipts"  # noqa: S608
_INSERT: Final = (
    f"INSERT INTO reward_receipts ({_COLUMNS}) VALUES ({', '.join('?' * len(_TYPES))}) "  # noqa: S608
    "ON CONFLICT DO NOTHING"
)
_MEMBERS: Final = ", ".join(f"{name} {kind} NOT NULL" for name, kind in list(_TYPES.items())[1:])
_TABLES: Final = {
    "reward_receipts": f"CREATE TABLE reward_receipts (row_number INTEGER PRIMARY KEY, {_MEMBERS})",
    **{
        (index := f"reward_receipts_{name}"): f"CREATE UNIQUE INDEX {index} ON reward_receipts ({', '.join(members)})"
        for name, members in UNIQUE.items()
    },
}
"""What ``sqlite_master`` has of a ledger, by name."""

_UPDATES: Final = (
    "CREATE INDEX IF NOT EXISTS reward_receipts_policy_update "
    "ON reward_receipts (reward_contract_digest, policy_update)"
)
_SETTINGS: Final = (
    "synchronous = FULL",  # a commit returns when its pages are on the disk
    "fullfsync = ON",
    "checkpoint_fullfsync = ON",
    "cache_size = -131072",  # KiB
    "wal_autocheckpoint = 16384",  # pages, so 64 MiB: a page of an index changes many times before it is copied once
)
_ONE_OF_KEYS: Final = " OR ".join(
    f"({' AND '.join(f'{member} = ?' for member in members)})" for members in UNIQUE.values()
)

Result = TypeVar("Result")


class SqliteStore:
    """A file. ``timeout`` is how many seconds a writer waits for another one."""

    piece: ClassVar[int] = 64

    def __init__(self, path: str, *, read_only: bool, timeout: float) -> None:
        self.label = file_label(path)
        # An absolute path: nothing is a name that SQLite gives a meaning, such as ":memory:".
        self._path = os.path.abspath(path)
        self._database: sqlite3.Connection | None = None
        if os.path.exists(self._path) and not os.path.isfile(self._path):
            raise LedgerError(f"{self.label} is not a plain file; a ledger is one")
        with self._errors():
            self._database = self._reader() if read_only else self._writer(timeout)
        try:
            with self._errors():
                self._file = _identity(self._path)  # SQLite has made the file by now
                self._prepare(read_only, timeout)
        except BaseException:
            self.close()
            raise

    def _writer(self, timeout: float) -> sqlite3.Connection:
        return _readable(sqlite3.connect(self._path, timeout=timeout, isolation_level=None, check_same_thread=False))

    def _reader(self) -> sqlite3.Connection:
        if not os.path.exists(self._path):
            raise LedgerError(f"{self.label}: there is no such file")
        uri = f"file:{quote(self._path)}?mode=ro"
        for suffix in ("", "&immutable=1"):
            database = sqlite3.connect(uri + suffix, uri=True, isolation_level=None, check_same_thread=False)
            try:
                database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.Error as error:
                database.close()
                # WAL mode needs a -shm file. A reader who may not make one reads the file alone, if nobody writes it.
                if suffix or _kind(error) not in ("SQLITE_CANTOPEN", "SQLITE_READONLY") or self._has_wal():
                    raise
            else:
                return _readable(database)
        raise AssertionError

    def _has_wal(self) -> bool:
        try:
            return os.stat(f"{self._path}-wal").st_size > 0
        except OSError:
            return False

    def _prepare(self, read_only: bool, timeout: float) -> None:
        is_new = self._is_new()
        if is_new and read_only:
            raise LedgerError(f"{self.label} is empty; it is not a ledger")
        if not is_new:
            self._require_ledger()
        if read_only:
            return
        # Another process that opens the same new file keeps this one from changing the mode, and SQLite does not wait.
        _waiting(timeout, lambda: self._execute("PRAGMA journal_mode = WAL").fetchone())
        for setting in _SETTINGS:
            self._execute(f"PRAGMA {setting}")
        if is_new:
            with self.writing():
                if self._is_new():  # nobody was quicker
                    for statement in _TABLES.values():
                        self._execute(statement)
                    self._execute(f"PRAGMA application_id = {_APPLICATION}")
                    self._execute(f"PRAGMA user_version = {VERSION}")
            self._require_ledger()

    def _is_new(self) -> bool:
        return (self._pragma("application_id"), self._pragma("user_version"), self._schema()) == (0, 0, {})

    def _require_ledger(self) -> None:
        version = self._pragma("user_version")
        if self._pragma("application_id") != _APPLICATION:
            raise LedgerError(f"{self.label} is a database, but it is not a ledger")
        if version != VERSION:
            raise LedgerError(
                f"{self.label} is a ledger of version {version}; this package reads version {VERSION}: "
                "use the package that wrote it"
            )
        schema = self._schema()
        changed = [name for name, statement in _TABLES.items() if schema.get(name) != statement]
        if changed:
            raise LedgerError(f"{self.label} was altered: its {', '.join(changed)} is not as a ledger's")
        triggers = self._execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'").fetchone()[0]
        if triggers:
            raise LedgerError(f"{self.label} was altered: it has {triggers} triggers, and a ledger has none")

    def _schema(self) -> dict[str, str]:
        return dict(self._execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall())

    def _pragma(self, name: str) -> Any:
        return self._execute(f"PRAGMA {name}").fetchone()[0]

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        if self._database is None:
            raise LedgerError(f"{self.label} was closed")
        return self._database.execute(statement, values)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LedgerError(f"{self.label}: {_ADVICE.get(_kind(error), str(error))}") from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See Store."""
        with self._errors():
            self._execute("BEGIN IMMEDIATE")
            try:
                self._require_file()
                yield
                self._execute("COMMIT")
            except BaseException:
                if self._database is not None and self._database.in_transaction:
                    self._database.rollback()
                raise

    def _require_file(self) -> None:
        """Raises LedgerError if the open file is not the one under its name: what it recorded would be lost."""
        if _identity(self._path) != self._file:
            raise LedgerError(
                f"{self.label} was removed, or replaced by another file, while it was open; open it again"
            )

    def last(self) -> tuple[int, bytes]:
        """See Store."""
        with self._errors():
            found = self._execute(
                "SELECT row_number, link FROM reward_receipts ORDER BY row_number DESC LIMIT 1"
            ).fetchone()
        return found or (0, START)

    def insert(self, records: Sequence[Record]) -> bool:
        """See Store."""
        assert self._database is not None
        rows = [(*record[:6], digest_bytes(record[6]), *record[7:]) for record in records]
        with self._errors():
            if len(rows) == 1:
                return self._execute(_INSERT, rows[0]).rowcount == 1
            if self._database.executemany(_INSERT, rows).rowcount == len(rows):
                return True
            # A savepoint would copy every page that is changed after it, and nearly always for nothing.
            self._execute("DELETE FROM reward_receipts WHERE row_number >= ?", [rows[0][0]])
        return False

    def taken(self, records: Sequence[Record]) -> set[int]:
        """See Store."""
        statement = f"SELECT EXISTS (SELECT 1 FROM reward_receipts WHERE {_ONE_OF_KEYS})"  # noqa: S608
        with self._errors():
            return {at for at, each in enumerate(records) if self._execute(statement, key_values(each)).fetchone()[0]}

    def conflicting(self, record: Record) -> list[Record]:
        """See Store."""
        with self._errors():
            found = self._execute(f"{_SELECT} WHERE {_ONE_OF_KEYS} ORDER BY row_number", key_values(record))
            return list(map(record_of, found))

    def index_updates(self) -> None:
        """See Store."""
        with self._errors():
            if "reward_receipts_policy_update" in self._schema():
                return
        with self.writing():
            self._execute(_UPDATES)

    def newest(self, reward_contract_digest: str) -> int | None:
        """See Store."""
        statement = "SELECT CAST(max(policy_update) AS INTEGER) FROM reward_receipts WHERE reward_contract_digest = ?"
        with self._errors():
            found: int | None = self._execute(statement, [digest_bytes(reward_contract_digest)]).fetchone()[0]
        return found

    def get(self, receipt_id: str) -> Record | None:
        """See Store."""
        with self._errors():
            found = self._execute(f"{_SELECT} WHERE receipt_id = ?", [receipt_id]).fetchone()
        return None if found is None else record_of(found)

    def after(self, row: int, count: int) -> list[Record]:
        """See Store."""
        with self._errors():
            found = self._execute(f"{_SELECT} WHERE row_number > ? ORDER BY row_number LIMIT ?", [row, count])
            return list(map(record_of, found))

    def per_contract(self) -> list[tuple[str, int, int, int]]:
        """See Store."""
        statement = (
            "SELECT CAST(reward_contract_digest AS BLOB), count(*), CAST(min(policy_update) AS INTEGER), "
            "CAST(max(policy_update) AS INTEGER) FROM reward_receipts "
            "GROUP BY reward_contract_digest ORDER BY reward_contract_digest"
        )
        with self._errors():
            return [(link_text(digest), *counts) for digest, *counts in self._execute(statement)]

    def per_issuer(self) -> list[tuple[str, int]]:
        """See Store."""
        statement = (
            "SELECT CAST(issuer_key_id AS TEXT), count(*) FROM reward_receipts "
            "GROUP BY issuer_key_id ORDER BY issuer_key_id"
        )
        with self._errors():
            return self._execute(statement).fetchall()

    def size(self) -> int:
        """See Store."""
        with self._errors():
            size: int = self._pragma("page_count") * self._pragma("page_size")
        return size

    def damage(self) -> list[Finding]:
        """See Store. SQLite's own check covers pages, indexes and UNIQUE."""
        code = "admission.file-damaged"
        with self._errors():
            try:
                found = [text for (text,) in self._execute("PRAGMA integrity_check(20)")]
            except sqlite3.DatabaseError as error:
                if _kind(error) not in ("SQLITE_CORRUPT", "SQLITE_NOTADB"):
                    raise
                found = [str(error)]
        return [Finding(code, sentence(code, found=text)) for text in found if text != "ok"]

    def close(self) -> None:
        """See Store."""
        database, self._database = self._database, None
        if database is not None:
            database.close()


_ADVICE: Final = {
    "SQLITE_BUSY": "another process has been writing for longer than the timeout; nothing was recorded",
    "SQLITE_READONLY": "the file, or its folder, cannot be written; nothing was recorded",
    "SQLITE_FULL": "the disk is full; nothing of the call was acknowledged",
    "SQLITE_IOERR": (
        "the file cannot be read or written (the disk may be full, or broken); nothing of the call was acknowledged"
    ),
    "SQLITE_CANTOPEN": "the file cannot be opened; its folder must exist, and be writable by whoever admits",
    "SQLITE_NOTADB": "the file is not a database, so it is not a ledger",
    "SQLITE_CORRUPT": "the file is damaged; restore it from a copy, or export the rows that can be read",
}


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _readable(database: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, which gives text that is not UTF-8 too: somebody can have put it there."""
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    return database


def _kind(error: sqlite3.Error) -> str:
    """The name of an error of SQLite without its details: SQLITE_IOERR_WRITE is SQLITE_IOERR."""
    name = getattr(error, "sqlite_errorname", "")
    return "_".join(name.split("_")[:2])


def _waiting(timeout: float, act: Callable[[], Result]) -> Result:
    """What ``act`` returns, tried again while another process has the file; the pauses add up to ``timeout``."""
    waited, pause = 0.0, 0.001
    while True:
        try:
            return act()
        except sqlite3.OperationalError as error:
            if _kind(error) != "SQLITE_BUSY" or waited >= timeout:
                raise
        time.sleep(pause)
        waited += pause
        pause = min(pause * 2, 0.1)
