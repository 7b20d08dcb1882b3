"""``init``: documents to start from, each of which is valid by the package's own checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import reward_receipts as rr
from command_line import Shell
from field import OPENADAPT, field_contract
from reward_receipts.rewards import RewardSpec


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


@pytest.mark.parametrize("kind", ["contract", "certificate"])
def test_a_new_document_is_valid_and_explained(shell: Shell, kind: str) -> None:
    ran = shell("init", kind)
    assert ran.status == 0
    (shell.folder / "start.json").write_text(ran.out)
    linted = shell("lint", "start.json", "--kind", kind)
    assert (linted.status, linted.out) == (0, "")
    for name in json.loads(ran.out):
        assert name in ran.err
    assert "Next: " in ran.err
    assert shell("init", kind, "-o", "again.json").out == ""
    assert (shell.folder / "again.json").read_text() == ran.out
    assert shell("init", kind, "-o", "-").out == ran.out


def test_a_new_file_replaces_none(shell: Shell) -> None:
    (shell.folder / "mine.json").write_text("mine")
    ran = shell("init", "contract", "-o", "mine.json")
    assert ran.status == 2
    assert "mine.json" in ran.err
    assert (shell.folder / "mine.json").read_text() == "mine"


def test_a_new_spec_is_valid_and_has_comments(shell: Shell) -> None:
    ran = shell("init", "spec")
    (shell.folder / "start.yaml").write_text(ran.out)
    assert ran.out.count("# ") >= 4
    assert shell("spec", "lint", "start.yaml").status == 0
    assert shell("spec", "show", "start.yaml").status == 0
    assert RewardSpec.from_yaml(ran.out).ceiling().unbounded == ()


def test_a_new_certificate_meets_the_policy_of_its_contract(shell: Shell) -> None:
    ran = shell("init", "certificate", "--contract", OPENADAPT / "contract.json")
    certificate = rr.RewardCertificateV1.model_validate_json(ran.out)
    assert certificate.satisfies(field_contract().certificate_policy)
    assert certificate.reward_contract_digest == field_contract().digest
    for wrong, status in ((OPENADAPT / "certificate.json", 1), ("none.json", 2)):
        refused = shell("init", "certificate", "--contract", wrong)
        assert (refused.status, "certificate_id" in refused.out) == (status, False)
    assert shell("init", "contract", "--contract", OPENADAPT / "contract.json").status == 2


def test_a_new_certificate_can_be_signed(shell: Shell) -> None:
    shell("init", "certificate", "-o", "start.json")
    shell("keygen", "key.example.0001")
    signed = shell("sign", "start.json", "--signing-key", "key.example.0001.private.json", "-o", "signed.json")
    assert signed.status == 0
    assert shell("verify", "signed.json", "--keyring", "key.example.0001.keyring.json").status == 0
