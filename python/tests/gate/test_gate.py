"""The gate: receipts over HTTP, each admitted once."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import reward_receipts as rr
from fastapi.testclient import TestClient
from field import Bench
from gate_process import documents, running
from many_receipts import signed_texts
from reward_receipts.bulk import Auditor
from reward_receipts.cli import main
from reward_receipts.gate import Limits, gate_app
from reward_receipts.ledger import Ledger

BENCH = Bench()
OTHER = Bench(task_id="task.of.another.contract")
JSON = {"content-type": "application/json"}
LINES = {"content-type": "application/x-ndjson"}
SECRET = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"
"""What could be a private key."""


def auditor() -> Auditor:
    return Auditor([BENCH.contract], [BENCH.certificate], BENCH.key.keyring)


def texts(*numbers: int) -> list[bytes]:
    return list(signed_texts(BENCH.receipt(), BENCH.key, (str(10_000_000 + number) for number in numbers)))


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "receipts.ledger"


@pytest.fixture
def client(ledger: Path) -> Iterator[TestClient]:
    with TestClient(gate_app(ledger, auditor())) as client:
        yield client


def rows(ledger: Path) -> int:
    with Ledger.open(ledger, read_only=True) as opened:
        assert opened.check() == ()
        return opened.stats().rows


def is_problem(answer: Any, status: int) -> Any:
    """The members of a problem, which must have this status and be complete."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"].startswith("urn:reward-receipts:problem:")
    assert problem["title"]
    return problem


def test_a_receipt_is_admitted_once(client: TestClient, ledger: Path) -> None:
    (text,) = texts(1)
    first = client.post("/receipts", content=text, headers=JSON)
    assert first.status_code == 201, first.text
    receipt = rr.RewardEvidenceReceiptV1.model_validate_json(text)
    expected = {"line": 1, "receipt_id": receipt.receipt_id, "digest": receipt.digest, "row": 1}
    assert first.json() == {"receipts": [{**expected, "status": "admitted"}]}
    assert first.headers["location"] == f"/receipts/{receipt.receipt_id}"
    again = client.post("/receipts", content=b"\n " + text + b"\n", headers=JSON)
    assert again.status_code == 200
    assert again.json() == {"receipts": [{**expected, "status": "already-admitted"}]}
    assert rows(ledger) == 1


def test_an_admitted_receipt_can_be_read(client: TestClient) -> None:
    (text,) = texts(1)
    client.post("/receipts", content=text, headers=JSON)
    found = client.get("/receipts/receipt_id.10000001")
    assert found.status_code == 200
    receipt = rr.RewardEvidenceReceiptV1.model_validate_json(found.content)
    assert found.headers["etag"] == f'"{receipt.digest}"'
    assert found.headers["ledger-row"] == "1"
    assert found.headers["ledger-link"].startswith("sha256:")
    assert BENCH.audit(receipt)
    is_problem(client.get("/receipts/receipt_id.10000002"), 404)
    for name in ("x" * 5000, "%00", "a%00bcdefgh", "%ff%ffabcdefgh", "' OR 1=1 --", "a%2Fbcdefgh"):
        is_problem(client.get(f"/receipts/{name}"), 404)


