"""The components that a command on specs runs against, and the spec resolved against them."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ..bulk.files import Unread
from ..core.codes import catalogue
from ..core.findings import Finding, InvalidDocument, shown
from ..core.foreign import describe_error
from ..core.strict_json import read_json
from ..rewards.components.registry import REGISTRY
from ..rewards.spec.files import SpecFile, read_spec_file
from ..rewards.spec.resolved import ResolvedSpec
from ..rewards.spec.warnings import spec_warnings
from .report import Report
from .results import Result
from .terminal import stdout_to_stderr

_UNKNOWN: Final = "compose.component-unknown"
HINT: Final = "--components MODULE imports a module that registers its own."


def resolved_spec(
    report: Report, name: str, modules: Sequence[str], settings: Sequence[str] = ()
) -> tuple[SpecFile, ResolvedSpec] | None:
    """The spec in a file with some settings, resolved against its components; None if the report has what is wrong."""
    try:
        file = read_spec_file(name)
    except Unread as unread:
        report.unread(unread)
        return None
    if file.findings:
        report.add(Result(file, "invalid", members={"kind": "spec"}, findings=file.findings))
        return None
    if not import_components(report, modules):
        return None
    if settings:
        try:
            changed = file.spec().with_(dict(map(_setting, settings)))
            file = replace(file, value=changed.to_dict())
        except ValueError as error:  # pydantic's ValidationError is one
            report.problem(file.label, f"{file.label}: --set: {describe_error(error, 1000, place=False)}")
            return None
    spec = _resolved(report, file)
    if isinstance(spec, tuple) and spec[0].code != _UNKNOWN:  # params that a component refuses
        report.add(Result(file, "invalid", members={"kind": "spec"}, findings=spec))
        return None
    if isinstance(spec, tuple):
        unknown = tuple(replace(each, sentence=f"{each.sentence} {HINT}") for each in spec)
        report.add(Result(file, "undecided", members={"kind": "spec"}, unchecked=unknown))
        return None
    return None if spec is None else (file, spec)


def _setting(text: str) -> tuple[str, Any]:
    """``TERM.weight=0.1`` as a name and a JSON value; what is not JSON is a text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{shown(text)} is not a setting; expected TERM.weight=NUMBER or the like")
    try:
        return name, read_json(value)
    except InvalidDocument:
        return name, value


def import_components(report: Report, modules: Sequence[str]) -> bool:
    """Imports modules that register components, from the current folder too. The report gets what fails.

    Without modules the current folder stays out of the search path: data in it must not bring code along. What a
    module prints goes to standard error, because it is not a result.
    """
    if modules:
        search_current_folder()
    imported = True
    for name in modules:
        try:
            if name.endswith(".py"):
                report.problem(name, f"--components {name} is a file; name the module: --components {module_of(name)}")
                imported = False
                continue
            with stdout_to_stderr():
                importlib.import_module(name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # it is not known what a module does
            report.problem(name, f"--components {name} cannot be imported: {describe_error(error)}")
            imported = False
    return imported


def search_current_folder() -> None:
    """Adds the current folder to the search path for modules, last: it replaces no installed module."""
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)


def module_of(file: str) -> str:
    """What a module is called whose file somebody named."""
    path = Path(file).with_suffix("")
    return path.name if path.is_absolute() else ".".join(part for part in path.parts if part != "..")


def unknown_components(report: Report, file: SpecFile) -> tuple[Finding, ...] | None:
    """A finding for each component of a spec that the registry does not have; None where the report takes a problem."""
    spec = _resolved(report, file)
    return () if isinstance(spec, ResolvedSpec) else spec


def unregistered_types(file: SpecFile) -> list[str]:
    """The types of a valid spec that nobody registers or offers."""
    return [term.type for term in file.spec().components if term.type not in REGISTRY]


def warnings_of(report: Report, file: SpecFile) -> tuple[Finding, ...] | None:
    """Warnings about a valid spec that looks wrong; None if the report takes why a component of it cannot be loaded."""
    try:
        with stdout_to_stderr():  # components of other packages are loaded
            return tuple(file.finding(warning) for warning in spec_warnings(file.spec()))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        report.problem(file.label, f"{file.label}: a component cannot be loaded: {describe_error(error, 1000)}")
    return None


def _resolved(report: Report, file: SpecFile) -> ResolvedSpec | tuple[Finding, ...] | None:
    try:
        with stdout_to_stderr():  # components of other packages are loaded
            return file.spec().resolve()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, InvalidDocument):
            fixes = catalogue()
            return tuple(
                replace(file.finding(each), sentence=f"{each.sentence} {fixes[each.code].fix}")
                for each in error.findings
            )
        report.problem(file.label, f"{file.label}: a component cannot be had: {describe_error(error, 1000)}")
    return None
