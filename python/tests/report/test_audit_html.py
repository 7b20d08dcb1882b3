"""``audit --html``: the report beside the results."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from command_line import Shell
from field import OPENADAPT

DOCUMENTS = [str(OPENADAPT / name) for name in ("contract.json", "certificate.json")]
KEYS = ["--public-key", str(OPENADAPT / "public_key.txt")]
RECEIPTS = OPENADAPT / "receipts.json"


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


def options() -> list[str]:
    return [part for name in DOCUMENTS for part in ("--documents", name)] + KEYS


@pytest.mark.parametrize("more", [[], ["--no-summary"], ["-f", "jsonl"], ["--workers", "2"]])
def test_the_page_has_the_counts_of_the_run(shell: Shell, more: list[str]) -> None:
    ran = shell("audit", RECEIPTS, *options(), "--html", "report.html", *more)
    assert ran.status == 0, ran.err
    text = (shell.folder / "report.html").read_text()
    assert '<li class="holds"><b>42</b> hold</li>' in text
    assert "<dt>Audited against</dt><dd>1 contract, 1 certificate (synthetic)</dd>" in text
    assert "<dt>Keys</dt><dd>1 key</dd>" in text
    assert 'id="charts"' in text


def test_the_results_are_the_same_with_and_without_it(shell: Shell) -> None:
    with_it = shell("audit", RECEIPTS, *options(), "--html", "report.html")
    without = shell("audit", RECEIPTS, *options())
    assert (with_it.out, with_it.err, with_it.status) == (without.out, without.err, without.status)


@pytest.mark.parametrize("which", ["receipts.json", "contract.json", "link.html"])
def test_no_file_that_is_read_is_replaced(shell: Shell, which: str) -> None:
    for name in ("receipts.json", "contract.json", "certificate.json"):
        (shell.folder / name).write_bytes((OPENADAPT / name).read_bytes())
    os.symlink("receipts.json", shell.folder / "link.html")
    before = {path.name: path.read_bytes() for path in shell.folder.iterdir()}
    held = ["--documents", "contract.json", "--documents", "certificate.json"]
    ran = shell("audit", "receipts.json", *held, *KEYS, "--html", which)
    assert ran.status == 2
    assert "--html" in ran.err
    assert "would replace a file that is read" in ran.err
    assert {path.name: path.read_bytes() for path in shell.folder.iterdir()} == before


def test_two_outputs_do_not_go_to_one_file(shell: Shell) -> None:
    ran = shell("audit", RECEIPTS, *options(), "--html", "out", "-o", "./out")
    assert ran.status == 2
    assert "two outputs would go to" in ran.err
    assert not (shell.folder / "out").exists()


def test_a_file_that_cannot_be_written_is_known_before_anything_is_read(shell: Shell) -> None:
    ran = shell("audit", "no-such-receipts.json", *options(), "--html", "missing/report.html")
    assert ran.status == 2
    assert "cannot write missing/report.html" in ran.err
    assert "no-such-receipts" not in ran.err


@pytest.mark.parametrize("module", ["altair", "vl_convert"])
def test_without_its_packages_nothing_is_read(shell: Shell, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    ran = shell("audit", "no-such-receipts.json", *options(), "--html", "report.html")
    assert ran.status == 2
    assert "pip install 'reward-receipts[report]'" in ran.err
    assert "no-such-receipts" not in ran.err
    assert not (shell.folder / "report.html").exists()


def test_a_level_below_the_audit_has_no_report(shell: Shell) -> None:
    ran = shell("audit", RECEIPTS, *options(), "--html", "report.html", "--level", "schema")
    assert ran.status == 2
    assert "--level audit" in ran.err


def test_findings_and_a_file_that_is_missing_are_on_the_page(shell: Shell) -> None:
    (shell.folder / "bad.jsonl").write_text("{\n")
    ran = shell("audit", RECEIPTS, "bad.jsonl", "missing.jsonl", *options(), "--html", "report.html")
    assert ran.status == 1
    text = (shell.folder / "report.html").read_text()
    assert 'href="bad.jsonl"' in text
    assert "cannot read missing.jsonl" in text
    assert 'id="findings-json.syntax"' in text
