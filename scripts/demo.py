"""The demo: signed receipts from the field are checked, one is issued, altered and refused; a checker is calibrated.

    python3 scripts/demo.py

Needs Python 3.11 or newer and nothing else: it makes its own virtual environment, .venv-demo.
"""

import sys

from environment import run

if __name__ == "__main__":
    sys.exit(run(".venv-demo", ["--editable", "."], ["-I", "scripts/receipts_demo.py", *sys.argv[1:]]))
