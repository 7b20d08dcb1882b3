"""Everything about one case: what is asked, the bytes, what is right, and where an answer first differs."""

from __future__ import annotations

import base64
import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..core.escaping import printable_line
from .case import Case
from .compare import bytes_difference
from .process import Trouble
from .report import stderr_lines
from .results import CaseResult

_MAX_LENGTH: Final = 4000
_REPEATED: Final = re.compile(rb"(.)\1{79,}", re.DOTALL)
"""A byte so often in a row that nobody wants to read it."""


def explain(case: Case, result: CaseResult | None = None, trouble: Trouble | None = None) -> str:
    """A case, and what an implementation made of it, if one was asked: lines of text."""
    lines = list(_about(case))
    if result is not None:
        lines += _made_of_it(case, result)
        lines += _end_of(result.stderr)
    if trouble is not None:
        lines += ["", f"the run: {trouble.status}: {trouble.detail}", *_end_of(trouble.stderr)]
    if any("certified" in line for line in lines):
        lines += ["", "What is certified here is synthetic: nothing is certified for production."]
    return "".join(f"{printable_line(line)}\n" for line in lines)


def _about(case: Case) -> Iterator[str]:
    kind = f" of a {case.kind}" if case.kind else ""
    yield case.id
    yield f"    {case.sentence}"
    yield f"    layer {case.layer}, {case.level}, section {case.section}, operation {case.operation}{kind}"
    if case.about:
        yield f"    about {case.about}"
    if case.base:
        yield f"    made of {case.base}" + (f" by one edit: {case.edit}" if case.edit else "")
    for name, data in case.input.items():
        yield ""
        if data is None:
            yield f"{name}: none"
        else:
            yield f"{name} ({len(data)} bytes):"
            yield from _shown(data)
    if case.arguments:
        yield ""
        yield from _listed("arguments", case.arguments)
    if case.operation == "verify":
        yield from _canonical("what the signature is over", _signed_bytes(case))
    if set(case.expect) != {"canonical"}:
        yield ""
        yield from _listed("expected", _plain(case.expect))
    if "canonical" in case.expect:
        yield from _canonical("expected canonical bytes", base64.b64decode(case.expect["canonical"]))


def _made_of_it(case: Case, result: CaseResult) -> Iterator[str]:
    answer = result.answer
    yield ""
    yield f"status: {result.status}" + (f": {result.detail}" if result.detail else "")
    if answer is not None and answer.kind == "answer":
        if set(answer.value) != {"canonical"}:
            yield from _listed("answer", _plain(answer.value))
        given = answer.value.get("canonical")
        if given is not None and given != case.expect.get("canonical"):
            yield f"canonical {bytes_difference(case.expect['canonical'], given)}"
            with contextlib.suppress(ValueError):
                yield from _canonical("canonical bytes of the answer", base64.b64decode(given, validate=True))


def _plain(members: Mapping[str, Any]) -> dict[str, Any]:
    """Members without the canonical bytes, which are shown as such, not as base64."""
    return {name: value for name, value in members.items() if name != "canonical"}


def _listed(what: str, members: Mapping[str, Any]) -> Iterator[str]:
    """Members as JSON: on one line, or what is nested in them on a line each."""
    if not any(_nests(value) for value in members.values()):
        yield f"{what}: {json.dumps(members)}"
        return
    yield f"{what}:"
    for name, value in members.items():
        if not _nests(value):
            yield f"    {name}: {json.dumps(value)}"
            continue
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield f"    {name}/{key}: {json.dumps(item)}"


def _nests(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value))


def _canonical(what: str, data: bytes) -> Iterator[str]:
    yield ""
    yield f"{what} ({len(data)} bytes):"
    yield from _shown(data)


def _signed_bytes(case: Case) -> bytes:
    from ..core.canonical import canonical_json_bytes
    from ..documents.generated.models import RewardContractV1
    from ..documents.read import read_document

    document = read_document(case.input["document"] or b"", case.kind)  # type: ignore[arg-type]
    assert not isinstance(document, RewardContractV1)
    return canonical_json_bytes(document.unsigned_payload())


def _end_of(stderr: str) -> Iterator[str]:
    if stderr:
        yield "standard error:"
        yield from (f"    {line}" for line in stderr_lines(stderr))


def _shown(data: bytes) -> Iterator[str]:
    """Bytes as text, line by line, where they are text; padding is shortened, what cannot be shown is escaped."""
    data = _REPEATED.sub(_shortened, data)
    text = data[:_MAX_LENGTH].decode("utf-8", "backslashreplace")
    for line in text.split("\n"):
        yield f"    {line}"
    if len(data) > _MAX_LENGTH:
        yield f"    ... and {len(data) - _MAX_LENGTH} bytes more"


def _shortened(run: re.Match[bytes]) -> bytes:
    return f"<{run[1].decode('ascii', 'backslashreplace')!a} {len(run[0])} times>".encode("ascii")
