"""Digests of what an environment returned, to compare two episodes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy

from ...rewards.components.context import StepContext
from ..step import EpisodeStep


def digest_of(value: Any) -> bytes:
    """A digest of a value: equal for equal arrays, numbers, texts and what is made of them; NaN equals NaN.

    Of an object of another kind only its type counts, because two of them need not be equal to be the same.
    """
    digest = hashlib.blake2b(digest_size=16)
    _add(digest, value)
    return digest.digest()


def _add(digest: Any, value: Any) -> None:
    if isinstance(value, EpisodeStep):
        value = value.context
    if isinstance(value, StepContext):
        value = {each.name: getattr(value, each.name) for each in fields(StepContext) if each.name != "provided"}
    digest.update(type(value).__name__.encode("utf-8", "backslashreplace"))
    if isinstance(value, (numpy.ndarray, numpy.generic)) and not numpy.asarray(value).dtype.hasobject:
        array = numpy.asarray(value)
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    elif isinstance(value, Mapping):
        for name, member in value.items():
            _add(digest, name)
            _add(digest, member)
    elif isinstance(value, (list, tuple, numpy.ndarray)):
        digest.update(str(len(value)).encode())
        for item in value:
            _add(digest, item)
    elif value is None or isinstance(value, (str, bytes, int, float, complex)):
        digest.update(repr(value).encode("utf-8", "backslashreplace"))
