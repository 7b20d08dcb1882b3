"""Runs the generator: ``python scripts/generate``."""

import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
sys.path[0] = str(SCRIPTS)  # so that this folder is the package ``generate``
sys.path.insert(0, str(SCRIPTS.parent / "python"))  # this checkout's names of the schema files, or nothing

from generate.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
