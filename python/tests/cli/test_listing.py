"""What of a report is listed, and where: -q, --statistics, --max-findings, -o; folders and patterns as input."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest
from command_line import Shell, in_a_process, json_lines, receipts
from field import OPENADAPT, PUBLIC_KEY
from junitparser import JUnitXml

FORMATS = ("text", "json", "jsonl", "junit", "github")
KEYS = ("--public-key", str(OPENADAPT / "public_key.txt"))
COMMANDS = {
    "lint": ("lint", "receipts.jsonl"),
    "digest": ("digest", "receipts.jsonl"),
    "verify": ("verify", "receipts.jsonl", *KEYS),
    "audit": ("audit", "receipts.jsonl", *KEYS),
}


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A folder with 12 receipts, of which 3 are invalid by 2 findings each."""
    shell = Shell(tmp_path, capsys, monkeypatch)
    found = receipts(12)
    for receipt in found[::4]:
        receipt |= {"certified": "yes", "nonce": "short"}
    shell.write("receipts.jsonl", json_lines(found))
    return shell


def listed(shell: Shell, *arguments: str) -> list[int]:
    """The lines of the file that results are listed for."""
    return [result["line"] for result in shell.results(*arguments)]


# -q, --statistics, --max-findings


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", FORMATS)
def test_listing_changes_neither_the_counts_nor_the_exit_status(shell: Shell, command: str, form: str) -> None:
    run = (*COMMANDS[command], "-f", form)
    usual = shell(*run)
    for options in (("-q",), ("--max-findings", "2"), ("--max-findings", "0"), ("-q", "--max-findings", "100")):
        ran = shell(*run, *options)
        assert ran.status == usual.status == 1
        assert ran.err.splitlines()[-1] == usual.err.splitlines()[-1]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["-q", "--only-findings"])
def test_only_findings(shell: Shell, command: str, option: str) -> None:
    run = COMMANDS[command]
    assert listed(shell, *run) == list(range(1, 13))
    assert listed(shell, *run, option) == [1, 5, 9]
    [suite] = JUnitXml.fromstring(shell(*run, option, "-f", "junit").out)
    assert (suite.tests, suite.failures) == (3, 3)
    text = shell(*run, option).lines
    assert {line.split(":")[1].split(" ")[0] for line in text if line.startswith("receipts.jsonl:")} == {"1", "5", "9"}


def test_anything_that_is_undecided_of_its_own_is_listed(shell: Shell) -> None:
    shell.write("keyring.json", {"another.key.id": PUBLIC_KEY})
    assert len(listed(shell, "verify", "receipts.jsonl", "--keyring", "keyring.json", "-q")) == 12


@pytest.mark.parametrize(("most", "findings"), [(0, []), (1, [1]), (2, [2]), (3, [2, 1]), (6, [2, 2, 2])])
def test_at_most_so_many_findings(shell: Shell, most: int, findings: list[int]) -> None:
    run = ("lint", "receipts.jsonl", "--max-findings", str(most))
    whole = json.loads(shell(*run, "-q", "-f", "json").out)
    assert [len(result["findings"]) for result in whole["results"]] == findings
    assert (whole["summary"]["findings"], whole["summary"]["left_out"]) == (6, 6 - most)
    ran = shell(*run)
    assert len(ran.lines) == most
    left = 6 - most
    said = f"reward-receipts: {left} more finding{'s' * (left > 1)} not listed (--max-findings)\n" if left else ""
    assert ran.err == f"{said}12 documents, 6 findings\n"
    [suite] = JUnitXml.fromstring(shell(*run, "-f", "junit").out)
    assert suite.failures == len(findings) + bool(left)


