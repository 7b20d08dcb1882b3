"""The commands on experiments: what they print, and their exit statuses in both formats."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Shell
from small_experiment import MEMBERS


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell(tmp_path, capsys, monkeypatch)
    shell.write("e.json", json.dumps({**MEMBERS, "seeds": [1]}))
    shell.write("other.json", json.dumps({**MEMBERS, "seeds": [1], "total_steps": 1300}))
    shell.write("bad.json", json.dumps({**MEMBERS, "seeds": [1, 1]}))
    return shell


def test_lint_show_and_diff(shell: Shell) -> None:
    assert shell("experiment", "lint", "e.json").status == 0
    found = shell("experiment", "lint", "e.json", "bad.json", "missing.json", "-f", "json")
    assert found.status == 1
    assert [each["verdict"] for each in json.loads(found.out)["results"]] == ["valid", "invalid"]
    shown = shell("experiment", "show", "e.json", "-f", "json")
    assert shown.status == 0
    assert json.loads(shown.out)["results"][0]["digest"] == json.loads(found.out)["results"][0]["digest"]
    for form in ("text", "json"):
        assert shell("experiment", "show", "bad.json", "-f", form).status == 2
        assert shell("experiment", "diff", "e.json", "e.json", "-f", form).status == 0
        assert shell("experiment", "diff", "e.json", "other.json", "-f", form).status == 1
        assert shell("experiment", "diff", "e.json", "missing.json", "-f", form).status == 2
    assert shell("experiment", "diff", "e.json", "other.json").out.splitlines() == ["total_steps: 1200 -> 1300"]


def test_without_gymnasium_the_extra_is_named(tmp_path: Path) -> None:
    """In a process of its own, in which gymnasium cannot be imported."""
    absent = "import sys; sys.modules['gymnasium'] = None; "
    code = f"{absent}from reward_receipts.cli import main; sys.exit(main(sys.argv[1:]))"
    (tmp_path / "e.json").write_text(json.dumps(MEMBERS), encoding="utf-8")
    command = [sys.executable, "-c", code, "experiment"]
    for arguments, status in ((["lint", "e.json"], 0), (["show", "e.json"], 0), (["run", "e.json", "-o", "run"], 2)):
        ran = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.returncode == status, ran.stderr
    assert "pip install 'reward-receipts[envs]'" in ran.stderr
    assert not (tmp_path / "run").exists()


def test_run_to_export(shell: Shell, tmp_path: Path) -> None:
    ran = shell("experiment", "run", "e.json", "-o", "run")
    assert (ran.status, ran.out) == (0, "run: seed 1 complete, 1200 steps\n")
    assert "seed 1: complete" in ran.err
    for form in ("text", "json"):
        assert shell("experiment", "run", "other.json", "-o", "run", "-f", form).status == 2
        assert shell("experiment", "resume", "run", "--experiment", "other.json", "-f", form).status == 2
        assert shell("experiment", "resume", "run", "--experiment", "e.json", "-f", form).status == 0
        assert shell("experiment", "summary", "run", "-f", form).status == 0
        assert shell("experiment", "summary", "nothing", "-f", form).status == 2
        assert shell("experiment", "summary", "run", "--best", "earth", "-f", form).status == 2
        assert shell("experiment", "compare", "run", "run", "-f", form).status == 0
    said = shell("experiment", "summary", "run", "--best", "earth=500", "--best", "heavy=500")
    assert "undefined: visit 0, gap, in 1 of 1 seeds: no spec is known" in said.out
    assert "Continual World, average_performance" in said.out
    exported = shell("experiment", "export", "run", "--seed", "1", "-o", "policy", "-f", "json")
    digest = json.loads(exported.out)["results"][0]["manifest_digest"]
    assert shell("export", "check", "policy", "--digest", digest).status == 0
    assert shell("export", "check", "policy", "--digest", "sha256:" + "0" * 64).status == 1
    assert shell("experiment", "export", "run", "--seed", "1", "-o", "policy").status == 2
    assert shell("experiment", "export", "run", "--seed", "7", "-o", "another").status == 2
    (tmp_path / "policy" / "model" / "policy.json").write_text("{}")
    for form in ("text", "json"):
        assert shell("export", "check", "policy", "-f", form).status == 1
        assert shell("export", "check", "run", "-f", form).status == 2
    shell.write("failing.json", json.dumps({**MEMBERS, "seeds": [1], "trainer": {"name": "constant"}}))
    for place, form in enumerate(("text", "json")):
        assert shell("experiment", "run", "failing.json", "-o", f"failing-{place}", "-f", form).status == 1
