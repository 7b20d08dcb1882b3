"""Text of others that could be a private key, which no message may quote.

A key gets into a message when somebody puts it where a file's name, a key id or a document belongs. A message cannot
know what the text is, so it quotes nothing that has the form of a key. Digests (``sha256:...``) are quoted.

Two questions are asked. ``is_key_spelling``: is this text, as a whole, a key? A person who passes one made a mistake
and the message says that. ``could_be_key``: does it contain something like one? That costs a message its quotation and
nothing else, so it errs on the safe side.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from operator import ne
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

_SHORTEST: Final = 40
"""A key of 32 bytes has 43 characters of base64; one that lost a few on the way counts."""
_EXACT: Final = frozenset({43, 86})
"""Characters of base64 without padding: 32 bytes (a seed) and 64 bytes (a seed with its public key)."""
_MAX_LENGTH: Final = 1024
"""Only so much of a text is looked at, so that a long one costs no more."""

_MARKS: Final = re.compile(
    r'PRIVATE KEY|private_key\\?"\s*:|"kty"\s*:'  # PEM and OpenSSH, the key file of keygen, JWK
    r"|MC4CAQ|MFMCAQ|b3BlbnNzaC1rZXktdjE"  # the first bytes of PKCS #8 and of OpenSSH in base64
)
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}(?![0-9A-Za-z])")
_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}[\s:,-]{0,2}){32}")
_HEX_DIGITS: Final = re.compile(r"[0-9A-Fa-f]+")
_BREAKS: Final = re.compile(r"\s+|\\[nrt]")
_BASE64: Final = (re.compile(r"[A-Za-z0-9+/]{40,}"), re.compile(r"[A-Za-z0-9_-]{40,}"))
_WORD: Final = re.compile(r"\S{39,}[^\s:;,.)]")
_PIECE: Final = re.compile(r"[^\s\"'`,;:(){}\[\]<>|&?*\\]{40,}")
_WINDOW: Final = 43
_KINDS: Final = str.maketrans(
    ascii_uppercase + ascii_lowercase + digits + "+/-_", "A" * 26 + "a" * 26 + "0" * 10 + "----"
)
_PART_OF_KEY: Final = re.compile(r"[A-Za-z0-9+/=_-]{8,}")
_PLAIN_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[a-z]+(?:_[a-z]+)*_?|[A-Z]+|[-+]?[0-9]+[-+.eE0-9]*")


def is_key_spelling(text: str) -> bool:
    """Whether the whole of a text is a private key: in base64, base64url or hex, in PEM, in JSON.

    Padding, quotes and white space make no difference.

    >>> is_key_spelling("ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=")
    True
    """
    if len(text) < _SHORTEST:
        return False
    text = text[: 4 * _MAX_LENGTH]
    if _MARKS.search(text):
        return True
    bare = _BREAKS.sub("", text).strip("\"'").rstrip("=")
    if len(bare) in _EXACT and any(alphabet.fullmatch(bare) for alphabet in _BASE64):
        return True
    return _HEX.match(bare.removeprefix("0x").removeprefix("0X")) is not None and _has_hex(bare)


def could_be_key(text: str) -> bool:
    """Whether a text is or contains what could be a private key.

    Beside the spellings of a whole key that is a run of 40 characters of base64 or more that looks random.

    >>> could_be_key("receipts-of-the-second-run.json"), could_be_key("keys/ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9")
    (False, True)
    """
    return len(text) >= _SHORTEST and _contains_key(text[:_MAX_LENGTH])


@lru_cache(maxsize=8)  # the pointers of a thousand findings can all repeat one long name
def _contains_key(text: str) -> bool:
    text = _DIGEST.sub(" ", text)
    if _has_hex(text) or is_key_spelling(text):
        return True
    compact = _BREAKS.sub("", text)
    pieces = [*_PIECE.findall(text), *(_PIECE.findall(compact) if compact != text else ())]
    return any(is_key_spelling(piece) or _looks_random(piece) for piece in pieces)


def redacted(text: str) -> str:
    """The text; in place of one that could be a key, its length."""
    return f"({len(text)} characters that could be a key)" if could_be_key(text) else text


def redacted_words(text: str) -> str:
    """A message of several words, in which each that could be a key is redacted.

    >>> redacted_words("cannot read ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=: No such file")
    'cannot read (44 characters that could be a key): No such file'
    """
    return _WORD.sub(lambda word: redacted(word[0]), text)


def quoted_at(text: str, start: int, count: int) -> str:
    """The ``count`` characters at a place of a text, unless they are a part of what could be a key.

    A few characters of a key do not look like one. So the word around the place decides, and if the text is short all
    of it. In JSON Lines a key can be broken over lines; a word of 8 characters is quoted only if it is one of letters
    or a number.
    """
    quoted = text[start : start + count]
    before, after = text[max(0, start - 200) : start], text[start : start + 200]
    word_start = max(map(before.rfind, ' \t\r\n"')) + 1
    word_end = min((at for at in map(after.find, ' \t\r\n"') if at > 0), default=len(after))
    if (
        could_be_key(before[word_start:] + after[:word_end])
        or (len(text) <= _MAX_LENGTH and is_key_spelling(text))
        or any(_PLAIN_WORD.fullmatch(part) is None for part in _PART_OF_KEY.findall(quoted))
    ):
        return f"({len(quoted)} characters of what could be a key)"
    return quoted


def _has_hex(text: str) -> bool:
    """Whether 32 bytes in hex are in a text. Decimals alone are a long number."""
    return any(not found[0].isdecimal() for found in _HEX.finditer(text))


def _looks_random(text: str) -> bool:
    """Whether a part of a text looks like base64 of random bytes, and not like words.

    Of 43 random characters of base64, 31 are distinct on average, and the class (capital, small letter, digit, sign)
    changes 27 times. Most names that are made of words stay below both bounds; one random key in 100,000 does.
    """
    for alphabet in _BASE64:
        for run in alphabet.findall(text):
            if _HEX_DIGITS.fullmatch(run):  # a commit, say; a key in hex is longer
                continue
            changed = list(accumulate(map(ne, kinds := run.translate(_KINDS), kinds[1:]), initial=0))
            for start in range(0, max(1, len(run) - _WINDOW + 1), 8):
                last = min(start + _WINDOW, len(run)) - 1
                if changed[last] - changed[start] >= 17 or len(set(run[start : last + 1])) >= 26:
                    return True
    return False
