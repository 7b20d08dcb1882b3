"""The demo says what it must of the documents in the repository, and notices when it does not come out so."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from checkout import ROOT, script
from field import VECTORS

Said = pytest.CaptureFixture[str]


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """A copy of the documents from the field."""
    return Path(shutil.copytree(VECTORS, tmp_path / "vectors"))


def change(path: Path, *place: Any, to: Any) -> None:
    """Changes one member in a JSON file."""
    document = json.loads(path.read_text())
    parent = document
    for step in place[:-1]:
        parent = parent[step]
    parent[place[-1]] = to
    path.write_text(json.dumps(document))


@pytest.mark.slow
def test_it_is_plain_text_where_there_is_no_terminal_and_ends_with_0() -> None:
    command = [sys.executable, "-I", ROOT / "scripts" / "receipts_demo.py"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stderr == b""
    text = done.stdout.decode("ascii")
    assert "\x1b" not in text
    assert text.endswith("\nEverything is as expected.\n")


@pytest.mark.slow
def test_every_receipt_has_its_line(capsys: Said) -> None:
    assert script("receipts_demo").main([]) == 0
    text = capsys.readouterr().out
    for receipt in json.loads((VECTORS / "openadapt" / "receipts.json").read_text()):
        [line] = [line for line in text.splitlines() if line.startswith(receipt["receipt_id"] + " ")]
        scalar = "unscored" if receipt["scalar_reward"] is None else str(receipt["scalar_reward"])
        certified = "yes" if receipt["certified"] else "no"
        cells = [str(receipt["oracle_tier"]), receipt["reward_outcome"], scalar, certified, "valid", "holds"]
        assert line.split()[1:7] == cells
        assert ("tier-development-only, certificate-absent" in line) == (not receipt["certified"])
    assert "42 receipts: 42 hold, 0 fail, 0 undecided, 0 refused. 21 certified (synthetic), 21 not." in text
    assert "3 unscored, which is not a reward and never 0.0." in text


def test_the_story_fits_80_columns_and_comes_before_the_first_receipt(capsys: Said) -> None:
    script("receipts_demo").main([])
    story, _, rest = capsys.readouterr().out.partition("\n2. ")
    assert "receipt.proof" in rest
    assert "receipt.proof" not in story
    assert max(map(len, story.splitlines())) <= 80


def test_the_story_says_what_each_checker_paid(capsys: Said) -> None:
    script("receipts_demo").main([])
    text = capsys.readouterr().out
    rows = {line[:38].strip(): line[38:].split() for line in text.splitlines()}
    assert rows["saved the record, as asked"] == ["3", "3.0", "3.0"]
    assert rows["saved the record twice"] == ["3", "3.0", "0.0"]
    assert rows["(the database could not be read)"] == ["3", "3.0", "unscored"]
    assert rows["all"] == ["21", "21.0", "3.0"]
    assert "The screen paid 21 episodes; 15 of them left the wrong record, and 3 left" in text


def test_an_unscored_reading_is_not_paid_0(vectors: Path, capsys: Said) -> None:
    receipts = json.loads((vectors / "openadapt" / "receipts.json").read_text())
    kept = [receipt for receipt in receipts if "oracle_outage" in receipt["receipt_id"]]
    (vectors / "openadapt" / "receipts.json").write_text(json.dumps(kept))
    assert script("receipts_demo").main([str(vectors)]) == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("all ")]
    assert line.split() == ["all", "3", "3.0", "unscored"]


def test_the_placeholder_signatures_are_refused(capsys: Said) -> None:
    script("receipts_demo").main([])
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("reward.receipt.0001 ")]
    assert line.split()[1:7] == ["2", "verified", "1.0", "yes", "invalid", "fails"]
    assert line.rstrip().endswith(" signature-invalid, certificate-signature-invalid")


def test_its_own_receipt_verifies_and_no_byte_of_it_can_be_changed(capsys: Said) -> None:
    script("receipts_demo").main([])
    text = capsys.readouterr().out
    for layer in (
        "text: json.syntax",
        "schema: schema.pattern",
        "rules: receipt.development-only",
        "signature: invalid",
    ):
        assert f"refused by {layer} " in text
    counted = re.search(r"Each of its (\d+) bytes changed in turn: refused (.*)\.", text)
    assert counted is not None
    assert sum(map(int, re.findall(r"(\d+) by", counted[2]))) == int(counted[1])
    assert "nothing" not in counted[2]


def test_a_narrow_terminal_gets_a_few_lines_for_each_receipt(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = script("receipts_demo")
    monkeypatch.setattr(demo, "TABLE_WIDTH", 80)
    console = demo.Console(width=79, markup=False, highlight=False)
    assert demo.Demo(VECTORS, console).run() == 0
    text = capsys.readouterr().out
    assert (
        "receipt.proof.control.t0.s101.visual_only holds signature valid\n"
        "    tier 0  verified  1.0\n"
        "    claims certified (synthetic) no  why not: tier-development-only, certificate-absent\n"
    ) in text


def test_a_changed_scalar_is_seen_and_ends_with_1(vectors: Path, capsys: Said) -> None:
    change(vectors / "openadapt" / "receipts.json", 6, "scalar_reward", to=9.0)
    assert script("receipts_demo").main([str(vectors)]) == 1
    said = capsys.readouterr()
    [line] = [line for line in said.out.splitlines() if "control.t0.s101.certified_sor" in line]
    assert line.split()[5:] == ["invalid", "fails", "scalar-differs-from-contract,", "signature-invalid"]
    assert "42 receipts: 41 hold, 1 fail," in said.out
    assert "Not as expected: receipt 7," in said.err
    assert "Everything is" not in said.out


@pytest.mark.slow
def test_a_receipt_that_breaks_a_rule_is_refused_by_its_id_and_ends_with_1(vectors: Path, capsys: Said) -> None:
    change(vectors / "openadapt" / "receipts.json", 0, "development_only", to=True)
    assert script("receipts_demo").main([str(vectors)]) == 1
    said = capsys.readouterr()
    assert "42 receipts: 41 hold, 0 fail, 0 undecided, 1 refused." in said.out
    assert "receipt 1 of 42 is refused: receipt.development-only" in said.err


def test_another_digest_than_the_published_one_ends_with_1(vectors: Path, capsys: Said) -> None:
    change(vectors / "worked" / "contract_as_authored.json", "components", 0, "weight", to=2.0)
    assert script("receipts_demo").main([str(vectors)]) == 1
    assert "the digest of the worked contract is not the published one" in capsys.readouterr().err


def test_a_folder_without_the_documents_is_a_message_and_ends_with_1(tmp_path: Path, capsys: Said) -> None:
    assert script("receipts_demo").main([str(tmp_path)]) == 1
    assert "contract.json" in capsys.readouterr().err


def test_the_private_key_is_never_shown(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = bytes(range(32))
    monkeypatch.setattr(rr.SigningKey, "generate", lambda key_id: rr.SigningKey(key_id, seed))
    assert script("receipts_demo").main([]) == 0
    said = capsys.readouterr()
    for spelling in (seed.hex(), base64.b64encode(seed).decode(), repr(seed)[2:-1]):
        assert spelling not in said.out + said.err
