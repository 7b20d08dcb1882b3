"""Headless Chromium, which has to be installed. It reaches this machine only."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


def dumped(address: str, profile: Path, *options: str) -> str:
    """The document of an address after its scripts ran, as HTML."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium is not None, "Chromium is needed; on Debian: apt install chromium"
    command = [chromium, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}", *options]
    command.append("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")
    if os.name == "posix" and os.geteuid() == 0:
        command.append("--no-sandbox")  # which Chromium's sandbox asks for where root runs it
    done = subprocess.run([*command, "--dump-dom", address], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout
