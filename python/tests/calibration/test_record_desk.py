"""The example of the record desk: the bound of a checker and the wrong actions that it teaches move together."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from checkout import ROOT
from command_line import COMMAND
from reward_receipts.calibration import read_trials, recheck
from scipy import stats

RUN = ROOT / "examples" / "record_desk" / "run.py"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]], str]:
    """The folder, the summary and the table of a short run."""
    folder = tmp_path_factory.mktemp("desk")
    command = [sys.executable, str(RUN), "--folder", str(folder), "--episodes", "500", "--seeds", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, json.loads((folder / "summary.json").read_text()), done.stdout


def test_bound_and_wrong_actions_move_together(run: tuple[Path, list[dict[str, Any]], str]) -> None:
    _, rows, printed = run
    bounds = [row["bound_synthetic"] for row in rows]
    wrong = [row["wrong_action_rate"] for row in rows]
    assert bounds == sorted(bounds, reverse=True)
    assert stats.spearmanr(bounds, wrong).statistic > 0.8
    visual, record = rows[0], rows[-1]
    assert (visual["false_accepts"], record["false_accepts"]) == (250, 0)
    assert visual["wrong_action_rate"] > 0.8
    assert record["wrong_action_rate"] < 0.1
    assert visual["paid_wrong_rate"] > 0.8
    assert record["paid_wrong_rate"] == 0
    assert "synthetic" in printed


def test_only_the_record_checker_gets_a_certificate_and_its_receipts_are_certified(
    run: tuple[Path, list[dict[str, Any]], str],
) -> None:
    folder, rows, _ = run
    assert [row["certificate_synthetic"] for row in rows] == [False] * (len(rows) - 1) + [True]
    assert "bound-vacuous" in rows[0]["why_not"]
    assert all("bound-exceeds-policy" in row["why_not"] for row in rows[:-1])
    assert [row["certified_synthetic_rate"] for row in rows] == [0] * (len(rows) - 1) + [1]
    certificate: Any = rr.read_document((folder / "certificate-1.0.json").read_bytes(), "certificate")
    contract: Any = rr.read_document((folder / "contract-1.0.json").read_bytes(), "contract")
    assert recheck(certificate, read_trials(str(folder / "trials-1.0.jsonl")), contract=contract).holds


def test_its_receipts_are_signed_and_its_picture_is_drawn(run: tuple[Path, list[dict[str, Any]], str]) -> None:
    folder, rows, _ = run
    assert sum(row["audits_that_fail"] for row in rows) == 0
    assert len((folder / "receipts-0.0-0.jsonl").read_bytes().splitlines()) == 500
    assert "visual (the screen)" in (folder / "summary.svg").read_text()


@pytest.mark.parametrize("share", ["0.0", "1.0"])
def test_the_command_audits_its_receipts(run: tuple[Path, list[dict[str, Any]], str], share: str) -> None:
    folder, _, _ = run
    given = ["--contract", f"contract-{share}.json", "--keyring", "keyring.json", "-q", "-f", "json"]
    if share == "1.0":
        given += ["--certificate", "certificate-1.0.json"]
    command = [*COMMAND, "audit", f"receipts-{share}-0.jsonl", *given]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["summary"]["verdicts"]["holds"] == 500


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    done = subprocess.run([sys.executable, str(RUN), "--folder", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 2
    assert "is not empty" in done.stderr
