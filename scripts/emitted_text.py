"""Texts of the schemas in generated code: none can end the comment or string it is in. For scripts/generate.py."""

from __future__ import annotations


def python_text(text: str) -> str:
    """A text on one line, as it can stand between double quotes, one or three of them, in Python source."""
    text = _one_line(text).replace("\\", r"\\").replace('"', r"\"")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def typescript_comment(text: str) -> str:
    """A doc comment in TypeScript, on a line of its own; empty if the text is."""
    text = "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in _one_line(text)).replace("*/", "*\\/")
    return f"/** {text} */\n" if text else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())  # split() knows every line end, U+2028 too
