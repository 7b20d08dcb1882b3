"""The faults of a plain JSON value under a schema: each keyword that refuses it, the place and the value there.

The engine (jsonschema-rs) answers yes or no. Its errors are not used: each of them copies the whole value, and they
give an index and a member name of digits alike. This walker takes time and memory linear in the value, and knows just
the keywords that scripts/lint lets into a schema. Tests compare it with the engine, keyword by keyword.

A container that is too long is itself the fault; of what it contains, MAX_CHECKED_ITEMS are checked, or one more than
it may have.
"""

from __future__ import annotations

import heapq
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple, TypeGuard

from ..core.codes import keyword_form, keyword_found
from ..core.findings import shown
from ..core.generated.tables import MAX_CHECKED_ITEMS, MAX_CHECKED_NAME, MAX_FINDINGS, MAX_SHOWN
from ..core.pointer import Path, escaped_step
from ..core.redaction import redacted

Definitions = Callable[[str], Any]
"""The schema that a ``$ref`` names."""


class Fault(NamedTuple):
    """A keyword that refuses a value."""

    keyword: str
    path: Path
    """The value. A member that must not be there, or not under its name, is itself the place."""
    found: str
    """A sentence: what is there, and what is expected."""
    also: int = 0
    """How many more faults like this one, in the same object, it stands for."""


def faults(schema: Any, value: Any, definitions: Definitions, path: Path = ()) -> Iterator[Fault]:
    """Every keyword of a schema that refuses a value, the rules (``allOf``) excepted."""
    if type(schema) is bool:
        if not schema:
            yield Fault("false", path, f"{_name(path)} is {typed(value)}; nothing is accepted here.")
        return
    if "$ref" in schema:
        yield from faults(definitions(schema["$ref"]), value, definitions, path)
    yield from _of_any(schema, value, definitions, path)
    kind = type(value)
    if kind is str:
        for keyword, form in _forms(schema, value):
            yield _refused(keyword, path, value=shown(value), form=form)
    elif kind is dict:
        yield from _of_object(schema, value, definitions, path)
    elif kind is list:
        yield from _of_array(schema, value, definitions, path)
    elif kind is not bool and value is not None:
        yield from _of_number(schema, value, path)
    if "if" in schema:
        branch = schema.get("then" if _is_valid(schema["if"], value, definitions) else "else")
        if branch is not None:
            yield from faults(branch, value, definitions, path)


def typed(value: Any) -> str:
    """A value with its type, as a message names it if another type is expected."""
    if value is None:
        return "null"
    if type(value) in (list, dict):
        return "an array" if type(value) is list else "an object"
    return f"the {_TYPES.get(type(value), type(value).__name__)} {shown(value)}"


def is_whole(value: Any) -> TypeGuard[int | float]:
    """Whether a value is an integer: a whole double is one, a boolean is not."""
    return type(value) is int or (type(value) is float and value.is_integer())


def _is_valid(schema: Any, value: Any, definitions: Definitions) -> bool:
    return next(faults(schema, value, definitions), None) is None


def _of_any(schema: Any, value: Any, definitions: Definitions, path: Path) -> Iterator[Fault]:
    types = schema.get("type", ())
    types = [types] if type(types) is str else sorted(types)
    if types and not any(_is_of_type(value, name) for name in types):
        yield _refused("type", path, value=typed(value), expected=" or ".join(map(_an, types)))
    elif "not" in schema and type(value) is not str and _is_valid(schema["not"], value, definitions):
        yield Fault("not", path, f"{_name(path)} is {typed(value)}, which is not accepted here.")
    if "const" in schema and not _equal(schema["const"], value):
        yield _refused("const", path, value=shown(value), expected=shown(schema["const"]))
    if "enum" in schema and not any(_equal(option, value) for option in schema["enum"]):
        yield _refused("enum", path, value=shown(value), expected=" or ".join(map(shown, schema["enum"])))
    if "oneOf" in schema and sum(_is_valid(option, value, definitions) for option in schema["oneOf"]) != 1:
        yield _refused("oneOf", path, value=shown(value), expected=_alternatives(schema["oneOf"]))
    if "anyOf" in schema and not any(_is_valid(option, value, definitions) for option in schema["anyOf"]):
        yield _refused("anyOf", path, value=shown(value), expected=_alternatives(schema["anyOf"]))


def _forms(schema: Any, text: str) -> Iterator[tuple[str, str]]:
    """The keywords that refuse the form of a text, each with what it expects."""
    if len(text) < schema.get("minLength", 0):
        yield "minLength", keyword_form("minLength", size=len(text), limit=schema["minLength"])
    if len(text) > schema.get("maxLength", len(text)):
        yield "maxLength", keyword_form("maxLength", size=len(text), limit=schema["maxLength"])
    if not _matches(schema, text):
        # The lint of the schemas sees to it that each type with a pattern has an example.
        yield "pattern", keyword_form("pattern", type=schema["title"], example=schema["examples"][0])


def _matches(schema: Any, text: str) -> bool:
    """Whether a text has the form of a schema. Its ``not`` keeps out line breaks, for engines with another $."""
    if "pattern" in schema and not _expression(schema["pattern"]).search(text):
        return False
    return "not" not in schema or not (schema["not"] is True or (schema["not"] and _matches(schema["not"], text)))


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    # In Python a $ also matches before a line break at the end.
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))


