"""Every way to install the package gives the whole package: tox -e package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT, copy_of_checkout

VECTORS = ROOT / "conformance" / "vectors" / "openadapt"

# Run by the interpreter that has the package, from a directory of no meaning.
LOOK_INSIDE = """
import json, sys
from importlib.metadata import version
from importlib.resources import files
import reward_receipts
schemas = files("reward_receipts.schemas")
json.dump({
    "schemas": {entry.name: entry.read_text("utf-8") for entry in schemas.iterdir() if entry.name.endswith(".json")},
    "typed": files("reward_receipts").joinpath("py.typed").is_file(),
    "version": version("reward-receipts"),
    "place": reward_receipts.__file__,
}, sys.stdout)
"""
VERIFY = """
import sys
from pathlib import Path
import reward_receipts as rr
folder = Path(sys.argv[1])
certificate = rr.read_document((folder / "certificate.json").read_bytes())
print(rr.verify(certificate, (folder / "public_key.txt").read_text().strip()))
"""


@dataclass
class Installed:
    """An environment that has the package."""

    bin: Path
    elsewhere: Path

    def run(self, command: str, *arguments: str | Path) -> str:
        """What a command of the environment prints, run from elsewhere."""
        found = self.bin / (f"{command}.exe" if os.name == "nt" else command)
        return output([found, *arguments], self.elsewhere)


def output(command: list[str | Path], cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_checkout(tmp_path_factory.mktemp("checkout") / "with a space")


@pytest.fixture(scope="module")
def built(checkout: Path) -> Path:
    """The folder with the sdist and the wheel that was built from it."""
    output([sys.executable, "-m", "build"], checkout)
    return checkout / "dist"


@pytest.fixture(scope="module", params=["plain", "editable", "sdist to wheel"])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Installed:
    place = tmp_path_factory.mktemp("environment")
    output([sys.executable, "-m", "virtualenv", place / "venv"], place)
    environment = Installed(place / "venv" / ("Scripts" if os.name == "nt" else "bin"), place)
    if request.param == "sdist to wheel":
        [wheel] = request.getfixturevalue("built").glob("*.whl")
        arguments: list[str | Path] = [wheel]
    else:
        arguments = ["--editable", checkout] if request.param == "editable" else [checkout]
    environment.run("python", "-m", "pip", "install", "--quiet", *arguments)
    return environment


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_schemas_codes_and_the_typing_marker_are_there(installed: Installed) -> None:
    found = json.loads(installed.run("python", "-I", "-c", LOOK_INSIDE))
    assert found["schemas"] == {path.name: path.read_text("utf-8") for path in (ROOT / "schemas").glob("*.json")}
    assert "codes.json" in found["schemas"]
    assert found["typed"]
    assert found["version"] == settings()["project"]["version"]
    assert not found["place"].startswith(str(ROOT))


def test_the_command_says_its_version(installed: Installed) -> None:
    assert settings()["project"]["version"] in installed.run("reward-receipts", "--version")


def test_a_vector_verifies(installed: Installed) -> None:
    assert installed.run("python", "-I", "-c", VERIFY, VECTORS).strip() == "valid"
    installed.run("reward-receipts", "verify", VECTORS / "certificate.json", "--public-key", VECTORS / "public_key.txt")


def test_anything_that_it_needs_is_there_and_fits(installed: Installed) -> None:
    assert "No broken requirements found." in installed.run("python", "-m", "pip", "check")


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"reward_receipts", f"reward_receipts-{settings()['project']['version']}.dist-info"}
    modules = {
        f"{package.replace('.', '/')}/{path.relative_to(ROOT / folder).as_posix()}"
        for package, folder in settings()["tool"]["setuptools"]["package-dir"].items()
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {name for name in names if name.endswith(".py")} == modules


def test_the_sdist_has_the_licence_and_the_readme(built: Path) -> None:
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml"} <= names
