"""The rows of a ledger in PostgreSQL: two tables, in the first schema of the connection's search path.

A writer holds an advisory lock until its transaction ends, so that rows are numbered and chained in one order. It needs
a connection of its own: a pooler that shares one among transactions loses the settings of the session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ..core.codes import sentence
from ..core.escaping import printable
from ..core.findings import Finding, shown
from ..core.redaction import redacted_words
from .answers import LedgerError
from .chain import START, UNIQUE, Record, digest_bytes, key_values, link_text, record_of

if TYPE_CHECKING:
    import psycopg

PREFIXES: Final = ("postgresql://", "postgres://")
"""What the URL of a ledger in PostgreSQL begins with."""

VERSION: Final = 1
"""The version of the tables. A ledger of a greater one is refused."""

_EXTRA: Final = "a ledger in PostgreSQL needs psycopg: pip install 'reward-receipts[postgres]'"
_TYPES: Final = {
    "row_number": "bigint",
    "link": "bytea",
    "receipt": "bytea",
    **dict.fromkeys(Record._fields[3:], "text"),
    "reward_contract_digest": "bytea",
    "policy_update": "bigint",
}
_COLUMNS: Final = ", ".join(_TYPES)
_SELECT: Final = f"SELECT {_COLUMNS} FROM reward_receipts"  # noqa: S608
_INSERT: Final = (
    f"INSERT INTO reward_receipts ({_COLUMNS}) "  # noqa: S608
    f"SELECT * FROM unnest({', '.join(f'%b::{kind}[]' for kind in _TYPES.values())}) ON CONFLICT DO NOTHING"
)
_INDEXES: Final = {f"reward_receipts_{name}": members for name, members in UNIQUE.items()}
_PLACE: Final = re.compile(r"(?:[^:@/]|\[[0-9A-Fa-f:.]+\])*(?::[0-9]{1,5})?(?:/[^:@/]*)?")
"""HOST:PORT/DATABASE. Where the host is missing, what follows the colon is a password."""
_COLLATION: Final = 'COLLATE "C"'
_TABLES: Final = (
    "CREATE TABLE reward_receipts_ledger (version integer NOT NULL)",
    f"INSERT INTO reward_receipts_ledger VALUES ({VERSION})",  # noqa: S608
    # The members are ASCII, and are compared by their bytes, whatever the database's locale is.
    "CREATE TABLE reward_receipts ("
    + ", ".join(f"{name} {kind} {_COLLATION if kind == 'text' else ''} NOT NULL" for name, kind in _TYPES.items())
    + ", CONSTRAINT reward_receipts_row_number PRIMARY KEY (row_number))",
    *(f"CREATE UNIQUE INDEX {name} ON reward_receipts ({', '.join(members)})" for name, members in _INDEXES.items()),
)
_UPDATES: Final = (
    "CREATE INDEX IF NOT EXISTS reward_receipts_policy_update "
    "ON reward_receipts (reward_contract_digest, policy_update)"
)
_ENCODING: Final = {"client_encoding": "utf8"}
"""Without it, a database in SQL_ASCII gives bytes in place of text."""
_ONE_OF_KEYS: Final = " OR ".join(
    f"({' AND '.join(f'{member} = %s' for member in members)})" for members in UNIQUE.values()
)
_SAME: Final = [" AND ".join(f"own.{member} = given.{member}" for member in members) for members in UNIQUE.values()]
_TAKEN: Final = (
    "SELECT place - 1 FROM unnest(%b::text[], %b::text[], %b::text[], %b::bytea[], %b::text[]) "  # noqa: S608
    "WITH ORDINALITY AS given (receipt_id, issuer_key_id, nonce, reward_contract_digest, episode_id, place) WHERE "
    + " OR ".join(f"EXISTS (SELECT FROM reward_receipts AS own WHERE {same})" for same in _SAME)
)
_LOCK: Final = (
    "SELECT pg_advisory_xact_lock(hashtextextended('reward_receipts', 'reward_receipts'::regclass::oid::bigint))"
)
_LOCK_OF_NEW: Final = "SELECT pg_advisory_xact_lock(hashtextextended('reward_receipts_ledger', 0))"
_ALTERATIONS: Final = """
SELECT 'the index ' || name || ' is missing' FROM unnest(%s::text[]) AS name
WHERE NOT EXISTS (
    SELECT FROM pg_index WHERE indrelid = 'reward_receipts'::regclass AND indexrelid = to_regclass(name)
    AND indisunique AND indisvalid AND indpred IS NULL
)
UNION ALL SELECT 'it has the trigger ' || tgname FROM pg_trigger
WHERE tgrelid = 'reward_receipts'::regclass AND NOT tgisinternal
UNION ALL SELECT 'it has the rule ' || rulename FROM pg_rewrite WHERE ev_class = 'reward_receipts'::regclass
UNION ALL SELECT 'its table does not survive a crash' FROM pg_class
WHERE oid = 'reward_receipts'::regclass AND relpersistence <> 'p'
"""
"""What was altered since the tables were made, so that receipts could be admitted twice or be lost."""


class PostgresStore:
    """A database. ``timeout`` is how many seconds a writer waits for another one, and for the server."""

    piece: ClassVar[int] = 1000  # each is a round trip

    def __init__(self, url: str, *, read_only: bool, timeout: float) -> None:
        try:
            import psycopg
        except ImportError as error:  # psycopg without libpq raises it too
            raise LedgerError(_EXTRA) from error
        self._psycopg = psycopg
        self.label = label_of(url)
        self._read_only, self._timeout = read_only, timeout
        self._connection: psycopg.Connection[Any] | None = None
        self._is_closed = self._is_writing = False
        try:
            given = psycopg.conninfo.conninfo_to_dict(url)
            port, host = str(given.get("port", "0")), str(given.get("host", ""))
            if not port.replace(",", "").isdigit() or "@" in host[1:]:
                raise ValueError
            self._conninfo = psycopg.conninfo.make_conninfo(**{**self._defaults(), **given, **_ENCODING})
        except (psycopg.Error, ValueError):  # its message quotes the URL, and so a password
            raise LedgerError(
                f"{self.label}: the URL cannot be read; expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with "
                "percent-encoding of @ : / ? # in the password"
            ) from None
        try:
            self._connected()
        except BaseException:
            self.close()
            raise

    def _defaults(self) -> dict[str, Any]:
        seconds = max(2, round(self._timeout))
        return {
            "application_name": "reward-receipts ledger",
            "connect_timeout": seconds,
            # A server that goes away without a word is noticed.
            "keepalives_idle": seconds,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": seconds * 1000,
        }

    def _connected(self) -> psycopg.Connection[Any]:
        """The connection; a new one if the server ended it."""
        if self._is_closed:
            raise LedgerError(f"{self.label} was closed")
        if self._connection is None or self._connection.closed:
            with self._errors():
                self._connection = self._psycopg.connect(self._conninfo, autocommit=True)
                self._prepare(self._connection)
        return self._connection

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        try:
            # With another level, a writer would see the rows as they were before it waited for the lock.
            connection.isolation_level = self._psycopg.IsolationLevel.READ_COMMITTED
            if self._read_only:
                connection.execute("SET default_transaction_read_only = on")
            connection.execute(
                "SELECT set_config('lock_timeout', %s, false)", [str(max(1, round(self._timeout * 1000)))]
            )
            if not self._read_only:
                self._make_durable(connection)
                with connection.transaction():
                    connection.execute(_LOCK_OF_NEW)
                    if not self._has_tables(connection):
                        for statement in _TABLES:
                            connection.execute(statement)
            self._require_ledger(connection)
        except BaseException:
            connection.close()
            raise

    def _make_durable(self, connection: psycopg.Connection[Any]) -> None:
        if self._setting(connection, "fsync") != "on":
            raise LedgerError(
                f"{self.label}: the server runs with fsync = off, so that a crash could lose receipts that were "
                "acknowledged; turn it on"
            )
        if self._setting(connection, "synchronous_commit") == "off":
            connection.execute("SET synchronous_commit = on")

    def _require_ledger(self, connection: psycopg.Connection[Any]) -> None:
        if not self._has_tables(connection):
            raise LedgerError(f"{self.label} has no ledger in the first schema of its search path")
        found = connection.execute("SELECT version FROM reward_receipts_ledger").fetchall()
        if found != [(VERSION,)]:
            versions = ", ".join(str(version) for (version,) in found) or "none"
            raise LedgerError(
                f"{self.label} is a ledger of version {versions}; this package reads version {VERSION}: "
                "use the package that wrote it"
            )
        altered = [text for (text,) in connection.execute(_ALTERATIONS, [list(_INDEXES)])]
        if altered:
            raise LedgerError(f"{self.label} was altered: {', '.join(altered)}")

    def _has_tables(self, connection: psycopg.Connection[Any]) -> bool:
        (found,) = self._one(connection, "SELECT to_regclass('reward_receipts_ledger') IS NOT NULL")
        return bool(found)

    def _setting(self, connection: psycopg.Connection[Any], name: str) -> str:
        (value,) = self._one(connection, f"SHOW {name}")
        return str(value)

    def _one(self, connection: psycopg.Connection[Any], statement: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
        found = connection.execute(statement, values).fetchone()
        assert found is not None
        return tuple(found)

    def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._errors():
            try:
                return self._fetched(statement, values)
            except self._psycopg.OperationalError:
                if self._is_writing or (self._connection is not None and not self._connection.closed):
                    raise
            return self._fetched(statement, values)  # the connection had ended; reading twice does no harm

    def _fetched(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._connected().execute(statement, values, binary=True).fetchall()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.errors.LockNotAvailable as error:
            raise LedgerError(
                f"{self.label}: another process has been writing for longer than the timeout; nothing was recorded"
            ) from error
        except self._psycopg.Error as error:
            said = (error.diag.message_primary or str(error) or type(error).__name__).strip().splitlines()[0]
            raise LedgerError(f"{self.label}: {printable(redacted_words(said))}") from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See Store."""
        with self._errors():
            connection = self._begun()
            self._is_writing = True
            try:
                yield
                connection.commit()
            except BaseException:
                if not connection.closed:
                    connection.rollback()
                raise
            finally:
                self._is_writing = False

    def _begun(self) -> psycopg.Connection[Any]:
        """The connection, in a transaction that holds the lock.

        If the server ended the connection while nothing happened on it, another one is made: nothing was asked yet.
        """
        for is_last in (False, True):
            connection = self._connected()
            try:
                connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                connection.execute(_LOCK)
                break
            except self._psycopg.Error:
                if not connection.closed:
                    connection.rollback()
                    raise
                if is_last:
                    raise
        return connection

    def last(self) -> tuple[int, bytes]:
        """See Store."""
        found = self._rows("SELECT row_number, link FROM reward_receipts ORDER BY row_number DESC LIMIT 1")
        return (found[0][0], found[0][1]) if found else (0, START)

    def insert(self, records: Sequence[Record]) -> bool:
        """See Store."""
        connection = self._connected()
        columns = [list(column) for column in zip(*records, strict=True)]
        columns[6] = list(map(digest_bytes, columns[6]))
        with self._errors():
            if len(records) == 1:
                return connection.execute(_INSERT, columns).rowcount == 1
            with connection.transaction():
                if connection.execute(_INSERT, columns).rowcount == len(records):
                    return True
                raise self._psycopg.Rollback
        return False

    def taken(self, records: Sequence[Record]) -> set[int]:
        """See Store."""
        values = [key_values(record) for record in records]
        return {place for (place,) in self._rows(_TAKEN, [list(column) for column in zip(*values, strict=True)])}

    def conflicting(self, record: Record) -> list[Record]:
        """See Store."""
        found = self._rows(f"{_SELECT} WHERE {_ONE_OF_KEYS} ORDER BY row_number", key_values(record))
        return list(map(record_of, found))

    def index_updates(self) -> None:
        """See Store."""
        if not self._rows("SELECT to_regclass('reward_receipts_policy_update') IS NOT NULL")[0][0]:
            with self.writing():
                self._connected().execute(_UPDATES)

    def newest(self, reward_contract_digest: str) -> int | None:
        """See Store."""
        statement = "SELECT max(policy_update) FROM reward_receipts WHERE reward_contract_digest = %s"
        found: int | None = self._rows(statement, [digest_bytes(reward_contract_digest)])[0][0]
        return found

    def get(self, receipt_id: str) -> Record | None:
        """See Store."""
        found = self._rows(f"{_SELECT} WHERE receipt_id = %s", [receipt_id])
        return record_of(found[0]) if found else None

    def after(self, row: int, count: int) -> list[Record]:
        """See Store."""
        statement = f"{_SELECT} WHERE row_number > %s ORDER BY row_number LIMIT %s"
        return list(map(record_of, self._rows(statement, [row, count])))

    def per_contract(self) -> list[tuple[str, int, int, int]]:
        """See Store."""
        statement = (
            "SELECT reward_contract_digest, count(*), min(policy_update), max(policy_update) FROM reward_receipts "
            "GROUP BY reward_contract_digest ORDER BY reward_contract_digest"
        )
        return [(link_text(each[0]), each[1], each[2], each[3]) for each in self._rows(statement)]

    def per_issuer(self) -> list[tuple[str, int]]:
        """See Store."""
        statement = "SELECT issuer_key_id, count(*) FROM reward_receipts GROUP BY issuer_key_id ORDER BY issuer_key_id"
        return [(each[0], each[1]) for each in self._rows(statement)]

    def size(self) -> int:
        """See Store."""
        return int(self._rows("SELECT pg_total_relation_size('reward_receipts')")[0][0])

    def damage(self) -> list[Finding]:
        """See Store. Rows with a key in common, which a unique index that is damaged can let in."""
        code = "admission.file-damaged"
        found = []
        for name, members in UNIQUE.items():
            own = ", ".join(members)
            statement = f"SELECT {own}, count(*) FROM reward_receipts GROUP BY {own} HAVING count(*) > 1 LIMIT 20"  # noqa: S608
            for *values, count in self._rows(statement):
                said = f"{count} rows have the {name} {shown(values[-1])}"
                found.append(Finding(code, sentence(code, found=said)))
        return found

    def close(self) -> None:
        """See Store."""
        self._is_closed = True
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def label_of(url: str) -> str:
    """A URL as messages show it: host, port and database. Nothing that could be a part of a password is shown."""
    rest, _, query = url.partition("://")[2].partition("?")
    place = rest.rpartition("@")[2]
    if "@" in query or _PLACE.fullmatch(place) is None:
        return "postgresql://..."
    return printable(f"postgresql://{place}")
