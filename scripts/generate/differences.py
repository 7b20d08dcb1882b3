"""Names what differs between two versions of a generated file, in any language."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

MOST = 5
"""The most members that are named."""

_DECLARES = re.compile(
    r"\s*(?:(?:export|pub|const|static|type|class|interface|struct|enum|fn|function|def)\s+)+(?P<declared>\w+)"
    r"|\s*(?:readonly )?[\"']?(?P<member>[A-Za-z_][\w.-]*)[\"']?\??\s*[:=]"
    r"|#+ `?(?P<heading>[^`]+)`?$"
    r"|\| `(?P<row>[^`]+)`"
)
_COMMENT = re.compile(r"\s*(?:/\*|\*|//|#\[)")


def differing(old: str, new: str) -> str:
    """The members that are not the same in two texts, by their names with those around them; then how many others."""
    before, after = old.splitlines(), new.splitlines()
    names: dict[str, None] = {}
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            for lines, changed in ((before, range(i1, i2)), (after, range(j1, j2))):
                for index in changed:
                    if lines[index].strip():
                        names.setdefault(_member(lines, index))
    named = [name for name in names if name] or ["its text"]
    more = f" and {len(named) - MOST} more" if len(named) > MOST else ""
    return ", ".join(named[:MOST]) + more


def _member(lines: list[str], index: int) -> str:
    """The declaration that a line belongs to, after those around it: ``Receipt.nonce``."""
    while index + 1 < len(lines) and _COMMENT.match(lines[index]):
        index += 1  # a comment belongs to what follows it
    found: list[str] = []
    indent = _indent(lines[index]) + 1
    for line in reversed(lines[: index + 1]):
        if line.strip() and _indent(line) < indent:
            indent = _indent(line)
            if declared := _DECLARES.match(line):
                found.insert(0, next(name for name in declared.groups() if name))
    return ".".join(found[:2])


def _indent(line: str) -> int:
    """How far in a line is; a heading of Markdown is further out than what follows it."""
    heading = re.match("(#+) ", line)
    return len(heading[1]) - 7 if heading else len(line) - len(line.lstrip())
