"""JUnit's XML: one test case a document or a case of the corpus, each with one outcome at most.

Servers work out ``tests - failures - errors``. So a test case counts once, whatever number of findings it has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from .escaping import printable_line, printable_lines


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why a test case did not pass."""

    tag: Literal["failure", "error", "skipped"]
    message: str
    type: str | None = None
    text: str = ""
    """More lines, where the message does not say everything."""


@dataclass(frozen=True, slots=True)
class JunitCase:
    """One test case. Its texts are escaped when the XML is written."""

    name: str
    classname: str
    outcome: Outcome | None = None
    """None where it passed."""
    out: str = ""
    err: str = ""


def junit_xml(suite_name: str, cases: Iterable[JunitCase]) -> str:
    """A report with one suite, as an XML document in ASCII: it is right in whatever encoding it is written."""
    from junitparser import JUnitXml, TestSuite

    suite = TestSuite(printable_line(suite_name))
    suite.add_testcases([_test_case(case) for case in cases])
    suites: Any = JUnitXml()
    suites.add_testsuite(suite)
    text = suites.tostring().decode("utf-8").encode("ascii", "xmlcharrefreplace").decode("ascii")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _test_case(case: JunitCase) -> Any:
    from junitparser import Error, Failure, Skipped, TestCase

    test = TestCase(printable_line(case.name), printable_line(case.classname))
    outcome = case.outcome
    if outcome is not None:
        kind = {"failure": Failure, "error": Error, "skipped": Skipped}[outcome.tag]
        result = kind(printable_line(outcome.message), outcome.type)
        if outcome.text:
            result.text = printable_lines(outcome.text)
        test.result = [result]
    if case.out:
        test.system_out = printable_lines(case.out)
    if case.err:
        test.system_err = printable_lines(case.err)
    return test
