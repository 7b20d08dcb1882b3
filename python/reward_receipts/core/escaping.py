"""Text of others as it is shown: on a terminal, in a log that runs commands, in JSON, in Markdown.

File names, member names, driver names and reports come from anywhere. A terminal acts on control characters, and the
runners of continuous integration act on lines such as ``::error::`` and ``##[group]``. Both are shown escaped.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Final

_COMMAND_AT_START: Final = re.compile(r"\s*::")
_COMMAND_ANYWHERE: Final = re.compile(r"##(?=\w*\[)")
"""``##[command]`` (GitHub, Azure), ``##vso[task...]`` (Azure), ``##teamcity[...]``: found anywhere in a line."""

_AMBIGUOUS_NAME: Final = re.compile(r'\A\Z|\A["\s]|\s\Z|\s\s|:[\s:\d]|\(document\)')
"""A file's name that could be read as more than a name: as columns, or as ``FILE:LINE:COLUMN``."""

_MARKDOWN: Final = re.compile(r"[\\|*_`<>\[\]&]")


def printable(text: str) -> str:
    r"""A text with every character escaped that a terminal could act on or cannot show.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def printable_line(text: str) -> str:
    r"""A text as one whole line of output, which no runner takes for a command.

    >>> printable_line("::error::all is well")
    '\\x3a:error::all is well'
    """
    text = printable(text)
    if "::" in text and (start := _COMMAND_AT_START.match(text)):
        text = f"{text[: start.end() - 2]}\\x3a:{text[start.end() :]}"
    return _COMMAND_ANYWHERE.sub(r"\\x23#", text) if "##" in text else text


def printable_lines(text: str) -> str:
    """A text of several lines, each as ``printable_line`` shows it."""
    return "\n".join(map(printable_line, text.splitlines()))


@lru_cache(maxsize=256)
def file_label(name: str) -> str:
    r"""A file's name as lines and messages show it: in quotes where it could be taken for more than a name.

    >>> file_label("my receipts.json")
    'my receipts.json'
    >>> file_label("a.json:1:1 (document) schema.type x")
    '"a.json:1:1 (document) schema.type x"'
    """
    if name.isprintable() and not _AMBIGUOUS_NAME.search(name):
        return name
    return printable(json.dumps(name, ensure_ascii=False))


def command_message(text: str) -> str:
    r"""The message of a GitHub workflow command: ``%`` and line ends are escaped for the runner, the rest is printable.

    >>> command_message("100%\n::error::x")
    '100%25%0A::error::x'
    """
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def command_property(value: object) -> str:
    """A property of a GitHub workflow command: ``:`` and ``,`` are escaped too."""
    return command_message(str(value)).replace(":", "%3A").replace(",", "%2C")


def json_text(value: Any, indent: int | None = None) -> str:
    """A plain value as ASCII JSON that neither a terminal nor a runner acts on."""
    # DEL is the one control character that JSON's ASCII form leaves as it is; # is only in strings.
    text = json.dumps(value, indent=indent).replace("\x7f", "\\u007f")
    return _COMMAND_ANYWHERE.sub(r"\\u0023#", text) if "##" in text else text


def without_surrogates(text: str) -> str:
    """A text that UTF-8 and strict JSON can hold; half a surrogate pair is shown escaped.

    A file's name can contain bytes that are not UTF-8, which Python carries as surrogates.
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def markdown(text: str) -> str:
    """A text as plain text in a cell of a Markdown table."""
    return _MARKDOWN.sub(r"\\\g<0>", printable_line(text))
