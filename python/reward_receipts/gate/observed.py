"""What operators see of a gate: a line for each request, and metrics. Neither contains a body, a path or an address.

A path can contain what a client put there by mistake, so a request is named by its route.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..core.escaping import printable_line
from ..core.redaction import redacted_words
from .problems import Problem

LOG: Final = logging.getLogger("reward_receipts.gate")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The metrics of one gate, in a registry of their own."""

    def __init__(self, waiting: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        own: dict[str, Any] = {"registry": self._registry, "namespace": "reward_receipts_gate"}
        self.requests = Counter(
            "requests", "Requests by route, method and status.", ("route", "method", "status"), **own
        )
        self.seconds = Histogram("request_seconds", "Seconds to an answer.", ("route",), buckets=_SECONDS, **own)
        self.receipts = Counter("receipts", "Receipts by the answer of the ledger.", ("status",), **own)
        self.codes = Counter("refusals", "Receipts that were not admitted, by code.", ("code",), **own)
        gauge = Gauge("waiting", "Requests that wait for admission.", **own)
        gauge.set_function(waiting)

    def response(self) -> Response:
        """The answer to a scrape."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


class Observed:
    """Wraps an application: counts and logs each request, and answers 500 without a word of what went wrong."""

    def __init__(self, app: ASGIApp, metrics: Callable[[], Metrics | None]) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:
            LOG.error("%s", _trace(error))
            if not status:
                problem = Problem.of(500, "internal", "The gate failed", "nothing was acknowledged; its log says where")
                await problem.response()(scope, receive, sent)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            metrics = self._metrics()
            if metrics is not None:
                metrics.requests.labels(route, method, str(status)).inc()
                metrics.seconds.labels(route).observe(seconds)
            LOG.info("%s %s %d %.1f ms", method, route, status, seconds * 1000)


def _trace(error: BaseException) -> str:
    """Where an exception was raised: its type and the places, without its message and without values."""
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} at {' < '.join(reversed(places))}"


class SafeFormatter(logging.Formatter):
    """Lines that no terminal acts on and in which no word could be a key."""

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter."""
        return "\n".join(printable_line(redacted_words(line)) for line in super().format(record).splitlines())