def test_a_conflict_names_both(client: TestClient, ledger: Path) -> None:
    client.post("/receipts", content=texts(1)[0], headers=JSON)
    other = BENCH.receipt(receipt_id="receipt.other", nonce="nonce.10000001", episode_id="episode.other")
    problem = is_problem(client.post("/receipts", content=other.model_dump_json(), headers=JSON), 409)
    assert problem["codes"] == ["admission.conflict"]
    (refused,) = problem["receipts"]
    assert refused["receipt_id"] == "receipt.other"
    assert refused["digest"] == other.digest
    (conflict,) = refused["conflicts"]
    assert (conflict["receipt_id"], conflict["row"], conflict["members"]) == ("receipt_id.10000001", 1, ["nonce"])
    assert rows(ledger) == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"{", "json.syntax"),
        (b"\xff", "json.utf8"),
        (b"", "json.syntax"),
        (b"[]", "schema.type"),
        (b'{"a":1,"a":2}', "json.duplicate"),
        (b"[" * 65 + b"]" * 65, "json.depth"),
        (BENCH.contract.model_dump_json().encode(), "schema.const"),
        (BENCH.receipt(scalar_reward=0.5).model_dump_json().encode(), "scalar-differs-from-contract"),
        (BENCH.receipt().model_dump_json().replace('"nonce":"', '"nonce":"other.').encode(), "signature-invalid"),
        (OTHER.receipt().model_dump_json().encode(), "documents-not-held"),
    ],
)
def test_a_refused_receipt_has_its_codes(client: TestClient, ledger: Path, content: bytes, code: str) -> None:
    problem = is_problem(client.post("/receipts", content=content, headers=JSON), 422)
    assert code in problem["codes"]
    assert code in [finding["code"] for finding in problem["receipts"][0]["findings"]]
    assert rows(ledger) == 0


def test_lines_are_admitted_whole(client: TestClient, ledger: Path) -> None:
    body = b"\n\r\n".join(texts(1, 2, 3))
    answer = client.post("/receipts", content=body, headers=LINES)
    assert answer.status_code == 201
    listed = [(each["line"], each["row"], each["status"]) for each in answer.json()["receipts"]]
    assert listed == [(1, 1, "admitted"), (3, 2, "admitted"), (5, 3, "admitted")]
    assert client.post("/receipts", content=body, headers=LINES).status_code == 200
    more = client.post("/receipts", content=b"\n".join(texts(3, 4)), headers=LINES)
    assert (more.status_code, [each["status"] for each in more.json()["receipts"]]) == (
        201,
        ["already-admitted", "admitted"],
    )
    assert rows(ledger) == 4


