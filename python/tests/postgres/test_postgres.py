"""A ledger in PostgreSQL: what is refused as one, concurrency, and a server that goes away.

tox -e postgres runs these, and the tests of ``python/tests/ledger`` with PostgreSQL too.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest
from command_line import Shell, json_lines
from ledger_places import AUDITOR, BENCH, Schema, opened, receipt
from postgres_server import Server
from reward_receipts.ledger import Admission, Ledger, LedgerError


@pytest.fixture
def schema(server: Server) -> Schema:
    return Schema(server.url)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE reward_receipts_ledger SET version = 9", "version 9; this package reads version 1"),
        ("DELETE FROM reward_receipts_ledger", "version none"),
        ("DROP INDEX reward_receipts_nonce", "the index reward_receipts_nonce is missing"),
        ("CREATE RULE r AS ON INSERT TO reward_receipts DO INSTEAD NOTHING", "the rule r"),
        ("ALTER TABLE reward_receipts SET UNLOGGED", "does not survive a crash"),
        (
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; "
            "CREATE TRIGGER t BEFORE INSERT ON reward_receipts FOR EACH ROW EXECUTE FUNCTION f()",
            "the trigger t",
        ),
    ],
)
def test_tables_that_are_not_a_ledger_of_this_version_are_refused(schema: Schema, change: str, said: str) -> None:
    with opened(schema) as ledger:
        ledger.admit(receipt(1))
    schema.change(change)
    for read_only in (False, True):
        with pytest.raises(LedgerError, match=said):
            opened(schema, read_only=read_only)


def test_a_ledger_that_is_missing_is_not_made_by_a_reader(schema: Schema) -> None:
    with pytest.raises(LedgerError, match="has no ledger"):
        opened(schema, read_only=True)
    opened(schema).close()
    with opened(schema, read_only=True) as ledger:
        assert ledger.check() == ()
        with pytest.raises(LedgerError, match="read-only"):
            ledger.admit(receipt(1))


def test_no_message_has_the_password(server: Server) -> None:
    wrong = server.url.replace(server.PASSWORD, "wrong-secret-2")
    unknown = wrong.replace("127.0.0.1", "no.such.host.invalid")
    for url in (wrong, wrong.replace(f":{server.port}", ":1"), f"{wrong}?nonsense=1", unknown):
        with pytest.raises(LedgerError, match="postgresql://") as error:
            Ledger.open(url, AUDITOR, timeout=2)
        assert "wrong-secret-2" not in str(error.value)
        assert "keeper:" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://keeper:hidden-secret",
        "postgresql://keeper:hidden-secret/postgres",
        "postgresql://keeper:hidden?secret@127.0.0.1/postgres",
        "postgresql://keeper:hidden/secret@127.0.0.1:1/postgres",
        "postgresql://keeper:hidden@secret@127.0.0.1:1/postgres",
        "postgresql://127.0.0.1:1/postgres?password=hidden@secret",
        "postgresql://127.0.0.1:1/postgres?password=hidden-secret&port=hidden-secret",
        "postgresql://keeper:hidden%zzsecret@127.0.0.1:1/postgres",
    ],
)
def test_no_message_has_a_part_of_a_password_that_is_in_the_wrong_place(url: str) -> None:
    with pytest.raises(LedgerError) as error:
        Ledger.open(url, AUDITOR, timeout=1)
    for text in (str(error.value), Ledger.label_of(url)):
        assert "hidden" not in text
        assert "secret" not in text


def test_a_role_that_may_only_read_and_insert_can_admit(server: Server, schema: Schema) -> None:
    opened(schema, max_backwards=0).close()
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE ROLE gate LOGIN PASSWORD 'gate-password-1'")
        connection.execute(f"GRANT USAGE ON SCHEMA {schema.schema} TO gate")
        connection.execute(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA {schema.schema} TO gate")
    name = schema.name.replace(f"keeper:{server.PASSWORD}", "gate:gate-password-1")
    with Ledger.open(name, AUDITOR, max_backwards=0) as ledger:
        assert ledger.admit(receipt(1)).status == "admitted"
        assert ledger.check() == ()


def test_a_unique_index_that_let_rows_in_twice_is_found(schema: Schema) -> None:
    with opened(schema) as ledger:
        ledger.admit_many(map(receipt, range(3)))
        schema.change("DROP INDEX reward_receipts_nonce")
        schema.change("UPDATE reward_receipts SET nonce = 'nonce.of.both.1' WHERE row_number < 3")
        codes = [finding.code for finding in ledger.check()]
    assert codes == ["admission.file-damaged", "admission.columns-edited", "admission.columns-edited"]


def test_the_locale_and_the_settings_of_a_database_change_nothing(server: Server) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(
            "CREATE DATABASE strange ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
        )
        for setting in (
            "default_transaction_isolation = 'serializable'",
            "synchronous_commit = off",
            "bytea_output = 'escape'",
            "standard_conforming_strings = off",
            "DateStyle = 'German'",
        ):
            connection.execute(f"ALTER DATABASE strange SET {setting}")
    with Ledger.open(server.url.replace("/postgres", "/strange"), AUDITOR) as ledger:
        assert [each.row for each in ledger.admit_each(map(receipt, [1, 2, 1]))] == [1, 2, 1]
        assert ledger.check(ledger.head()) == ()
        assert ledger._store._setting(ledger._store._connected(), "synchronous_commit") == "on"  # type: ignore[attr-defined]


def test_a_lock_that_somebody_else_holds(schema: Schema) -> None:
    with opened(schema, timeout=0.05) as ledger, opened(schema) as other:
        with other._store.writing():
            with pytest.raises(LedgerError, match="another process"):
                ledger.admit(receipt(1))
            assert ledger.head().row == 0  # readers do not wait
        assert ledger.admit(receipt(1))


def test_a_connection_that_ended_while_it_was_idle_is_made_anew(server: Server, schema: Schema) -> None:
    with opened(schema) as ledger, psycopg.connect(server.url, autocommit=True) as connection:
        for n, use in enumerate((ledger.admit, ledger.admit, lambda one: ledger.get(one.receipt_id))):
            ended = connection.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'reward-%'"
            ).fetchone()
            assert ended == (1,)
            assert use(receipt(min(n, 1))) is not None
        assert ledger.head().row == 2
        assert ledger.check() == ()


def test_a_connection_that_ends_in_a_transaction_records_nothing_of_it(server: Server, schema: Schema) -> None:
    with opened(schema) as ledger, psycopg.connect(server.url, autocommit=True) as connection:
        insert = ledger._store.insert

        def ended(records: Any) -> bool:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'reward-%'"
            )
            return insert(records)

        ledger._store.insert = ended  # type: ignore[method-assign]
        with pytest.raises(LedgerError, match="terminat|closed"):
            ledger.admit(receipt(1))
        ledger._store.insert = insert  # type: ignore[method-assign]
        assert ledger.head().row == 0
        assert ledger.admit(receipt(1)).row == 1


def test_four_clients_admit_the_same_receipts_once(schema: Schema) -> None:
    found: list[list[Admission]] = [[] for _ in range(4)]

    def admit(at: int) -> None:
        with opened(schema) as ledger:
            found[at] = list(ledger.admit_each(map(receipt, range(200)), batch=1 + 7 * at))

    threads = [threading.Thread(target=admit, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = [[answer.row for answer in answers] for answers in found]
    assert rows == [rows[0]] * 4
    assert sorted(map(int, filter(None, rows[0]))) == list(range(1, 201))
    assert sum(answer.status == "admitted" for answers in found for answer in answers) == 200
    with opened(schema) as ledger:
        assert ledger.check() == ()


def test_the_commands_take_a_url_and_do_not_show_its_password(
    schema: Schema, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(tmp_path, capsys, monkeypatch)
    shell.write("receipts.jsonl", json_lines([json.loads(receipt(n).model_dump_json()) for n in range(3)]))
    shell.write("contract.json", BENCH.contract.model_dump_json())
    shell.write("certificate.json", BENCH.certificate.model_dump_json())
    BENCH.key.keyring.write(tmp_path / "keyring.json")
    BENCH.key.write(tmp_path / "key.json")
    documents = ("--documents", "contract.json", "--documents", "certificate.json", "--keyring", "keyring.json")
    runs = [
        shell("ledger", "admit", schema.name, "receipts.jsonl", *documents),
        shell("ledger", "export", schema.name, "--signing-key", "key.json", "-o", "head.json"),
        shell("ledger", "check", schema.name, "--head", "head.json", "--keyring", "keyring.json"),
        shell("ledger", "stats", schema.name),
        shell("ledger", "export", schema.name),
    ]
    assert [ran.status for ran in runs] == [0] * 5
    assert "rows 3" in runs[2].out
    assert len(runs[4].lines) == 3
    schema.change("DROP TABLE reward_receipts_ledger")
    runs.append(shell("ledger", "stats", schema.name))
    assert runs[-1].status == 2
    assert not [ran for ran in runs if Server.PASSWORD in ran.out + ran.err]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["immediate", "fast"])
def test_a_server_that_goes_away_loses_nothing_that_was_acknowledged(mode: str) -> None:
    import postgres_server

    if postgres_server.binaries() is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql), so nothing of it is tested")
    with postgres_server.server() as server:
        acknowledged: dict[int, int] = {}
        errors = 0
        stopping = threading.Event()
        with Ledger.open(server.url, AUDITOR) as ledger:
            for round_ in range(4):
                stopper = threading.Timer(0.2, lambda: (server.stop(mode), stopping.set()))
                stopper.start()
                n = round_ * 100_000
                while not stopping.is_set() or errors == round_:
                    n += 1
                    try:
                        answer = ledger.admit(receipt(n))
                    except LedgerError:
                        errors += 1
                        break
                    assert answer.row is not None
                    acknowledged[n] = answer.row
                stopper.join()
                stopping.clear()
                server.start()
                # The client asks again, on a new connection, whatever became of its last request.
                again = ledger.admit(receipt(n))
                assert again.row is not None
                acknowledged[n] = again.row
            assert errors == 4
            assert len(acknowledged) > 8
            for n, row in acknowledged.items():
                found = ledger.get(f"receipt.{n:08}")
                assert found is not None
                assert found.row == row
            assert ledger.head().row == len(acknowledged)
            assert ledger.check() == ()


def test_a_server_that_can_lose_what_it_acknowledged_is_refused() -> None:
    import postgres_server

    if postgres_server.binaries() is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql), so nothing of it is tested")
    with postgres_server.server("fsync=off") as server, pytest.raises(LedgerError, match="fsync = off"):
        Ledger.open(server.url, AUDITOR)
