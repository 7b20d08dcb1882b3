"""``python -m reward_receipts``: the command, if its script is not on the path."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # ``-m`` puts the current folder first, and data in it must not bring code along
    from .cli import main

    sys.exit(main())
