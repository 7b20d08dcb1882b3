"""``show``: one receipt for people."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Shell
from field import Bench

BENCH = Bench()


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell(tmp_path, capsys, monkeypatch)
    (tmp_path / "documents").mkdir()
    shell.write("documents/contract.json", BENCH.contract.model_dump_json())
    shell.write("documents/certificate.json", BENCH.certificate.model_dump_json())
    shell.write("keyring.json", {BENCH.key.key_id: BENCH.key.public_key})
    shell.write("receipt.json", BENCH.receipt().model_dump_json())
    return shell


def test_a_receipt_with_everything(desk: Shell) -> None:
    ran = desk("show", "receipt.json", "--documents", "documents", "--keyring", "keyring.json")
    assert ran.status == 0
    assert ran.lines[0] == f"Receipt {BENCH.receipt().receipt_id}"
    assert f"Contract {BENCH.contract.contract_id} {BENCH.contract.contract_version}" in ran.lines
    assert f"Certificate (synthetic) {BENCH.certificate.certificate_id}" in ran.lines
    assert ran.lines[-1] == "Audit: holds"
    assert "certified (synthetic)" in ran.out
    for line in ran.lines:
        assert "certified" not in line.lower() or "synthetic" in line


def test_missing_documents_are_named(desk: Shell) -> None:
    ran = desk("show", "receipt.json")
    assert ran.status == 2
    assert f"Contract {BENCH.contract.digest}, which is not among the documents" in ran.lines
    assert f"Certificate (synthetic) {BENCH.certificate.digest}, which is not among the documents" in ran.lines
    assert "Audit: undecided" in ran.lines
    assert "no key was given" in ran.out
    assert "--documents" in ran.out


def test_a_receipt_that_fails(desk: Shell) -> None:
    desk.write("receipt.json", BENCH.receipt().model_dump_json().replace("episode.", "Episode."))
    ran = desk("show", "receipt.json", "--documents", "documents", "--keyring", "keyring.json")
    assert ran.status == 1
    assert "Audit: fails" in ran.lines
    assert "signature-invalid" in ran.lines[-1]


def test_an_unscored_receipt_is_not_zero(desk: Shell) -> None:
    unscored = BENCH.receipt(reward_outcome="failed_platform", scalar_reward=None, reward_components={}, certified=True)
    desk.write("receipt.json", unscored.model_dump_json())
    ran = desk("show", "receipt.json", "--documents", "documents", "--keyring", "keyring.json")
    assert ran.status == 0
    assert "unscored (not 0.0)" in ran.out


def test_a_file_without_exactly_one_receipt(desk: Shell) -> None:
    assert desk("show", "documents/contract.json").status == 1
    assert desk("show", "missing.json").status == 2