def test_lines_with_a_bad_one_are_refused_whole(client: TestClient, ledger: Path) -> None:
    client.post("/receipts", content=texts(1)[0], headers=JSON)
    conflict = BENCH.receipt(receipt_id="receipt_id.10000001").model_dump_json().encode()
    body = b"\n".join([*texts(2), b"", b'{"a":', conflict])
    problem = is_problem(client.post("/receipts", content=body, headers=LINES), 422)
    assert [(each["line"], each["status"]) for each in problem["receipts"]] == [(3, "refused"), (4, "conflict")]
    assert problem["receipts"][0]["findings"][0]["line"] == 3
    assert problem["detail"].startswith("nothing of the body was recorded")
    assert rows(ledger) == 1
    alone = is_problem(client.post("/receipts", content=conflict + b"\n", headers=LINES), 409)
    assert [each["line"] for each in alone["receipts"]] == [1]
    is_problem(client.post("/receipts", content=b"\n \r\n", headers=LINES), 422)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-type": "application/json", "content-encoding": "gzip"},
        {"content-type": f"x/{SECRET}"},
    ],
)
def test_other_media_types(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.post("/receipts", content=texts(1)[0], headers=headers)
    problem = is_problem(answer, 415)
    assert "application/x-ndjson" in answer.headers["accept-post"]
    assert SECRET not in json.dumps(problem)


def test_media_types_that_are_the_same(client: TestClient) -> None:
    for content_type in ("application/JSON; charset=UTF-8", 'application/json; charset="utf-8"', "application/jsonl"):
        answer = client.post("/receipts", content=texts(1)[0], headers={"content-type": content_type})
        assert answer.status_code in (200, 201), content_type


def test_limits_of_a_body(ledger: Path) -> None:
    limits = Limits(body_bytes=3_000, receipts=2)
    with TestClient(gate_app(ledger, auditor(), limits=limits)) as client:
        assert "2 receipts" in is_problem(client.post("/receipts", content=b"1\n2\n3\n", headers=LINES), 413)["detail"]
        is_problem(client.post("/receipts", content=b"\n" * 3_001, headers=LINES), 413)

        def chunks() -> Iterator[bytes]:
            yield from [b" " * 1000] * 4

        is_problem(client.post("/receipts", content=chunks(), headers=LINES), 413)
        is_problem(client.post("/receipts", content=b" " * (1024 * 1024 + 1), headers=JSON), 413)
    assert rows(ledger) == 0


def test_limits_are_positive() -> None:
    with pytest.raises(ValueError, match="receipts is 0"):
        Limits(receipts=0)


def test_a_long_list_of_refused_receipts_is_cut(client: TestClient) -> None:
    problem = is_problem(client.post("/receipts", content=b"{\n" * 500, headers=LINES), 422)
    assert len(problem["receipts"]) == 100
    assert problem["receipts_left_out"] == 400
    members = ",".join(f'"m{number}":0' for number in range(500))
    problem = is_problem(client.post("/receipts", content=f"{{{members}}}", headers=JSON), 422)
    assert len(problem["receipts"][0]["findings"]) <= 100


def test_an_update_that_runs_backwards(ledger: Path) -> None:
    with TestClient(gate_app(ledger, auditor(), max_backwards=5)) as client:
        newer = BENCH.receipt(policy_update=140)
        assert client.post("/receipts", content=newer.model_dump_json(), headers=JSON).status_code == 201
        problem = is_problem(client.post("/receipts", content=texts(1)[0], headers=JSON), 422)
        assert problem["codes"] == ["admission.update-backwards"]


def test_other_routes_and_methods_are_problems(client: TestClient) -> None:
    is_problem(client.get("/"), 404)
    is_problem(client.get("/docs"), 404)
    answer = client.put("/receipts", content=b"")
    is_problem(answer, 405)
    assert answer.headers["allow"] == "POST"
    is_problem(client.post("/receipts/", content=b""), 404)


def test_health_and_metrics(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "row": 0}
    client.post("/receipts", content=texts(1)[0], headers=JSON)
    client.post("/receipts", content=b"{", headers=JSON)
    client.get(f"/receipts/{SECRET}")
    client.request(SECRET[:20], "/receipts")
    assert client.get("/healthz").json() == {"status": "ok", "row": 1}
    found = client.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=")
    lines = found.text
    assert 'reward_receipts_gate_requests_total{method="POST",route="/receipts",status="201"} 1.0' in lines
    assert 'reward_receipts_gate_receipts_total{status="refused"} 1.0' in lines
    assert 'reward_receipts_gate_refusals_total{code="json.syntax"} 1.0' in lines
    assert 'route="/receipts/{receipt_id}"' in lines
    assert SECRET not in lines
    assert SECRET[:20] not in lines


def test_two_gates_in_one_process_have_their_own_metrics(tmp_path: Path) -> None:
    with TestClient(gate_app(tmp_path / "a", auditor())) as a, TestClient(gate_app(tmp_path / "b", auditor())) as b:
        a.post("/receipts", content=texts(1)[0], headers=JSON)
        assert "requests_total" in a.get("/metrics").text
        assert 'status="201"' not in b.get("/metrics").text


def test_the_description_is_that_of_the_schemas(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    receipt = document["components"]["schemas"]["RewardEvidenceReceiptV1"]
    assert {branch["title"] for branch in receipt["allOf"]} >= {"receipt.certified-tier", "receipt.unscored-no-scalar"}
    post = document["paths"]["/receipts"]["post"]
    assert set(post["requestBody"]["content"]) == {"application/json", "application/x-ndjson"}
    reference = post["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    assert reference == "#/components/schemas/RewardEvidenceReceiptV1"
    assert {"200", "201", "409", "413", "415", "422"} <= set(post["responses"])
    assert set(post["responses"]["422"]["content"]) == {"application/problem+json"}
    text = json.dumps(document)
    for name in re.findall(r'"#/components/schemas/([^"]+)"', text):
        assert name in document["components"]["schemas"]
    assert "HTTPValidationError" not in text


def test_many_at_once_are_each_admitted_once(ledger: Path) -> None:
    """Eight clients send the same 60 receipts."""
    sent = texts(*range(60))
    answers: list[int] = []
    with TestClient(gate_app(ledger, auditor())) as client:

        def send() -> None:
            for text in sent:
                answers.append(client.post("/receipts", content=text, headers=JSON).status_code)

        threads = [threading.Thread(target=send) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers.count(201) == 60
    assert answers.count(200) == 7 * 60
    assert rows(ledger) == 60


def test_too_many_waiting_and_too_long_waiting(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    real = Auditor.receipt

    def slow(self: Auditor, receipt: Any) -> Any:
        go_on.wait(30)
        return real(self, receipt)

    monkeypatch.setattr(Auditor, "receipt", slow)
    limits = Limits(waiting=1, answer_seconds=0.2)
    with TestClient(gate_app(ledger, auditor(), limits=limits)) as client:
        late = client.post("/receipts", content=texts(1)[0], headers=JSON)
        assert "may be recorded" in is_problem(late, 503)["detail"]
        assert late.headers["retry-after"] == "1"
        client.post("/receipts", content=texts(2)[0], headers=JSON)
        busy = client.post("/receipts", content=texts(3)[0], headers=JSON)
        assert is_problem(busy, 503)["type"].endswith(":busy")
        go_on.set()
    assert rows(ledger) == 1  # whoever gave up while waiting is not admitted


def test_a_ledger_that_fails_is_503_and_nothing_is_acknowledged(
    client: TestClient, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reward_receipts.ledger import LedgerError

    def broken(*_: Any, **__: Any) -> Any:
        raise LedgerError("postgresql://user@host/x: the server went away")

    monkeypatch.setattr(Ledger, "admit_each", broken)
    monkeypatch.setattr(Ledger, "get", broken)
    answer = client.post("/receipts", content=texts(1)[0], headers=JSON)
    problem = is_problem(answer, 503)
    assert "host" not in json.dumps(problem)
    assert answer.headers["retry-after"]
    is_problem(client.get("/receipts/receipt_id.10000001"), 503)
    assert rows(ledger) == 0


def test_a_defect_is_500_and_its_message_is_nowhere(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError(f"the password is {SECRET} hunter2")

    monkeypatch.setattr(Auditor, "receipt", broken)
    answer = client.post("/receipts", content=texts(1)[0], headers=JSON)
    assert is_problem(answer, 500)["type"].endswith(":internal")
    assert "RuntimeError at" in caplog.text
    for text in (answer.text, caplog.text):
        assert "hunter2" not in text
        assert SECRET not in text


def test_a_body_that_does_not_arrive(ledger: Path) -> None:
    app = gate_app(ledger, auditor(), limits=Limits(body_seconds=0.05))

    async def ask() -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            await asyncio.sleep(60)

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": "/receipts", "headers": headers, "query_string": b""}
        async with app.router.lifespan_context(app):
            await app({**scope, "http_version": "1.1", "scheme": "http", "server": ("x", 1)}, receive, send)
        return sent

    sent = asyncio.run(ask())
    assert sent[0]["status"] == 408
    assert b"body-time" in sent[1]["body"]


def ask(port: int, method: str, path: str, body: bytes = b"", headers: Any = JSON) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_the_command_serves_and_ends(tmp_path: Path) -> None:
    with running(tmp_path, BENCH) as gate:
        assert ask(gate.port, "POST", "/receipts", texts(1)[0])[0] == 201
        assert ask(gate.port, "GET", f"/receipts/{SECRET}")[0] == 404
        assert ask(gate.port, "GET", f"/receipts?key={SECRET}")[0] == 405
        assert ask(gate.port, "POST", "/receipts", SECRET.encode())[0] == 422
        gate.stop(signal.SIGTERM)
    log = "".join(gate.log)
    assert SECRET not in log
    assert SECRET[:20] not in log
    assert "POST /receipts 201" in log
    assert "Traceback" not in log
    assert rows(tmp_path / "receipts.ledger") == 1


def test_a_trust_policy_decides_who_may_sign(tmp_path: Path) -> None:
    policy = {"keys": [{"key_id": BENCH.key.key_id, "signs": ["certificates"]}]}
    (tmp_path / "policy.json").write_text(json.dumps(policy))
    with running(tmp_path, BENCH, ["--policy", str(tmp_path / "policy.json")]) as gate:
        status, body = ask(gate.port, "POST", "/receipts", texts(1)[0])
    assert status == 422
    assert json.loads(body)["codes"] == ["policy-signer-not-allowed"]


def test_acknowledged_receipts_survive_a_kill(tmp_path: Path) -> None:
    acknowledged = []
    with running(tmp_path, BENCH, ["--no-access-log"]) as gate:
        sent = iter(texts(*range(400)))
        killer = threading.Timer(0.5, gate.process.kill)
        killer.start()
        connection = http.client.HTTPConnection("127.0.0.1", gate.port, timeout=60)
        try:
            for text in sent:
                connection.request("POST", "/receipts", text, JSON)
                answer = connection.getresponse()
                if answer.status == 201:
                    acknowledged.append(json.loads(answer.read())["receipts"][0]["receipt_id"])
        except (OSError, http.client.HTTPException):
            pass
        killer.join()
    with Ledger.open(tmp_path / "receipts.ledger", read_only=True) as ledger:
        assert ledger.check() == ()
        assert all(ledger.get(each) is not None for each in acknowledged)


def test_half_a_request_and_nonsense_do_no_harm(tmp_path: Path) -> None:
    with running(tmp_path, BENCH, ["--body-seconds", "0.2"]) as gate:
        open_ones = []
        for sent in (
            b"POST /receipts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
            b"POST /rec",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"GET / HTTP/9.9\r\n\r\n",
        ):
            half = socket.create_connection(("127.0.0.1", gate.port), timeout=60)
            half.sendall(sent)
            open_ones.append(half)
        assert b" 408 " in open_ones[0].recv(4096).partition(b"\r\n")[0]
        assert ask(gate.port, "POST", "/receipts", texts(1)[0])[0] == 201
        for half in open_ones:
            half.close()
        assert ask(gate.port, "GET", "/healthz")[0] == 200
        gate.stop()
    assert "Traceback" not in "".join(gate.log)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: (folder / "keyring.json").write_text('{"key.test.bench": "short"}'), "keyring.json"),
        (lambda folder: (folder / "documents" / "contract.json").write_text("{"), "json.syntax"),
        (lambda folder: (folder / "receipts.ledger").write_text("not a ledger at all" * 100), "not a database"),
        (lambda folder: (folder / "policy.json").write_text('{"keys": []}'), "policy.json is not a trust policy"),
        (lambda folder: os.rename(folder / "documents", folder / "gone"), "documents"),
    ],
)
def test_the_command_says_why_it_does_not_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Any, said: str
) -> None:
    options = documents(tmp_path, BENCH)
    (tmp_path / "policy.json").write_text('{"keys": [{"key_id": "key.test.bench", "signs": ["receipts"]}]}')
    change(tmp_path)
    options += ["--policy", str(tmp_path / "policy.json")]
    assert main(["gate", "--ledger", str(tmp_path / "receipts.ledger"), *options, "--port", "0"]) == 2
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = documents(tmp_path, BENCH)
        assert main(["gate", "--ledger", str(tmp_path / "receipts.ledger"), *options, "--port", port]) == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in capsys.readouterr().err


def test_without_a_key_nothing_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = documents(tmp_path, BENCH)[:2]
    assert main(["gate", "--ledger", str(tmp_path / "receipts.ledger"), *options]) == 2
    assert "--keyring" in capsys.readouterr().err
