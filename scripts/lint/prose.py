"""Plain English: habits that make a text read as translated, found in every text that a person reads.

The texts are comments, docstrings and strings of code, names of tests, descriptions in schemas, and pages. Code in
backquotes and fenced blocks are not prose. ``HABITS`` is the list; each entry names a better way to write it.
"""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

from lint.places import SCHEMAS

ROOT = SCHEMAS.parent


class Habit(NamedTuple):
    """A way to write that this repository avoids."""

    name: str
    pattern: re.Pattern[str]
    instead: str


def _habit(name: str, pattern: str, instead: str) -> Habit:
    return Habit(name, re.compile(pattern), instead)


HABITS = (
    _habit(
        "is-no",
        r"(?i)(?<!there )\b(?:is|are|was|were) (?:no|none of)\b(?! (?:longer|more|less|fewer|later|such))",
        'write "is not a", or "is not one of"',
    ),
    _habit(
        "is-due", r"(?i)\b(?:where|what|than|more) (?:[^ .;,:\x01]+ ){0,6}(?:is|are|was|were) due\b", 'write "expected"'
    ),
    _habit(
        "stands",
        r"(?i)\b(?:stands|stood)\b(?! (?:for|in for)\b)|\bstand (?:in|at|on|here|there|once|twice)\b(?! for\b)",
        'write "is"',
    ),
    _habit(
        "holds",
        r"\bholds? (?:if|when|only|until|from|for|there|here|too|so|then|without)\b",
        'write "is valid", or "is true"',
    ),
    _habit(
        "said",
        r"(?i)\b(?:is|are|was|were|be|been|never|not) (?:said|told)\b(?! apart)|\bsays so\b|\bsaid so\b",
        'write "is reported", or name who reports it',
    ),
    _habit(
        "takes-that", r"(?i)\btakes that\b|\btakes it that\b|\b(?:comes|came) to\b", 'write "accepts", or "adds up to"'
    ),
    _habit("judge", r"(?i)\bjudg(?:e|es|ed|ing)\b", 'write "check", or "decide"'),
    _habit(
        "test-name",
        r"\btest_(?:who|what|whatever|whoever)_\w+|"
        r"\btest_\w*(?:_(?:is|are)_told(?!_apart)|(?<!there)_is_no_|_are_no_|_stands?_|_judge|_is_said)\w*",
        "name what the code does",
    ),
    _habit(
        "private-word",
        r"(?i)\bin the field\b|\bhanded\b(?! (?:over|to|out|on))",
        "use the usual word, or enter it in the glossary",
    ),
)

_SUFFIXES = {".py", ".ts", ".mjs", ".rs", ".go", ".java", ".md", ".json", ".toml", ".ini"}
_NOT_OURS = (
    "conformance/cases/",
    "conformance/json-schema-test-suite/",
    "conformance/vectors/",
    "generated/",
    "python/tests/repository/test_prose.py",
    "rust/fuzz/",
    "scripts/lint/prose.py",
    "typescript/package-lock.json",
)

_CODE_TEXTS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|'(?:\\.|[^'\\\n])'|"(?P<string>(?:\\.|[^"\\\n])*)"|`(?P<template>(?:\\.|[^`\\])*)`""",
    re.S,
)
_HASH_TEXTS = re.compile(r"""(?P<comment>(?<![^\s])#[^\n]*)|'[^'\n]*'|"(?P<string>(?:\\.|[^"\\\n])*)"(?P<template>)""")
_FENCE = re.compile(r"^(?P<indent> *)(```|~~~).*?^(?P=indent)\2", re.M | re.S)


_GOES_ON = re.compile(r"""[\s"'rf]*#?""")
_MARKS = re.compile(r"(?m)^\s*(?:#+:?|//[/!]?|/?\*+/?)(?=\s)")
_INLINE_CODE = re.compile(r"``[^`]*``|`[^`\n]*`|\{[^{}\n]*\}")


def findings() -> Iterator[str]:
    """A line for each place in the checkout with one of the habits."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    for name in sorted(listed.stdout.splitlines()):
        path = ROOT / name
        if path.suffix in _SUFFIXES and not name.startswith(_NOT_OURS) and path.is_file():
            for line, habit, found in of_text(path.read_text(encoding="utf-8"), path.suffix):
                yield f"{name}:{line}: {habit.name}: {found!r}; {habit.instead}"


def of_text(text: str, suffix: str) -> Iterator[tuple[int, Habit, str]]:
    """The habits in a text, with the line of each. The suffix of its file tells how to find the prose in it."""
    prose, places = _prose(text, suffix)
    for habit in HABITS:
        if habit.name == "test-name":
            spans = [found.span() for found in habit.pattern.finditer(text)]
        else:
            spans = [(places[found.start()], places[found.end() - 1] + 1) for found in habit.pattern.finditer(prose)]
        for start, end in spans:
            yield text.count("\n", 0, start) + 1, habit, " ".join(text[start:end].split())


def _prose(text: str, suffix: str) -> tuple[str, list[int]]:
    r"""The prose in a text, and the place of each of its characters in the text.

    White space is one space, code is NUL, and the start of a comment or string is \x01, unless it goes on from the one
    before: a comment on the next line, or a string that Python joins.
    """
    if suffix == ".md":
        spans = list(_outside_of_fences(text))
    elif suffix == ".py":
        spans = list(_python(text))
    else:
        pattern = _HASH_TEXTS if suffix in (".toml", ".ini") else _CODE_TEXTS
        spans = [
            span
            for found in pattern.finditer(text)
            for group in ("comment", "string", "template")
            if (span := found.span(group)) != (-1, -1) and " " in text[slice(*span)]
        ]
    prose: list[str] = []
    places: list[int] = []
    at = 0
    for start, end in spans:
        prose.append(" " if at and _GOES_ON.fullmatch(text, at, start) else "\x01")
        places.append(start)
        words = _INLINE_CODE.sub(lambda code: "x" * len(code[0]), text[start:end])
        words = _MARKS.sub(lambda mark: " " * len(mark[0]), words)
        for run in re.finditer(r"\s+|\S+", words):
            if run[0].isspace() and prose[-1] == " ":
                continue
            piece = " " if run[0].isspace() else run[0]
            prose.append(piece)
            places.extend(range(start + run.start(), start + run.start() + len(piece)))
        at = end
    return "".join(prose), places


def _outside_of_fences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for fence in _FENCE.finditer(text):
        yield at, fence.start()
        at = fence.end()
    yield at, len(text)


def _python(text: str) -> Iterator[tuple[int, int]]:
    """Where comments and strings are. An f-string is one string, on every version of Python."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    opened = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start, end = (starts[row - 1] + column for row, column in (token.start, token.end))
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":
            opened = start
        elif kind == "FSTRING_END" and opened is not None:
            yield opened + 2, end - 1
        elif kind == "COMMENT":
            yield start + 1, end
        elif kind == "STRING":
            quote = re.match(r"[a-zA-Z]*(\"\"\"|'''|\"|')", token.string)
            assert quote is not None
            inner = start + quote.end(), end - len(quote[1])
            if " " in text[slice(*inner)]:
                yield inner
