"""Files that anybody may have written: a corpus, a list of expected failures, a report. Read in bounded memory."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Literal, Never

import jsonschema_rs

from ..core.escaping import printable
from ..core.findings import shown
from ..core.pointer import json_pointer, member_at

MAX_CORPUS_FILE: Final = 16 * 1024 * 1024
"""The longest file of cases, in bytes."""
MAX_CASE: Final = 2 * 1024 * 1024
"""The longest line of a file of cases, in bytes."""
MAX_REPORT: Final = 8 * 1024 * 1024
"""The longest report, in bytes. A report of the whole corpus has about one tenth."""
MAX_LIST: Final = 1024 * 1024
"""The longest manifest or list of expected failures, in bytes."""

Schema = Literal["case", "manifest", "protocol", "report"]
"""The files of ``conformance/schemas``, by what they describe."""


_MAX_LENGTH: Final = 300


class Unusable(ValueError):
    """A file is too long, or it does not contain what it has to. The message says why, and not which file."""


def read_file(path: Traversable | Path, limit: int) -> bytes:
    """The bytes of a file, of at most ``limit`` of them. Raises Unusable for a longer one, OSError if unreadable."""
    if isinstance(path, Path):
        mode = os.stat(path).st_mode  # before it is opened: to open a pipe can block for ever
        if not stat.S_ISREG(mode):
            raise Unusable("not a regular file")
    with path.open("rb") as file:
        data: bytes = file.read(limit + 1)
    if len(data) > limit:
        raise Unusable(f"longer than {limit} bytes, which is the most that is read")
    return data


def parsed(data: bytes) -> Any:
    """The value of a JSON text. Raises Unusable for what is not JSON, NaN and very deep nesting included."""
    try:
        return json.loads(data, parse_constant=_refuse_constant)
    except RecursionError:
        raise Unusable("not usable JSON: nested too deeply") from None
    except ValueError as error:
        raise Unusable(f"not JSON: {error}") from None


def fault(value: Any, schema: Schema, part: str = "", *, whole: str = "it") -> str | None:
    """The first thing that ``conformance/schemas`` refuses in a value: where, what is there, what is expected.

    ``part`` is the JSON pointer of a definition in the file. ``whole`` names the value in the sentence. None if the
    value is valid.
    """
    try:
        _validator(schema, part).validate(value)  # the first error only: each copies what it is about
    except jsonschema_rs.ValidationError as error:
        path = tuple(error.instance_path)
        where = printable(json_pointer(path)[1:]) or whole
        return f"{where} is {shown(member_at(value, path), 200)}; {_expected(error, schema)}"
    except ValueError as unusual:  # nested deeper than the validator goes, or what it cannot represent
        return f"{whole} is not usable: {shown(str(unusual))}"
    return None


def schema_of(name: Schema) -> dict[str, Any]:
    """A schema in ``conformance/schemas``."""
    text = files("reward_receipts.corpus").joinpath("schemas", f"{name}.schema.json").read_bytes()
    schema: dict[str, Any] = json.loads(text)
    return schema


def _expected(error: jsonschema_rs.ValidationError, name: Schema) -> str:
    refuses = error.kind
    kinds = jsonschema_rs.ValidationErrorKind
    if isinstance(refuses, kinds.Required):
        return f"it must have {json.dumps(refuses.property)}"
    expected: Any = None
    if isinstance(refuses, kinds.Enum):
        expected = {"enum": refuses.options}
    elif isinstance(refuses, kinds.Constant):
        expected = {"const": refuses.expected_value}
    elif isinstance(refuses, kinds.Type):
        expected = {"type": list(refuses.types)}
    definitions: Mapping[str, Any] = {}
    if isinstance(refuses, kinds.OneOfNotValid | kinds.AnyOf):
        expected = schema_of(name)
        definitions = expected["$defs"]
        for step in error.schema_path[:-1]:
            expected = expected[step]
    return error.message[:_MAX_LENGTH] if expected is None else f"it must be {_words(expected, definitions)}"


def _words(schema: Any, definitions: Mapping[str, Any]) -> str:
    """A schema in a few words, such as ``{valid: boolean, codes: array of text}``."""
    match schema:
        case {"$ref": str(reference)} if (target := definitions.get(reference.rpartition("/")[2])) is not None:
            return _words(target, definitions)
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " or ".join(map(json.dumps, values))
        case {"oneOf": schemas} | {"anyOf": schemas}:
            return " or ".join(dict.fromkeys(_words(each, definitions) for each in schemas))
        case {"properties": members}:
            return "{" + ", ".join(f"{name}: {_words(each, definitions)}" for name, each in members.items()) + "}"
        case {"type": "array", "items": items}:
            return f"array of {_words(items, definitions)}"
        case {"type": "object", "additionalProperties": dict(members)}:
            return f"object of {_words(members, definitions)}"
        case {"type": types}:
            return " or ".join(
                "text" if each == "string" else each for each in ([types] if isinstance(types, str) else types)
            )
    return "something else"


def _refuse_constant(token: str) -> Never:
    raise ValueError(f"{token} is not JSON")


@cache
def _validator(name: Schema, part: str) -> jsonschema_rs.Draft202012Validator:
    schema = schema_of(name)
    registry = jsonschema_rs.Registry([(schema["$id"], schema)])
    return jsonschema_rs.Draft202012Validator({"$ref": f"{schema['$id']}#{part}"}, registry=registry, mask="it")
