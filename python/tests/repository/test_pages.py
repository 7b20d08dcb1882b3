"""Pages for developers: each file, folder and command that they name is there."""

from __future__ import annotations

import configparser
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT

PAGES = (
    *(ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
BASES = (
    "",
    "docs",
    "python",
    "python/reward_receipts",
    "python/tests",
    "schemas",
    "conformance/sources",
    "generated",
    "scripts/generate",
    "rust/reward-receipts",
    "rust/reward-receipts/src",
    "typescript",
    "typescript/src",
)
"""Where a path that a page names can start."""
SUFFIXES = ("ini", "json", "jsonl", "md", "mjs", "py", "rs", "toml", "ts", "yaml")
FOLDERS = ("python", "typescript/src", "rust", "scripts", "conformance")
"""Where a file is that a page names without its folder."""
NOT_HERE = {"desk.jsonl", "dist/browser.js", "dist/index.js", "scripts/generate/LANGUAGE.py"}
"""Files that a build or the reader makes."""
NAMES = {"episode/return/mean", "reward/fill_rate/mean"}
"""Names of measures, which have the form of a path."""


def code_of(page: Path) -> Iterator[str]:
    """What is between backticks on one line, outside of code blocks, and the lines of those."""
    outside = ""
    for number, part in enumerate(re.split(r"^```.*$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)):
        if number % 2:
            yield from part.splitlines()
        else:
            outside += part
    yield from re.findall(r"`([^`\n]+)`", outside)


def paths_of(page: Path) -> set[str]:
    """What is between backticks, or the target of a link, and has the form of a path."""
    links = set(re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8")))
    spans = set(re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")))
    name = r"[A-Za-z0-9_.*-]+"
    paths = {
        span.rstrip("/")
        for span in spans
        if re.fullmatch(rf"{name}/(?:{name}/?)*|(?:{name}/)*{name}\.(?:{'|'.join(SUFFIXES)})", span)
    }
    return paths | {link for link in links if "://" not in link}


def is_there(page: Path, path: str) -> bool:
    """Whether there is such a file or folder; ``receipts/audit`` stands for a file of that name in each language."""
    if "/" not in path and any(any((ROOT / folder).rglob(path)) for folder in FOLDERS):
        return True
    bases = (page.parent, *(ROOT / base for base in BASES))
    return any((base / path).exists() or any(base.glob(path)) or any(base.glob(f"{path}.*")) for base in bases)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_path_that_a_page_names_is_there(page: Path) -> None:
    # A media type and a schema_version have the form of a path.
    paths = {path for path in paths_of(page) - NOT_HERE - NAMES if not re.search(r"^application/|/v\d$", path)}
    assert [path for path in sorted(paths) if not is_there(page, path)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_command_that_a_page_names_is_there(page: Path) -> None:
    from reward_receipts.cli.app import COMMANDS

    settings = configparser.ConfigParser(interpolation=None)
    settings.read(ROOT / "tox.ini")
    environments = {name.removeprefix("testenv:") for name in settings.sections()} | {"py", "envs", "envs-oldest"}
    scripts = json.loads((ROOT / "typescript" / "package.json").read_bytes())["scripts"]
    groups = {name.partition(" ")[0] for name in COMMANDS}
    unknown = []
    for code in code_of(page):
        unknown += [f"tox -e {name}" for name in re.findall(r"\btox -e ([a-z-]+)", code) if name not in environments]
        unknown += [f"npm run {name}" for name in re.findall(r"\bnpm run ([a-z:]+)", code) if name not in scripts]
        unknown += [name for name in re.findall(r"\bpython3? (\S+/\S+)", code) if not (ROOT / name).exists()]
        unknown += [
            f"reward-receipts {words}"
            for words in re.findall(r"\breward-receipts ([a-z]+(?: [a-z]+)?)\b", code)
            if not {words, words.partition(" ")[0]} & COMMANDS.keys() and words not in groups
        ]
    assert unknown == []


def test_the_pages_name_paths_and_commands() -> None:
    """What this file looks for is found, so that the tests above can fail."""
    assert {"core/strictJson.ts", "receipts/sign.py", "docs/decisions"} <= paths_of(ROOT / "ARCHITECTURE.md")
    assert "tox -e check" in set(code_of(ROOT / "CONTRIBUTING.md"))
    assert not is_there(ROOT / "ARCHITECTURE.md", "core/strictJson.py")
