"""Comparing an answer with the right one."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..findings import shown
from .corpus import Case
from .protocol import Answer

_AROUND: Final = 20
_LONGEST: Final = 120


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer comes to. Short, however long the answer is."""

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


def judge(case: Case, answer: Answer) -> Judgement:
    """Judges an answer.

    Where a document is accepted or refused, that alone makes it right: the code is compared by ``rule_id_agrees``.
    """
    if answer.kind != "answer":
        return Judgement(answer.kind, False, answer.value, None, answer.kind.encode())
    value: dict[str, Any] = answer.value
    right = value["valid"] == case.expect["valid"] if "valid" in case.expect else value == case.expect
    codes = value.get("codes")
    return Judgement(
        kind="answer",
        right=right,
        said="" if right else difference(case, value),
        code=codes[0][:_LONGEST] if codes else None,
        fingerprint=hashlib.sha256(json.dumps(value, sort_keys=True).encode()).digest(),
    )


def has_rule_id(case: Case) -> bool:
    """Whether the case says which rule or code must refuse it."""
    return bool(case.expect.get("codes")) and "valid" in case.expect


def rule_id_agrees(case: Case, judgement: Judgement) -> bool:
    """Whether an answer names first the rule or code that must come first."""
    return bool(judgement.code == case.expect["codes"][0])


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
    return f"{word} ({', '.join(codes[:3])[:_LONGEST]})" if codes else word


def _said(value: Any, there: bool) -> str:
    return shown(value, _LONGEST) if there else "left out"
