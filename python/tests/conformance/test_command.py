"""``reward-receipts conformance``: what it prints, in every format, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import small_corpus
from checkout import ROOT
from reward_receipts.cli import main
from reward_receipts.conformance import files
from reward_receipts.conformance.corpus import load
from reward_receipts.conformance.process import MAX_LINE
from reward_receipts.conformance.protocol import LAYERS, MAX_REQUEST, OPERATIONS, request_line
from test_runner import OWN, every, few, mark, on_comma, toy_command

__all__ = ["every", "few", "mark"]  # the fixtures

FORMATS = ("text", "json", "junit", "markdown")
RIGHT = "hello()\nfor request in requests(): answer(request)"
WRONG = on_comma('say({"id": request["id"], "answer": {"valid": True}})')
SCHEMAS = ROOT / "conformance" / "schemas"

Said = tuple[int, str, str]
Command = Callable[..., Said]


@pytest.fixture
def conformance(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command below ``conformance``: exit status, standard output, standard error."""

    def run(*arguments: str) -> Said:
        status = main(["conformance", *arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def of_toy(conformance: Command, tmp_path: Path, few: Path) -> Command:
    """Runs a toy driver on the four cases of ``few``, with options."""

    def run(script: str, *options: str) -> Said:
        return conformance("run", "--cases", str(few), *options, "--", *toy_command(tmp_path, script, few))

    return run


def days(number: int) -> str:
    return (datetime.now(UTC).date() + timedelta(days=number)).isoformat()


def expected(tmp_path: Path, *entries: dict[str, str] | str) -> str:
    """The path of a list of expected failures."""
    file = tmp_path / "expected.jsonl"
    file.write_text("".join((e if isinstance(e, str) else json.dumps(e)) + "\n" for e in entries))
    return str(file)


def entry(case_id: str, reason: str = "a difference that is known", expires: str = "") -> dict[str, str]:
    return {"id": case_id, "reason": reason, "expires": expires or days(1)}


def valid(report: Any, schema: str) -> None:
    jsonschema.Draft202012Validator(json.loads((SCHEMAS / schema).read_text())).validate(report)


# Exit status and formats


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("script", "status"), [(RIGHT, 0), (WRONG, 1), ("", 1)], ids=["right", "wrong", "no hello"])
def test_the_exit_status_is_the_same_in_every_format(of_toy: Command, form: str, script: str, status: int) -> None:
    found, out, err = of_toy(script, "-f", form)
    assert found == status
    assert out
    assert err == ""


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--layer", "jsn"], '"jsn"'),
        (["--case", "json/no-such"], '"json/no-such"'),
        (["--case", "jso"], '"jso"'),
        (["--explain", "json/no-such"], '"json/no-such"'),
        (["--timeout", "0"], "--timeout 0"),
        (["--timeout", "nan"], "--timeout nan"),
        (["--start-timeout", "-1"], "--start-timeout -1"),
        (["--xfail", "no-such-file"], "no-such-file"),
    ],
)
def test_anything_that_the_corpus_does_not_have_is_exit_2_with_its_name(
    of_toy: Command, form: str, options: list[str], named: str
) -> None:
    status, out, err = of_toy(RIGHT, "-f", form, *options)
    assert (status, out) == (2, "")
    assert named in err
    assert err.startswith("reward-receipts: ")
    assert err.count("\n") == 1


def test_a_selection_that_leaves_nothing_is_exit_2(conformance: Command, every: Path) -> None:
    options = ["--cases", str(every), "--layer", "score", "--case", "json/object"]
    status, out, err = conformance("run", *options, "--", *OWN)
    assert (status, out) == (2, "")
    assert "no case is both in a layer and under a name that was selected" in err


@pytest.mark.parametrize("form", FORMATS)
def test_a_missing_command_is_exit_2(conformance: Command, few: Path, form: str) -> None:
    for arguments in ([], ["--"]):
        status, out, err = conformance("run", "--cases", str(few), "-f", form, *arguments)
        assert (status, out) == (2, "")
        assert "no command" in err


@pytest.mark.parametrize("form", FORMATS)
def test_a_command_that_cannot_be_started_is_exit_2_with_its_name(conformance: Command, few: Path, form: str) -> None:
    status, out, err = conformance("run", "--cases", str(few), "-f", form, "--", "no-such-command", "--loud")
    assert (status, out) == (2, "")
    assert "cannot start no-such-command: No such file" in err


def test_the_options_of_the_driver_are_its_own(conformance: Command, tmp_path: Path, few: Path) -> None:
    script = f"assert sys.argv[2:] == ['--layer', '-f', '--', 'x']\n{RIGHT}"
    command = toy_command(tmp_path, script, few, "--layer", "-f", "--", "x")
    assert conformance("run", "--cases", str(few), "--", *command)[0] == 0


def test_a_seed_is_taken_or_made_and_said(of_toy: Command) -> None:
    assert "seed 17\n" in of_toy(RIGHT, "--seed", "17")[1]
    seeds = {json.loads(of_toy(RIGHT, "-f", "json")[1])["seed"] for _ in range(3)}
    assert len(seeds) > 1


# What a report says


def test_the_text_has_no_percentage_and_ends_in_the_claim(of_toy: Command) -> None:
    _, out, _ = of_toy(RIGHT, "--seed", "1")
    assert out.splitlines() == [
        "toy 1 (Python), corpus 1.0.0: 4 cases, 2 passes, seed 1",
        "",
        "layer               accepts       refusals       rule ids         others  statuses",
        "json                 2 of 2         2 of 2         2 of 2              -  4 pass",
        "",
        "conformant at json of corpus 1.0.0",
    ]


def test_the_text_names_what_fails(of_toy: Command) -> None:
    _, out, _ = of_toy(WRONG, "--seed", "1")
    assert "json                 2 of 2         1 of 2         1 of 2              -  1 fail, 3 pass\n" in out
    assert "fail           json/comma: accepted, expected refused (json.syntax)\n" in out
    assert out.endswith("\nnot conformant: 1 fail of 4 required cases in json\n")


def test_the_text_shows_how_a_driver_that_could_not_start_up_ended(of_toy: Command) -> None:
    _, out, _ = of_toy("raise ImportError('no such module')")
    assert "    ImportError: no such module\n" in out
    assert out.endswith("not conformant: crash: it ended with status 1 before its hello\n")


def test_a_driver_cannot_write_to_the_terminal(of_toy: Command) -> None:
    script = on_comma('say({"id": request["id"], "error": "\\x1b[2J\\u202e"})').replace(
        "hello()", "hello(name='\\x07')"
    )
    for form in FORMATS:
        out = of_toy(script, "-f", form)[1]
        assert not {"\x1b", "\x07", "\u202e"} & set(out)


def test_a_driver_cannot_run_workflow_commands(of_toy: Command, tmp_path: Path, capsys: Any) -> None:
    name = "hello(name='::error::x ##[error]y', version='1\\n::set-output name=a::b')"
    script = on_comma("sys.stderr.write('::error::z\\n##vso[task.x]\\n'); os.abort()").replace("hello()", name)
    written = {form: of_toy(script, "-f", form)[1] for form in FORMATS}
    (tmp_path / "report.json").write_text(written["json"])
    assert main(["conformance", "matrix", str(tmp_path / "report.json")]) == 0
    written["matrix"] = capsys.readouterr().out
    for form, out in written.items():
        assert "##[" not in out, form
        assert "##vso[" not in out, form
        assert not [line for line in out.splitlines() if line.lstrip().startswith("::")], form
        assert "::error::x" in out.replace("\\x3a", ":"), form


@pytest.mark.parametrize("script", [RIGHT, WRONG, "", on_comma("os.abort()")], ids=["right", "wrong", "none", "crash"])
def test_the_json_report_has_the_form_of_its_schema(of_toy: Command, script: str) -> None:
    status, out, _ = of_toy(script, "-f", "json")
    report = json.loads(out)
    valid(report, "report.schema.json")
    assert report["exit_status"] == status
    assert report["claim"]["conformant"] is (status == 0)


def test_the_json_report_names_rule_ids(of_toy: Command) -> None:
    script = on_comma('say({"id": request["id"], "answer": {"valid": False, "codes": ["json.depth"]}})')
    report = json.loads(of_toy(script, "-f", "json")[1])
    case = next(case for case in report["cases"] if case["id"] == "json/comma")
    assert case["status"] == "pass"
    assert case["rule_id"] == {"expected": "json.syntax", "given": "json.depth"}
    assert report["layers"]["json"]["rule_ids"] == {"passed": 1, "of": 2}


