"""Keyrings as the tables name them, and the verdict of the second computation under one."""

from __future__ import annotations

import base64
import json
from typing import Any

from .ed25519 import verifies
from .library import Library
from .second import signed_bytes
from .texts import Text

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def keyring(given: str, base: str, library: Library) -> Text:
    """``bench``: the keys of the documents made here; ``own``: what the document came with; else the text of one.

    In a text ``{key}`` stands for the first key of the bench, and other braces for wrong spellings of it.
    """
    if given in ("bench", "own"):
        return Text(json.dumps(library.keys if given == "bench" else library[base].keys).encode("ascii"))
    key = next(iter(library.keys.values()))
    for name, spelling in (
        ("{key}", key),
        ("{url key}", key.replace("+", "-").replace("/", "_")),
        ("{key without padding}", key.rstrip("=")),
        ("{key with unused bits}", key[:42] + _BASE64[_BASE64.index(key[42]) + 1] + "="),
        ("{hex key}", base64.b64decode(key).hex()),
    ):
        given = given.replace(name, spelling)
    return Text(given.encode("ascii"))


def verdict(kind: str, document: dict[str, Any], keys: Text | None) -> str:
    """The verdict on a signature by plain integers. Without a keyring nobody is known."""
    if keys is None:
        return "signer-unknown"
    try:
        held = {name: _public(key) for name, key in json.loads(keys.bytes, object_pairs_hook=_distinct).items()}
    except (ValueError, TypeError, AttributeError):
        return "error"
    public = held.get(document["issuer_key_id"])
    if public is None:
        return "signer-unknown"
    signature = base64.b64decode(document["signature"])
    return "valid" if verifies(public, signed_bytes(kind, document), signature) else "invalid"


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs) or any(len(name) < 8 for name in members):
        raise ValueError("an id twice, or none")
    return members


def _public(key: str) -> bytes:
    public = base64.b64decode(key, validate=True)
    if len(public) != 32 or base64.b64encode(public).decode("ascii") != key:
        raise ValueError("no key")
    return public
