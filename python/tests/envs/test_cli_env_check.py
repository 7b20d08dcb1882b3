"""``env check``: the tier that an environment reaches, from the command line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from command_line import Ran, Shell, in_a_process
from reward_receipts import read_json

MODULE = '''
import os
import sys
import gymnasium
from reward_receipts.envs import OperationsEnv

print("the module prints")

class Desk(OperationsEnv):
    def step(self, action):
        print("the step prints")
        return super().step(action)

class Own(OperationsEnv):
    """Tier 1: it says nothing of what happens."""
    def step(self, action):
        return (*super().step(action)[:4], {})

class Faulty(OperationsEnv):
    def step(self, action):
        observation, reward, *rest = super().step(action)
        return (observation, float("nan"), *rest)

class Broken(OperationsEnv):
    def __init__(self):
        raise RuntimeError("no display")

class Leaving(OperationsEnv):
    def __init__(self):
        sys.exit(0)

class Panic(BaseException):
    pass

class Mute(Exception):
    def __str__(self):
        raise Panic

class Panicking(OperationsEnv):
    def __init__(self):
        raise Panic("a lock")

class Unsaid(OperationsEnv):
    def __init__(self):
        raise Mute

class Failing(OperationsEnv):
    def step(self, action):
        raise Panic("a lock")

class Loud(OperationsEnv):
    def step(self, action):
        os.write(1, b"the descriptor prints")
        sys.__stdout__.write("the other name prints")
        return super().step(action)

    def __del__(self, write=os.write):
        write(1, b"the finaliser prints")

class Inner:
    Desk = Desk

gymnasium.register("mine/Desk-v2", lambda **kwargs: Desk(**kwargs))

def vector():
    return gymnasium.vector.SyncVectorEnv([OperationsEnv])

number = 3
'''


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    monkeypatch.setattr(sys, "path", [*sys.path])
    shell = Shell(tmp_path, capsys, monkeypatch)
    shell.write("desks.py", MODULE)
    shell.write("broken.py", "import no_such_module_of_mine\n")
    shell.write("syntax.py", "def (\n")
    yield shell
    for name in ("desks", "broken", "syntax"):
        sys.modules.pop(name, None)
    gymnasium.registry.pop("mine/Desk-v2", None)


def parsed(ran: Ran) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(ran.out)
    return document


@pytest.mark.parametrize(
    ("target", "tier", "status"),
    [
        ("desks:Desk", 1, 0),
        ("desks:Desk", 2, 0),
        ("desks:Inner.Desk", 2, 0),
        ("desks:Own", 1, 0),
        ("desks:Own", 2, 1),
        ("desks:mine/Desk-v2", 2, 0),
        ("desks:Faulty", 1, 1),
        ("desks:Faulty", 2, 1),
        ("desks:Failing", 1, 1),
        ("CartPole-v1", 1, 0),
        ("CartPole-v1", 2, 1),
        ("builtins:dict", 1, 1),
    ],
)
def test_the_exit_status_is_the_verdict_on_the_tier_asked_for_in_both_formats(
    shell: Shell, target: str, tier: int, status: int
) -> None:
    text = shell("env", "check", target, "--tier", tier)
    plain = shell("env", "check", target, "--tier", tier, "-f", "json")
    assert (text.status, plain.status) == (status, status)
    assert parsed(plain)["summary"] == {"command": "env check", "exit_status": status}
    result = parsed(plain)["results"][0]
    assert (result["target"], result["asked_tier"]) == (target, tier)
    assert all(each["id"] in text.out and each["seen"] in text.out for each in result["capabilities"])


def test_anything_that_an_environment_prints_goes_to_standard_error(shell: Shell) -> None:
    for form in ("json", "text"):
        ran = shell("env", "check", "desks:Desk", "-f", form)
        assert "prints" not in ran.out
        assert "the step prints" in ran.err


def test_anything_that_it_writes_past_python_and_at_the_end_goes_to_standard_error_too(shell: Shell) -> None:
    ran = in_a_process("env", "check", "desks:Loud", "-f", "json", cwd=shell.folder)
    assert json.loads(ran.stdout)["summary"]["exit_status"] == ran.returncode == 0
    for words in ("the module prints", "the descriptor prints", "the other name prints", "the finaliser prints"):
        assert words in ran.stderr


def test_a_name_that_is_not_text_does_no_harm(shell: Shell) -> None:
    ran = in_a_process("env", "check", b"\xff:Desk".decode("utf-8", "surrogateescape"), "-f", "json")
    said = read_json(ran.stdout)
    assert (ran.returncode, said["problems"][0]["name"]) == (2, "\\udcff:Desk")


def test_an_exception_within_a_step_is_named_with_its_place(shell: Shell) -> None:
    ran = shell("env", "check", "desks:Failing", "--max-steps", 5)
    line = 1 + MODULE.splitlines().index("class Failing(OperationsEnv):") + 2
    assert (
        f"raised at 3 of 6 calls, first at episode 0, step 0: Panic: a lock ({shell.folder}/desks.py:{line})" in ran.out
    )
    assert "3 steps" in ran.lines[1]


def test_an_environment_is_made_with_its_arguments_and_played_as_asked(shell: Shell) -> None:
    kwargs = '{"horizon": 6, "surge_from": 2}'
    options = ["--kwargs", kwargs, "--episodes", 5, "--seed", 9, "-f", "json"]
    result = parsed(shell("env", "check", "desks:Desk", *options))["results"][0]
    assert (result["episodes"], result["steps"], result["seed"]) == (5, 30, 9)


def test_a_module_is_imported_that_registers_the_environment(shell: Shell) -> None:
    assert shell("env", "check", "mine/Desk-v2", "--tier", 2).status == 2
    assert (
        shell("env", "check", "mine/Desk-v2", "--tier", 2, "--import", "desks", "--kwargs", '{"horizon": 30}').status
        == 0
    )


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("nowhere_at_all", "module nowhere_at_all was not found"),
        ("desks.py", "desks.py is a file; name the module: desks"),
        ("syntax", "--import syntax cannot be imported: SyntaxError"),
        ("broken", "--import broken cannot be imported"),
    ],
)
def test_a_module_that_cannot_be_imported_is_exit_2(shell: Shell, module: str, words: str) -> None:
    ran = shell("env", "check", "CartPole-v1", "--import", module)
    assert ran.status == 2
    assert words in ran.err


def test_too_little_seen_is_exit_2_and_says_how_to_see_more(shell: Shell) -> None:
    ran = shell("env", "check", "desks:Desk", "--max-steps", 10)
    assert ran.status == 2
    assert "is undecided" in ran.lines[0]
    assert "max_steps" in ran.out
    assert shell("env", "check", "desks:Own", "--tier", 2, "--max-steps", 10).status == 1


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nowhere_at_all:Desk", "module nowhere_at_all was not found"),
        ("desks.nowhere:Desk", "module desks.nowhere was not found"),
        ("desks:Nope", "desks has no Nope"),
        ("desks:mine/Desk-v3", "Environment version `v3` for environment `mine/Desk` doesn't exist"),
        ("mine/Desk-v2", "needs --import MODULE, or MODULE:ID"),
        ("desks:number", "makes nothing"),
        ("desks:", "names no class"),
        (":Desk", "names no class"),
        ("desks:Broken", "RuntimeError: no display"),
        ("desks:Leaving", "SystemExit"),
        ("desks:Panicking", "Panic: a lock ("),
        ("desks:Unsaid", "Mute: (it has no text)"),
        ("desks", "a class of your own is MODULE:CLASS, such as desks:MyEnv"),
        ("desks.py", "a class of your own is MODULE:CLASS, such as desks:MyEnv"),
        ("desks.py:Desk", "desks.py is a file; name the module: desks:Desk"),
        ("desks:vector", "is a vector environment"),
        ("broken:Desk", "No module named 'no_such_module_of_mine'"),
        ("syntax:Desk", "SyntaxError"),
        ("NoSuchDesk-v0", "NoSuchDesk"),
    ],
)
def test_anything_that_cannot_be_made_is_exit_2_with_a_sentence(shell: Shell, target: str, words: str) -> None:
    ran = shell("env", "check", target)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert "Traceback" not in ran.err
    plain = parsed(shell("env", "check", target, "-f", "json"))
    assert plain["results"] == []
    assert words in plain["problems"][0]["message"]
    assert plain["summary"]["exit_status"] == 2


@pytest.mark.parametrize(
    ("kwargs", "words"),
    [("[1]", "is an object"), ("{", "is not JSON"), ('{"a": 1, "a": 2}', "is not JSON"), ('{"colour": 1}', "colour")],
)
def test_arguments_that_are_none_are_exit_2(shell: Shell, kwargs: str, words: str) -> None:
    ran = shell("env", "check", "desks:Desk", "--kwargs", kwargs)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize("option", [["--tier", "3"], ["--episodes", "0"], ["--format", "yaml"], ["--seed", "-1"]])
def test_wrong_usage_is_exit_2(shell: Shell, option: list[str]) -> None:
    ran = shell("env", "check", "desks:Desk", *option)
    assert (ran.status, ran.out) == (2, "")


@pytest.mark.parametrize("missing", ["gymnasium", "numpy"])
def test_without_gymnasium_the_message_says_what_to_install(tmp_path: Path, missing: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules[{missing!r}] = None\n")
    ran = in_a_process("env", "check", "CartPole-v1", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "pip install 'reward-receipts[envs]'" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_help_needs_no_gymnasium(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['gymnasium'] = None\n")
    ran = in_a_process("env", "check", "--help", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert ran.returncode == 0
    assert "--kwargs" in ran.stdout
