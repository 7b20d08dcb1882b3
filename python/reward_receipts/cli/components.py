"""The components that a command on specs runs against, and the spec resolved against them."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

from ..catalogue import catalogue
from ..findings import InvalidDocument
from ..rewards.resolved import ResolvedSpec
from ..rewards.spec_files import SpecFile
from .formats import Report, Result

_HINT = "--components MODULE imports a module that registers its own."


def import_components(report: Report, modules: Sequence[str]) -> bool:
    """Imports modules that register components; this folder is looked in too. The report takes what fails.

    What a module prints goes to standard error: it is no result.
    """
    folder = os.getcwd()
    if modules and folder not in sys.path:
        sys.path.insert(0, folder)
    imported = True
    for name in modules:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                importlib.import_module(name)
        except (Exception, SystemExit) as error:  # it is not known what a module does
            report.problem(name, f"--components {name} cannot be imported: {type(error).__name__}: {error}")
            imported = False
    return imported


def resolved(report: Report, file: SpecFile) -> ResolvedSpec | None:
    """The spec of a file that holds, resolved against the registry; None where the report takes why it cannot be."""
    try:
        return file.spec().resolve()
    except InvalidDocument as error:
        unknown = tuple(
            replace(file.finding(found), sentence=f"{found.sentence} {catalogue()[found.code].fix} {_HINT}")
            for found in error.findings
        )
        report.add(Result(file, "undecided", members={"kind": "spec"}, unchecked=unknown))
    except Exception as error:  # a component of another package, that cannot be loaded or is none
        report.problem(file.label, f"{file.label}: a component cannot be had: {type(error).__name__}: {error}")
    return None
