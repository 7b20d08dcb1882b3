"""Answers other than success, as problem details (RFC 9457)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self

from pydantic import BaseModel, Field
from starlette.responses import Response

from ..core.findings import Finding
from ..core.redaction import redacted
from ..ledger import Admission

MEDIA_TYPE: Final = "application/problem+json"
MAX_FINDINGS: Final = 100
"""The findings of one receipt that an answer lists."""
MAX_RECEIPTS: Final = 100
"""The refused receipts of a body that an answer lists."""


class FoundProblem(BaseModel):
    """One thing that keeps a receipt from being admitted."""

    code: str = Field(description="The id of the rule or code.")
    sentence: str = Field(description="What was found, with the values.")
    pointer: str = Field(description="The place in the receipt, as a JSON pointer; the whole receipt is empty.")
    line: int | None = Field(description="The line in the body, from 1.")
    column: int | None = Field(description="The column in characters, from 1.")
    unchecked: bool = Field(description="Whether it is a check that could not run.")


class ConflictingReceipt(BaseModel):
    """An admitted receipt that the refused one conflicts with."""

    receipt_id: str
    digest: str
    row: int
    members: list[str] = Field(description="The members that the two have in common.")


class RefusedReceipt(BaseModel):
    """A receipt that was not admitted, and why."""

    line: int = Field(description="Where it begins in the body, from 1.")
    receipt_id: str | None = Field(description="null if the text is not a valid receipt.")
    digest: str | None
    status: str = Field(description="conflict, refused or undecided.")
    findings: list[FoundProblem]
    findings_left_out: int = 0
    conflicts: list[ConflictingReceipt]


class Problem(BaseModel):
    """Problem details (RFC 9457)."""

    type: str = Field(description="A URN that names the kind of the problem.")
    title: str
    status: int
    detail: str
    codes: list[str] = Field(default=[], description="The ids of the rules and codes of all findings, each once.")
    receipts: list[RefusedReceipt] = []
    receipts_left_out: int = 0

    @classmethod
    def of(cls, status: int, name: str, title: str, detail: str) -> Self:
        return cls(type=f"urn:reward-receipts:problem:{name}", title=title, status=status, detail=detail)

    @classmethod
    def too_large(cls, detail: str) -> Self:
        return cls.of(413, "too-large", "The body is too large", detail)

    def response(self, headers: Mapping[str, str] | None = None) -> Response:
        """The answer."""
        body = self.model_dump_json(exclude_defaults=True)
        return Response(body, self.status, dict(headers or {}), MEDIA_TYPE)


class ProblemError(Exception):
    """A request that is answered with a problem."""

    def __init__(self, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(problem.title)
        self.problem, self.headers = problem, headers


def refusal(refused: Sequence[tuple[int, Admission]], is_batch: bool) -> Problem:
    """The problem of receipts that were not admitted, each with its line: 409 if all of them conflict, else 422."""
    conflict = all(admission.status == "conflict" for _, admission in refused)
    codes = dict.fromkeys(code for _, admission in refused for code in admission.codes)
    if conflict:
        problem = Problem.of(409, "conflict", "Another receipt was admitted before", "")
    else:
        problem = Problem.of(422, "not-admitted", "The receipt is not admitted", "")
    detail = ", ".join(codes)
    if is_batch:
        count = len(refused)
        detail = f"nothing of the body was recorded: {count} of its receipts cannot be admitted ({detail})"
    return problem.model_copy(
        update={
            "detail": detail,
            "codes": list(codes),
            "receipts": [_refused(line, admission) for line, admission in refused[:MAX_RECEIPTS]],
            "receipts_left_out": max(len(refused) - MAX_RECEIPTS, 0),
        }
    )


def _refused(line: int, admission: Admission) -> RefusedReceipt:
    verdict = admission.verdict
    found = [
        *_found(line, verdict.findings, False),
        *_found(line, admission.findings, False),
        *_found(line, verdict.unchecked, True),
    ]
    for what, codes in verdict.not_given.items():
        said = f"The gate has no {what}."
        found += [
            FoundProblem(code=code, sentence=said, pointer="", line=None, column=None, unchecked=True) for code in codes
        ]
    return RefusedReceipt(
        line=line,
        receipt_id=None if verdict.receipt is None else redacted(verdict.receipt.receipt_id),
        digest=None if verdict.receipt is None else verdict.receipt.digest,
        status=admission.status,
        findings=found[:MAX_FINDINGS],
        findings_left_out=max(len(found) - MAX_FINDINGS, 0),
        conflicts=[
            ConflictingReceipt(
                receipt_id=redacted(each.receipt_id), digest=each.digest, row=each.row, members=list(each.members)
            )
            for each in admission.conflicts
        ],
    )


def _found(line: int, findings: Iterable[Finding], unchecked: bool) -> Iterable[FoundProblem]:
    for finding in findings:
        yield FoundProblem(
            code=finding.code,
            sentence=str(finding.sentence),
            pointer=redacted(finding.pointer),
            line=None if finding.line is None else line + finding.line - 1,
            column=finding.column,
            unchecked=unchecked,
        )
