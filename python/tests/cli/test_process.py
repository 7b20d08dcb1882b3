"""The command line as a process: its streams, its memory, what it loads, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import COMMAND, Shell, in_a_process, json_lines, receipts
from field import OPENADAPT

RECEIPTS = str(OPENADAPT / "receipts.json")
MANY_LINES = ("digest", RECEIPTS)


@pytest.fixture(params=["buffered", "unbuffered"])
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONUNBUFFERED": "1"} if request.param == "unbuffered" else kept


def clear(ended: subprocess.CompletedProcess[str], *words: str) -> None:
    """Exit status 2, and one line on standard error that says why."""
    assert ended.returncode == 2
    assert ended.stderr.startswith("reward-receipts: ")
    assert ended.stderr.count("\n") == 1
    for word in words:
        assert word in ended.stderr


OUTPUTS = {
    "digest": MANY_LINES,
    "json": (*MANY_LINES, "-f", "json"),
    "junit": (*MANY_LINES, "-f", "junit"),
    "help": ("--help",),
    "version": ("--version",),
    "schema": ("schema", "print", "receipt"),
}


@pytest.mark.parametrize("arguments", OUTPUTS.values(), ids=OUTPUTS)
def test_a_pipe_that_nobody_reads(arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = in_a_process(*arguments, capture_output=False, stdout=write, stderr=subprocess.PIPE, env=environment)
    os.close(write)
    clear(ended, "cannot write to standard output: Broken pipe")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
@pytest.mark.parametrize("arguments", OUTPUTS.values(), ids=OUTPUTS)
def test_a_full_disk(arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    with open("/dev/full", "w") as full:
        ended = in_a_process(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE, env=environment)
    clear(ended, "cannot write to standard output: No space left")


@pytest.mark.parametrize("arguments", OUTPUTS.values(), ids=OUTPUTS)
def test_standard_output_closed(arguments: tuple[str, ...]) -> None:
    ended = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, *arguments], check=False, text=True, stderr=subprocess.PIPE
    )
    clear(ended, "standard output is closed")


def test_keygen_makes_no_key_where_standard_output_is_closed(tmp_path: Path) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "keygen", "key.of.a.test"]
    assert subprocess.run(command, check=False, cwd=tmp_path, stderr=subprocess.DEVNULL).returncode == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_standard_error_closed_or_full() -> None:
    for redirect in ("2>&-", "2>/dev/full", "2>/dev/null"):
        for arguments, status in ((("lint", "missing.json"), 2), (("lintt",), 2), (("digest", RECEIPTS), 0)):
            command = ["sh", "-c", f'exec "$@" {redirect}', "sh", *COMMAND, *arguments]
            ended = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE)
            assert (ended.returncode, ended.stdout.count("\n")) == (status, 42 if status == 0 else 0)


def test_standard_input_closed() -> None:
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "lint", "-"]
    clear_but_summary = subprocess.run(command, check=False, text=True, capture_output=True)
    assert clear_but_summary.returncode == 2
    assert clear_but_summary.stderr.startswith("reward-receipts: standard input is closed\n")


def test_output_in_an_encoding_that_lacks_a_character(tmp_path: Path) -> None:
    (tmp_path / "caf\u00e9.json").write_text("{}")
    ended = in_a_process("lint", "caf\u00e9.json", cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ended.returncode == 1
    assert ended.stdout.startswith("caf\\xe9.json:1:1 ")


def test_interrupted(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(files: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("reward_receipts.cli.commands.lint.lint", interrupted)
    ran = Shell(tmp_path, capsys, monkeypatch)("lint", RECEIPTS)
    assert (ran.status, ran.out, ran.err) == (130, "", "")


def test_interrupted_while_it_waits_for_input() -> None:
    with subprocess.Popen([*COMMAND, "lint", "-", "--lines"], stdin=-1, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"nonce": tru}\n' * 5000)
        process.stdin.flush()
        process.stdout.readline()  # it is at work
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in said


# Memory

_WITH_PEAK = """
import re, sys
from pathlib import Path
from reward_receipts.cli import main
status = main()
# VmHWM is of this program; ru_maxrss would count the memory of the process that started it as well.
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1], file=sys.stderr)
sys.exit(status)
"""


def peak_memory(*arguments: str, status: int) -> int:
    """The peak memory of a run, in KiB."""
    ended = subprocess.run([sys.executable, "-c", _WITH_PEAK, *arguments], check=False, text=True, capture_output=True)
    assert ended.returncode == status
    return int(ended.stderr.splitlines()[-1])


def test_a_line_or_a_file_of_100_mb_is_not_held(tmp_path: Path) -> None:
    good = json_lines(receipts(2))
    small, lines, whole = (tmp_path / name for name in ("small.jsonl", "large.jsonl", "large.json"))
    small.write_bytes(good)
    with lines.open("wb") as file:
        file.write(b"\n")
        file.seek(100_000_000, os.SEEK_CUR)  # zeros, which take no room on most disks
        file.write(b"\n" + good)
    whole.write_bytes(b"[")
    os.truncate(whole, 100_000_000)
    usual = peak_memory("lint", str(small), status=0)
    for large in (lines, whole):
        assert peak_memory("lint", str(large), status=1) < usual * 1.3
    results = [json.loads(line) for line in in_a_process("lint", lines, "-f", "jsonl").stdout.splitlines()][:-1]
    assert [(result["line"], result["verdict"]) for result in results] == [(2, "invalid"), (3, "valid"), (4, "valid")]
    assert [finding["code"] for finding in results[0]["findings"]] == ["json.size"]


# What is loaded

_HEAVY = {
    "pydantic",
    "pydantic_core",
    "jsonschema_rs",
    "nacl",
    "rich",
    "junitparser",
    "reward_receipts.documents.generated.models",
}


def loaded(code: str) -> set[str]:
    """The modules that are loaded after some code has run."""
    ended = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('\\n', *sys.modules)"],
        check=True,
        text=True,
        capture_output=True,
        env={**os.environ, "TERM": "dumb"},
    )
    return set(ended.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_loads_nothing_that_is_slow(arguments: list[str]) -> None:
    modules = loaded(f"from reward_receipts.cli import main\nmain({arguments})")
    assert "typer" in modules
    assert not modules & _HEAVY


def test_lint_loads_the_schema_engine_and_no_models() -> None:
    # The command itself, since typer reads arguments through pydantic from 0.29 on. What is ours needs none.
    modules = loaded(
        "from reward_receipts.cli.commands.lint import lint\nfrom reward_receipts.cli.options import Listing\n"
        f"assert lint([{RECEIPTS!r}], listing=Listing()) == 0"
    )
    assert modules & _HEAVY == {"jsonschema_rs"}


# Completion


def test_completion_of_commands() -> None:
    asked = {
        **os.environ,
        "_REWARD_RECEIPTS_COMPLETE": "complete_bash",
        "COMP_WORDS": "reward-receipts ",
        "COMP_CWORD": "1",
    }
    offered = in_a_process(env=asked).stdout.split()
    assert {"lint", "digest", "score", "audit", "sign", "verify", "keygen", "schema", "explain"} <= set(offered)


def test_completion_can_be_shown() -> None:
    asked = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = in_a_process("--show-completion", "bash", env=asked)
    assert shown.returncode == 0
    assert "_REWARD_RECEIPTS_COMPLETE=complete_bash" in shown.stdout
