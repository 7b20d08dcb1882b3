"""The scanner of ruamel.yaml, without what it does with tags. Loaded where YAML is read."""

from __future__ import annotations

from typing import Any

from ruamel.yaml.scanner import Scanner


class TagBlindScanner(Scanner):
    """Says that a tag is there, not which: the reader refuses them all, and names them from the text.

    Resolving one takes the square of its length, minutes for a hostile text of 1 MiB.
    """

    def scan_tag(self) -> Any:
        """The token of a tag, as that of a bare ``!``."""
        token = super().scan_tag()
        token.value = (None, "!")
        return token
