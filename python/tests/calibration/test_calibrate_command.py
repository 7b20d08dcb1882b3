"""``reward-receipts calibrate``: run, plan, threshold and recheck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from calibration_corpora import KEY, contract, rows, scored
from command_line import Ran, Shell, json_lines
from reward_receipts.calibration import Trials
from reward_receipts.core.codes import catalogue

ISSUE = ("--signing-key", "key.json", "--checker", "checker.json", "--policy-update", 100, "-o", "certificate.json")


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell(tmp_path, capsys, monkeypatch)
    KEY.write(tmp_path / "key.json")
    KEY.keyring.write(tmp_path / "keyring.json")
    shell.write("checker.json", {"model": "m", "prompt": "p"})
    corpus(shell, rows(300, 2))
    return shell


def corpus(shell: Shell, trials: list[dict[str, Any]], **policy: Any) -> None:
    """Writes trials, and a contract that names them."""
    shell.write("trials.jsonl", json_lines(trials))
    held = contract(Trials(trials), **policy)
    (shell.folder / "contract.json").write_bytes(rr.canonical_json_bytes(held))


def result(ran: Ran) -> dict[str, Any]:
    [found] = json.loads(ran.out)["results"]
    return dict(found)


def codes(ran: Ran) -> list[str]:
    return [finding["code"] for finding in result(ran)["findings"]]


def test_from_trials_to_a_certificate_and_back(shell: Shell) -> None:
    ran = shell("calibrate", "trials.jsonl", "--contract", "contract.json", *ISSUE, "-f", "json")
    assert ran.status == 0
    found = result(ran)
    assert found["verdict"] == "bounded"
    assert found["measurement"]["false_accepts"] == 2
    certificate: Any = rr.read_document((shell.folder / "certificate.json").read_bytes(), "certificate")
    assert found["certificate_digest"] == certificate.digest
    assert certificate.epsilon == found["measurement"]["epsilon"]
    assert certificate.issued_at_policy_update == 100
    checks = ("--contract", "contract.json", "--checker", "checker.json", "--keyring", "keyring.json")
    ran = shell("calibrate", "recheck", "certificate.json", "trials.jsonl", *checks, "-f", "json")
    assert ran.status == 0
    assert result(ran)["verdict"] == "holds"
    assert result(ran)["certificate_signature"] == "valid"
    text = shell("calibrate", "recheck", "certificate.json", "trials.jsonl").out
    assert "signature         not checked" in text


def test_text_names_the_bound_the_classes_and_synthetic(shell: Shell) -> None:
    ran = shell("calibrate", "run", "trials.jsonl", "--delta", 0.05)
    assert ran.status == 0
    assert "bound             0.0208362 on P(false accept), synthetic" in ran.lines
    assert "false accepts     2 of 300 trials" in ran.lines
    assert "duplicate       100              1" in ran.lines


@pytest.mark.parametrize(
    ("trials", "options", "code"),
    [
        (rows(100, failed=1), (), "calibration.controls-failed"),
        (rows(100, 100), (), "calibration.all-accepted"),
        (rows(0), (), "calibration.nothing-to-refuse"),
        (rows(100, 5), (), "calibration.bound-exceeds-policy"),
        (rows(100), ("--require-class", "claimed"), "calibration.class-empty"),
        (rows(100), ("--delta", 0.2), "calibration.delta-exceeds-policy"),
        (rows(100), ("--vacuity-limit", 0.001), "calibration.bound-vacuous"),
        ([*rows(100), *rows(1, controls=0)], (), "calibration.trial-repeated"),
        ([*rows(100), {"trial_id": "a", "accepted": True}], (), "schema.required"),
        ([{**row, "task_id": "a"} for row in rows(100)], (), "calibration.repeats-without-group"),
    ],
)
def test_a_refusal_is_named_and_no_certificate_is_written(
    shell: Shell, trials: list[dict[str, Any]], options: tuple[object, ...], code: str
) -> None:
    shell.write("trials.jsonl", json_lines(trials))
    if code not in ("calibration.trial-repeated", "schema.required"):
        corpus(shell, trials)
    before = sorted(shell.folder.iterdir())
    ran = shell("calibrate", "trials.jsonl", "--contract", "contract.json", *ISSUE, *options, "-f", "json")
    assert (ran.status, codes(ran)) == (1, [code])
    assert sorted(shell.folder.iterdir()) == before


def test_a_corpus_that_changed_under_its_digest(shell: Shell) -> None:
    shell("calibrate", "trials.jsonl", "--contract", "contract.json", *ISSUE)
    changed = rows(300, 2)
    changed[7]["fault_class"] = "other"
    shell.write("trials.jsonl", json_lines(changed))
    assert codes(shell("calibrate", "recheck", "certificate.json", "trials.jsonl", "-f", "json")) == [
        "calibration.other-corpus"
    ]
    assert codes(shell("calibrate", "trials.jsonl", "--contract", "contract.json", "-f", "json")) == [
        "calibration.other-corpus"
    ]


def test_a_certificate_that_was_changed(shell: Shell) -> None:
    shell("calibrate", "trials.jsonl", "--contract", "contract.json", *ISSUE)
    plain = json.loads((shell.folder / "certificate.json").read_bytes())
    shell.write("better.json", {**plain, "epsilon": 0.001})
    ran = shell("calibrate", "recheck", "better.json", "trials.jsonl", "--keyring", "keyring.json", "-f", "json")
    assert (ran.status, codes(ran)) == (1, ["calibration.epsilon-understated", "certificate-signature-invalid"])
    shell.write("others.json", {})
    ran = shell("calibrate", "recheck", "certificate.json", "trials.jsonl", "--keyring", "others.json", "-f", "json")
    assert (ran.status, result(ran)["verdict"]) == (2, "undecided")


def test_a_certificate_is_never_replaced(shell: Shell) -> None:
    shell.write("certificate.json", "mine")
    ran = shell("calibrate", "trials.jsonl", "--contract", "contract.json", *ISSUE)
    assert ran.status == 2
    assert "certificate.json" in ran.err
    assert (shell.folder / "certificate.json").read_text() == "mine"


def test_a_certificate_can_be_current_for_fewer_updates_and_not_for_more(shell: Shell) -> None:
    given = ("calibrate", "-", "--contract", "contract.json", *ISSUE)
    ran = shell(*given, "--expiry", 51, stdin=json_lines(rows(300, 2)))
    assert ran.status == 2
    assert "expiry-exceeds-policy" in ran.err
    assert not (shell.folder / "certificate.json").exists()
    assert shell(*given, "--expiry", 7, stdin=json_lines(rows(300, 2))).status == 0
    assert json.loads((shell.folder / "certificate.json").read_bytes())["expiry_policy_updates"] == 7


def test_another_threshold_than_the_contracts_is_refused(shell: Shell) -> None:
    corpus(shell, scored(*[0.1] * 100))
    given = ("calibrate", "trials.jsonl", "--contract", "contract.json", "-f", "json")
    assert codes(shell(*given, "--threshold", 0.7)) == ["calibration.threshold-differs"]
    assert shell(*given, "--threshold", 0.5).status == 0


def test_every_code_of_the_layer_is_in_a_test() -> None:
    layer = [code.id for code in catalogue().values() if code.layer == "calibration"]
    texts = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [code for code in layer if code not in texts and f'"{code.partition(".")[2]}"' not in texts] == []
    assert len(layer) > 15


def test_a_plan(shell: Shell) -> None:
    ran = shell("calibrate", "plan", "--epsilon", 0.05, "--delta", 0.05, "--errors", 1)
    assert ran.lines == [
        "P(false accept) <= 0.05 at delta 0.05, synthetic",
        "false accepts  trials      bound",
        "            0      59  0.0495076",
        "            1      93   0.049994",
    ]
    ran = shell("calibrate", "plan", "--epsilon", 1.5, "--delta", 0.05, "-f", "json")
    assert ran.status == 2
    assert "epsilon is 1.5" in ran.err


def test_a_threshold_is_chosen_and_certified(shell: Shell) -> None:
    trials = scored(*[0.1] * 198, 0.55, 0.65)
    corpus(shell, trials, threshold=0.5)
    listed = ("--thresholds", "0.9,0.7,0.5,0.05")
    ran = shell("calibrate", "threshold", "trials.jsonl", *listed, "--epsilon", 0.05, "--delta", 0.05, "-f", "json")
    assert ran.status == 0
    assert result(ran)["choice"]["threshold"] == 0.5
    ran = shell("calibrate", "trials.jsonl", "--contract", "contract.json", *ISSUE, *listed)
    assert ran.status == 0
    assert json.loads((shell.folder / "certificate.json").read_bytes())["epsilon"] == 0.05
    ran = shell("calibrate", "threshold", "trials.jsonl", "--thresholds", "0.05", "--epsilon", 0.05, "--delta", 0.05)
    assert ran.status == 1
    assert "calibration.no-threshold-passed" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("trials.jsonl",), "give --delta, or a --contract"),
        (("trials.jsonl", "--delta", 0), "delta is 0.0"),
        (("trials.jsonl", "--delta", "nan"), "delta is nan"),
        (("--delta", 0.05, "trials.jsonl", "--threshold", 0.5), "--threshold is for trials with scores"),
        (("trials.jsonl", "--delta", 0.05, "--vacuity-limit", 2), "vacuity_limit is 2.0"),
        (("trials.jsonl", "--delta", 0.05, "--plot", "missing/bound.svg"), "cannot write missing/bound.svg"),
        (("trials.jsonl", "--contract", "contract.json", *ISSUE[:-3], 2**53 - 1, *ISSUE[-2:]), "expiry-fits"),
        (("missing.jsonl", "--delta", 0.05), "cannot read missing.jsonl"),
        (("trials.jsonl", "--delta", 0.05, "-o", "c.json"), "it needs --signing-key"),
        (("trials.jsonl", "--contract", "contract.json", "--signing-key", "key.json"), "a certificate needs --checker"),
        (("trials.jsonl", "--contract", "contract.json", *ISSUE[:-1], "-"), "not to standard output"),
        (("trials.jsonl", "--delta", 0.05, "--plot", "bound.gif"), "expected a name that ends in .html"),
        (("trials.jsonl", "--delta", 0.05, "--thresholds", "0.5"), "--thresholds needs --contract"),
        (("trials.jsonl", "--contract", "checker.json"), None),
        (
            ("threshold", "trials.jsonl", "--thresholds", "a", "--epsilon", 0.1, "--delta", 0.1),
            "is not a list of numbers",
        ),
        (("trials.parquet", "--delta", 0.05), "is not Parquet"),
    ],
)
def test_wrong_usage_ends_with_2(shell: Shell, arguments: tuple[object, ...], said: str | None) -> None:
    shell.write("trials.parquet", "PAR1")
    ran = shell("calibrate", *arguments)
    assert ran.status == (1 if said is None else 2)
    assert said is None or said in ran.err
    assert "Traceback" not in ran.err
    assert not (shell.folder / "certificate.json").exists()


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_a_picture_is_drawn_offline(shell: Shell, suffix: str) -> None:
    ran = shell("calibrate", "trials.jsonl", "--contract", "contract.json", "--plot", f"bound.{suffix}")
    assert ran.status == 0
    data = (shell.folder / f"bound.{suffix}").read_bytes()
    if suffix == "svg":
        assert b"2 of 300 trials: 0.02084" in data
        assert b"synthetic" in data
    elif suffix == "png":
        assert data.startswith(b"\x89PNG")
    else:
        assert b"<script src=" not in data
        assert b"cdn." not in data
