"""Runs the lint: ``python scripts/lint``."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)  # scripts/, where the package ``lint`` is

from lint.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
