"""Writes a spec as YAML or JSON: its members in the order of the schema, so that it reads back to an equal spec."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from .members import SpecMembers

_PLAIN: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9 ._/-]*[A-Za-z0-9_/-])?")
"""What every reader takes for text where it is not one of the words below: no indicator, no digit to begin with."""

_WORDS_OF_YAML_1_1: Final = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def write_yaml(spec: SpecMembers) -> str:
    """The completed spec in block style, its members in the schema's order, ending in one line end.

    Readers of YAML 1.1 and of 1.2 read the same values: texts that one of them could take for something else are in
    double quotes, with escapes for what does not print; doubles have a point and a signed exponent.
    """
    lines: list[str] = []
    for name, value in in_schema_order(spec).items():
        if isinstance(value, list) and value:
            lines.append(f"{name}:")
            lines += [line for item in value for line in _item(item)]
        else:
            lines.append(f"{name}: {_flow(value)}")
    return "\n".join(lines) + "\n"


def in_schema_order(part: Any) -> dict[str, Any]:
    """The completed spec, or a part of it, as plain JSON with its members in the order in which the schema has them."""
    settled = part._settled()
    plain = settled._plain()
    ordered = {name: plain[name] for name in type(settled).model_fields if name in plain}
    for name in ("components", "gates"):
        if name in ordered:
            ordered[name] = [in_schema_order(item) for item in getattr(settled, name)]
    return ordered


def _item(item: dict[str, Any]) -> Iterable[str]:
    for place, (name, value) in enumerate(item.items()):
        yield f"  {'-' if place == 0 else ' '} {name}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, str):
        return _scalar_text(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)}: {_flow(member)}" for name, member in value.items()) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else _number(value)


_LONGEST_KEY: Final = 1024
"""The characters that YAML (1.2.2, section 7.4.2) lets a key have that no ``?`` announces."""


def _key(name: str) -> str:
    """A key of a flow mapping."""
    key = _scalar_text(name)
    return key if len(key) <= _LONGEST_KEY else f"? {key} "


def _number(value: float) -> str:
    text = repr(float(value))
    mantissa, exponent, power = text.partition("e")
    # Without a point, a reader of YAML 1.1 takes 1e-07 for text.
    return f"{mantissa}.0{exponent}{power}" if exponent and "." not in mantissa else text


def _scalar_text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_YAML_1_1:
        return text
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def write_json(spec: SpecMembers) -> str:
    """The completed spec as indented ASCII JSON, its members in the schema's order, ending in one line end.

    Numbers are written as in the canonical form.
    """
    return json.dumps(in_schema_order(spec), indent=2) + "\n"
