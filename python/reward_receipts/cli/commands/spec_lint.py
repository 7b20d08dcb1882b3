"""``spec lint``: what is wrong with specs, and what looks wrong; components are looked for if they are asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from ...bulk.files import Unread
from ...core.exit_status import ExitStatus
from ...core.findings import Finding, shown
from ...rewards.spec.files import SpecFile, spec_files
from ..components import HINT, import_components, unknown_components, unregistered_types, warnings_of
from ..options import Components, Listing
from ..report import Report
from ..results import Result
from ..terminal import say


def spec_lint(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="Paths, patterns, folders (their .yaml, .yml and .json files), or - for standard input, one spec in "
            "each. JSON if the name ends in .json, "
            "else YAML; standard input is JSON if it starts with {.",
        ),
    ],
    components: Components = None,
    registered: Annotated[
        bool, typer.Option("--registered", help="Report a component that is not registered or installed as a finding.")
    ] = False,
    *,
    listing: Listing,
) -> ExitStatus:
    """A spec can be valid and still look wrong: a misspelt component, a cost that pays, a gate that never opens, a
    reward that is always 0. Each is a warning, and the exit status stays 0. Components need not be registered, unless
    --registered or --components is given.
    """
    report = Report("spec lint", listing)
    unregistered: set[str] = set()
    if not import_components(report, components or ()):
        return report.close()
    for file in spec_files(files):
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
    """What is wrong with a spec; None where the report takes why that cannot be reported."""
    if file.findings or not registered:
        return file.findings
    return unknown_components(report, file)
