"""``spec lint`` and ``spec diff``: what needs the specs alone; components are looked for where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..bulk.files import Unread
from ..core.escaping import json_text, printable_line, without_surrogates
from ..core.findings import Finding, shown
from ..rewards.spec.files import SpecFile, read_spec_file, spec_files
from .formats import Format, Listing, Report, Result
from .terminal import say

if TYPE_CHECKING:
    from ..rewards.spec.diff import SpecDiff


def lint(
    names: Sequence[str],
    components: Sequence[str],
    registered: bool,
    form: Format,
    listing: Listing | None = None,
) -> int:
    """Checks every spec by text, schema and rules, and warns of what looks wrong. Returns the exit status.

    With ``components`` or ``registered`` a component that nobody registers or offers is a finding.
    """
    from .components import HINT, import_components, unregistered_types, warnings_of

    report = Report("spec lint", form, listing)
    unregistered: set[str] = set()
    if not import_components(report, components):
        return report.close()
    for file in spec_files(names):
        if isinstance(file, Unread):
            report.unread(file)
            continue
        findings = _findings(report, file, registered or bool(components))
        if findings is None:
            continue
        verdict = "invalid" if findings else "valid"
        warnings = () if file.findings else warnings_of(report, file)
        if warnings is None:
            continue
        report.add(Result(file, verdict, members={"kind": "spec"}, findings=findings, warnings=warnings))
        if not findings:
            unregistered.update(unregistered_types(file))
    status = report.close()
    if unregistered:
        named = ", ".join(shown(name) for name in sorted(unregistered)[:3]) + (", ..." if len(unregistered) > 3 else "")
        say(f"reward-receipts: not registered, so not looked at: {named}; {HINT}")
    return status


def _findings(report: Report, file: SpecFile, registered: bool) -> tuple[Finding, ...] | None:
    """What is wrong with a spec; None where the report takes why that cannot be said."""
    if file.findings or not registered:
        return file.findings
    from .components import unknown_components

    return unknown_components(report, file)


def diff(before: str, after: str, form: Literal["text", "json"]) -> int:
    """Says what changed from one spec to another. Returns the exit status: 1 where anything did."""
    files: list[SpecFile] = []
    problems: list[dict[str, str]] = []
    for name in (before, after):
        try:
            file = read_spec_file(name)
        except Unread as unread:
            _problem(problems, unread.name, str(unread))
            continue
        files.append(file)
        for finding in file.findings:
            _problem(problems, file.label, f"{file.label}:{finding}")
    if problems:
        if form == "json":
            _print_json([], problems, 2)
        return 2
    was, now = (file.spec() for file in files)
    found = was.diff(now)
    status = 1 if found else 0
    if form == "json":
        _print_json([_difference(files, found)], [], status)
    else:
        for line in str(found).splitlines():
            print(printable_line(line))
    return status


def _problem(problems: list[dict[str, str]], name: str, message: str) -> None:
    say(f"reward-receipts: {message}")
    problems.append({"file": without_surrogates(name), "message": without_surrogates(message)})


def _difference(files: Sequence[SpecFile], found: SpecDiff) -> dict[str, Any]:
    before, after = (without_surrogates(file.label) for file in files)
    return {"before_file": before, "after_file": after, **found.to_dict()}


def _print_json(results: list[dict[str, Any]], problems: list[dict[str, str]], status: int) -> None:
    summary = {"command": "spec diff", "exit_status": status}
    print(json_text({"results": results, "problems": problems, "summary": summary}))
