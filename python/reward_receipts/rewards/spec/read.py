"""Reads a spec's text, JSON or YAML: its plain JSON value, and every finding with its line and column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...core.findings import Finding, InvalidDocument
from ...core.pointer import Path
from ...core.strict_json import Places, decode, path_hint, read_json
from ...validation.check import MAX_VALUES, check
from .yaml_reader import PlaceOf, read_yaml

Data = bytes | bytearray | memoryview | str


def read_yaml_spec(data: Data) -> Any:
    """The plain JSON of a spec in a YAML 1.2 text, which the schema and every rule accept.

    Raises InvalidDocument, whose findings have line and column; InvalidText (one of its kind) where the text itself is
    refused; TypeError where ``data`` is neither bytes nor text.
    """
    return _held(*read_checked_yaml(data))


def read_json_spec(data: Data) -> Any:
    """The plain JSON of a spec in a strict JSON text, which the schema and every rule accept. Raises as above."""
    return _held(*read_checked_json(data))


def read_checked_yaml(data: Data) -> tuple[Any, PlaceOf, tuple[Finding, ...]]:
    """The value of a YAML text, the places in it, and all that is wrong with it as a spec.

    Of a text with more values than any spec has, only so many are read: enough to refuse it by. Raises InvalidText.
    """
    text = read_yaml(data, MAX_VALUES)
    findings = tuple(placed(finding, text.place) for finding in check("spec", text.value))
    if text.open:
        # What is missing, or too little, in a container that the rest of the text goes on in, may be there.
        certain = tuple(f for f in findings if f.code.startswith("schema.") and _is_certain(f, text.open))
        findings = certain or findings
    if hint := findings and path_hint(data):
        findings = tuple(replace(each, sentence=each.sentence + hint) for each in findings)
    return text.value, text.place, findings


def read_checked_json(data: Data) -> tuple[Any, PlaceOf, tuple[Finding, ...]]:
    """The value of a JSON text, the places in it, and all that is wrong with it as a spec. Raises InvalidText."""
    value = read_json(data)
    places = Places(decode(data))
    findings = check("spec", value)
    where = places.of_all([finding.path for finding in findings])
    placed = [
        replace(finding, line=line, column=column) for finding, (line, column) in zip(findings, where, strict=True)
    ]
    return value, places.of, tuple(placed)


def placed(finding: Finding, place: PlaceOf) -> Finding:
    """A finding with its line and column."""
    line, column = place(finding.path)
    return replace(finding, line=line, column=column)


def _is_certain(finding: Finding, still_open: tuple[Path, ...]) -> bool:
    return finding.path not in still_open or finding.code in ("schema.type", "schema.maxItems")


def _held(value: Any, place: PlaceOf, findings: tuple[Finding, ...]) -> Any:
    if findings:
        raise InvalidDocument(findings)
    return value
