"""A page in headless Chromium verifies the signed documents of the field: offline, and nothing may be evaluated."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from field import OPENADAPT, field_contract
from typescript_package import built

POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:"
"""What the page may do: fetch from where it came, and run scripts from there; no eval."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, with the policy, and tells nobody."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@pytest.fixture
def page(tmp_path: Path) -> Iterator[str]:
    """The address of the page, on this machine."""
    package = built(tmp_path / "house")
    site = tmp_path / "site"
    site.mkdir()
    for file in (package / "test" / "page.html", package / "test" / "page.mjs", package / "dist" / "browser.js"):
        shutil.copy(file, site)
    for file in OPENADAPT.iterdir():
        shutil.copy(file, site)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/page.html"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_signed_documents_verify_in_a_page(page: str, tmp_path: Path, figure: Callable[[str], None]) -> None:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium is not None, "Chromium is needed; on Debian: apt install chromium"
    command = [chromium, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--virtual-time-budget=60000"]
    if os.name == "posix" and os.geteuid() == 0:
        command.append("--no-sandbox")  # which Chromium's sandbox asks for where root runs it
    done = subprocess.run([*command, "--dump-dom", page], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = re.search(r'<p id="answer">(.*?)</p>', done.stdout, re.DOTALL)
    assert found is not None, done.stdout + done.stderr
    answer = html.unescape(found[1])
    count = len(json.loads((OPENADAPT / "receipts.json").read_text()))
    assert json.loads(answer) == {
        "contract": field_contract().digest,
        "certificate": "valid",
        "receipts": count,
        "valid": count,
        "altered": count,
        "holds": count,
    }
    figure(f"in Chromium: {answer}")