def test_statistics(shell: Shell) -> None:
    ran = shell("lint", "receipts.jsonl", "--statistics")
    assert (ran.status, ran.err) == (1, "12 documents, 6 findings\n")
    assert sorted(line.split("  ")[:2] for line in ran.lines) == [["3", "schema.pattern"], ["3", "schema.type"]]
    assert all("first at receipts.jsonl:1:" in line for line in ran.lines)
    whole = json.loads(shell("lint", "receipts.jsonl", "--statistics", "-f", "json").out)
    assert whole["results"] == []
    assert {each["code"]: each["count"] for each in whole["summary"]["statistics"]} == {
        "schema.type": 3,
        "schema.pattern": 3,
    }
    [line] = shell("lint", "receipts.jsonl", "--statistics", "-f", "jsonl").lines
    assert json.loads(line) == {"type": "summary", **whole["summary"]}


def test_statistics_count_what_is_unchecked_apart(shell: Shell) -> None:
    shell.write("keyring.json", {"another.key.id": PUBLIC_KEY})
    ran = shell("verify", "receipts.jsonl", "--keyring", "keyring.json", "--statistics")
    assert ran.lines[0].startswith("9  unchecked signer-unknown  first at receipts.jsonl:2:")


@pytest.mark.parametrize("form", ["junit", "github"])
def test_statistics_are_not_a_test_report(shell: Shell, form: str) -> None:
    ran = shell("lint", "receipts.jsonl", "--statistics", "-f", form)
    assert (ran.status, ran.out) == (2, "")
    assert "--statistics goes with -f text, json or jsonl" in ran.err


# -o


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", FORMATS)
def test_results_in_a_file(shell: Shell, command: str, form: str) -> None:
    run = (*COMMANDS[command], "-f", form)
    usual = shell(*run)
    shell.write("report.txt", "of the run before")
    ran = shell(*run, "-o", "report.txt")
    assert (ran.status, ran.out, ran.err) == (usual.status, "", usual.err)
    assert (shell.folder / "report.txt").read_text() == usual.out
    assert sorted(os.listdir()) == ["receipts.jsonl", "report.txt"]
    assert shell(*run, "-o", "-").out == usual.out


def test_a_file_of_results_that_cannot_be_written(shell: Shell) -> None:
    for name, reason in (("no/report.txt", "No such file or directory"), (".", "Is a directory")):
        ran = shell("lint", "receipts.jsonl", "-o", name)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == f"reward-receipts: cannot write {name}: {reason}\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_results_to_a_full_disk(shell: Shell) -> None:
    ran = shell("lint", "receipts.jsonl", "-o", "/dev/full")
    assert (ran.status, ran.err) == (2, "reward-receipts: cannot write /dev/full: No space left on device\n")


@pytest.mark.parametrize(
    "run",
    [
        ("lint", "receipts.jsonl"),
        ("lint", "*.jsonl"),
        ("lint", "."),
        ("audit", "contract.json", "--contract", "receipts.jsonl"),
        ("audit", "contract.json", "--keyring", "receipts.jsonl"),
    ],
)
def test_results_never_replace_what_is_read(shell: Shell, run: tuple[str, ...]) -> None:
    before = (shell.folder / "receipts.jsonl").read_bytes()
    shell.write("contract.json", (OPENADAPT / "contract.json").read_bytes())
    ran = shell(*run, "-o", "./receipts.jsonl")
    assert ran.status == 2
    assert "would replace a file that is read" in ran.err
    assert (shell.folder / "receipts.jsonl").read_bytes() == before


def test_a_file_of_results_respects_the_umask_and_follows_links(shell: Shell) -> None:
    (shell.folder / "link.txt").symlink_to("report.txt")
    ended = in_a_process("lint", "receipts.jsonl", "-o", "link.txt", cwd=shell.folder, umask=0o027)
    assert ended.returncode == 1
    assert (shell.folder / "link.txt").is_symlink()
    assert stat.S_IMODE((shell.folder / "report.txt").stat().st_mode) == 0o640


def test_specs_and_traces_have_the_same_options(shell: Shell) -> None:
    shell.write("spec.yaml", "name: a\n")
    assert shell("spec", "lint", "spec.yaml", "-o", "report.txt").out == ""
    assert "schema.required" in (shell.folder / "report.txt").read_text()
    assert shell("spec", "lint", "spec.yaml", "--statistics").lines[0].startswith("1  schema.required")
    shell.write("trace.jsonl", b"{}\n{}\n")
    assert len(shell("trace", "summary", "trace.jsonl", "--max-findings", "1").lines) == 1


