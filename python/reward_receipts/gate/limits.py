"""What a gate accepts at most."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.generated.tables import MAX_TEXT_BYTES


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a gate. Raises ValueError for one that is not positive."""

    body_bytes: int = 8 * MAX_TEXT_BYTES
    """The bytes of a body in JSON Lines (413 beyond it). One receipt has at most 1 MiB, here as everywhere."""
    receipts: int = 1000
    """The receipts in one body (413 beyond it). While one body is admitted, the others wait."""
    body_seconds: float = 10.0
    """How long a body may take to arrive (408 beyond it)."""
    answer_seconds: float = 30.0
    """How long admission may take, waiting included (503 beyond it)."""
    waiting: int = 1000
    """The requests that wait for admission (503 beyond it)."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}; expected a number greater than 0")
