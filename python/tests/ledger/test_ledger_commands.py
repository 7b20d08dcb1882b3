"""The commands ``ledger admit``, ``check``, ``export`` and ``stats``."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
import reward_receipts as rr
from command_line import Shell, json_lines, receipts
from field import OPENADAPT, PUBLIC_KEY

ADMIT = ("ledger", "admit", "a.ledger", "receipts.jsonl", "--documents", "documents", "--keyring", "keyring.json")


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A folder with two receipts of two episodes, and what is needed to admit them."""
    shell = Shell(tmp_path, capsys, monkeypatch)
    (tmp_path / "documents").mkdir()
    for name in ("contract.json", "certificate.json"):
        shell.write(f"documents/{name}", (OPENADAPT / name).read_bytes())
    first, same_episode, second = receipts(3)
    shell.write("receipts.jsonl", json_lines([first, second]))
    shell.write("conflict.jsonl", json_lines([first, same_episode, {**second, "nonce": "nonce.altered.1"}, {}]))
    shell.write("keyring.json", {"dev.key.synthetic-proof": PUBLIC_KEY})
    shell.write("no-keys.json", {})
    key = rr.SigningKey.generate("key.of.ledger.1")
    key.write(tmp_path / "key.json")
    key.keyring.write(tmp_path / "ring.json")
    return shell


def test_receipts_are_admitted_once(shell: Shell) -> None:
    ran = shell(*ADMIT)
    assert (ran.status, [line.split("  ")[2:] for line in ran.lines]) == (0, [["admitted", f"row {n}"] for n in (1, 2)])
    ran = shell(*ADMIT)
    assert (ran.status, [line.split("  ")[2:] for line in ran.lines]) == (
        0,
        [["already-admitted", f"row {n}"] for n in (1, 2)],
    )
    assert ran.err.endswith("2 already-admitted, 0 conflict, 0 refused, 0 undecided\n")


@pytest.mark.parametrize("batch", [1, 2, 1000])
def test_a_conflict_and_a_failing_receipt_are_findings_with_their_places(shell: Shell, batch: int) -> None:
    arguments = [name.replace("receipts.jsonl", "conflict.jsonl") for name in ADMIT]
    ran = shell(*arguments, "--batch", batch)
    assert ran.status == 1
    codes = [code for place, code in ran.codes if place.startswith("conflict.jsonl:") and place.count(":") == 2]
    assert codes[:3] == ["admission.conflict", "signature-invalid", "schema.required"]
    results = shell.results(*arguments)
    assert [each["verdict"] for each in results] == ["already-admitted", "conflict", "refused", "refused"]
    assert results[1]["conflicts"][0]["receipt_id"] == receipts(1)[0]["receipt_id"]
    assert results[1]["findings"][0]["pointer"] == "/episode_id"


@pytest.mark.parametrize(
    "line",
    [b"\xff\xfe{\x00", b"\x00" * 50, b"{", b"[" * 5000, b"[]", b"7", b'{"a":1,"a":2}', b'"' + b"x" * 1_100_000 + b'"'],
)
def test_a_line_that_is_not_a_receipt_is_a_finding_and_the_next_is_admitted(shell: Shell, line: bytes) -> None:
    shell.write("mixed.jsonl", line + b"\r\n" + json_lines(receipts(1)).rstrip())
    ran = shell(*[name.replace("receipts.jsonl", "mixed.jsonl") for name in ADMIT])
    assert ran.status == 1
    assert ran.lines[-1].endswith("admitted  row 1")
    assert any(place.startswith("mixed.jsonl:1:") for place, _ in ran.codes)


def test_anything_that_cannot_be_audited_is_undecided(shell: Shell) -> None:
    ran = shell(*ADMIT[:-1], "no-keys.json")
    assert (ran.status, "2 undecided" in ran.err) == (2, True)
    ran = shell(*ADMIT[:-2])
    assert (ran.status, "--keyring or --public-key" in ran.out) == (2, True)
    ran = shell(
        "ledger", "admit", "a.ledger", "receipts.jsonl", "--documents", "ring.json", "--keyring", "keyring.json"
    )
    assert (ran.status, "ring.json" in ran.err) == (2, True)
    ran = shell("ledger", "admit", "a.ledger", "receipts.jsonl", "--documents", "missing", "--keyring", "keyring.json")
    assert ran.status == 2


