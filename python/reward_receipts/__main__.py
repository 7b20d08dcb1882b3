"""``python -m reward_receipts``: the command, where no script of it is on the path."""

from __future__ import annotations

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