def test_junit_has_a_test_for_each_case_and_one_for_the_claim(of_toy: Command) -> None:
    suite = ElementTree.fromstring(of_toy(WRONG, "-f", "junit")[1]).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "0")
    failed = [test.get("name") for test in suite.findall("testcase") if test.find("failure") is not None]
    assert sorted(map(str, failed)) == ["claim", "json/comma"]


def test_markdown_is_a_matrix(of_toy: Command) -> None:
    lines = of_toy(WRONG, "-f", "markdown")[1].splitlines()
    assert lines[0] == "Corpus 1.0.0"
    assert lines[2:6] == [
        "| layer | toy 1 (Python) |",
        "| --- | --- |",
        "| json | accepts 2 of 2, refusals 1 of 2, rule ids 1 of 2 |",
        "| claim | not conformant: 1 fail of 4 required cases in json |",
    ]


def test_a_matrix_puts_implementations_beside_each_other(
    of_toy: Command, conformance: Command, tmp_path: Path, every: Path
) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(of_toy(WRONG.replace("hello()", "hello(name='a|b')"), "-f", "json")[1])
    other.write_text(conformance("run", "--cases", str(every), "-f", "json", "--", *OWN)[1])
    status, out, _ = conformance("matrix", str(one), str(other))
    assert status == 0
    rows = [line.replace("\\|", "/").strip("| ").split(" | ") for line in out.splitlines() if line.startswith("|")]
    assert [row[0] for row in rows] == ["layer", "---", *LAYERS, "claim"]
    assert rows[0][1] == "a/b 1 (Python)"
    assert rows[2][1:] == [
        "accepts 2 of 2, refusals 1 of 2, rule ids 1 of 2",
        "all required pass: accepts 2 of 2, refusals 5 of 5, rule ids 5 of 5",
    ]
    assert rows[5][1:] == ["not selected", "all required pass: 2 of 2"]


@pytest.mark.parametrize(
    "what",
    [
        *("no JSON", "{}", "[]", '{"report": 2}', "NaN", "[" * 200_000, '{"report":' * 200_000),
        "[" * 200_000 + "]" * 200_000,
    ],
    ids=lambda what: what[:14],
)
def test_a_matrix_of_what_is_not_a_report_is_exit_2_with_its_name(
    conformance: Command, tmp_path: Path, what: str
) -> None:
    file = tmp_path / "report.json"
    file.write_text(what)
    status, out, err = conformance("matrix", str(file))
    assert (status, out) == (2, "")
    assert str(file) in err


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("implementation", "name"), ["a", "b"]),
        (("implementation",), "me"),
        (("corpus",), "1.1.0\n::error::x"),
        (("claim", "sentence"), 1),
        (("layers", "json", "accepts", "passed"), "all"),
        (("layers", "json", "statuses"), {"splendid": 9}),
        (("layers",), [{}]),
        (("selection", "cases"), "json"),
    ],
    ids=lambda part: "/".join(part) if isinstance(part, tuple) else None,
)
def test_a_report_with_a_value_of_a_wrong_type_is_exit_2(
    of_toy: Command, conformance: Command, tmp_path: Path, path: tuple[str, ...], value: Any
) -> None:
    report = json.loads(of_toy(RIGHT, "-f", "json")[1])
    inner = report
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report))
    status, out, err = conformance("matrix", str(file))
    assert (status, out) == (2, "")
    assert err.startswith(f"reward-receipts: {file} is not a report of conformance run -f json: ")
    assert path[0] in err
    assert err.count("\n") == 1


