"""The JSON Schema that pydantic publishes (``model_json_schema()``, OpenAPI), corrected to match the schema files.

Pydantic derives a JSON schema from the fields, which have no ``uniqueItems``, no rules, null for a member that was left
out, and ``maxLength`` for the bound of a map. The schema files have it all; only the names of the definitions are
pydantic's. The definitions of text are right as they are generated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..validation.schemas import DataKind, Kind, schema_of


def state(kind: Kind | DataKind, name: str, published: dict[str, Any]) -> None:
    """Corrects, in place, what pydantic publishes of the class that the schema of a kind calls ``name``."""
    source = schema_of(kind) if schema_of(kind)["title"] == name else schema_of(kind)["$defs"][name]
    properties = published.get("properties", {})
    references = {_title(reference): reference for reference in _references(properties)}
    for member, stated in source["properties"].items():
        corrected = _renamed(stated, references)
        if "title" in properties[member]:
            corrected["title"] = properties[member]["title"]
        properties[member] = corrected
    if "allOf" in source:
        published["allOf"] = _renamed(source["allOf"], references)


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for member in schema.values():
            yield from _references(member)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)


def _renamed(schema: Any, references: dict[str, str]) -> Any:
    """A copy of a part of a schema file that refers to pydantic's definitions."""
    if isinstance(schema, dict):
        return {
            key: references[value.rpartition("/")[2]] if key == "$ref" else _renamed(value, references)
            for key, value in schema.items()
        }
    return [_renamed(item, references) for item in schema] if isinstance(schema, list) else schema


def _title(reference: str) -> str:
    """The title of the definition that a reference of pydantic's names: ``#/$defs/a__module__Name-Input__1``.

    Pydantic shortens the names at the end, and the definition itself may not be there yet.
    """
    return reference.rpartition("/")[2].rpartition("-")[0].rpartition("__")[2]
