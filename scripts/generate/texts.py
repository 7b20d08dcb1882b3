"""Texts of the schemas in generated code: none can end the comment, the string or the line that it is in."""

from __future__ import annotations


def python_text(text: str) -> str:
    """A text on one line, as it can be written between double quotes, one or three of them, in Python source."""
    text = one_line(text).replace("\\", r"\\").replace('"', r"\"")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def block_comment(text: str) -> str:
    """A text on one line, as it can be written in a comment that ends with ``*/``."""
    return printable(text).replace("*/", "*\\/")


def printable(text: str) -> str:
    """A text on one line, with escapes for what cannot be seen."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in one_line(text))


def one_line(text: str) -> str:
    """A text with one space in place of each run of white space, line ends too."""
    return " ".join(text.split())  # split() knows every line end, U+2028 too