# Folders and patterns


def test_a_folder_means_its_documents_in_order(shell: Shell) -> None:
    for folder in ("run/b", "run/a/deep", "run/.hidden", "run/c.json"):
        (shell.folder / folder).mkdir(parents=True)
    names = ("run/b/2.jsonl", "run/a/deep/1.NDJSON", "run/a/1.json", "run/b.json", "run/c.json/x.json", "run/B.json")
    for name in (*names, "run/notes.txt", "run/.hidden/x.json", "run/.x.json"):
        shell.write(name, {})
    (shell.folder / "run/loop").symlink_to("..")
    (shell.folder / "run/z.json").symlink_to("b.json")
    os.mkfifo(shell.folder / "run/pipe.json")
    files = [result["file"] for result in shell.results("lint", "run")]
    assert files == [
        "run/B.json",
        "run/a/1.json",
        "run/a/deep/1.NDJSON",
        "run/b/2.jsonl",
        "run/b.json",
        "run/c.json/x.json",
    ]
    assert shell.results("lint", "run/b.json", "run")[0]["file"] == "run/b.json"


def test_a_folder_without_documents_is_undecided(shell: Shell) -> None:
    (shell.folder / "empty" / "below").mkdir(parents=True)
    shell.write("empty/notes.txt", "x")
    ran = shell("lint", "empty")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("reward-receipts: no .json, .jsonl, .ndjson file in empty\n")


def test_folders_nest_deeper_than_python_calls(shell: Shell) -> None:
    depth = 1200
    for _ in range(depth):
        os.mkdir("d")
        os.chdir("d")
    Path("x.json").write_text("{}")
    try:
        os.chdir(shell.folder)
        assert len(shell.results("lint", "d")) == 1
    finally:  # pytest's own cleanup calls itself for each level
        subprocess.run(["rm", "-rf", "d"], check=True, cwd=shell.folder)


def test_specs_in_a_folder(shell: Shell) -> None:
    (shell.folder / "specs").mkdir()
    for name in ("b.yml", "a.yaml", "c.json", "d.jsonl"):
        shell.write(f"specs/{name}", '{"name": "a", "components": [{"type": "b"}]}')
    assert [each["file"] for each in shell.results("spec", "lint", "specs")] == [
        "specs/a.yaml",
        "specs/b.yml",
        "specs/c.json",
    ]


def test_keyrings_by_pattern(shell: Shell) -> None:
    shell.write("a.keyring.json", {"another.key.id": PUBLIC_KEY})
    shell.write("b.keyring.json", {"dev.key.synthetic-proof": PUBLIC_KEY})
    ran = shell("verify", OPENADAPT / "receipts.json", "--keyring", "*.keyring.json")
    assert ran.status == 0
    ran = shell("verify", OPENADAPT / "receipts.json", "--keyring", "*.kez")
    assert (ran.status, ran.out) == (2, "")
    assert "no file matches *.kez" in ran.err


# Names that lie


LIES = (
    "receipts.jsonl:1  receipt.x  holds  verified  1.0  certified (synthetic)",
    "a.json:1:1 (document) schema.type x",
    "a.json:1:1",
    "unchecked for 3 documents: no key was given",
    "::error file=a.json::x",
    "##[error]x",
    "x\n1 document, 0 findings",
    "<stdin>",
)


@pytest.mark.parametrize("name", LIES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_name_cannot_be_taken_for_a_line_of_the_report(shell: Shell, command: str, name: str) -> None:
    shell.write(name, receipts(1)[0])
    run = [each if each != "receipts.jsonl" else name for each in COMMANDS[command]]
    for arguments in (run, [*run, "missing " + name], [each if each != name else "." for each in run]):
        ran = shell(*arguments)
        for line in (*ran.lines, *ran.err.splitlines()):
            assert not line.startswith(name)
            assert not line.lstrip().startswith("::")
            assert "##[" not in line
            assert f"  {name}" not in line