ENDLESS = """
import re, sys
from pathlib import Path
from reward_receipts.cli import main
status = main(sys.argv[1:])
# VmHWM is of this program; ru_maxrss would count the memory of the process that started it as well.
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1], file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
@pytest.mark.parametrize("what", ["report", "expected failures", "manifest", "cases"])
@pytest.mark.parametrize("file", ["/dev/zero", "a long one", "a pipe"])
def test_a_file_that_never_ends_is_exit_2_in_bounded_memory(tmp_path: Path, few: Path, what: str, file: str) -> None:
    corpus = shutil.copytree(few, tmp_path / "corpus")
    endless = tmp_path / "endless"
    if file == "a pipe":
        os.mkfifo(endless)
    elif file == "/dev/zero":
        endless.symlink_to(file)
    else:
        with endless.open("wb") as sparse:
            sparse.truncate(2**32)
    arguments = ["run", "--cases", str(corpus), "--", *OWN]
    if what == "report":
        arguments = ["matrix", str(endless)]
    elif what == "expected failures":
        arguments[1:1] = ["--xfail", str(endless)]
    else:
        target = corpus / ("manifest.json" if what == "manifest" else "cases/json.jsonl")
        target.unlink()
        target.symlink_to(endless)
    command = [sys.executable, "-c", ENDLESS, "conformance", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    said, peak = done.stderr.splitlines()
    assert said.startswith("reward-receipts: ")
    assert "not a regular file" in said or "bytes, which is the most that is read" in said
    assert int(peak) < 200 * 1024


def test_a_matrix_is_of_one_corpus(of_toy: Command, conformance: Command, tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(of_toy(RIGHT, "-f", "json")[1])
    other.write_text(one.read_text().replace('"corpus": "1.0.0"', '"corpus": "2.0.0"'))
    status, _, err = conformance("matrix", str(one), str(other))
    assert status == 2
    assert "corpus 1.0.0 and 2.0.0" in err
    assert conformance("matrix", "no-such.json")[0] == 2


# What may be claimed


def test_a_claim_says_so_where_only_some_layers_were_selected(conformance: Command, every: Path) -> None:
    options = ["--cases", str(every), "--layer", "json", "--layer", "digest"]
    status, out, _ = conformance("run", *options, "--", *OWN)
    assert status == 0
    assert out.endswith("\nconformant at json, digest of corpus 1.0.0, the only layers that were selected\n")
    assert "only the layers json, digest\n" in out


def test_a_selection_of_cases_is_not_a_claim(of_toy: Command) -> None:
    status, out, _ = of_toy(WRONG, "--case", "json/object", "--case", "json/open")
    assert status == 0
    assert out.endswith("\npasses 2 cases of corpus 1.0.0 that were selected (json); this is not a conformance claim\n")


def test_a_case_is_also_selected_by_the_start_of_its_id(conformance: Command, every: Path) -> None:
    for name in ("rules/receipt.certified-tier", "rules/receipt.certified-tier/", "rules/*"):
        report = conformance("run", "--cases", str(every), "--case", name, "-f", "json", "--", *OWN)[1]
        assert [case["id"] for case in json.loads(report)["cases"]] == ["rules/receipt.certified-tier/tier-0"]


def test_nothing_claimed_is_not_a_claim(of_toy: Command) -> None:
    status, out, _ = of_toy("hello(layers=[], operations=[])\nfor request in requests(): pass")
    assert status == 1
    assert "none of the selected layers is claimed" in out


def test_a_recommended_case_is_shown_and_does_not_decide(conformance: Command, tmp_path: Path) -> None:
    cases = small_corpus.a_few()
    cases[2]["level"] = "recommended"
    folder = small_corpus.write(tmp_path / "corpus", cases)
    status, out, _ = conformance("run", "--cases", str(folder), "--", *toy_command(tmp_path, WRONG, folder))
    assert status == 0
    assert "fail           json/comma (recommended): accepted" in out


@pytest.mark.parametrize(
    "what",
    [
        'say({"id": request["id"], "skip": "not yet"})',
        "number = globals().get('number', 0) + 1; say({'id': request['id'], 'answer': {'valid': number > 1}})",
        "os.abort()",
    ],
    ids=["skip", "unstable", "crash"],
)
def test_nothing_but_passes_is_a_claim(of_toy: Command, what: str) -> None:
    status, out, _ = of_toy(on_comma(what))
    assert status == 1
    assert "\nnot conformant: 1 " in out


# Expected failures


def test_an_expected_failure_is_not_a_claim_and_as_expected(of_toy: Command, tmp_path: Path) -> None:
    status, out, _ = of_toy(WRONG, "--xfail", expected(tmp_path, "# known", "", entry("json/comma")), "-f", "json")
    report = json.loads(out)
    assert status == 1
    assert report["claim"] == {
        "conformant": False,
        "as_expected": True,
        "sentence": "not conformant: 1 xfail of 4 required cases in json",
    }
    case = next(case for case in report["cases"] if case["id"] == "json/comma")
    assert case["status"] == "xfail"
    assert case["detail"] == "a difference that is known (fail: accepted, expected refused (json.syntax))"


@pytest.mark.parametrize("what", ["os.abort()", 'print("log", flush=True)', 'say({"id": request["id"], "error": "x"})'])
def test_trouble_can_be_expected_too(of_toy: Command, tmp_path: Path, what: str) -> None:
    report = json.loads(of_toy(on_comma(what), "--xfail", expected(tmp_path, entry("json/comma")), "-f", "json")[1])
    assert report["claim"]["as_expected"]
    assert report["layers"]["json"]["statuses"] == {"pass": 3, "xfail": 1}


def test_an_expected_failure_that_passes_fails_the_run(of_toy: Command, tmp_path: Path) -> None:
    status, out, _ = of_toy(RIGHT, "--xfail", expected(tmp_path, entry("json/comma")))
    assert status == 1
    assert "xpass          json/comma: it was expected to fail: a difference that is known\n" in out
    assert "the expected failure json/comma names 1 that pass" in out


def test_an_entry_of_which_some_pass_fails_the_run(of_toy: Command, tmp_path: Path) -> None:
    report = json.loads(of_toy(WRONG, "--xfail", expected(tmp_path, entry("json/*")), "-f", "json")[1])
    assert report["expected_failures"] == ["the expected failure json/* names 3 that pass"]
    assert report["claim"]["as_expected"] is False


def test_an_entry_that_expired_excuses_nothing_and_fails_the_run(of_toy: Command, tmp_path: Path) -> None:
    status, out, _ = of_toy(WRONG, "--xfail", expected(tmp_path, entry("json/comma", expires=days(-1))), "-f", "json")
    report = json.loads(out)
    assert status == 1
    assert report["expected_failures"] == [f"the expected failure json/comma expired on {days(-1)}"]
    assert report["layers"]["json"]["statuses"] == {"fail": 1, "pass": 3}


def test_an_entry_holds_on_its_last_day(of_toy: Command, tmp_path: Path) -> None:
    report = json.loads(
        of_toy(WRONG, "--xfail", expected(tmp_path, entry("json/comma", expires=days(0))), "-f", "json")[1]
    )
    assert report["claim"]["as_expected"] is True


def test_an_entry_that_no_failing_case_matches_fails_the_run(of_toy: Command, tmp_path: Path) -> None:
    script = on_comma('say({"id": request["id"], "skip": "not yet"})')
    _, out, _ = of_toy(script, "--xfail", expected(tmp_path, entry("json/comma")))
    assert "the expected failure json/comma names no case that fails" in out


def test_an_entry_of_a_layer_that_was_not_selected_is_left_alone(
    conformance: Command, tmp_path: Path, every: Path
) -> None:
    options = ["--layer", "json", "--xfail", expected(tmp_path, entry("digest/number"))]
    assert conformance("run", "--cases", str(every), *options, "--", *OWN)[0] == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (entry("json/no-such"), 'no case "json/no-such"'),
        (entry("jsn/*"), 'no case "jsn/*"'),
        (entry("json"), 'no case "json"'),
        (entry("json/comma", reason=" "), "is not a reason"),
        (entry("json/comma", reason="TODO: say why"), "is not a reason"),
        (entry("json/comma", reason="todo"), "is not a reason"),
        (entry("json/comma", expires="2027-02-30"), 'expires is "2027-02-30"'),
        (entry("json/comma", expires="20270201"), 'expires is "20270201"'),
        (entry("json/comma", expires="never"), 'expires is "never"'),
        ({"id": "json/comma", "reason": "known"}, "must have id, reason and expires"),
        ({"id": "json/comma", "reason": "known", "expires": None}, "must be text"),
        ("json/comma", "no JSON"),
        ('{"id": "json/comma", "id": "json/open"}', "no JSON"),
    ],
)
def test_a_list_of_expected_failures_that_is_wrong_is_exit_2_with_the_line(
    of_toy: Command, tmp_path: Path, line: Any, said: str
) -> None:
    file = expected(tmp_path, entry("json/open"), line)
    status, out, err = of_toy(RIGHT, "--xfail", file)
    assert (status, out) == (2, "")
    assert f"{file}:2: " in err
    assert said in err


def test_a_case_is_expected_to_fail_once(of_toy: Command, tmp_path: Path) -> None:
    file = expected(tmp_path, entry("json/*"), entry("json/comma"))
    status, _, err = of_toy(WRONG, "--xfail", file)
    assert status == 2
    assert f"{file}:2: json/comma is named by json/* already" in err


def test_the_list_is_drafted_and_does_not_hold_until_somebody_says_why(of_toy: Command, tmp_path: Path) -> None:
    draft = tmp_path / "draft.jsonl"
    script = """
    hello()
    for request in requests():
        say({"id": request["id"], "answer": {"valid": True}})
    """
    assert of_toy(script, "--write-xfail", str(draft))[0] == 1
    entries = [json.loads(line) for line in draft.read_text().splitlines()]
    assert entries == [entry(case_id, "TODO: say why", days(90)) for case_id in ("json/comma", "json/open")]
    status, _, err = of_toy(script, "--xfail", str(draft))
    assert status == 2
    assert '"TODO: say why" is not a reason' in err
    draft.write_text(draft.read_text().replace("TODO: say why", "it reads anything"))
    assert json.loads(of_toy(script, "--xfail", str(draft), "-f", "json")[1])["claim"]["as_expected"] is True


def test_a_draft_keeps_the_reasons_that_there_are(of_toy: Command, tmp_path: Path) -> None:
    draft = tmp_path / "draft.jsonl"
    known = entry("json/comma", "it reads commas")
    script = 'hello()\nfor request in requests(): say({"id": request["id"], "answer": {"valid": True}})'
    of_toy(script, "--xfail", expected(tmp_path, known), "--write-xfail", str(draft))
    assert [json.loads(line) for line in draft.read_text().splitlines()] == [
        known,
        entry("json/open", "TODO: say why", days(90)),
    ]


def test_a_draft_is_never_written_over_a_file(of_toy: Command, tmp_path: Path) -> None:
    draft = tmp_path / "draft.jsonl"
    draft.write_text("mine")
    status, out, err = of_toy(WRONG, "--write-xfail", str(draft))
    assert (status, out) == (2, "")
    assert f"{draft} exists" in err
    assert draft.read_text() == "mine"


# --explain


def test_explain_says_what_a_case_asks_and_expects(conformance: Command, every: Path) -> None:
    status, out, _ = conformance("run", "--cases", str(every), "--explain", "digest/number")
    assert status == 0
    assert out.splitlines() == [
        "digest/number",
        "    The case digest/number is answered as it must be.",
        "    layer digest, required, section 4, operation canonical",
        "",
        "text (14 bytes):",
        '    {"a": 0.00001}',
        "",
        "expected canonical bytes (11 bytes):",
        '    {"a":1e-05}',
    ]


def test_explain_shows_bytes_that_are_not_text(conformance: Command, every: Path) -> None:
    assert "text (5 bytes):\n    \\ufeff{}\n" in conformance("run", "--cases", str(every), "--explain", "json/bom")[1]
    assert 'text (3 bytes):\n    "\\xff"\n' in conformance("run", "--cases", str(every), "--explain", "json/utf8")[1]
    long = conformance("run", "--cases", str(every), "--explain", "json/size")[1]
    assert "text (1048577 bytes):" in long
    assert len(long) < 10_000


def test_explain_shows_the_first_byte_that_differs(conformance: Command, every: Path, tmp_path: Path) -> None:
    script = """
    hello()
    for request in requests():
        assert request["operation"] == "canonical", "only this case is asked"
        say({"id": request["id"], "answer": {"canonical": base64.b64encode(b'{"a":0.00001}').decode()}})
    """
    command = toy_command(tmp_path, script, every)
    status, out, _ = conformance("run", "--cases", str(every), "--explain", "digest/number", "--", *command)
    assert status == 1
    assert (
        "canonical differs at byte 5: 0x30 in '{\"a\":' >>> '0.00001}', expected 0x31 in '{\"a\":' >>> '1e-05}'" in out
    )
    assert 'canonical bytes of the answer (13 bytes):\n    {"a":0.00001}\n' in out


def test_explain_shows_what_a_signature_is_over(conformance: Command, every: Path) -> None:
    status, out, _ = conformance("run", "--cases", str(every), "--explain", "signature/tampered", "--", *OWN)
    assert status == 0
    assert "\nstatus: pass\n" in out
    signed = out.split("what the signature is over (", 1)[1].splitlines()[1].strip()
    assert "signature" not in json.loads(signed)
    assert "What is certified here is synthetic" in out


def test_explain_says_why_nothing_was_answered(of_toy: Command) -> None:
    status, out, _ = of_toy("raise ImportError('no such module')", "--explain", "json/comma")
    assert status == 1
    assert "the run: crash: it ended with status 1 before its hello\n" in out
    assert "    ImportError: no such module\n" in out


# The corpus


def edited(folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text()
    assert old in text
    (folder / path).write_text(text.replace(old, new, 1))


def rehashed(folder: Path) -> None:
    """Makes the manifest right again after the cases were changed."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for file in manifest["files"]:
        file["sha256"] = small_corpus.digest((folder / file["path"]).read_bytes())
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        ("cases/json.jsonl", "answered", "Answered", "cases/json.jsonl has the hash"),
        ("manifest.json", '"corpus": "1.0.0"', '"corpus": 1', "manifest.json: corpus is 1"),
        ("manifest.json", '"protocol": 1', '"protocol": 2', "manifest.json: protocol is 2"),
        ("manifest.json", '"cases": 4', '"cases": 5', "cases/json.jsonl has 4 cases; manifest.json says 5"),
        (
            "manifest.json",
            "cases/json.jsonl",
            "../json.jsonl",
            'manifest.json: files/0/path is "../json.jsonl"; it does not match',
        ),
        ("manifest.json", "cases/json.jsonl", "cases/no.jsonl", "cannot read cases/no.jsonl"),
        ("manifest.json", "{", "", "manifest.json: not JSON"),
        ("manifest.json", "{", "[{", "manifest.json: not JSON"),
    ],
)
def test_a_corpus_that_is_not_what_its_manifest_says_is_exit_2(
    conformance: Command, tmp_path: Path, path: str, old: str, new: str, said: str
) -> None:
    folder = small_corpus.write(tmp_path / "corpus", small_corpus.a_few())
    edited(folder, path, old, new)
    for form in FORMATS:
        status, out, err = conformance("run", "--cases", str(folder), "-f", form, "--", *OWN)
        assert (status, out) == (2, "")
        assert said in err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"id": "json/array"', '"id": "JSON"', 'JSON: id is "JSON"; it does not match'),
        ('"id": "json/array"', '"id": "json/object"', "case json/object is there twice"),
        ('"operation": "read"', '"operation": "dance"', 'json/object: operation is "dance"'),
        ('"layer": "json"', '"layer": "jsn"', 'json/object: layer is "jsn"'),
        ('"level": "required"', '"level": "optional"', 'json/object: level is "optional"'),
        ('"section": "4"', '"section": 4', "json/object: section is 4"),
        (
            '"valid": true',
            '"valid": 1',
            'json/object: expect is {"valid": 1}; it must be {valid: true} or {valid: false',
        ),
        ('"text": "{}"', '"text": "[]"', "json/object: text has the hash"),
        ('{"text": "{}"}', '"{}"', 'json/object: input/text is "{}"; it must be object'),
        ('{"text": "{}"}', '{"base64": "e30"}', 'json/object: input/text/base64 is "e30"; it does not match'),
        ('{"text": "{}"}', '{"text": "\\ud800"}', "json/object: "),
        ('"arguments": {}', '"arguments": [1]', "json/object: arguments is [1]"),
        ('{"id"', '"id"', "not JSON"),
        (
            '{"text": "{}"}',
            '{"text": "{}", "pad": {"with": " ", "to": 8388608}}',
            "input/text/pad/to is 8388608; it is greater than the maximum of 1100000",
        ),
        (
            '{"text": "{}"}',
            '{"text": "{}", "pad": {"with": " ", "to": "many"}}',
            'json/object: input/text/pad/to is "many"; it must be integer',
        ),
        ('"kind": null', '"kind": "letter"', 'json/object: kind is "letter"; it must be "contract" or'),
        ('"arguments": {}', '"arguments": {"tier": NaN}', "NaN is not JSON"),
        ('"arguments": {}', '"arguments": {"tier": ' + "[" * 5_000 + "]" * 5_000 + "}", "case"),
        ('"arguments": {}', '"arguments": {"tier": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested too deeply"),
        ('{"id"', '[]\n{"id"', "cases/json.jsonl:1: a case is []; it must be object"),
    ],
)
def test_a_case_that_is_none_is_exit_2_with_file_line_and_id(
    conformance: Command, tmp_path: Path, old: str, new: str, said: str
) -> None:
    folder = small_corpus.write(tmp_path / "corpus", small_corpus.a_few())
    edited(folder, "cases/json.jsonl", old, new)
    rehashed(folder)
    status, out, err = conformance("run", "--cases", str(folder), "--", *OWN)
    assert (status, out) == (2, "")
    assert "cases/json.jsonl" in err
    assert said in err


