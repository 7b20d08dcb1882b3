"""A page in headless Chromium verifies the signed documents of the field: offline, and nothing may be evaluated."""

from __future__ import annotations

import html
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from chromium import dumped
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
    dom = dumped(page, tmp_path / "profile", "--virtual-time-budget=60000")
    found = re.search(r'<p id="answer">(.*?)</p>', dom, re.DOTALL)
    assert found is not None, dom
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
