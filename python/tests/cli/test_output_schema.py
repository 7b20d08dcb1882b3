"""conformance/schemas/command-output.schema.json: every command's JSON is valid under it, and little else is.

``Shell`` checks the output of each run with -f json or jsonl in all tests; here each command gives every kind of
result once, and the schema is shown to refuse what a command does not print.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import reward_receipts as rr
from command_line import Shell, json_lines, output_validator, receipts
from field import OPENADAPT, PUBLIC_KEY, field_certificate, field_contract
from reward_receipts.bulk import Auditor
from reward_receipts.ledger import Ledger

SPEC = "name: a\ncomponents:\n  - type: fill_rate\n    weight: 1.0\n    clip: [0.0, 1.0]\n"
SCORED = ("--tier", "1", "--policy-update", "100", "--contract", "contract.json")
RUNS = {
    "lint": ("lint", "receipts.jsonl", "missing.json"),
    "digest": ("digest", "receipts.jsonl", "missing.json"),
    "verify": ("verify", "receipts.jsonl", "contract.json", "--keyring", "keyring.json"),
    "audit": ("audit", "receipts.jsonl"),
    "score": ("score", "verified", *SCORED, "--certificate", "certificate.json"),
    "score of a forged certificate": (
        *("score", "verified", *SCORED, "--certificate", "forged.json", "--keyring", "keyring.json"),
    ),
    "spec lint": ("spec", "lint", "spec.yaml", "broken.yaml"),
    "spec show": ("spec", "show", "spec.yaml"),
    "spec show of one that is broken": ("spec", "show", "broken.yaml"),
    "spec ceiling": ("spec", "ceiling", "spec.yaml", "--steps", "9"),
    "spec diff": ("spec", "diff", "spec.yaml", "other.yaml"),
    "spec diff of one that is broken": ("spec", "diff", "spec.yaml", "broken.yaml"),
    "calibrate run": ("calibrate", "trials.jsonl", "--delta", "0.05"),
    "calibrate run of trials that are refused": ("calibrate", "run", "broken.jsonl", "--delta", "0.05"),
    "calibrate plan": ("calibrate", "plan", "--epsilon", "0.1", "--delta", "0.1", "--errors", "0"),
    "calibrate threshold": (
        *("calibrate", "threshold", "scores.jsonl", "--thresholds", "0.5,0.4", "--epsilon", "0.5", "--delta", "0.1"),
    ),
    "calibrate recheck": ("calibrate", "recheck", "certificate.json", "trials.jsonl", "--keyring", "keyring.json"),
    "trace summary": ("trace", "summary", "trace.jsonl"),
    "ledger admit": (
        *("ledger", "admit", "a.ledger", "receipts.jsonl", "same-episode.json", "missing.json"),
        *("--documents", "contract.json", "--documents", "certificate.json", "--keyring", "keyring.json"),
    ),
    "ledger check": ("ledger", "check", "made.ledger", "--head", "head.json"),
    "ledger stats": ("ledger", "stats", "made.ledger"),
}
LINES = [name for name in RUNS if not name.startswith(("spec diff", "trace", "calibrate"))]


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell(tmp_path, capsys, monkeypatch)
    good, altered, stranger = receipts(3)
    altered["policy_update"] = 200
    stranger["issuer_key_id"] = "key.of.a.stranger"
    shell.write("receipts.jsonl", json_lines([good, altered, stranger, good, {**good, "certified": "yes"}]))
    for name in ("contract.json", "certificate.json"):
        shell.write(name, (OPENADAPT / name).read_bytes())
    forged = json.loads((OPENADAPT / "certificate.json").read_bytes())
    shell.write("forged.json", {**forged, "issued_at_policy_update": forged["issued_at_policy_update"] + 1})
    shell.write("keyring.json", {"dev.key.synthetic-proof": PUBLIC_KEY})
    shell.write("spec.yaml", SPEC)
    shell.write("other.yaml", SPEC.replace("1.0\n", "2.0\n", 1))
    shell.write("broken.yaml", SPEC.replace("fill_rate", "'no name'"))
    shell.write("trace.jsonl", "{}\n")
    control = {"trial_id": "control", "should_accept": True}
    faulty = [{"trial_id": f"f{i}", "should_accept": False, "fault_class": "a"} for i in range(9)]
    for name, answer in (("trials", {"accepted": False}), ("scores", {"score": 0.1})):
        good = {"accepted": True} if name == "trials" else {"score": 0.9}
        shell.write(f"{name}.jsonl", json_lines([{**control, **good}, *({**each, **answer} for each in faulty)]))
    shell.write("broken.jsonl", json_lines(faulty))
    shell.write("same-episode.json", receipts(4)[1])
    auditor = Auditor([field_contract()], [field_certificate()], {"dev.key.synthetic-proof": PUBLIC_KEY})
    with Ledger.open(tmp_path / "made.ledger", auditor) as ledger:
        ledger.admit(json.dumps(good))
        shell.write("head.json", ledger.head().signed(rr.SigningKey.generate("key.of.ledger.1")).text())
    return shell


def changes(output: Any) -> Iterator[tuple[str, Any]]:
    """The output with one member more, or one less, in a result, a finding, a problem or the summary."""
    places = [("summary",), *((part, index) for part in ("results", "problems") for index in range(len(output[part])))]
    for path in places:
        for name in [None, *_at(output, path)]:
            changed = copy.deepcopy(output)
            inner = _at(changed, path)
            if name is None:
                inner["more"] = 1
            elif name in ("warnings", "not_given") or (name == "kind" and output["summary"]["command"] == "score"):
                continue
            else:
                del inner[name]
            yield f"{path}: {'one member more' if name is None else f'without {name}'}", changed


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@pytest.mark.parametrize("name", RUNS)
def test_anything_that_a_command_prints_is_valid_and_nothing_can_be_added_or_left_out(shell: Shell, name: str) -> None:
    ran = shell(*RUNS[name], "-f", "json")
    output = rr.read_json(ran.out)
    assert output["summary"]["command"] == name.partition(" of ")[0]
    assert output["results"] or output["problems"]
    validator = output_validator("")
    assert validator.is_valid(output)
    assert [what for what, changed in changes(output) if validator.is_valid(changed)] == []


@pytest.mark.parametrize("name", LINES)
def test_each_line_of_json_lines_is_valid(shell: Shell, name: str) -> None:
    for line in shell(*RUNS[name], "-f", "jsonl").lines:
        record = rr.read_json(line)
        output_validator("#/$defs/Line").validate(record)
        for member in record.keys() - {"warnings", "not_given"}:
            if member in ("type", "file", "message", "verdict", "exit_status"):
                less = {key: value for key, value in record.items() if key != member}
                assert not output_validator("#/$defs/Line").is_valid(less), member


def test_a_command_that_nobody_knows_is_refused() -> None:
    summary = {"command": "dance", "exit_status": 0}
    with pytest.raises(jsonschema_rs.ValidationError):
        output_validator("").validate({"results": [], "problems": [], "summary": summary})


def test_the_schema_names_every_command_that_prints_json() -> None:
    from reward_receipts.cli.app import COMMANDS, load_command

    found = {name for name in COMMANDS if any(option.name == "form" for option in load_command(name).params)}
    found.remove("conformance run")  # it has a schema of its own
    schema = json.loads((OPENADAPT.parents[1] / "schemas" / "command-output.schema.json").read_bytes())
    assert set(schema["$defs"]["Summary"]["properties"]["command"]["enum"]) == found
