"""The columns of a trace, as schemas/reward-trace-row.schema.json has them: names, types and defaults.

A member that is added to the schema is a column here, in both formats, without another line of code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final, Literal

from ..core.codes import sentence
from ..core.findings import Finding, InvalidDocument, shown
from ..core.pointer import Path
from ..validation.schemas import schema_of

_SCHEMA: Final = schema_of("trace-row")
SCHEMA_VERSION: Final[str] = _SCHEMA["properties"]["schema_version"]["const"]
REQUIRED: Final[tuple[str, ...]] = tuple(_SCHEMA["required"])
"""The members that every row must have."""
_VERSION_KEY: Final = b"reward-receipts.schema_version"


@dataclass(frozen=True, slots=True)
class Column:
    """The type of a member of a row, or of what such a member contains."""

    type: Literal["integer", "number", "boolean", "string", "map", "object"]
    nullable: bool
    default: Any
    """The default of the schema; None also where the member is required."""
    values: Column | None = None
    """The type of the values of a map, whose keys are text."""
    members: Mapping[str, Column] | None = None
    """The members of an object."""
    maximum: int | None = None
    """The largest integer; the smallest is 0."""
    words: frozenset[str] | None = None
    """The only texts that are valid; None where the schema does not list them."""


def _column(schema: Mapping[str, Any]) -> Column:
    schema = _resolved(schema)
    default = schema.get("default")
    if "anyOf" in schema:
        of, null = schema["anyOf"]
        if null != {"type": "null"}:
            raise ValueError(f"a column of a trace is of one type, or of one type and null: {schema['anyOf']}")
        return replace(_column(of), nullable=True, default=default)
    match schema["type"]:
        case "object" if "properties" in schema:
            members = {name: _column(member) for name, member in schema["properties"].items()}
            return Column("object", False, default, members=members)
        case "object":
            return Column("map", False, default, values=_column(schema["additionalProperties"]))
        case "string":
            words = frozenset(each["const"] for each in schema["oneOf"]) if "oneOf" in schema else None
            return Column("string", False, default, words=words)
        case "integer":
            return Column("integer", False, default, maximum=schema["maximum"])
        case "number" | "boolean" as name:
            return Column(name, False, default)
        case other:
            raise ValueError(f"a trace has no columns of type {other}")


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with the definition that it refers to."""
    while "$ref" in schema:
        file, _, name = schema["$ref"].partition("#/$defs/")
        definitions = schema_of("common")["$defs"] if file else _SCHEMA["$defs"]
        schema = {**definitions[name], **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


COLUMNS: Final[dict[str, Column]] = {
    name: _column(member) for name, member in _SCHEMA["properties"].items() if name != "schema_version"
}
"""Every column, in the schema's order. A file says the version once, not in each row."""


def members_of(column: Column) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """A function that gives the members of an object of the column, in the schema's order. It raises KeyError."""
    names = tuple(column.members or ())
    return itemgetter(*names) if len(names) > 1 else lambda value: tuple(value[name] for name in names)


def arrow_schema(arrow: Any) -> Any:
    """The columns as an Arrow schema."""
    fields = [(name, arrow_type(arrow, column)) for name, column in COLUMNS.items()]
    return arrow.schema(fields, metadata={_VERSION_KEY: SCHEMA_VERSION.encode()})


def arrow_type(arrow: Any, column: Column) -> Any:
    """The type of a column in Arrow."""
    match column.type:
        case "map":
            assert column.values is not None
            return arrow.map_(arrow.string(), arrow_type(arrow, column.values))
        case "object":
            assert column.members is not None
            return arrow.struct([(name, arrow_type(arrow, member)) for name, member in column.members.items()])
        case scalar:
            types = {"integer": arrow.int64, "number": arrow.float64, "boolean": arrow.bool_, "string": arrow.string}
            return types[scalar]()


def text_columns() -> list[str]:
    """The paths of all texts in a Parquet file. Few values repeat in them, so each is written with a dictionary."""
    return [path for name, column in COLUMNS.items() for path in _text_paths(name, column)]


def _text_paths(path: str, column: Column) -> Iterator[str]:
    if column.type == "string":
        yield path
    elif column.values is not None:
        yield f"{path}.key_value.key"
        yield from _text_paths(f"{path}.key_value.value", column.values)
    for name, member in (column.members or {}).items():
        yield from _text_paths(f"{path}.{name}", member)


def row_from_arrow(values: Mapping[str, Any]) -> dict[str, Any]:
    """A row of Arrow values as plain JSON: a map, which Arrow gives as a list of pairs, becomes an object.

    Raises InvalidDocument for a map that has a key twice.
    """
    row = {name: _from_arrow(value, COLUMNS.get(name), (name,)) for name, value in values.items()}
    return {"schema_version": SCHEMA_VERSION, **row}


def _from_arrow(value: Any, column: Column | None, path: Path) -> Any:
    if column is None:
        return value
    if column.values is not None:
        if value is None:
            return {}
        if type(value) is not list or not all(type(pair) is tuple and len(pair) == 2 for pair in value):
            return value
        found: dict[Any, Any] = {}
        for name, each in value:
            if name in found:
                raise InvalidDocument((Finding("json.duplicate", sentence("json.duplicate", name=shown(name)), path),))
            found[name] = _from_arrow(each, column.values, (*path, name))
        return found
    if column.members is not None and type(value) is dict:
        return {name: _from_arrow(each, column.members.get(name), (*path, name)) for name, each in value.items()}
    return value
