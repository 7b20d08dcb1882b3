"""Writes generated/ from schemas/.

    python scripts/generate            write it
    python scripts/generate --check    write nothing; exit 1 if generated/ is not what the schemas give

Exit status 2: the schemas are refused, or a tool is missing; pyproject.toml pins the tools that pip can install under
[dependency-groups] generate.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generate import COMMAND, markdown, python, rust, typescript
from generate.differences import differing
from generate.model import Model
from generate.read import Refused, read
from generate.tools import ROOT, ToolMissing

SCHEMAS = ROOT / "schemas"
GENERATED = ROOT / "generated"

LANGUAGES = (python, typescript, rust, markdown)
"""A module for each language: ``emit(model)`` gives the text of each file, by its path under generated/."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on any difference")
    check = parser.parse_args(arguments).check
    try:
        wanted = generate(read(SCHEMAS))
    except (Refused, ToolMissing) as error:
        print(error, file=sys.stderr)
        return 2
    there = {path.relative_to(GENERATED).as_posix() for path in GENERATED.rglob("*") if _counts(path)}
    found = {name: _read(name) if name in there else None for name in wanted}
    stale = {name: text for name, text in found.items() if text != wanted[name]}
    orphans = sorted(there - wanted.keys())
    if check:
        for name, text in stale.items():
            what = "is missing" if text is None else f"is not what the schemas give: {differing(text, wanted[name])}"
            print(f"generated/{name} {what}; run {COMMAND}", file=sys.stderr)
        for name in orphans:
            print(f"generated/{name} is not generated from anything; run {COMMAND}", file=sys.stderr)
        return 1 if stale or orphans else 0
    for name in orphans:
        (GENERATED / name).unlink()
    for name in stale:
        path = GENERATED / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wanted[name].encode())
        print(f"wrote generated/{name}", file=sys.stderr)
    return 0


def generate(model: Model) -> dict[str, str]:
    """The text of every file under generated/, by its path there. Raises ToolMissing."""
    return {path: text for language in LANGUAGES for path, text in language.emit(model).items()}


def _counts(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"


def _read(name: str) -> str:
    # Git may have checked the file out with the line ends of another system.
    return (GENERATED / name).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
