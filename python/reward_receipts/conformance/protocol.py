"""Driver protocol 1: JSON Lines over standard input and output.

The driver says hello in one line; from then on it writes one line for each line that it reads.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..core.findings import InvalidText, shown
from ..core.strict_json import read_json
from .case import Case
from .files import fault, schema_of

_DEFINITIONS: Final = schema_of("protocol")["$defs"]

PROTOCOL: Final[int] = _DEFINITIONS["Hello"]["properties"]["hello"]["properties"]["protocol"]["const"]
"""The version of the protocol."""

LAYERS: Final[tuple[str, ...]] = tuple(schema_of("case")["$defs"]["Layer"]["enum"])
"""What an implementation can claim, in the order of ``conformance/schemas/case.schema.json``."""

OPERATIONS: Final[tuple[str, ...]] = tuple(_DEFINITIONS["Answers"]["properties"])
"""What a driver can be asked, in the order of ``conformance/schemas/protocol.schema.json``."""

MAX_REQUEST: Final = 4 * 1024 * 1024
"""The longest line that a driver has to read, in bytes. Documents are in base64, and some are too long on purpose."""

_MAX_MESSAGE: Final = 500


class ProtocolError(ValueError):
    """A line of a driver is not what the protocol asks for. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What a driver says of itself."""

    name: str
    version: str
    language: str
    layers: tuple[str, ...]
    """The layers that it claims, in the order of LAYERS."""
    operations: tuple[str, ...]
    """The operations that it can do, in the order of OPERATIONS."""

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.language})"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a driver said to one request."""

    kind: Literal["answer", "skip", "error", "malformed"]
    """``malformed``: the line is one to this request, and what it holds is not an answer to the operation."""
    value: Any
    """The answer's members, or the driver's reason or message, or what is wrong with the answer."""


def request_line(case: Case, request_id: str) -> bytes:
    """The request for a case, as the line to write."""
    request = {
        "id": request_id,
        "operation": case.operation,
        "layer": case.layer,
        "kind": case.kind,
        "input": {name: None if data is None else base64.b64encode(data).decode() for name, data in case.input.items()},
        "arguments": dict(case.arguments),
    }
    return json.dumps(request, separators=(",", ":")).encode("ascii") + b"\n"


def read_hello(line: bytes) -> Hello:
    """The hello in a driver's first line. Raises ProtocolError."""
    message = _object(line)
    if (wrong := fault(message, "protocol", "/$defs/Hello", whole="the first line")) is not None:
        raise ProtocolError(wrong)
    hello = message["hello"]
    layers, operations = (
        tuple(name for name in known if name in hello[member])
        for member, known in (("layers", LAYERS), ("operations", OPERATIONS))
    )
    return Hello(hello["name"], hello["version"], hello["language"], layers, operations)


def read_answer(line: bytes, request_id: str, operation: str) -> Answer:
    """The answer in a driver's line. Raises ProtocolError where the line is not one to this request."""
    message = _object(line)
    given = message.get("id")
    if "id" not in message:
        raise ProtocolError(f"a line without id: {excerpt(line)}")
    if given != request_id:
        raise ProtocolError(f"a line for id {shown(given)}, which is not the one that is due: {excerpt(line)}")
    if set(message) == {"id", "answer"}:
        wrong = answer_fault(operation, message["answer"])
        return Answer("answer", message["answer"]) if wrong is None else Answer("malformed", wrong)
    if "answer" in message or fault(message, "protocol", "/$defs/Response") is not None:
        return Answer("malformed", f"beside id there must be answer, skip or error, one of them: {excerpt(line)}")
    kind: Literal["skip", "error"] = "skip" if "skip" in message else "error"
    return Answer(kind, message[kind][:_MAX_MESSAGE])


def answer_fault(operation: str, answer: Any) -> str | None:
    """The first thing that is wrong with the form of an answer to an operation; None if nothing is."""
    return fault(answer, "protocol", f"/$defs/Answers/properties/{operation}", whole="the answer")


def excerpt(line: bytes, limit: int = 120) -> str:
    """The start of a line, in ASCII."""
    text = ascii(line[:limit].decode("utf-8", "backslashreplace"))
    return f"{text} and {len(line) - limit} bytes more" if len(line) > limit else text


def _object(line: bytes) -> dict[str, Any]:
    try:
        message = read_json(line)
    except InvalidText as error:
        finding = error.findings[0]
        raise ProtocolError(f"a line that is not JSON ({finding.code} at {finding.column}): {excerpt(line)}") from None
    if type(message) is not dict:
        raise ProtocolError(f"a line that is not a JSON object: {excerpt(line)}")
    return message
