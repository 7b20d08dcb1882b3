"""The scanner of ruamel.yaml, held to YAML 1.2 where it accepts more, less, or something else. Loaded to read YAML.

As 1.2 has it: plain scalars, tabs between tokens, ``?`` and ``:`` in flow style, a repeated ``...``. Refused as in 1.2:
a comment with no white space before it, a quoted scalar that continues at too little indentation, other versions of
YAML. It accepts more in one place: the lines of ``[...]`` and ``{...}`` may have any indentation, as most readers have
it. It accepts less in two: a key has at most 1024 characters, and there is no tab in the head line of a block scalar or
in a directive.

Why methods are overridden: of the texts in test_yaml.py, ruamel's own scanner refuses or misreads 30 that YAML 1.2
allows (``{a:}`` has the key ``a:``), and accepts 20 that it does not. A check of its tokens, or a second reader
that has to agree, can only refuse more. The parsers that read 1.2 as it is give values without their places, but a
finding needs a line and a column.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ruamel.yaml.scanner import Scanner, ScannerError
from ruamel.yaml.tokens import FlowMappingEndToken, FlowSequenceEndToken, ScalarToken

_VERSION: Final = "1.2"

# A word of a plain scalar (YAML 1.2.2, section 7.3.3). What it starts with, check_plain has seen.
_WORD: Final = re.compile(r"(?:[^ \t\r\n\0:]++|:(?![ \t\r\n\0]))++")
_WORD_IN_FLOW: Final = re.compile(r"(?:[^ \t\r\n\0:,\[\]{}]++|:(?![ \t\r\n\0,\[\]{}]))++")

_WHITE: Final = re.compile(r"[ \t]*+")
_COMMENT: Final = re.compile(r"#[^\r\n\0]*+")
_DIRECTIVE_VALUE: Final = re.compile(r"[^ \t\r\n\0]*+")
_BLANK: Final = re.compile(r"[ \t]*+[#\r\n\0]")
_FURTHER_LINE: Final = re.compile(r"(?:\r\n?|\n)(?P<indentation> *+)[ \t]*+(?=[^ \t\r\n])")

_SPACE: Final = " \t\r\n\0"
_FLOW_INDICATORS: Final = ",[]{}"
_INDICATORS: Final = "-?:,[]{}#&*!|>'\"%@`"


class CoreScanner(Scanner):
    """Turns text into tokens. Raises ScannerError, with a place."""

    _last: Any = None
    """The token that was scanned last."""

    def fetch_more_tokens(self) -> None:
        """Scans the next token."""
        super().fetch_more_tokens()
        if self.tokens:
            self._last = self.tokens[-1]

    # Between tokens

    def scan_to_next_token(self) -> None:
        """Skips white space, comments and line ends."""
        reader = self.reader
        while True:
            self._skip_white()
            if reader.peek() == "#":
                self._require_white_before()
                self._skip(_COMMENT)
            if not self.scan_line_break():
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def _skip_white(self) -> None:
        reader = self.reader
        while reader.peek() == " ":
            reader.forward()
        if reader.peek() != "\t":
            return
        if not self.flow_level and not _BLANK.match(reader.buffer, reader.pointer):
            if reader.column <= self.indent:
                return  # a tab is not an indentation; the next check reports that it cannot start a token
            self.allow_simple_key = False  # behind a tab, neither a block mapping nor a block sequence starts
        self._skip(_WHITE)

    def _require_white_before(self) -> None:
        reader = self.reader
        if reader.pointer and reader.buffer[reader.pointer - 1] not in _SPACE:
            raise ScannerError(None, None, "found '#' with no white space before it", reader.get_mark())

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """What is here, gone past."""
        found = pattern.match(self.reader.buffer, self.reader.pointer)
        text = "" if found is None else found[0]
        self.reader.forward(len(text))
        return text

    def fetch_document_end(self) -> None:
        """The end of a document; another one where nothing has come since is the same, and one before all is none."""
        super().fetch_document_end()
        self.scan_to_next_token()
        while self.check_document_end():
            self.reader.forward(3)
            self.tokens[-1].end_mark = self.reader.get_mark()
            self.scan_to_next_token()
        is_first = self.tokens_taken + len(self.tokens) == 2  # it and the start of the stream
        if is_first and self.tokens[-1].end_mark.line < self.reader.line:
            self.tokens.pop()

    # Indicators

    def check_key(self) -> bool:
        """Whether a ``?`` is the indicator of a key."""
        return self.reader.peek(1) in _SPACE

    def check_value(self) -> bool:
        """Whether a ``:`` is the indicator of a value."""
        following = self.reader.peek(1)
        if following in _SPACE:
            return True
        return bool(self.flow_level) and (following in _FLOW_INDICATORS or self._follows_json())

    def _follows_json(self) -> bool:
        """Whether the last token ends what JSON has too, behind which ``:`` needs no space."""
        last = self._last
        if isinstance(last, ScalarToken):
            return not last.plain
        return isinstance(last, (FlowSequenceEndToken, FlowMappingEndToken))

    def check_plain(self) -> bool:
        """Whether a plain scalar starts here."""
        first, second = self.reader.peek(), self.reader.peek(1)
        if first in "-?:":
            return second not in _SPACE and not (self.flow_level and second in _FLOW_INDICATORS)
        return first not in _SPACE and first not in _INDICATORS

    def stale_possible_simple_keys(self) -> None:
        """Gives up the keys that can be none any more. In braces a key may go on over lines."""
        for level, key in self.possible_simple_keys.items():
            if level and self.flow_context[level - 1] == "{":
                key.line = self.reader.line
        super().stale_possible_simple_keys()

    # Scalars

    def scan_plain(self) -> ScalarToken:
        """The token of a plain scalar, its lines folded."""
        reader = self.reader
        word = _WORD_IN_FLOW if self.flow_level else _WORD
        start = end = reader.get_mark()
        parts: list[str] = []
        white = ""
        while text := self._skip(word):
            parts += (white, text)
            end = reader.get_mark()
            self.allow_simple_key = False
            white = self._folded_white()
            if not white or reader.peek() == "#" or not (self.flow_level or reader.column > self.indent):
                break
        return ScalarToken("".join(parts), True, start, end)

    def _folded_white(self) -> str:
        """What stands for the white space between two words of a plain scalar; "" where the scalar ends."""
        reader = self.reader
        white = self._skip(_WHITE)
        breaks = 0
        while self.scan_line_break():
            breaks += 1
            self.allow_simple_key = True
            if self.check_document_start() or self.check_document_end():
                return ""
            while reader.peek() == " ":
                reader.forward()
            if self.flow_level or reader.column > self.indent:
                self._skip(_WHITE)
        return "\n" * (breaks - 1) or " " if breaks else white

    def scan_flow_scalar(self, style: str) -> ScalarToken:
        """The token of a quoted scalar."""
        start = self.reader.get_mark()
        try:
            token: ScalarToken = super().scan_flow_scalar(style)
        except (ValueError, OverflowError):
            raise ScannerError(None, None, "found an escape beyond Unicode", self.reader.get_mark()) from None
        for line in _FURTHER_LINE.finditer(self.reader.buffer, start.index, token.end_mark.index):
            if len(line["indentation"]) <= self.indent:
                mark = self.reader.get_mark()
                mark.index = line.end()
                found = "found a line of a quoted scalar that is not further in than what holds it"
                raise ScannerError("while scanning a quoted scalar", start, found, mark)
        return token

    # Directives and tags

    def scan_yaml_directive_value(self, start_mark: Any) -> tuple[int, int]:
        """The version in a directive, which has to be 1.2."""
        self._skip(_WHITE)
        version = self._skip(_DIRECTIVE_VALUE)
        if version != _VERSION:
            found = f"expected %YAML {_VERSION}, or no such directive, found %YAML {version[:40] or '(nothing)'}"
            raise ScannerError(None, None, found, start_mark)
        return 1, 2

    def scan_tag(self) -> Any:
        """The token of a tag, as that of a bare ``!``: the reader refuses them all, and names them from the text.

        Resolving one takes the square of its length, minutes for a hostile text of 1 MiB.
        """
        token = super().scan_tag()
        token.value = (None, "!")
        return token
