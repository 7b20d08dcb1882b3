"""Comparing an answer with the right one."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..core.findings import shown
from .case import Case
from .protocol import Answer

_AROUND: Final = 20
_MAX_LENGTH: Final = 120
_DIFFERENCES: Final = 6


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of comparing an answer with the expected one. Short, however long the answer is."""

    kind: Literal["answer", "skip", "error", "malformed"]
    right: bool
    said: str
    """What a wrong answer says against what is right; else the driver's reason or message, or what is wrong."""
    code: str | None
    """The rule or code that a refusal names first."""
    fingerprint: bytes
    """Equal for equal answers; the words of a reason or of a message do not count."""

    def __str__(self) -> str:
        if self.kind != "answer":
            return f"{self.kind}: {self.said}"
        return self.said or ("right" if self.code is None else f"right ({self.code})")


def compare(case: Case, answer: Answer) -> Comparison:
    """Compares an answer with the one that the case expects.

    Where a document is accepted or refused, that alone makes it right: the code is compared by ``rule_id_agrees``.
    """
    if answer.kind != "answer":
        return Comparison(answer.kind, False, answer.value, None, answer.kind.encode())
    value: dict[str, Any] = answer.value
    right = accepts(value) == accepts(case.expect) if "valid" in case.expect else same(dict(case.expect), value)
    codes = value.get("codes")
    return Comparison(
        kind="answer",
        right=right,
        said="" if right else difference(case, value),
        code=codes[0][:_MAX_LENGTH] if codes else None,
        fingerprint=hashlib.sha256(json.dumps(value, sort_keys=True).encode()).digest(),
    )


def accepts(answer: Mapping[str, Any]) -> bool:
    """Whether an answer accepts; one that says more than a verdict does."""
    return bool(answer.get("valid", True))


def same(right: Any, given: Any) -> bool:
    """Whether two values are equal: members in any order, numbers as doubles (1 is 1.0, and -0.0 is not 0.0)."""
    if _is_number(right) and _is_number(given):
        one, other = float(right), float(given)
        return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
    if type(right) is not type(given):
        return False
    if isinstance(right, dict):
        return right.keys() == given.keys() and all(same(member, given[name]) for name, member in right.items())
    if isinstance(right, list):
        return len(right) == len(given) and all(map(same, right, given))
    return bool(right == given)


def has_rule_id(case: Case) -> bool:
    """Whether the case says which rule or code must refuse it."""
    return bool(case.expect.get("codes")) and "valid" in case.expect


def rule_id_agrees(case: Case, comparison: Comparison) -> bool:
    """Whether an answer names first the rule or code that must come first."""
    return bool(comparison.code == case.expect["codes"][0])


def difference(case: Case, answer: dict[str, Any]) -> str:
    """What a wrong answer says, against what is right: one line."""
    if "valid" in case.expect or "valid" in answer:
        return f"{_verdict(answer)}, expected {_verdict(dict(case.expect))}"
    parts = []
    for name, right, given in _differences("", dict(case.expect), answer):
        label = "certified (synthetic)" if name == "certified" else name
        if name == "canonical" and type(right) is type(given) is str:
            parts.append(f"canonical {bytes_difference(right, given)}")
        else:
            parts.append(f"{label} is {_said(given)}, expected {_said(right)}")
    if len(parts) > _DIFFERENCES:
        parts[_DIFFERENCES:] = [f"and {len(parts) - _DIFFERENCES} differences more"]
    return "; ".join(parts)


class _LeftOut:
    """Stands for a member that is not there."""


def _differences(path: str, right: Any, given: Any) -> Iterator[tuple[str, Any, Any]]:
    """The innermost places in which two values differ, with what is there in both."""
    if isinstance(right, dict) and isinstance(given, dict):
        for name in sorted({*right, *given}):
            inner = f"{path}/{name}" if path else name
            yield from _differences(inner, right.get(name, _LeftOut), given.get(name, _LeftOut))
    elif _are_objects(right) and _are_objects(given):
        for index in range(max(len(right), len(given))):
            one, other = (each[index] if index < len(each) else _LeftOut for each in (right, given))
            yield from _differences(f"{path}/{index}", one, other)
    elif not same(right, given):
        yield path, right, given


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def bytes_difference(right: str, given: str) -> str:
    """Where the bytes of one base64 text first differ from those of another, and what is there in both."""
    wanted = base64.b64decode(right)
    try:
        found = base64.b64decode(given, validate=True)
    except (binascii.Error, ValueError):
        return f"is not base64: {shown(given)}"
    at = first_difference(wanted, found)
    if at is None:
        return "is other base64 of the right bytes"
    return f"differs at byte {at}: {_around(found, at)}, expected {_around(wanted, at)}"


def first_difference(one: bytes, other: bytes) -> int | None:
    """The offset of the first byte in which two texts differ; None where they are equal."""
    if one == other:
        return None
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def _around(data: bytes, at: int) -> str:
    if at >= len(data):
        return f"the end after {data[max(0, at - _AROUND) :].decode('ascii', 'backslashreplace')!a}"
    start = max(0, at - _AROUND)
    before, after = (part.decode("ascii", "backslashreplace") for part in (data[start:at], data[at : at + _AROUND]))
    return f"0x{data[at]:02x} in {before!a} >>> {after!a}"


def _verdict(answer: dict[str, Any]) -> str:
    codes = answer.get("codes")
    word = "accepted" if accepts(answer) else "refused"
    return f"{word} ({', '.join(codes[:3])[:_MAX_LENGTH]})" if codes else word


def _said(value: Any) -> str:
    return "left out" if value is _LeftOut else shown(value, _MAX_LENGTH)