def test_a_folder_that_is_not_a_corpus_is_exit_2(conformance: Command, tmp_path: Path) -> None:
    assert conformance("run", "--cases", str(tmp_path), "--", *OWN) == (
        2,
        "",
        "reward-receipts: cannot read manifest.json of the corpus: No such file or directory\n",
    )


# The protocol's schema says what the runner takes


def test_the_protocol_names_the_longest_lines() -> None:
    says = json.loads((SCHEMAS / "protocol.schema.json").read_text())["description"]
    assert f"at most {MAX_LINE} bytes" in says
    assert f"it reads at most {MAX_REQUEST}," in says
    longest = max(len(request_line(case, "0" * 16)) for case in load().cases)
    assert MAX_LINE < longest < MAX_REQUEST


def test_the_protocol_schema_knows_the_layers_and_operations() -> None:
    definitions = json.loads((SCHEMAS / "protocol.schema.json").read_text())["$defs"]
    members = definitions["Hello"]["properties"]["hello"]["properties"]
    assert tuple(members["layers"]["items"]["enum"]) == LAYERS
    assert tuple(members["operations"]["items"]["enum"]) == OPERATIONS
    case = json.loads((SCHEMAS / "case.schema.json").read_text())
    assert tuple(case["$defs"]["Operation"]["enum"]) == OPERATIONS
    assert tuple(each["title"] for each in case["allOf"]) == OPERATIONS


