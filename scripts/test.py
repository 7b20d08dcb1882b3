"""The tests, all of them: tox with the environments of tox.ini.

    python3 scripts/test.py                       everything
    python3 scripts/test.py -e py -- -k audit     one environment, and arguments for what it runs

Needs Python 3.11 or newer and nothing else: it makes its own virtual environment, .venv-test.
"""

import sys

from environment import run

if __name__ == "__main__":
    sys.exit(run(".venv-test", ["tox"], ["-I", "-m", "tox", "run", *sys.argv[1:]]))
