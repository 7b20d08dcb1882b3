"""Driver protocol 1: JSON Lines over standard input and output.

The driver says hello in one line; from then on it writes one line for each line that it reads.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Never

from ..core.findings import InvalidText, shown
from ..core.strict_json import read_json
from .files import schema_of

if TYPE_CHECKING:
    from .corpus import Case

PROTOCOL: Final = 1
"""The version of the protocol."""

LAYERS: Final[tuple[str, ...]] = tuple(schema_of("case")["$defs"]["Layer"]["enum"])
"""What an implementation can claim, in the order of ``conformance/schemas/case.schema.json``."""


@dataclass(frozen=True, slots=True)
class _Each:
    """An array whose items have one of some forms."""

    forms: tuple[_Form, ...]


@dataclass(frozen=True, slots=True)
class _Map:
    """An object of any member names, whose values have a form."""

    form: _Form


@dataclass(frozen=True, slots=True)
class _Only:
    """One value."""

    value: bool | str


_Members = dict[str, "_Form"]
_Form = tuple[type, ...] | _Members | _Each | _Map | _Only
"""What a value must be: of one of some types (a list: of text), an object of just these members, or as said there."""

# The members of each operation's answer, by operation. All of them must be there; "codes" may be left out.
_TEXT: Final = (str,)
_CODES: Final = (list,)
_DOUBLE: Final = (int, float)
_BOUND: Final = (int, float, type(None))
_ANSWERS: Final[dict[str, tuple[_Members, ...]]] = {
    "read": ({"valid": (bool,)}, {"valid": (bool,), "codes": _CODES}),
    "validate": ({"valid": (bool,)}, {"valid": (bool,), "codes": _CODES}),
    "canonical": ({"canonical": _TEXT},),
    "digest": ({"digest": _TEXT, "canonical": _TEXT},),
    "verify": ({"verdict": _TEXT},),
    "score": (
        {"scalar": (str, type(None)), "certified": (bool,), "development_only": (bool,), "refusals": _CODES},
        {"error": _TEXT},
    ),
    "state": ({"state": _TEXT}, {"error": _TEXT}),
    "unmet": ({"unmet": _CODES},),
    "refusals": ({"refusals": _CODES},),
    "audit": ({"verdict": _TEXT, "findings": _CODES, "unchecked": _CODES}, {"error": _TEXT}),
    "compose": (
        {
            "digest": _TEXT,
            "resolved_digest": _TEXT,
            "ceiling": {"per_step": _BOUND, "at_end": _BOUND, "per_episode": _BOUND, "unbounded": _CODES},
            "steps": _Each(
                (
                    {"contributions": _Map(_DOUBLE), "total": _DOUBLE},
                    {"refused": _TEXT, "component": _TEXT},
                    {"refused": _Only("compose.episode-over")},
                )
            ),
        },
        {"valid": _Only(False)},
        {"valid": _Only(False), "codes": _CODES},
    ),
}

OPERATIONS: Final = tuple(_ANSWERS)
"""What a driver can be asked."""

MAX_REQUEST: Final = 4 * 1024 * 1024
"""The longest line that a driver has to read, in bytes. Documents are in base64, and some are too long on purpose."""

_LONGEST_MESSAGE: Final = 500
_LONGEST_NAME: Final = 100


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
    """``malformed``: the line is one to this request, and what it holds is no answer to the operation."""
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
    hello = message.get("hello")
    if set(message) != {"hello"} or type(hello) is not dict:
        raise ProtocolError(f'the first line is {excerpt(line)}; it must be {{"hello": {{...}}}}')
    protocol = hello.get("protocol")
    if type(protocol) is not int or protocol != PROTOCOL:
        raise ProtocolError(f"hello names protocol {shown(protocol)}; this is protocol {PROTOCOL}")
    for member in ("name", "version", "language"):
        text = hello.get(member)
        if type(text) is not str or not 0 < len(text) <= _LONGEST_NAME:
            raise ProtocolError(f"hello's {member} is {shown(text)}; it must have 1 to {_LONGEST_NAME} characters")
    layers = _known(hello.get("layers"), "layers", LAYERS)
    operations = _known(hello.get("operations"), "operations", OPERATIONS)
    return Hello(hello["name"], hello["version"], hello["language"], layers, operations)


def read_answer(line: bytes, request_id: str, operation: str) -> Answer:
    """The answer in a driver's line. Raises ProtocolError where the line is not one to this request."""
    message = _object(line)
    given = message.get("id")
    if "id" not in message:
        raise ProtocolError(f"a line without id: {excerpt(line)}")
    if given != request_id:
        raise ProtocolError(f"a line for id {shown(given)}, which is not the one that is due: {excerpt(line)}")
    members = set(message) - {"id"}
    kind = next(iter(members), None) if len(members) == 1 else None
    value = message.get(kind) if kind is not None else None
    if kind == "answer":
        wrong = what_is_wrong(operation, value)
        return Answer("answer", value) if wrong is None else Answer("malformed", wrong)
    if kind in ("skip", "error") and type(value) is str:
        return Answer("skip" if kind == "skip" else "error", value[:_LONGEST_MESSAGE])
    return Answer("malformed", f"beside id there must be answer, skip or error, one of them: {excerpt(line)}")


