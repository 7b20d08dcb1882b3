"""Files that anybody may have written: a corpus, a list of expected failures, a report. Read in bounded memory."""

from __future__ import annotations

import json
import os
import stat
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Literal, Never

import jsonschema_rs

from ..core.findings import json_pointer, shown

MAX_CORPUS_FILE: Final = 16 * 1024 * 1024
"""The longest file of cases, in bytes."""
MAX_CASE: Final = 2 * 1024 * 1024
"""The longest line of a file of cases, in bytes."""
MAX_REPORT: Final = 8 * 1024 * 1024
"""The longest report, in bytes. A report of the whole corpus has about one tenth."""
MAX_LIST: Final = 1024 * 1024
"""The longest manifest or list of expected failures, in bytes."""

Schema = Literal["case", "report"]


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


def require_form(value: Any, schema: Schema) -> None:
    """Raises Unusable unless a value has the form that ``conformance/schemas`` says."""
    try:
        _validator(schema).validate(value)  # the first error only: each copies what it is about
    except jsonschema_rs.ValidationError as error:
        where = json_pointer(tuple(error.instance_path)) or "the whole"
        found = f"at {shown(where)}: {shown(error.message, 200)}"
        raise Unusable(f"not of the form of {schema}.schema.json: {found}") from None
    except ValueError as unusual:  # nested deeper than the validator goes, or an integer that it cannot represent
        raise Unusable(f"not of the form of {schema}.schema.json: {shown(str(unusual))}") from None


def _refuse_constant(token: str) -> Never:
    raise ValueError(f"{token} is not JSON")


@cache
def _validator(name: Schema) -> Any:
    return jsonschema_rs.validator_for(schema_of(name))


def schema_of(name: Schema) -> dict[str, Any]:
    """A schema in ``conformance/schemas``."""
    text = files("reward_receipts.corpus").joinpath("schemas", f"{name}.schema.json").read_bytes()
    schema: dict[str, Any] = json.loads(text)
    return schema
