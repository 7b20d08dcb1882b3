"""Comparing an answer with the right one."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from ..findings import shown
from .corpus import Case

_AROUND = 20


def is_right(case: Case, answer: dict[str, Any]) -> bool:
    """Whether an answer of the right shape is the right one.

    Where a document is accepted or refused, that alone decides: the codes are compared by ``rule_id_agrees``.
    """
    if "valid" in case.expect:
        return bool(answer["valid"] == case.expect["valid"])
    return answer == case.expect


def has_rule_id(case: Case) -> bool:
    """Whether the case says which rule or code must refuse it."""
    return bool(case.expect.get("codes")) and "valid" in case.expect


def rule_id_agrees(case: Case, answer: dict[str, Any]) -> bool:
    """Whether a refusal names first the rule or code that must come first."""
    return bool(answer.get("codes")) and answer["codes"][0] == case.expect["codes"][0]


def difference(case: Case, answer: dict[str, Any]) -> str:
    """What a wrong answer says, against what is right: one line."""
    if "valid" in case.expect:
        return f"{_verdict(answer)}, expected {_verdict(dict(case.expect))}"
    parts = []
    for name in sorted({*case.expect, *answer}):
        right, given = case.expect.get(name), answer.get(name)
        if right == given:
            continue
        label = "certified (synthetic)" if name == "certified" else name
        if name == "canonical" and right is not None and given is not None:
            parts.append(f"canonical {bytes_difference(right, given)}")
        else:
            parts.append(f"{label} is {_said(given, name in answer)}, expected {_said(right, name in case.expect)}")
    return "; ".join(parts)


def bytes_difference(right: str, given: str) -> str:
    """Where the bytes of one base64 text first differ from those of another, and what stands there in both."""
    wanted = base64.b64decode(right)
    try:
        found = base64.b64decode(given, validate=True)
    except (binascii.Error, ValueError):
        return f"is no base64: {shown(given)}"
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
    word = "accepted" if answer["valid"] else "refused"
    return f"{word} ({', '.join(codes[:3])})" if codes else word


def _said(value: Any, there: bool) -> str:
    return shown(value, 120) if there else "left out"
