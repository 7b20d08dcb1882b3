"""The body of a request: read within limits, cut into receipts."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import ClientDisconnect, Request

from ..bulk.files import WHITE_SPACE
from ..core.generated.tables import MAX_TEXT_BYTES
from .limits import Limits
from .problems import Problem, ProblemError

ONE: Final = "application/json"
LINES: Final = ("application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/ndjson")
"""The media types of JSON Lines that are in use; none is registered."""


@dataclass(frozen=True, slots=True)
class Body:
    """The texts of the receipts in a body, each with its line."""

    texts: list[bytes]
    lines: list[int]
    is_batch: bool


async def body_of(request: Request, limits: Limits) -> Body:
    """The receipts of a request. Raises ProblemError: 408, 413, 415, and 422 for a body without a receipt."""
    is_batch = _is_batch(request.headers)
    most = limits.body_bytes if is_batch else MAX_TEXT_BYTES
    data = await _read(request, most, limits.body_seconds)
    if not is_batch:
        return Body([data], [1], False)
    texts: list[bytes] = []
    lines: list[int] = []
    for number, line in enumerate(io.BytesIO(data), 1):
        text = line.removesuffix(b"\n")
        if text.strip(WHITE_SPACE):
            if len(texts) == limits.receipts:
                raise ProblemError(
                    Problem.too_large(f"the body has more than {limits.receipts} receipts; send several bodies")
                )
            texts.append(text)
            lines.append(number)
    if not texts:
        raise ProblemError(Problem.of(422, "no-receipt", "The body contains no receipt", "every line of it is blank"))
    return Body(texts, lines, True)


def _is_batch(headers: Mapping[str, str]) -> bool:
    """Whether the body is JSON Lines. Raises ProblemError for any other type than that and JSON."""
    media, _, parameters = headers.get("content-type", "").partition(";")
    media = media.strip().lower()
    charset = [part.strip().lower() for part in parameters.split(";") if part.strip().lower().startswith("charset=")]
    encoding = headers.get("content-encoding", "identity").strip().lower()
    found = ""
    if media not in (ONE, *LINES):
        found = f"the Content-Type is {media[:80] or 'missing'}; expected {ONE} for one receipt or {LINES[0]} for many"
    elif charset and charset[0].removeprefix("charset=").strip('"') not in ("utf-8", "utf8"):
        found = "the charset is not utf-8"
    elif encoding != "identity":
        found = "the Content-Encoding is not identity; send the body as it is"
    if found:
        accepted = {"Accept-Post": ", ".join((ONE, *LINES)), "Accept-Encoding": "identity"}
        raise ProblemError(Problem.of(415, "media-type", "The media type is not supported", found), accepted)
    return media != ONE


async def _read(request: Request, most: int, seconds: float) -> bytes:
    too_large = ProblemError(Problem.too_large(f"the body is larger than {most} bytes"), {"Connection": "close"})
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and len(declared) < 20 and int(declared) > most:
        raise too_large
    data = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                data += chunk
                if len(data) > most:
                    raise too_large
    except TimeoutError:
        detail = f"the body did not arrive within {seconds:g} seconds"
        problem = Problem.of(408, "body-time", "The body took too long", detail)
        raise ProblemError(problem, {"Connection": "close"}) from None
    except ClientDisconnect:
        raise ProblemError(Problem.of(400, "disconnected", "The client went away", "the body is incomplete")) from None
    return bytes(data)
