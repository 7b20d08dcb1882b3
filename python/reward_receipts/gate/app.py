"""The application: its routes and their OpenAPI description."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

from fastapi import FastAPI, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from .. import __version__
from ..bulk.auditor import Auditor
from ..documents.generated.models import OpaqueId, RewardEvidenceReceiptV1
from ..ledger import Admission, Ledger, LedgerError, NotAdmitted
from .admitter import Admitter, Busy
from .bodies import LINES, ONE, body_of
from .limits import Limits
from .observed import LOG, Metrics, Observed
from .problems import MEDIA_TYPE, Problem, ProblemError, refusal

_DESCRIPTION: Final = """Admits receipts of rewards, each once. An answer of 200 or 201 says that the receipts are on
the disk of the ledger. Every certificate is synthetic; none is for production."""


class AdmittedReceipt(BaseModel):
    """A receipt that the ledger has."""

    line: int = Field(description="Where it begins in the body, from 1.")
    receipt_id: str
    digest: str = Field(description="The digest of the receipt.")
    row: int = Field(description="Its row in the ledger, from 1.")
    status: str = Field(description="admitted, or already-admitted if the ledger had it.")


class Admitted(BaseModel):
    """The receipts of a body, all of which the ledger has."""

    receipts: list[AdmittedReceipt]


class Health(BaseModel):
    """The gate works and can read its ledger."""

    status: str
    row: int = Field(description="The last row of the ledger.")


class _Running:
    """What a gate has while it runs."""

    def __init__(self, place: str, auditor: Auditor, max_backwards: int | None, limits: Limits) -> None:
        self.ledger = Ledger.open(place, auditor, max_backwards=max_backwards)
        try:
            self.reader = Ledger.open(place, read_only=True)
        except BaseException:
            self.ledger.close()
            raise
        self.admitter = Admitter(self.ledger, auditor, limits.waiting)
        self.metrics = Metrics(lambda: self.admitter.waiting)

    def close(self) -> None:
        self.admitter.close()
        self.reader.close()
        self.ledger.close()


def gate_app(
    place: str | os.PathLike[str],
    auditor: Auditor,
    *,
    max_backwards: int | None = None,
    limits: Limits | None = None,
) -> FastAPI:
    """An ASGI application that admits receipts into the ledger at a place: a file, or a URL of PostgreSQL.

    The ledger is opened when the application starts, and made if it is missing; LedgerError is then raised if it
    cannot be used. One process serves one application. Needs the extra ``gate``.

        app = gate_app("receipts.ledger", Auditor(contracts, certificates, keyring))

    ``POST /receipts`` takes one receipt (application/json) or JSON Lines (application/x-ndjson), which are admitted
    whole or not at all. It answers 201 if the ledger recorded one, 200 if it had all of them, 409 for a conflict with
    an admitted receipt, 422 for receipts that are invalid, fail or are undecided, 413 and 408 beyond the limits, 415
    for other types, 503 if the ledger cannot record now: then ask again, the answer says whether it had. ``GET
    /receipts/{id}``, ``/healthz``, ``/metrics`` (Prometheus), ``/openapi.json``.
    """
    limits = limits or Limits()
    running: list[_Running] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        running.append(await run_in_threadpool(_Running, os.fsdecode(place), auditor, max_backwards, limits))
        try:
            yield
        finally:
            await run_in_threadpool(running.pop().close)

    app = FastAPI(
        title="Gate for reward receipts",
        description=_DESCRIPTION,
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # its pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.add_middleware(Observed, metrics=lambda: running[0].metrics if running else None)

    @app.exception_handler(ProblemError)
    async def _problem(_: Request, error: ProblemError) -> Response:
        return error.problem.response(error.headers)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> Response:
        name = {404: "not-found", 405: "method"}.get(error.status_code, "request")
        return Problem.of(error.status_code, name, str(error.detail), "").response(error.headers)

    @app.exception_handler(RequestValidationError)
    async def _no_id(_: Request, error: RequestValidationError) -> Response:
        return _not_admitted()  # nothing but an id of a receipt is validated: a ledger cannot have this one

    @app.exception_handler(LedgerError)
    async def _ledger(_: Request, error: LedgerError) -> Response:
        LOG.error("%s", error)
        return _unavailable("ledger", "The ledger cannot be used now", "nothing was acknowledged; ask again")

    @app.post(
        "/receipts",
        summary="Admit receipts",
        status_code=201,
        response_model=Admitted,
        responses=_documented({200: "The ledger had all of them."}, 400, 408, 409, 413, 415, 422, 503),
        openapi_extra={"requestBody": _request_body(limits)},
    )
    async def post_receipts(request: Request) -> Response:
        gate = running[0]
        body = await body_of(request, limits)
        try:
            async with asyncio.timeout(limits.answer_seconds):
                answers = await gate.admitter.admit(body.texts)
        except Busy:
            return _unavailable("busy", "Too many requests wait", "nothing was recorded; ask again")
        except TimeoutError:
            detail = "the receipts may be recorded all the same; ask again to find out"
            return _unavailable("time", "The ledger did not answer in time", detail)
        except NotAdmitted as error:
            refused = [(body.lines[at], admission) for at, admission in error.refused.items()]
            _count(gate.metrics, [admission for _, admission in refused])
            return refusal(refused, body.is_batch).response()
        _count(gate.metrics, answers)
        if not all(answers):
            return refusal([(body.lines[0], answers[0])], body.is_batch).response()
        return _admitted(body.lines, answers)

    @app.get(
        "/receipts/{receipt_id}",
        summary="An admitted receipt, as its canonical bytes",
        response_model=RewardEvidenceReceiptV1,
        responses={
            200: {
                "description": "The receipt.",
                "headers": {
                    "ETag": {"description": "Its digest.", "schema": {"type": "string"}},
                    "Ledger-Row": {"description": "Its row in the ledger.", "schema": {"type": "integer"}},
                    "Ledger-Link": {"description": "The row's link in the hash chain.", "schema": {"type": "string"}},
                },
            },
            **_documented({}, 404, 503),
        },
    )
    async def get_receipt(receipt_id: Annotated[OpaqueId, Path(description="Its receipt_id.")]) -> Response:
        record = await run_in_threadpool(running[0].reader.get, receipt_id)
        if record is None:
            return _not_admitted()
        headers = {"ETag": f'"{record.digest}"', "Ledger-Row": str(record.row), "Ledger-Link": record.link}
        return Response(record.text, 200, headers, ONE)

    @app.get("/healthz", summary="Whether the gate can be used", response_model=Health, responses=_documented({}, 503))
    async def healthz() -> Response:
        head = await run_in_threadpool(running[0].reader.head)
        if not running[0].admitter.is_alive:
            return _unavailable("ended", "The gate no longer admits receipts", "start it again; its log may say why")
        return Response(Health(status="ok", row=head.row).model_dump_json(), media_type=ONE)

    @app.get(
        "/metrics",
        summary="Metrics for Prometheus",
        response_class=Response,
        responses={200: {"description": "The metrics.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def metrics() -> Response:
        return running[0].metrics.response()

    document = _description_of(app)
    app.openapi = lambda: document  # type: ignore[method-assign]
    return app


def _admitted(lines: Sequence[int], answers: Sequence[Admission]) -> Response:
    listed = []
    for line, answer in zip(lines, answers, strict=True):
        receipt = answer.verdict.receipt
        assert receipt is not None
        assert answer.row is not None
        listed.append(
            AdmittedReceipt(
                line=line,
                receipt_id=receipt.receipt_id,
                digest=receipt.digest,
                row=answer.row,
                status=answer.status,
            )
        )
    is_new = any(answer.status == "admitted" for answer in answers)
    headers = {"Location": f"/receipts/{listed[0].receipt_id}"} if len(listed) == 1 else {}
    return Response(Admitted(receipts=listed).model_dump_json(), 201 if is_new else 200, headers, ONE)


def _not_admitted() -> Response:
    return Problem.of(404, "not-found", "No such receipt was admitted", "").response()


def _unavailable(name: str, title: str, detail: str) -> Response:
    return Problem.of(503, name, title, detail).response({"Retry-After": "1"})


def _count(metrics: Metrics, answers: Sequence[Admission]) -> None:
    for answer in answers:
        metrics.receipts.labels(answer.status).inc()
        for code in answer.codes:
            metrics.codes.labels(code).inc()


_TITLES: Final = {
    400: "The request is incomplete.",
    404: "No such receipt was admitted.",
    408: "The body did not arrive in time.",
    409: "Another receipt was admitted that has the receipt_id, nonce or episode of this one; both are named.",
    413: "The body is too large.",
    415: "The media type is not supported.",
    422: "A receipt is invalid, fails its audit, or cannot be decided; the codes say why.",
    503: "The ledger cannot record now, or too many requests wait. Ask again.",
}


def _documented(same: dict[int, str], *problems: int) -> dict[int | str, dict[str, Any]]:
    """The other answers of a route, for its description."""
    found: dict[int | str, dict[str, Any]] = {
        status: {"model": Admitted, "description": description} for status, description in same.items()
    }
    return found | {status: {"model": Problem, "description": _TITLES[status]} for status in problems}


def _description_of(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the media type of problems, and without answers that no route gives."""
    document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    for methods in document["paths"].values():
        for operation in methods.values():
            for status, answer in list(operation["responses"].items()):
                found = answer.get("content", {}).get(ONE, {}).get("schema", {})
                if "HTTPValidationError" in found.get("$ref", ""):
                    del operation["responses"][status]
                elif int(status) >= 400:
                    answer["content"] = {MEDIA_TYPE: {"schema": found}}
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)
    return document


def _request_body(limits: Limits) -> dict[str, Any]:
    one = {"schema": {"$ref": f"#/components/schemas/{RewardEvidenceReceiptV1.__name__}"}}
    many = {
        "schema": {
            "type": "string",
            "description": f"Receipts in JSON Lines, at most {limits.receipts} and {limits.body_bytes} bytes.",
        }
    }
    return {"required": True, "content": {ONE: one, LINES[0]: many}}
