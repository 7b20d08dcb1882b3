"""The formats of the command line: what each looks like, and that all of them say the same."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import reward_receipts as rr
from command_line import COMMAND, Shell, json_lines, receipts
from field import OPENADAPT, PUBLIC_KEY, plain
from junitparser import JUnitXml
from reward_receipts.core.escaping import command_message, command_property
from syrupy.assertion import SnapshotAssertion

FORMATS = ("text", "json", "jsonl", "junit", "github")


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A folder with documents of every sort: good, altered, torn, repeated, and by an unknown signer."""
    shell = Shell(tmp_path, capsys, monkeypatch)
    good, altered, unscored = receipts(31)[0], receipts(31)[2], receipts(31)[30]
    altered["policy_update"] = 200
    shell.write("receipts.jsonl", json_lines([good, altered, unscored, good]) + b'{"nonce": tru}\n')
    stranger = {**receipts(2)[1], "issuer_key_id": "key.of.a.stranger"}
    shell.write("more.json", json.dumps([stranger, {**stranger, "certified": "yes", "100%:": 1}], indent=1))
    for name in ("contract.json", "certificate.json"):
        shell.write(name, (OPENADAPT / name).read_bytes())
    shell.write("keyring.json", {"dev.key.synthetic-proof": PUBLIC_KEY})
    return shell


RUNS = {
    "lint": ("lint", "receipts.jsonl", "more.json", "missing.json"),
    "digest": ("digest", "receipts.jsonl", "more.json", "missing.json"),
    "verify": ("verify", "receipts.jsonl", "more.json", "contract.json", "--keyring", "keyring.json"),
    "audit": (
        *("audit", "receipts.jsonl", "more.json", "missing.json", "--contract", "contract.json"),
        *("--certificate", "certificate.json", "--keyring", "keyring.json", "--at-update", "100"),
    ),
    "score": (
        *("score", "failed_platform", "--contract", "contract.json", "--tier", "1", "--policy-update", "100"),
        *("--certificate", "certificate.json"),
    ),
}


@pytest.mark.parametrize("command", RUNS)
@pytest.mark.parametrize("form", FORMATS)
def test_the_output_of_each_format(shell: Shell, command: str, form: str, snapshot: SnapshotAssertion) -> None:
    ran = shell(*RUNS[command], "-f", form)
    assert f"{ran.out}--- standard error\n{ran.err}--- exit status {ran.status}\n" == snapshot


@pytest.mark.parametrize("command", RUNS)
def test_every_format_comes_to_the_same(shell: Shell, command: str) -> None:
    runs = {form: shell(*RUNS[command], "-f", form) for form in FORMATS}
    assert {ran.status for ran in runs.values()} == {0 if command == "score" else 1}
    assert len({ran.err for ran in runs.values()}) == 1

    whole = json.loads(runs["json"].out)
    found = [f["code"] for result in whole["results"] for f in result["findings"]]
    unchecked = [f["code"] for result in whole["results"] for f in result["unchecked"]]
    messages = [problem["message"] for problem in whole["problems"]]
    assert whole["summary"]["exit_status"] == runs["json"].status
    assert whole["summary"]["findings"] == len(found)
    assert bool(messages) == (command != "score")

    records = [rr.read_json(line) for line in runs["jsonl"].lines]
    of_type = {
        kind: [{k: v for k, v in r.items() if k != "type"} for r in records if r["type"] == kind]
        for kind in ("result", "problem", "summary")
    }
    assert of_type == {"result": whole["results"], "problem": whole["problems"], "summary": [whole["summary"]]}

    cases = [case for suite in JUnitXml.fromstring(runs["junit"].out) for case in suite]
    assert len(cases) == len(whole["results"]) + len(messages)
    outcomes = [outcome for case in cases for outcome in case.result]
    problems = [outcome.message for outcome in outcomes if outcome.type == "undecided"]
    assert problems == messages
    said = [line for outcome in outcomes for line in (outcome.text or outcome.message).splitlines()]
    said = [line for line in said if line not in messages]
    assert [line.split(" ")[2] for line in said if not line.startswith("unchecked ")] == found
    assert [line.split(" ")[3] for line in said if line.startswith("unchecked ")] == unchecked

    commands = [re.fullmatch(r"::(\w+) file=[^,:]*,.*?title=([^,:]*)::.*", line) for line in runs["github"].lines]
    titles = [(match[1], match[2]) for match in commands if match is not None]
    assert len(titles) == len(commands)
    errors_said = [title for level, title in titles if level == "error"]
    assert sorted(errors_said) == sorted([*found, *["undecided"] * len(messages)])
    assert [title for level, title in titles if level == "warning"] == unchecked

    text = [line.split(" ") for line in runs["text"].lines if re.match(r"\S+:\d+:\d+ \S", line)]
    assert [words[2] for words in text if words[2] != "unchecked"] == found
    assert [words[3] for words in text if words[2] == "unchecked"] == unchecked
    for message in messages:
        assert message in runs["text"].err


