"""A schema and everything that it refers to as one file, for generators and validators that read one file."""

from __future__ import annotations

from typing import Any, Final

from ..core.schema_files import SCHEMA_FILES
from .schemas import schema_of

BUNDLES: Final = tuple(name for name in SCHEMA_FILES if name != "common")
"""What can be bundled: the kinds, and ``document``, the umbrella over them."""

Reference = tuple[str, str]
"""What a ``$ref`` names: the short name of a schema file, and the title of a definition in it or of the file itself."""


def bundle(name: str) -> dict[str, Any]:
    """One self-contained schema: ``contract``, ``certificate``, ``receipt``, or the umbrella ``document``.

    It gives the verdicts of the schema file and keeps its ``$id``. Every ``$ref`` is ``#/$defs/...``, and ``$defs`` has
    the definitions that are reached, by their titles, no others; in the umbrella the three documents are among them.
    A fresh copy at each call. Raises ValueError for any other name.
    """
    if name not in BUNDLES:
        raise ValueError(f"There is no schema {name!r} to bundle; known are {', '.join(BUNDLES)}.")
    waiting: list[Reference] = []
    root: dict[str, Any] = _local(schema_of(name), name, waiting)
    definitions: dict[str, Any] = {}
    while waiting:
        source, title = waiting.pop(0)
        if title not in definitions:
            definition = _local(_definition(source, title), source, waiting)
            # A part of a file has no identity of its own: with an $id its references would lead into itself.
            definitions[title] = {key: value for key, value in definition.items() if key not in ("$schema", "$id")}
    return {**root, "$defs": definitions}


def _local(schema: Any, source: str, reached: list[Reference]) -> Any:
    """A copy with local references and without the file's definitions. What it refers to is added to ``reached``."""
    if isinstance(schema, list):
        return [_local(item, source, reached) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {}
    for key, value in schema.items():
        if key == "$ref":
            reference = _target(value, source)
            reached.append(reference)
            copy[key] = f"#/$defs/{reference[1]}"
        elif key != "$defs":
            copy[key] = _local(value, source, reached)
    return copy


def _target(ref: str, source: str) -> Reference:
    file, _, title = ref.partition("#/$defs/")
    if file:
        source = next(name for name, known in SCHEMA_FILES.items() if known == file)
    return source, title or schema_of(source)["title"]


def _definition(source: str, title: str) -> Any:
    schema = schema_of(source)
    return schema if schema["title"] == title else schema["$defs"][title]
