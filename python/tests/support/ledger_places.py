"""Where a test keeps a ledger: a file, or a schema of its own in a PostgreSQL server."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import postgres_server
import pytest
import reward_receipts as rr
from field import Bench
from reward_receipts.bulk import Auditor
from reward_receipts.ledger import Ledger

BENCH = Bench()
AUDITOR = Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring)

WITH_POSTGRES = os.environ.get("REWARD_RECEIPTS_POSTGRES") == "1"
"""Whether the tests that every kind of ledger has to pass run with PostgreSQL too (tox -e postgres)."""


def receipt(n: int, **members: object) -> rr.RewardEvidenceReceiptV1:
    """A receipt that holds, with an id, a nonce and an episode of its own."""
    own = {"receipt_id": f"receipt.{n:08}", "nonce": f"nonce.{n:08}", "episode_id": f"episode.{n:08}"}
    return BENCH.receipt(**{**own, **members})


class Place(Protocol):
    """A place with one ledger at most."""

    name: str
    """What ``Ledger.open`` takes."""

    def change(self, statements: str) -> None:
        """Runs SQL behind the ledger's back."""


def opened(place: Place, auditor: Auditor | None = AUDITOR, **options: Any) -> Ledger:
    return Ledger.open(place.name, auditor, **options)


class File:
    """A ledger in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)

    def change(self, statements: str) -> None:
        database = sqlite3.connect(self.path)
        try:
            database.executescript(statements)
        finally:
            database.close()


class Schema:
    """A ledger in a schema of its own."""

    count = 0

    def __init__(self, url: str) -> None:
        import psycopg

        Schema.count += 1
        self.schema = f"test_{os.getpid()}_{Schema.count}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {self.schema}")
        self.name = f"{url}?options={quote(f'-c search_path={self.schema}')}"

    def change(self, statements: str) -> None:
        import psycopg

        with psycopg.connect(self.name, autocommit=True) as connection:
            connection.execute(statements)


@pytest.fixture(scope="session")
def server() -> Iterator[postgres_server.Server]:
    """A server that runs; skipped where none is installed."""
    if postgres_server.binaries() is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql), so nothing of it is tested")
    with postgres_server.server() as running:
        yield running


@pytest.fixture(params=["file", *(["postgres"] if WITH_POSTGRES else [])])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place for a new ledger, of each kind."""
    if request.param == "file":
        return File(tmp_path / "receipts.ledger")
    return Schema(request.getfixturevalue("server").url)