def test_the_manifest_has_the_form_of_its_schema() -> None:
    valid(json.loads((ROOT / "conformance" / "manifest.json").read_bytes()), "manifest.schema.json")


def test_a_form_is_read_from_the_schemas(conformance: Command, tmp_path: Path, monkeypatch: Any) -> None:
    read = files.schema_of

    def changed(name: files.Schema) -> dict[str, Any]:
        schema = read(name)
        if name == "case":
            schema["properties"]["section"] = {"const": "99"}
        return schema

    monkeypatch.setattr(files, "schema_of", changed)
    files._validator.cache_clear()
    try:
        folder = small_corpus.write(tmp_path / "corpus", small_corpus.a_few())
        _, _, err = conformance("run", "--cases", str(folder), "--", *OWN)
    finally:
        monkeypatch.undo()
        files._validator.cache_clear()
    assert 'cases/json.jsonl:1: json/object: section is "4"; it must be "99"' in err


def test_anything_that_is_reported_in_a_run_has_the_form_of_the_protocol_schema(every: Path) -> None:
    from reward_receipts.conformance import driver
    from reward_receipts.conformance.corpus import load
    from reward_receipts.conformance.protocol import request_line

    valid(driver.hello(), "protocol.schema.json")
    for case in load(str(every)).cases:
        request = json.loads(request_line(case, "x"))
        valid(request, "protocol.schema.json")
        answer = driver.answer(request)
        valid(answer, "protocol.schema.json")
        assert set(answer) == {"id", "answer"}


