"""JSON Lines: results and problems as they come."""

from __future__ import annotations

from ...core.escaping import json_text
from ..results import Problem, Result, Summary
from .json import problem_members, result_members, summary_members
from .writer import ResultWriter


class Writer(ResultWriter):
    """One JSON object a line: results and problems as they come, the summary last; ``type`` says which."""

    def result(self, result: Result) -> None:
        self._print(json_text({"type": "result", **result_members(result)}))

    def problem(self, problem: Problem) -> None:
        self._print(json_text({"type": "problem", **problem_members(problem)}))

    def close(self, summary: Summary) -> None:
        self._print(json_text({"type": "summary", **summary_members(self._command, summary)}))
