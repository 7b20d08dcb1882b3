"""The gate over a ledger in PostgreSQL, which goes away and comes back."""

from __future__ import annotations

import http.client
import json
import signal
from pathlib import Path

from field import Bench
from gate_process import running
from many_receipts import signed_texts
from postgres_server import Server
from reward_receipts.ledger import Ledger

BENCH = Bench()


def ask(port: int, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_a_server_that_goes_away_and_comes_back(tmp_path: Path, server: Server) -> None:
    texts = list(signed_texts(BENCH.receipt(), BENCH.key, (f"gate.{number}" for number in range(3))))
    with running(tmp_path, BENCH, ledger=server.url) as gate:
        assert ask(gate.port, "POST", "/receipts", texts[0])[0] == 201
        assert ask(gate.port, "POST", "/receipts", texts[0])[0] == 200
        server.stop("immediate")
        try:
            status, body = ask(gate.port, "POST", "/receipts", texts[1])
            assert status == 503
            assert json.loads(body)["type"] == "urn:reward-receipts:problem:ledger"
            assert ask(gate.port, "GET", "/healthz")[0] == 503
        finally:
            server.start()
        assert ask(gate.port, "POST", "/receipts", texts[1])[0] == 201
        assert ask(gate.port, "GET", "/receipts/receipt_id.gate.1")[0] == 200
        assert ask(gate.port, "GET", "/healthz")[0] == 200
        gate.stop(signal.SIGTERM)
    log = "".join(gate.log)
    assert Server.PASSWORD not in log
    assert "Traceback" not in log
    with Ledger.open(server.url, read_only=True) as ledger:
        assert ledger.check() == ()
        assert ledger.get("receipt_id.gate.0") is not None