def test_a_trust_policy_says_which_keys_may_sign(shell: Shell) -> None:
    shell.write("policy.yaml", "keys:\n  - {key_id: dev.key.synthetic-proof, signs: [certificates]}\n")
    ran = shell(*ADMIT, "--policy", "policy.yaml")
    assert (ran.status, "policy-signer-not-allowed" in ran.out, "2 refused" in ran.err) == (1, True, True)
    shell.write("policy.yaml", "keys:\n  - {key_id: dev.key.synthetic-proof, signs: [certificates, receipts]}\n")
    assert shell(*ADMIT, "--policy", "policy.yaml").status == 0
    assert shell(*ADMIT, "--policy", "keyring.json").status == 2


def test_a_policy_update_that_runs_backwards_is_refused_on_request(shell: Shell) -> None:
    assert shell(*ADMIT, "--max-backwards", 0).status == 0  # both are of one update
    assert shell(*ADMIT, "--max-backwards", -1).status == 2


def test_a_ledger_is_checked_with_a_signed_head(shell: Shell) -> None:
    shell(*ADMIT)
    assert shell("ledger", "export", "a.ledger", "--signing-key", "key.json", "-o", "head.json").status == 0
    check = ("ledger", "check", "a.ledger", "--head", "head.json")
    ran = shell(*check, "--keyring", "ring.json")
    assert (ran.status, ran.out.split("  ")[1]) == (0, "intact")
    assert shell(*check).status == 2
    assert shell(*check, "--keyring", "keyring.json").status == 2  # the key of the issuer, not that of the ledger
    shell.write("key.of.others.json", {"key.of.ledger.1": PUBLIC_KEY})
    ran = shell(*check, "--keyring", "key.of.others.json")
    assert (ran.status, "admission.head-signature-invalid" in ran.out) == (1, True)
    change(shell.folder, "DELETE FROM reward_receipts WHERE row_number = 2")
    assert shell("ledger", "check", "a.ledger").status == 0  # nothing in the ledger says how many there were
    ran = shell(*check, "--keyring", "ring.json")
    assert (ran.status, "admission.rows-cut" in ran.out) == (1, True)
    for text in ("{}", "[", (shell.folder / "key.json").read_text()):
        shell.write("head.json", text)
        ran = shell(*check, "--keyring", "ring.json")
        assert ran.status == 2
        assert json.loads((shell.folder / "key.json").read_text())["private_key"] not in ran.out + ran.err


def test_an_edited_row_is_found(shell: Shell) -> None:
    shell(*ADMIT)
    change(shell.folder, "UPDATE reward_receipts SET nonce = 'nonce.edited.1' WHERE row_number = 1")
    ran = shell("ledger", "check", "a.ledger", "-f", "json")
    assert ran.status == 1
    (result,) = json.loads(ran.out)["results"]
    assert [finding["code"] for finding in result["findings"]] == ["admission.columns-edited"]


def test_exported_receipts_can_be_admitted_elsewhere(shell: Shell) -> None:
    shell(*ADMIT)
    shell.write("receipts.jsonl", shell("ledger", "export", "a.ledger").out)
    assert shell(*[name.replace("a.ledger", "b.ledger") for name in ADMIT]).status == 0
    assert shell("ledger", "stats", "b.ledger").out.splitlines()[2] == shell("ledger", "stats", "a.ledger").lines[2]
    assert len(shell("ledger", "export", "a.ledger", "--after", 1).lines) == 1


def test_stats_count_contracts_and_issuers(shell: Shell) -> None:
    shell(*ADMIT)
    (result,) = shell.results("ledger", "stats", "a.ledger")
    assert (result["rows"], result["issuers"]) == (2, {"dev.key.synthetic-proof": 2})
    assert [each["receipts"] for each in result["contracts"]] == [2]
    assert "dev.key.synthetic-proof" in shell("ledger", "stats", "a.ledger").out


@pytest.mark.parametrize("command", ["check", "stats", "export"])
def test_anything_that_is_not_a_ledger_is_a_problem(shell: Shell, command: str) -> None:
    for name, said in (
        ("missing.ledger", "no such file"),
        ("keyring.json", "not a database"),
        (".", "not a plain file"),
    ):
        ran = shell("ledger", command, name)
        assert (ran.status, said in ran.err) == (2, True), ran.err
        assert ran.out == ""
    assert not (shell.folder / "missing.ledger").exists()


def test_results_do_not_replace_the_ledger(shell: Shell) -> None:
    shell(*ADMIT)
    before = (shell.folder / "a.ledger").read_bytes()
    for arguments in ((*ADMIT, "-o", "a.ledger"), ("ledger", "export", "a.ledger", "-o", "a.ledger")):
        assert shell(*arguments).status == 2
    assert (shell.folder / "a.ledger").read_bytes() == before


def change(folder: Path, statement: str) -> None:
    database = sqlite3.connect(folder / "a.ledger")
    database.executescript(statement)
    database.close()
