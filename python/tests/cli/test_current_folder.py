"""Data does not run code: no module of the current folder is imported, unless an option names one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SPEC = "name: own\ncomponents:\n  - {type: own}\n"
COMPONENT = """
from reward_receipts.rewards import RewardComponent, register
print("own.py was imported")
class Own(RewardComponent):
    name = "own"
    default_weight = 1.0
    clip = (0.0, 1.0)
    def compute(self, ctx):
        return self._signal(1.0)
"""
PLANTED = "import pathlib\npathlib.Path('ran').touch()\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a spec, an installed package's metadata and modules that leave a file when they are imported."""
    (tmp_path / "own.yaml").write_text(SPEC)
    (tmp_path / "planted.py").write_text(PLANTED + COMPONENT)
    for name in ("junitparser", "rich", "yaml", "ruamel", "numpy", "pyarrow", "gymnasium", "conftest", "typer"):
        (tmp_path / f"{name}.py").write_text(PLANTED)
    package = tmp_path / "planted-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[reward_receipts.components]\nown = planted:Own\n")
    return tmp_path


SCRIPT = (str(Path(sys.executable).with_name("reward-receipts")),)
MODULE = (sys.executable, "-m", "reward_receipts")
SAFE_MODULE = (sys.executable, "-P", "-m", "reward_receipts")


def run(folder: Path, *arguments: str, command: tuple[str, ...] = SCRIPT) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder. (``python -c`` would add the folder to the search path by itself.)"""
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("spec", "show", "own.yaml"),
        ("spec", "show", "own.yaml", "-f", "junit"),
        ("spec", "ceiling", "own.yaml"),
        ("spec", "lint", "own.yaml", "-f", "junit"),
        ("spec", "diff", "own.yaml", "own.yaml"),
        ("trace", "summary", "none.jsonl", "--spec", "own.yaml"),
        ("lint", "own.yaml", "-f", "junit"),
        ("audit", "own.yaml", "-f", "junit"),
        ("--help",),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("command", [SCRIPT, MODULE, SAFE_MODULE], ids=["script", "module", "safe module"])
def test_a_command_imports_nothing_from_the_current_folder(
    folder: Path, arguments: tuple[str, ...], command: tuple[str, ...]
) -> None:
    ran = run(folder, *arguments, command=command)
    assert "Traceback" not in ran.stderr
    assert not (folder / "ran").exists(), ran.stderr


def test_an_option_that_names_a_module_imports_it_from_the_current_folder(folder: Path) -> None:
    ran = run(folder, "spec", "show", "own.yaml", "--components", "planted")
    assert ran.returncode == 0, ran.stderr
    assert (folder / "ran").exists()


def test_a_module_of_the_current_folder_does_not_replace_an_installed_one(folder: Path) -> None:
    (folder / "planted.py").write_text(COMPONENT)
    ran = run(folder, "spec", "show", "own.yaml", "--components", "planted", "-f", "junit")
    assert ran.returncode == 0, ran.stderr
    assert "<testcase" in ran.stdout
    assert not (folder / "ran").exists()