@pytest.mark.parametrize(
    "message",
    [
        {"hello": {}},
        {"id": "x"},
        {"id": "x", "answer": {"valid": 1}},
        {"id": "x", "answer": {}},
        {"id": "x", "answer": {"valid": True}, "skip": "no"},
        {"id": 1, "skip": "no"},
    ],
)
def test_the_protocol_schema_refuses_what_the_runner_refuses(message: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        valid(message, "protocol.schema.json")


# What a reader of a report needs


def test_explain_shortens_padding(conformance: Command) -> None:
    status, out, _ = conformance("run", "--explain", "json/size/one-byte-more")
    assert status == 0
    assert "text (1048577 bytes):" in out
    assert "    {}<' ' 1048575 times>" in out.splitlines()
    assert len(out) < 1000


def test_the_text_names_the_cases_whose_rule_id_differs(of_toy: Command) -> None:
    script = on_comma('say({"id": request["id"], "answer": {"valid": False, "codes": ["json.trailing"]}})')
    status, out, _ = of_toy(script)
    assert status == 0  # it refused, which is what counts
    assert "rule id        json/comma: json.trailing, expected json.syntax" in out.splitlines()
    junit = of_toy(script, "-f", "junit")[1]
    assert "rule id json.trailing, expected json.syntax" in junit
    assert "rule id " not in of_toy(on_comma('say({"id": request["id"], "answer": {"valid": False}})'))[1]


def test_the_text_shows_the_first_and_the_last_line_of_standard_error(of_toy: Command) -> None:
    script = "sys.stderr.write('panic: index out of range\\n' + 'frame\\n' * 500 + 'exit status 2\\n'); os._exit(2)"
    out = of_toy(on_comma(script))[1]
    assert "[standard error: panic: index out of range ... exit status 2]" in out