def what_is_wrong(operation: str, answer: Any) -> str | None:
    """What is wrong with the members of an answer to an operation, and their types; None where nothing is."""
    forms = _ANSWERS[operation]
    if any(_has_form(answer, form) for form in forms):
        return None
    wanted = " or ".join(_form(form) for form in forms)
    return f"the answer is {shown(answer, 200)}; to {operation} it must be {wanted}"


def excerpt(line: bytes, limit: int = 120) -> str:
    """The start of a line, in ASCII."""
    text = ascii(line[:limit].decode("utf-8", "backslashreplace"))
    return f"{text} and {len(line) - limit} bytes more" if len(line) > limit else text


def _object(line: bytes) -> dict[str, Any]:
    try:
        message = read_json(line)
    except InvalidText as error:
        finding = error.findings[0]
        raise ProtocolError(f"a line that is no JSON ({finding.code} at {finding.column}): {excerpt(line)}") from None
    if type(message) is not dict:
        raise ProtocolError(f"a line that is no JSON object: {excerpt(line)}")
    return message


def _known(names: Any, member: str, known: tuple[str, ...]) -> tuple[str, ...]:
    if type(names) is not list or not all(type(name) is str for name in names):
        _refuse_hello(member, names)
    for name in names:
        if name not in known:
            raise ProtocolError(f"hello's {member} name {shown(name)}; known are {', '.join(known)}")
    if len(set(names)) != len(names):
        _refuse_hello(member, names)
    return tuple(name for name in known if name in names)


def _refuse_hello(member: str, found: Any) -> Never:
    raise ProtocolError(f"hello's {member} is {shown(found)}; it must be an array of distinct names")


def _has_form(value: Any, form: _Form) -> bool:
    if isinstance(form, _Only):
        return type(value) is type(form.value) and bool(value == form.value)
    if isinstance(form, _Each):
        return type(value) is list and all(any(_has_form(item, each) for each in form.forms) for item in value)
    if isinstance(form, _Map):
        return type(value) is dict and all(_has_form(member, form.form) for member in value.values())
    if isinstance(form, dict):
        return (
            type(value) is dict
            and set(value) == set(form)
            and all(_has_form(value[name], each) for name, each in form.items())
        )
    return type(value) in form and (type(value) is not list or all(type(item) is str for item in value))


def _form(form: _Form) -> str:
    if isinstance(form, _Only):
        return json.dumps(form.value)
    if isinstance(form, _Each):
        return f"array of {' or '.join(map(_form, form.forms))}"
    if isinstance(form, _Map):
        return f"object of {_form(form.form)}"
    if isinstance(form, dict):
        return "{" + ", ".join(f"{name}: {_form(each)}" for name, each in form.items()) + "}"
    words = {str: "text", bool: "boolean", int: "number", list: "array of text", type(None): "null"}
    return " or ".join(words[kind] for kind in form if kind in words)
