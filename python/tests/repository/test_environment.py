"""The set-up of the README's two commands."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import ModuleType

import pytest
from checkout import ROOT, script


@pytest.fixture
def environment() -> ModuleType:
    return script("environment")


@pytest.fixture
def place(environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for an environment in a checkout that has nothing but a pyproject.toml."""
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    return tmp_path / ".venv-test"


@pytest.fixture
def installed(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What pip was asked for, by an environment that is made in no time."""
    asked: list[list[str]] = []

    def make(place: Path, python: Path) -> None:
        python.parent.mkdir(parents=True)
        python.touch()

    def pip(command: list[str], install: list[str]) -> int:
        asked.append(install)
        return 0

    monkeypatch.setattr(environment, "make", make)
    monkeypatch.setattr(environment, "pip", pip)
    return asked


@pytest.mark.parametrize("name", ["demo", "environment", "test"])
def test_an_old_python_reads_the_scripts_and_so_gets_to_the_message(name: str) -> None:
    ast.parse((ROOT / "scripts" / f"{name}.py").read_text(encoding="utf-8"), feature_version=(3, 8))


def test_an_old_python_is_an_error_that_names_the_needed_version(environment: ModuleType) -> None:
    environment.require_version((3, 11))
    with pytest.raises(environment.SetUpError, match=r"Python 3\.11 or newer is needed; this is 3\.10"):
        environment.require_version((3, 10))


def test_a_failed_set_up_is_exit_2_with_its_message_on_stderr(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "OLDEST", (99, 0))
    assert environment.run(".venv-test", [], ["-c", "print('not run')"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "Python 99.0 or newer is needed" in said.err


def test_the_command_runs_in_the_checkout_and_its_exit_code_is_kept(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(environment, "ready", lambda place, install: Path(sys.executable))
    monkeypatch.chdir(tmp_path)
    code = "import os, sys; sys.exit(7 if os.path.exists('pyproject.toml') else 8)"
    assert environment.run(".venv-test", [], ["-c", code]) == 7


def test_each_package_is_named_while_pip_collects_it(
    environment: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = "import sys; print('Obtaining file:///x'); print('Collecting a>=1 (from b)'); print('noise'); sys.exit(3)"
    assert environment.pip([sys.executable, "-c", pip], ["--editable", "."]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.split() == ["this", "checkout", "a>=1"]


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (None, "about 10 minutes on two free cores, a part of it to install"),
        ("{", "about 10 minutes on two free cores, a part of it to install"),
        ('{"seconds": 250}', "about 4 min here, as the last time"),
    ],
)
def test_the_estimate_is_how_long_the_last_run_took(tmp_path: Path, left: str | None, expected: str) -> None:
    last_run = tmp_path / "last-run.json"
    if left is not None:
        last_run.write_text(left)
    assert script("test").estimate(last_run) == expected


def test_a_current_environment_is_used_again(
    environment: ModuleType, place: Path, installed: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    first = environment.ready(place, ["tox"])
    assert "Setting up .venv-test" in capsys.readouterr().err
    assert environment.ready(place, ["tox"]) == first
    assert capsys.readouterr().err == ""
    assert installed == [["tox"]]


@pytest.mark.parametrize("change", ["pyproject", "install", "python", "interpreter gone"])
def test_an_environment_that_is_out_of_date_is_made_anew(
    environment: ModuleType,
    place: Path,
    installed: list[list[str]],
    change: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    python = environment.ready(place, ["tox"])
    (place / "left-over").touch()
    install = ["tox"]
    if change == "pyproject":
        (place.parent / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    elif change == "install":
        install = ["tox", "build"]
    elif change == "python":
        monkeypatch.setattr(environment.sys, "base_prefix", "elsewhere")
    else:
        python.unlink()
    environment.ready(place, install)
    assert len(installed) == 2
    assert not (place / "left-over").exists()


def test_an_environment_that_pip_left_half_made_is_not_used(
    environment: ModuleType, place: Path, installed: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    works = environment.pip
    monkeypatch.setattr(environment, "pip", lambda command, install: 1)
    with pytest.raises(environment.SetUpError, match="pip could not install tox"):
        environment.ready(place, ["tox"])
    monkeypatch.setattr(environment, "pip", works)
    environment.ready(place, ["tox"])
    assert installed == [["tox"]]


@pytest.mark.parametrize(
    ("missing", "said"),
    [({"venv"}, "has no venv module"), ({"ensurepip", "pip"}, "has neither ensurepip nor pip")],
)
def test_a_python_that_cannot_make_environments_suggests_what_to_install(
    environment: ModuleType, place: Path, missing: set[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None if name in missing else object())
    with pytest.raises(environment.SetUpError) as failed:
        environment.make(place, place / "bin" / "python")
    assert said in str(failed.value)
    assert f"apt install python3.{sys.version_info[1]}-venv" in str(failed.value)


def test_anything_that_the_venv_module_says_when_it_fails_is_passed_on(environment: ModuleType, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    with pytest.raises(environment.SetUpError, match="could not be made") as failed:
        environment.venv(in_the_way)
    assert str(in_the_way) in str(failed.value)
