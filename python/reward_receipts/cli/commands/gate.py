"""``gate``: a service that admits receipts over HTTP."""

from __future__ import annotations

import logging
import socket
import sys
from typing import Annotated

import typer

from ...bulk.auditor import Auditor
from ...core.exit_status import ExitStatus
from ...core.extras import extra_module
from ...ledger import Ledger
from ..keys import public_keys
from ..ledgers import DocumentFiles, MaxBackwards, Stopped, documents_to_admit_by, label_of, using
from ..options import MAX_COUNT, AtUpdate, Keys, PolicyFile
from ..report import Report
from ..terminal import say
from ..trust import trust_policy


def gate(
    ledger: Annotated[
        str,
        typer.Option("--ledger", metavar="LEDGER", help="The file of a ledger, or postgresql://USER@HOST/DATABASE."),
    ],
    documents: DocumentFiles,
    *,
    keys: Keys,
    policy: PolicyFile = None,
    at_update: AtUpdate = None,
    max_backwards: MaxBackwards = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 is any free port.")] = 8000,
    max_body: Annotated[
        int,
        typer.Option("--max-body", metavar="BYTES", min=1, max=MAX_COUNT, help="The most bytes of JSON Lines."),
    ] = 8 * 1024 * 1024,
    body_seconds: Annotated[
        float, typer.Option("--body-seconds", min=0.001, max=86400, help="How long a body may take to arrive.")
    ] = 10.0,
    answer_seconds: Annotated[
        float, typer.Option("--answer-seconds", min=0.001, max=86400, help="How long admission may take.")
    ] = 30.0,
    max_connections: Annotated[
        int, typer.Option("--max-connections", min=1, max=MAX_COUNT, help="Further ones are answered 503.")
    ] = 1000,
    access_log: Annotated[
        bool, typer.Option("--access-log/--no-access-log", help="A line for each request on standard error.")
    ] = True,
) -> ExitStatus:
    """POST /receipts takes one receipt (application/json) or JSON Lines (application/x-ndjson), which are admitted
    whole or not at all. 201: recorded; 200: the ledger had them; 409: a conflict, with both receipts named; 422: not
    admitted, with the codes, as problem details (RFC 9457). GET /receipts/ID, /healthz, /metrics, /openapi.json.

    Each receipt is audited against the contract and the certificate that it names by digest. It speaks HTTP without
    TLS and asks for no password: put it behind a proxy that does both. Ctrl-C and SIGTERM end it when the requests
    under way are answered. Needs reward-receipts[gate].
    """
    if not keys.given:
        raise typer.BadParameter("give --keyring or --public-key: without a key, no receipt can be admitted")
    report = Report("gate")
    held = documents_to_admit_by(report, documents)
    public_key = public_keys(report, keys)
    trust = None if policy is None else trust_policy(report, policy)
    if held is None or report.summary.exit_status:
        return report.summary.exit_status
    auditor = Auditor(
        held.contracts.values(), held.certificates.values(), public_key, policy=trust, at_update=at_update
    )
    try:
        uvicorn = extra_module("uvicorn", "a gate", "gate")
        for name in ("fastapi", "prometheus_client"):
            extra_module(name, "a gate", "gate")
        with using(report, ledger):
            Ledger.open(ledger).close()
        listening = socket.create_server((host, port), family=_family(host), backlog=2048)
    except Stopped:
        return report.summary.exit_status
    except ModuleNotFoundError as error:
        report.problem("gate", str(error))
        return report.summary.exit_status
    except OSError as error:
        report.problem(host, f"cannot listen on {host} port {port}: {error.strerror or error}")
        return report.summary.exit_status

    from ...gate import Limits, gate_app
    from ...gate.observed import LOG, SafeFormatter

    handler = logging.StreamHandler()
    handler.setFormatter(SafeFormatter("%(asctime)s %(levelname)s %(message)s"))
    for logger, level in ((LOG, logging.INFO if access_log else logging.WARNING), (_SERVER_LOG, logging.WARNING)):
        logger.addHandler(handler)
        logger.setLevel(level)
        logger.propagate = False
    limits = Limits(body_bytes=max_body, body_seconds=body_seconds, answer_seconds=answer_seconds)
    config = uvicorn.Config(
        gate_app(ledger, auditor, max_backwards=max_backwards, limits=limits),
        log_config=None,
        access_log=False,  # it would write paths, and with them what somebody put there by mistake
        server_header=False,
        proxy_headers=False,
        limit_concurrency=max_connections,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=30,
    )
    address, chosen = listening.getsockname()[:2]
    shown = f"[{address}]" if ":" in address else address
    say(f"reward-receipts: gate of {label_of(ledger)} on http://{shown}:{chosen}")
    # Audits compute in a thread; the thread that answers requests should not wait 5 ms, the default, for its turn.
    sys.setswitchinterval(0.001)
    with listening:
        server = uvicorn.Server(config)
        server.run(sockets=[listening])
    return ExitStatus.GOOD if server.started else ExitStatus.UNDECIDED


_SERVER_LOG = logging.getLogger("uvicorn.error")


def _family(host: str) -> socket.AddressFamily:
    """IPv4 or IPv6. Raises OSError for a name that has no address."""
    return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
