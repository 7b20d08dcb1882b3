"""The table of signature algorithms, by the ``signature_algorithm`` of a document.

docs/decisions/signature-algorithms.md says how one is added, and why a key belongs to one algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .ed25519 import ED25519
from .signature_algorithm import SignatureAlgorithm

DEFAULT: Final = ED25519
"""The algorithm of a key whose text names none."""

ALGORITHMS: Final[Mapping[str, SignatureAlgorithm]] = {each.name: each for each in (ED25519,)}
"""Every algorithm that the schema has."""