def test_junit_counts_test_cases_not_findings(shell: Shell) -> None:
    wrong = {**receipts(1)[0], "oracle_tier": 0}
    shell.write("two_findings.json", wrong)
    for arguments, counts in (
        (("lint", "two_findings.json"), (1, 1, 0)),
        (("audit", "receipts.jsonl"), (5, 1, 4)),
        (RUNS["audit"], (8, 6, 2)),
    ):
        [suite] = JUnitXml.fromstring(shell(*arguments, "-f", "junit").out)
        assert (suite.tests, suite.failures, suite.errors) == counts
        assert all(len(case.result) <= 1 for case in suite)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii", "latin-1"])
def test_junit_is_utf8_in_every_locale(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "pr\u00fcfling\u2028\u6f22.json").write_text("{}")
    ran = subprocess.run(
        [*COMMAND, "lint", "-f", "junit", "pr\u00fcfling\u2028\u6f22.json"],
        check=False,
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert ran.returncode == 1
    case = ElementTree.fromstring(ran.stdout).find("*/testcase")
    assert case is not None
    assert case.get("name") == '"pr\u00fcfling\\u2028\u6f22.json"'


def test_a_workflow_command_cannot_be_broken_out_of() -> None:
    assert command_message("100%\r\n::error::x, y: z") == "100%25%0D%0A::error::x, y: z"
    assert command_property("a%b\r\nc:d,e") == "a%25b%0D%0Ac%3Ad%2Ce"
    assert command_message("\x1b[31m") == "\\x1b[31m"


def test_a_file_name_with_every_separator(shell: Shell) -> None:
    name = "a,b:c%d\ne.json"
    shell.write(name, {})
    assert shell("lint", name, "-f", "github").out.startswith(
        "::error file=a%2Cb%3Ac%25d%0Ae.json,line=1,col=1,title=schema.req"
    )
    assert shell("lint", name).out.startswith('"a,b:c%d\\ne.json":1:1 (document) schema.required ')
    assert json.loads(shell("lint", name, "-f", "json").out)["results"][0]["file"] == name


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_name_that_is_not_utf8(shell: Shell, form: str) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    shell.write(name, {})
    ran = shell("lint", name, "gone" + name, "-f", form)
    assert ran.status == 1
    assert "caf\\udce9.json" in ran.out.replace("\\\\", "\\")
    if form == "jsonl":
        for line in ran.lines:
            rr.read_json(line)


def test_an_unscored_scalar_is_null(shell: Shell) -> None:
    result: dict[str, Any] = json.loads(shell(*RUNS["audit"], "-f", "json").out)["results"][2]
    assert (result["reward_outcome"], result["scalar_reward"]) == ("failed_platform", None)


def in_a_terminal(*arguments: str, folder: Path, **environment: str) -> str:
    """What a command writes where standard output is a terminal."""
    leader, follower = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=follower, stderr=subprocess.DEVNULL, cwd=folder, env={**env, **environment}
    ):
        os.close(follower)
        written = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # Linux raises it if the other end is closed
                break
            if not piece:
                break
            written += piece
    os.close(leader)
    return written.decode()


def test_colour_is_for_terminals_and_for_who_wants_it(shell: Shell) -> None:
    shell.write("receipt.json", {**plain(OPENADAPT / "receipts.json")[0], "certified": "yes"})
    run = ("lint", "receipt.json")
    coloured = in_a_terminal(*run, folder=shell.folder, TERM="xterm")
    assert " \x1b[31mschema.type\x1b[0m " in coloured
    bare = re.sub(r"\x1b\[\d+m", "", coloured).replace("\r\n", "\n")
    assert bare == shell(*run).out
    for environment in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}):
        assert "\x1b" not in in_a_terminal(*run, folder=shell.folder, **environment)
    assert "\x1b" not in in_a_terminal(*run, "-f", "json", folder=shell.folder, TERM="xterm")


@pytest.mark.parametrize("form", FORMATS)
def test_anything_that_cannot_be_decided_is_reported_in_every_format(shell: Shell, form: str) -> None:
    message = "cannot read missing.json: No such file or directory"
    ran = shell("lint", "missing.json", "-f", form)
    assert ran.status == 2
    assert ran.err == f"reward-receipts: {message}\n0 documents, 0 findings, 1 undecided\n"
    assert (message in ran.out) == (form != "text")


@pytest.mark.parametrize("form", FORMATS)
def test_standard_input_goes_by_one_name_in_every_format(shell: Shell, form: str) -> None:
    ran = shell("lint", "-", "-f", form, stdin=b"{}")
    assert ran.status == 1
    assert "<stdin>" in ran.out.replace("&lt;", "<").replace("&gt;", ">")
    empty = shell("lint", "-", "-f", form)
    assert empty.status == 2
    assert "no document in <stdin>" in empty.err