def _of_number(schema: Any, value: float, path: Path) -> Iterator[Fault]:
    for keyword, is_kept in _BOUNDS:
        if keyword in schema and not is_kept(value, schema[keyword]):
            yield _refused(keyword, path, value=shown(value), limit=shown(schema[keyword]))


def _of_array(schema: Any, value: list[Any], definitions: Definitions, path: Path) -> Iterator[Fault]:
    yield from _of_size(schema, len(value), "Items", path)
    if schema.get("uniqueItems") and len({_key(item) for item in value}) < len(value):
        yield _refused("uniqueItems", path, value=shown(value))
    if "items" in schema:
        for index, item in enumerate(islice(value, _examined(len(value), schema.get("maxItems")))):
            yield from faults(schema["items"], item, definitions, (*path, index))


def _of_object(schema: Any, value: dict[str, Any], definitions: Definitions, path: Path) -> Iterator[Fault]:
    for name in schema.get("required", ()):
        if name not in value:
            yield _refused("required", path, member=name)
    yield from _of_size(schema, len(value), "Properties", path)
    form = schema.get("propertyNames")
    if type(form) is dict and "$ref" in form:
        form = definitions(form["$ref"])
    properties, others = schema.get("properties", {}), schema.get("additionalProperties")
    for name, member in islice(value.items(), _examined(len(value), schema.get("maxProperties"))):
        for broken in _of_name(form, name):
            yield _refused("propertyNames", (*path, name), member=shown(name), form=broken)
        if name in properties:
            yield from faults(properties[name], member, definitions, (*path, name))
        elif type(others) is dict and not (len(name) > MAX_CHECKED_NAME and type(member) is dict):
            yield from faults(others, member, definitions, (*path, name))
    if others is False:
        yield from _unknown([name for name in value if name not in properties], path)


def _of_name(form: Any, name: str) -> Iterator[str]:
    if form is False:
        yield "is not accepted"
    elif type(form) is dict:
        yield from (broken for _, broken in _forms(form, name))


def _unknown(names: list[str], path: Path) -> Iterator[Fault]:
    """The members that an object must not have: the first of them in the order of their pointers."""
    listed = names if len(names) <= MAX_FINDINGS else heapq.nsmallest(MAX_FINDINGS, names, key=escaped_step)
    for place, name in enumerate(listed):
        also = len(names) - len(listed) if place == 0 else 0
        yield _refused("additionalProperties", (*path, name), also, member=shown(name))


def _of_size(schema: Any, size: int, word: str, path: Path) -> Iterator[Fault]:
    least, most = schema.get(f"min{word}"), schema.get(f"max{word}")
    if least is not None and size < least:
        yield _refused(f"min{word}", path, size=size, limit=least)
    if most is not None and size > most:
        yield _refused(f"max{word}", path, size=size, limit=most)


def _examined(size: int, most: int | None) -> int:
    return size if most is None or size <= most else max(MAX_CHECKED_ITEMS, most + 1)


def _is_of_type(value: Any, name: str) -> bool:
    if name == "integer":
        return is_whole(value)
    if name == "number":
        return type(value) in (int, float)
    return type(value) is _CLASSES[name]


def _equal(one: Any, other: Any) -> bool:
    """Equality of JSON scalars; 1 and 1.0 are equal, 1 and true are not. Schemas fix nothing else."""
    return bool(one == other) and (type(one) is bool) == (type(other) is bool)


def _key(value: Any) -> Any:
    """A key that equal JSON values share: numbers by value, objects without regard to order."""
    if type(value) is list:
        return ("array", *map(_key, value))
    if type(value) is dict:
        return ("object", frozenset((name, _key(member)) for name, member in value.items()))
    if type(value) is bool:
        return ("boolean", value)
    if is_whole(value):
        return ("number", int(value) % _SECRET, value)
    return value


def _refused(keyword: str, path: Path, also: int = 0, **values: object) -> Fault:
    return Fault(keyword, path, keyword_found(keyword, place=_name(path), **values), also)


def _alternatives(options: Iterable[Any]) -> str:
    return " or ".join(
        shown(option["const"])
        if "const" in option
        else option["$ref"].rpartition("/")[2]
        if "$ref" in option
        else _an(option["type"])
        for option in options
    )


def _name(path: Path) -> str:
    name = redacted(str(path[-1])) if path else "the document"
    return name if len(name) <= MAX_SHOWN else f"{name[: MAX_SHOWN - 3]}..."


def _an(word: str) -> str:
    return word if word == "null" else f"{'an' if word[0] in 'aio' else 'a'} {word}"


_SECRET: Final = 2**61 + secrets.randbits(60)
"""Python hashes integers alike that are equal modulo 2^61 - 1, and anybody can write 40,000 of these; so a key has the
integer modulo a number that nobody knows too."""

_TYPES: Final[Mapping[type, str]] = {bool: "boolean", int: "integer", float: "number", str: "string"}
_CLASSES: Final[Mapping[str, type]] = {
    "null": type(None),
    "boolean": bool,
    "string": str,
    "array": list,
    "object": dict,
}
_BOUNDS: Final[tuple[tuple[str, Callable[[float, float], bool]], ...]] = (
    ("minimum", lambda value, bound: value >= bound),
    ("maximum", lambda value, bound: value <= bound),
    ("exclusiveMinimum", lambda value, bound: value > bound),
    ("exclusiveMaximum", lambda value, bound: value < bound),
)
